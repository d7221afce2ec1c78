/* report_text - an experiment's main figures as a table; see report_text.h. */

#include "gpusched/report/report_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/experiment/experiment_mean.h"
#include "gpusched/report/data/report_answer.h"
#include "gpusched/report/data/report_compared.h"
#include "tool/format.h"
#include "tool/memory_watch.h"

/* ---- Columns relative to the baseline ------------------------------------------------ */

static const struct {
    const char *title;
    enum report_value value;
} ratio_columns[] = {
    { "speedup", VALUE_CYCLES },
    { "NoC packets", VALUE_PACKETS },
    { "energy", VALUE_ENERGY },
    { "EDP", VALUE_EDP },
};
enum { RATIO_COLUMNS = sizeof ratio_columns / sizeof ratio_columns[0], WIDTH = 13 };

struct table {
    FILE *to;
    const struct report_block *block;
    int label;                     /* width */
    double *ratios[RATIO_COLUMNS]; /* row by row; NULL where there is no baseline */
    bool compares;                 /* some run had RTL beside it */
};

static void longer(int *width, const char *text, int indent)
{
    const int n = indent + (int)strlen(text);

    *width = n > *width ? n : *width;
}

static void open_table(struct table *table, FILE *to, const struct report_block *block)
{
    char label[BLOCK_LABEL];

    *table = (struct table){ .to = to, .block = block };
    longer(&table->label, "geometric mean", 0);
    for (uint32_t row = 0u; row < block->rows; row++) {
        report_block_row(block, row, label);
        longer(&table->label, label, 0);
        for (uint32_t column = 0u; column < block->columns; column++) {
            const json_t *const lockstep = report_block_run(block, row, column)->lockstep;
            table->compares = table->compares || json_array_size(lockstep) != 0u;
        }
    }
    for (uint32_t column = 0u; column < block->columns; column++) {
        longer(&table->label, report_block_column(block, column).text, 2);
    }
    for (uint32_t k = 0u; k < RATIO_COLUMNS && block->baseline >= 0; k++) {
        table->ratios[k] = report_block_ratios(block, ratio_columns[k].value);
    }
}

static void close_table(struct table *table)
{
    for (uint32_t k = 0u; k < RATIO_COLUMNS; k++) {
        free(table->ratios[k]);
    }
}

/* ---- Lines --------------------------------------------------------------------------- */

static void print_heading(const struct table *table)
{
    const struct report_block *const block = table->block;
    char place[BLOCK_LABEL];

    report_block_place(block, place);
    fprintf(table->to, "\n%s%s%s\n", report_block_run(block, 0u, 0u)->gpu,
            place[0] != '\0' ? ", " : "", place);
    fprintf(table->to, "%-*s %*s", table->label, "", WIDTH, "cycles");
    for (uint32_t k = 0u; k < RATIO_COLUMNS; k++) {
        if (table->ratios[k] != NULL) {
            fprintf(table->to, " %*s", WIDTH, ratio_columns[k].title);
        }
    }
    fprintf(table->to, "%s%s\n", table->compares ? "   RTL compared  differences" : "",
            block->baseline >= 0 && report_block_clocks_differ(block)
                ? "   (speedup: of the time)"
                : "");
}

static void print_ratio(const struct table *table, double ratio)
{
    if (isnan(ratio)) {
        fprintf(table->to, " %*s", WIDTH, "-");
    } else {
        fprintf(table->to, " %*.3f", WIDTH, ratio);
    }
}

static void print_lockstep(const struct table *table, const struct report_run *run)
{
    const struct report_compared sum = report_compared_of(run);

    if (json_array_size(run->lockstep) == 0u) {
        fprintf(table->to, " %14s %12s", "-", "-");
    } else {
        fprintf(table->to, " %14s %12" PRIu64, format_count(sum.cycles).text, sum.differences);
    }
}

static void print_run(const struct table *table, uint32_t row, uint32_t column)
{
    const struct report_block *const block = table->block;
    const struct report_run *const run = report_block_run(block, row, column);
    const double cycles = run->values.value[VALUE_CYCLES];

    fprintf(table->to, "  %-*s %*s", table->label - 2, report_block_column(block, column).text,
            WIDTH,
            isnan(cycles) ? experiment_status_name(run->status)
                          : format_count((uint64_t)cycles).text);
    for (uint32_t k = 0u; k < RATIO_COLUMNS; k++) {
        if (table->ratios[k] != NULL) {
            print_ratio(table, table->ratios[k][(size_t)row * block->columns + column]);
        }
    }
    if (table->compares) {
        print_lockstep(table, run);
    }
    fputc('\n', table->to);
}

/* Of the variants that are compared with the baseline. */
static void print_means(const struct table *table)
{
    const struct report_block *const block = table->block;

    if (block->baseline < 0 || block->rows < 2u) {
        return;
    }
    double *const means =
        memory_take((size_t)RATIO_COLUMNS * block->columns + 1u, sizeof *means);
    if (means == NULL) {
        return;
    }
    fprintf(table->to, "geometric mean\n");
    for (uint32_t k = 0u; k < RATIO_COLUMNS; k++) {
        (void)geometric_means(table->ratios[k], block->rows, block->columns,
                              means + (size_t)k * block->columns);
    }
    for (uint32_t column = 0u; column < block->columns; column++) {
        if ((int32_t)column == block->baseline) {
            continue;
        }
        fprintf(table->to, "  %-*s %*s", table->label - 2,
                report_block_column(block, column).text, WIDTH, "");
        for (uint32_t k = 0u; k < RATIO_COLUMNS; k++) {
            print_ratio(table, means[(size_t)k * block->columns + column]);
        }
        fputc('\n', table->to);
    }
    free(means);
}

static void print_block(FILE *to, const struct report_block *block)
{
    struct table table;
    char label[BLOCK_LABEL];

    open_table(&table, to, block);
    print_heading(&table);
    for (uint32_t row = 0u; row < block->rows; row++) {
        report_block_row(block, row, label);
        fprintf(to, "%s\n", label);
        for (uint32_t column = 0u; column < block->columns; column++) {
            print_run(&table, row, column);
        }
    }
    print_means(&table);
    close_table(&table);
}

static void print_compared(FILE *to, const struct report_data *data)
{
    const struct report_compared all = report_compared_all(data);

    if (all.cycles != 0u) {
        fprintf(to,
                "\nlockstep  RTL and golden models compared in %s clock cycles, differences: "
                "%" PRIu64 "\n",
                format_count(all.cycles).text, all.differences);
    }
}

void report_text(FILE *to, const struct report_data *data)
{
    struct report_block block = report_block_first(data);

    fprintf(to, "%s\n%s\n", data->title, report_answer(data).text);
    if (data->result != NULL) {
        return; /* of a single run that says it all */
    }
    if (data->seeds > 0u) {
        fprintf(
            to,
            "medians of %u seeds; the page and gpusched experiment --table have their bands\n",
            data->seeds);
    }
    do {
        print_block(to, &block);
    } while (report_block_next(&block));
    print_compared(to, data);
}
