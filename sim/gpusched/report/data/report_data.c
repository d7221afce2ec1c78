/* report_data - an experiment's database; see report_data.h. */

#include "gpusched/report/data/report_data.h"

#include <stdlib.h>
#include <string.h>

#include "gpusched/experiment/store/experiment_sql.h"
#include "gpusched/report/data/report_database.h"
#include "gpusched/report/data/report_seeds.h"
#include "tool/memory_watch.h"

enum { LABEL = 512 };

/* ---- Rows ---------------------------------------------------------------------------- */

/* NULL for a null, and without memory. */
static char *text_of(struct store *store, sqlite3_stmt *statement, int column)
{
    const char *const text = sql_text_of(store, statement, column);

    return text == NULL ? NULL : memory_copy(text);
}

static char *axis_text(const json_t *value)
{
    return json_is_string(value) ? memory_copy(json_string_value(value))
                                 : json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
}

static bool read_axes(struct report_data *data, struct report_run *run, const char *text)
{
    json_t *const object = json_loads(text == NULL ? "" : text, 0u, NULL);
    const char *name;
    json_t *value;
    uint32_t a = 0u;

    if (run == data->runs) {
        data->n_axis = (uint32_t)json_object_size(object);
    }
    run->axes = memory_take(EXPERIMENT_AXES, sizeof *run->axes);
    bool good = object != NULL && run->axes != NULL && data->n_axis <= EXPERIMENT_AXES
                && json_object_size(object) == data->n_axis;
    if (good) {
        json_object_foreach(object, name, value)
        {
            if (data->axes[a] == NULL) {
                data->axes[a] = memory_copy(name);
            }
            run->axes[a] = axis_text(value);
            good = good && run->axes[a] != NULL && data->axes[a] != NULL;
            a++;
        }
    }
    json_decref(object);
    return good;
}

static void read_result(struct report_run *run, const char *status, const char *text)
{
    json_t *result = NULL;

    run->status = experiment_status_of(status);
    if (run->status == RUN_DONE && text != NULL) {
        result = json_loads(text, 0u, NULL);
    }
    run->values = report_values_of(result);
    run->kernels = json_incref(json_object_get(result, "by_kernel"));
    run->configuration = json_incref(json_object_get(result, "configuration"));
    json_decref(result);
}

static bool read_run(struct report_data *data, sqlite3_stmt *row)
{
    enum { ID, GPU, WORKLOAD, SIZE, VARIANT, AXES, STATUS, ERROR, RESULT };
    struct store *const store = data->store;
    struct report_run *const run = &data->runs[data->n];
    const char *const workload = sql_text_of(store, row, WORKLOAD);
    const char *const size = sql_text_of(store, row, SIZE);
    char label[LABEL];

    snprintf(label, sizeof label, "%.300s%s%.100s", workload == NULL ? "" : workload,
             size == NULL ? "" : " ", size == NULL ? "" : size);
    data->n++;
    run->id = (uint32_t)sqlite3_column_int64(row, ID);
    run->gpu = text_of(store, row, GPU);
    run->workload = memory_copy(label);
    run->variant = text_of(store, row, VARIANT);
    run->error = text_of(store, row, ERROR);
    read_result(run, sql_text_of(store, row, STATUS), sql_text_of(store, row, RESULT));
    run->status_of = run->id;
    data->count[run->status]++;
    run->lockstep = report_data_observed(data, run, "lockstep");
    return run->gpu != NULL && run->workload != NULL && run->variant != NULL
           && read_axes(data, run, sql_text_of(store, row, AXES));
}

static bool read_runs(struct report_data *data, struct fault *fault)
{
    struct store *const store = data->store;
    const uint32_t n = sql_grid_runs(store);
    bool good = true;

    data->runs = memory_take(n + 1u, sizeof *data->runs);
    sqlite3_stmt *const rows = sql_prepare(
        store, "SELECT grid.id, gpu, workload, size, variant, axes, status, error, result"
               " FROM grid LEFT JOIN temp.stored ON stored.key = grid.key"
               " AND stored.id NOT IN (SELECT id FROM temp.broken)"
               " ORDER BY grid.id");
    while (good && data->runs != NULL && data->n < n && sql_row(store, rows)) {
        good = read_run(data, rows);
    }
    sqlite3_finalize(rows);
    if (sql_failed(store)) {
        *fault = *store_fault(store);
    } else if (data->runs == NULL || !good) {
        fault_set(fault, "%.3000s: run %u cannot be read", store->path, data->n);
    } else if (data->n == 0u) {
        fault_set(fault, "%.3000s: there are no runs in it", store->path);
        good = false;
    }
    return good && data->runs != NULL && !sql_failed(store);
}

/* ---- The grid ------------------------------------------------------------------------ */

static const char *value_at(const struct report_run *run, uint32_t dimension)
{
    const char *const value = dimension == DIMENSION_GPU        ? run->gpu
                              : dimension == DIMENSION_WORKLOAD ? run->workload
                              : dimension == DIMENSION_VARIANT  ? run->variant
                              : run->axes == NULL               ? NULL
                                                  : run->axes[dimension - DIMENSION_AXIS];

    return value == NULL ? "" : value;
}

/* How many values follow each other, `step` runs apart, before the first of them comes again:
 * of a list of different values, its length. */
static uint32_t cycle(const struct report_data *data, uint32_t dimension, uint32_t step)
{
    const char *const first = value_at(&data->runs[0], dimension);
    uint32_t n = 1u;

    while ((uint64_t)n * step < data->n
           && strcmp(value_at(&data->runs[(size_t)n * step], dimension), first) != 0) {
        n++;
    }
    return n;
}

