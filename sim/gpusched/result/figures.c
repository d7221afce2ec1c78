/* figures - rates and shares of a run; see figures.h. */

#include "gpusched/result/figures.h"

#include <math.h>

#include "gpusched/result/counts.h"

const struct figure figure_table[] = {
#define FIGURE(name, unit, meaning) { #name, unit, meaning, offsetof(struct figures, name) },
#include "gpusched/result/figures.def"
    { NULL, NULL, NULL, 0u },
};

#define PART(name, of)                               \
    {                                                \
#name, of, offsetof(struct gpu_energy, name) \
    }
const struct energy_part energy_parts[] = {
    PART(instruction, "instruction"),
    PART(registers, "registers"),
    PART(arithmetic, "arithmetic"),
    PART(shared, "shared memory"),
    PART(l1, "L1"),
    PART(constant, "constant cache"),
    PART(texture, "texture cache"),
    PART(icc, "coalescing"),
    PART(noc, "NoC"),
    PART(l2, "L2"),
    PART(dram, "DRAM"),
    PART(sm_static, "SMs, static"),
    PART(other_static, "NoC and L2, static"),
    PART(dram_static, "DRAM, static"),
    { NULL, NULL, 0u },
};

double ratio(uint64_t a, uint64_t b)
{
    return b == 0u ? (double)NAN : (double)a / (double)b;
}

struct totals {
    struct gpu_sm_stats sm;
    struct gpu_cluster_stats cluster;
    struct gpu_l2_stats l2;
    struct gpu_dram_stats dram;
};

static struct totals totals_of(const struct gpu_stats *stats)
{
    struct totals totals = { 0 };

    for (uint32_t i = 0u; i < stats->n_sm; i++) {
        counts_add(gpu_sm_counts, &totals.sm, &stats->sm[i]);
    }
    for (uint32_t i = 0u; i < stats->n_cluster; i++) {
        counts_add(gpu_cluster_counts, &totals.cluster, &stats->cluster[i]);
    }
    for (uint32_t i = 0u; i < stats->n_l2; i++) {
        counts_add(gpu_l2_counts, &totals.l2, &stats->l2[i]);
    }
    for (uint32_t i = 0u; i < stats->n_dram; i++) {
        counts_add(gpu_dram_counts, &totals.dram, &stats->dram[i]);
    }
    return totals;
}

static void sm_figures(struct figures *figures, const struct gpu_sm_stats *sm,
                       const struct gpu_config *config, const struct gpu_stats *stats)
{
    const uint64_t sm_cycles = stats->cycles * stats->n_sm;

    figures->seconds = (double)stats->cycles / ((double)config->clock.core * 1e6);
    figures->ipc = ratio(sm->warp_instructions, stats->cycles);
    figures->thread_ipc = ratio(sm->thread_instructions, stats->cycles);
    figures->issued_share = ratio(sm->issued, sm_cycles * config->warp.schedulers);
    figures->no_cta_share = ratio(sm->no_cta, sm_cycles);
    figures->tail = stats->n_sm == 0u ? (double)NAN : (double)stats->tail;
    figures->resident_warps = ratio(sm->resident_warps, sm_cycles);
    figures->l1_hit_rate = ratio(sm->l1_hit, sm->l1_hit + sm->l1_miss + sm->l1_merge);
    figures->constant_hit_rate =
        ratio(sm->constant_hit, sm->constant_hit + sm->constant_miss + sm->constant_merge);
    figures->texture_hit_rate =
        ratio(sm->texture_hit, sm->texture_hit + sm->texture_miss + sm->texture_merge);
    figures->miss_latency =
        ratio(sm->miss_latency, sm->l1_miss + sm->constant_miss + sm->texture_miss);
}

static void cluster_figures(struct figures *figures, const struct gpu_cluster_stats *cluster,
                            const struct gpu_config *config)
{
    figures->cluster_locality =
        config->cluster.locality
            ? ratio(cluster->line_2000 + cluster->data_2000, cluster->reads)
            : (double)NAN;
    figures->merged_share = ratio(cluster->merged, cluster->reads);
    figures->coalesced_hit_rate = ratio(cluster->hits, cluster->reads);
}

static void memory_figures(struct figures *figures, const struct totals *totals,
                           const struct gpu_config *config, const struct gpu_stats *stats)
{
    const struct gpu_dram_stats *const dram = &totals->dram;
    const struct gpu_l2_stats *const l2 = &totals->l2;
    const uint64_t lines = dram->read + dram->write;
    const uint64_t hits = lines > dram->activate ? lines - dram->activate : 0u;
    const uint64_t bus_cycles = stats->dram_cycles * stats->n_dram;
    const double hertz = (double)config->clock.dram * 1e6;
    const uint64_t width =
        (uint64_t)config->dram.bus_bytes * config->dram.data_rate * stats->n_dram;

    figures->l2_hit_rate = ratio(l2->hit, l2->hit + l2->miss + l2->merge);
    figures->request_share = ratio(stats->noc[0].flits, stats->noc_cycles * stats->n_l2);
    figures->response_share = ratio(stats->noc[1].flits, stats->noc_cycles * stats->n_cluster);
    figures->dram_bus_share = ratio(dram->bus, bus_cycles);
    figures->dram_row_hit_rate = ratio(hits, lines);
    figures->dram_queue = ratio(dram->occupancy, bus_cycles);
    figures->dram_bandwidth = ratio(dram->bytes, stats->dram_cycles) * hertz;
    figures->dram_peak = (double)width * hertz;
}

struct figures figures_of(const struct gpu_config *config, const struct gpu_stats *stats)
{
    const struct totals totals = totals_of(stats);
    struct figures figures;

    sm_figures(&figures, &totals.sm, config, stats);
    cluster_figures(&figures, &totals.cluster, config);
    memory_figures(&figures, &totals, config, stats);
    figures.power = stats->cycles == 0u ? (double)NAN : stats->energy.total / figures.seconds;
    return figures;
}
