/*
 * experiment_table - a figure as a table: workloads down, variants across, for each GPU and
 * combination of axes one. An experiment of one variant has the values of its last axis across.
 *
 * With a baseline, cells are ratios: cycles of the baseline / cycles, a speedup; of other
 * figures the value / that of the baseline. The mean is over the rows in which all cells have
 * values, so that all columns are of the same workloads.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/experiment/experiment_mean.h"
#include "gpusched/experiment/experiment_report.h"
#include "tool/format.h"
#include "tool/memory_watch.h"

enum { CELL = FORMAT_TEXT, LABEL = 96 };

struct table {
    const struct report *report;
    uint32_t figure;
    uint32_t across; /* dimension */
    uint32_t columns;
    uint32_t rows;                      /* workloads, before the mean */
    uint32_t at[EXPERIMENT_DIMENSIONS]; /* where the table stands in other dimensions */
    bool ratio;
    char (*labels)[LABEL]; /* of rows, and the mean */
    char (*cells)[CELL];   /* rows + 1 of them */
    double *values;        /* NAN where there is none */
    double *means;         /* of the columns */
};

/* ---- Values -------------------------------------------------------------------------- */

static bool is_time(const struct table *table)
{
    return strcmp(table->report->figures->list[table->figure].path, "cycles.core") == 0
           || strcmp(table->report->figures->list[table->figure].path, "derived.seconds") == 0;
}

static uint32_t run_of(const struct table *table, uint32_t row, uint32_t column)
{
    uint32_t at[EXPERIMENT_DIMENSIONS];

    memcpy(at, table->at, sizeof at);
    at[DIMENSION_WORKLOAD] = row;
    at[table->across] = column;
    return experiment_grid_index(table->report->grid, at);
}

static const json_t *json_of(const struct table *table, uint32_t row, uint32_t column)
{
    return json_array_get(table->report->rows[run_of(table, row, column)].values,
                          table->figure);
}

