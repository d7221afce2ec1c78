/* experiment_report - reports of an experiment; see experiment_report.h. */

#include "gpusched/experiment/experiment_report.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/experiment/experiment_band.h"
#include "gpusched/experiment/grid/experiment_seeds.h"

/* Returns false without memory. */
static bool take_value(const json_t *value, struct run_value *to)
{
    *to = (struct run_value){ .kind = VALUE_IS_NONE };
    switch (json_typeof(value)) {
    case JSON_INTEGER:
        *to = (struct run_value){ .kind = VALUE_IS_WHOLE, .whole = json_integer_value(value) };
        return true;
    case JSON_REAL:
        *to = (struct run_value){ .kind = VALUE_IS_REAL, .real = json_real_value(value) };
        return true;
    case JSON_STRING:
        *to = (struct run_value){ .kind = VALUE_IS_TEXT,
                                  .text = strdup(json_string_value(value)) };
        return to->text != NULL;
    default:
        return true;
    }
}

static bool open_row(struct report *report, struct store *store, uint32_t i)
{
    struct report_row *const row = &report->rows[i];
    json_t *values = NULL;
    bool good = store_read(store, &report->grid->keys[i], report->figures, &row->status,
                           &row->error, &values);

    if (good && values != NULL) {
        row->values = calloc(report->n_value + 1u, sizeof *row->values);
        for (uint32_t f = 0u; f < report->n_value && row->values != NULL && good; f++) {
            good = take_value(json_array_get(values, f), &row->values[f]);
        }
        good = good && row->values != NULL;
    }
    json_decref(values);
    return good;
}

bool report_open(struct report *report, struct store *store, struct experiment_grid *grid,
                 const struct experiment_figures *figures, struct fault *fault)
{
    bool good = true;

    *report = (struct report){ .grid = grid, .figures = figures, .n_value = figures->n };
    report->rows = calloc(grid->n, sizeof *report->rows);
    if (report->rows == NULL) {
        return fault_surroundings(fault, "no memory");
    }
    if (store != NULL) {
        good = store_hold(store);
        for (uint32_t i = 0u; i < grid->n && good; i++) {
            good = open_row(report, store, i);
        }
        good = store_release(store) && good;
    }
    if (!good) {
        *fault = *store_fault(store);
        if (fault->kind == FAULT_NONE) {
            fault_surroundings(fault, "no memory for the report");
        }
        report_free(report);
    }
    return good;
}

void report_free(struct report *report)
{
    for (uint32_t i = 0u; i < report->grid->n && report->rows != NULL; i++) {
        struct report_row *const row = &report->rows[i];
        for (uint32_t f = 0u; f < report->n_value && row->values != NULL; f++) {
            if (row->values[f].kind == VALUE_IS_TEXT) {
                free(row->values[f].text);
            }
        }
        free(row->values);
        free(row->error);
    }
    free(report->rows);
    report->rows = NULL;
}

struct run_value run_value(const struct report *report, uint32_t run, uint32_t figure)
{
    const struct run_value *const values = report->rows[run].values;

    return values == NULL ? (struct run_value){ .kind = VALUE_IS_NONE } : values[figure];
}

double run_number(const struct report *report, uint32_t run, uint32_t figure)
{
    const struct run_value value = run_value(report, run, figure);

    return value.kind == VALUE_IS_WHOLE  ? (double)value.whole
           : value.kind == VALUE_IS_REAL ? value.real
                                         : (double)NAN;
}

uint32_t report_count(const struct report *report, enum experiment_status status)
{
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < report->grid->n; i++) {
        n += experiment_grid_has(report->grid, i) && report->rows[i].status == status;
    }
    return n;
}

/* ---- CSV ----------------------------------------------------------------------------- */

/* What a spreadsheet would compute when it opens the file. A number is no formula. */
static bool is_formula(const char *text)
{
    char *end;

    if (text[0] == '\0' || strchr("=+-@\t\r", text[0]) == NULL) {
        return false;
    }
    (void)strtod(text, &end);
    return end == text || *end != '\0' || isspace((unsigned char)text[0]);
}

/* An apostrophe before a formula makes it a text, for all spreadsheets. */
void report_csv_text(const char *text, FILE *to)
{
    const bool formula = is_formula(text);

    if (!formula && strpbrk(text, ",\"\n\r") == NULL) {
        fputs(text, to);
        return;
    }
    fputs(formula ? "\"'" : "\"", to);
    for (; *text != '\0'; text++) {
        fputs(*text == '"' ? "\"\"" : (char[]){ *text, '\0' }, to);
    }
    fputc('"', to);
}

static void csv_value(const struct run_value *value, FILE *to)
{
    switch (value->kind) {
    case VALUE_IS_WHOLE:
        fprintf(to, "%" JSON_INTEGER_FORMAT, value->whole);
        break;
    case VALUE_IS_REAL:
        fprintf(to, "%.12g", value->real);
        break;
    case VALUE_IS_TEXT:
        report_csv_text(value->text, to);
        break;
    default:
        break;
    }
}

