/* counts - loops over what is counted; see counts.h. */

#include "gpusched/result/counts.h"

#include <assert.h>

static_assert(offsetof(struct gpu_sm_stats, no_cta) == SCHEDULER_CLASSES * sizeof(uint64_t),
              "the classes of scheduler cycles are the first rows");

const struct count_group count_groups[COUNT_GROUPS] = {
    { "sm", "each SM", gpu_sm_counts, sizeof(struct gpu_sm_stats) },
    { "cluster", "each cluster's port", gpu_cluster_counts, sizeof(struct gpu_cluster_stats) },
    { "noc", "each direction of the NoC: requests, responses", gpu_noc_counts,
      sizeof(struct gpu_noc_stats) },
    { "l2", "each L2 slice", gpu_l2_counts, sizeof(struct gpu_l2_stats) },
    { "dram", "each DRAM partition", gpu_dram_counts, sizeof(struct gpu_dram_stats) },
};

const void *count_members(const struct count_group *group, const struct gpu_stats *stats,
                          uint32_t *n)
{
    const struct {
        const void *members;
        uint32_t n;
    } found[COUNT_GROUPS] = {
        { stats->sm, stats->n_sm }, { stats->cluster, stats->n_cluster }, { stats->noc, 2u },
        { stats->l2, stats->n_l2 }, { stats->dram, stats->n_dram },
    };
    const size_t i = (size_t)(group - count_groups);

    *n = found[i].n;
    return found[i].members;
}

void counts_add(const struct gpu_count *counts, void *total, const void *member)
{
    for (const struct gpu_count *row = counts; row->name != NULL; row++) {
        uint64_t *const sum = (uint64_t *)(void *)((char *)total + row->offset);
        *sum += gpu_count_of(row, member);
    }
}

uint64_t count_total(const struct gpu_count *row, const struct count_group *group,
                     const struct gpu_stats *stats)
{
    uint32_t n;
    const char *const members = count_members(group, stats, &n);
    uint64_t sum = 0u;

    for (uint32_t i = 0u; i < n; i++) {
        sum += gpu_count_of(row, members + i * group->size);
    }
    return sum;
}
