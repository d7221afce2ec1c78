/*
 * experiment_table - a figure as a table: workloads down, variants across, for each GPU and
 * combination of axes one. An experiment of one variant has the values of its last axis across.
 *
 * With a baseline, cells are ratios: cycles of the baseline / cycles, a speedup; of other
 * figures the value / that of the baseline. Where core clocks of variants differ, cycles stand
 * for time: they are taken at the baseline's clock. The mean is over the rows in which all
 * cells have values, so that all columns are of the same workloads.
 *
 * A cell of an ensemble is the median of its runs, with their band (experiment_bands.h).
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/experiment/experiment_bands.h"
#include "gpusched/experiment/experiment_clock.h"
#include "gpusched/experiment/experiment_report.h"
#include "gpusched/experiment/grid/experiment_seeds.h"
#include "tool/format.h"
#include "tool/memory_watch.h"

enum { NUMBER = FORMAT_TEXT, CELL = 4 * NUMBER, LABEL = 96 };

struct table {
    const struct report *report;
    uint32_t figure;
    uint32_t across; /* dimension */
    uint32_t columns;
    uint32_t rows;                      /* workloads, before the mean */
    uint32_t seeds;                     /* runs of a cell */
    uint32_t at[EXPERIMENT_DIMENSIONS]; /* where the table stands in other dimensions */
    bool ratio;
    bool clocks;           /* the ratio is of cycles, and core clocks differ */
    double *scales;        /* of the columns: by which numbers are multiplied */
    char (*labels)[LABEL]; /* of rows, and the mean */
    char (*cells)[CELL];   /* rows + 1 of them */
    struct bands bands;
};

/* ---- Values -------------------------------------------------------------------------- */

static bool is_figure(const struct table *table, const char *path)
{
    return strcmp(table->report->figures->list[table->figure].path, path) == 0;
}

static bool is_time(const struct table *table)
{
    return is_figure(table, "cycles.core") || is_figure(table, "derived.seconds");
}

/* The first of the cell's runs, which follow each other. */
static uint32_t run_of(const struct table *table, uint32_t row, uint32_t column)
{
    uint32_t at[EXPERIMENT_DIMENSIONS];

    memcpy(at, table->at, sizeof at);
    at[DIMENSION_WORKLOAD] = row;
    at[table->across] = column;
    return experiment_grid_index(table->report->grid, at);
}

static double number_of(const struct table *table, uint32_t run, uint32_t column)
{
    return run_number(table->report, run, table->figure) * table->scales[column];
}

static void find_bands(struct table *table)
{
    double *value = table->bands.values;

    for (uint32_t row = 0u; row < table->rows; row++) {
        for (uint32_t column = 0u; column < table->columns; column++) {
            const uint32_t first = run_of(table, row, column);
            for (uint32_t i = 0u; i < table->seeds; i++) {
                *value++ = number_of(table, first + i, column);
            }
        }
    }
    bands_find(&table->bands);
}

/* ---- Cells --------------------------------------------------------------------------- */

static void print_number(const struct table *table, double value, bool whole, char *cell)
{
    if (table->ratio) {
        snprintf(cell, NUMBER, "%.3f", value);
    } else if (whole && value >= 0.0 && value < 1e15) {
        snprintf(cell, NUMBER, "%s", format_count((uint64_t)(value + 0.5)).text);
    } else {
        snprintf(cell, NUMBER, "%.4g", value);
    }
}

/* "1.037", or of an ensemble "1.037 [1.021, 1.049]"; what may be noise has a ~ before it. */
static void print_band(const struct table *table, const struct band *band, bool whole,
                       bool noise, char *cell)
{
    char median[NUMBER];
    char low[NUMBER];
    char high[NUMBER];

    print_number(table, band->median, whole, median);
    if (table->seeds == 1u) {
        snprintf(cell, CELL, "%s", median);
        return;
    }
    print_number(table, band->low, whole, low);
    print_number(table, band->high, whole, high);
    snprintf(cell, CELL, "%s%s [%s, %s]", noise ? "~" : "", median, low, high);
}

/* Why a cell has no number: the first of its runs that is not done. */
static const char *missing(const struct table *table, uint32_t first)
{
    for (uint32_t i = 0u; i < table->seeds; i++) {
        const enum experiment_status status = table->report->rows[first + i].status;
        if (status != RUN_DONE) {
            return experiment_status_name(status);
        }
    }
    return "-";
}

