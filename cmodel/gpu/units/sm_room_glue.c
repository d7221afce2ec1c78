/*
 * sm_room_glue - the room of the SMs in the machine. The unit's cycle comes after the SMs' and
 * before the work distributor's, and is left out if nothing about it has changed.
 * What it is told of CTAs and kernels is in rooms.c; of CTAs that end on an SM, those of the
 * kernel that issues first.
 */

#include "gpu/machine.h"

enum { MOST_TOLD = 7 }; /* CTAs of an SM in a cycle */

/* ---- CTAs that start and end --------------------------------------------------------- */

static void tell_ended(struct gpu *g, struct sm_room_in *in)
{
    rooms_collect(g);
    for (uint32_t sm = 0u; bits_any(g->rooms.waiting) && sm < g->n_sm; sm++) {
        if (bits_has(g->rooms.waiting, sm)) {
            in->ended[sm] = rooms_ended(g, sm, g->rooms.slot, MOST_TOLD, &in->ended_kernel[sm]);
        }
    }
}

static void tell_started(const struct gpu *g, struct sm_room_in *in)
{
    const struct gpu_record *const r = &g->record;

    if (r->n_started != 0u && !r->beside) {
        const struct kernel *const k = &g->kernel[r->started[0].kernel];
        in->started = g->config.dispatch.strict_pairs ? k->block : r->n_started;
        in->started_sm = r->started[0].sm;
        in->started_kernel = k->slot;
    }
}

/* ---- Kernels ------------------------------------------------------------------------- */

/* The kernel that issues; before it starts, the next that will. n_kernel: there is none. */
static uint32_t served(const struct gpu *g)
{
    uint32_t first = g->current;

    for (uint32_t i = 0u; g->current == g->n_kernel && i < g->n_resident; i++) {
        const struct kernel *const k = &g->kernel[g->resident[i]];
        if (k->issued < k->ctas
            && (first == g->n_kernel || k->order < g->kernel[first].order)) {
            first = g->resident[i];
        }
    }
    return first;
}

static void tell_kernel(struct gpu *g, struct sm_room_in *in)
{
    struct rooms *const rooms = &g->rooms;
    const uint32_t id = served(g);

    if (id < g->n_kernel && g->kernel[id].told) {
        rooms->kernel = id;
        rooms->slot = g->kernel[id].slot;
        rooms->block = g->kernel[id].block;
    }
    in->kernel = rooms->slot;
    in->block = rooms->block;
}

static void tell_launch(struct gpu *g, struct sm_room_in *in)
{
    const struct kernel *const k = rooms_launch(g);

    if (k != NULL) {
        in->launch_valid = true;
        in->launch_kernel = k->slot;
        in->launch_registers = k->takes.registers;
        in->launch_shared = k->takes.shared_bytes;
        in->launch_warps = k->takes.warps;
    }
}

/* ---- The unit ------------------------------------------------------------------------ */

void sm_room_inputs(struct gpu *g, uint32_t i, struct sm_room_in *in)
{
    const struct gpu_config *const c = &g->config;

    (void)i;
    in->have_registers = c->sm.registers;
    in->have_shared = c->sm.shared_bytes;
    in->have_warps = rooms_warps(c);
    in->have_ctas = c->sm.cta_slots;
    tell_kernel(g, in); /* as it was: a launch of this cycle is in no room yet */
    tell_started(g, in);
    tell_ended(g, in);
    tell_launch(g, in);
}

void sm_room_outputs(struct gpu *g, uint32_t i, const struct sm_room_in *in,
                     const struct sm_room_out *out)
{
    rooms_say(g, out->room, sm_room_quiet(&g->sockets.sm_room[i].unit, in));
}
