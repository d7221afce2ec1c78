/* stats_share - what belongs to a kernel of all that has been counted. */

#include <inttypes.h>
#include <math.h>

#include "gpu/machine.h"
#include "gpu/stats.h"

/* ---- A share ------------------------------------------------------------------------- */

static void collect_sm(const struct share *of, struct gpu_sm_stats *s)
{
    stats_cycles(of->cycles, of->inflight, of->ldst, s);
    stats_instructions(&of->issued, s);
    s->shared_passes = of->passes;
    s->l1_hit = of->hit[PATH_L1];
    s->l1_miss = of->miss[PATH_L1];
    s->l1_merge = of->merge[PATH_L1];
    s->l1_write = of->writes;
    s->l1_atomic = of->atomics;
    s->l1_fill = of->fills;
    s->l1_local = of->local;
    s->l1_local_hit = of->local_hit;
    s->l1_local_write = of->local_write;
    s->l1_written_back = of->written_back;
    s->constant_hit = of->hit[PATH_CONSTANT];
    s->constant_miss = of->miss[PATH_CONSTANT];
    s->constant_merge = of->merge[PATH_CONSTANT];
    s->texture_hit = of->hit[PATH_TEXTURE];
    s->texture_miss = of->miss[PATH_TEXTURE];
    s->texture_merge = of->merge[PATH_TEXTURE];
    s->icache_hit = of->hit[PATH_CODE];
    s->icache_miss = of->miss[PATH_CODE];
    s->icache_merge = of->merge[PATH_CODE];
    s->icache_latency = of->code_latency;
    s->miss_latency = of->miss_latency;
    s->miss_overlapped = of->miss_overlapped;
    s->ctas = of->ctas;
    s->warps = of->warps;
    s->resident_warps = of->resident;
}

/* Warps that are still there, and requests that still wait: those that have gone are in the
 * share. */
static void add_unfinished(const struct gpu *g, const struct share *of, struct gpu_share *out)
{
    const uint64_t dram_end = g->stats.dram_cycles + 1u;
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        for (uint64_t set = g->sm[i]->alive; set != 0u; set &= set - 1u) {
            const struct warp *const w = &g->sm[i]->warp[lowest(set)];
            out->sm.resident_warps += w->of == of ? g->stats.cycles + 1u - w->since : 0u;
        }
    }
    for (uint32_t i = 0u; i < g->n_dram; i++) {
        for (uint32_t side = 0u; side < 2u; side++) {
            const struct dram_side *const d = &g->dram[i].side[side];
            for (uint64_t set = d->valid; set != 0u; set &= set - 1u) {
                const struct dram_request *const q = &d->queue[lowest(set)];
                out->dram.occupancy += q->of == of ? dram_end - q->since : 0u;
            }
        }
    }
}

/* What is of no kernel by what it is. */
static void add_nobodys(const struct gpu *g, struct gpu_share *out)
{
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        out->sm.no_cta += g->sm_stats[i].no_cta;
        out->sm.gated += g->sm_stats[i].gated;
    }
    for (uint32_t i = 0u; i < 2u; i++) {
        out->noc[i].blocked += g->noc_stats[i].blocked;
    }
}

void gpu_share(const struct gpu *g, uint32_t kernel, struct gpu_share *out)
{
    const bool none = kernel == g->n_kernel;
    const struct share *const of = none ? g->nobody : g->kernel[kernel].share;

    *out = (struct gpu_share){ .cluster = of->cluster,
                               .noc = { of->noc[0], of->noc[1] },
                               .l2 = of->l2,
                               .dram = of->dram };
    collect_sm(of, &out->sm);
    out->cluster.request_idle = of->request[REQUEST_IDLE];
    out->cluster.request_full = of->request[REQUEST_FULL];
    stats_locality(&of->locality, &out->cluster);
    stats_l2_cycles(of->l2_cycles, &out->l2);
    /* What requests of less than a line have saved is counted. */
    const uint64_t lines = out->dram.read + out->dram.write;
    out->dram.bus = lines * g->transfer[15].burst - of->dram.bus;
    out->dram.bytes = lines * g->transfer[15].bytes - of->dram.bytes;
    if (none) {
        add_nobodys(g, out);
    }
    add_unfinished(g, of, out);
    energy_share(g, of, out);
}

