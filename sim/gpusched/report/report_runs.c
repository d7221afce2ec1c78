/* report_runs - every run, and why runs failed; see report_sections.h. */

#include <string.h>

#include "gpusched/experiment/experiment_band.h"
#include "gpusched/experiment/grid/experiment_seeds.h"
#include "gpusched/report/html/report_html.h"
#include "gpusched/report/html/report_sections.h"
#include "gpusched/report/html/report_table.h"

static void run_names(FILE *to, const struct report_data *data, const struct report_run *run)
{
    html_element(to, "td", "word", run->gpu);
    html_element(to, "td", "word", run->workload);
    if (data->length[DIMENSION_VARIANT] > 1u) {
        html_element(to, "td", "word", run->variant);
    }
    for (uint32_t a = 0u; a < data->n_axis; a++) {
        html_element(to, "td", NULL, run->axes[a]);
    }
}

static void run_heads(FILE *to, const struct report_data *data, const char *first)
{
    table_heading(to, "", first);
    table_heading(to, "word", "GPU");
    table_heading(to, "word", "workload");
    if (data->length[DIMENSION_VARIANT] > 1u) {
        table_heading(to, "word", "variant");
    }
    for (uint32_t a = 0u; a < data->n_axis; a++) {
        table_heading(to, "", data->axes[a]);
    }
}

/* Behind the cycles of an ensemble: " [25,021, 25,349]". */
static void write_band(FILE *to, const struct report_data *data, const struct report_run *run)
{
    double values[SEEDS_MOST];

    if (run->each != NULL) {
        memcpy(values, run->each, data->seeds * sizeof *values);
        const struct band band = band_of(values, data->seeds);
        fprintf(to, " [%s, ", html_count(band.low).text);
        fprintf(to, "%s]", html_count(band.high).text);
    }
}

static void run_row(FILE *to, const struct report_data *data, const struct report_run *run)
{
    const double *const value = run->values.value;

    fprintf(to, "<tr><td>%u", run->id);
    if (data->seeds > 0u) {
        fprintf(to, " to %u", run->id + data->seeds - 1u);
    }
    fputs("</td>", to);
    run_names(to, data, run);
    if (run->status != RUN_DONE) {
        fprintf(to, "<td class=\"%s\" colspan=\"7\">%s</td></tr>\n",
                experiment_status_name(run->status), experiment_status_name(run->status));
        return;
    }
    fprintf(to, "<td>%s", html_count(value[VALUE_CYCLES]).text);
    write_band(to, data, run);
    fprintf(to, "</td><td>%s</td><td>%s</td><td>%s</td>", html_figure(value[VALUE_IPC]).text,
            html_share(value[VALUE_NO_CTA_SHARE]).text, html_count(value[VALUE_PACKETS]).text);
    fprintf(to, "<td>%s</td><td>%s</td><td>%s</td></tr>\n",
            html_unit(value[VALUE_ENERGY], "J").text, html_unit(value[VALUE_EDP], "Js").text,
            html_unit(value[VALUE_SECONDS], "s").text);
}

void section_runs(FILE *to, const struct report_data *data)
{
    static const char *const heads[] = { "cycles", "IPC", "idle SMs", "NoC packets",
                                         "energy", "EDP", "GPU time" };

    static const char meaning[] =
        "Idle SMs: share of SM cycles without a CTA. GPU time: core cycles at the core clock.";
    char note[256];

    snprintf(note, sizeof note, "%s", meaning);
    if (data->seeds > 0u) {
        snprintf(note, sizeof note,
                 "Medians of %u seeds; of the cycles their 95\xc2\xa0%% band. %s", data->seeds,
                 meaning);
    }
    table_begin(to, data->seeds > 0u ? "Every ensemble" : "Every run", note, "runs");
    run_heads(to, data, data->seeds > 0u ? "runs" : "run");
    for (size_t i = 0u; i < sizeof heads / sizeof heads[0]; i++) {
        table_heading(to, "", heads[i]);
    }
    table_body(to);
    for (uint32_t i = 0u; i < data->n; i++) {
        run_row(to, data, &data->runs[i]);
    }
    table_end(to);
}

static bool has_reason(const struct report_run *run)
{
    return run->status == RUN_FAILED || run->status == RUN_ABORTED;
}

void section_failures(FILE *to, const struct report_data *data)
{
    uint32_t failed = 0u;

    for (uint32_t i = 0u; i < data->n; i++) {
        failed += has_reason(&data->runs[i]);
    }
    if (failed == 0u) {
        return;
    }
    table_begin(to, "Runs that failed or were aborted",
                data->seeds > 0u ? "Of each ensemble the first." : NULL, "runs");
    run_heads(to, data, "run");
    table_heading(to, "word", "error");
    table_body(to);
    for (uint32_t i = 0u; i < data->n; i++) {
        if (has_reason(&data->runs[i])) {
            fprintf(to, "<tr><td>%u</td>", data->runs[i].status_of);
            run_names(to, data, &data->runs[i]);
            html_element(to, "td", "error",
                         data->runs[i].error == NULL ? "" : data->runs[i].error);
            fputs("</tr>\n", to);
        }
    }
    table_end(to);
}
