/* report_many - experiments of many runs; see report_many.h. */

#include "gpusched/report/data/report_many.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/experiment/grid/experiment_figure.h"
#include "gpusched/experiment/store/experiment_sql.h"
#include "gpusched/report/data/report_database.h"
#include "tool/memory_watch.h"

/* ---- Lists --------------------------------------------------------------------------- */

static bool add_value(struct many_list *list, const char *value)
{
    /* As many as twice what there are, when that is a power of two. */
    if ((list->n & (list->n - 1u)) == 0u) {
        const size_t room = list->n == 0u ? 1u : 2u * list->n;
        char **const more = memory_take(room, sizeof *more);
        if (more == NULL) {
            return false;
        }
        if (list->n > 0u) {
            memcpy(more, list->values, list->n * sizeof *more);
        }
        free(list->values);
        list->values = more;
    }
    list->values[list->n] = memory_copy(value);
    return list->values[list->n++] != NULL;
}

/* A value's place: runs that follow each other have the same, the next or the first. */
static bool place_of(struct many_list *list, const char *value)
{
    const uint32_t likely[] = { list->last, list->last + 1u, 0u };

    for (unsigned i = 0u; i < sizeof likely / sizeof likely[0]; i++) {
        if (likely[i] < list->n && strcmp(list->values[likely[i]], value) == 0) {
            list->last = likely[i];
            return true;
        }
    }
    for (list->last = 0u; list->last < list->n; list->last++) {
        if (strcmp(list->values[list->last], value) == 0) {
            return true;
        }
    }
    return add_value(list, value);
}

/* ---- Runs ---------------------------------------------------------------------------- */

static bool place_axes(struct report_many *many, const char *text)
{
    json_t *const object = json_loads(text == NULL ? "" : text, 0u, NULL);
    const char *name;
    json_t *value;
    uint32_t d = DIMENSION_AXIS;
    bool good = object != NULL && json_object_size(object) <= EXPERIMENT_AXES;

    if (good) {
        json_object_foreach(object, name, value)
        {
            struct many_list *const list = &many->list[d++];
            char *const number =
                json_is_string(value)
                    ? NULL
                    : json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
            const char *const word = number == NULL ? json_string_value(value) : number;
            list->name = list->name == NULL ? memory_copy(name) : list->name;
            good = good && word != NULL && place_of(list, word);
            free(number);
        }
    }
    many->dimensions = d;
    json_decref(object);
    return good;
}

static bool note_failure(struct report_many *many, uint32_t run, enum experiment_status status,
                         const char *error)
{
    if ((status != RUN_FAILED && status != RUN_ABORTED) || many->failures == MANY_FAILURES) {
        return true;
    }
    struct many_failure *const failure = &many->failure[many->failures++];
    *failure = (struct many_failure){ run, status, memory_copy(error == NULL ? "" : error) };
    return failure->error != NULL;
}

enum { GPU, WORKLOAD, SIZE, VARIANT, AXES, STATUS, ERROR, CYCLES };

static bool read_run(struct report_many *many, sqlite3_stmt *row, uint32_t i)
{
    enum { LABEL = 512 };
    struct store *const store = many->store;
    const char *const gpu = sql_text_of(store, row, GPU);
    const char *const workload = sql_text_of(store, row, WORKLOAD);
    const char *const size = sql_text_of(store, row, SIZE);
    const char *const variant = sql_text_of(store, row, VARIANT);
    const enum experiment_status status = experiment_status_of(sql_text_of(store, row, STATUS));
    char label[LABEL];

    snprintf(label, sizeof label, "%.300s%s%.100s", workload == NULL ? "" : workload,
             size == NULL ? "" : " ", size == NULL ? "" : size);
    many->count[status]++;
    many->cycles[i] = status == RUN_DONE && sqlite3_column_type(row, CYCLES) != SQLITE_NULL
                          ? sqlite3_column_double(row, CYCLES)
                          : (double)NAN;
    const bool good = gpu != NULL && variant != NULL
                      && place_of(&many->list[DIMENSION_GPU], gpu)
                      && place_of(&many->list[DIMENSION_WORKLOAD], label)
                      && place_of(&many->list[DIMENSION_VARIANT], variant)
                      && place_axes(many, sql_text_of(store, row, AXES))
                      && note_failure(many, i + 1u, status, sql_text_of(store, row, ERROR));
    for (uint32_t d = 0u; d < many->dimensions; d++) {
        many->at[(size_t)i * EXPERIMENT_DIMENSIONS + d] = many->list[d].last;
    }
    return good;
}

