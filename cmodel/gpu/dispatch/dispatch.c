/*
 * dispatch - CTAs go to SMs: at most one block of them a cycle.
 *
 * An SM has room for a block if the resources of all its CTAs are free, whichever CTAs had
 * them. With strict pairs they are those of blocks that have ended as a whole: the SM's blocks
 * of the kernel are fewer than it could hold alone. Limiters take SMs away, from each kernel
 * its own. The work distributor, a unit, does the rest: launches.c and its glue.
 */

#include "gpu/wake.h"

/* ---- Room ---------------------------------------------------------------------------- */

/* Blocks of the kernel on an SM of which a CTA is still there. */
static uint32_t blocks_on(const struct sm *m, uint32_t kernel)
{
    uint32_t first[MAX_CTAS];
    uint32_t blocks = 0u;

    for (uint32_t set = m->cta_used; set != 0u; set &= set - 1u) {
        const struct cta *const c = &m->cta[lowest(set)];
        if (c->kernel != kernel) {
            continue;
        }
        uint32_t i = 0u;
        while (i < blocks && first[i] != c->block) {
            i++;
        }
        first[i] = c->block;
        blocks += i == blocks;
    }
    return blocks;
}

static bool fits(const struct gpu *g, const struct sm *m, const struct kernel *k)
{
    const uint32_t n = k->block;

    return !m->draining && !m->gated && g->t >= m->gate_open
           && (uint32_t)__builtin_popcount(m->cta_used) + n <= g->config.sm.cta_slots
           && m->registers_free >= n * k->registers
           && m->shared_free >= n * k->source.shape.shared_bytes
           && m->threads_free >= n * k->warps * WARP_SIZE
           && (uint32_t)__builtin_popcountll(m->warp_free) >= n * k->warps
           && (!g->config.dispatch.strict_pairs
               || blocks_on(m, (uint32_t)(k - g->kernel)) < k->whole_blocks);
}

void dispatch_room(struct gpu *g, const struct sm *m)
{
    if (g->current < g->n_kernel && fits(g, m, &g->kernel[g->current])) {
        bits_add(&g->room, m->id);
    } else {
        bits_remove(&g->room, m->id);
    }
    g->dispatch_dirty = true;
}

void dispatch_rooms(struct gpu *g)
{
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        dispatch_room(g, g->sm[i]);
    }
}

/* ---- Limits -------------------------------------------------------------------------- */

void gpu_allow(struct gpu *g, uint32_t kernel, struct bits sms)
{
    g->kernel[kernel].allowed = sms;
    g->dispatch_dirty = true;
    (void)wake_at(g, g->t);
}

/* ---- A cycle ------------------------------------------------------------------------- */

void dispatch_ended(struct gpu *g, uint64_t t)
{
    const struct gpu_record *const r = &g->record;

    for (uint32_t i = 0u; g->monitor.cta_ended != NULL && i < r->n_ended; i++) {
        const struct gpu_cta_event *const e = &r->ended[i];
        g->monitor.cta_ended(g->monitor.self, e->kernel, e->cta, e->sm, e->slot, t + 1u);
    }
    for (uint32_t i = 0u; i < r->n_ended; i++) {
        const struct gpu_cta_event *const e = &r->ended[i];
        struct kernel *const k = &g->kernel[e->kernel];
        g->progress = t;
        dispatch_room(g, g->sm[e->sm]);
        if (++k->done == k->ctas) {
            kernel_end(g, e->kernel, t);
        }
    }
}

static void tell_started(const struct gpu *g, uint64_t t)
{
    for (uint32_t i = 0u; g->monitor.cta_started != NULL && i < g->n_starting; i++) {
        const struct gpu_cta_event *const e = &g->starting[i];
        g->monitor.cta_started(g->monitor.self, e->kernel, e->cta, e->sm, e->slot, t + 1u);
    }
}

void dispatch_issue(struct gpu *g, uint32_t kernel, uint32_t sm, uint32_t cta, uint32_t count)
{
    struct kernel *const k = &g->kernel[kernel];

    if (k->issued == 0u) {
        g->kernel_stats[kernel].first_cta = g->t + 1u;
    }
    for (uint32_t i = 0u; i < count; i++) {
        cta_start(g, g->sm[sm], kernel, cta + i, cta, g->t);
        if (g->end == GPU_ILLEGAL) {
            return;
        }
    }
    tell_started(g, g->t);
    dispatch_room(g, g->sm[sm]);
    if (k->issued == k->ctas) {
        g->starting_last = true;
        distributor_exhausted(g, kernel);
        kernels_choose(g);
    }
}
