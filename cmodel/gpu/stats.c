/* stats - what the components have counted, settled at the current cycle. */

#include "gpu/stats.h"

#include <string.h>

#include "gpu/machine.h"

/* ---- The tables ---------------------------------------------------------------------- */

#define COUNT_sm(name, unit, meaning) \
    { #name, unit, meaning, offsetof(struct gpu_sm_stats, name) },
const char *const gpu_throttle_names[GPU_THROTTLES] = {
#define THROTTLE(unit, decides, samples) #unit,
#include "gpu/units/sockets.def"
};
const struct gpu_count gpu_sm_counts[] = {
#include "gpu/gpu_stats.def"
    { NULL, NULL, NULL, 0u },
};
#define COUNT_cluster(name, unit, meaning) \
    { #name, unit, meaning, offsetof(struct gpu_cluster_stats, name) },
const struct gpu_count gpu_cluster_counts[] = {
#include "gpu/gpu_stats.def"
    { NULL, NULL, NULL, 0u },
};
#define COUNT_noc(name, unit, meaning) \
    { #name, unit, meaning, offsetof(struct gpu_noc_stats, name) },
const struct gpu_count gpu_noc_counts[] = {
#include "gpu/gpu_stats.def"
    { NULL, NULL, NULL, 0u },
};
#define COUNT_l2(name, unit, meaning) \
    { #name, unit, meaning, offsetof(struct gpu_l2_stats, name) },
const struct gpu_count gpu_l2_counts[] = {
#include "gpu/gpu_stats.def"
    { NULL, NULL, NULL, 0u },
};
#define COUNT_dram(name, unit, meaning) \
    { #name, unit, meaning, offsetof(struct gpu_dram_stats, name) },
const struct gpu_count gpu_dram_counts[] = {
#include "gpu/gpu_stats.def"
    { NULL, NULL, NULL, 0u },
};

/* ---- Collecting ---------------------------------------------------------------------- */

void stats_cycles(const uint64_t class[8], const uint64_t inflight[8], const uint64_t ldst[8],
                  struct gpu_sm_stats *s)
{
    s->issued = class[GPU_ISSUED];
    s->pipeline_alu = class[GPU_PIPELINE_ALU];
    s->pipeline_memory = class[GPU_PIPELINE_MEMORY];
    s->scoreboard_alu = class[GPU_SCOREBOARD_ALU];
    s->scoreboard_memory = class[GPU_SCOREBOARD_MEMORY];
    s->idle = class[GPU_IDLE];
    s->paused = class[GPU_PAUSED];
    s->inflight_none = inflight[0];
    s->inflight_alu = inflight[1];
    s->inflight_memory = inflight[2];
    s->inflight_both = inflight[3];
    s->ldst_idle = ldst[LDST_IDLE];
    s->ldst_busy = ldst[LDST_BUSY];
    s->ldst_mshr = ldst[LDST_MSHR];
    s->ldst_merge = ldst[LDST_MERGE];
    s->ldst_queue = ldst[LDST_QUEUE];
}

static void collect_cycles(const struct gpu *g, const struct sm *m, struct gpu_sm_stats *s)
{
    uint64_t class[8] = { 0u };
    for (uint32_t k = 0u; k < g->schedulers; k++) {
        for (uint32_t c = 0u; c <= GPU_PAUSED; c++) {
            class[c] += m->scheduler[k].cycles.count[c];
        }
    }
    stats_cycles(class, m->inflight.count, m->ldst.count, s);
    s->no_cta = m->no_cta.count[1];
    s->gated = m->off.sum;
    s->resident_warps = m->resident.sum;
}

void stats_instructions(const struct issue_counts *issued, struct gpu_sm_stats *s)
{
    s->warp_instructions = s->thread_instructions = 0u;
    for (uint32_t op = 0u; op < OP_ALL; op++) {
        s->warp_instructions += issued->of[op].warps;
        s->thread_instructions += issued->of[op].lanes;
    }
    s->integer = issued->of[OP_INTEGER].warps + issued->of[OP_FENCE].warps;
    s->fp32 = issued->of[OP_FP32].warps;
    s->fp64 = issued->of[OP_FP64].warps;
    s->sfu = issued->of[OP_SFU].warps;
    s->tensor = issued->of[OP_TENSOR].warps;
    s->load = issued->of[OP_LOAD].warps;
    s->store = issued->of[OP_STORE].warps;
    s->atomic = issued->of[OP_ATOMIC].warps;
    s->shared = issued->of[OP_SHARED].warps;
    s->constant = issued->of[OP_CONSTANT].warps;
    s->texture = issued->of[OP_TEXTURE].warps;
    s->branch = issued->of[OP_BRANCH].warps;
    s->barrier = issued->of[OP_BARRIER].warps;
    s->exit = issued->of[OP_EXIT].warps;
    s->integer_lanes = issued->of[OP_INTEGER].lanes + issued->of[OP_FENCE].lanes;
    s->fp32_lanes = issued->of[OP_FP32].lanes;
    s->fp64_lanes = issued->of[OP_FP64].lanes;
    s->sfu_lanes = issued->of[OP_SFU].lanes;
    s->tensor_lanes = issued->of[OP_TENSOR].lanes;
    s->operands = issued->operands;
}

static void collect_memory(const struct sm *m, struct gpu_sm_stats *s)
{
    const struct cache *const l1 = &m->cache[PATH_L1];
    const struct cache *const constant = &m->cache[PATH_CONSTANT];
    const struct cache *const texture = &m->cache[PATH_TEXTURE];
    s->shared_passes = m->passes;
    s->l1_hit = l1->hit;
    s->l1_miss = l1->miss;
    s->l1_merge = l1->merge;
    s->l1_write = m->writes;
    s->l1_atomic = m->atomics;
    s->l1_fill = m->fills;
    s->l1_local = m->local;
    s->l1_local_hit = m->local_hit;
    s->l1_local_write = m->local_write;
    s->l1_written_back = m->written_back;
    s->constant_hit = constant->hit;
    s->constant_miss = constant->miss;
    s->constant_merge = constant->merge;
    s->texture_hit = texture->hit;
    s->texture_miss = texture->miss;
    s->texture_merge = texture->merge;
    s->icache_hit = m->cache[PATH_CODE].hit;
    s->icache_miss = m->cache[PATH_CODE].miss;
    s->icache_merge = m->cache[PATH_CODE].merge;
    s->icache_latency = m->cache[PATH_CODE].miss_latency;
    s->miss_latency = l1->miss_latency + constant->miss_latency + texture->miss_latency;
    s->miss_overlapped =
        l1->miss_overlapped + constant->miss_overlapped + texture->miss_overlapped;
    s->ctas = m->ctas;
    s->warps = m->warps;
}

void stats_l2_cycles(const uint64_t c[8], struct gpu_l2_stats *s)
{
    s->idle = c[L2_IDLE];
    s->busy = c[L2_BUSY];
    s->full_reply = c[L2_FULL_REPLY];
    s->full_mshr = c[L2_FULL_MSHR];
    s->full_merge = c[L2_FULL_MERGE];
    s->full_dram = c[L2_FULL_DRAM];
    s->full_set = c[L2_FULL_SET];
    s->atomic_busy = c[L2_ATOMIC_BUSY];
}

static void collect_l2(const struct slice *s, struct gpu_l2_stats *out)
{
    *out = (struct gpu_l2_stats){ .hit = s->hit,
                                  .miss = s->miss,
                                  .merge = s->merge,
                                  .write = s->write,
                                  .write_miss = s->write_miss,
                                  .fetch = s->fetch,
                                  .atomic = s->atomic,
                                  .writeback = s->writeback,
                                  .reply = s->replies };
    stats_l2_cycles(s->cycles.count, out);
}

static uint64_t domain_cycles(const struct domain *d, uint64_t cycles)
{
    return cycles * d->mul / d->div;
}

void stats_locality(const struct locality_counts *l, struct gpu_cluster_stats *to)
{
    uint64_t *const line[] = { &to->line_500, &to->line_1000, &to->line_1500, &to->line_2000 };
    uint64_t *const data[] = { &to->data_500, &to->data_1000, &to->data_1500, &to->data_2000 };
    uint64_t *const own[] = { &to->own_500, &to->own_1000, &to->own_1500, &to->own_2000 };

    for (uint32_t w = 0u; w < LOCALITY_WINDOWS; w++) {
        *line[w] = l->line[w];
        *data[w] = l->data[w];
        *own[w] = l->own[w];
    }
}

static void collect_parts(struct gpu *g, uint64_t cycles)
{
    const uint64_t noc_end = domain_cycles(&g->noc, cycles) + 1u;
    const uint64_t l2_end = domain_cycles(&g->l2, cycles) + 1u;
    const uint64_t dram_end = domain_cycles(&g->memory, cycles) + 1u;
    for (uint32_t i = 0u; i < g->n_cluster; i++) {
        struct cluster *const c = &g->cluster[i];
        classes_settle(&c->cycles, cycles + 1u, g->each);
        g->cluster_stats[i] =
            (struct gpu_cluster_stats){ .request_idle = c->cycles.count[REQUEST_IDLE],
                                        .request_busy = c->cycles.count[REQUEST_BUSY],
                                        .request_full = c->cycles.count[REQUEST_FULL],
                                        .delivered = c->delivered,
                                        .reads = c->reads,
                                        .merged = c->port.merged,
                                        .hits = c->port.hits,
                                        .tracked = c->port.tracked,
                                        .kept = c->port.kept };
        if (c->locality != NULL) {
            stats_locality(locality_counts(c->locality), &g->cluster_stats[i]);
        }
    }
    for (uint32_t i = 0u; i < 2u; i++) {
        struct crossbar *const x = &g->crossbar[i];
        integral_set(&x->blocked, x->blocked.value, noc_end);
        g->noc_stats[i] = (struct gpu_noc_stats){ .packets = x->packets,
                                                  .flits = x->flits,
                                                  .bytes = x->bytes,
                                                  .blocked = x->blocked.sum };
    }
    for (uint32_t i = 0u; i < g->n_slice; i++) {
        classes_settle(&g->slice[i].cycles, l2_end, g->each);
        collect_l2(&g->slice[i], &g->l2_stats[i]);
    }
    for (uint32_t i = 0u; i < g->n_dram; i++) {
        struct dram *const d = &g->dram[i];
        integral_set(&d->occupancy, d->occupancy.value, dram_end);
        g->dram_stats[i] = (struct gpu_dram_stats){
            .read = d->reads,
            .write = d->writes,
            .same_sm = d->same_sm,
            .activate = d->activates,
            .precharge = d->precharges,
            .bus = (d->reads + d->writes) * g->transfer[15].burst - d->bus_saved,
            .bytes = (d->reads + d->writes) * g->transfer[15].bytes - d->bytes_saved,
            .occupancy = d->occupancy.sum
        };
    }
}

/* Of kernels that have ended nothing changes any more. */
static void collect_kernels(struct gpu *g)
{
    for (uint32_t k = g->settled; k < g->n_kernel; k++) {
        uint64_t warps = 0u;
        for (uint32_t op = 0u; op < OP_ALL; op++) {
            warps += g->kernel[k].share->issued.of[op].warps;
        }
        g->kernel_stats[k].warp_instructions = warps;
    }
    g->settled = g->first_live;
}

static uint64_t tail(const struct gpu *g)
{
    uint64_t first = NEVER, last = 0u;

    for (uint32_t i = 0u; i < g->n_sm; i++) {
        const struct sm *const m = g->sm[i];
        const uint64_t dry = m->cta_used != 0u ? g->t : m->dry;
        if (dry != 0u) {
            first = dry < first ? dry : first;
            last = dry > last ? dry : last;
        }
    }
    return last == 0u ? 0u : last - first;
}

const struct gpu_stats *gpu_stats(struct gpu *g)
{
    const uint64_t cycles = g->t - 1u;
    uint64_t unanswered = g->inflight + clusters_unanswered(g) + memory_unanswered(g);
    unanswered += g->record_port.request.n + g->record_port.response.n;
    unanswered += g->binding.records.used - g->binding.records.n_free;
    sockets_settle(g);
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        sm_settle(g, g->sm[i], cycles + 1u);
        collect_cycles(g, g->sm[i], &g->sm_stats[i]);
        stats_instructions(&g->sm[i]->issued, &g->sm_stats[i]);
        collect_memory(g->sm[i], &g->sm_stats[i]);
        unanswered += sm_unanswered(g, g->sm[i]);
    }
    collect_parts(g, cycles);
    collect_kernels(g);
    queues_settle(g);
    g->stats =
        (struct gpu_stats){ .cycles = cycles,
                            .noc_cycles = domain_cycles(&g->noc, cycles),
                            .l2_cycles = domain_cycles(&g->l2, cycles),
                            .dram_cycles = domain_cycles(&g->memory, cycles),
                            .n_sm = g->n_sm,
                            .n_cluster = g->n_cluster,
                            .n_l2 = g->n_slice,
                            .n_kernel = g->n_kernel,
                            .sm = g->sm_stats,
                            .cluster = g->cluster_stats,
                            .noc = g->noc_stats,
                            .l2 = g->l2_stats,
                            .n_dram = g->n_dram,
                            .dram = g->dram_stats,
                            .kernel = g->kernel_stats,
                            .queue = g->sockets.kmu == NULL ? NULL : g->queue_levels.stats,
                            .most_of_set = g->queue_levels.most_of_set,
                            .tail = tail(g),
                            .unanswered = unanswered };
    energy_collect(g);
    return &g->stats;
}
