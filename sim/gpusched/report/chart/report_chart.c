/* report_chart - what charts have in common; see report_chart.h. */

#include "gpusched/report/chart/report_chart.h"

#include <math.h>

struct chart_scale chart_scale_of(double low, double high, unsigned ticks)
{
    const double span = high > low ? high - low : 1.0;
    const double rough = span / ticks;
    double step = pow(10.0, floor(log10(rough)));

    step *= rough / step > 5.0   ? 10.0
            : rough / step > 2.0 ? 5.0
            : rough / step > 1.0 ? 2.0
                                 : 1.0;
    return (struct chart_scale){
        .low = step * floor(low / step + 1e-9),
        .high = step * ceil((low + span) / step - 1e-9),
        .step = step,
    };
}

double chart_at(const struct chart_scale *scale, double value)
{
    return 100.0 * (value - scale->low) / (scale->high - scale->low);
}

struct text chart_tick(const struct chart_scale *scale, double value)
{
    struct text text;
    int decimals = 0;

    while (decimals < 9 && scale->step * pow(10.0, decimals) < 1.0 - 1e-9) {
        decimals++;
    }
    if (decimals == 0 && value >= 0.0) {
        return html_count(round(value));
    }
    /* A sum of steps may be a little below zero. */
    snprintf(text.text, sizeof text.text, "%.*f", decimals,
             fabs(value) < scale->step * 1e-6 ? 0.0 : value);
    return text;
}

unsigned chart_ticks(const struct chart_scale *scale)
{
    return (unsigned)((scale->high - scale->low) / scale->step + 1e-6) + 1u;
}

void chart_begin(FILE *to, const char *title, const char *note)
{
    fputs("<figure class=\"chart\">\n<figcaption>", to);
    html_element(to, "h4", NULL, title);
    if (note != NULL) {
        html_element(to, "p", NULL, note);
    }
    fputs("</figcaption>\n", to);
}

void chart_end(FILE *to)
{
    fputs("</figure>\n", to);
}

void chart_legend_begin(FILE *to)
{
    fputs("<ul class=\"legend\">\n", to);
}

void chart_legend_item(FILE *to, const char *css, const char *name, const char *meaning)
{
    fputs("<li", to);
    if (meaning != NULL) {
        fputs(" title=\"", to);
        html_text(to, meaning);
        fputc('"', to);
    }
    fprintf(to,
            "><svg class=\"key\" width=\"14\" height=\"12\" aria-hidden=\"true\"><rect "
            "class=\"%s\" width=\"14\" height=\"12\"/></svg>",
            css);
    html_text(to, name);
    fputs("</li>\n", to);
}

void chart_legend_end(FILE *to)
{
    fputs("</ul>\n", to);
}

void chart_plot_begin(FILE *to, unsigned height, const char *label)
{
    fprintf(to, "<svg class=\"plot\" height=\"%u\" role=\"img\" aria-label=\"", height);
    html_text(to, label);
    fputs("\">", to);
}

void chart_plot_end(FILE *to)
{
    fputs("</svg>", to);
}

void chart_grid(FILE *to, const struct chart_scale *scale, double base)
{
    for (unsigned i = 0u; i < chart_ticks(scale); i++) {
        const double value = scale->low + i * scale->step;
        if (!(fabs(value - base) < scale->step * 1e-6)) {
            const double x = chart_at(scale, value);
            fprintf(to,
                    "<line class=\"grid\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" y2=\"100%%\"/>",
                    x, x);
        }
    }
    if (isfinite(base)) {
        const double x = chart_at(scale, base);
        fprintf(to, "<line class=\"base\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" y2=\"100%%\"/>",
                x, x);
    }
}

void chart_axis(FILE *to, const struct chart_scale *scale, double factor, const char *unit)
{
    const struct chart_scale shown = { scale->low * factor, scale->high * factor,
                                       scale->step * factor };

    fputs("<svg class=\"plot axis\" height=\"18\" aria-hidden=\"true\">", to);
    for (unsigned i = 0u; i < chart_ticks(scale); i++) {
        const double value = scale->low + i * scale->step;
        fprintf(to, "<text x=\"%.2f%%\" y=\"13\" text-anchor=\"middle\">%s%s</text>",
                chart_at(scale, value), chart_tick(&shown, value * factor).text, unit);
    }
    fputs("</svg>", to);
}

void chart_axis_row(FILE *to, const struct chart_scale *scale, double factor, const char *unit,
                    bool named)
{
    fputs("<div class=\"row\"><div class=\"label\"></div>", to);
    fputs(named ? "<div class=\"bar\"><span class=\"name\"></span>" : "", to);
    chart_axis(to, scale, factor, unit);
    fputs(named ? "</div></div>\n" : "</div>\n", to);
}

struct text chart_colour(int32_t baseline, uint32_t column)
{
    enum { COLOURS = 8 };
    struct text css = { "vb" };

    if ((int32_t)column != baseline) {
        const uint32_t i = baseline >= 0 && (int32_t)column > baseline ? column - 1u : column;
        snprintf(css.text, sizeof css.text, "v%u", i % COLOURS);
    }
    return css;
}
