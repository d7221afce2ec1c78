/* report_run_page - the page of a single run; see report_page.h. */

#include "gpusched/report/data/report_answer.h"
#include "gpusched/report/html/report_html.h"
#include "gpusched/report/html/report_sections.h"
#include "gpusched/report/report_page.h"
#include "tool/version.h"

enum { BARS = 250000 /* of CTAs */ };

/* Did it come to its end, and are its results right? */
static void state(FILE *to, const struct report_data *data)
{
    const json_t *const verified = json_object_get(data->result, "verified");
    const char *const check = json_string_value(json_object_get(data->result, "check"));
    const char *const error = data->runs[0].error;

    fputs("<p class=\"state\">", to);
    if (error != NULL) {
        html_element(to, "span", "failed", error);
    } else if (verified == NULL || json_is_null(verified)) {
        fputs("Its results were not checked.", to);
    } else {
        html_element(to, json_is_true(verified) ? "b" : "span",
                     json_is_true(verified) ? NULL : "failed",
                     json_is_true(verified) ? "verified" : "wrong");
        fputs(": ", to);
        html_text(to, check == NULL ? "" : check);
    }
    fputs("</p>\n", to);
}

/* What an architect asks first. */
static void figures(FILE *to, const struct report_data *data)
{
    const json_t *const derived = json_object_get(data->result, "derived");
    const json_t *const energy = json_object_get(data->result, "energy");
    const struct {
        const char *title, *name, *unit; /* NULL: a share */
        const json_t *of;
    } rows[] = {
        { "warp instr. / cycle", "ipc", "", derived },
        { "resident warps / SM", "resident_warps", "", derived },
        { "SM cycles without a CTA", "no_cta_share", NULL, derived },
        { "first SM dry to last", "tail", "cycles", derived },
        { "L1 hits, of reads", "l1_hit_rate", NULL, derived },
        { "L2 hits, of reads", "l2_hit_rate", NULL, derived },
        { "miss latency, arithmetic mean", "miss_latency", "cycles", derived },
        { "DRAM traffic", "dram_bandwidth", "B/s", derived },
        { "DRAM row hits", "dram_row_hit_rate", NULL, derived },
        { "energy", "total", "J", energy },
        { "power, arithmetic mean", "power", "W", derived },
    };

    html_element(to, "h4", NULL, "Figures");
    fputs("<dl class=\"keys\">\n", to);
    for (size_t i = 0u; i < sizeof rows / sizeof rows[0]; i++) {
        const json_t *const value = json_object_get(rows[i].of, rows[i].name);
        const double number = json_number_value(value);
        const char *const unit = rows[i].unit;
        if (json_is_number(value)) {
            const bool plain = unit != NULL && (unit[0] == '\0' || unit[0] == 'c');
            fprintf(to, "<div><dt>%s</dt><dd>%s%s%s</dd></div>\n", rows[i].title,
                    unit == NULL ? html_share(number).text
                    : plain      ? html_figure(number).text
                                 : html_unit(number, unit).text,
                    plain && unit[0] != '\0' ? "\xc2\xa0" : "", plain ? unit : "");
        }
    }
    fputs("</dl>\n", to);
}

static void foot(FILE *to, const struct report_data *data)
{
    size_t i;
    json_t *word;

    fputs("<footer>\n<p class=\"note\">gpusched " GPUSCHED_VERSION, to);
    if (json_array_size(data->command) > 0u) {
        fputs(". The run was:</p>\n<pre>", to);
        json_array_foreach(data->command, i, word)
        {
            const char *const text = json_string_value(word);
            fputs(i == 0u ? "" : " ", to);
            html_text(to, text == NULL ? "" : text);
        }
        fputs("</pre>\n</footer>\n", to);
    } else {
        fputs("</p>\n</footer>\n", to);
    }
}

void report_run_page(FILE *to, const struct report_data *data)
{
    const struct report_block block = report_block_first(data);
    uint32_t bars = BARS;

    html_begin(to, data->title);
    fputs("<header>\n", to);
    html_element(to, "h1", NULL, data->title);
    fputc('\n', to);
    html_sentence(to, "p", "answer", report_answer(data).text);
    fputc('\n', to);
    state(to, data);
    fputs("</header>\n", to);
    html_element(to, "h2", NULL, data->runs[0].gpu);
    fputc('\n', to);
    section_gpu(to, data, 0u);
    figures(to, data);
    section_launches(to, data->result);
    section_footprint(to, data->result);
    section_queues(to, data->result);
    section_throttles(to, data->result);
    section_stack(to, &block, STACK_SCHEDULER);
    section_over_time(to, &data->series);
    section_timelines(to, &block, &bars);
    section_limits(to, &block);
    section_stack(to, &block, STACK_NOC);
    section_stack(to, &block, STACK_ENERGY);
    section_kernels(to, &block);
    foot(to, data);
    html_end(to);
}
