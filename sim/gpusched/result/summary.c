/* summary - where a run's cycles went, in words and bars; see summary.h. */

#include "gpusched/result/summary.h"

#include <inttypes.h>
#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/result/counts.h"
#include "gpusched/result/figures.h"
#include "gpusched/result/nested.h"
#include "gpusched/result/summary_kernels.h"
#include "tool/format.h"

enum { BAR = 30, NAME = 22, MOST_KERNELS = 12, ROW_SMS = 48, REMARK = 3 * FORMAT_TEXT };

struct summary {
    FILE *to;
    bool unicode;
    const struct gpu_config *config;
    const struct gpu_stats *stats;
    struct figures figures;
    struct gpu_sm_stats sm; /* all together */
};

static void heading(const struct summary *summary, const char *title, const char *note)
{
    fprintf(summary->to, "\n%s%s%s\n", title, note[0] == '\0' ? "" : "  ", note);
}

/* A number of its own kind: name, value, and a remark. */
static void line(const struct summary *summary, const char *name, const char *value,
                 const char *remark)
{
    fprintf(summary->to, "  %-*s %14s%s%s\n", NAME, name, value, remark[0] == '\0' ? "" : "  ",
            remark);
}

/* A share with its bar and a remark. */
static void bar(const struct summary *summary, const char *name, double share,
                const char *remark)
{
    const struct text drawn = format_bar(share, BAR, summary->unicode);
    size_t columns = 0u;

    for (const char *at = drawn.text; *at != '\0'; at++) {
        columns += ((unsigned char)*at & 0xc0u) != 0x80u; /* all but the rest of a character */
    }
    fprintf(summary->to, "  %-*s %14s", NAME, name, format_share(share).text);
    if (columns != 0u || remark[0] != '\0') {
        fprintf(summary->to, "  %s", drawn.text);
    }
    if (remark[0] != '\0') {
        fprintf(summary->to, "%*s  %s", BAR - (int)columns, "", remark);
    }
    fputc('\n', summary->to);
}

/* ---- Kernels ------------------------------------------------------------------------- */

/* A column for GPUs with l1.carveouts alone: there each kernel has an L1 of its own size. */
static void l1_column(const struct summary *summary, const char *what)
{
    if (summary->config->l1.carveouts != CARVEOUTS_NONE) {
        fprintf(summary->to, " %10s", what);
    }
}

static void kernel_line(const struct summary *summary, const struct gpu_kernel_stats *kernel)
{
    const bool ended = kernel->ended > kernel->first_cta;
    const uint64_t end = ended ? kernel->ended : summary->stats->cycles;
    const uint64_t cycles = end > kernel->first_cta ? end - kernel->first_cta : 0u;
    const double ipc = ratio(kernel->warp_instructions, cycles);
    char rate[32] = "-";

    if (!isnan(ipc)) {
        snprintf(rate, sizeof rate, "%.3f", ipc);
    }
    fprintf(summary->to, "  %-*.*s %14s %11s %11s %8" PRIu32, NAME - 1, NAME - 1, kernel->name,
            format_shape(kernel->grid).text, format_shape(kernel->block).text,
            format_count(kernel->ctas).text, kernel->ctas_per_sm);
    l1_column(summary, format_count(kernel->l1_bytes).text);
    fprintf(summary->to, " %15s %9s\n", format_count(cycles).text, rate);
    if (kernel->detection.sms != 0u) {
        fprintf(summary->to, "    on %" PRIu32 " SMs, %s after %s cycles\n",
                kernel->detection.sms, kernel->detection.aborted ? "undetected" : "detected",
                format_count(kernel->detection.cycles).text);
    }
}

static void kernels(const struct summary *summary)
{
    const uint32_t n = summary->stats->n_kernel;
    const uint32_t shown = n <= MOST_KERNELS ? n : MOST_KERNELS - 1u;

    fprintf(summary->to, "\n%-*s %14s %11s %11s %8s", NAME + 2, "Kernel", "grid", "block",
            "CTAs", "CTAs/SM");
    l1_column(summary, "L1 bytes");
    fprintf(summary->to, " %15s %9s\n", "cycles", "IPC");
    for (uint32_t k = 0u; k < shown; k++) {
        kernel_line(summary, &summary->stats->kernel[k]);
    }
    if (shown < n) {
        fprintf(summary->to, "  and %" PRIu32 " more\n", n - shown);
    }
}

/* ---- The whole run ------------------------------------------------------------------- */

