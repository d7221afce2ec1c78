/* energy - events times energy per event, and power times time. */

#include "gpu/machine.h"

static double times(uint64_t events, double picojoule)
{
    return (double)events * picojoule * 1e-12;
}

/* Events of all SMs. */
struct totals {
    uint64_t instructions, operands, lanes[PIPES], passes, l1, constant, texture, powered;
};

static struct totals totals_of(const struct gpu *g)
{
    struct totals sum = { 0u };
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        const struct gpu_sm_stats *const s = &g->sm_stats[i];
        sum.instructions += s->warp_instructions;
        sum.operands += s->operands;
        sum.lanes[OP_INTEGER] += s->integer_lanes;
        sum.lanes[OP_FP32] += s->fp32_lanes;
        sum.lanes[OP_FP64] += s->fp64_lanes;
        sum.lanes[OP_SFU] += s->sfu_lanes;
        sum.lanes[OP_TENSOR] += s->tensor_lanes;
        sum.passes += s->shared_passes;
        sum.l1 += s->l1_hit + s->l1_miss + s->l1_merge + s->l1_write + s->l1_atomic;
        sum.constant += s->constant_hit + s->constant_miss + s->constant_merge;
        sum.texture += s->texture_hit + s->texture_miss + s->texture_merge;
        sum.powered += g->stats.cycles - s->gated;
    }
    return sum;
}

void energy_collect(struct gpu *g)
{
    const struct totals n = totals_of(g);
    const struct gpu_config *const c = &g->config;
    struct gpu_energy *const e = &g->stats.energy;
    uint64_t l2 = 0u, activates = 0u, accesses = 0u;

    e->icc = 0.0;

    for (uint32_t i = 0u; i < g->n_slice; i++) {
        const struct gpu_l2_stats *const s = &g->l2_stats[i];
        l2 += s->hit + s->miss + s->merge + s->write;
        activates += g->dram_stats[i].activate;
        accesses += g->dram_stats[i].read + g->dram_stats[i].write;
    }
    const double cycle = 1e-6 / (double)c->clock.core;
    e->seconds = (double)g->stats.cycles * cycle;
    e->instruction = times(n.instructions, c->energy.instruction);
    e->registers = times(n.operands, c->energy.registers);
    e->arithmetic =
        times(n.lanes[OP_INTEGER], c->energy.integer) + times(n.lanes[OP_FP32], c->energy.fp32)
        + times(n.lanes[OP_FP64], c->energy.fp64) + times(n.lanes[OP_SFU], c->energy.sfu)
        + times(n.lanes[OP_TENSOR], c->energy.tensor);
    e->shared = times(n.passes, c->energy.shared);
    e->l1 = times(n.l1, c->energy.l1);
    e->constant = times(n.constant, c->energy.constant);
    e->texture = times(n.texture, c->energy.texture);
    for (uint32_t i = 0u; i < g->n_cluster; i++) {
        const struct port *const u = &g->cluster[i].port;
        e->icc += times(u->searches, c->energy.icc)
                  + times(u->hits + u->kept, c->energy.coalesced_cache);
    }
    e->noc = times(g->noc_stats[0].flits + g->noc_stats[1].flits, c->energy.noc);
    e->l2 = times(l2, c->energy.l2);
    e->dram =
        times(activates, c->energy.dram_activate) + times(accesses, c->energy.dram_access);
    e->sm_static = (double)n.powered * cycle * c->energy.sm_static;
    e->other_static = e->seconds * c->energy.other_static;
    e->dram_static = e->seconds * c->energy.dram_static;
    e->total = e->instruction + e->registers + e->arithmetic + e->shared + e->l1 + e->constant
               + e->texture + e->icc + e->noc + e->l2 + e->dram + e->sm_static + e->other_static
               + e->dram_static;
    e->edp = e->total * e->seconds;
}
