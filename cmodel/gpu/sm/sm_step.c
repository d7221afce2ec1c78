/* sm_step - a cycle of an SM: events, load/store unit, warp schedulers, fetch. */

#include "gpu/record.h"
#include "gpu/sm/fetch.h"
#include "gpu/sm/issue.h"

/* ---- Events -------------------------------------------------------------------------- */

/* The instruction of a warp that had none is there. */
HOT void fetched(struct gpu *g, struct sm *m, struct warp *w, uint64_t t)
{
    m->waiting &= ~w->self;
    warp_next(g, m, w, t, t);
}

/* These warps have what they waited for: an instruction, or their arithmetic operands. */
HOT void due_run(struct gpu *g, struct sm *m, uint64_t set, uint64_t t)
{
    for (; set != 0u; set &= set - 1u) {
        struct warp *const w = &m->warp[lowest(set)];
        struct scheduler *const s = w->scheduler;
        const uint64_t bit = w->bit;
        if ((m->waiting & w->self) != 0u) {
            fetched(g, m, w, t);
            continue;
        }
        s->alu_wait ^= bit;
        s->ready[ready_kind(w->next->op)] |= bit;
        s->any |= bit;
    }
}

HOT void event_run(struct gpu *g, struct sm *m, const struct event *e, uint64_t t)
{
    struct warp *w;
    switch (e->kind) {
    case EVENT_FAR:
        w = &m->warp[e->subject];
        w->scheduler->alu_wait ^= w->bit;
        warp_place(g, m, w, t, t);
        break;
    case EVENT_MEMORY:
        operation_complete(g, m, e->subject, t);
        break;
    case EVENT_FETCH:
        fetched(g, m, &m->warp[e->subject], t);
        break;
    case EVENT_CONSTANT:
        constant_come(g, m, e->subject, t);
        break;
    default:
        stand_run(g, m, e, t);
    }
}

HOT void events_run(struct gpu *g, struct sm *m, uint64_t t)
{
    const uint32_t tick = (uint32_t)t % TICKS;
    if ((m->occupied[tick / 64u] >> (tick % 64u) & 1u) == 0u) {
        return;
    }
    m->occupied[tick / 64u] ^= BIT(tick % 64u);
    const uint64_t due = m->due[tick];
    m->due[tick] = 0u;
    due_run(g, m, due, t);
    if (m->listed == 0u) {
        return;
    }
    uint16_t id = m->tick[tick];
    m->tick[tick] = 0u;
    while (id != 0u) {
        m->listed--;
        const struct event e = m->event[id];
        m->event[id].next = m->free_event;
        m->free_event = id;
        event_run(g, m, &e, t);
        id = e.next;
    }
}

/* The first cycle after t with an event; NEVER if there is none. */
static uint64_t events_next(const struct sm *m, uint64_t t)
{
    const uint32_t first = (uint32_t)(t + 1u) % TICKS;
    uint32_t word = first / 64u;
    uint64_t set = m->occupied[word] & (UINT64_MAX << (first % 64u));
    for (uint32_t k = 0u; k <= TICKS / 64u; k++) {
        if (set != 0u) {
            const uint32_t tick = word * 64u + lowest(set);
            return t + 1u + (tick + TICKS - first) % TICKS;
        }
        word = (word + 1u) % (TICKS / 64u);
        set = m->occupied[word];
    }
    return NEVER;
}

/* ---- Choosing a warp ----------------------------------------------------------------- */

/* Positions that can issue now. */
HOT uint64_t candidates(const struct gpu *g, const struct sm *m, const struct scheduler *s,
                        uint64_t t)
{
    uint64_t set = s->any & s->selected;
    if (m->queued == g->config.ldst.queue) {
        set &= ~s->ready[READY_MEMORY];
    }
    for (uint32_t pipe = 0u; UNLIKELY(m->pipes_free > t) && pipe < PIPES; pipe++) {
        if (pipe_free(g, m, pipe, s->number) > t) {
            set &= ~s->ready[pipe];
        }
    }
    return set;
}

