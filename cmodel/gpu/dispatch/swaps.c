/*
 * swaps - requests for what CTAs have that wait for their children: with cdp.swap_bytes it is
 * written to memory, and read when the CTA comes back.
 *
 * Lines go through the port of records, one a cycle, where nothing else asks in that cycle; SMs
 * take turns. Of each CTA as many have been asked for as cdp.swap_bytes moves in the time.
 */

#include "gpu/wake.h"

/* Lines of what a CTA has, at most; an odd number, so that places do not all begin in a set. */
static uint32_t lines_of_place(const struct gpu *g)
{
    const struct gpu_config *const c = &g->config;

    return (c->sm.registers * 4u + c->sm.shared_bytes + c->l2.line - 1u) / c->l2.line | 1u;
}

/* Places from the last line on have lines of others: what is there is known to the CTAs alone.
 */
uint32_t swaps_line(const struct gpu *g, uint32_t place, uint32_t line)
{
    const uint32_t most = lines_of_place(g);

    return SWAP_LINE + place % (SWAP_LINES / most) * most + line;
}

/* The next line of the CTA has been moved, at its speed. */
static bool is_due(const struct gpu *g, const struct swap *s)
{
    return g->t >= s->from
           && (g->t - s->from + 1u) * g->config.cdp.swap_bytes
                  > (uint64_t)s->asked * g->config.l2.line;
}

static bool ask_for(struct gpu *g, struct sm *m)
{
    for (uint32_t set = m->swapping; set != 0u; set &= set - 1u) {
        const uint32_t slot = lowest(set);
        struct swap *const s = &m->cta[slot].swap;
        if (is_due(g, s)) {
            record_port_ask_line(g, swaps_line(g, s->place - 1u, s->asked), s->out,
                                 SWAPS + m->id * MAX_CTAS + slot);
            g->progress = g->t;
            if (++s->asked == s->lines) {
                swap_stop(g, m, slot);
            }
            return true;
        }
    }
    return false;
}

void swaps_step(struct gpu *g)
{
    struct swaps *const s = &g->swaps;

    for (uint32_t k = 0u; record_port_ready(g) && k < g->n_sm; k++) {
        const uint32_t i = (s->turn + k) % g->n_sm;
        if (g->sm[i]->swapping != 0u && ask_for(g, g->sm[i])) {
            s->turn = (i + 1u) % g->n_sm;
        }
    }
    (void)wake_at(g, g->t + 1u);
}
