/* energy - events times energy per event, and power times time. An access of a cache costs as
 * its line is long; what happens on the die costs as its technology says. */

#include "gpu/machine.h"

static double times(uint64_t events, double picojoule)
{
    return (double)events * picojoule * 1e-12;
}

/* Events of the whole GPU, or of a kernel. */
struct events {
    uint64_t instructions, operands, lanes[PIPES], passes, l1, constant, texture;
    uint64_t searches, lines; /* of clusters' merge tables and coalesced caches */
    uint64_t bytes;           /* through the crossbars */
    uint64_t l2, activates, moved;
    uint64_t powered; /* cycles of SMs that are not gated */
    uint64_t gatings; /* SMs that are gated, each time */
    double seconds;   /* of the rest of the machine */
};

static void add_sm(struct events *sum, const struct gpu_sm_stats *s)
{
    sum->instructions += s->warp_instructions;
    sum->operands += s->operands;
    sum->lanes[OP_INTEGER] += s->integer_lanes;
    sum->lanes[OP_FP32] += s->fp32_lanes;
    sum->lanes[OP_FP64] += s->fp64_lanes;
    sum->lanes[OP_SFU] += s->sfu_lanes;
    sum->lanes[OP_TENSOR] += s->tensor_lanes;
    sum->passes += s->shared_passes;
    sum->l1 += s->l1_hit + s->l1_miss + s->l1_merge + s->l1_write + s->l1_atomic
               + s->l1_local_write + s->l1_written_back;
    sum->constant += s->constant_hit + s->constant_miss + s->constant_merge;
    sum->texture += s->texture_hit + s->texture_miss + s->texture_merge;
}

static void add_l2(struct events *sum, const struct gpu_l2_stats *l2)
{
    sum->l2 += l2->hit + l2->miss + l2->merge + l2->write;
}

static void add_dram(struct events *sum, const struct gpu_dram_stats *dram)
{
    sum->activates += dram->activate;
    sum->moved += dram->bytes;
}

static struct events events_of(const struct gpu *g)
{
    struct events sum = { 0u };
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        add_sm(&sum, &g->sm_stats[i]);
        sum.powered += g->stats.cycles - g->sm_stats[i].gated;
        sum.gatings += g->sm[i]->gatings;
    }
    for (uint32_t i = 0u; i < g->n_slice; i++) {
        add_l2(&sum, &g->l2_stats[i]);
    }
    for (uint32_t i = 0u; i < g->n_dram; i++) {
        add_dram(&sum, &g->dram_stats[i]);
    }
    for (uint32_t i = 0u; i < g->n_cluster; i++) {
        const struct port *const u = &g->cluster[i].port;
        sum.searches += u->searches;
        sum.lines += u->hits + u->kept;
    }
    sum.bytes = g->noc_stats[0].bytes + g->noc_stats[1].bytes;
    return sum;
}

static double cycle_of(const struct gpu *g)
{
    return 1e-6 / (double)g->config.clock.core;
}

/* The events on the die. */
static void die_of(const struct gpu_config *c, const struct events *n, struct gpu_energy *e)
{
    const double scale = c->energy.scale;
    e->instruction = times(n->instructions, scale * c->energy.instruction);
    e->registers = times(n->operands, scale * c->energy.registers);
    e->arithmetic = times(n->lanes[OP_INTEGER], scale * c->energy.integer)
                    + times(n->lanes[OP_FP32], scale * c->energy.fp32)
                    + times(n->lanes[OP_FP64], scale * c->energy.fp64)
                    + times(n->lanes[OP_SFU], scale * c->energy.sfu)
                    + times(n->lanes[OP_TENSOR], scale * c->energy.tensor);
    e->shared = times(n->passes, scale * c->energy.shared);
    e->l1 = times(n->l1 * c->l1.line, scale * c->energy.l1);
    e->constant = times(n->constant * c->constant.line, scale * c->energy.constant);
    e->texture = times(n->texture * c->texture.line, scale * c->energy.texture);
    e->icc = times(n->searches, scale * c->energy.icc)
             + times(n->lines * c->l1.line, scale * c->energy.coalesced_cache);
    e->noc = times(n->bytes, scale * c->energy.noc);
    e->l2 = times(n->l2 * c->l2.line, scale * c->energy.l2);
}

static void energy_of(const struct gpu *g, const struct events *n, struct gpu_energy *e)
{
    const struct gpu_config *const c = &g->config;
    e->seconds = n->seconds;
    die_of(c, n, e);
    e->dram = times(n->activates, c->energy.dram_activate * c->dram.row_bytes / 1024.0)
              + times(n->moved, c->energy.dram_access);
    e->sm_static = ((double)n->powered + (double)n->gatings * c->energy.gate) * cycle_of(g)
                   * c->energy.sm_static;
    e->other_static = e->seconds * c->energy.other_static;
    e->dram_static = e->seconds * c->energy.dram_static;
    e->total = e->instruction + e->registers + e->arithmetic + e->shared + e->l1 + e->constant
               + e->texture + e->icc + e->noc + e->l2 + e->dram + e->sm_static + e->other_static
               + e->dram_static;
}

void energy_collect(struct gpu *g)
{
    struct gpu_energy *const e = &g->stats.energy;
    struct events n = events_of(g);
    n.seconds = (double)g->stats.cycles * cycle_of(g);
    energy_of(g, &n, e);
    e->edp = e->total * e->seconds;
}

/* An SM's static power is of the kernel whose its cycles are. Of the rest of the machine a
 * kernel has as large a part as of the cycles of all SMs. */
void energy_share(const struct gpu *g, const struct share *of, struct gpu_share *share)
{
    const struct gpu_sm_stats *const s = &share->sm;
    const uint64_t cycles =
        s->inflight_none + s->inflight_alu + s->inflight_memory + s->inflight_both;
    struct events n = { .searches = of->searches,
                        .lines = share->cluster.hits + share->cluster.kept,
                        .bytes = share->noc[0].bytes + share->noc[1].bytes,
                        .powered = cycles - s->gated,
                        .seconds = (double)cycles / (double)g->n_sm * cycle_of(g) };
    for (uint32_t i = 0u; of == g->nobody && i < g->n_sm; i++) {
        n.gatings += g->sm[i]->gatings;
    }
    add_sm(&n, s);
    add_l2(&n, &share->l2);
    add_dram(&n, &share->dram);
    energy_of(g, &n, &share->energy);
}