HOT uint32_t stall_class(const struct scheduler *s)
{
    if ((s->any & s->selected) != 0u) {
        return (s->ready[READY_MEMORY] & s->selected) != 0u ? GPU_PIPELINE_MEMORY
                                                            : GPU_PIPELINE_ALU;
    }
    if (s->alu_wait != 0u) {
        return GPU_SCOREBOARD_ALU;
    }
    return s->memory_wait != 0u ? GPU_SCOREBOARD_MEMORY : GPU_IDLE;
}

/* The position to issue, one of set, which is not empty. */
HOT int32_t choose(const struct scheduler *s, uint64_t set)
{
    if (s->in_turn != 0u) {
        return (int32_t)round_robin(set, (s->last + 1u) % 64u);
    }
    const uint64_t greedy = set & s->greedy;
    return (int32_t)lowest(greedy != 0u ? greedy : set);
}

/* Several kernels have CTAs on the SM: whose cycle is it in which one does not issue?
 */
COLD static void own_stall(struct gpu *g, struct sm *m, struct scheduler *s, uint32_t class,
                           uint64_t t)
{
    struct share *const of = g->poll ? stall_owner_poll(g, m, s->number, class, t)
                                     : stall_owner(m, s->number, class);
    classes_own(&s->cycles, of->cycles, t, g->each);
}

/* A second instruction of the warp that has just issued, in the same cycle. */
COLD static void issue_second(struct gpu *g, struct sm *m, struct scheduler *s, struct warp *w,
                              uint64_t t)
{
    const uint64_t again = candidates(g, m, s, t) & w->bit;
    /* Filed for t + 1; the operands must be there now. */
    if (again != 0u && operands_at(w, w->next) <= t) {
        (void)issue(g, m, s, w, t);
        s->newly++;
    }
}

/* Issues what a scheduler issues in cycle t; returns the class of the cycle. */
HOT uint32_t schedule(struct gpu *g, struct sm *m, struct scheduler *s, uint64_t t, bool plain)
{
    uint32_t class;
    int32_t position = -1;

    if (!plain && m->pausing) {
        classes_own(&s->cycles, m->eldest->cycles, t, g->each);
        return GPU_PAUSED;
    }
    if (s->free_at > t) {
        return GPU_ISSUED;
    }
    if (!plain && g->poll) {
        class = scheduler_poll(g, m, s->number, t, &position);
    } else {
        const uint64_t set = candidates(g, m, s, t);
        class = set != 0u ? GPU_ISSUED : stall_class(s);
        if (set != 0u) {
            position = choose(s, set);
        }
    }
    if (position < 0) {
        if (!plain && m->mixed) {
            own_stall(g, m, s, class, t);
        }
        return class;
    }
    struct warp *const w = s->warp[position];
    s->last = (uint32_t)position;
    if (!plain && m->mixed) {
        classes_own(&s->cycles, w->of->cycles, t, g->each);
    }
    assert(w->buffered != 0u && operands_at(w, w->next) <= t);
    const bool two_buffered = w->buffered >= 2u;
    const uint32_t op = issue(g, m, s, w, t);
    if (!plain) {
        s->newly = 1u;
        s->newly_of = w->cta;
    }
    if (!plain && g->config.warp.width == 2u && op < OP_BRANCH && two_buffered) {
        issue_second(g, m, s, w, t);
    }
    s->free_at = t + g->config.warp.interval;
    if (!UNLIKELY(w->polls)) {
        g->progress = t;
    }
    return GPU_ISSUED;
}

/* ---- A cycle ------------------------------------------------------------------------- */

/* After cycle t, in which this scheduler issued: must it be asked again in t + 1? If not, the
 * class of t + 1 is known now; an event then would overrule it. */
HOT bool again(struct gpu *g, struct sm *m, struct scheduler *s, uint64_t t)
{
    if (candidates(g, m, s, t + 1u) != 0u) {
        return true;
    }
    const uint32_t class = stall_class(s);
    if (UNLIKELY(m->mixed)) {
        classes_own(&s->cycles, stall_owner(m, s->number, class)->cycles, t + 1u, g->each);
    }
    classify(&s->cycles, class, t + 1u, false);
    return false;
}

