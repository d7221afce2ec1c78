/*
 * sm_leave - warps that stand at a barrier, and CTAs that wait for the kernels that they have
 * launched.
 *
 * A warp that waits for them stands still, as at a barrier. A CTA with such a warp, all of
 * whose warps stand still or have exited, leaves its SM when what its warps have in flight is
 * complete: its slot, registers, shared memory and warp slots are free (rule LP-25). Its
 * registers and shared memory are kept in memory; to save them takes time and accesses while it
 * still holds its places, and to restore them when it has them again (cdp.swap_bytes). It comes
 * back to its SM; its instruction buffers are empty then.
 */

#include <stdlib.h>

#include "gpu/sm/sm_parts.h"

enum { PATIENCE = 8 }; /* cycles from a look at what is in flight to the next */

/* ---- Warps go on --------------------------------------------------------------------- */

static void warps_open(struct gpu *g, struct sm *m, uint64_t set, uint64_t t)
{
    for (; set != 0u; set &= set - 1u) {
        struct warp *const w = &m->warp[lowest(set)];
        warp_refill(g, m, w, t);
        m->at_barrier &= ~w->self;
        if (g->two_level_on && w->pending == 0u) {
            two_level_return(g, m, w->slot);
        }
        warp_next(g, m, w, t, t);
    }
}

/* barrier: slot of the CTA, and the number there */
static void barrier_open(struct gpu *g, struct sm *m, uint32_t barrier, uint64_t t)
{
    struct cta *const c = &m->cta[barrier / BARRIERS];
    const uint64_t set = c->waits[barrier % BARRIERS];

    c->waits[barrier % BARRIERS] = 0u;
    c->opening = (uint16_t)(c->opening & ~BIT(barrier % BARRIERS));
    warps_open(g, m, set, t);
}

/* How long what the CTA has is on its way, out or in. */
static uint64_t swap_time(const struct gpu *g, const struct cta *c)
{
    const struct cta_room *const has = &g->kernel[c->kernel].takes;
    const uint64_t bytes = (uint64_t)has->registers * 4u + has->shared_bytes;
    const uint64_t each = g->config.cdp.swap_bytes;

    return each == 0u ? 0u : (bytes + each - 1u) / each;
}

/* Is it still? Then this event comes again. Requests and answers are progress; to wait for them
 * is none, or a run that had lost one would never end. */
static bool moves(struct gpu *g, struct sm *m, uint32_t slot, enum event_kind kind, uint64_t t)
{
    const uint64_t moved = m->cta[slot].moved;

    if (moved > t) {
        event_push(m, t, moved - t < TICKS ? (uint32_t)(moved - t) : TICKS - 1u, kind, slot);
        g->progress = t;
    } else if (swap_goes_on(m, slot)) {
        event_push(m, t, PATIENCE, kind, slot);
    } else {
        return false;
    }
    return true;
}

static void children_ended(struct gpu *g, struct sm *m, uint32_t slot, uint64_t t)
{
    struct cta *const c = &m->cta[slot];
    if (moves(g, m, slot, EVENT_CHILDREN, t)) {
        return;
    }
    if (!c->leaving) { /* it has what it had */
        c->moved = 0u;
        swap_end(g, m, slot);
    }
    const uint64_t set = c->children & ~c->to_wait;

    c->children &= ~set;
    warps_open(g, m, set, t);
}

/* ---- It waits ------------------------------------------------------------------------ */

static bool stands_still(const struct sm *m, const struct cta *c)
{
    return c->children != 0u && (c->children & ~c->to_wait) == 0u && c->opening == 0u
           && (c->warps & m->alive & ~m->at_barrier) == 0u;
}

void leave_check(struct sm *m, uint32_t slot, uint64_t t)
{
    struct cta *const c = &m->cta[slot];

    if (stands_still(m, c) && !c->leaving) {
        c->leaving = true;
        event_push(m, t, 1u, EVENT_LEAVE, slot);
    }
}

