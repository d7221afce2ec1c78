/* dyncta - one CTA more or less on an SM after each period; see dyncta.h. */

#include "units/dyncta.h"

#include <assert.h>

static uint32_t most(const struct dyncta *unit)
{
    return UINT32_MAX >> (32u - unit->config.count_w);
}

/* A count stops at its highest number; rule D-5. */
static uint32_t sum_of(const struct dyncta *unit, uint32_t count, uint64_t more)
{
    const uint32_t left = most(unit) - count;

    return more > left ? most(unit) : count + (uint32_t)more;
}

/* ---- The end of a period --------------------------------------------------------------- */

enum verdict { STAYS, RISES_IDLE, RISES, FALLS };

/* Rule D-2. */
static enum verdict verdict_of(const struct dyncta_state *q, const struct dyncta_in *in)
{
    if (q->idle > in->t_idle) {
        return RISES_IDLE;
    }
    if (q->memory < in->t_mem_low) {
        return RISES;
    }
    return q->memory > in->t_mem_high ? FALLS : STAYS;
}

static uint32_t limit_after(const struct dyncta_state *q, enum verdict verdict)
{
    switch (verdict) {
    case RISES_IDLE:
    case RISES:
        return q->limit < q->n_max ? q->limit + 1u : q->limit; /* rule D-3 */
    case FALLS:
        return q->limit > 1u ? q->limit - 1u : q->limit;
    case STAYS:
    default:
        return q->limit;
    }
}

static bool is_over(const struct dyncta_state *q, const struct dyncta_in *in)
{
    return q->elapsed >= in->period;
}

/* ---- A cycle --------------------------------------------------------------------------- */

/* So many cycles of the running period; rule D-4. */
static void count_cycles(const struct dyncta *unit, const struct dyncta_in *in,
                         struct dyncta_state *n, uint64_t cycles)
{
    n->elapsed = sum_of(unit, n->elapsed, cycles);
    n->idle = sum_of(unit, n->idle, cycles * in->idle);
    n->memory = sum_of(unit, n->memory, cycles * in->memory);
}

static void begin_period(struct dyncta_state *n)
{
    n->elapsed = n->idle = n->memory = 0u;
}

void dyncta_eval(const struct dyncta *unit, const struct dyncta_in *in, struct dyncta_out *out,
                 struct dyncta_next *next)
{
    const struct dyncta_state *const q = &unit->q;
    struct dyncta_state *const n = &next->q;

    out->limit = q->limit;
    out->judged = q->judged;

    dyncta_hold(unit, next);
    n->judged = false;
    if (in->restart) { /* rule D-1 */
        n->n_max = in->n_max;
        n->limit = (in->n_max + 1u) / 2u;
        begin_period(n);
    } else if (!in->paused) {
        if (is_over(q, in)) {
            n->judged = true;
            n->limit = limit_after(q, verdict_of(q, in));
            begin_period(n);
        }
        count_cycles(unit, in, n, 1u);
    }
}

/* ---- Many cycles ----------------------------------------------------------------------- */

bool dyncta_quiet(const struct dyncta *unit, const struct dyncta_in *in)
{
    return in->paused && !in->restart && !unit->q.judged;
}

/* Cycles, at most n, that only count: those before the next judgement. */
static uint64_t count_on(struct dyncta *unit, const struct dyncta_in *in, uint64_t n)
{
    struct dyncta_state *const q = &unit->q;

    if (in->restart || in->paused || q->judged || is_over(q, in)) {
        return 0u;
    }
    const uint64_t left = in->period - q->elapsed;
    n = n < left ? n : left;
    count_cycles(unit, in, q, n);
    return n;
}

void dyncta_advance(struct dyncta *unit, const struct dyncta_in *in, uint64_t n)
{
    struct dyncta_out out;
    struct dyncta_next next;

    while (n > 0u && !dyncta_quiet(unit, in)) {
        const uint64_t counted = count_on(unit, in, n);
        n -= counted;
        if (counted == 0u) {
            dyncta_eval(unit, in, &out, &next);
            dyncta_tick(unit, &next);
            n--;
        }
    }
}

void dyncta_advance_sum(struct dyncta *unit, const struct dyncta_in *in, uint64_t n,
                        uint64_t idle, uint64_t memory)
{
    struct dyncta_state *const q = &unit->q;
    struct dyncta_in without = *in;

    assert(in->paused || n <= in->period - q->elapsed);
    without.idle = without.memory = 0u;
    dyncta_advance(unit, &without, n);
    if (!in->paused) {
        q->idle = sum_of(unit, q->idle, idle);
        q->memory = sum_of(unit, q->memory, memory);
    }
}

/* ---- Events ---------------------------------------------------------------------------- */

void dyncta_count(const struct dyncta *unit, const struct dyncta_in *in,
                  const struct dyncta_out *out, struct dyncta_events *events)
{
    struct dyncta_out again;
    struct dyncta_next next;

    (void)out;
    dyncta_eval(unit, in, &again, &next);
    events->full += unit->q.idle < most(unit) && next.q.idle == most(unit);
    events->full += unit->q.memory < most(unit) && next.q.memory == most(unit);
    if (next.q.judged) {
        const enum verdict verdict = verdict_of(&unit->q, in);
        events->idled += verdict == RISES_IDLE;
        events->rose += verdict == RISES;
        events->fell += verdict == FALLS;
        events->stayed += verdict == STAYS;
        events->bounded += verdict != STAYS && next.q.limit == unit->q.limit;
    }
}

#define UNIT_OWN_COUNT
#define UNIT dyncta
#include "base/unit_define.h"
