/*
 * report_chart - what charts have in common. A chart is rows of HTML with a small SVG in each,
 * whose horizontal coordinates are percentages: it is as wide as the page, and its texts keep
 * their size on every screen and on paper.
 */

#ifndef REPORT_CHART_H
#define REPORT_CHART_H

#include "gpusched/report/html/report_html.h"

#include <stdint.h>

/* Round numbers that enclose values. */
struct chart_scale {
    double low, high;
    double step; /* between ticks */
};
struct chart_scale chart_scale_of(double low, double high, unsigned ticks);
/* How many ticks there are, from the low end on. */
unsigned chart_ticks(const struct chart_scale *scale);
/* In percent of the width. */
double chart_at(const struct chart_scale *scale, double value);
/* Of a tick: as many decimals as the step needs. */
struct text chart_tick(const struct chart_scale *scale, double value);

/* A figure with its title and a sentence of what is shown; note may be NULL. */
void chart_begin(FILE *to, const char *title, const char *note);
void chart_end(FILE *to);

void chart_legend_begin(FILE *to);
void chart_legend_item(FILE *to, const char *css, const char *name, const char *meaning);
void chart_legend_end(FILE *to);

/* An SVG of this height in pixels; label: for those who do not see it. */
void chart_plot_begin(FILE *to, unsigned height, const char *label);
void chart_plot_end(FILE *to);
/* Lines at the ticks, and the one at `base`, if that is a number, stronger. */
void chart_grid(FILE *to, const struct chart_scale *scale, double base);
/* The row of numbers beneath; unit: after each, may be "". */
void chart_axis(FILE *to, const struct chart_scale *scale, double factor, const char *unit);

/* The same as a row of a chart; named: whose bars have their names beside them. */
void chart_axis_row(FILE *to, const struct chart_scale *scale, double factor, const char *unit,
                    bool named);

/* A variant's colour: v0 to v7, the baseline's is vb. */
struct text chart_colour(int32_t baseline, uint32_t column);

#endif
