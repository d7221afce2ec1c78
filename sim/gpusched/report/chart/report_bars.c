/* report_bars - a bar for each variant of each workload; see report_sections.h. */

#include <math.h>
#include <stdlib.h>

#include "gpusched/experiment/experiment_mean.h"
#include "gpusched/report/chart/report_chart.h"
#include "gpusched/report/data/report_bands.h"
#include "gpusched/report/html/report_sections.h"
#include "tool/memory_watch.h"

enum { BAR = 13, GAP = 3, EDGE = 7, COLOURS = 8 /* with more bars, names are beside them */ };

struct bars {
    const struct report_block *block;
    const double *values; /* rows x columns; NAN where there is none */
    const double *means;
    bool mean;                 /* there is one */
    const struct bands *bands; /* of speedups of ensembles; otherwise NULL */
    struct chart_scale scale;
    double base; /* where bars begin */
    bool speedup;
    bool named;
};

static bool drawn(const struct bars *bars, uint32_t column)
{
    return (int32_t)column != bars->block->baseline;
}

/* Of a row, or after the last of the means. */
static void draw_bar(FILE *to, const struct bars *bars, uint32_t row, uint32_t column,
                     unsigned y)
{
    const uint32_t columns = bars->block->columns;
    const bool mean = row == bars->block->rows;
    const double value = mean ? bars->means[column] : bars->values[row * columns + column];
    const char *const noise =
        bars->bands != NULL && bands_is_noise(bars->bands, row, column) ? "~" : "";
    const double base = chart_at(&bars->scale, bars->base);
    const double end = chart_at(&bars->scale, value);
    const struct text shown = bars->speedup ? html_times(value) : html_figure(value);

    if (isfinite(value)) {
        const struct text colour = chart_colour(bars->block->baseline, column);
        fprintf(to,
                "<rect class=\"%s\" x=\"%.2f%%\" y=\"%u\" width=\"%.2f%%\" height=\"%d\">"
                "<title>",
                bars->named ? "v0" : colour.text, fmin(base, end), y, fabs(end - base), BAR);
        html_text(to, report_block_column(bars->block, column).text);
        fprintf(to, ": %s%s</title></rect>", noise, shown.text);
    }
    fprintf(to,
            "<text class=\"value\" x=\"100%%\" dx=\"4.8em\" y=\"%u\" text-anchor=\"end\">%s%s"
            "</text>",
            y + BAR - 3u, noise, shown.text);
}

/* All bars of a workload in one plot. */
static void draw_together(FILE *to, const struct bars *bars, const char *label, uint32_t row)
{
    const unsigned n = bars->block->columns - (bars->block->baseline >= 0);
    unsigned y = EDGE;

    chart_plot_begin(to, n * BAR + (n - 1u) * GAP + 2u * EDGE, label);
    chart_grid(to, &bars->scale, bars->base);
    for (uint32_t column = 0u; column < bars->block->columns; column++) {
        if (drawn(bars, column)) {
            draw_bar(to, bars, row, column, y);
            y += BAR + GAP;
        }
    }
    chart_plot_end(to);
}

static void draw_each(FILE *to, const struct bars *bars, uint32_t row)
{
    fputs("<div class=\"bars\">\n", to);
    for (uint32_t column = 0u; column < bars->block->columns; column++) {
        if (drawn(bars, column)) {
            const struct block_text name = report_block_column(bars->block, column);
            fputs("<div class=\"bar\">", to);
            html_element(to, "span", "name", name.text);
            chart_plot_begin(to, BAR + 2u * GAP, name.text);
            chart_grid(to, &bars->scale, bars->base);
            draw_bar(to, bars, row, column, GAP);
            chart_plot_end(to);
            fputs("</div>\n", to);
        }
    }
    fputs("</div>", to);
}

