/*
 * claso_glue - CLASO in the machine where LaPerm dispatches; elsewhere it is in the work
 * distributor. Kernels of the host have credits, and what thread blocks launch has none (rule
 * C-11). Its cycle comes before LaPerm's, whose candidate it is asked for.
 *
 * LaPerm shows a CTA a cycle after it has picked it, and what it shows goes out. So the mask is
 * that after this cycle's consume, which is of the CTA that shows; and the credits of a kernel
 * are allocated when none of it shows, and none of it is picked.
 */

#include "gpu/machine.h"

/* A CTA of the host's kernel in this slot is picked, and has not gone out. */
static bool shows(const struct gpu *g, uint32_t slot)
{
    const struct laperm_state *const q = &g->sockets.laperm->unit.q;

    return q->going && q->level == 0u && q->kernel == slot;
}

/* Offers the launch that is dealt with, over the SMs that take CTAs now. */
static void offer_launch(const struct gpu *g, struct claso_in *in)
{
    if (g->binding.dealing == NO_KERNEL) {
        return;
    }
    const struct kernel *const k = &g->kernel[g->binding.dealing];
    if (shows(g, k->slot)) {
        return;
    }
    in->launch_valid = true;
    in->launch_kernel = k->slot;
    in->launch_ctas = k->ctas - k->issued;
    in->launch_cores = g->distributor.sms;
    in->launch_active = g->config.claso.active_levels;
    in->launch_loose = g->config.claso.loose_levels;
}

void claso_inputs(struct gpu *g, uint32_t i, struct claso_in *in)
{
    const struct laperm_state *const q = &g->sockets.laperm->unit.q;
    const struct distributor *const d = &g->distributor;
    const bool waits = d->n_waiting != 0u && bits_any(d->sms);

    (void)i;
    g->binding.dealing = waits ? d->waiting[0].kernel : NO_KERNEL;
    if (g->binding.candidate != NO_KERNEL) {
        in->kernel = g->kernel[g->binding.candidate].slot;
    }
    in->consume_kernel = q->kernel;
    in->consume_core = q->to;
    in->consume_valid = q->going && q->level == 0u && g->t >= g->distributor.open;
    offer_launch(g, in);
}

void claso_outputs(struct gpu *g, uint32_t i, const struct claso_in *in,
                   const struct claso_out *out)
{
    g->binding.dealt = claso_quiet(&g->sockets.claso[i].unit, in);
    if (in->launch_valid && out->launch_ready) {
        g->progress = g->t;
        distributor_launched(g);
    }
}

struct bits credits_of(const struct gpu *g)
{
    if (g->sockets.claso == NULL) {
        return bits_below(g->n_sm);
    }
    return g->binding.candidate == g->binding.dealing ? (struct bits){ { 0u } }
                                                      : g->sockets.claso->out.allow_after;
}