/* ---- All of them --------------------------------------------------------------------- */

static void add_counts(const struct gpu_count *rows, const void *from, void *to)
{
    for (const struct gpu_count *row = rows; row->name != NULL; row++) {
        *(uint64_t *)(void *)((char *)to + row->offset) += gpu_count_of(row, from);
    }
}

void gpu_share_add(struct gpu_share *to, const struct gpu_share *from)
{
    add_counts(gpu_sm_counts, &from->sm, &to->sm);
    add_counts(gpu_cluster_counts, &from->cluster, &to->cluster);
    add_counts(gpu_noc_counts, &from->noc[0], &to->noc[0]);
    add_counts(gpu_noc_counts, &from->noc[1], &to->noc[1]);
    add_counts(gpu_l2_counts, &from->l2, &to->l2);
    add_counts(gpu_dram_counts, &from->dram, &to->dram);
#define ADD_ENERGY(part) to->energy.part += from->energy.part
    ADD_ENERGY(instruction);
    ADD_ENERGY(registers);
    ADD_ENERGY(arithmetic);
    ADD_ENERGY(shared);
    ADD_ENERGY(l1);
    ADD_ENERGY(constant);
    ADD_ENERGY(texture);
    ADD_ENERGY(icc);
    ADD_ENERGY(noc);
    ADD_ENERGY(l2);
    ADD_ENERGY(dram);
    ADD_ENERGY(sm_static);
    ADD_ENERGY(other_static);
    ADD_ENERGY(dram_static);
    ADD_ENERGY(total);
    ADD_ENERGY(seconds);
#undef ADD_ENERGY
}

static struct gpu_share whole_of(const struct gpu *g)
{
    struct gpu_share whole = { .energy = g->stats.energy };
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        add_counts(gpu_sm_counts, &g->sm_stats[i], &whole.sm);
    }
    for (uint32_t i = 0u; i < g->n_cluster; i++) {
        add_counts(gpu_cluster_counts, &g->cluster_stats[i], &whole.cluster);
    }
    for (uint32_t i = 0u; i < 2u; i++) {
        add_counts(gpu_noc_counts, &g->noc_stats[i], &whole.noc[i]);
    }
    for (uint32_t i = 0u; i < g->n_slice; i++) {
        add_counts(gpu_l2_counts, &g->l2_stats[i], &whole.l2);
    }
    for (uint32_t i = 0u; i < g->n_dram; i++) {
        add_counts(gpu_dram_counts, &g->dram_stats[i], &whole.dram);
    }
    return whole;
}

static bool same(const char *group, const struct gpu_count *rows, const void *whole,
                 const void *sum, struct fault *fault)
{
    for (const struct gpu_count *row = rows; row->name != NULL; row++) {
        const uint64_t all = gpu_count_of(row, whole), parts = gpu_count_of(row, sum);
        if (all != parts) {
            return fault_set(
                fault, "%s.%s is %" PRIu64 ", but kernels and what is of none have %" PRIu64,
                group, row->name, all, parts);
        }
    }
    return true;
}

bool gpu_shares_whole(const struct gpu *g, struct fault *fault)
{
    const struct gpu_share whole = whole_of(g);
    struct gpu_share sum = { .sm = { 0u } }, share;

    for (uint32_t k = 0u; k <= g->n_kernel; k++) {
        gpu_share(g, k, &share);
        gpu_share_add(&sum, &share);
    }
    if (fabs(sum.energy.total - whole.energy.total) > 1e-9 * whole.energy.total) {
        return fault_set(fault, "the energy is %g J, but kernels and what is of none have %g J",
                         whole.energy.total, sum.energy.total);
    }
    return same("sm", gpu_sm_counts, &whole.sm, &sum.sm, fault)
           && same("cluster", gpu_cluster_counts, &whole.cluster, &sum.cluster, fault)
           && same("noc", gpu_noc_counts, &whole.noc[0], &sum.noc[0], fault)
           && same("noc", gpu_noc_counts, &whole.noc[1], &sum.noc[1], fault)
           && same("l2", gpu_l2_counts, &whole.l2, &sum.l2, fault)
           && same("dram", gpu_dram_counts, &whole.dram, &sum.dram, fault);
}
