/* sm_parts - what the parts of an SM share: events, and what the next instruction waits for. */

#ifndef SM_PARTS_H
#define SM_PARTS_H

#include "gpu/machine.h"
#include "gpu/wake.h"

void ldst_step(struct gpu *g, struct sm *m, uint64_t t);
/* The unit is crowded, has an instruction, and has not stepped in cycle t: is it sure to be
 * held in t by what it is held by now? Then t has that class, and it need not step. An answer
 * of false says nothing. */
bool ldst_stuck(struct gpu *g, struct sm *m, uint64_t t);
HOT bool ldst_crowded(const struct sm *m)
{
    return queue_full(&m->miss_queue) || m->cache[PATH_L1].mshr.n_free == 0u;
}
/* The line of this MSHR comes to the cache of constants. */
void constant_come(struct gpu *g, struct sm *m, uint32_t mshr, uint64_t t);
uint32_t scheduler_poll(struct gpu *g, struct sm *m, uint32_t k, uint64_t t, int32_t *position);
/* The fetch unit gives the warp a turn, and its line has less left than a whole group. Does the
 * turn bring instructions? */
bool code_fetch(struct gpu *g, struct sm *m, struct warp *w, uint64_t t);
/* Would a turn of any of these warps, which ask the fetch unit, change nothing but whose turn
 * is next? Nobody has asked for their lines, and there is no room for a request. So it stays
 * until the cluster takes one, or the SM has a cycle. */
bool code_vain(const struct gpu *g, struct sm *m, uint64_t warps);
/* A line of instructions has come. */
void code_fill(const struct gpu *g, struct sm *m, uint32_t line);
/* Counts what the warp has issued of its piece, in m->latest; and adds that to what the SM and
 * the kernel have. */
void warp_count(struct sm *m, struct warp *w);
void issues_settle(struct sm *m);
/* The warp has come to its stop. It takes the operands that are there, and asks for the next
 * piece of its stream if it has issued the last instruction of this one. */
void warp_more(struct gpu *g, struct sm *m, struct warp *w, uint64_t t);
/* The same when the SM has had its cycle t: the warp has its operands in the next one. */
void warp_more_after(struct gpu *g, struct sm *m, struct warp *w, uint64_t t);
/* The warp's next stop from this instruction on. */
const struct instruction *operand_stop(const struct warp *w, const struct instruction *from);
/* The warp is at a load that machine code has as an operand: it passes it, or is to issue it.
 */
void operand_read(struct gpu *g, struct sm *m, struct warp *w, uint64_t t);
/* CTAs have come or gone in the cycle before t: whose its cycles are from t on. */
void sm_owners(struct gpu *g, struct sm *m, uint64_t t);
/* With CTAs of several kernels: whose cycle of this class it is, in which scheduler k issues
 * nothing; and the same by definition. */
struct share *stall_owner(const struct sm *m, uint32_t k, uint32_t class);
struct share *stall_owner_poll(const struct gpu *g, const struct sm *m, uint32_t k,
                               uint32_t class, uint64_t t);
void cta_end(struct gpu *g, struct sm *m, uint32_t slot, uint64_t t);
/* Its warps, which do nothing any more, and all that it holds leave the SM. */
void cta_take_off(struct gpu *g, struct sm *m, uint32_t slot, uint64_t t);
/* It holds all that it takes, in this slot, with these pieces of streams, if there are any. Of
 * its warps, by number, these live; and these of them do not stand at a barrier. */
void cta_put(struct gpu *g, struct sm *m, uint32_t slot, const struct warp_stream *stream,
             uint64_t live, uint64_t run, uint64_t t);
/* The warp, which has issued CHILDREN, waits. */
void warp_waits(struct gpu *g, struct sm *m, struct warp *w, uint64_t t);
/* A warp of the CTA, in which some wait for children, has stopped: does all of it wait? */
void leave_check(struct sm *m, uint32_t slot, uint64_t t);
/* The other events: of warps that stand at a barrier, and those that wait for children. */
void stand_run(struct gpu *g, struct sm *m, const struct event *e, uint64_t t);
void two_level_add(struct gpu *g, struct sm *m, uint32_t warp);
void two_level_leave(struct gpu *g, struct sm *m, uint32_t warp);
void two_level_return(struct gpu *g, struct sm *m, uint32_t warp);
void two_level_remove(struct gpu *g, struct sm *m, uint32_t warp);
/* The warps that issue are now these. */
void two_level_ready(struct sm *m, uint64_t warps);
/* OWL: CTAs have come or gone; and whose turn it is. */
void owl_groups(struct gpu *g, struct sm *m);
void owl_choose(struct sm *m);
uint64_t two_level_mask(const struct sm *m, uint32_t scheduler, uint32_t schedulers);

