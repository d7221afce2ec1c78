/* report_tables - tables of an experiment; see report_sections.h. */

#include <math.h>
#include <stdlib.h>

#include "gpusched/experiment/experiment_mean.h"
#include "gpusched/report/html/report_html.h"
#include "gpusched/report/html/report_sections.h"
#include "gpusched/report/html/report_table.h"
#include "tool/memory_watch.h"

/* ---- Pieces -------------------------------------------------------------------------- */

static void mean_heading(FILE *to, uint32_t counted, uint32_t rows)
{
    char label[BLOCK_LABEL] = "geometric mean";

    if (counted < rows) {
        snprintf(label, sizeof label, "geometric mean of %u of %u", counted, rows);
    }
    table_row_heading(to, label);
}

/* ---- Cycles -------------------------------------------------------------------------- */

/* A row's highest speedup as it is shown, where there is a choice; INFINITY without one. */
static double best_of(const struct report_block *block, const double *row)
{
    double best = 1.0005;

    for (uint32_t column = 0u; column < block->columns; column++) {
        best = fmax(best, row[column]); /* not NAN */
    }
    return block->columns > 2u && best > 1.0005 ? best - 0.00005 : (double)INFINITY;
}

static void headline_cell(FILE *to, const struct report_block *block, uint32_t row,
                          uint32_t column, double ratio, bool best)
{
    const struct report_run *const run = report_block_run(block, row, column);

    if (run->status != RUN_DONE) {
        html_element(to, "td", experiment_status_name(run->status),
                     experiment_status_name(run->status));
        return;
    }
    const struct text cycles = html_count(run->values.value[VALUE_CYCLES]);
    if (block->baseline < 0) {
        fprintf(to, "<td>%s<small>%s</small></td>", cycles.text,
                html_figure(run->values.value[VALUE_IPC]).text);
    } else if ((int32_t)column == block->baseline) {
        fprintf(to, "<td class=\"basis\">1<small>%s</small></td>", cycles.text);
    } else {
        fprintf(to, "<td%s>%s<small>%s</small></td>", best ? " class=\"best\"" : "",
                html_ratio(ratio).text, cycles.text);
    }
}

static void headline_means(FILE *to, const struct report_block *block, const double *ratios,
                           double *means)
{
    const uint32_t counted = geometric_means(ratios, block->rows, block->columns, means);
    const double best = best_of(block, means);

    if (block->baseline < 0 || block->rows < 2u || counted == 0u) {
        return;
    }
    fputs("<tr class=\"mean\">", to);
    mean_heading(to, counted, block->rows);
    for (uint32_t column = 0u; column < block->columns; column++) {
        fprintf(to, "<td%s>%s</td>", means[column] >= best ? " class=\"best\"" : "",
                (int32_t)column == block->baseline ? "1" : html_ratio(means[column]).text);
    }
    fputs("</tr>\n", to);
}

static void headline_note(const struct report_block *block, char note[BLOCK_LABEL])
{
    size_t at =
        (size_t)snprintf(note, BLOCK_LABEL, "Core cycles and warp instructions a cycle.");

    if (block->baseline >= 0) {
        at = (size_t)snprintf(note, BLOCK_LABEL, "Speedup over %.200s, and core cycles.",
                              report_block_column(block, (uint32_t)block->baseline).text);
    }
    if (report_block_clocks_differ(block)) {
        at += (size_t)snprintf(note + at, BLOCK_LABEL - at, " Core clocks differ: %s.",
                               block->baseline >= 0
                                   ? "speedup is of the time, which is cycles / clock"
                                   : "the time of each run is at the end of the page");
    }
    if (report_block_shown_steps(block) < block->steps) {
        snprintf(note + at, BLOCK_LABEL - at, " %u of %u values of %.100s are shown%s.",
                 report_block_shown_steps(block), block->steps,
                 block->data->axes[block->sweep - DIMENSION_AXIS],
                 block->baseline >= 0 ? "; the geometric mean is of all" : "");
    }
}

