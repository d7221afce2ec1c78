/*
 * sm_swap - what a CTA has that leaves its SM to wait for its children, registers and shared
 * memory, is in memory with cdp.swap_bytes. A CTA has a place there from the first write to the
 * last answer; the place that was free last is taken first. swaps.c makes the requests.
 */

#include <stdlib.h>

#include "gpu/sm/sm_parts.h"

/* ---- Places -------------------------------------------------------------------------- */

/* All places that there have been are in use: there is one more. */
static bool more_places(struct swaps *s)
{
    uint32_t *const more = realloc(s->free, (s->room * 2u + 16u) * sizeof *more);

    if (more == NULL) {
        return false;
    }
    s->free = more;
    for (uint32_t i = s->room * 2u + 16u; i > s->room; i--) {
        s->free[s->n_free++] = i;
    }
    s->room = s->room * 2u + 16u;
    return true;
}

static uint32_t take_place(struct gpu *g)
{
    struct swaps *const s = &g->swaps;

    if (s->n_free == 0u && !more_places(s)) {
        g->end = GPU_ILLEGAL;
        (void)fault_surroundings(&g->fault, "out of memory");
        return 1u;
    }
    return s->free[--s->n_free];
}

/* ---- A CTA --------------------------------------------------------------------------- */

void swap_stop(struct gpu *g, struct sm *m, uint32_t slot)
{
    if ((m->swapping >> slot & 1u) != 0u) {
        m->swapping &= ~(1u << slot);
        g->swaps.n_going--;
    }
}

void swap_begin(struct gpu *g, struct sm *m, uint32_t slot, bool out)
{
    struct cta *const c = &m->cta[slot];
    const struct cta_room *const has = &g->kernel[c->kernel].takes;
    const uint32_t bytes = has->registers * 4u + has->shared_bytes;

    if (g->config.cdp.swap_bytes == 0u) {
        return;
    }
    c->swap = (struct swap){ .from = g->t,
                             .place = out ? take_place(g) : c->swap.place,
                             .lines = (bytes + g->config.l2.line - 1u) / g->config.l2.line,
                             .out = out };
    m->swapping |= 1u << slot;
    g->swaps.n_going++;
    (void)wake_at(g, g->t + 1u);
}

bool swap_goes_on(const struct sm *m, uint32_t slot)
{
    const struct swap *const s = &m->cta[slot].swap;

    return s->asked < s->lines || (!s->out && s->answered < s->lines);
}

void swap_end(struct gpu *g, struct sm *m, uint32_t slot)
{
    struct cta *const c = &m->cta[slot];

    swap_stop(g, m, slot);
    if (c->swap.place != 0u) {
        g->swaps.free[g->swaps.n_free++] = c->swap.place;
    }
    c->swap = (struct swap){ .place = 0u };
}
