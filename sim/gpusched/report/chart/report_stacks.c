/* report_stacks - bars made of parts; see report_sections.h. */

#include <math.h>
#include <stdlib.h>

#include "gpusched/report/chart/report_chart.h"
#include "gpusched/report/html/report_sections.h"

enum { HEIGHT = 18, BAR = 14 };

struct stacks {
    const struct report_block *block;
    enum report_stack stack;
    struct chart_scale scale; /* of the whole; 1 is the baseline, or each bar without one */
};

static const struct report_values *values_of(const struct stacks *stacks, uint32_t row,
                                             uint32_t column)
{
    return &report_block_run(stacks->block, row, column)->values;
}

static double sum_of(const struct stacks *stacks, uint32_t row, uint32_t column)
{
    return report_stack_sum(values_of(stacks, row, column), stacks->stack);
}

/* What a bar's parts are divided by. */
static double unit_of(const struct stacks *stacks, uint32_t row, uint32_t column)
{
    const int32_t baseline = stacks->block->baseline;

    return sum_of(stacks, row, baseline >= 0 ? (uint32_t)baseline : column);
}

static double longest(const struct stacks *stacks)
{
    const uint32_t columns = stacks->block->columns;
    double longest = (double)NAN;

    for (uint32_t i = 0u; i < stacks->block->rows * columns; i++) {
        const double length = sum_of(stacks, i / columns, i % columns)
                              / unit_of(stacks, i / columns, i % columns);
        longest = isfinite(length) ? fmax(longest, length) : longest;
    }
    return longest;
}

/* Behind a bar: how long it is on the axis, or without a baseline, where all are as long, what
 * it is the whole of. */
static struct text label(const struct stacks *stacks, double sum, double length)
{
    return stacks->block->baseline >= 0 && isfinite(length) ? html_share(length)
           : stacks->stack == STACK_ENERGY                  ? html_unit(sum, "J")
           : sum >= 1e5                                     ? html_unit(sum, "")
                                                            : html_count(sum);
}

/* Its number is its length on the axis. */
static void draw_part(FILE *to, const struct stacks *stacks, const struct report_part *part,
                      double from, double length)
{
    /* Percent that have room for a number: on a screen, and on a phone. */
    enum { WIDE = 11, NARROW = 20 };
    const double x = chart_at(&stacks->scale, from);
    const double width = chart_at(&stacks->scale, from + length) - x;

    fprintf(
        to,
        "<rect class=\"part %s\" x=\"%.2f%%\" y=\"2\" width=\"%.2f%%\" height=\"%d\"><title>"
        "%s: %s</title></rect>",
        part->css, x, width, BAR, part->name, html_share(length).text);
    if (width >= WIDE) {
        fprintf(to,
                "<text class=\"in %st%s\" x=\"%.2f%%\" y=\"13\" text-anchor=\"middle\">%.0f"
                "\xc2\xa0%%</text>",
                part->css, width < NARROW ? " narrow" : "", x + width / 2.0, 100.0 * length);
    }
}

static void draw_bar(FILE *to, const struct stacks *stacks, uint32_t row, uint32_t column)
{
    const struct report_values *const values = values_of(stacks, row, column);
    const double sum = sum_of(stacks, row, column);
    const double unit = unit_of(stacks, row, column);
    double at = 0.0;

    fputs("<div class=\"bar\">", to);
    if (stacks->block->columns > 1u) {
        html_element(to, "span", "name", report_block_column(stacks->block, column).text);
    }
    chart_plot_begin(to, HEIGHT, report_block_column(stacks->block, column).text);
    chart_grid(to, &stacks->scale, stacks->block->baseline >= 0 ? 1.0 : (double)NAN);
    for (const struct report_part *part = report_parts[stacks->stack];
         part->name != NULL && isfinite(sum / unit); part++) {
        const double value = values->stack[stacks->stack][part - report_parts[stacks->stack]];
        if (value > 0.0) {
            draw_part(to, stacks, part, at / unit, value / unit);
        }
        at += value;
    }
    fprintf(to,
            "<text class=\"value\" x=\"100%%\" dx=\"4.8em\" y=\"13\" text-anchor=\"end\">%s"
            "</text>",
            label(stacks, sum, sum / unit).text);
    chart_plot_end(to);
    fputs("</div>\n", to);
}

