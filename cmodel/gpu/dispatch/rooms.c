/*
 * rooms - which SMs take CTAs, and have room for a block of the kernel that issues; and what
 * the room of the SMs, which is a unit, is told.
 *
 * CTAs of several slots that end on an SM in one cycle are told one slot a cycle. A slot is
 * launched when no such CTAs wait, so that those of the kernel that had it before are gone.
 * With strict pairs blocks are told of, and not their CTAs: all contexts of a block are free
 * when none of its CTAs is on the SM, since they have ended or left (rule B-7).
 */

#include "gpu/machine.h"

void dispatch_open(struct gpu *g, const struct sm *m)
{
    if (!m->draining && !m->gated && g->t >= m->gate_open
        && !bits_has(g->returns.held, m->id)) {
        bits_add(&g->rooms.open, m->id);
    } else {
        bits_remove(&g->rooms.open, m->id);
    }
    g->dispatch_dirty = true;
}

void dispatch_opens(struct gpu *g)
{
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        dispatch_open(g, g->sm[i]);
    }
}

struct bits dispatch_room(const struct gpu *g, uint32_t kernel)
{
    const struct rooms *const rooms = &g->rooms;
    struct bits room = { { 0u } };

    for (uint32_t w = 0u; kernel < g->n_kernel && kernel == rooms->kernel && w < 3u; w++) {
        room.word[w] = rooms->fits.word[w] & rooms->open.word[w];
    }
    return room;
}

void dispatch_count(struct gpu *g)
{
    g->rooms.dirty = true;
    g->dispatch_dirty = true;
}

/* ---- CTAs that end ------------------------------------------------------------------- */

static bool same_block(const struct gpu *g, const struct gpu_cta_event *a,
                       const struct gpu_cta_event *b)
{
    const struct sm *const m = g->sm[a->sm];

    return a->sm == b->sm && a->kernel == b->kernel
           && m->cta[a->slot].block == m->cta[b->slot].block;
}

/* Some of them, from `from` on, are of the event's block. */
static bool any_of_block(const struct gpu *g, const struct gpu_cta_event *e,
                         const struct gpu_cta_event *events, uint32_t from, uint32_t n)
{
    for (uint32_t k = from; k < n; k++) {
        if (same_block(g, e, &events[k])) {
            return true;
        }
    }
    return false;
}

bool rooms_has_block(const struct gpu *g, uint32_t sm, uint32_t kernel, uint32_t block)
{
    const struct sm *const m = g->sm[sm];

    for (uint32_t set = m->cta_used; set != 0u; set &= set - 1u) {
        const struct cta *const c = &m->cta[lowest(set)];
        if (c->kernel == kernel && c->block == block) {
            return true;
        }
    }
    return false;
}

/* With event i of those that end in this cycle, or else of those that leave, a block is off its
 * SM: none of its CTAs is there, and this is its last event of the cycle. */
static bool frees_block(const struct gpu *g, uint32_t i, bool leaves)
{
    const struct gpu_record *const r = &g->record;
    const struct gpu_cta_event *const e = leaves ? &r->left[i] : &r->ended[i];

    if (rooms_has_block(g, e->sm, e->kernel, g->sm[e->sm]->cta[e->slot].block)) {
        return false;
    }
    return leaves ? !any_of_block(g, e, r->left, i + 1u, r->n_left)
                  : !any_of_block(g, e, r->ended, i + 1u, r->n_ended)
                        && !any_of_block(g, e, r->left, 0u, r->n_left);
}

/* Contexts of the slot are free. */
static void rooms_free(struct gpu *g, uint32_t sm, uint32_t slot, uint32_t contexts)
{
    uint8_t *const ended = &g->rooms.ended[sm][slot];

    *ended = (uint8_t)(*ended + contexts);
    bits_add(&g->rooms.waiting, sm);
}

void rooms_collect(struct gpu *g)
{
    const struct gpu_record *const r = &g->record;
    const bool strict = g->config.dispatch.strict_pairs;

    for (uint32_t i = 0u; i < r->n_ended; i++) {
        const struct gpu_cta_event *const e = &r->ended[i];
        const struct kernel *const k = &g->kernel[e->kernel];
        if (!strict || frees_block(g, i, false)) {
            rooms_free(g, e->sm, k->slot, strict ? k->block : 1u);
        }
    }
}

/* The slot of n whose CTAs are told of next: the kernel's, or the lowest; n if none is. */
static uint32_t next_slot(const uint8_t *ended, uint32_t n, uint32_t first)
{
    uint32_t slot = 0u;

    if (ended[first] != 0u) {
        return first;
    }
    while (slot < n && ended[slot] == 0u) {
        slot++;
    }
    return slot;
}

uint32_t rooms_ended(struct gpu *g, uint32_t sm, uint32_t first, uint32_t most, uint32_t *slot)
{
    uint8_t *const ended = g->rooms.ended[sm];
    const uint32_t slots = g->config.dispatch.kernels;

    *slot = next_slot(ended, slots, first);
    const uint32_t count = ended[*slot] < most ? ended[*slot] : most;
    ended[*slot] = (uint8_t)(ended[*slot] - count);
    if (next_slot(ended, slots, 0u) == slots) {
        bits_remove(&g->rooms.waiting, sm);
    }
    return count;
}

/* Where LaPerm dispatches, the kernel distributor is told of those that end and not of these.
 */
void rooms_left(struct gpu *g, uint32_t i)
{
    struct rooms *const rooms = &g->rooms;
    const struct gpu_cta_event *const e = &g->record.left[i];
    const struct kernel *const k = &g->kernel[e->kernel];
    const bool strict = g->config.dispatch.strict_pairs;

    if (g->sockets.kdu != NULL) {
        rooms->left[e->sm][k->slot]++;
        bits_add(&rooms->leaving, e->sm);
    } else if (!strict || frees_block(g, i, true)) {
        rooms_free(g, e->sm, k->slot, strict ? k->block : 1u);
    }
}

uint32_t rooms_take_left(struct gpu *g, uint32_t sm)
{
    uint8_t *const left = g->rooms.left[sm];
    const uint32_t slots = g->config.dispatch.kernels;
    const uint32_t slot = next_slot(left, slots, 0u);

    left[slot]--;
    if (next_slot(left, slots, 0u) == slots) {
        bits_remove(&g->rooms.leaving, sm);
    }
    return slot;
}

/* ---- Kernels, and the answer --------------------------------------------------------- */

const struct kernel *rooms_launch(struct gpu *g)
{
    struct rooms *const rooms = &g->rooms;

    if (rooms->n_launch == 0u || bits_any(rooms->waiting) || bits_any(rooms->leaving)) {
        return NULL;
    }
    struct kernel *const k = &g->kernel[rooms->launch[0]];
    k->told = true;
    rooms->n_launch--;
    for (uint32_t i = 0u; i < rooms->n_launch; i++) {
        rooms->launch[i] = rooms->launch[i + 1u];
    }
    return k;
}

uint32_t rooms_warps(const struct gpu_config *config)
{
    const uint32_t by_threads = config->sm.threads / WARP_SIZE;

    return by_threads < config->sm.warp_slots ? by_threads : config->sm.warp_slots;
}

void rooms_say(struct gpu *g, struct bits fits, bool quiet)
{
    struct rooms *const rooms = &g->rooms;

    g->dispatch_dirty = g->dispatch_dirty || !bits_equal(rooms->fits, fits);
    rooms->fits = fits;
    rooms->settled = rooms->n_launch == 0u && !bits_any(rooms->waiting)
                     && !bits_any(rooms->leaving) && quiet;
}