static void headline(FILE *to, const struct report_block *block, const double *ratios,
                     double *means)
{
    char label[BLOCK_LABEL];
    char note[BLOCK_LABEL];
    const bool sweep = block->sweep != NO_DIMENSION;

    headline_note(block, note);
    table_begin(to, "Cycles", note, sweep ? "matrix dense" : "matrix");
    fputs("<th></th>", to);
    for (uint32_t column = 0u; column < block->columns; column++) {
        table_heading(to, (int32_t)column == block->baseline ? "basis" : "",
                      report_block_column(block, column).text);
    }
    table_body(to);
    for (uint32_t row = 0u; row < block->rows; row++) {
        if (!report_block_shown(block, row)) {
            continue;
        }
        const double *const values = ratios + (size_t)row * block->columns;
        const double best = best_of(block, values);
        report_block_row(block, row, label);
        fputs("<tr>", to);
        table_row_heading(to, label);
        for (uint32_t column = 0u; column < block->columns; column++) {
            headline_cell(to, block, row, column, values[column], values[column] >= best);
        }
        fputs("</tr>\n", to);
    }
    headline_means(to, block, ratios, means);
    table_end(to);
}

void section_headline(FILE *to, const struct report_block *block)
{
    double *const ratios = report_block_ratios(block, VALUE_CYCLES);
    double *const means = memory_take(block->columns, sizeof *means);

    if (ratios != NULL && means != NULL) {
        headline(to, block, ratios, means);
    }
    free(ratios);
    free(means);
}

/* ---- Traffic and energy -------------------------------------------------------------- */

static const struct {
    const char *name;
    enum report_value value;
} relative_values[] = {
    { "NoC packets", VALUE_PACKETS },
    { "energy", VALUE_ENERGY },
    { "EDP", VALUE_EDP },
};
enum { RELATIVE = sizeof relative_values / sizeof relative_values[0] };

static void relative_head(FILE *to, const struct report_block *block)
{
    fputs("<th rowspan=\"2\"></th>", to);
    for (uint32_t v = 0u; v < RELATIVE; v++) {
        fprintf(to, "<th scope=\"colgroup\" class=\"first\" colspan=\"%u\">%s</th>",
                block->columns - 1u, relative_values[v].name);
    }
    fputs("</tr>\n<tr>", to);
    for (uint32_t i = 0u; i < RELATIVE * block->columns; i++) {
        const uint32_t column = i % block->columns;
        if ((int32_t)column != block->baseline) {
            table_heading(to, column == (block->baseline == 0 ? 1u : 0u) ? "first" : "",
                          report_block_column(block, column).text);
        }
    }
    table_body(to);
}

static void relative_cells(FILE *to, const struct report_block *block, const double *values)
{
    for (uint32_t column = 0u; column < block->columns; column++) {
        if ((int32_t)column != block->baseline) {
            fprintf(to, "<td%s>%s</td>",
                    column == (block->baseline == 0 ? 1u : 0u) ? " class=\"first\"" : "",
                    html_ratio(values[column]).text);
        }
    }
}

static void relative_rows(FILE *to, const struct report_block *block, double *const *ratios)
{
    char label[BLOCK_LABEL];

    for (uint32_t row = 0u; row < block->rows; row++) {
        if (report_block_shown(block, row)) {
            report_block_row(block, row, label);
            fputs("<tr>", to);
            table_row_heading(to, label);
            for (uint32_t v = 0u; v < RELATIVE; v++) {
                relative_cells(to, block, ratios[v] + (size_t)row * block->columns);
            }
            fputs("</tr>\n", to);
        }
    }
}

static void relative_means(FILE *to, const struct report_block *block, double *const *ratios)
{
    double *const means = memory_take((size_t)block->columns * RELATIVE, sizeof *means);
    uint32_t counted = 0u;

    for (uint32_t v = 0u; v < RELATIVE && means != NULL; v++) {
        counted = geometric_means(ratios[v], block->rows, block->columns,
                                  means + (size_t)v * block->columns);
    }
    if (counted > 0u && block->rows > 1u) {
        fputs("<tr class=\"mean\">", to);
        mean_heading(to, counted, block->rows);
        for (uint32_t v = 0u; v < RELATIVE; v++) {
            relative_cells(to, block, means + (size_t)v * block->columns);
        }
        fputs("</tr>\n", to);
    }
    free(means);
}