/* The same for workloads, which end where another GPU begins. */
static uint32_t workloads(const struct report_data *data, uint32_t step)
{
    uint32_t n = 1u;

    while ((uint64_t)n * step < data->n
           && strcmp(value_at(&data->runs[(size_t)n * step], DIMENSION_GPU),
                     value_at(&data->runs[0], DIMENSION_GPU))
                  == 0) {
        n++;
    }
    return n;
}

/* The last dimension changes fastest. Names of GPUs and workloads may have an axis's value in
 * them, so that only runs with the same values of axes tell how many of them there are. */
static bool find_lengths(struct report_data *data)
{
    uint32_t step = 1u;

    data->dimensions = DIMENSION_AXIS + data->n_axis;
    for (uint32_t d = data->dimensions; d-- > DIMENSION_WORKLOAD;) {
        data->length[d] =
            d == DIMENSION_WORKLOAD ? workloads(data, step) : cycle(data, d, step);
        step *= data->length[d];
    }
    data->length[DIMENSION_GPU] = data->n / step;
    return data->n % step == 0u;
}

const struct report_run *report_data_at(const struct report_data *data, const uint32_t *at)
{
    size_t i = 0u;

    for (uint32_t d = 0u; d < data->dimensions; d++) {
        i = i * data->length[d] + at[d];
    }
    return &data->runs[i];
}

/* ---- What is beside the grid --------------------------------------------------------- */

json_t *report_data_observed(const struct report_data *data, const struct report_run *run,
                             const char *name)
{
    json_t *value = NULL;

    if (data->store == NULL) {
        return strcmp(name, "ctas") == 0 ? json_incref(data->ctas) : NULL;
    }
    if (run->status == RUN_PENDING || !report_has_table(data->store, "observed")) {
        return NULL;
    }
    sqlite3_stmt *const find =
        sql_prepare(data->store, "SELECT value FROM observed WHERE run = ? AND name = ?");
    if (find != NULL) {
        sqlite3_bind_int64(find, 1, run->id);
        sql_text(find, 2, name);
        const bool found = sql_row(data->store, find);
        const char *const text = found ? sql_text_of(data->store, find, 0) : NULL;
        value = text == NULL ? NULL : json_loads(text, 0u, NULL);
    }
    sqlite3_finalize(find);
    return value;
}

static bool find_baseline(struct report_data *data, const char *baseline, struct fault *fault)
{
    char names[1024] = "";
    size_t at = 0u;

    data->other_baseline = baseline != NULL;
    data->baseline =
        baseline == NULL ? report_about(data->store, "baseline") : memory_copy(baseline);
    const uint32_t step = data->n / data->length[DIMENSION_GPU]
                          / data->length[DIMENSION_WORKLOAD] / data->length[DIMENSION_VARIANT];
    for (uint32_t v = 0u; v < data->length[DIMENSION_VARIANT]; v++) {
        const char *const name = value_at(&data->runs[(size_t)v * step], DIMENSION_VARIANT);
        if (data->baseline == NULL || strcmp(name, data->baseline) == 0) {
            return true;
        }
        at += at < sizeof names ? (size_t)snprintf(names + at, sizeof names - at, "%s%s",
                                                   v == 0u ? "" : ", ", name)
                                : 0u;
    }
    return fault_set(fault, "--baseline=%.300s: no such variant; there are: %s", data->baseline,
                     names);
}

bool report_data_open(struct report_data *data, const char *path, const char *baseline,
                      struct fault *fault)
{
    *data = (struct report_data){ 0 };
    report_database_name(path, data->name);
    data->store = store_open_read(path, fault);
    if (data->store == NULL) {
        return false;
    }
    /* All that is read is of one moment, even while runs end. */
    if (!sql_run(data->store, "BEGIN")) {
        *fault = *store_fault(data->store);
    } else if (report_check_grid(data->store, data->name, fault) && read_runs(data, fault)) {
        char *const seeds = report_about(data->store, "seeds");
        const bool joined =
            report_seeds_join(data, seeds == NULL ? 1u : (uint32_t)strtoul(seeds, NULL, 10));
        free(seeds);
        if (!joined || !find_lengths(data)) {
            fault_set(fault, "%.3000s: its runs are no whole grid", path);
        } else if (find_baseline(data, baseline, fault)) {
            data->file = report_about(data->store, "file");
            data->title = report_about(data->store, "title");
            if (data->title == NULL || data->title[0] == '\0') {
                free(data->title);
                data->title = memory_copy(data->name);
            }
            if (data->title != NULL) {
                return true;
            }
        }
    }
    if (memory_lost()) {
        fault_surroundings(fault, "no memory");
    }
    report_data_free(data);
    return false;
}

void report_run_free(struct report_run *run)
{
    for (uint32_t a = 0u; run->axes != NULL && a < EXPERIMENT_AXES; a++) {
        free(run->axes[a]);
    }
    free(run->axes);
    free(run->gpu);
    free(run->workload);
    free(run->variant);
    free(run->error);
    free(run->each);
    json_decref(run->lockstep);
    json_decref(run->kernels);
    json_decref(run->configuration);
    memset(run, 0, sizeof *run);
}

void report_data_free(struct report_data *data)
{
    for (uint32_t i = 0u; i < data->n; i++) {
        report_run_free(&data->runs[i]);
    }
    for (uint32_t a = 0u; a < EXPERIMENT_AXES; a++) {
        free(data->axes[a]);
    }
    free(data->runs);
    free(data->title);
    free(data->file);
    free(data->baseline);
    json_decref(data->result);
    json_decref(data->ctas);
    json_decref(data->command);
    report_series_free(&data->series);
    store_close(data->store);
    *data = (struct report_data){ 0 };
}
