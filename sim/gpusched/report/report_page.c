/* report_page - the page of an experiment; see report_page.h. */

#include "gpusched/report/report_page.h"

#include <string.h>

#include "gpusched/report/data/report_answer.h"
#include "gpusched/report/html/report_html.h"
#include "gpusched/report/html/report_sections.h"
#include "tool/version.h"

enum { BARS = 250000 /* of CTAs, on the whole page */, LISTED = 6 };

/* ---- What was compared --------------------------------------------------------------- */

/* "a, b and c", or if there are many, "12 workloads" */
static void list(FILE *to, const struct report_data *data, uint32_t dimension, const char *many)
{
    const uint32_t n = data->length[dimension];
    uint32_t at[EXPERIMENT_DIMENSIONS] = { 0 };

    if (n > LISTED) {
        fprintf(to, "%u %s", n, many);
        return;
    }
    const struct report_block block = report_block_first(data);
    for (uint32_t i = 0u; i < n; i++) {
        char label[BLOCK_LABEL];
        at[dimension] = i;
        const struct report_run *const run = report_data_at(data, at);
        report_block_workload(&block, dimension == DIMENSION_WORKLOAD ? i : 0u, label);
        fputs(i == 0u ? "" : i + 1u == n ? " and " : ", ", to);
        html_text(to, dimension == DIMENSION_GPU        ? run->gpu
                      : dimension == DIMENSION_WORKLOAD ? label
                                                        : run->variant);
    }
}

static void axis(FILE *to, const struct report_data *data, uint32_t dimension)
{
    uint32_t at[EXPERIMENT_DIMENSIONS] = { 0 };
    const uint32_t a = dimension - DIMENSION_AXIS;

    html_text(to, data->axes[a]);
    fputc(' ', to);
    html_text(to, report_data_at(data, at)->axes[a]);
    at[dimension] = data->length[dimension] - 1u;
    fprintf(to, "%s", data->length[dimension] > 2u ? " to " : " and ");
    html_text(to, report_data_at(data, at)->axes[a]);
}

static void lead(FILE *to, const struct report_data *data)
{
    fputs("<p class=\"note\">", to);
    if (data->length[DIMENSION_VARIANT] > 1u) {
        list(to, data, DIMENSION_VARIANT, "variants");
        fputs(", on ", to);
    } else {
        fputs("On ", to);
    }
    fputs(data->length[DIMENSION_GPU] > LISTED ? ""
          : data->length[DIMENSION_GPU] > 1u   ? "the GPUs "
                                               : "the GPU ",
          to);
    list(to, data, DIMENSION_GPU, "GPUs");
    fputs(", with ", to);
    list(to, data, DIMENSION_WORKLOAD, "workloads");
    for (uint32_t d = DIMENSION_AXIS; d < data->dimensions; d++) {
        if (data->length[d] > 1u) {
            fputs(d == DIMENSION_AXIS ? "; over " : " and ", to);
            axis(to, data, d);
        }
    }
    if (data->baseline != NULL && data->length[DIMENSION_VARIANT] > 1u) {
        fputs("; the baseline is ", to);
        html_text(to, data->baseline);
    }
    if (data->seeds > 0u) {
        fprintf(to,
                "; values are medians of %u seeds, brackets have the 95\xc2\xa0%% bands of "
                "speedups and cycles, and what has a ~ may be noise",
                data->seeds);
    }
    fputs(".</p>\n", to);
}

static void state(FILE *to, const struct report_data *data)
{
    const uint32_t *const n = data->count;
    const uint32_t all = data->n * (data->seeds > 0u ? data->seeds : 1u);

    fprintf(to, "<p class=\"state\"><b>%u of %u</b> runs done", n[RUN_DONE], all);
    if (n[RUN_FAILED] > 0u) {
        fprintf(to, ", <span class=\"failed\">%u failed</span>", n[RUN_FAILED]);
    }
    if (n[RUN_ABORTED] > 0u) {
        fprintf(to, ", <span class=\"failed\">%u aborted</span>", n[RUN_ABORTED]);
    }
    if (n[RUN_PENDING] > 0u) {
        fprintf(to, ", %u not run yet", n[RUN_PENDING]);
    }
    if (data->seeds > 0u) {
        fprintf(to, "; %u ensembles of %u seeds", data->n, data->seeds);
    }
    fputs("</p>\n", to);
}

