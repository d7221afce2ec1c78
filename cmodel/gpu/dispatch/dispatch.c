/*
 * dispatch - CTAs go to SMs: at most one block of them a cycle.
 *
 * Which SMs have room for a block the room of the SMs says, a unit; of those the ones that take
 * CTAs are open. Limiters take SMs away, from each kernel its own. The work distributor, a unit
 * too, does the rest: launches.c and the glue of both.
 */

#include "gpu/wake.h"

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

    if (r->n_ended == 0u) {
        return;
    }
    for (uint32_t i = 0u; g->monitor.cta_ended != NULL && i < r->n_ended; i++) {
        const struct gpu_cta_event *const e = &r->ended[i];
        g->monitor.cta_ended(g->monitor.self, e->kernel, e->cta, e->sm, e->slot, t + 1u);
    }
    dispatch_count(g);
    if (g->sockets.kdu != NULL || g->returns.n_away != 0u) {
        g->alarm = t; /* it is told of them in this cycle */
    }
    for (uint32_t i = 0u; i < r->n_ended; i++) {
        const struct gpu_cta_event *const e = &r->ended[i];
        struct kernel *const k = &g->kernel[e->kernel];
        g->progress = t;
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
    dispatch_count(g);
    if (k->issued == k->ctas) {
        g->starting_last = true;
        distributor_exhausted(g, kernel);
        kernels_choose(g);
    }
}