static void draw_row(FILE *to, const struct bars *bars, const char *label, uint32_t row)
{
    const char *const css = row == bars->block->rows ? " mean" : "";

    fprintf(to, "<div class=\"row%s%s\">", bars->named ? " group" : "", css);
    html_element(to, "div", "label", label);
    if (bars->named) {
        draw_each(to, bars, row);
    } else {
        draw_together(to, bars, label, row);
    }
    fputs("</div>\n", to);
}

/* Bars of speedups go from 1 to both sides; what changes by less than 5 % looks small. */
static struct chart_scale scale_of(const struct bars *bars)
{
    const uint32_t n = bars->block->rows * bars->block->columns;
    double low = bars->speedup ? 1.0 : 0.0;
    double high = bars->speedup ? 1.05 : 0.0;

    for (uint32_t i = 0u; i < n; i++) {
        low = fmin(low, bars->values[i]); /* not of NAN */
        high = fmax(high, bars->values[i]);
    }
    return chart_scale_of(low, high, 5u);
}

static void draw_legend(FILE *to, const struct bars *bars)
{
    chart_legend_begin(to);
    for (uint32_t column = 0u; column < bars->block->columns; column++) {
        if (drawn(bars, column)) {
            chart_legend_item(to, chart_colour(bars->block->baseline, column).text,
                              report_block_column(bars->block, column).text, NULL);
        }
    }
    chart_legend_end(to);
}

static void draw(FILE *to, struct bars *bars)
{
    const struct report_block *const block = bars->block;
    char label[BLOCK_LABEL];
    char note[BLOCK_LABEL];

    bars->scale = scale_of(bars);
    const bool clocks = report_block_clocks_differ(block);
    snprintf(note, sizeof note,
             "%s of %.300s / %s of the variant: to the right of 1 is faster.",
             clocks ? "Time" : "Cycles",
             bars->speedup ? report_block_column(block, (uint32_t)block->baseline).text : "",
             clocks ? "time" : "cycles");
    chart_begin(to, bars->speedup ? "Speedup" : "Warp instructions a cycle",
                bars->speedup ? note : "Per core cycle, of all SMs together.");
    if (!bars->named) {
        draw_legend(to, bars);
    }
    fprintf(to, "<div class=\"rows%s\">\n", bars->named ? " named" : "");
    for (uint32_t row = 0u; row < block->rows; row++) {
        report_block_row(block, row, label);
        draw_row(to, bars, label, row);
    }
    if (bars->mean) {
        draw_row(to, bars, "geometric mean", block->rows);
    }
    chart_axis_row(to, &bars->scale, 1.0, bars->speedup ? HTML_TIMES : "", bars->named);
    fputs("</div>\n", to);
    chart_end(to);
}

void section_bars(FILE *to, const struct report_block *block)
{
    const uint32_t n = block->rows * block->columns;
    double *const values = memory_take(n, sizeof *values);
    double *const means = memory_take(block->columns, sizeof *means);
    const bool speedup = block->baseline >= 0;

    if (block->sweep == NO_DIMENSION && block->columns > 1u && values != NULL && means != NULL
        && report_block_has(block, VALUE_CYCLES)) {
        for (uint32_t i = 0u; i < n; i++) {
            values[i] = speedup ? report_block_ratio(block, VALUE_CYCLES, i / block->columns,
                                                     i % block->columns)
                                : report_block_value(block, VALUE_IPC, i / block->columns,
                                                     i % block->columns);
        }
        const bool counted = geometric_means(values, block->rows, block->columns, means) > 0u;
        struct bands bands;
        const bool banded = report_bands_open(&bands, block, false);
        struct bars bars = {
            .block = block,
            .values = values,
            .means = means,
            .mean = speedup && counted && block->rows > 1u,
            .bands = speedup && banded ? &bands : NULL,
            .base = speedup ? 1.0 : 0.0,
            .speedup = speedup,
            .named = block->columns - speedup > COLOURS,
        };
        draw(to, &bars);
        bands_free(&bands);
    }
    free(values);
    free(means);
}
