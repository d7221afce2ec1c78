/* by_kernel - see by_kernel.h. */

#include "gpusched/result/by_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "gpusched/result/counts.h"

/* The row of a launch, which may be a new one. */
static struct kernel_row *row_of(struct kernel_row *rows, uint32_t *n,
                                 const struct gpu_kernel_stats *kernel)
{
    for (uint32_t i = 0u; i < *n; i++) {
        if (rows[i].stream == kernel->stream && strcmp(rows[i].name, kernel->name) == 0) {
            return &rows[i];
        }
    }
    rows[*n].name = kernel->name;
    rows[*n].stream = kernel->stream;
    return &rows[(*n)++];
}

/* Of a kernel that has not ended: up to now. */
static uint64_t cycles_of(const struct gpu_kernel_stats *kernel, const struct gpu_stats *stats)
{
    const uint64_t end = kernel->ended != 0u ? kernel->ended : stats->cycles + 1u;

    return kernel->first_cta == 0u || end < kernel->first_cta ? 0u : end - kernel->first_cta;
}

static void add_throttle(struct gpu_throttle_stats *to, const struct gpu_throttle_stats *more)
{
    to->sms += more->sms;
    to->decided += more->decided;
    to->ctas += more->ctas;
    to->periods += more->periods;
    to->limits += more->limits;
    for (uint32_t n = 0u; n <= GPU_MAX_CTAS; n++) {
        to->sms_at[n] += more->sms_at[n];
    }
    to->most = more->most > to->most ? more->most : to->most;
    if (to->least == 0u || (more->least != 0u && more->least < to->least)) {
        to->least = more->least;
    }
}

struct kernel_row *by_kernel(const struct gpu *gpu, const struct gpu_stats *stats, uint32_t *n)
{
    struct kernel_row *const rows = calloc(stats->n_kernel + 1u, sizeof *rows);
    struct gpu_share share;

    *n = 0u;
    for (uint32_t k = 0u; rows != NULL && k < stats->n_kernel; k++) {
        struct kernel_row *const row = row_of(rows, n, &stats->kernel[k]);
        gpu_share(gpu, k, &share);
        gpu_share_add(&row->share, &share);
        row->launches++;
        for (uint32_t i = 0u; i < GPU_THROTTLES; i++) {
            add_throttle(&row->throttle[i], &stats->kernel[k].throttle[i]);
        }
        row->cycles += cycles_of(&stats->kernel[k], stats);
    }
    if (rows != NULL) {
        gpu_share(gpu, stats->n_kernel, &rows[(*n)++].share);
    }
    return rows;
}

const void *share_group(const struct gpu_share *share, uint32_t group)
{
    const void *const groups[COUNT_GROUPS] = { &share->sm, &share->cluster, share->noc,
                                               &share->l2, &share->dram };

    return groups[group];
}

uint64_t share_scheduler_cycles(const struct gpu_share *share)
{
    uint64_t all = 0u;

    for (uint32_t i = 0u; i < SCHEDULER_CLASSES; i++) {
        all += gpu_count_of(&gpu_sm_counts[i], &share->sm);
    }
    return all;
}
