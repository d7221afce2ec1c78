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
    html_element(to, "p", "answer", report_answer(data).text);
    fputc('\n', to);
    state(to, data);
    fputs("</header>\n", to);
    html_element(to, "h2", NULL, data->runs[0].gpu);
    fputc('\n', to);
    section_gpu(to, data, 0u);
    section_launches(to, data->result);
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