static void csv_header(const struct report *report, FILE *to)
{
    const struct experiment *const experiment = report->grid->experiment;

    fputs("run,gpu,workload,size,variant", to);
    for (uint32_t a = 0u; a < experiment_own_axes(experiment); a++) {
        fprintf(to, ",%s", experiment->axes[a].name.text);
    }
    fputs(",status,error", to);
    for (uint32_t f = 0u; f < report->figures->n; f++) {
        const char *const name = report->figures->list[f].name;
        fputc(',', to);
        report_csv_text(name, to);
        if (experiment_seeds(experiment) > 1u) {
            fprintf(to, ",%s low,%s high", name, name);
        }
    }
    fputc('\n', to);
}

static void csv_real(double value, FILE *to)
{
    if (!isnan(value)) {
        fprintf(to, "%.12g", value);
    }
}

/* Median and band of an ensemble. A text stands if all its runs have the same. */
static void csv_ensemble(const struct report *report, uint32_t first, uint32_t figure, FILE *to)
{
    const uint32_t seeds = experiment_seeds(report->grid->experiment);
    double values[SEEDS_MOST];
    const struct run_value text = run_value(report, first, figure);
    bool same = text.kind == VALUE_IS_TEXT;

    for (uint32_t i = 0u; i < seeds; i++) {
        const struct run_value value = run_value(report, first + i, figure);
        values[i] = run_number(report, first + i, figure);
        same = same && value.kind == VALUE_IS_TEXT && strcmp(value.text, text.text) == 0;
    }
    const struct band band = band_of(values, seeds);
    if (same) {
        csv_value(&text, to);
    } else {
        csv_real(band.median, to);
    }
    fputc(',', to);
    csv_real(band.low, to);
    fputc(',', to);
    csv_real(band.high, to);
}

/* The first of an ensemble's runs that is not done, or the first of all. */
static uint32_t worst_run(const struct report *report, uint32_t first)
{
    const uint32_t seeds = experiment_seeds(report->grid->experiment);

    for (uint32_t i = first; i < first + seeds; i++) {
        if (report->rows[i].status != RUN_DONE) {
            return i;
        }
    }
    return first;
}

static void csv_row(const struct report *report, uint32_t i, FILE *to)
{
    const struct experiment *const experiment = report->grid->experiment;
    const struct report_row *const row = &report->rows[worst_run(report, i)];
    struct experiment_point point;

    experiment_grid_names(report->grid, i, &point);
    fprintf(to, "%u,", i + 1u);
    report_csv_text(point.gpu_label, to);
    fputc(',', to);
    report_csv_text(point.workload_label, to);
    fprintf(to, ",%s,", point.size == NULL ? "" : point.size);
    report_csv_text(experiment->variants[point.at[DIMENSION_VARIANT]].name.text, to);
    for (uint32_t a = 0u; a < experiment_own_axes(experiment); a++) {
        fputc(',', to);
        report_csv_text(experiment_axis_value(experiment, a, point.at), to);
    }
    fprintf(to, ",%s,", experiment_status_name(row->status));
    report_csv_text(row->error == NULL ? "" : row->error, to);
    for (uint32_t f = 0u; f < report->figures->n; f++) {
        fputc(',', to);
        if (experiment_seeds(experiment) > 1u) {
            csv_ensemble(report, i, f, to);
        } else if (row->values != NULL) {
            csv_value(&row->values[f], to);
        }
    }
    fputc('\n', to);
}

void report_csv(const struct report *report, FILE *to)
{
    csv_header(report, to);
    for (uint32_t i = 0u; i < report->grid->n;
         i += experiment_seeds(report->grid->experiment)) {
        csv_row(report, i, to);
    }
}

/* ---- Lists --------------------------------------------------------------------------- */

/* "m2090, hotspot small, gto, warps 8" */
static void print_run(const struct report *report, uint32_t i, FILE *to)
{
    struct experiment_point point;
    char title[TREE_TEXT * 4];

    experiment_grid_names(report->grid, i, &point);
    experiment_point_title(report->grid->experiment, point.at, title, sizeof title);
    fprintf(to, "%s, %s%s%s, %s", point.gpu_label, point.workload_label,
            point.size == NULL ? "" : " ", point.size == NULL ? "" : point.size, title);
}

void report_list(const struct report *report, FILE *to)
{
    for (uint32_t i = 0u; i < report->grid->n; i++) {
        if (!experiment_grid_has(report->grid, i)) {
            continue;
        }
        fprintf(to, "%6u  %-8s ", i + 1u, experiment_status_name(report->rows[i].status));
        print_run(report, i, to);
        if (report->grid->same[i] != i) {
            fprintf(to, " (the same as %u)", report->grid->same[i] + 1u);
        }
        fputc('\n', to);
    }
}

void report_failures(const struct report *report, uint32_t most, FILE *to)
{
    enum { LINE = 160 }; /* of an error; CSV and database have all of it */
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < report->grid->n; i++) {
        const enum experiment_status status = report->rows[i].status;
        if ((status != RUN_FAILED && status != RUN_ABORTED) || n++ >= most) {
            continue;
        }
        fprintf(to, "  %u: ", i + 1u);
        print_run(report, i, to);
        const char *const error = report->rows[i].error == NULL ? "" : report->rows[i].error;
        fprintf(to, ": %.*s%s\n", LINE, error, strlen(error) > LINE ? " ..." : "");
    }
    if (n > most) {
        fprintf(to, "  and %u more\n", n - most);
    }
}