/* ---- Blocks -------------------------------------------------------------------------- */

static void heading(FILE *to, const struct report_block *block, uint32_t number, bool link)
{
    const char *const gpu = report_block_run(block, 0u, 0u)->gpu;
    char place[BLOCK_LABEL];

    report_block_place(block, place);
    if (link) {
        fprintf(to, "<li><a href=\"#b%u\">", number);
        html_text(to, gpu);
        fputs(place[0] == '\0' ? "" : ", ", to);
        html_text(to, place);
        fputs("</a></li>\n", to);
    } else if (place[0] != '\0') {
        fprintf(to, "<h3 id=\"b%u\">", number);
        html_text(to, place);
        fputs("</h3>\n", to);
    }
}

static void contents(FILE *to, const struct report_data *data)
{
    struct report_block block = report_block_first(data);
    uint32_t n = 0u;

    if (report_block_next(&block)) {
        block = report_block_first(data);
        fputs("<nav><ul>\n", to);
        do {
            heading(to, &block, n++, true);
        } while (report_block_next(&block));
        fprintf(to, "<li><a href=\"#runs\">every %s</a></li>\n</ul></nav>\n",
                data->seeds > 0u ? "ensemble" : "run");
    }
}

static void draw_block(FILE *to, const struct report_block *block, uint32_t *bars)
{
    struct report_block next = report_block_first(block->data);

    if (report_block_next(&next)) { /* otherwise the page begins with it */
        html_sentence(to, "p", "answer", report_block_answer(block).text);
        fputc('\n', to);
    }
    section_lines(to, block); /* of a sweep, whose tables are long */
    section_headline(to, block);
    section_bars(to, block);
    section_limits(to, block);
    section_stack(to, block, STACK_SCHEDULER);
    section_timelines(to, block, bars);
    section_relative(to, block);
    section_stack(to, block, STACK_NOC);
    section_stack(to, block, STACK_ENERGY);
    section_kernels(to, block);
}

static void blocks(FILE *to, const struct report_data *data)
{
    struct report_block block = report_block_first(data);
    uint32_t bars = BARS;
    uint32_t n = 0u;
    uint32_t gpu = UINT32_MAX;

    do {
        char place[BLOCK_LABEL];
        report_block_place(&block, place);
        if (block.at[DIMENSION_GPU] != gpu) {
            if (gpu != UINT32_MAX) {
                section_lockstep(to, data, gpu);
            }
            gpu = block.at[DIMENSION_GPU];
            fprintf(to, place[0] == '\0' ? "<h2 id=\"b%u\">" : "<h2>", n);
            html_text(to, report_block_run(&block, 0u, 0u)->gpu);
            fputs("</h2>\n", to);
            section_gpu(to, data, gpu);
            section_variants(to, &block);
        }
        heading(to, &block, n++, false);
        draw_block(to, &block, &bars);
    } while (report_block_next(&block));
    section_lockstep(to, data, gpu);
}

/* ---- The page ------------------------------------------------------------------------ */

static void foot(FILE *to, const struct report_data *data)
{
    fputs("<footer>\n<h2 id=\"runs\">Runs</h2>\n", to);
    fputs("<p class=\"note\">gpusched " GPUSCHED_VERSION
          ". The same experiment gives the same page, byte by byte:</p>\n",
          to);
    html_commands(to,
                  &(struct html_origin){ data->file, data->name,
                                         data->other_baseline ? data->baseline : NULL },
                  false);
    section_runs(to, data);
    fputs("</footer>\n", to);
}

void report_page(FILE *to, const struct report_data *data)
{
    html_begin(to, data->title);
    fputs("<header>\n", to);
    html_element(to, "h1", NULL, data->title);
    fputc('\n', to);
    html_sentence(to, "p", "answer", report_answer(data).text);
    fputc('\n', to);
    lead(to, data);
    state(to, data);
    contents(to, data);
    section_failures(to, data);
    fputs("</header>\n", to);
    blocks(to, data);
    foot(to, data);
    html_end(to);
}
