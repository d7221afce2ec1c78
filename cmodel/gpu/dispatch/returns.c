/*
 * returns - CTAs that have left their SM to wait for children, and kernels of which only such
 * CTAs are left (rule LP-26, rule LP-27).
 *
 * A kernel all of whose CTAs have been issued, and of which none is on an SM, gives its slot
 * up. When what one of its CTAs has launched is complete the kernel gets a slot again, before
 * any other kernel does. A CTA whose kernel has a slot comes back before any new CTA: its SM
 * gets no other, and it comes as soon as there is room, with nothing on its way. Limiters do
 * not hold for it: it has been issued before.
 */

#include <search.h>
#include <stdlib.h>

#include "gpu/record.h"

/* Cycles in which no other CTA goes to its SM: before it may come, until none is picked for
 * room that it had before; and after it has come, until the room of the SMs is told. */
enum { BEFORE = 2, AFTER = 3 };

/* ---- Slots --------------------------------------------------------------------------- */

static void want_slot(struct gpu *g, uint32_t id)
{
    struct kernel *const k = &g->kernel[id];

    if (k->n_back != 0u && !k->holds && !k->wants) {
        k->wants = true;
        list_put(g, &g->returns.kernels, id);
    }
}

/* The kernel's slot is free, or somebody else's. */
static void lose_slot(struct gpu *g, uint32_t id)
{
    g->kernel[id].holds = g->kernel[id].told = false;
    kernels_leave(g, id);
    want_slot(g, id);
}

void returns_give_up(struct gpu *g, uint32_t slot)
{
    for (uint32_t id = g->distributor.mates[slot]; id != NO_KERNEL; id = g->kernel[id].mate) {
        lose_slot(g, id);
    }
    g->returns.in_slot[slot] = 0u;
    distributor_free(g, slot);
}

void returns_admit(struct gpu *g, uint32_t slot)
{
    const uint32_t id = list_take(g, &g->returns.kernels);
    struct kernel *const k = &g->kernel[id];

    k->wants = false;
    g->returns.in_slot[slot] = k->n_away;
    kernels_resume(g, id, slot);
}

/* Without LaPerm's units. */
void returns_slots(struct gpu *g)
{
    for (uint32_t i = 0u; g->returns.n_away != 0u && i < g->n_resident; i++) {
        const struct kernel *const k = &g->kernel[g->resident[i]];
        if (k->n_away != 0u && k->issued == k->ctas && k->n_away == k->ctas - k->done) {
            returns_give_up(g, k->slot); /* another kernel is in its place in the list */
            i--;
        }
    }
    while (g->returns.kernels.count != 0u && distributor_has_slot(g)) {
        returns_admit(g, distributor_slot(g));
    }
}

/* ---- CTAs leave, and are called back ------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const struct cta *const first = &((const struct away *)a)->cta;
    const struct cta *const second = &((const struct away *)b)->cta;

    if (first->kernel != second->kernel) {
        return first->kernel < second->kernel ? -1 : 1;
    }
    return (first->number > second->number) - (first->number < second->number);
}

/* False: there is no memory for any more. */
static bool keep_left(struct returns *r)
{
    while (r->left != NULL) {
        struct away *const away = r->left;
        if (tsearch(away, &r->waiting, by_number) == NULL) {
            return false;
        }
        r->left = away->next;
    }
    return true;
}

void dispatch_left(struct gpu *g, uint64_t t)
{
    const struct gpu_record *const r = &g->record;

    if (r->n_left == 0u) {
        return;
    }
    for (uint32_t i = 0u; i < r->n_left; i++) {
        const struct gpu_cta_event *const e = &r->left[i];
        struct kernel *const k = &g->kernel[e->kernel];
        if (g->monitor.cta_left != NULL) {
            g->monitor.cta_left(g->monitor.self, e->kernel, e->cta, e->sm, e->slot, t + 1u);
        }
        k->n_away++;
        g->returns.n_away++;
        g->returns.in_slot[k->slot]++;
        rooms_left(g, i);
    }
    if (!keep_left(&g->returns)) {
        g->end = GPU_ILLEGAL;
        (void)fault_surroundings(&g->fault, "out of memory");
    }
    dispatch_count(g);
    g->progress = t;
    g->alarm = t;
}

