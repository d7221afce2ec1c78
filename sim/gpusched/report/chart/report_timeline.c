/* report_timeline - when which SM had which CTAs; see report_sections.h. */

#include <math.h>
#include <stdlib.h>

#include "gpusched/report/chart/report_chart.h"
#include "gpusched/report/chart/report_ctas.h"
#include "gpusched/report/html/report_sections.h"

enum { PICTURES = 24 /* of a block */, EACH = 16000 /* bars, at most */ };

struct picture {
    const struct report_run *run;
    struct report_ctas ctas;
};

/* ---- One picture --------------------------------------------------------------------- */

/* Pixels of an SM's row, and those between two. */
static unsigned row_height(uint32_t sms)
{
    return sms <= 16u ? 11u : sms <= 40u ? 8u : 5u;
}

/* Lines as thick as a slot. Vertical units: a slot is 2, so that its middle is whole. */
static void draw_bars(FILE *to, const struct cta_bar *bars, uint32_t n, uint32_t shade,
                      uint32_t slots, uint32_t pitch)
{
    uint32_t x = 0u;
    uint32_t y = 0u;

    fprintf(to, "<path class=\"t%u\" d=\"M0 0", shade);
    for (uint32_t i = 0u; i < n; i++) {
        if (bars[i].shade == shade && bars[i].to > bars[i].from) {
            const uint32_t at = bars[i].sm * pitch + 2u * (slots - 1u - bars[i].slot) + 1u;
            fprintf(to, "m%d %dh%u", (int)(bars[i].from - x), (int)(at - y),
                    bars[i].to - bars[i].from);
            x = bars[i].to;
            y = at;
        }
    }
    fputs("\"/>", to);
}

static void draw_labels(FILE *to, uint32_t sms)
{
    const unsigned pixels = row_height(sms) + 1u;
    const uint32_t every = pixels >= 12u ? 1u : pixels * 2u >= 12u ? 2u : 5u;

    for (uint32_t sm = 0u; sm < sms; sm += every) {
        fprintf(to, "<text x=\"-6\" y=\"%u\" text-anchor=\"end\">%u</text>",
                sm * pixels + pixels / 2u + 4u, sm);
    }
}

static uint32_t draw_picture(FILE *to, const struct picture *picture, uint32_t sms,
                             uint32_t slots, double span, const struct chart_scale *scale,
                             uint32_t most)
{
    const unsigned pixels = row_height(sms);
    const uint32_t gap = (2u * slots + pixels - 1u) / pixels; /* about a pixel */
    const uint32_t pitch = 2u * slots + gap;
    const double end = chart_at(scale, picture->ctas.end);
    uint32_t n;
    struct cta_bar *const bars = report_cta_bars(&picture->ctas, span, most, &n);

    chart_plot_begin(to, sms * (pixels + 1u), "SMs over time");
    fprintf(to,
            "<svg width=\"100%%\" height=\"%u\" viewBox=\"0 0 %d %u\" "
            "preserveAspectRatio=\"none\"><path class=\"lanes\" stroke-width=\"%u\" d=\"",
            sms * (pixels + 1u), CTA_WIDTH, sms * pitch, 2u * slots);
    for (uint32_t sm = 0u; sm < sms; sm++) {
        fprintf(to, "M0 %uh%d", sm * pitch + slots, CTA_WIDTH);
    }
    fputs("\"/><g class=\"ctas\" stroke-width=\"2\">", to);
    draw_bars(to, bars, bars == NULL ? 0u : n, 0u, slots, pitch);
    draw_bars(to, bars, bars == NULL ? 0u : n, 1u, slots, pitch);
    fprintf(to,
            "</g></svg><line class=\"end\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"0\" y2=\"100%%\"/>",
            end, end);
    draw_labels(to, sms);
    chart_plot_end(to);
    free(bars);
    return n;
}

/* "lrr: 71,241 cycles, SMs idle 22.8 %"; with the time where core clocks differ. */
static void draw_caption(FILE *to, const struct picture *picture, const struct picture *base,
                         const char *name, bool clocks)
{
    const double *const value = picture->run->values.value;

    fputs("<p class=\"what\">", to);
    html_element(to, "b", NULL, name);
    fprintf(to, "%s%s cycles", name[0] == '\0' ? "" : " ",
            html_count(value[VALUE_CYCLES]).text);
    const enum report_value time = clocks ? VALUE_SECONDS : VALUE_CYCLES;
    if (clocks) {
        fprintf(to, ", %s", html_unit(value[VALUE_SECONDS], "s").text);
    }
    if (picture != base) {
        const double ratio = value[time] / base->run->values.value[time];
        fprintf(to, " (%s)", ratio == 1.0 ? "the same" : html_change(ratio).text);
    }
    fprintf(to, ", SMs idle\xc2\xa0%s</p>\n", html_share(value[VALUE_NO_CTA_SHARE]).text);
}