/* The place of the cycles in the lists of figures. False with a fault. */
static bool find_cycles(const struct report_many *many, size_t *at, struct fault *fault)
{
    const size_t n = json_array_size(many->store->figures);

    for (*at = 0u; *at < n; (*at)++) {
        char path[TREE_TEXT];
        struct fault unknown;
        const char *const name = json_string_value(json_array_get(many->store->figures, *at));
        if (name != NULL && experiment_figure_path(name, path, &unknown)
            && strcmp(path, "cycles.core") == 0) {
            return true;
        }
    }
    return fault_set(
        fault,
        "%.3000s: of more than %d runs a page has their cycles alone, and they are "
        "no figure of this experiment; allowed: `figures` with cycles",
        many->store->path, REPORT_MANY);
}

static bool read_runs(struct report_many *many, struct fault *fault)
{
    char query[512];
    size_t figure;
    uint32_t n = 0u;
    bool good = true;

    if (!find_cycles(many, &figure, fault)) {
        return false;
    }
    snprintf(query, sizeof query,
             "SELECT gpu, workload, size, variant, axes, status, error,"
             " json_extract(figures, '$[%zu]') FROM grid LEFT JOIN main.results"
             " ON results.key = grid.key AND results.id NOT IN (SELECT id FROM temp.broken)"
             " ORDER BY grid.id",
             figure);
    sqlite3_stmt *const rows = sql_prepare(many->store, query);
    while (good && n < many->n && sql_row(many->store, rows)) {
        good = read_run(many, rows, n++);
    }
    sqlite3_finalize(rows);
    if (sql_failed(many->store)) {
        *fault = *store_fault(many->store);
        return false;
    }
    return (good && n == many->n)
           || fault_set(fault, "%.3000s: run %u cannot be read", many->store->path, n);
}

/* ---- The baseline -------------------------------------------------------------------- */

/* How far two variants that follow each other are apart. */
static uint32_t stride(const struct report_many *many)
{
    uint32_t step = 1u;

    for (uint32_t d = DIMENSION_AXIS; d < many->dimensions; d++) {
        step *= many->list[d].n;
    }
    return step;
}

static bool find_baseline(struct report_many *many, const char *baseline, struct fault *fault)
{
    const struct many_list *const variants = &many->list[DIMENSION_VARIANT];

    many->other_baseline = baseline != NULL;
    many->baseline =
        baseline == NULL ? report_about(many->store, "baseline") : memory_copy(baseline);
    if (many->baseline == NULL) {
        return true;
    }
    while (many->base < variants->n
           && strcmp(variants->values[many->base], many->baseline) != 0) {
        many->base++;
    }
    if (many->base == variants->n) {
        return fault_set(fault, "--baseline=%.300s: no such variant; the first is %.300s",
                         many->baseline, variants->values[0]);
    }
    return many->n % ((uint64_t)stride(many) * variants->n) == 0u
           || fault_set(fault, "%.3000s: its runs are no whole grid", many->store->path);
}

/* ---- Core clocks --------------------------------------------------------------------- */

/* The baseline's partner of a run, which differs from it by the variant alone; of a database
 * that others have made it may be no grid: then the run itself. */
static uint32_t partner(const struct report_many *many, uint32_t run, uint32_t step)
{
    const uint32_t variant = run / step % many->list[DIMENSION_VARIANT].n;

    return many->at[(size_t)run * EXPERIMENT_DIMENSIONS + DIMENSION_VARIANT] != variant
               ? run
               : run + many->base * step - variant * step;
}

/* NAN if it is not known. */
static double clock_of(const struct report_many *many, uint32_t run)
{
    double clock = (double)NAN;
    sqlite3_stmt *const find =
        sql_prepare(many->store, "SELECT json_extract(result, '$.configuration.clock.core')"
                                 " FROM grid JOIN temp.stored ON stored.key = grid.key"
                                 " WHERE grid.id = ?");

    if (find != NULL) {
        sqlite3_bind_int64(find, 1, run + 1u);
        if (sql_row(many->store, find) && sqlite3_column_type(find, 0) != SQLITE_NULL) {
            clock = sqlite3_column_double(find, 0);
        }
    }
    sqlite3_finalize(find);
    return clock;
}

/* An axis sets a clock for all variants alike, or variants set it for all values of axes: so
 * the first pair of runs that is done tells it of all. */
static bool find_scales(struct report_many *many, struct fault *fault)
{
    const uint32_t variants = many->list[DIMENSION_VARIANT].n;
    const uint32_t step = stride(many);

    many->scales =
        memory_take((size_t)many->list[DIMENSION_GPU].n * variants + 1u, sizeof *many->scales);
    for (uint32_t i = 0u; i < many->n && many->scales != NULL && many->baseline != NULL; i++) {
        const uint32_t *const at = &many->at[(size_t)i * EXPERIMENT_DIMENSIONS];
        double *const scale =
            &many->scales[(size_t)at[DIMENSION_GPU] * variants + at[DIMENSION_VARIANT]];
        const uint32_t base = partner(many, i, step);
        if (*scale > 0.0 || isnan(many->cycles[i]) || isnan(many->cycles[base])) {
            continue;
        }
        const double ratio = base == i ? 1.0 : clock_of(many, base) / clock_of(many, i);
        *scale = isfinite(ratio) && ratio > 0.0 ? ratio : 1.0;
    }
    if (sql_failed(many->store)) {
        *fault = *store_fault(many->store);
    }
    return many->scales != NULL && !sql_failed(many->store);
}

