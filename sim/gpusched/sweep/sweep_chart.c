/* sweep_chart - panels below each other over one axis, that of the counts; see sweep_chart.h.
 */

#include "gpusched/sweep/sweep_chart.h"

#include <math.h>

#include "gpusched/report/chart/report_chart.h"
#include "gpusched/report/data/report_value.h"
#include "gpusched/report/html/report_style.h"

enum { WIDTH = 900, LEFT = 70, PLOT = 620, TOP = 70, HEIGHT = 150, PANEL = 212, FOOT = 46 };
enum { LABELS = 16 /* counts with a label, at most */, PARTS = STACK_PARTS, COLOURS = 8 };

/* A panel: a line of one part, or stacked columns of several. */
struct panel {
    const char *title;
    double (*value)(const struct sweep_curve *curve, uint32_t i, uint32_t part);
    bool relative; /* to the last count */
    uint32_t parts;
    const struct report_part *part; /* of columns, their names and colours; NULL: a line */
};

struct chart {
    FILE *to;
    const struct sweep_curve *curve;
    const struct panel *panel;
    struct chart_scale scale; /* of the panel */
    double top;               /* of its plot */
};

/* ---- What panels show ---------------------------------------------------------------- */

static const struct sweep_point *last_of(const struct sweep_curve *curve)
{
    return &curve->point[curve->n - 1u];
}

static double speed(const struct sweep_curve *curve, uint32_t i, uint32_t part)
{
    (void)part;
    return sweep_speed(curve, i);
}

static double scheduler_cycles(const struct sweep_curve *curve, uint32_t i, uint32_t part)
{
    return curve->point[i].classes[part] / sweep_scheduler_cycles(last_of(curve));
}

/* The overlapped part 0, or the rest 1; nothing if no read missed. An older result has but the
 * whole. */
static double latency(const struct sweep_curve *curve, uint32_t i, uint32_t part)
{
    const struct sweep_point *const point = &curve->point[i];
    const double overlapped = isnan(point->overlapped) ? 0.0 : point->overlapped;
    const double value = part == 0u ? overlapped : point->latency - overlapped;

    return isnan(value) ? 0.0 : value;
}

/* Of the energy, the static part 0 or the dynamic part 1. */
static double joules(const struct sweep_point *point, uint32_t part)
{
    return part == 0u ? point->static_joules : point->joules - point->static_joules;
}

static double power(const struct sweep_curve *curve, uint32_t i, uint32_t part)
{
    return joules(&curve->point[i], part) / curve->point[i].seconds;
}

static double energy(const struct sweep_curve *curve, uint32_t i, uint32_t part)
{
    return joules(&curve->point[i], part) / last_of(curve)->joules;
}

static const struct report_part energy_parts[] = {
    { "static", "", "p6" },
    { "dynamic", "", "p0" },
};

static const struct report_part latency_parts[] = {
    { "overlapped", "", "p2" },
    { "not overlapped", "", "p4" },
};

static const struct panel panels[] = {
    { "Speed", speed, true, 1u, NULL },
    { "Scheduler cycles", scheduler_cycles, true, PARTS, report_parts[STACK_SCHEDULER] },
    /* Over cores alone: */
    { "AMAT: core cycles of a read that missed, from MSHR to fill", latency, false, 2u,
      latency_parts },
    { "Power, W", power, false, 2u, energy_parts },
    { "Energy", energy, true, 2u, energy_parts },
};

/* ---- Places -------------------------------------------------------------------------- */

static double x_of(const struct chart *chart, double column)
{
    return LEFT + PLOT * (column + 0.5) / chart->curve->n;
}

static double y_of(const struct chart *chart, double value)
{
    return chart->top + HEIGHT * (1.0 - chart_at(&chart->scale, value) / 100.0);
}

static struct chart_scale scale_of(const struct sweep_curve *curve, const struct panel *panel)
{
    double high = 0.0;

    for (uint32_t i = 0u; i < curve->n; i++) {
        double sum = 0.0;
        for (uint32_t part = 0u; part < panel->parts; part++) {
            sum += panel->value(curve, i, part);
        }
        high = fmax(high, sum); /* one that is no number does not count */
    }
    return chart_scale_of(0.0, high, 4u);
}

