/* interval - counts between two samples; see interval.h. */

#include "gpusched/result/interval.h"

#include <stdlib.h>
#include <string.h>

#include "gpusched/result/counts.h"

bool interval_open(struct interval *interval, const struct gpu_config *config)
{
    const uint32_t n = config->sm.count;

    *interval = (struct interval){
        .n_sm = n,
        .n_dram = config->l2.slices * config->dram.channels,
        .schedulers = config->warp.schedulers,
        .each = calloc(n, sizeof *interval->each),
        .sm_before = calloc(n, sizeof *interval->sm_before),
    };
    return interval->each != NULL && interval->sm_before != NULL;
}

void interval_close(struct interval *interval)
{
    free(interval->each);
    free(interval->sm_before);
}

/* difference = now - before; before = now. */
static void settle(const struct gpu_count *counts, void *difference, void *before,
                   const void *now, size_t size)
{
    for (const struct gpu_count *row = counts; row->name != NULL; row++) {
        uint64_t *const value = (uint64_t *)(void *)((char *)difference + row->offset);
        *value = gpu_count_of(row, now) - gpu_count_of(row, before);
    }
    memcpy(before, now, size);
}

static void settle_memory(struct interval *interval, const struct gpu_stats *stats)
{
    struct gpu_l2_stats l2 = { 0 };
    struct gpu_dram_stats dram = { 0 };

    for (uint32_t i = 0u; i < stats->n_l2; i++) {
        counts_add(gpu_l2_counts, &l2, &stats->l2[i]);
    }
    for (uint32_t i = 0u; i < stats->n_dram; i++) {
        counts_add(gpu_dram_counts, &dram, &stats->dram[i]);
    }
    settle(gpu_l2_counts, &interval->l2, &interval->l2_before, &l2, sizeof l2);
    settle(gpu_dram_counts, &interval->dram, &interval->dram_before, &dram, sizeof dram);
    for (uint32_t i = 0u; i < 2u; i++) {
        settle(gpu_noc_counts, &interval->noc[i], &interval->noc_before[i], &stats->noc[i],
               sizeof stats->noc[i]);
    }
}

bool interval_next(struct interval *interval, struct gpu *gpu, uint64_t cycle)
{
    if (cycle <= interval->to) {
        return false;
    }
    const struct gpu_stats *const stats = gpu_stats(gpu);

    interval->from = interval->to;
    interval->to = cycle;
    interval->dram_cycles = stats->dram_cycles - interval->dram_cycles_before;
    interval->dram_cycles_before = stats->dram_cycles;
    memset(&interval->sm, 0, sizeof interval->sm);
    memset(interval->warps, 0, sizeof interval->warps);
    for (uint32_t i = 0u; i < interval->n_sm; i++) {
        settle(gpu_sm_counts, &interval->each[i], &interval->sm_before[i], &stats->sm[i],
               sizeof stats->sm[i]);
        counts_add(gpu_sm_counts, &interval->sm, &interval->each[i]);
        gpu_warp_states(gpu, i, interval->warps);
    }
    settle_memory(interval, stats);
    return true;
}
