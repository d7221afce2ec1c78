/*
 * credits - room at the outputs of a crossbar that its inputs do not see yet. With
 * noc.credit_latency the room that a packet leaves in the queue at an output comes back to the
 * inputs as a credit, so many NoC cycles later than they would see it without.
 *
 * Naive runs look through all credits of a queue. The others know how many have been seen.
 */

#include <stdlib.h>

#include "gpu/mem/crossbar.h"

_Static_assert(CREDITS >= 64 + 255, "of a queue with what is on its way there");

bool credits_open(struct gpu *g, struct crossbar *x)
{
    if (g->config.noc.credit_latency != 0u) {
        x->credits = calloc(x->outputs, sizeof *x->credits);
        return x->credits != NULL;
    }
    return true;
}

uint32_t credits_away(const struct gpu *g, struct crossbar *x, uint32_t output, uint64_t cycle)
{
    struct credits *const c = &x->credits[output];
    uint32_t away = 0u;

    if (!g->scan) {
        while (c->seen < c->given && c->at[c->seen % CREDITS] <= cycle) {
            c->seen++;
        }
        return (uint32_t)(c->given - c->seen);
    }
    for (uint32_t k = 0u; k < CREDITS; k++) {
        away += c->at[k] > cycle ? 1u : 0u;
    }
    return away;
}

/* Any input is woken: outputs look for themselves. */
void credits_give(struct gpu *g, uint32_t direction, uint32_t output, uint64_t t)
{
    struct credits *const c = &g->crossbar[direction].credits[output];
    const uint64_t first = t == g->t ? g->noc.before + 1u : g->noc.now + 1u;
    const uint64_t at = first + g->config.noc.credit_latency;

    c->at[c->given++ % CREDITS] = at;
    wake_input(g, direction, BIT(0), at > g->noc.now ? domain_core(&g->noc, at, g->t) : t);
}
