/* report_lines - values over a numeric axis; see report_sections.h. */

#include <math.h>

#include "gpusched/report/chart/report_chart.h"
#include "gpusched/report/html/report_sections.h"

enum { HEIGHT = 150, FEW = 16 /* points that are marked */, PANELS = 8 };

struct lines {
    const struct report_block *block;
    enum report_value value;
    bool relative;
    bool logarithmic; /* the sweep */
    struct chart_scale scale;
};

/* ---- Scales -------------------------------------------------------------------------- */

/* Steps that are multiples, as 1, 2, 4, 8, are as far from each other. */
static bool is_logarithmic(const struct report_block *block)
{
    double least = INFINITY;
    double most = 0.0;

    if (report_block_step(block, 0u) <= 0.0) {
        return false;
    }
    for (uint32_t i = 1u; i < block->steps; i++) {
        const double step = log(report_block_step(block, i) / report_block_step(block, i - 1u));
        least = fmin(least, step);
        most = fmax(most, step);
    }
    return most <= 2.0 * least;
}

static double x_of(const struct lines *lines, uint32_t step)
{
    const struct report_block *const block = lines->block;
    const double first = report_block_step(block, 0u);
    const double last = report_block_step(block, block->steps - 1u);
    const double value = report_block_step(block, step);

    return lines->logarithmic ? 100.0 * log(value / first) / log(last / first)
                              : 100.0 * (value - first) / (last - first);
}

static double value_of(const struct lines *lines, uint32_t row, uint32_t column)
{
    return lines->relative ? report_block_ratio(lines->block, lines->value, row, column)
                           : report_block_value(lines->block, lines->value, row, column);
}

static struct chart_scale scale_of(const struct lines *lines, uint32_t first, uint32_t n)
{
    double low = lines->relative ? 1.0 : 0.0;
    double high = lines->relative ? 1.05 : 0.0;

    for (uint32_t row = first; row < first + n; row++) {
        for (uint32_t column = 0u; column < lines->block->columns; column++) {
            low = fmin(low, value_of(lines, row, column));
            high = fmax(high, value_of(lines, row, column));
        }
    }
    return chart_scale_of(low, high, 4u);
}

/* ---- Drawing ------------------------------------------------------------------------- */

static double y_of(const struct lines *lines, double value)
{
    return HEIGHT * (1.0 - chart_at(&lines->scale, value) / 100.0);
}

static void draw_axes(FILE *to, const struct lines *lines)
{
    const struct report_block *const block = lines->block;
    const struct chart_scale *const scale = &lines->scale;
    const uint32_t every = (block->steps + 5u) / 6u;
    const bool share = lines->value == VALUE_NO_CTA_SHARE && !lines->relative;

    for (unsigned i = 0u; i < chart_ticks(scale); i++) {
        const double value = scale->low + i * scale->step;
        const bool base = lines->relative && fabs(value - 1.0) < scale->step * 1e-6;
        const struct chart_scale percent = { 0.0, 100.0, scale->step * 100.0 };
        fprintf(to,
                "<line class=\"%s\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>"
                "<text x=\"-6\" y=\"%.1f\" text-anchor=\"end\">%s%s</text>",
                base ? "base" : "grid", y_of(lines, value), y_of(lines, value),
                y_of(lines, value) + 4.0,
                share ? chart_tick(&percent, 100.0 * value).text
                      : chart_tick(scale, value).text,
                share             ? "\xc2\xa0%"
                : lines->relative ? HTML_TIMES
                                  : "");
    }
    for (uint32_t step = 0u; step < block->steps; step += every) {
        fprintf(to, "<text x=\"%.2f%%\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                x_of(lines, step), HEIGHT + 17,
                html_number(report_block_step(block, step)).text);
    }
}

/* A line ends where a value is missing, and another one begins. */
static void draw_line(FILE *to, const struct lines *lines, uint32_t first, uint32_t column)
{
    bool open = false;

    for (uint32_t step = 0u; step < lines->block->steps; step++) {
        const double value = value_of(lines, first + step, column);
        if (isfinite(value)) {
            fprintf(to, "%s%.1f %.1f", open ? "L" : "M", 10.0 * x_of(lines, step),
                    y_of(lines, value));
        }
        open = isfinite(value);
    }
}

