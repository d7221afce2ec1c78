/*
 * sm_room_glue - the room of the SMs in the machine. The unit's cycle comes after the SMs' and
 * before the work distributor's, and is left out if nothing about it has changed.
 *
 * CTAs of several slots that end on an SM in one cycle are told one slot a cycle, those of the
 * kernel that issues first. A slot is launched when no such CTAs wait, so that those of the
 * kernel that had it before are gone. With strict pairs the end of a block is told, and not of
 * its CTAs: all its contexts are free when its last CTA has ended.
 */

#include "gpu/machine.h"

enum { MOST_TOLD = 7 }; /* CTAs of an SM in a cycle */

/* ---- CTAs that start and end --------------------------------------------------------- */

static bool same_block(const struct gpu *g, const struct gpu_cta_event *a,
                       const struct gpu_cta_event *b)
{
    const struct sm *const m = g->sm[a->sm];

    return a->sm == b->sm && a->kernel == b->kernel
           && m->cta[a->slot].block == m->cta[b->slot].block;
}

/* With event i of those that end in this cycle a block has ended as a whole. */
static bool ends_block(const struct gpu *g, uint32_t i)
{
    const struct gpu_record *const r = &g->record;
    const struct gpu_cta_event *const e = &r->ended[i];
    const struct sm *const m = g->sm[e->sm];

    for (uint32_t set = m->cta_used; set != 0u; set &= set - 1u) {
        const struct cta *const c = &m->cta[lowest(set)];
        if (c->kernel == e->kernel && c->block == m->cta[e->slot].block) {
            return false;
        }
    }
    for (uint32_t k = i + 1u; k < r->n_ended; k++) {
        if (same_block(g, e, &r->ended[k])) {
            return false;
        }
    }
    return true;
}

/* Takes note of the CTAs that have ended in this cycle. */
static void collect(struct gpu *g)
{
    const struct gpu_record *const r = &g->record;
    struct rooms *const rooms = &g->rooms;

    for (uint32_t i = 0u; i < r->n_ended; i++) {
        const struct gpu_cta_event *const e = &r->ended[i];
        const struct kernel *const k = &g->kernel[e->kernel];
        const bool strict = g->config.dispatch.strict_pairs;
        if (!strict || ends_block(g, i)) {
            uint8_t *const ended = &rooms->ended[e->sm][k->slot];
            *ended = (uint8_t)(*ended + (strict ? k->block : 1u));
            bits_add(&rooms->waiting, e->sm);
        }
    }
}

/* The slot whose CTAs are told of next: the kernel's, or the lowest; MAX_RESIDENT if none is.
 */
static uint32_t next_slot(const uint8_t *ended, uint32_t first)
{
    uint32_t slot = 0u;

    if (ended[first] != 0u) {
        return first;
    }
    while (slot < MAX_RESIDENT && ended[slot] == 0u) {
        slot++;
    }
    return slot;
}

static void tell_ended(struct gpu *g, struct sm_room_in *in)
{
    struct rooms *const rooms = &g->rooms;

    collect(g);
    for (uint32_t sm = 0u; bits_any(rooms->waiting) && sm < g->n_sm; sm++) {
        if (!bits_has(rooms->waiting, sm)) {
            continue;
        }
        uint8_t *const ended = rooms->ended[sm];
        const uint32_t slot = next_slot(ended, rooms->slot);
        in->ended[sm] = ended[slot] < MOST_TOLD ? ended[slot] : MOST_TOLD;
        in->ended_kernel[sm] = slot;
        ended[slot] = (uint8_t)(ended[slot] - in->ended[sm]);
        if (next_slot(ended, 0u) == MAX_RESIDENT) {
            bits_remove(&rooms->waiting, sm);
        }
    }
}

static void tell_started(const struct gpu *g, struct sm_room_in *in)
{
    const struct gpu_record *const r = &g->record;

    if (r->n_started != 0u) {
        const struct kernel *const k = &g->kernel[r->started[0].kernel];
        in->started = g->config.dispatch.strict_pairs ? k->block : r->n_started;
        in->started_sm = r->started[0].sm;
        in->started_kernel = k->slot;
    }
}

/* ---- Kernels ------------------------------------------------------------------------- */

/* The kernel that issues; before it starts, the next that will. With LaPerm, its candidate.
 * n_kernel and more: there is none. */
static uint32_t served(const struct gpu *g)
{
    uint32_t first = g->current;

    if (g->sockets.laperm != NULL) {
        return g->binding.candidate;
    }

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
    struct rooms *const rooms = &g->rooms;

    if (rooms->n_launch == 0u || bits_any(rooms->waiting)) {
        return;
    }
    struct kernel *const k = &g->kernel[rooms->launch[0]];
    in->launch_valid = true;
    in->launch_kernel = k->slot;
    in->launch_registers = k->takes.registers;
    in->launch_shared = k->takes.shared_bytes;
    in->launch_warps = k->takes.warps;
    k->told = true;
    rooms->n_launch--;
    for (uint32_t i = 0u; i < rooms->n_launch; i++) {
        rooms->launch[i] = rooms->launch[i + 1u];
    }
}

/* ---- The unit ------------------------------------------------------------------------ */

void sm_room_inputs(struct gpu *g, uint32_t i, struct sm_room_in *in)
{
    const struct gpu_config *const c = &g->config;

    (void)i;
    in->have_registers = c->sm.registers;
    in->have_shared = c->sm.shared_bytes;
    in->have_warps = c->sm.threads / WARP_SIZE < c->sm.warp_slots ? c->sm.threads / WARP_SIZE
                                                                  : c->sm.warp_slots;
    in->have_ctas = c->sm.cta_slots;
    tell_kernel(g, in); /* as it was: a launch of this cycle is in no room yet */
    tell_started(g, in);
    tell_ended(g, in);
    tell_launch(g, in);
}

void sm_room_outputs(struct gpu *g, uint32_t i, const struct sm_room_in *in,
                     const struct sm_room_out *out)
{
    struct rooms *const rooms = &g->rooms;

    g->dispatch_dirty = g->dispatch_dirty || !bits_equal(rooms->fits, out->room);
    rooms->fits = out->room;
    rooms->settled = rooms->n_launch == 0u && !bits_any(rooms->waiting)
                     && sm_room_quiet(&g->sockets.sm_room[i].unit, in);
}
