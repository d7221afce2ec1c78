/*
 * owl - which CTAs of an SM have their turn, of the warp policy owl (rule P-7; rule P-8).
 *
 * Source: CLASO 4.1 and 5 call OWL an upgrade of two-level scheduling, whose pre-emption of
 * warps improves the hit rate of the L1. Jog et al. (ASPLOS 2013) make groups of whole CTAs,
 * and return to the first group as soon as it is ready. What is built:
 * - The CTAs of an SM are in groups, in the order in which they came. A group is closed when it
 *   has warp.group_ctas CTAs; if that is 0, when it has warp.ready_queue warps.
 * - Only warps of one group issue, round robin: of the first group that has a warp which is not
 *   pending. So a group gives its turn away when all its warps are pending, and an earlier one
 *   takes it back when one of its warps returns.
 * - A warp goes to pending and returns as with two levels (rule P-3), and all schedulers of an
 *   SM serve the same group (rule P-4).
 *
 * Assumed, since CLASO's text leaves it open: both ways to close a group; that one warp that
 * returns is enough to take the turn back; that a warp at a barrier is pending; and that groups
 * are made again when a CTA ends, so that later CTAs move up.
 *
 * Not built: the order of CTAs over the banks of the DRAM, and prefetching from its open rows,
 * which are the other two parts of Jog's scheduler.
 */

#include "gpu/sm/sm_parts.h"

void owl_choose(struct sm *m)
{
    const struct two_level *const q = &m->two_level;
    uint64_t turn = 0u;
    for (uint32_t k = 0u; k < q->n_group && turn == 0u; k++) {
        turn = q->group[k] & m->alive & ~q->pending;
    }
    two_level_ready(m, turn);
}

/* Of the CTAs in the set, the one that came first. */
static const struct cta *first_of(const struct sm *m, uint32_t set, uint32_t *slot)
{
    *slot = lowest(set);
    for (uint32_t rest = set & (set - 1u); rest != 0u; rest &= rest - 1u) {
        *slot = m->cta[lowest(rest)].order < m->cta[*slot].order ? lowest(rest) : *slot;
    }
    return &m->cta[*slot];
}

void owl_groups(struct gpu *g, struct sm *m)
{
    struct two_level *const q = &m->two_level;
    const uint32_t ctas_most = g->config.warp.group_ctas;
    uint32_t ctas = 0u, slot;

    q->n_group = 0u;
    q->group[0] = 0u;
    for (uint32_t set = m->cta_used; set != 0u; set ^= 1u << slot) {
        uint64_t *const group = &q->group[q->n_group];
        *group = ctas == 0u ? 0u : *group;
        *group |= first_of(m, set, &slot)->warps;
        ctas++;
        const uint32_t warps = (uint32_t)__builtin_popcountll(*group);
        if (ctas_most != 0u ? ctas == ctas_most : warps >= g->config.warp.ready_queue) {
            q->n_group++;
            ctas = 0u;
        }
    }
    q->n_group += ctas != 0u ? 1u : 0u; /* the last one may lack some */
    owl_choose(m);
}
