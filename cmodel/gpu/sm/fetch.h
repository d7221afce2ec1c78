/* fetch - the fetch unit of an SM: warps that ask for instructions have turns, round robin. */

#ifndef FETCH_H
#define FETCH_H

#include "gpu/sm/sm_parts.h"

/* Who asks the fetch unit. code: the instruction cache may miss. */
HOT uint64_t fetch_asks(const struct sm *m, bool code)
{
    return code ? m->want & ~m->missing : m->want;
}

/* The turns of the cycles before t in which the SM has slept: nobody got anything, so they went
 * round. */
COLD static void fetch_turned(const struct gpu *g, struct sm *m, uint64_t t)
{
    const uint32_t members = (uint32_t)__builtin_popcountll(m->turning);
    const uint64_t from = m->turns_from > m->fetch_free ? m->turns_from : m->fetch_free;
    const uint32_t interval = g->config.fetch.interval;
    const uint64_t services = t > from ? (t - from - 1u) / interval + 1u : 0u;
    const uint64_t turns = services * g->config.fetch.warps;
    const uint64_t rounds = turns > members ? (turns - 1u) / members : 0u;
    for (uint64_t more = turns - rounds * members; more != 0u; more--) {
        m->fetch_last = (round_robin(m->turning, m->fetch_last) + 1u) % 64u;
    }
    m->turning = 0u;
    m->fetch_free = services == 0u ? m->fetch_free : from + services * interval;
}

/* What is left of a warp's line costs no look at the instruction cache. */
HOT void fetch_step(struct gpu *g, struct sm *m, uint64_t t, bool code, bool rests)
{
    if (code && UNLIKELY(m->turning != 0u)) {
        fetch_turned(g, m, t);
    }
    if (rests) {
        if (fetch_asks(m, code) == 0u || m->fetch_free > t) {
            return;
        }
        m->fetch_free = t + g->config.fetch.interval;
    }
    for (uint32_t k = g->config.fetch.warps; k != 0u && fetch_asks(m, code) != 0u; k--) {
        const uint32_t slot = round_robin(fetch_asks(m, code), m->fetch_last);
        struct warp *const w = &m->warp[slot];
        const uint64_t self = w->self;
        m->fetch_last = (slot + 1u) % 64u;
        m->want ^= self;
        w->arrive = t + g->config.fetch.latency;
        if (UNLIKELY((m->redirected & self) != 0u)) {
            m->redirected ^= self;
            w->arrive = t + g->config.fetch.branch_latency;
            w->in_line = 0u;
        }
        if (code) {
            if (w->in_line >= g->config.fetch.width) {
                w->in_line -= g->config.fetch.width;
            } else if (!code_fetch(g, m, w, t)) {
                continue;
            }
        }
        if ((m->waiting & self) != 0u) {
            fetch_push(g, m, w, t);
        }
    }
}

#endif