/* When a pipe that a scheduler waits for is free; NEVER if it waits for none. */
HOT uint64_t pipes_next(const struct gpu *g, const struct sm *m, const struct scheduler *s,
                        uint64_t t)
{
    uint64_t next = s->free_at > t ? s->free_at : NEVER;
    for (uint32_t pipe = 0u; m->pipes_free > t && pipe < PIPES; pipe++) {
        const uint64_t free_at = pipe_free(g, m, pipe, s->number);
        if ((s->ready[pipe] & s->selected) != 0u && free_at > t && free_at < next) {
            next = free_at;
        }
    }
    return next;
}

/* Must the load/store unit step in cycle t + 1? If not, its class in t + 1 is known now. */
HOT bool ldst_again(struct gpu *g, struct sm *m, uint64_t t, bool rests)
{
    if (rests && m->ldst_free > t + 1u) {
        return false; /* it is at its last access */
    }
    if (m->queued != 0u) {
        return m->ldst.current <= LDST_BUSY && !(ldst_crowded(m) && ldst_stuck(g, m, t + 1u));
    }
    if (m->ldst.current == LDST_BUSY) {
        if (UNLIKELY(m->mixed)) {
            classes_own(&m->ldst, m->eldest->ldst, t + 1u, false);
        }
        classify(&m->ldst, LDST_IDLE, t + 1u, false);
    }
    return false;
}

/* Must the SM step in cycle t + 1? Otherwise it sleeps until something can happen. */
HOT bool sm_rest(struct gpu *g, struct sm *m, uint64_t t, bool code, bool rests)
{
    /* A scheduler that has had its turn may have got a warp. */
    const bool changed = m->reordered;
    m->reordered = false;
    const uint64_t asks = fetch_asks(m, code);
    if (ldst_again(g, m, t, rests) || changed) {
        return true;
    }
    const bool fetches = asks != 0u && !(code && code_vain(g, m, asks));
    if (fetches && !(rests && m->fetch_free > t + 1u)) {
        return true;
    }
    if (code) { /* they ask in vain until something wakes the SM */
        m->turning = rests && fetches ? 0u : asks;
        m->turns_from = t + 1u;
    }
    const bool announce = g->config.warp.interval == 1u;
    uint64_t next = rests && fetches ? m->fetch_free : NEVER;
    if (rests && m->ldst_free > t + 1u && m->ldst_free < next) {
        next = m->ldst_free;
    }
    for (uint32_t k = 0u; k < g->schedulers; k++) {
        struct scheduler *const s = &m->scheduler[k];
        const struct classes *const c = &s->cycles;
        uint64_t known = t; /* up to this cycle */
        if (c->current == GPU_ISSUED && announce) {
            if (again(g, m, s, t)) {
                return true;
            }
            known = t + 1u;
        }
        if (c->current <= GPU_PIPELINE_MEMORY) {
            const uint64_t pipe = pipes_next(g, m, s, known);
            next = pipe < next ? pipe : next;
        }
    }
    const uint64_t event = events_next(m, t);
    next = event < next ? event : next;
    if (m->pausing && m->alu_latest > t && m->alu_latest < next) {
        next = m->alu_latest;
    }
    if (next != NEVER) {
        wake_sm(g, m->id, next);
    }
    return false;
}

/* The same, when cycles are counted one by one, or recorded. */
__attribute__((noinline)) static bool sm_rest_watched(struct gpu *g, struct sm *m, uint64_t t)
{
    const bool more = g->each ? false : sm_rest(g, m, t, g->code_on, g->rests);
    if (g->hooks.classes) {
        record_sm(g, m, t);
    }
    return more;
}

/* The load/store unit. */
HOT void turn(struct gpu *g, struct sm *m, uint64_t t, bool plain, bool each, bool rests)
{
    if (rests && m->ldst_free > t) { /* it is at its last access still */
        if (each) {
            classify(&m->ldst, LDST_BUSY, t, each);
        }
    } else if (m->queued != 0u) {
        if (!m->held || (!plain && (each || g->poll))) {
            ldst_step(g, m, t);
            if (rests && !m->held) {
                m->ldst_free = t + g->config.ldst.interval;
            }
        }
    } else if (each || (rests && m->ldst.current == LDST_BUSY)) {
        /* Otherwise it is so since its last access. */
        classes_own(&m->ldst, m->eldest->ldst, t, each);
        classify(&m->ldst, LDST_IDLE, t, each);
    }
}