/* The CTA's away, which waits no longer; NULL: it is on an SM. */
static struct away *take_away(struct returns *r, uint32_t kernel, uint32_t cta)
{
    const struct away key = { .cta = { .kernel = kernel, .number = cta } };
    struct away *const *const found = tfind(&key, &r->waiting, by_number);
    struct away *const away = found == NULL ? NULL : *found;

    if (away != NULL) {
        (void)tdelete(away, &r->waiting, by_number);
    }
    return away;
}

static void call_on_sm(struct gpu *g, uint32_t kernel, uint32_t cta)
{
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        struct sm *const m = g->sm[i];
        for (uint32_t set = m->cta_used; set != 0u; set &= set - 1u) {
            const struct cta *const c = &m->cta[lowest(set)];
            if (c->kernel == kernel && c->number == cta) {
                cta_call(g, m, lowest(set), g->t);
                return;
            }
        }
    }
}

void gpu_children_ended(struct gpu *g, uint32_t kernel, uint32_t cta)
{
    struct returns *const r = &g->returns;
    struct kernel *const k = &g->kernel[kernel];
    struct away *const away = take_away(r, kernel, cta);

    if (away == NULL) {
        call_on_sm(g, kernel, cta);
        return;
    }
    away->next = NULL;
    *(r->first == NULL ? &r->first : &r->last->next) = away;
    r->last = away;
    r->on = true;
    k->n_away--;
    r->n_away--;
    k->n_back++;
    if (k->holds) {
        r->in_slot[k->slot]--;
    }
    want_slot(g, kernel);
    g->alarm = g->t < g->alarm ? g->t : g->alarm;
    (void)wake_at(g, g->t + 1u);
}

/* ---- They come back ------------------------------------------------------------------ */

/* Its kernel has a slot, and the room of the SMs knows what it needs. */
static bool is_held_for(const struct gpu *g, const struct kernel *k)
{
    return k->holds && k->slot != g->returns.giving
           && g->kernel[g->distributor.leader[k->slot]].told;
}

/* Slots of CTAs that stand for their block: the lowest of it on the SM. */
static uint32_t first_of_blocks(const struct sm *m)
{
    uint32_t firsts = 0u;

    for (uint32_t set = m->cta_used; set != 0u; set &= set - 1u) {
        const struct cta *const c = &m->cta[lowest(set)];
        bool first = true;
        for (uint32_t others = firsts; others != 0u; others &= others - 1u) {
            const struct cta *const other = &m->cta[lowest(others)];
            first = first && (other->kernel != c->kernel || other->block != c->block);
        }
        firsts |= first ? 1u << lowest(set) : 0u;
    }
    return firsts;
}

/* With strict pairs contexts are those of whole blocks. A CTA has one if others of its block
 * are on the SM; the first that comes back takes them all (rule B-7). */
static bool has_contexts(const struct gpu *g, const struct sm *m, const struct away *away)
{
    const struct gpu_config *const c = &g->config;
    const struct kernel *const own = &g->kernel[away->cta.kernel];
    uint64_t registers = (uint64_t)own->block * own->takes.registers;
    uint64_t shared = (uint64_t)own->block * own->takes.shared_bytes;
    uint64_t warps = (uint64_t)own->block * own->takes.warps;
    uint64_t ctas = own->block;

    if (rooms_has_block(g, m->id, away->cta.kernel, away->cta.block)) {
        return true;
    }
    for (uint32_t set = first_of_blocks(m); set != 0u; set &= set - 1u) {
        const struct kernel *const k = &g->kernel[m->cta[lowest(set)].kernel];
        registers += (uint64_t)k->block * k->takes.registers;
        shared += (uint64_t)k->block * k->takes.shared_bytes;
        warps += (uint64_t)k->block * k->takes.warps;
        ctas += k->block;
    }
    return registers <= c->sm.registers && shared <= c->sm.shared_bytes
           && warps <= rooms_warps(c) && ctas <= c->sm.cta_slots;
}

