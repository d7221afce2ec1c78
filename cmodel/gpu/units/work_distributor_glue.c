/*
 * work_distributor_glue - the work distributor in the machine. Its clock is the GPU's, and it
 * is clocked at most once in a cycle. A cycle in which its inputs are those of the last one, in
 * which nothing went out and no launch was offered or under way, changes nothing in it; such
 * cycles are left out.
 */

#include "gpu/machine.h"

/* ---- Inputs -------------------------------------------------------------------------- */

static bool is_busy(const struct work_distributor *unit)
{
    return unit->scheduler.q.busy || unit->credits.q.busy;
}

static uint32_t policy_of(const struct gpu *g)
{
    switch (g->config.dispatch.policy) {
    case DISPATCH_GLOBAL_RR:
        return CTA_GLOBAL_RR;
    case DISPATCH_TWO_LEVEL_RR:
        return CTA_TWO_LEVEL_RR;
    case DISPATCH_GREEDY_CLUSTER:
        return CTA_GREEDY_CLUSTERING;
    case DISPATCH_DISTRIBUTED:
    case DISPATCH_DISTRIBUTED_BLOCK:
    default:
        return CTA_DISTRIBUTED;
    }
}

/* Offers the first launch that waits, over the SMs that take CTAs now. Without any it waits. */
static void offer_launch(const struct gpu *g, struct work_distributor_in *in)
{
    const struct distributor *const d = &g->distributor;

    if (d->n_waiting == 0u || !bits_any(d->sms)) {
        return;
    }
    const struct launch_request *const request = &d->waiting[0];
    const struct kernel *const k = &g->kernel[request->kernel];
    in->launch_valid = true;
    in->launch_kernel = k->slot;
    in->launch_keep = request->keep;
    in->launch_ctas = k->ctas;
    in->launch_sms = d->sms;
    in->launch_policy = policy_of(g);
    in->launch_block = k->block / 2u; /* 1, 2, 4 are 0, 1, 2 */
    in->launch_steal = g->config.dispatch.steal;
    in->launch_active = g->config.claso.active_levels;
    in->launch_loose = g->config.claso.loose_levels;
}

static void show_kernel(const struct gpu *g, struct work_distributor_in *in)
{
    in->limit = bits_below(g->n_sm);
    if (g->current < g->n_kernel) {
        const struct kernel *const k = &g->kernel[g->current];
        in->kernel = k->slot;
        in->room = dispatch_room(g, g->current);
        in->limit = limits_of(g, k);
    }
}

void work_distributor_inputs(struct gpu *g, uint32_t i, struct work_distributor_in *in)
{
    struct distributor *const d = &g->distributor;

    in->dispatch_ready = g->t >= d->open;
    show_kernel(g, in);
    offer_launch(g, in);
    d->launching = in->launch_valid || is_busy(&g->sockets.work_distributor[i].unit);
}

/* ---- Outputs ------------------------------------------------------------------------- */

void work_distributor_outputs(struct gpu *g, uint32_t i, const struct work_distributor_in *in,
                              const struct work_distributor_out *out)
{
    struct distributor *const d = &g->distributor;

    d->settled = work_distributor_quiet(&g->sockets.work_distributor[i].unit, in);
    if (d->launching) {
        g->progress = g->t;
    }
    if (in->launch_valid && out->launch_ready) {
        distributor_launched(g);
    }
    if (out->dispatch_count != 0u && in->dispatch_ready) {
        d->open = g->t + (uint64_t)out->dispatch_count * g->config.dispatch.cta_interval;
        dispatch_issue(g, d->leader[out->dispatch_kernel], out->dispatch_sm, out->dispatch_cta,
                       out->dispatch_count);
    }
}