/* ---- Drawing ------------------------------------------------------------------------- */

static void draw_text(const struct chart *chart, double x, double y, const char *anchor,
                      const char *text)
{
    fprintf(chart->to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    html_text(chart->to, text);
    fputs("</text>\n", chart->to);
}

static void draw_frame(const struct chart *chart)
{
    struct text title;

    snprintf(title.text, sizeof title.text, "%s", chart->panel->title);
    if (chart->panel->relative) {
        snprintf(title.text, sizeof title.text, "%s, relative to %u %s", chart->panel->title,
                 last_of(chart->curve)->count,
                 chart->curve->over == SWEEP_OVER_CTAS ? "CTAs" : "SMs");
    }
    draw_text(chart, LEFT, chart->top - 12.0, "start", title.text);
    for (unsigned i = 0u; i < chart_ticks(&chart->scale); i++) {
        const double value = chart->scale.low + i * chart->scale.step;
        const double y = y_of(chart, value);
        fprintf(chart->to,
                "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", LEFT,
                LEFT + PLOT, y, y, style_colour("grid").text);
        draw_text(chart, LEFT - 8.0, y + 4.0, "end", chart_tick(&chart->scale, value).text);
    }
}

static void draw_counts(const struct chart *chart)
{
    const struct sweep_curve *const curve = chart->curve;
    const uint32_t every = (curve->n + LABELS - 1u) / LABELS;

    for (uint32_t i = every - 1u; i < curve->n; i += every) {
        draw_text(chart, x_of(chart, i), chart->top + HEIGHT + 18.0, "middle",
                  html_count(curve->point[i].count).text);
    }
}

/* Of the panel's value of a curve. A line ends where there is no value, and another one begins.
 */
static void draw_line(const struct chart *chart, const struct sweep_curve *curve,
                      const char *colour)
{
    bool open = false;

    fprintf(chart->to, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" d=\"", colour);
    for (uint32_t i = 0u; i < curve->n; i++) {
        const double value = chart->panel->value(curve, i, 0u);
        if (isfinite(value)) {
            fprintf(chart->to, "%s%.1f %.1f", open ? "L" : "M", x_of(chart, i),
                    y_of(chart, value));
        }
        open = isfinite(value);
    }
    fputs("\"/>\n", chart->to);
    for (uint32_t i = 0u; i < curve->n; i++) {
        const double value = chart->panel->value(curve, i, 0u);
        if (isfinite(value)) {
            fprintf(chart->to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n",
                    x_of(chart, i), y_of(chart, value), colour);
        }
    }
}

static void draw_part(const struct chart *chart, uint32_t part)
{
    const double width = 0.8 * PLOT / chart->curve->n;

    fprintf(chart->to, "<g fill=\"%s\">\n", style_colour(chart->panel->part[part].css).text);
    for (uint32_t i = 0u; i < chart->curve->n; i++) {
        double below = 0.0;
        for (uint32_t k = 0u; k < part; k++) {
            below += chart->panel->value(chart->curve, i, k);
        }
        const double value = chart->panel->value(chart->curve, i, part);
        const double y = y_of(chart, below + value);
        fprintf(chart->to, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                x_of(chart, i) - width / 2.0, y, width, y_of(chart, below) - y);
    }
    fputs("</g>\n", chart->to);
}

static bool has_part(const struct chart *chart, uint32_t part)
{
    bool found = false;

    for (uint32_t i = 0u; i < chart->curve->n; i++) {
        found = found || chart->panel->value(chart->curve, i, part) > 0.0;
    }
    return found;
}

/* Parts from the bottom up, so their names as well. */
static void draw_parts(const struct chart *chart)
{
    double y = chart->top + HEIGHT - 11.0;

    for (uint32_t part = 0u; part < chart->panel->parts; part++) {
        if (!has_part(chart, part)) {
            continue;
        }
        draw_part(chart, part);
        fprintf(chart->to,
                "<rect x=\"%d\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\"/>\n",
                LEFT + PLOT + 16, y, style_colour(chart->panel->part[part].css).text);
        draw_text(chart, LEFT + PLOT + 34.0, y + 11.0, "start", chart->panel->part[part].name);
        y -= 20.0;
    }
}

static void draw_optimum(const struct chart *chart)
{
    const double x = x_of(chart, sweep_optimum(chart->curve));

    fprintf(chart->to,
            "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
            "stroke-dasharray=\"4 3\"/>\n",
            x, x, chart->top, chart->top + HEIGHT, style_colour("mark").text);
}

static void draw_panel(struct chart *chart, const struct panel *panel, double top)
{
    chart->panel = panel;
    chart->top = top;
    chart->scale = scale_of(chart->curve, panel);
    draw_frame(chart);
    if (panel->part == NULL) {
        draw_line(chart, chart->curve, style_colour("v0").text);
    } else {
        draw_parts(chart);
    }
    draw_optimum(chart);
    draw_counts(chart);
}

/* The speed of each kernel, a line each, as far as there are colours. */
static void draw_kernels(struct chart *chart, const struct sweep_kernels *kernels, double top)
{
    static const struct panel panel = { "Speed of each kernel, relative to its last count",
                                        speed, false, 1u, NULL };
    double high = 0.0;

    chart->panel = &panel;
    chart->top = top;
    for (uint32_t i = 0u; i < kernels->n; i++) {
        high = fmax(high, scale_of(&kernels->kernel[i].curve, &panel).high);
    }
    chart->scale = chart_scale_of(0.0, high, 4u);
    draw_frame(chart);
    for (uint32_t i = 0u; i < kernels->n; i++) {
        const struct text css = chart_colour(-1, i), colour = style_colour(css.text);
        const double y = top + 16.0 * i;
        struct text name;
        draw_line(chart, &kernels->kernel[i].curve, colour.text);
        snprintf(name.text, sizeof name.text, "%.28s", kernels->kernel[i].name);
        fprintf(chart->to,
                "<rect x=\"%d\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\"/>\n",
                LEFT + PLOT + 16, y, colour.text);
        draw_text(chart, LEFT + PLOT + 34.0, y + 11.0, "start", name.text);
    }
    draw_counts(chart);
}

/* ---- The picture --------------------------------------------------------------------- */

/* "hotspot small on m2090; dashed: the optimum, 3 CTAs per SM" */
static void draw_title(const struct chart *chart, const char *title)
{
    const uint32_t count = chart->curve->point[sweep_optimum(chart->curve)].count;
    const bool ctas = chart->curve->over == SWEEP_OVER_CTAS;

    fprintf(chart->to, "<text x=\"%d\" y=\"24\" font-size=\"15\">", LEFT);
    html_text(chart->to, title);
    fprintf(chart->to, "; dashed: the optimum, %u %s%s%s</text>\n", count, ctas ? "CTA" : "SM",
            count == 1u ? "" : "s", ctas ? " per SM" : "");
}

void sweep_chart(const struct sweep *sweep, const struct sweep_curve *curve,
                 const struct sweep_kernels *kernels, FILE *to)
{
    const bool each = kernels->n > 0u && kernels->n <= COLOURS;
    const bool ctas = curve->over == SWEEP_OVER_CTAS;
    const uint32_t n = ctas ? 2u : sizeof panels / sizeof panels[0];
    const int height = TOP + (int)(n + each) * PANEL - (PANEL - HEIGHT) + FOOT;
    struct chart chart = { .to = to, .curve = curve };

    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\" fill=\"%s\">\n"
            "<title>",
            WIDTH, height, WIDTH, height, style_colour("ink").text);
    html_text(to, sweep->title);
    fprintf(to, "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", WIDTH,
            height);
    draw_title(&chart, sweep->title);
    for (uint32_t i = 0u; i < n; i++) {
        draw_panel(&chart, &panels[i], TOP + (double)i * PANEL);
    }
    if (each) {
        draw_kernels(&chart, kernels, TOP + (double)n * PANEL);
    }
    draw_text(&chart, LEFT + PLOT / 2.0, height - 8.0, "middle",
              ctas ? "CTAs that an SM may hold" : "SMs that are on");
    fputs("</svg>\n", to);
}