static void draw_rows(FILE *to, const struct stacks *stacks)
{
    const struct report_block *const block = stacks->block;
    char label[BLOCK_LABEL];

    fprintf(to, "<div class=\"rows%s\">\n", block->columns > 1u ? " named" : "");
    for (uint32_t row = 0u; row < block->rows; row++) {
        if (!report_block_shown(block, row)) {
            continue;
        }
        report_block_row(block, row, label);
        fputs("<div class=\"row group\">", to);
        html_element(to, "div", "label", label);
        fputs("<div class=\"bars\">\n", to);
        for (uint32_t column = 0u; column < block->columns; column++) {
            draw_bar(to, stacks, row, column);
        }
        fputs("</div></div>\n", to);
    }
    chart_axis_row(to, &stacks->scale, 100.0, "\xc2\xa0%", block->columns > 1u);
    fputs("</div>\n", to);
}

static void draw_legend(FILE *to, const struct stacks *stacks)
{
    const struct report_block *const block = stacks->block;

    chart_legend_begin(to);
    for (uint32_t p = 0u; report_parts[stacks->stack][p].name != NULL; p++) {
        bool used = false;
        for (uint32_t i = 0u; i < block->rows * block->columns; i++) {
            const struct report_values *const values =
                values_of(stacks, i / block->columns, i % block->columns);
            used = used || values->stack[stacks->stack][p] > 0.0;
        }
        if (used) {
            chart_legend_item(to, report_parts[stacks->stack][p].css,
                              report_parts[stacks->stack][p].name,
                              report_parts[stacks->stack][p].meaning);
        }
    }
    chart_legend_end(to);
}

static const struct {
    const char *title, *what, *unit;
} heads[REPORT_STACKS] = {
    [STACK_SCHEDULER] = { "Where the cycles went", "Scheduler cycles of all SMs",
                          "scheduler cycles" },
    [STACK_NOC] = { "NoC traffic", "Packets that the NoC carried", "packets" },
    [STACK_ENERGY] = { "Energy", "Energy by part", "energy" },
};

static void fill_note(const struct stacks *stacks, char note[BLOCK_LABEL])
{
    const struct report_block *const block = stacks->block;
    const enum report_stack stack = stacks->stack;
    size_t at;

    if (block->baseline >= 0) {
        at = (size_t)snprintf(note, BLOCK_LABEL,
                              "%s. All numbers are percent of the %s of %.200s.",
                              heads[stack].what, heads[stack].unit,
                              report_block_column(block, (uint32_t)block->baseline).text);
    } else {
        at = (size_t)snprintf(note, BLOCK_LABEL,
                              "%s, in percent; behind the bar is the sum%s%s.",
                              heads[stack].what, stack == STACK_ENERGY ? "" : " of ",
                              stack == STACK_ENERGY ? "" : heads[stack].unit);
    }
    if (stack == STACK_SCHEDULER && report_block_clocks_differ(block)) {
        at += (size_t)snprintf(note + at, BLOCK_LABEL - at,
                               " Core clocks differ: more cycles may be less time.");
    }
    if (report_block_shown_steps(block) < block->steps) {
        snprintf(note + at, BLOCK_LABEL - at, " %u of %u values of %.100s are shown.",
                 report_block_shown_steps(block), block->steps,
                 block->data->axes[block->sweep - DIMENSION_AXIS]);
    }
}

void section_stack(FILE *to, const struct report_block *block, enum report_stack stack)
{
    struct stacks stacks = { .block = block, .stack = stack };
    const double high = longest(&stacks);
    char note[BLOCK_LABEL];

    if (!isfinite(high)) {
        return;
    }
    stacks.scale = chart_scale_of(0.0, fmax(high, 1.0), 4u);
    stacks.scale.high = fmax(high, 1.0); /* the longest bar is as wide as there is room */
    fill_note(&stacks, note);
    chart_begin(to, heads[stack].title, note);
    draw_legend(to, &stacks);
    draw_rows(to, &stacks);
    chart_end(to);
}
