/* report_over_time - a single run's series as charts; see report_sections.h. */

#include <math.h>
#include <stdlib.h>

#include "gpusched/report/chart/report_chart.h"
#include "gpusched/report/html/report_sections.h"
#include "tool/memory_watch.h"

enum { HEIGHT = 120, TALL = 160, POINTS = 250, WIDTH = 1000, LINES = 2 };

/* A column over time: of many rows the mean of those that fall on a point. */
struct points {
    uint32_t n;
    double end; /* cycles */
    double to[POINTS];
    double value[POINTS];
};

static double cycle_of(const struct report_series *series, uint32_t row)
{
    return report_series_value(series, row, 0);
}

static double value_of(const struct report_series *series, uint32_t row, int column,
                       bool each_cycle)
{
    const double value = report_series_value(series, row, column);
    const double from = row == 0u ? 0.0 : cycle_of(series, row - 1u);

    return each_cycle ? value / (cycle_of(series, row) - from) : value;
}

static void read_points(struct points *points, const struct report_series *series, int column,
                        bool each_cycle)
{
    points->n = series->rows < POINTS ? series->rows : (uint32_t)POINTS;
    for (uint32_t i = 0u; i < points->n; i++) {
        const uint32_t begin = (uint32_t)((uint64_t)i * series->rows / points->n);
        const uint32_t end = (uint32_t)(((uint64_t)i + 1u) * series->rows / points->n);
        double sum = 0.0;
        uint32_t n = 0u;
        for (uint32_t row = begin; row < end; row++) {
            const double value = value_of(series, row, column, each_cycle);
            if (isfinite(value)) {
                sum += value;
                n++;
            }
        }
        points->value[i] = n > 0u ? sum / n : (double)NAN;
        points->to[i] = cycle_of(series, end - 1u);
    }
    points->end = points->to[points->n - 1u];
}

/* ---- Axes ---------------------------------------------------------------------------- */

static double y_of(const struct chart_scale *scale, double value, int height)
{
    return height * (1.0 - chart_at(scale, value) / 100.0);
}