static void whole(const struct summary *summary)
{
    const struct figures *const figures = &summary->figures;
    char text[64];
    char remark[REMARK];

    heading(summary, "Run", "");
    snprintf(remark, sizeof remark, "%s at %s MHz", format_unit(figures->seconds, "s").text,
             format_count(summary->config->clock.core).text);
    line(summary, "cycles", format_count(summary->stats->cycles).text, remark);
    snprintf(remark, sizeof remark, "%s thread instructions",
             format_count(summary->sm.thread_instructions).text);
    line(summary, "warp instructions", format_count(summary->sm.warp_instructions).text,
         remark);
    if (summary->stats->cycles != 0u) {
        snprintf(text, sizeof text, "%.3f", figures->ipc);
        snprintf(remark, sizeof remark, "%.3f an SM; %.1f thread instructions a cycle",
                 figures->ipc / summary->stats->n_sm, figures->thread_ipc);
        line(summary, "IPC", text, remark);
        snprintf(text, sizeof text, "%.1f", figures->resident_warps);
        snprintf(remark, sizeof remark, "of %" PRIu32 " slots of an SM, arithmetic mean",
                 summary->config->sm.warp_slots);
        line(summary, "resident warps", text, remark);
    }
}

static void schedulers(const struct summary *summary)
{
    uint64_t all = 0u;

    for (uint32_t i = 0u; i < SCHEDULER_CLASSES; i++) {
        all += gpu_count_of(&gpu_sm_counts[i], &summary->sm);
    }
    heading(summary, "Scheduler cycles", "");
    for (uint32_t i = 0u; i < SCHEDULER_CLASSES; i++) {
        static const char *const names[SCHEDULER_CLASSES] = {
            "issued",
            "pipeline: arithmetic",
            "pipeline: memory",
            "scoreboard: arithmetic",
            "scoreboard: memory",
            "idle: no instruction",
            "paused",
        };
        const uint64_t n = gpu_count_of(&gpu_sm_counts[i], &summary->sm);
        if (i < SCHEDULER_CLASSES - 1u || n != 0u) {
            bar(summary, names[i], ratio(n, all), "");
        }
    }
}

/* ---- SMs without work ---------------------------------------------------------------- */

static void idle_rows(const struct summary *summary, uint64_t most)
{
    const struct gpu_stats *const stats = summary->stats;

    for (uint32_t i = 0u; i < stats->n_sm; i++) {
        if (i % ROW_SMS == 0u) {
            fprintf(summary->to, "%s  %-*s SM %3" PRIu32 ": ", i == 0u ? "" : "\n", NAME,
                    i == 0u ? "each, of the most" : "", i);
        }
        fputs(format_height(ratio(stats->sm[i].no_cta, most), summary->unicode), summary->to);
    }
    fputc('\n', summary->to);
}

static void idle_sms(const struct summary *summary)
{
    const struct gpu_stats *const stats = summary->stats;
    uint64_t least = UINT64_MAX;
    uint64_t most = 0u;
    const uint64_t n = stats->n_sm == 0u ? 1u : stats->n_sm;

    for (uint32_t i = 0u; i < stats->n_sm; i++) {
        const uint64_t idle = stats->sm[i].no_cta;
        least = idle < least ? idle : least;
        most = idle > most ? idle : most;
    }
    heading(summary, "Cycles of an SM without a CTA", "");
    line(summary, "least", format_count(least).text,
         format_share(ratio(least, stats->cycles)).text);
    line(summary, "arithmetic mean", format_count(summary->sm.no_cta / n).text,
         format_share(summary->figures.no_cta_share).text);
    line(summary, "most", format_count(most).text,
         format_share(ratio(most, stats->cycles)).text);
    if (most > 0u && stats->n_sm > 1u) {
        idle_rows(summary, most);
    }
}

/* ---- Memory -------------------------------------------------------------------------- */

static void hits(const struct summary *summary, const char *name, double rate, uint64_t reads)
{
    char remark[REMARK];

    if (reads != 0u) {
        snprintf(remark, sizeof remark, "of %s reads", format_count(reads).text);
        bar(summary, name, rate, remark);
    }
}

static void caches(const struct summary *summary)
{
    const struct gpu_sm_stats *const sm = &summary->sm;
    const struct figures *const figures = &summary->figures;
    uint64_t reads = 0u;
    char text[64];

    for (uint32_t i = 0u; i < summary->stats->n_l2; i++) {
        const struct gpu_l2_stats *const l2 = &summary->stats->l2[i];
        reads += l2->hit + l2->miss + l2->merge;
    }
    heading(summary, "Cache hits", isnan(figures->l2_hit_rate) ? "none is used" : "");
    hits(summary, "L1", figures->l1_hit_rate, sm->l1_hit + sm->l1_miss + sm->l1_merge);
    hits(summary, "constant", figures->constant_hit_rate,
         sm->constant_hit + sm->constant_miss + sm->constant_merge);
    hits(summary, "texture", figures->texture_hit_rate,
         sm->texture_hit + sm->texture_miss + sm->texture_merge);
    hits(summary, "L2", figures->l2_hit_rate, reads);
    if (!isnan(figures->miss_latency)) {
        snprintf(text, sizeof text, "%.1f", figures->miss_latency);
        line(summary, "miss latency", text, "cycles, from MSHR to fill; arithmetic mean");
    }
}