/* plain, code and rests, which are known when this is compiled: see sms_step. */
HOT bool cycle(struct gpu *g, struct sm *m, uint64_t t, bool plain, bool code, bool rests)
{
    const bool each = !plain && g->each;
    m->stepped = t;
    inflight_split(m, t, each);
    events_run(g, m, t);
    turn(g, m, t, plain, each, rests);
    /* They take turns at being first. */
    const uint32_t n = g->schedulers;
    struct scheduler *const first =
        &m->scheduler[n == 3u ? (uint32_t)(t % 3u) : (uint32_t)t & (n - 1u)];
    struct scheduler *s = first;
    do {
        s->class = schedule(g, m, s, t, plain);
        classify(&s->cycles, s->class, t, each);
        s = s->then;
    } while (s != first);
    fetch_step(g, m, t, code, rests);
    classify(&m->inflight,
             (m->alu_latest > t ? INFLIGHT_ALU : 0u)
                 | (m->memory_inflight != 0u ? INFLIGHT_MEMORY : 0u),
             t, each);
    if (UNLIKELY(m->left)) {
        sm_owners(g, m, t + 1u);
    }
    return !plain && g->watched ? sm_rest_watched(g, m, t) : sm_rest(g, m, t, code, rests);
}

/* Apart, so that the usual cycle has all registers of the host. */
__attribute__((noinline)) static bool cycle_any(struct gpu *g, struct sm *m, uint64_t t)
{
    return cycle(g, m, t, false, g->code_on, g->rests);
}

HOT uint64_t step_each(struct gpu *g, struct sm *const sm[], uint64_t set, uint64_t t,
                       bool code, bool rests)
{
    const bool usual = g->plain;
    uint64_t more = 0u;
    for (; set != 0u; set &= set - 1u) {
        struct sm *const m = sm[lowest(set)];
        const bool plain = usual && !m->pausing && !m->mixed;
        const bool again = plain ? cycle(g, m, t, true, code, rests) : cycle_any(g, m, t);
        more |= again ? set & -set : 0u;
    }
    return more;
}

__attribute__((noinline)) static uint64_t step_code(struct gpu *g, struct sm *const sm[],
                                                    uint64_t set, uint64_t t)
{
    return step_each(g, sm, set, t, true, false);
}

__attribute__((noinline)) static uint64_t step_rests(struct gpu *g, struct sm *const sm[],
                                                     uint64_t set, uint64_t t)
{
    return step_each(g, sm, set, t, g->code_on, true);
}

/* Most cycles ask for nothing that is rare: no slow mode, no recorded classes, schedulers that
 * issue one instruction, whose CTA nobody asks for, no pause, CTAs of one kernel. Those are
 * compiled without it: with and without an instruction cache, and for units that rest between
 * their turns. */
uint64_t sms_step(struct gpu *g, struct sm *const sm[], uint64_t set, uint64_t t)
{
    if (UNLIKELY(g->rests)) {
        return step_rests(g, sm, set, t);
    }
    return g->code_on ? step_code(g, sm, set, t) : step_each(g, sm, set, t, false, false);
}

void sm_settle(struct gpu *g, struct sm *m, uint64_t end)
{
    const bool each = g->each;
    inflight_split(m, end - 1u, each);
    for (uint32_t k = 0u; k < g->schedulers; k++) {
        classes_settle(&m->scheduler[k].cycles, end, each);
    }
    classes_settle(&m->ldst, end, each);
    classes_settle(&m->inflight, end, each);
    classes_settle(&m->no_cta, end, false);
    integral_set(&m->resident, m->resident.value, end);
    integral_set(&m->off, m->off.value, end);
    for (uint64_t set = m->alive; set != 0u; set &= set - 1u) {
        warp_count(m, &m->warp[lowest(set)]);
    }
    issues_settle(m);
}
