/* issue - what an instruction does to its SM in the cycle in which it issues. */

#ifndef ISSUE_H
#define ISSUE_H

#include "gpu/sm/sm_parts.h"

HOT void pipe_take(const struct gpu *g, struct sm *m, const struct scheduler *s, uint32_t op,
                   uint64_t until, uint64_t t)
{
    const uint32_t pipe = g->pipe_of[op];
    const uint32_t owner = g->shared_pipe[pipe] ? 0u : s->number;
    m->pipes_free = until > m->pipes_free ? until : m->pipes_free;
    uint64_t *const unit = m->unit_free[pipe][owner];
    if (g->units[pipe] == 1u) {
        m->pipe_free[pipe][owner] = unit[0] = until;
        return;
    }
    uint32_t free = 0u;
    while (unit[free] > t) {
        free++;
    }
    unit[free] = until;
    uint64_t first = unit[0];
    for (uint32_t u = 1u; u < g->units[pipe]; u++) {
        first = unit[u] < first ? unit[u] : first;
    }
    m->pipe_free[pipe][owner] = first;
}

HOT void issue_arithmetic(const struct gpu *g, struct sm *m, struct warp *w,
                          const struct instruction *i, uint64_t t)
{
    const uint32_t kind = i->flags;
    const uint64_t at = t + g->latency[i->op][kind];
    uint64_t *const owed = w->owed;
    if (g->can_block[i->op]) {
        pipe_take(g, m, w->scheduler, i->op, t + g->interval[i->op][kind], t);
    }
    owed[i->dst] = at;
    for (uint32_t r = 1u; UNLIKELY(r < i->n_dst); r++) {
        owed[i->dst + r] = at;
    }
    owed[REGISTER_NONE] = 0u;
    owed[REGISTER_LATEST] = owed[REGISTER_LATEST] > at ? owed[REGISTER_LATEST] : at;
    m->alu_latest = m->alu_latest > at ? m->alu_latest : at;
}

HOT void issue_memory(const struct gpu *g, struct sm *m, struct warp *w,
                      const struct instruction *i)
{
    assert(m->n_free_operation != 0u && m->queued < g->config.ldst.queue);
    const uint16_t id = m->free_operation[--m->n_free_operation];
    m->operation[id] = (struct operation){ 0u, 1u, (uint8_t)w->slot, i->dst, i->n_dst, false };
    for (uint32_t r = 0u; r < i->n_dst; r++) {
        w->owed[i->dst + r] = NEVER;
    }
    const uint32_t tail = (m->queue_head + m->queued++) % g->config.ldst.queue;
    struct ldst_entry *const e = &m->ldst_queue[tail];
    e->of = w->of;
    e->operation = id;
    e->op = g->ldst_op[i->op];
    e->accesses = i->accesses;
    e->flags = i->flags;
    e->access = w->access;
    if (i->op != OP_SHARED) {
        if (w->end != NULL) { /* the next piece may come over this one */
            memcpy(e->own, w->access, i->accesses * sizeof e->own[0]);
            e->access = e->own;
        }
        w->access += i->accesses;
    }
    w->pending++;
    m->memory_inflight++;
}

/* Opens a barrier at which all are that it waits for. */
static void barrier_check(const struct gpu *g, struct sm *m, uint32_t slot, uint32_t number,
                          uint64_t t)
{
    struct cta *const c = &m->cta[slot];
    const uint32_t expected = c->expected[number] != 0u ? c->expected[number] : c->live;
    if (c->arrived[number] == 0u || c->arrived[number] < expected) {
        return;
    }
    c->arrived[number] = 0u;
    if (c->waits[number] != 0u) {
        c->opening = (uint16_t)(c->opening | BIT(number));
        event_push(m, t, g->config.sm.barrier_latency, EVENT_BARRIER, slot * BARRIERS + number);
    }
}

COLD static void issue_barrier(struct gpu *g, struct sm *m, const struct warp *w,
                               const struct instruction *i, uint64_t t)
{
    const uint32_t number = barrier_number(i->flags);
    struct cta *const c = &m->cta[w->cta];
    c->expected[number] = i->accesses;
    c->arrived[number]++;
    if ((i->flags & ARRIVE) == 0u) {
        c->waits[number] |= w->self;
        m->at_barrier |= w->self;
        if (g->two_level_on) {
            two_level_leave(g, m, w->slot);
        }
    }
    barrier_check(g, m, w->cta, number, t);
    if (UNLIKELY(c->children != 0u)) {
        leave_check(m, w->cta, t);
    }
}

COLD static void issue_exit(struct gpu *g, struct sm *m, struct warp *w, uint64_t t)
{
    const uint32_t id = w->cta;
    if ((w->next[-1].flags & CHILDREN) != 0u) {
        warp_waits(g, m, w, t);
        return;
    }
    warp_count(m, w);
    m->alive &= ~w->self;
    m->want &= ~w->self;
    m->missing &= ~w->self;
    m->warps++;
    w->of->warps++;
    w->of->resident += t + 1u - w->since;
    integral_set(&m->resident, m->resident.value - 1u, t + 1u);
    if (g->two_level_on) {
        two_level_remove(g, m, w->slot);
    }
    if (--m->cta[id].live == 0u) {
        cta_end(g, m, id, t);
    } else {
        for (uint32_t number = 0u; number < BARRIERS; number++) {
            if (m->cta[id].expected[number] == 0u) {
                barrier_check(g, m, id, number, t);
            }
        }
        if (UNLIKELY(m->cta[id].children != 0u)) {
            leave_check(m, id, t);
        }
    }
}

COLD static void issue_fence(const struct gpu *g, struct sm *m, struct warp *w,
                             const struct instruction *i, uint64_t t)
{
    struct instruction as = *i;
    as.op = OP_INTEGER;
    issue_arithmetic(g, m, w, &as, t);
}

/* Issues the next instruction of a warp of this scheduler. Returns its class. */
HOT uint32_t issue(struct gpu *g, struct sm *m, struct scheduler *s, struct warp *w, uint64_t t)
{
    const struct instruction *const i = w->next++;
    const uint32_t op = i->op;
    const uint64_t bit = w->bit;

    s->ready[ready_kind(op)] &= ~bit;
    s->any &= ~bit;
    s->greedy = bit & s->greedy_mask;
    w->buffered--;
    m->issues++;
    if (op < PIPES) {
        issue_arithmetic(g, m, w, i, t);
    } else if (op < OP_BRANCH) {
        issue_memory(g, m, w, i);
    } else if (op == OP_BARRIER) {
        const bool waits = (i->flags & ARRIVE) == 0u;
        issue_barrier(g, m, w, i, t);
        if (waits) {
            return op;
        }
    } else if (op == OP_EXIT) {
        issue_exit(g, m, w, t);
        return op;
    } else if (UNLIKELY(op == OP_FENCE)) {
        issue_fence(g, m, w, i, t);
    } else if ((i->flags & TAKEN) != 0u) {
        w->buffered = 0u;
        w->arrive = 0u;
        m->waiting |= w->self;
        m->want |= w->self;
        m->missing &= ~w->self;
        m->redirected |= w->self;
        warp_refill(g, m, w, t);
        return op;
    }
    warp_refill(g, m, w, t);
    warp_next(g, m, w, t, t + 1u);
    return op;
}

#endif
