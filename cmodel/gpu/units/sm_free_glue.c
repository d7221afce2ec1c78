/*
 * sm_free_glue - the room of the SMs in the machine where LaPerm gives out CTAs, of another
 * kernel in each cycle. Its cycle comes after the SMs' and before LaPerm's, and is left out if
 * nothing about it has changed. Of CTAs that end it is told what the kernel distributor was
 * told in this cycle: one of an SM.
 */

#include "gpu/machine.h"

static void tell_ctas(struct gpu *g, struct sm_free_in *in)
{
    const struct gpu_record *const r = &g->record;
    const struct kdu_in *const kdu = &g->sockets.kdu->in; /* in no other cycle are there any */

    for (uint32_t sm = 0u; bits_any(g->rooms.leaving) && sm < g->n_sm; sm++) {
        if (bits_has(g->rooms.leaving, sm) && kdu->ended[sm] == 0u) {
            in->ended_kernel[sm] = rooms_take_left(g, sm);
            bits_add(&in->ended, sm);
        }
    }
    if (r->n_started != 0u) {
        in->started = true;
        in->started_sm = r->started[0].sm;
        in->started_kernel = g->kernel[r->started[0].kernel].slot;
    }
    for (uint32_t sm = 0u; sm < g->n_sm; sm++) {
        if (kdu->ended[sm] != 0u) {
            in->ended_kernel[sm] = kdu->ended_kernel[sm];
            bits_add(&in->ended, sm);
        }
    }
}

static void tell_kernels(struct gpu *g, struct sm_free_in *in)
{
    const uint32_t candidate = g->binding.candidate;

    if (candidate != NO_KERNEL && g->kernel[candidate].told) {
        g->rooms.kernel = candidate;
        g->rooms.slot = g->kernel[candidate].slot;
    }
    in->kernel = g->rooms.slot;
    const struct kernel *const k = rooms_launch(g);
    if (k != NULL) {
        in->launch_valid = true;
        in->launch_kernel = k->slot;
        in->launch_registers = k->takes.registers;
        in->launch_shared = k->takes.shared_bytes;
        in->launch_warps = k->takes.warps;
    }
}

void sm_free_inputs(struct gpu *g, uint32_t i, struct sm_free_in *in)
{
    const struct gpu_config *const c = &g->config;

    (void)i;
    in->have_registers = c->sm.registers;
    in->have_shared = c->sm.shared_bytes;
    in->have_warps = rooms_warps(c);
    in->have_ctas = c->sm.cta_slots;
    tell_ctas(g, in);
    tell_kernels(g, in);
}

void sm_free_outputs(struct gpu *g, uint32_t i, const struct sm_free_in *in,
                     const struct sm_free_out *out)
{
    /* There may be room for others than the kernel that it is asked for. */
    g->dispatch_dirty =
        g->dispatch_dirty || in->launch_valid || in->started || bits_any(in->ended);
    rooms_say(g, out->room, sm_free_quiet(&g->sockets.sm_free[i].unit, in));
}
