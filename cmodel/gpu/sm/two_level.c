/*
 * two_level - ready, pending and active queues of an SM (rule P-3; rule P-4: one ready queue
 * for all its schedulers).
 *
 * Only warps in the ready queue issue. A warp that owes its next operands to memory, or waits
 * at a barrier, goes to pending; when all its memory operations are complete, to the tail
 * of the active queue (sorted by age for two-level GTO); its head fills the ready queue.
 */

#include "gpu/sm/sm_parts.h"

static void select_warp(struct sm *m, uint32_t slot, bool on)
{
    struct scheduler *const s = m->warp[slot].scheduler;
    const uint64_t bit = m->warp[slot].bit;
    s->selected = on ? s->selected | bit : s->selected & ~bit;
    m->reordered = true;
    m->two_level.ready = on ? m->two_level.ready | BIT(slot) : m->two_level.ready & ~BIT(slot);
}

void two_level_ready(struct sm *m, uint64_t warps)
{
    for (uint64_t set = m->two_level.ready ^ warps; set != 0u; set &= set - 1u) {
        select_warp(m, lowest(set), (warps >> lowest(set) & 1u) != 0u);
    }
}

static void refill(struct gpu *g, struct sm *m)
{
    struct two_level *const q = &m->two_level;
    if (g->owl_on) {
        owl_choose(m);
        return;
    }
    while (q->n_active != 0u
           && (uint32_t)__builtin_popcountll(q->ready) < g->config.warp.ready_queue) {
        const uint32_t slot = q->active[0];
        q->n_active--;
        for (uint32_t k = 0u; k < q->n_active; k++) {
            q->active[k] = q->active[k + 1u];
        }
        select_warp(m, slot, true);
    }
}

void two_level_add(struct gpu *g, struct sm *m, uint32_t slot)
{
    struct two_level *const q = &m->two_level;
    if (g->owl_on) {
        owl_choose(m);
        return;
    }
    uint32_t place = q->n_active++;
    q->active[place] = (uint8_t)slot;
    while (g->by_age && place > 0u && m->warp[q->active[place - 1u]].age > m->warp[slot].age) {
        q->active[place] = q->active[place - 1u];
        q->active[--place] = (uint8_t)slot;
    }
    refill(g, m);
}

void two_level_leave(struct gpu *g, struct sm *m, uint32_t slot)
{
    const uint64_t stays = g->owl_on ? m->two_level.pending : ~m->two_level.ready;
    if ((stays >> slot & 1u) != 0u) {
        return; /* pending already, or still in the active queue */
    }
    m->two_level.pending |= BIT(slot);
    select_warp(m, slot, false);
    refill(g, m);
}

void two_level_return(struct gpu *g, struct sm *m, uint32_t slot)
{
    if ((m->two_level.pending >> slot & 1u) == 0u || (m->at_barrier >> slot & 1u) != 0u) {
        return;
    }
    m->two_level.pending &= ~BIT(slot);
    two_level_add(g, m, slot);
}

/* The warp exits: it issued, so it is in the ready queue. */
void two_level_remove(struct gpu *g, struct sm *m, uint32_t slot)
{
    select_warp(m, slot, false);
    refill(g, m);
}

uint64_t two_level_mask(const struct sm *m, uint32_t scheduler, uint32_t schedulers)
{
    uint64_t mask = 0u;
    for (uint64_t set = m->two_level.ready; set != 0u; set &= set - 1u) {
        const uint32_t slot = lowest(set);
        if (slot % schedulers == scheduler) {
            mask |= m->warp[slot].bit;
        }
    }
    return mask;
}
