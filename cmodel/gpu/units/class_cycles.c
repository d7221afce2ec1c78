/* class_cycles - classes of an SM's cycles for its units; see class_cycles.h. */

#include "gpu/units/class_cycles.h"

/* Of this cycle. An SM that has not been is in the class that was known before. */
static uint32_t class_now(const struct gpu *g, const struct sm *m, uint32_t k)
{
    const struct scheduler *const s = &m->scheduler[k];

    if (!g->sockets.sums) {
        return m->class_shown[k];
    }
    return m->stepped == g->t ? s->class : s->cycles.current;
}

uint32_t class_schedulers(const struct gpu *g, uint32_t i, uint32_t first, uint32_t last)
{
    uint32_t n = 0u;

    for (uint32_t k = 0u; k < g->schedulers; k++) {
        n += class_now(g, g->sm[i], k) - first <= last - first;
    }
    return n;
}

/* Up to this cycle. */
static uint64_t counted(const struct gpu *g, const struct classes *c, uint32_t first,
                        uint32_t last)
{
    uint64_t n =
        c->current - first <= last - first && c->since <= g->t ? g->t + 1u - c->since : 0u;

    for (uint32_t class = first; class <= last; class ++) {
        n += c->count[class];
    }
    return n;
}

uint64_t class_cycles(const struct gpu *g, uint32_t i, uint32_t first, uint32_t last,
                      uint64_t *told)
{
    uint64_t n = 0u;

    for (uint32_t k = 0u; k < g->schedulers; k++) {
        n += counted(g, &g->sm[i]->scheduler[k].cycles, first, last);
    }
    n -= class_schedulers(g, i, first, last);
    const uint64_t more = n - *told;
    *told = n;
    return more;
}