static void network(const struct summary *summary)
{
    const struct gpu_stats *const stats = summary->stats;
    const struct figures *const figures = &summary->figures;
    uint64_t lines = 0u;
    char remark[REMARK];

    for (uint32_t i = 0u; i < stats->n_dram; i++) {
        lines += stats->dram[i].read + stats->dram[i].write;
    }
    heading(summary, "Network and DRAM, busy", "");
    snprintf(remark, sizeof remark, "%s flits", format_count(stats->noc[0].flits).text);
    bar(summary, "requests", figures->request_share, remark);
    snprintf(remark, sizeof remark, "%s flits", format_count(stats->noc[1].flits).text);
    bar(summary, "responses", figures->response_share, remark);
    if (isnan(figures->dram_bandwidth)) {
        return;
    }
    snprintf(remark, sizeof remark, "%s of %s",
             format_unit(figures->dram_bandwidth, "B/s").text,
             format_unit(figures->dram_peak, "B/s").text);
    bar(summary, "DRAM data bus", figures->dram_bus_share, remark);
    if (!isnan(figures->dram_row_hit_rate)) {
        snprintf(remark, sizeof remark, "of %s lines", format_count(lines).text);
        bar(summary, "DRAM row hits", figures->dram_row_hit_rate, remark);
    }
}

/* ---- Energy -------------------------------------------------------------------------- */

static void energy(const struct summary *summary)
{
    const struct gpu_energy *const joules = &summary->stats->energy;
    char remark[REMARK];

    heading(summary, "Energy", "");
    for (const struct energy_part *part = energy_parts; part->name != NULL; part++) {
        const double value = energy_value(part, joules);
        if (value > 0.0) {
            bar(summary, part->of, value / joules->total, format_unit(value, "J").text);
        }
    }
    snprintf(remark, sizeof remark, "%s, arithmetic mean; EDP %s",
             format_unit(summary->figures.power, "W").text,
             format_unit(joules->edp, "Js").text);
    line(summary, "total", format_unit(joules->total, "J").text, remark);
}

static void program_line(const struct workload_program *program, uint64_t alone, FILE *to)
{
    char slowdown[32] = "-";

    if (alone != 0u) {
        snprintf(slowdown, sizeof slowdown, "%.3f", ratio(program->cycles, alone));
    }
    fprintf(to, "  %-*.*s %14s %11s %15s %11s %9s  %s\n", NAME, NAME, program->name,
            program->size == NULL ? "-" : program->size, format_count(program->launches).text,
            format_count(program->cycles).text, alone == 0u ? "-" : format_count(alone).text,
            slowdown,
            program->verdict == RIGHT   ? "right"
            : program->verdict == WRONG ? "wrong"
                                        : "not checked");
}

static void programs(const struct result *result, FILE *to)
{
    if (result->n_program == 0u) {
        return;
    }
    fprintf(to, "\n%-*s %14s %11s %15s %11s %9s  %s\n", NAME + 2, "Program", "size", "launches",
            "cycles", "alone", "slowdown", "result");
    for (uint32_t i = 0u; i < result->n_program; i++) {
        program_line(result->program[i], result->alone[i], to);
    }
}

static void each_kernel(const struct result *result, FILE *to)
{
    uint32_t n;
    struct kernel_row *const rows = by_kernel(result->gpu, result->stats, &n);

    if (rows != NULL) {
        summary_kernels(rows, n, to);
        summary_throttles(rows, n, to);
    }
    free(rows);
}

/* How much of the machine nobody has measured. */
static void calibration(const struct summary *summary, const char *gpu, uint32_t open)
{
    char remark[REMARK];

    snprintf(remark, sizeof remark,
             "of %d values of the GPU; gpusched config show %.40s --sources", GPU_KEYS, gpu);
    line(summary, "not calibrated", format_count(open).text, remark);
}

void summary_print(const struct result *result, const char *gpu, FILE *to)
{
    struct summary summary = {
        .to = to,
        .unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
        .config = result->config,
        .stats = result->stats,
        .figures = figures_of(result->config, result->stats),
    };

    for (uint32_t i = 0u; i < result->stats->n_sm; i++) {
        counts_add(gpu_sm_counts, &summary.sm, &result->stats->sm[i]);
    }
    fprintf(to, "%s%s%s on %s: %s\n", result->workload, result->size == NULL ? "" : " ",
            result->size == NULL ? "" : result->size, gpu, end_name(result->end));
    if (result->verdict != NOT_CHECKED) {
        fprintf(to, "%s: %s\n", result->verdict == RIGHT ? "verified" : "wrong", result->check);
    }
    programs(result, to);
    kernels(&summary);
    each_kernel(result, to);
    nested_print(result->gpu, result->stats, to);
    if (result->footprint != NULL) {
        footprints_print(result->footprint, to);
    }
    whole(&summary);
    calibration(&summary, gpu, result->not_calibrated);
    schedulers(&summary);
    idle_sms(&summary);
    caches(&summary);
    network(&summary);
    if (result->stats->energy.total > 0.0) {
        energy(&summary);
    }
}
