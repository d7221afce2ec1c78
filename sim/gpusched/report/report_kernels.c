/* report_kernels - what each kernel of a run has; see report_sections.h. */

#include <math.h>

#include "gpusched/report/html/report_html.h"
#include "gpusched/report/html/report_sections.h"
#include "gpusched/report/html/report_table.h"

enum { KERNELS = 2, MOST_ROWS = 400 };

static double number(const json_t *kernel, const char *group, const char *name)
{
    const json_t *const value = json_object_get(json_object_get(kernel, group), name);

    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* Requests and responses. */
static double flits(const json_t *kernel)
{
    const json_t *const both = json_object_get(json_object_get(kernel, "noc"), "flits");

    return json_number_value(json_array_get(both, 0u))
           + json_number_value(json_array_get(both, 1u));
}

static double share(double part, double all)
{
    return all > 0.0 ? part / all : (double)NAN;
}

static void scheduler_cells(FILE *to, const json_t *kernel)
{
    double class[SCHEDULER_CLASSES];
    double all = 0.0;

    for (uint32_t i = 0u; i < SCHEDULER_CLASSES; i++) {
        class[i] = number(kernel, "sm", gpu_sm_counts[i].name);
        all += class[i];
    }
    /* Issued; by memory, by arithmetic; idle or paused: in the order of gpu_stats.def. */
    const double parts[] = { class[0], class[2] + class[4], class[1] + class[3],
                             class[5] + class[6] };
    for (size_t i = 0u; i < sizeof parts / sizeof parts[0]; i++) {
        fprintf(to, "<td>%s</td>", html_share(share(parts[i], all)).text);
    }
}

static void kernel_cells(FILE *to, const json_t *kernel, const struct limit_gpu *gpu)
{
    const char *const name = json_string_value(json_object_get(kernel, "name"));
    const double l1 = number(kernel, "sm", "l1_hit"), l2 = number(kernel, "l2", "hit");
    const double of_l1 =
        l1 + number(kernel, "sm", "l1_miss") + number(kernel, "sm", "l1_merge");
    const double of_l2 = l2 + number(kernel, "l2", "miss") + number(kernel, "l2", "merge");

    html_element(to, "td", "word", name == NULL ? "(no kernel)" : name);
    fprintf(to, "<td>%s</td><td>%s</td>",
            html_count(json_number_value(json_object_get(kernel, "launches"))).text,
            html_count(json_number_value(json_object_get(kernel, "cycles"))).text);
    fprintf(to, "<td>%s</td>", html_count(number(kernel, "sm", "warp_instructions")).text);
    scheduler_cells(to, kernel);
    fprintf(to, "<td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td>",
            html_share(share(l1, of_l1)).text, html_share(share(l2, of_l2)).text,
            html_count(flits(kernel)).text,
            html_count(number(kernel, "dram", "read") + number(kernel, "dram", "write")).text,
            html_unit(number(kernel, "energy", "total"), "J").text);
    const struct limit limit = limit_of_kernel(kernel, gpu);
    html_sentence(to, "td", "say", name == NULL ? "" : limit_sentence(&limit).text);
    fputs("</tr>\n", to);
}

/* With one kernel alone there is nothing to tell apart. */
static bool has_kernels(const struct report_run *run)
{
    return run->status == RUN_DONE && json_array_size(run->kernels) > KERNELS;
}

static void run_rows(FILE *to, const struct report_block *block, uint32_t row, uint32_t column)
{
    const struct report_run *const run = report_block_run(block, row, column);
    char label[BLOCK_LABEL];

    report_block_row(block, row, label);
    for (size_t i = 0u; i < json_array_size(run->kernels); i++) {
        fputs("<tr>", to);
        html_element(to, "td", "word", i == 0u && column == 0u ? label : "");
        html_element(to, "td", "word", i == 0u ? report_block_column(block, column).text : "");
        kernel_cells(to, json_array_get(run->kernels, i), &run->values.limit_gpu);
    }
}

static uint32_t rows_of(const struct report_block *block)
{
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < block->rows * block->columns; i++) {
        const struct report_run *const run =
            report_block_run(block, i / block->columns, i % block->columns);
        n += has_kernels(run) && report_block_shown(block, i / block->columns)
                 ? (uint32_t)json_array_size(run->kernels)
                 : 0u;
    }
    return n;
}

static void head(FILE *to)
{
    static const char *const words[] = { "workload", "variant", "kernel" };
    static const char *const heads[] = { "launches", "cycles",     "warp instr.", "issued",
                                         "memory",   "arithmetic", "idle",        "L1 hits",
                                         "L2 hits",  "NoC flits",  "DRAM lines",  "energy" };

    for (size_t i = 0u; i < sizeof words / sizeof words[0]; i++) {
        table_heading(to, "word", words[i]);
    }
    for (size_t i = 0u; i < sizeof heads / sizeof heads[0]; i++) {
        table_heading(to, "", heads[i]);
    }
    table_heading(to, "word", "what limits it");
    table_body(to);
}

void section_kernels(FILE *to, const struct report_block *block)
{
    const uint32_t rows = rows_of(block);
    char note[256];

    if (rows == 0u || rows > MOST_ROWS) {
        return;
    }
    snprintf(
        note, sizeof note,
        "Of workloads with several kernels. Issued, memory, arithmetic and idle are shares "
        "of the kernel's scheduler cycles: what it waited for.%s",
        report_block_of_seed(block));
    table_begin(to, "By kernel", note, "runs");
    head(to);
    for (uint32_t row = 0u; row < block->rows; row++) {
        for (uint32_t column = 0u; column < block->columns; column++) {
            if (report_block_shown(block, row)
                && has_kernels(report_block_run(block, row, column))) {
                run_rows(to, block, row, column);
            }
        }
    }
    table_end(to);
}