/* Something happens `latency` cycles after t, at most TICKS - 1. */
HOT void event_push(struct sm *m, uint64_t t, uint32_t latency, enum event_kind kind,
                    uint32_t subject)
{
    const uint32_t tick = (uint32_t)(t + latency) % TICKS;
    const uint16_t id = m->free_event;
    assert(id != 0u && latency != 0u && latency < TICKS);
    struct event *const e = &m->event[id];
    m->free_event = e->next;
    m->listed++;
    e->next = m->tick[tick];
    e->kind = (uint8_t)kind;
    e->subject = (uint16_t)subject;
    m->tick[tick] = id;
    m->occupied[tick / 64u] |= BIT(tick % 64u);
}

/* These warps have something to do in cycle `at`, less than TICKS away. */
HOT void due_push(struct sm *m, uint64_t at, uint64_t warps)
{
    const uint32_t tick = (uint32_t)at % TICKS;
    m->due[tick] |= warps;
    m->occupied[tick / 64u] |= BIT(tick % 64u);
}

/* When the registers of an instruction are there; NEVER while memory owes one. */
HOT uint64_t operands_at(const struct warp *w, const struct instruction *i)
{
    const uint64_t *const owed = w->owed;
    const uint64_t dst = owed[i->dst];
    const uint64_t a = owed[i->src[0]], b = owed[i->src[1]];
    const uint64_t c = owed[i->src[2]], d = owed[i->src[3]];
    const uint64_t ab = a > b ? a : b, cd = c > d ? c : d;
    const uint64_t sources = ab > cd ? ab : cd;
    uint64_t at = sources > dst ? sources : dst;
    for (uint32_t r = 1u; UNLIKELY(r < i->n_dst); r++) {
        at = owed[i->dst + r] > at ? owed[i->dst + r] : at;
    }
    if (UNLIKELY(i->op >= OP_EXIT)) { /* or OP_FENCE */
        at = (w->pending | w->unanswered) != 0u ? NEVER : owed[REGISTER_LATEST];
    }
    return at;
}

/* The last arithmetic result may have come while the SM slept. */
enum { INFLIGHT_ALU = 1, INFLIGHT_MEMORY = 2 };
HOT void inflight_split(struct sm *m, uint64_t t, bool each)
{
    if ((m->inflight.current & INFLIGHT_ALU) != 0u && m->alu_latest <= t && !each) {
        classify(&m->inflight, m->inflight.current & INFLIGHT_MEMORY, m->alu_latest, false);
    }
}

/* How many cycles before t, which is not classified yet, had arithmetic in flight. */
HOT uint64_t busy_before(const struct sm *m, uint64_t t, bool each)
{
    const struct classes *const c = &m->inflight;
    const uint64_t sum = c->count[INFLIGHT_ALU] + c->count[INFLIGHT_ALU | INFLIGHT_MEMORY];
    const uint64_t end = m->alu_latest < t ? m->alu_latest : t;
    return !each && (c->current & INFLIGHT_ALU) != 0u && end > c->since ? sum + end - c->since
                                                                        : sum;
}

/* When the first unit is free of those that an operation of a scheduler takes. */
HOT uint64_t pipe_free(const struct gpu *g, const struct sm *m, uint32_t op, uint32_t scheduler)
{
    const uint32_t pipe = g->pipe_of[op];
    return m->pipe_free[pipe][g->shared_pipe[pipe] ? 0u : scheduler];
}

