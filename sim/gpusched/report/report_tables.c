/* report_tables - tables of an experiment; see report_sections.h. */

#include <math.h>
#include <stdlib.h>

#include "gpusched/experiment/experiment_mean.h"
#include "gpusched/report/data/report_bands.h"
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

struct headline {
    const struct report_block *block;
    const double *ratios;
    const double *means;
    uint32_t counted;          /* rows of the means */
    const struct bands *bands; /* NULL without seeds */
};

/* "~" where a value may be noise. */
static const char *mark(const struct headline *headline, uint32_t row, uint32_t column)
{
    return headline->bands != NULL && bands_is_noise(headline->bands, row, column) ? "~" : "";
}

/* Below a value of an ensemble: "[1.021, 1.049]". */
static void write_band(FILE *to, const struct headline *headline, uint32_t row, uint32_t column)
{
    if (headline->bands != NULL) {
        const struct band *const band = bands_at(headline->bands, row, column);
        const bool ratio = headline->block->baseline >= 0;
        fprintf(to, "<small>[%s, ",
                ratio ? html_ratio(band->low).text : html_count(band->low).text);
        fprintf(to, "%s]</small>",
                ratio ? html_ratio(band->high).text : html_count(band->high).text);
    }
}

static void headline_cell(FILE *to, const struct headline *headline, uint32_t row,
                          uint32_t column)
{
    const struct report_block *const block = headline->block;
    const struct report_run *const run = report_block_run(block, row, column);
    const double *const ratios = headline->ratios + (size_t)row * block->columns;
    const struct text cycles = html_count(run->values.value[VALUE_CYCLES]);
    const char *const noise = mark(headline, row, column);

    if (run->status != RUN_DONE) {
        html_element(to, "td", experiment_status_name(run->status),
                     experiment_status_name(run->status));
        return;
    }
    if (block->baseline < 0) {
        fprintf(to, "<td>%s", cycles.text);
    } else if ((int32_t)column == block->baseline) {
        fputs("<td class=\"basis\">1", to);
    } else {
        const bool best = ratios[column] >= best_of(block, ratios) && noise[0] == '\0';
        fprintf(to, "<td%s>%s%s", best ? " class=\"best\"" : "", noise,
                html_ratio(ratios[column]).text);
    }
    write_band(to, headline, row, column);
    fprintf(to, "<small>%s</small></td>",
            block->baseline < 0 ? html_figure(run->values.value[VALUE_IPC]).text : cycles.text);
}

static void headline_means(FILE *to, const struct headline *headline)
{
    const struct report_block *const block = headline->block;
    const double *const means = headline->means;
    const double best = best_of(block, means);

    if (block->baseline < 0 || block->rows < 2u || headline->counted == 0u) {
        return;
    }
    fputs("<tr class=\"mean\">", to);
    mean_heading(to, headline->counted, block->rows);
    for (uint32_t column = 0u; column < block->columns; column++) {
        const char *const noise = mark(headline, block->rows, column);
        fprintf(to, "<td%s>%s%s",
                means[column] >= best && noise[0] == '\0' ? " class=\"best\"" : "", noise,
                (int32_t)column == block->baseline ? "1" : html_ratio(means[column]).text);
        write_band(to, headline, block->rows, column);
        fputs("</td>", to);
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
    if (block->data->seeds > 0u) {
        at += (size_t)snprintf(note + at, BLOCK_LABEL - at,
                               " Medians of %u seeds, and their 95\xc2\xa0%% bands%s.",
                               block->data->seeds,
                               block->baseline >= 0 ? "; ~: may be noise" : "");
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

static void headline_row(FILE *to, const struct headline *headline, uint32_t row)
{
    char label[BLOCK_LABEL];

    report_block_row(headline->block, row, label);
    fputs("<tr>", to);
    table_row_heading(to, label);
    for (uint32_t column = 0u; column < headline->block->columns; column++) {
        headline_cell(to, headline, row, column);
    }
    fputs("</tr>\n", to);
}

static void write_headline(FILE *to, const struct headline *headline)
{
    const struct report_block *const block = headline->block;
    char note[BLOCK_LABEL];

    headline_note(block, note);
    table_begin(to, "Cycles", note, block->sweep != NO_DIMENSION ? "matrix dense" : "matrix");
    fputs("<th></th>", to);
    for (uint32_t column = 0u; column < block->columns; column++) {
        table_heading(to, (int32_t)column == block->baseline ? "basis" : "",
                      report_block_column(block, column).text);
    }
    table_body(to);
    for (uint32_t row = 0u; row < block->rows; row++) {
        if (report_block_shown(block, row)) {
            headline_row(to, headline, row);
        }
    }
    headline_means(to, headline);
    table_end(to);
}

void section_headline(FILE *to, const struct report_block *block)
{
    double *const ratios = report_block_ratios(block, VALUE_CYCLES);
    double *const means = memory_take(block->columns, sizeof *means);
    struct bands bands;
    const bool banded = report_bands_open(&bands, block, false);

    if (ratios != NULL && means != NULL) {
        write_headline(
            to, &(struct headline){
                    .block = block,
                    .ratios = ratios,
                    .means = means,
                    .counted = geometric_means(ratios, block->rows, block->columns, means),
                    .bands = banded ? &bands : NULL,
                });
    }
    bands_free(&bands);
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