static double plain_value(const struct table *table, uint32_t row, uint32_t column)
{
    const json_t *const value = json_of(table, row, column);

    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static double value_of(const struct table *table, uint32_t row, uint32_t column)
{
    const double value = plain_value(table, row, column);

    if (!table->ratio) {
        return value;
    }
    const double base =
        plain_value(table, row, (uint32_t)table->report->grid->experiment->baseline);
    const double ratio = is_time(table) ? base / value : value / base;
    return isfinite(ratio) ? ratio : (double)NAN;
}

/* ---- Cells --------------------------------------------------------------------------- */

static void print_number(const struct table *table, double value, bool whole, char *cell)
{
    if (table->ratio) {
        snprintf(cell, CELL, "%.3f", value);
    } else if (whole && value >= 0.0 && value < 1e15) {
        snprintf(cell, CELL, "%s", format_count((uint64_t)value).text);
    } else {
        snprintf(cell, CELL, "%.4g", value);
    }
}

static void fill_cell(struct table *table, uint32_t row, uint32_t column)
{
    const json_t *const value = json_of(table, row, column);
    char *const cell = table->cells[row * table->columns + column];
    const double number = value_of(table, row, column);

    table->values[row * table->columns + column] = number;
    if (!isnan(number)) {
        print_number(table, number, json_is_integer(value), cell);
    } else if (json_is_string(value)) {
        snprintf(cell, CELL, "%s", json_string_value(value));
    } else {
        const enum experiment_status status =
            table->report->rows[run_of(table, row, column)].status;
        snprintf(cell, CELL, "%s", status == RUN_DONE ? "-" : experiment_status_name(status));
    }
}

static void fill_means(struct table *table)
{
    const uint32_t counted =
        geometric_means(table->values, table->rows, table->columns, table->means);

    for (uint32_t column = 0u; column < table->columns; column++) {
        char *const cell = table->cells[table->rows * table->columns + column];
        snprintf(cell, CELL, "-");
        if (counted > 0u) {
            print_number(table, table->means[column], false, cell);
        }
    }
    snprintf(table->labels[table->rows], LABEL, "geometric mean");
    if (counted < table->rows) {
        snprintf(table->labels[table->rows], LABEL, "geometric mean of %u of %u", counted,
                 table->rows);
    }
}

static void fill_labels(struct table *table)
{
    for (uint32_t row = 0u; row < table->rows; row++) {
        struct experiment_point point;
        experiment_grid_point(table->report->grid, run_of(table, row, 0u), &point);
        snprintf(table->labels[row], LABEL, "%.70s%s%s", point.workload_label,
                 point.size == NULL ? "" : " ", point.size == NULL ? "" : point.size);
    }
}

/* ---- Printing ------------------------------------------------------------------------ */

static const char *column_name(const struct table *table, uint32_t column)
{
    const struct experiment *const experiment = table->report->grid->experiment;

    return table->across == DIMENSION_VARIANT
               ? experiment->variants[column].name.text
               : experiment->axes[table->across - DIMENSION_AXIS].values.list[column].text;
}

static int longer(int width, const char *text)
{
    const int length = (int)strlen(text);

    return length > width ? length : width;
}

/* Which GPU, axes, and variant if the columns are not variants. */
static void print_heading(const struct table *table, FILE *to)
{
    const struct experiment *const experiment = table->report->grid->experiment;
    struct experiment_point point;

    experiment_grid_point(table->report->grid, run_of(table, 0u, 0u), &point);
    fprintf(to, "\n%s", point.gpu_label);
    for (uint32_t a = 0u; a < experiment->n_axis; a++) {
        if (table->across != DIMENSION_AXIS + a) {
            fprintf(to, ", %s %s", experiment->axes[a].name.text,
                    experiment_axis_value(experiment, a, point.at));
        }
    }
    if (table->across != DIMENSION_VARIANT) {
        fprintf(to, "; across: %s", experiment->axes[table->across - DIMENSION_AXIS].name.text);
    }
    fputc('\n', to);
}

static void print_cells(const struct table *table, FILE *to)
{
    int width = 0;

    for (uint32_t row = 0u; row <= table->rows; row++) {
        width = longer(width, table->labels[row]);
    }
    fprintf(to, "  %-*s", width, "");
    for (uint32_t row = 0u; row <= table->rows + 1u; row++) {
        if (row > 0u) {
            fprintf(to, "  %-*s", width, table->labels[row - 1u]);
        }
        for (uint32_t column = 0u; column < table->columns; column++) {
            int room = longer(0, column_name(table, column));
            for (uint32_t other = 0u; other <= table->rows; other++) {
                room = longer(room, table->cells[other * table->columns + column]);
            }
            fprintf(to, "  %*s", room,
                    row == 0u ? column_name(table, column)
                              : table->cells[(row - 1u) * table->columns + column]);
        }
        fputc('\n', to);
    }
}

static void print_one(struct table *table, FILE *to)
{
    fill_labels(table);
    for (uint32_t row = 0u; row < table->rows; row++) {
        for (uint32_t column = 0u; column < table->columns; column++) {
            fill_cell(table, row, column);
        }
    }
    fill_means(table);
    print_heading(table, to);
    print_cells(table, to);
}

static void print_title(const struct table *table, FILE *to)
{
    const struct experiment *const experiment = table->report->grid->experiment;
    const char *const name = table->report->figures->list[table->figure].name;

    fprintf(to, "%s%s", experiment->title, experiment->title[0] == '\0' ? "" : ": ");
    if (!table->ratio) {
        fprintf(to, "%s\n", name);
    } else {
        const char *const base = experiment->variants[experiment->baseline].name.text;
        fprintf(to, is_time(table) ? "speedup: %s of %s / %s\n" : "%s / that of %s\n", name,
                base, name);
    }
}

void report_table(const struct report *report, uint32_t figure, FILE *to)
{
    struct experiment_grid *const grid = report->grid;
    const bool sweep =
        grid->length[DIMENSION_VARIANT] == 1u && grid->dimensions > DIMENSION_AXIS;
    struct table table = {
        .report = report,
        .figure = figure,
        .across = sweep ? grid->dimensions - 1u : (uint32_t)DIMENSION_VARIANT,
        .rows = grid->length[DIMENSION_WORKLOAD],
        .ratio = grid->experiment->baseline >= 0 && !sweep,
    };
    table.columns = grid->length[table.across];
    table.labels = memory_take(table.rows + 1u, sizeof *table.labels);
    table.cells = memory_take(((size_t)table.rows + 1u) * table.columns, sizeof *table.cells);
    table.values = memory_take((size_t)table.rows * table.columns, sizeof *table.values);
    table.means = memory_take(table.columns, sizeof *table.means);
    print_title(&table, to);
    const bool room = table.labels != NULL && table.cells != NULL && table.values != NULL
                      && table.means != NULL;
    for (uint32_t i = 0u; i < grid->n && room; i++) {
        experiment_grid_place(grid, i, table.at);
        if (table.at[DIMENSION_WORKLOAD] == 0u && table.at[table.across] == 0u) {
            print_one(&table, to);
        }
    }
    free(table.labels);
    free(table.cells);
    free(table.values);
    free(table.means);
}