void warp_waits(struct gpu *g, struct sm *m, struct warp *w, uint64_t t)
{
    struct cta *const c = &m->cta[w->cta];

    c->children |= w->self;
    m->at_barrier |= w->self;
    if (g->two_level_on) {
        two_level_leave(g, m, w->slot);
    }
    if ((c->to_wait & w->self) == 0u) { /* they have ended since it was told to wait */
        event_push(m, t, 1u, EVENT_CHILDREN, w->cta);
    }
    leave_check(m, w->cta, t);
}

void cta_call(struct gpu *g, struct sm *m, uint32_t slot, uint64_t t)
{
    m->cta[slot].to_wait = 0u;
    event_push(m, t, 1u, EVENT_CHILDREN, slot);
    wake_sm(g, m->id, t + 1u);
}

/* ---- It leaves ----------------------------------------------------------------------- */

/* Of warps by slot: those in the set, by number in the CTA's list. */
static uint64_t by_number(const struct cta *c, uint64_t set)
{
    uint64_t numbers = 0u;
    uint32_t n = 0u;

    for (uint64_t all = c->warps; all != 0u; all &= all - 1u, n++) {
        numbers |= (set >> lowest(all) & 1u) << n;
    }
    return numbers;
}

static struct away *remember(struct sm *m, uint32_t slot)
{
    const struct cta *const c = &m->cta[slot];
    const uint32_t n = (uint32_t)__builtin_popcountll(c->warps);
    struct away *const away = malloc(sizeof *away + n * sizeof away->warp[0]);

    if (away == NULL) {
        return NULL;
    }
    *away = (struct away){ .cta = *c, .sm = m->id, .n = n };
    away->alive = by_number(c, m->alive);
    away->cta.children = by_number(c, c->children);
    for (uint32_t b = 0u; b < BARRIERS; b++) {
        away->cta.waits[b] = by_number(c, c->waits[b]);
    }
    uint32_t k = 0u;
    for (uint64_t set = c->warps; set != 0u; set &= set - 1u) {
        away->warp[k++] = m->warp[lowest(set)];
    }
    return away;
}

static void warp_off(struct gpu *g, struct sm *m, struct warp *w, uint64_t t)
{
    const uint64_t self = w->self;

    m->alive &= ~self;
    m->at_barrier &= ~self;
    m->waiting &= ~self;
    m->want &= ~self;
    m->missing &= ~self;
    m->redirected &= ~self;
    w->of->resident += t + 1u - w->since;
    integral_set(&m->resident, m->resident.value - 1u, t + 1u);
    if (g->two_level_on) {
        m->two_level.pending &= ~self;
    }
}

/* Its source may keep it in less memory, unless a warp has issued a part of its piece. */
static void let_rest(const struct gpu *g, const struct away *away)
{
    const struct kernel_source *const source = &g->kernel[away->cta.kernel].source;
    bool issued = source->rest != NULL;

    for (uint32_t k = 0u; k < away->n; k++) {
        const bool lives = (away->alive >> k & 1u) != 0u;
        issued = issued && (!lives || away->warp[k].next == away->warp[k].end);
    }
    if (issued) {
        source->rest(source->self, away->cta.handle);
    }
}

static void leave(struct gpu *g, struct sm *m, uint32_t slot, uint64_t t)
{
    const struct cta *const c = &m->cta[slot];

    for (uint64_t set = c->warps & m->alive; set != 0u; set &= set - 1u) {
        warp_count(m, &m->warp[lowest(set)]);
    }
    struct away *const away = remember(m, slot);
    if (away == NULL) {
        g->end = GPU_ILLEGAL;
        (void)fault_surroundings(&g->fault, "out of memory");
        return;
    }
    let_rest(g, away);
    away->next = g->returns.left;
    g->returns.left = away;
    for (uint64_t set = c->warps & m->alive; set != 0u; set &= set - 1u) {
        warp_off(g, m, &m->warp[lowest(set)], t);
    }
    cta_take_off(g, m, slot, t);
    m->away++;
    g->kernel_stats[c->kernel].left++;
    g->record.left[g->record.n_left++] =
        (struct gpu_cta_event){ c->kernel, c->number, m->id, slot };
}