static bool has_room(const struct gpu *g, const struct sm *m, const struct away *away)
{
    const struct cta_room *const takes = &g->kernel[away->cta.kernel].takes;

    if (g->config.dispatch.strict_pairs) {
        return has_contexts(g, m, away);
    }
    return m->registers_free >= takes->registers && m->shared_free >= takes->shared_bytes
           && m->threads_free >= takes->warps * WARP_SIZE
           && (uint32_t)__builtin_popcountll(m->warp_free) >= takes->warps
           && (uint32_t)__builtin_popcount(m->cta_used) < g->config.sm.cta_slots;
}

/* What ends on an SM in this cycle or leaves it is still to be told. */
static bool is_told(const struct gpu *g, uint32_t sm)
{
    const struct gpu_record *const r = &g->record;
    bool told = !bits_has(g->rooms.waiting, sm) && !bits_has(g->rooms.leaving, sm);

    for (uint32_t i = 0u; g->config.dispatch.strict_pairs && i < r->n_ended; i++) {
        told = told && r->ended[i].sm != sm; /* whether its block is off the SM */
    }
    return told;
}

static bool may_come(const struct gpu *g, const struct away *away)
{
    const struct returns *const r = &g->returns;

    return bits_has(r->held, away->sm) && g->t >= r->since[away->sm] + BEFORE
           && g->t >= g->distributor.open && g->n_starting == 0u && is_told(g, away->sm)
           && !control_sends(g, away->sm) && has_room(g, g->sm[away->sm], away);
}

static void come(struct gpu *g, struct away *away)
{
    struct kernel *const k = &g->kernel[away->cta.kernel];
    const uint64_t interval = g->config.dispatch.cta_interval;

    k->n_back--;
    g->distributor.open = g->t + (interval != 0u ? interval : 1u);
    g->starting_beside = g->config.dispatch.strict_pairs
                         && rooms_has_block(g, away->sm, away->cta.kernel, away->cta.block);
    cta_return(g, g->sm[away->sm], away, g->t);
    const struct gpu_cta_event *const e = &g->starting[0];
    if (g->monitor.cta_back != NULL) {
        g->monitor.cta_back(g->monitor.self, e->kernel, e->cta, e->sm, e->slot, g->t + 1u);
    }
    dispatch_count(g);
}

/* SMs that get no new CTAs: these, and for a while longer those that were. */
static void hold(struct gpu *g, const struct bits *sms)
{
    struct returns *const r = &g->returns;

    for (uint32_t i = 0u; i < g->n_sm; i++) {
        const bool held = bits_has(r->held, i);
        if (bits_has(*sms, i)) {
            r->since[i] = held ? r->since[i] : g->t;
            r->until[i] = g->t + AFTER;
            bits_add(&r->held, i);
        } else if (held && g->t > r->until[i]) {
            bits_remove(&r->held, i);
        }
        if (held != bits_has(r->held, i)) {
            dispatch_open(g, g->sm[i]);
        }
    }
}

void returns_step(struct gpu *g)
{
    struct returns *const r = &g->returns;
    struct bits sms = { { 0u } };
    struct away **at = &r->first, *before = NULL;
    bool come_back = false;

    while (*at != NULL) {
        struct away *const away = *at;
        const bool next =
            is_held_for(g, &g->kernel[away->cta.kernel]) && !bits_has(sms, away->sm);
        if (next) {
            bits_add(&sms, away->sm);
        }
        if (next && !come_back && may_come(g, away)) {
            *at = away->next;
            come(g, away);
            come_back = true;
        } else {
            before = away;
            at = &away->next;
        }
    }
    r->last = before;
    hold(g, &sms);
    r->on = r->first != NULL || bits_any(r->held);
    if (r->on) {
        (void)wake_at(g, g->t + 1u);
    }
}

static void close_away(const struct gpu *g, struct away *away)
{
    const struct kernel_source *const source = &g->kernel[away->cta.kernel].source;

    source->free_cta(source->self, away->cta.handle);
    free(away);
}

static void close_list(const struct gpu *g, struct away *list)
{
    while (list != NULL) {
        struct away *const next = list->next;
        close_away(g, list);
        list = next;
    }
}

void returns_close(struct gpu *g)
{
    struct returns *const r = &g->returns;

    while (r->waiting != NULL) {
        struct away *const away = *(struct away **)r->waiting; /* the root's first member */
        (void)tdelete(away, &r->waiting, by_number);
        close_away(g, away);
    }
    close_list(g, r->first);
    close_list(g, r->left);
}
