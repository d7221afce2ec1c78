/* summary_kernels - see summary_kernels.h. */

#include "gpusched/result/summary_kernels.h"

#include <inttypes.h>
#include <math.h>

#include "gpusched/result/figures.h"
#include "tool/format.h"

enum { MOST_ROWS = 24, SHARE = 16 };

/* In percent, without the sign, which stands at the head. */
static void share(double value, FILE *to)
{
    if (isnan(value)) {
        fprintf(to, " %6s", "-");
    } else {
        fprintf(to, " %6.1f", 100.0 * value);
    }
}

static void row(const struct kernel_row *kernel, bool streams, FILE *to)
{
    const struct gpu_sm_stats *const sm = &kernel->share.sm;
    const struct gpu_l2_stats *const l2 = &kernel->share.l2;
    const uint64_t all = share_scheduler_cycles(&kernel->share);
    char stream[SHARE] = "";

    if (streams && kernel->name != NULL) {
        snprintf(stream, sizeof stream, "%" PRIu32 ": ", kernel->stream);
    }
    const int left = 21 - (int)snprintf(NULL, 0u, "%s", stream);
    fprintf(to, "  %s%-*.*s", stream, left, left - 1,
            kernel->name == NULL ? "(no kernel)" : kernel->name);
    fprintf(to, " %8s %13s", format_count(kernel->launches).text,
            format_count(sm->warp_instructions).text);
    share(ratio(sm->issued, all), to);
    share(ratio(sm->scoreboard_memory + sm->pipeline_memory, all), to);
    share(ratio(sm->scoreboard_alu + sm->pipeline_alu, all), to);
    share(ratio(sm->idle + sm->paused, all), to);
    share(ratio(sm->l1_hit, sm->l1_hit + sm->l1_miss + sm->l1_merge), to);
    share(ratio(l2->hit, l2->hit + l2->miss + l2->merge), to);
    fprintf(to, " %11s %10s %9s\n",
            format_count(kernel->share.noc[0].flits + kernel->share.noc[1].flits).text,
            format_count(kernel->share.dram.read + kernel->share.dram.write).text,
            format_unit(kernel->share.energy.total, "J").text);
}

/* ---- Throttles ----------------------------------------------------------------------- */

static bool has_throttle(const struct kernel_row *row)
{
    bool any = false;

    for (uint32_t k = 0u; k < GPU_THROTTLES; k++) {
        any = any || row->throttle[k].sms != 0u;
    }
    return any;
}

/* Of each launch on each SM. */
static void throttle_row(const struct kernel_row *row, uint32_t k, FILE *to)
{
    const struct gpu_throttle_stats *const t = &row->throttle[k];

    fprintf(to, "  %-21.20s %-10s %8.1f %10.1f %9.1f\n", row->name, gpu_throttle_names[k],
            ratio(t->ctas, t->sms), 100.0 * ratio(t->decided, t->sms),
            ratio(t->periods, t->sms));
}

void summary_throttles(const struct kernel_row *rows, uint32_t n, FILE *to)
{
    uint32_t shown = 0u;

    for (uint32_t i = 0u; i < n && shown < MOST_ROWS; i++) {
        if (shown == 0u && has_throttle(&rows[i])) {
            fprintf(to, "\n%-34s %8s %10s %9s\n", "Throttles, arithmetic mean of SMs",
                    "CTAs/SM", "% decided", "periods");
        }
        for (uint32_t k = 0u; k < GPU_THROTTLES; k++) {
            if (rows[i].throttle[k].sms != 0u) {
                throttle_row(&rows[i], k, to);
                shown++;
            }
        }
    }
}

/* ---- What belongs to each ------------------------------------------------------------ */

void summary_kernels(const struct kernel_row *rows, uint32_t n, FILE *to)
{
    bool streams = false;

    for (uint32_t i = 0u; i + 1u < n; i++) {
        streams = streams || rows[i].stream != rows[0].stream;
    }
    fprintf(to, "\n%-23s %8s %13s %27s %13s\n", "By kernel", "", "",
            "% of its scheduler cycles", "% hits in");
    fprintf(to, "%-23s %8s %13s %6s %6s %6s %6s %6s %6s %11s %10s %9s\n",
            streams ? "  stream: kernel" : "", "launches", "warp instr.", "issued", "memory",
            "arith.", "idle", "L1", "L2", "NoC flits", "DRAM lines", "energy");
    for (uint32_t i = 0u; i < n; i++) {
        if (n <= MOST_ROWS || i + 2u < MOST_ROWS || i + 1u == n) {
            row(&rows[i], streams, to);
        } else if (i + 2u == MOST_ROWS) {
            fprintf(to, "  and %" PRIu32 " more\n", n - MOST_ROWS + 1u);
        }
    }
}