static void leave_run(struct gpu *g, struct sm *m, uint32_t slot, uint64_t t)
{
    struct cta *const c = &m->cta[slot];

    if (!stands_still(m, c)) {
        c->leaving = false;
        c->moved = 0u;
        swap_end(g, m, slot);
        return;
    }
    for (uint64_t set = c->warps & m->alive; set != 0u; set &= set - 1u) {
        const struct warp *const w = &m->warp[lowest(set)];
        if ((w->pending | w->unanswered) != 0u || w->owed[REGISTER_LATEST] > t) {
            event_push(m, t, PATIENCE, EVENT_LEAVE, slot);
            return;
        }
    }
    if (c->moved == 0u) {
        c->moved = t + swap_time(g, c);
        swap_begin(g, m, slot, true);
    }
    if (!moves(g, m, slot, EVENT_LEAVE, t)) {
        leave(g, m, slot, t);
    }
}

void stand_run(struct gpu *g, struct sm *m, const struct event *e, uint64_t t)
{
    if (e->kind == EVENT_BARRIER) {
        barrier_open(g, m, e->subject, t);
    } else if (e->kind == EVENT_CHILDREN) {
        children_ended(g, m, e->subject, t);
    } else {
        leave_run(g, m, e->subject, t);
    }
}

/* ---- It comes back ------------------------------------------------------------------- */

static uint64_t by_slot(const uint8_t *slot, uint64_t numbers)
{
    uint64_t set = 0u;

    for (; numbers != 0u; numbers &= numbers - 1u) {
        set |= BIT(slot[lowest(numbers)]);
    }
    return set;
}

static void warp_back(struct sm *m, uint32_t slot, const struct warp *from)
{
    struct warp *const w = &m->warp[slot];

    w->next = from->next;
    w->end = from->end;
    w->stop = from->stop;
    w->access = from->access;
    w->counted = from->counted;
    w->counts = from->counts;
    w->polls = from->polls;
    w->in_cta = from->in_cta;
}

/* They go on: at once, or when what they have is there. */
static void go_on(struct gpu *g, struct sm *m, uint32_t slot, uint64_t warps, uint64_t t)
{
    struct cta *const c = &m->cta[slot];

    if (c->moved != 0u) {
        c->children = warps;
        (void)moves(g, m, slot, EVENT_CHILDREN, t);
        return;
    }
    c->children = 0u;
    for (; warps != 0u; warps &= warps - 1u) {
        warp_more_after(g, m, &m->warp[lowest(warps)], t);
    }
}

void cta_return(struct gpu *g, struct sm *m, struct away *away, uint64_t t)
{
    const uint32_t slot = lowest(~(uint64_t)m->cta_used);
    struct cta *const c = &m->cta[slot];
    uint8_t place[MAX_WARPS];
    uint32_t n = 0u;

    *c = away->cta;
    c->warps = c->to_wait = 0u;
    c->leaving = false;
    c->order = m->ages;
    c->moved = swap_time(g, c) != 0u ? t + 1u + swap_time(g, c) : 0u;
    cta_put(g, m, slot, NULL, away->alive, c->moved != 0u ? 0u : away->cta.children, t);
    for (uint64_t set = c->warps; set != 0u; set &= set - 1u) {
        place[n] = (uint8_t)lowest(set);
        warp_back(m, place[n], &away->warp[n]);
        n++;
    }
    for (uint32_t b = 0u; b < BARRIERS; b++) {
        c->waits[b] = by_slot(place, away->cta.waits[b]);
    }
    swap_begin(g, m, slot, false);
    go_on(g, m, slot, by_slot(place, away->cta.children), t);
    m->away--;
    g->starting_back = true;
    g->starting[g->n_starting++] = (struct gpu_cta_event){ c->kernel, c->number, m->id, slot };
    free(away);
}