/* ---- A workload's -------------------------------------------------------------------- */

/* Returns how many bars there are. */
static uint32_t draw_workload(FILE *to, const struct report_block *block, uint32_t row,
                              const uint32_t *columns, const struct picture *pictures,
                              uint32_t n, uint32_t most)
{
    uint32_t sms = 0u;
    uint32_t slots = 0u;
    double span = 0.0;
    uint32_t bars = 0u;
    char label[BLOCK_LABEL];

    for (uint32_t i = 0u; i < n; i++) {
        const double count = pictures[i].run->values.gpu[0];
        sms = pictures[i].ctas.sms > sms ? pictures[i].ctas.sms : sms;
        sms = count < 4096.0 && (uint32_t)count > sms ? (uint32_t)count : sms;
        slots = pictures[i].ctas.slots > slots ? pictures[i].ctas.slots : slots;
        span = fmax(span, pictures[i].ctas.end);
    }
    struct chart_scale scale = chart_scale_of(0.0, span, 4u);
    scale.high = span; /* the axis ends with the last CTA */
    report_block_row(block, row, label);
    fputs("<div class=\"timeline\">", to);
    html_element(to, "h5", NULL, label);
    fputs("\n", to);
    for (uint32_t i = 0u; i < n; i++) {
        draw_caption(to, &pictures[i], &pictures[0],
                     report_block_column(block, columns[i]).text,
                     report_block_clocks_differ(block));
        bars += draw_picture(to, &pictures[i], sms, slots, span, &scale, most);
        fputs("\n", to);
    }
    chart_axis(to, &scale, 1.0, "");
    fputs("</div>\n", to);
    return bars;
}

/* The first and the last column that have CTAs; a baseline counts as the first. */
static uint32_t read_pictures(const struct report_block *block, uint32_t row, uint32_t *columns,
                              struct picture *pictures)
{
    const uint32_t first = block->baseline >= 0 ? (uint32_t)block->baseline : 0u;
    const uint32_t last =
        first == block->columns - 1u && first > 0u ? first - 1u : block->columns - 1u;
    const uint32_t wanted[] = { first, last };
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < (first == last ? 1u : 2u); i++) {
        const struct report_run *const run = report_block_run(block, row, wanted[i]);
        json_t *const value =
            run->status == RUN_DONE ? report_data_observed(block->data, run, "ctas") : NULL;
        pictures[n].run = run;
        columns[n] = wanted[i];
        n += value != NULL && report_ctas_read(&pictures[n].ctas, value);
        json_decref(value);
    }
    return n;
}

static void begin(FILE *to, const struct report_block *block)
{
    char note[256];

    snprintf(note, sizeof note,
             "A row for each SM, its CTA slots above each other; core cycles to the right. "
             "Launches alternate in shade; what is empty is idle.%s",
             block->data->seeds > 0u ? " Pictures are of the first seed, numbers are medians."
                                     : "");
    chart_begin(to, "CTAs on the SMs", note);
}

/* Of a sweep the last value is shown. */
void section_timelines(FILE *to, const struct report_block *block, uint32_t *bars)
{
    struct picture pictures[2];
    uint32_t columns[2];
    uint32_t drawn = 0u;

    for (uint32_t row = block->steps - 1u; row < block->rows && drawn < PICTURES;
         row += block->steps) {
        const uint32_t n = read_pictures(block, row, columns, pictures);
        if (n > 0u && *bars > 0u) {
            if (drawn == 0u) {
                begin(to, block);
            }
            const uint32_t most = EACH < *bars / n ? EACH : *bars / n;
            const uint32_t used = draw_workload(to, block, row, columns, pictures, n, most);
            *bars -= used < *bars ? used : *bars;
            drawn += n;
        }
        for (uint32_t i = 0u; i < n; i++) {
            report_ctas_free(&pictures[i].ctas);
        }
    }
    if (drawn > 0u) {
        chart_end(to);
    }
}