static void draw_marks(FILE *to, const struct lines *lines, uint32_t first, uint32_t column,
                       const char *css)
{
    for (uint32_t step = 0u; step < lines->block->steps && lines->block->steps <= FEW; step++) {
        const double value = value_of(lines, first + step, column);
        if (!isfinite(value)) {
            continue;
        }
        fprintf(to, "<circle class=\"%s\" cx=\"%.2f%%\" cy=\"%.1f\" r=\"3\"><title>", css,
                x_of(lines, step), y_of(lines, value));
        html_text(to, report_block_column(lines->block, column).text);
        fprintf(to, ", %s: %s</title></circle>",
                html_number(report_block_step(lines->block, step)).text,
                html_figure(value).text);
    }
}

static void draw_panel(FILE *to, struct lines *lines, uint32_t workload)
{
    const struct report_block *const block = lines->block;
    const uint32_t first = workload * block->steps;
    char label[BLOCK_LABEL];

    if (!lines->relative && lines->value != VALUE_NO_CTA_SHARE) {
        lines->scale = scale_of(lines, first, block->steps);
    }
    report_block_workload(block, workload, label);
    fputs("<div class=\"panel\">", to);
    html_element(to, "h5", NULL, label);
    chart_plot_begin(to, HEIGHT + 24u, label);
    draw_axes(to, lines);
    fprintf(to,
            "<svg x=\"0\" y=\"0\" width=\"100%%\" height=\"%d\" viewBox=\"0 0 1000 %d\" "
            "preserveAspectRatio=\"none\">",
            HEIGHT, HEIGHT);
    for (uint32_t column = 0u; column < block->columns; column++) {
        if ((int32_t)column != block->baseline || !lines->relative) {
            fprintf(to, "<path class=\"line %s\" d=\"",
                    chart_colour(block->baseline, column).text);
            draw_line(to, lines, first, column);
            fputs("\"/>", to);
        }
    }
    fputs("</svg>", to);
    for (uint32_t column = 0u; column < block->columns; column++) {
        if ((int32_t)column != block->baseline || !lines->relative) {
            draw_marks(to, lines, first, column, chart_colour(block->baseline, column).text);
        }
    }
    chart_plot_end(to);
    fputs("</div>\n", to);
}

static void draw_legend(FILE *to, const struct lines *lines)
{
    const struct report_block *const block = lines->block;

    chart_legend_begin(to);
    for (uint32_t column = 0u; column < block->columns; column++) {
        if ((int32_t)column != block->baseline || !lines->relative) {
            chart_legend_item(to, chart_colour(block->baseline, column).text,
                              report_block_column(block, column).text, NULL);
        }
    }
    chart_legend_end(to);
}

static void draw(FILE *to, struct lines *lines, const char *title, const char *what)
{
    const struct report_block *const block = lines->block;
    char note[BLOCK_LABEL];

    if (!report_block_has(block, lines->value)) {
        return;
    }
    lines->scale = scale_of(lines, 0u, block->rows);
    lines->logarithmic = is_logarithmic(block);
    snprintf(note, sizeof note, "%s%s%.100s, over %.100s.", what,
             lines->relative ? " relative to " : "",
             lines->relative ? report_block_column(block, (uint32_t)block->baseline).text : "",
             block->data->axes[block->sweep - DIMENSION_AXIS]);
    chart_begin(to, title, note);
    if (block->columns > 1u) {
        draw_legend(to, lines);
    }
    fputs("<div class=\"panels\">\n", to);
    for (uint32_t workload = 0u; workload < block->workloads; workload++) {
        draw_panel(to, lines, workload);
    }
    fputs("</div>\n", to);
    chart_end(to);
}

void section_lines(FILE *to, const struct report_block *block)
{
    const bool relative = block->baseline >= 0;
    struct lines lines = { .block = block };

    if (block->sweep == NO_DIMENSION) {
        return;
    }
    lines.value = relative ? VALUE_CYCLES : VALUE_IPC;
    lines.relative = relative;
    draw(to, &lines, relative ? "Speedup" : "Warp instructions a cycle",
         relative ? "Speed" : "Per core cycle, of all SMs together");
    if (block->workloads > PANELS) {
        return; /* the tables have the rest */
    }
    lines.value = VALUE_NO_CTA_SHARE;
    lines.relative = false;
    draw(to, &lines, "Idle SMs", "Share of SM cycles without a CTA");
    lines.value = VALUE_ENERGY;
    lines.relative = relative;
    if (relative) {
        draw(to, &lines, "Energy", "Energy");
    }
}
