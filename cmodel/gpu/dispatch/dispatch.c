/*
 * dispatch - CTAs go to SMs: at most one block of them a cycle.
 *
 * An SM has room for a block if the resources of all its CTAs are free, whichever CTAs had
 * them. With strict pairs they are those of blocks that have ended as a whole: the SM's blocks
 * of the kernel are fewer than it could hold alone. Limiters may take SMs away. The work
 * distributor, a unit, does the rest: distributor.c.
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

/* ---- Limits and choice --------------------------------------------------------------- */

/* The room, less what the limiters take away. */
static struct bits limited_room(const struct gpu *g)
{
    struct bits room = g->room;

    for (uint32_t k = 0u; k < g->hooks.n_limiter && bits_any(room); k++) {
        const struct gpu_limiter *const l = &g->hooks.limiter[k];
        l->mask(l->self, g->current, &room);
    }
    return room;
}

/* A block of CTAs for an SM; none if count is 0. */
struct choice {
    uint32_t sm, cta, count;
};

/* By the unit that stands in for the work distributor. */
COLD static struct choice choose_by_hook(const struct gpu *g)
{
    const struct gpu_cta_scheduler *const hook = g->hooks.cta_scheduler;
    const struct bits room = g->current < g->n_kernel ? limited_room(g) : g->room;
    const int32_t sm = bits_any(room) ? hook->pick(hook->self, g->current, &room) : -1;

    return sm < 0 ? (struct choice){ 0u, 0u, 0u }
                  : (struct choice){ (uint32_t)sm, g->kernel[g->current].issued, 1u };
}

static struct choice choose(struct gpu *g)
{
    const bool any = g->current < g->n_kernel && bits_any(g->room);
    const struct bits limit =
        any && g->hooks.n_limiter != 0u ? limited_room(g) : bits_below(g->n_sm);
    const struct work_distributor_out *const out = distributor_step(g, g->room, limit);

    return (struct choice){ out->dispatch_sm, out->dispatch_cta, out->dispatch_count };
}

/* ---- A cycle ------------------------------------------------------------------------- */

static void ended(struct gpu *g, uint32_t sm, uint32_t kernel, uint32_t cta, uint64_t t)
{
    struct kernel *const k = &g->kernel[kernel];
    g->progress = t;
    for (uint32_t n = 0u; n < g->hooks.n_limiter; n++) {
        const struct gpu_limiter *const l = &g->hooks.limiter[n];
        if (l->ended != NULL) {
            l->ended(l->self, kernel, sm, cta);
        }
    }
    if (g->hooks.cta_scheduler != NULL && g->hooks.cta_scheduler->ended != NULL) {
        g->hooks.cta_scheduler->ended(g->hooks.cta_scheduler->self, kernel, sm, cta);
    }
    dispatch_room(g, g->sm[sm]);
    if (++k->done == k->ctas) {
        kernel_end(g, kernel, t);
    }
}

void dispatch_ended(struct gpu *g, uint64_t t)
{
    for (uint32_t i = 0u; i < g->n_ended_cta; i++) {
        const struct ended_cta *const e = &g->ended_cta[i];
        ended(g, e->sm, e->kernel, e->number, t);
    }
    g->n_ended_cta = 0u;
}

static void tell_issued(struct gpu *g, uint32_t kernel, uint32_t sm, uint32_t cta)
{
    for (uint32_t n = 0u; n < g->hooks.n_limiter; n++) {
        const struct gpu_limiter *const l = &g->hooks.limiter[n];
        if (l->issued != NULL) {
            l->issued(l->self, kernel, sm, cta);
        }
    }
    const struct gpu_cta_scheduler *const unit = g->hooks.cta_scheduler;
    if (unit != NULL && unit->issued != NULL) {
        unit->issued(unit->self, kernel, sm, cta);
    }
}

static void issue(struct gpu *g, const struct choice *choice, uint64_t t)
{
    const uint32_t kernel = g->current;
    struct kernel *const k = &g->kernel[kernel];

    if (k->issued == 0u) {
        g->kernel_stats[kernel].first_cta = t + 1u;
    }
    for (uint32_t i = 0u; i < choice->count; i++) {
        cta_start(g, g->sm[choice->sm], kernel, choice->cta + i, choice->cta, t);
        if (g->end == GPU_ILLEGAL) {
            return;
        }
        tell_issued(g, kernel, choice->sm, choice->cta + i);
    }
    dispatch_room(g, g->sm[choice->sm]);
    if (k->issued == k->ctas) {
        kernels_choose(g);
    }
}

void dispatch_step(struct gpu *g, uint64_t t)
{
    if (!g->dispatch_dirty && (g->mode & GPU_STEP_ALL) == 0u) {
        return;
    }
    const struct choice choice =
        UNLIKELY(g->hooks.cta_scheduler != NULL) ? choose_by_hook(g) : choose(g);
    g->dispatch_dirty = choice.count != 0u || !distributor_settled(g);
    if (choice.count != 0u) {
        issue(g, &choice, t);
    }
    if (g->dispatch_dirty) {
        (void)wake_at(g, t + 1u);
    }
}