/* Which of scheduler.ready holds an instruction. */
HOT uint32_t ready_kind(uint32_t op)
{
    static const uint8_t kind[OP_ALL] = {
        [OP_INTEGER] = OP_INTEGER,    [OP_FP32] = OP_FP32,
        [OP_FP64] = OP_FP64,          [OP_SFU] = OP_SFU,
        [OP_TENSOR] = OP_TENSOR,      [OP_LOAD] = READY_MEMORY,
        [OP_STORE] = READY_MEMORY,    [OP_ATOMIC] = READY_MEMORY,
        [OP_SHARED] = READY_MEMORY,   [OP_CONSTANT] = READY_MEMORY,
        [OP_TEXTURE] = READY_MEMORY,  [OP_BRANCH] = READY_CONTROL,
        [OP_BARRIER] = READY_CONTROL, [OP_EXIT] = READY_CONTROL,
        [OP_FENCE] = OP_INTEGER,
    };
    _Static_assert(OP_ALL == 15 && OP_EXIT + 1 == OP_FENCE,
                   "each class of operations is one of a kind");
    return kind[op];
}

/* The warp has no instruction before cycle w->arrive. */
HOT void fetch_push(const struct gpu *g, struct sm *m, const struct warp *w, uint64_t t)
{
    assert(w->arrive - t < TICKS);
    if (UNLIKELY(g->two_level_on)) {
        event_push(m, t, (uint32_t)(w->arrive - t), EVENT_FETCH, w->slot);
    } else {
        due_push(m, w->arrive, w->self);
    }
}

/* Files a warp, which has an instruction, under what that instruction waits for. It may issue
 * from cycle `from` on; t is the running cycle. */
HOT void warp_place(struct gpu *g, struct sm *m, struct warp *w, uint64_t t, uint64_t from)
{
    struct scheduler *const s = w->scheduler;
    const struct instruction *const i = w->next;
    const uint64_t at = operands_at(w, i), bit = w->bit;

    if (at <= from) {
        s->ready[ready_kind(i->op)] |= bit;
        s->any |= bit;
    } else if (at == NEVER) {
        s->memory_wait |= bit;
        if (UNLIKELY(g->two_level_on)) {
            two_level_leave(g, m, w->slot);
        }
    } else {
        s->alu_wait |= bit;
        if (at - t < TICKS) {
            due_push(m, at, w->self);
        } else {
            event_push(m, t, TICKS - 1u, EVENT_FAR, w->slot);
        }
    }
}

/* The same, if the warp's instruction buffer has one by cycle `from`; otherwise it waits for
 * the fetch unit. */
HOT void warp_next(struct gpu *g, struct sm *m, struct warp *w, uint64_t t, uint64_t from)
{
    if (w->arrive - 1u < from) { /* and not 0 */
        w->buffered = (uint16_t)(w->buffered + w->coming);
        w->arrive = 0u;
    }
    if (w->arrive == 0u && w->buffered <= g->fetch_low) {
        m->want |= w->self;
    }
    if (w->buffered != 0u) {
        warp_place(g, m, w, t, from);
    } else {
        m->waiting |= w->self;
        if (w->arrive != 0u) {
            fetch_push(g, m, w, t);
        }
    }
}

HOT void warp_refill(struct gpu *g, struct sm *m, struct warp *w, uint64_t t)
{
    if (UNLIKELY(w->next == w->stop)) {
        warp_more(g, m, w, t);
    }
}

/* A memory operation has completed. */
HOT void operation_complete(struct gpu *g, struct sm *m, uint32_t id, uint64_t t)
{
    struct operation *const o = &m->operation[id];
    struct warp *const w = &m->warp[o->warp];
    struct scheduler *const s = w->scheduler;

    assert(w->pending != 0u && m->memory_inflight != 0u);
    for (uint32_t r = 0u; r < o->n_dst; r++) {
        assert(w->owed[o->dst + r] == NEVER);
        w->owed[o->dst + r] = t;
    }
    m->free_operation[m->n_free_operation++] = (uint16_t)id;
    w->pending--;
    m->dirty |= --m->memory_inflight == 0u;
    if ((s->memory_wait & w->bit) != 0u && operands_at(w, w->next) != NEVER) {
        m->dirty = true;
        s->memory_wait ^= w->bit;
        warp_place(g, m, w, t, t);
    }
    /* It may still wait for answers to stores. */
    if (UNLIKELY(g->two_level_on) && w->pending == 0u && (s->memory_wait & w->bit) == 0u) {
        m->dirty = true;
        two_level_return(g, m, o->warp);
    }
}

#endif