void section_relative(FILE *to, const struct report_block *block)
{
    double *ratios[RELATIVE];
    bool good = true;
    char note[BLOCK_LABEL];

    if (block->baseline < 0 || !report_block_has(block, VALUE_ENERGY)) {
        return;
    }
    for (uint32_t v = 0u; v < RELATIVE; v++) {
        ratios[v] = report_block_ratios(block, relative_values[v].value);
        good = good && ratios[v] != NULL;
    }
    if (good) {
        snprintf(note, sizeof note,
                 "Relative to %.200s: below 1 is less. EDP is energy times time.",
                 report_block_column(block, (uint32_t)block->baseline).text);
        table_begin(to, "Traffic and energy", note, "ratios");
        relative_head(to, block);
        relative_rows(to, block, ratios);
        relative_means(to, block, ratios);
        table_end(to);
    }
    for (uint32_t v = 0u; v < RELATIVE; v++) {
        free(ratios[v]);
    }
}

/* ---- Runs ---------------------------------------------------------------------------- */

static void run_names(FILE *to, const struct report_data *data, const struct report_run *run)
{
    fprintf(to, "<td>%u</td>", run->id);
    html_element(to, "td", "word", run->gpu);
    html_element(to, "td", "word", run->workload);
    if (data->length[DIMENSION_VARIANT] > 1u) {
        html_element(to, "td", "word", run->variant);
    }
    for (uint32_t a = 0u; a < data->n_axis; a++) {
        html_element(to, "td", NULL, run->axes[a]);
    }
}

static void run_heads(FILE *to, const struct report_data *data)
{
    table_heading(to, "", "run");
    table_heading(to, "word", "GPU");
    table_heading(to, "word", "workload");
    if (data->length[DIMENSION_VARIANT] > 1u) {
        table_heading(to, "word", "variant");
    }
    for (uint32_t a = 0u; a < data->n_axis; a++) {
        table_heading(to, "", data->axes[a]);
    }
}

static void run_row(FILE *to, const struct report_data *data, const struct report_run *run)
{
    const double *const value = run->values.value;

    fputs("<tr>", to);
    run_names(to, data, run);
    if (run->status != RUN_DONE) {
        fprintf(to, "<td class=\"%s\" colspan=\"7\">%s</td></tr>\n",
                experiment_status_name(run->status), experiment_status_name(run->status));
        return;
    }
    fprintf(to, "<td>%s</td><td>%s</td><td>%s</td><td>%s</td>",
            html_count(value[VALUE_CYCLES]).text, html_figure(value[VALUE_IPC]).text,
            html_share(value[VALUE_NO_CTA_SHARE]).text, html_count(value[VALUE_PACKETS]).text);
    fprintf(to, "<td>%s</td><td>%s</td><td>%s</td></tr>\n",
            html_unit(value[VALUE_ENERGY], "J").text, html_unit(value[VALUE_EDP], "Js").text,
            html_unit(value[VALUE_SECONDS], "s").text);
}

void section_runs(FILE *to, const struct report_data *data)
{
    static const char *const heads[] = { "cycles", "IPC", "idle SMs", "NoC packets",
                                         "energy", "EDP", "GPU time" };

    table_begin(
        to, "Every run",
        "Idle SMs: share of SM cycles without a CTA. GPU time: core cycles at the core clock.",
        "runs");
    run_heads(to, data);
    for (size_t i = 0u; i < sizeof heads / sizeof heads[0]; i++) {
        table_heading(to, "", heads[i]);
    }
    table_body(to);
    for (uint32_t i = 0u; i < data->n; i++) {
        run_row(to, data, &data->runs[i]);
    }
    table_end(to);
}

static bool has_reason(const struct report_run *run)
{
    return run->status == RUN_FAILED || run->status == RUN_ABORTED;
}

void section_failures(FILE *to, const struct report_data *data)
{
    uint32_t failed = 0u;

    for (uint32_t i = 0u; i < data->n; i++) {
        failed += has_reason(&data->runs[i]);
    }
    if (failed == 0u) {
        return;
    }
    table_begin(to, "Runs that failed or were aborted", NULL, "runs");
    run_heads(to, data);
    table_heading(to, "word", "error");
    table_body(to);
    for (uint32_t i = 0u; i < data->n; i++) {
        if (has_reason(&data->runs[i])) {
            fputs("<tr>", to);
            run_names(to, data, &data->runs[i]);
            html_element(to, "td", "error",
                         data->runs[i].error == NULL ? "" : data->runs[i].error);
            fputs("</tr>\n", to);
        }
    }
    table_end(to);
}