static void draw_axes(FILE *to, const struct chart_scale *scale, double end, bool percent,
                      int height)
{
    const double factor = percent ? 100.0 : 1.0;
    const struct chart_scale shown = { scale->low * factor, scale->high * factor,
                                       scale->step * factor };
    const struct chart_scale time = chart_scale_of(0.0, end, 4u);

    for (unsigned i = 0u; i < chart_ticks(scale); i++) {
        const double value = scale->low + i * scale->step;
        const double y = y_of(scale, value, height);
        fprintf(to,
                "<line class=\"grid\" x1=\"0\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>"
                "<text x=\"-6\" y=\"%.1f\" text-anchor=\"end\">%s%s</text>",
                y, y, y + 4.0, chart_tick(&shown, value * factor).text,
                percent ? "\xc2\xa0%" : "");
    }
    for (unsigned i = 0u; i * time.step <= end; i++) {
        const double cycle = i * time.step;
        fprintf(to, "<text x=\"%.2f%%\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                100.0 * cycle / end, height + 17, chart_tick(&time, cycle).text);
    }
}

static void begin_panel(FILE *to, const char *title, const char *const *names, int height)
{
    fputs("<div class=\"panel\">", to);
    html_element(to, "h5", NULL, title);
    if (names[0] != NULL) {
        chart_legend_begin(to);
        for (int i = 0; i < LINES && names[i] != NULL; i++) {
            chart_legend_item(to, i == 0 ? "v0" : "v1", names[i], NULL);
        }
        chart_legend_end(to);
    }
    chart_plot_begin(to, (unsigned)height + 24u, title);
}

static void begin_picture(FILE *to, int height)
{
    fprintf(to,
            "<svg x=\"0\" y=\"0\" width=\"100%%\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "preserveAspectRatio=\"none\">",
            height, WIDTH, height);
}

static void end_panel(FILE *to)
{
    chart_plot_end(to);
    fputs("</div>\n", to);
}

/* ---- Scheduler cycles ---------------------------------------------------------------- */

/* The area above `below`, which it is added to. */
static void draw_class(FILE *to, const struct points *points, double *below, const char *css)
{
    fprintf(to, "<path class=\"%s\" d=\"M0 %.1f", css, TALL * (1.0 - below[0]));
    for (uint32_t i = 0u; i < points->n; i++) {
        const double top = below[i] + (isfinite(points->value[i]) ? points->value[i] : 0.0);
        fprintf(to, "V%.1fH%.1f", TALL * (1.0 - top), WIDTH * points->to[i] / points->end);
    }
    for (uint32_t i = points->n; i-- > 0u;) {
        fprintf(to, "V%.1fH%.1f", TALL * (1.0 - below[i]),
                i == 0u ? 0.0 : WIDTH * points->to[i - 1u] / points->end);
        below[i] += isfinite(points->value[i]) ? points->value[i] : 0.0;
    }
    fputs("z\"/>", to);
}

static void draw_classes(FILE *to, const struct report_series *series, struct points *points)
{
    static const struct chart_scale scale = { 0.0, 1.0, 0.25 };
    static const char *const none[LINES] = { NULL, NULL };
    double below[POINTS] = { 0.0 };

    begin_panel(to, "Scheduler cycles, by class", none, TALL);
    begin_picture(to, TALL);
    for (uint32_t i = 0u; i < SCHEDULER_CLASSES; i++) {
        read_points(points, series, report_series_column(series, gpu_sm_counts[i].name), false);
        draw_class(to, points, below, report_parts[STACK_SCHEDULER][i].css);
    }
    fputs("</svg>", to);
    draw_axes(to, &scale, points->end, true, TALL);
    end_panel(to);
}

static void draw_legend(FILE *to)
{
    chart_legend_begin(to);
    for (const struct report_part *part = report_parts[STACK_SCHEDULER]; part->name != NULL;
         part++) {
        chart_legend_item(to, part->css, part->name, part->meaning);
    }
    chart_legend_end(to);
}

/* ---- Lines --------------------------------------------------------------------------- */

static const struct panel {
    const char *title;
    const char *columns[LINES], *names[LINES]; /* NULL: one line */
    bool percent, each_cycle;
} panels[] = {
    { "Warp instructions per core cycle", { "ipc", NULL }, { NULL, NULL }, false, false },
    { "Resident warps, all SMs", { "resident_warps", NULL }, { NULL, NULL }, false, false },
    { "Cache hits, of reads", { "l1_hit_rate", "l2_hit_rate" }, { "L1", "L2" }, true, false },
    { "NoC flits per core cycle",
      { "request_flits", "response_flits" },
      { "requests", "responses" },
      false,
      true },
    { "DRAM data buses busy", { "dram_bus_share", NULL }, { NULL, NULL }, true, false },
};

static void draw_line(FILE *to, const struct points *points, const struct chart_scale *scale,
                      int number)
{
    bool open = false;

    fprintf(to, "<path class=\"line v%d\" d=\"", number);
    for (uint32_t i = 0u; i < points->n; i++) {
        const double value = points->value[i];
        if (isfinite(value)) {
            fprintf(to, "%s%.1f %.1f", open ? "L" : "M", WIDTH * points->to[i] / points->end,
                    y_of(scale, value, HEIGHT));
        }
        open = isfinite(value);
    }
    fputs("\"/>", to);
}

static void draw_panel(FILE *to, const struct panel *panel, const struct report_series *series,
                       struct points points[LINES])
{
    double high = panel->percent ? 1.0 : 0.0;
    int n = 0;

    while (n < LINES && panel->columns[n] != NULL) {
        read_points(&points[n], series, report_series_column(series, panel->columns[n]),
                    panel->each_cycle);
        for (uint32_t i = 0u; i < points[n].n; i++) {
            high = fmax(high, points[n].value[i]);
        }
        n++;
    }
    const struct chart_scale scale = chart_scale_of(0.0, high, 4u);
    begin_panel(to, panel->title, panel->names, HEIGHT);
    draw_axes(to, &scale, points[0].end, panel->percent, HEIGHT);
    begin_picture(to, HEIGHT);
    for (int i = 0; i < n; i++) {
        draw_line(to, &points[i], &scale, i);
    }
    fputs("</svg>", to);
    end_panel(to);
}

void section_over_time(FILE *to, const struct report_series *series)
{
    struct points *const points = memory_take(LINES, sizeof *points);

    if (points != NULL && series->rows > 1u) {
        chart_begin(to, "Over time",
                    "Core cycles to the right. If the series has many rows, a point is the "
                    "arithmetic mean of some.");
        draw_legend(to);
        fputs("<div class=\"panels wide\">\n", to);
        draw_classes(to, series, points);
        fputs("</div>\n<div class=\"panels time\">\n", to);
        for (size_t i = 0u; i < sizeof panels / sizeof panels[0]; i++) {
            draw_panel(to, &panels[i], series, points);
        }
        fputs("</div>\n", to);
        chart_end(to);
    }
    free(points);
}