/* ---- Sums ---------------------------------------------------------------------------- */

/* NAN without one. */
static double value_of(const struct report_many *many, uint32_t run, uint32_t variant,
                       uint32_t step)
{
    if (many->baseline == NULL) {
        return many->cycles[run];
    }
    const uint32_t *const at = &many->at[(size_t)run * EXPERIMENT_DIMENSIONS];
    const uint32_t base = partner(many, run, step);
    const double scale =
        many->scales[(size_t)at[DIMENSION_GPU] * many->list[DIMENSION_VARIANT].n + variant];
    return base == run ? (double)NAN : many->cycles[base] / (many->cycles[run] * scale);
}

static void add(struct many_sum *sum, double value, uint32_t run)
{
    if (sum->n == 0u || value < sum->low) {
        sum->low = value;
        sum->low_run = run;
    }
    if (sum->n == 0u || value > sum->high) {
        sum->high = value;
        sum->high_run = run;
    }
    sum->mean += log(value);
    sum->n++;
}

void report_many_sums(const struct report_many *many, uint32_t dimension, struct many_sum *sums)
{
    const uint32_t variants = many->list[DIMENSION_VARIANT].n;
    const size_t cells = (size_t)many->list[dimension].n * variants;
    const uint32_t step = stride(many);

    memset(sums, 0, cells * sizeof *sums);
    for (uint32_t i = 0u; i < many->n; i++) {
        const uint32_t *const at = &many->at[(size_t)i * EXPERIMENT_DIMENSIONS];
        const uint32_t variant = at[DIMENSION_VARIANT];
        const double value = value_of(many, i, variant, step);
        if (value > 0.0 && isfinite(value)) {
            add(&sums[(size_t)at[dimension] * variants + variant], value, i + 1u);
        }
    }
    for (size_t i = 0u; i < cells; i++) {
        sums[i].mean = sums[i].n == 0u ? (double)NAN : exp(sums[i].mean / sums[i].n);
    }
}

/* ---- Open ---------------------------------------------------------------------------- */

bool report_is_many(const char *path)
{
    struct fault fault;
    struct store *const store = store_open_unread(path, &fault);
    const bool many = store != NULL && store->format > 0 && report_has_table(store, "grid")
                      && sql_grid_runs(store) > REPORT_MANY;

    store_close(store);
    return many;
}

static bool take_memory(struct report_many *many)
{
    many->at = memory_take((size_t)many->n * EXPERIMENT_DIMENSIONS, sizeof *many->at);
    many->cycles = memory_take(many->n, sizeof *many->cycles);
    return many->at != NULL && many->cycles != NULL;
}

bool report_many_open(struct report_many *many, const char *path, const char *baseline,
                      struct fault *fault)
{
    *many = (struct report_many){ .dimensions = DIMENSION_AXIS };
    report_database_name(path, many->name);
    many->store = store_open_read(path, fault);
    if (many->store == NULL) {
        return false;
    }
    if (!sql_run(many->store, "BEGIN")) {
        *fault = *store_fault(many->store);
    } else if (report_check_grid(many->store, many->name, fault)) {
        many->n = sql_grid_runs(many->store);
        if (take_memory(many) && read_runs(many, fault) && find_baseline(many, baseline, fault)
            && find_scales(many, fault)) {
            many->file = report_about(many->store, "file");
            many->title = report_about(many->store, "title");
            if (many->title == NULL || many->title[0] == '\0') {
                free(many->title);
                many->title = memory_copy(many->name);
            }
        }
    }
    if (many->title != NULL && !memory_lost()) {
        return true;
    }
    if (memory_lost()) {
        fault_surroundings(fault, "no memory");
    }
    report_many_free(many);
    return false;
}

void report_many_free(struct report_many *many)
{
    for (uint32_t d = 0u; d < EXPERIMENT_DIMENSIONS; d++) {
        for (uint32_t i = 0u; i < many->list[d].n; i++) {
            free(many->list[d].values[i]);
        }
        free(many->list[d].values);
        free(many->list[d].name);
    }
    for (uint32_t i = 0u; i < many->failures; i++) {
        free(many->failure[i].error);
    }
    free(many->at);
    free(many->cycles);
    free(many->scales);
    free(many->title);
    free(many->file);
    free(many->baseline);
    store_close(many->store);
    *many = (struct report_many){ .n = 0u };
}