static void fill_cell(struct table *table, uint32_t row, uint32_t column)
{
    const uint32_t first = run_of(table, row, column);
    const struct run_value value = run_value(table->report, first, table->figure);
    char *const cell = table->cells[row * table->columns + column];
    const struct band *const band = bands_at(&table->bands, row, column);

    if (!isnan(band->median)) {
        print_band(table, band, value.kind == VALUE_IS_WHOLE,
                   bands_is_noise(&table->bands, row, column), cell);
    } else if (value.kind == VALUE_IS_TEXT) {
        snprintf(cell, CELL, "%s", value.text);
    } else {
        snprintf(cell, CELL, "%s", missing(table, first));
    }
}

static void fill_means(struct table *table)
{
    const uint32_t counted = table->bands.counted;

    for (uint32_t column = 0u; column < table->columns; column++) {
        char *const cell = table->cells[table->rows * table->columns + column];
        snprintf(cell, CELL, "-");
        if (counted > 0u) {
            print_band(table, bands_at(&table->bands, table->rows, column), false,
                       bands_is_noise(&table->bands, table->rows, column), cell);
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
        experiment_grid_names(table->report->grid, run_of(table, row, 0u), &point);
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

    experiment_grid_names(table->report->grid, run_of(table, 0u, 0u), &point);
    fprintf(to, "\n%s", point.gpu_label);
    for (uint32_t a = 0u; a < experiment_own_axes(experiment); a++) {
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
    for (uint32_t column = 0u; column < table->columns; column++) {
        table->scales[column] =
            table->clocks
                ? experiment_clock_scale(table->report->grid, run_of(table, 0u, column))
                : 1.0;
    }
    find_bands(table);
    for (uint32_t i = 0u; i < table->rows * table->columns; i++) {
        fill_cell(table, i / table->columns, i % table->columns);
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
        fputs(name, to);
    } else {
        const char *const base = experiment->variants[experiment->baseline].name.text;
        if (table->clocks) {
            fprintf(to, "speedup: time of %s / time; time: %s / clock.core", base, name);
        } else {
            fprintf(to, is_time(table) ? "speedup: %s of %s / %s" : "%s / that of %s", name,
                    base, name);
        }
    }
    if (table->seeds > 1u) {
        fprintf(to, "\nmedians of %u seeds, and their 95 %% bands%s", table->seeds,
                table->ratio ? "; ~: may be noise" : "");
    }
    fputc('\n', to);
}

static bool take_memory(struct table *table)
{
    const size_t cells = (size_t)table->rows * table->columns;

    table->labels = memory_take(table->rows + 1u, sizeof *table->labels);
    table->cells = memory_take(cells + table->columns, sizeof *table->cells);
    table->scales = memory_take(table->columns, sizeof *table->scales);
    return table->labels != NULL && table->cells != NULL && table->scales != NULL
           && bands_open(&table->bands);
}

void report_table(const struct report *report, uint32_t figure, FILE *to)
{
    struct experiment_grid *const grid = report->grid;
    const uint32_t axes = experiment_own_axes(grid->experiment);
    const bool sweep = grid->length[DIMENSION_VARIANT] == 1u && axes > 0u;
    struct table table = {
        .report = report,
        .figure = figure,
        .across = sweep ? DIMENSION_AXIS + axes - 1u : (uint32_t)DIMENSION_VARIANT,
        .rows = grid->length[DIMENSION_WORKLOAD],
        .seeds = experiment_seeds(grid->experiment),
        .ratio = grid->experiment->baseline >= 0 && !sweep,
    };
    table.columns = grid->length[table.across];
    table.clocks =
        table.ratio && is_figure(&table, "cycles.core") && experiment_clocks_differ(grid);
    table.bands = (struct bands){ .rows = table.rows,
                                  .columns = table.columns,
                                  .seeds = table.seeds,
                                  .baseline = table.ratio ? grid->experiment->baseline : -1,
                                  .inverse = is_time(&table) };
    const bool room = take_memory(&table);
    print_title(&table, to);
    for (uint32_t i = 0u; i < grid->n && room; i += table.seeds) {
        experiment_grid_place(grid, i, table.at);
        if (table.at[DIMENSION_WORKLOAD] == 0u && table.at[table.across] == 0u) {
            print_one(&table, to);
        }
    }
    free(table.labels);
    free(table.cells);
    free(table.scales);
    bands_free(&table.bands);
}
