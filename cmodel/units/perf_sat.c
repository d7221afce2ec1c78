/* perf_sat - the best number of CTAs of an SM; see perf_sat.h. */

#include "units/perf_sat.h"

#include <assert.h>

enum { MOST_TOGGLES = 3 };

/* A count stops at its highest number; rule PS-8. */
static uint32_t sum_of(const struct perf_sat *unit, uint32_t count, uint64_t more)
{
    const uint64_t most = UINT32_MAX >> (32u - unit->config.count_w);

    return more > most - count ? (uint32_t)most : count + (uint32_t)more;
}

/* ---- Rule PS-1: a kernel begins -------------------------------------------------------- */

static void begin(const struct perf_sat_in *in, struct perf_sat_state *n)
{
    const uint32_t half = (in->n_max + 1u) / 2u;
    const bool fixed = in->cooperative || in->n_max <= 1u;

    n->n_max = in->n_max;
    n->n_ctas = in->n_max + in->n_more;
    n->limit = fixed ? in->n_max : half;
    n->phase = fixed ? PERF_SAT_DONE : PERF_SAT_WAITING;
    n->down = n->dir = n->hist = false;
    n->toggles = 0u;
    n->settle = 0u;
    n->stalled = n->elapsed = 0u;
}

/* ---- Judgement ------------------------------------------------------------------------- */

static bool is_better(const struct perf_sat_state *q)
{
    return q->stalled < q->prev; /* rule PS-5 */
}

/* N one further in the direction of the state, or back from it. */
static uint32_t further(const struct perf_sat_state *q)
{
    return q->down ? q->limit - 1u : q->limit + 1u;
}
static uint32_t back(const struct perf_sat_state *q)
{
    return q->down ? q->limit + 1u : q->limit - 1u;
}

static void end_with(struct perf_sat_state *n, uint32_t limit)
{
    n->limit = limit;
    n->phase = PERF_SAT_DONE;
}

/* Returns whether it is the fourth; rule PS-4. */
static bool toggle(const struct perf_sat_state *q, struct perf_sat_state *n)
{
    n->toggles = (q->toggles + 1u) & MOST_TOGGLES;
    return q->toggles == MOST_TOGGLES;
}

/* In a strong state, or to get there; rule PS-7. */
static void advance_limit(const struct perf_sat_state *q, struct perf_sat_state *n)
{
    n->prev = q->stalled;
    n->toggles = 0u;
    if (q->limit == (q->down ? 1u : q->n_max)) {
        end_with(n, q->limit);
    } else {
        n->limit = further(q);
    }
}

/* Weak states, in which the direction is open; rule PS-2, rule PS-3. */
static void decide(const struct perf_sat_state *q, bool votes_two, struct perf_sat_state *n)
{
    if (is_better(q)) {
        if (q->hist) {
            n->dir = true;
            advance_limit(q, n);
        }
        n->hist = true;
        return;
    }
    n->prev = q->stalled;
    n->hist = !votes_two;
    n->down = !q->down;
    n->limit = back(q); /* the other of N0 and N0 + 1 */
    if (toggle(q, n)) {
        end_with(n, n->limit); /* the fourth comes back to N0 + 1 */
    }
}

/* Strong states, and weak ones after them; rule PS-6, rule PS-7. */
static void search(const struct perf_sat_state *q, struct perf_sat_state *n)
{
    const bool better = is_better(q);

    n->hist = better;
    if (q->hist && better) {
        advance_limit(q, n);
        /* NOLINTNEXTLINE(bugprone-branch-clone): two rules, which end alike */
    } else if (!q->hist && !better) {
        end_with(n, back(q)); /* where the stored sample was */
    } else if (toggle(q, n)) {
        end_with(n, back(q));
    }
}

static void judge(const struct perf_sat_state *q, const struct perf_sat_in *in,
                  struct perf_sat_state *n)
{
    n->judged = true;
    if (q->phase == PERF_SAT_FIRST_PERIOD) {
        n->prev = q->stalled;
        n->limit = q->limit + 1u;
        n->phase = PERF_SAT_PERIODS;
    } else if (!q->dir) {
        decide(q, in->votes_two, n);
    } else {
        search(q, n);
    }
    if (n->limit < q->limit && n->phase != PERF_SAT_DONE) {
        n->settle = in->settle; /* rule PS-9 */
    }
}

/* ---- A cycle --------------------------------------------------------------------------- */

/* A cycle of a period, the first one of which judges the period before. */
static void sample(const struct perf_sat *unit, const struct perf_sat_in *in,
                   struct perf_sat_state *n)
{
    const struct perf_sat_state *const q = &unit->q;

    if (q->settle != 0u) {
        n->settle = in->ended < q->settle ? q->settle - in->ended : 0u;
        n->elapsed = n->stalled = 0u;
        return;
    }
    if (in->hold) {
        return;
    }
    if (q->elapsed == q->period) {
        judge(q, in, n);
        n->elapsed = n->stalled = 0u;
    }
    n->elapsed++;
    n->stalled = sum_of(unit, n->stalled, in->stalled);
}

static void measure(const struct perf_sat *unit, const struct perf_sat_in *in,
                    struct perf_sat_state *n)
{
    if (!in->hold) {
        n->period = sum_of(unit, n->period, n->n_ctas);
    }
    if (in->ended != 0u) {
        n->phase = PERF_SAT_FIRST_PERIOD;
    }
}

void perf_sat_eval(const struct perf_sat *unit, const struct perf_sat_in *in,
                   struct perf_sat_out *out, struct perf_sat_next *next)
{
    const struct perf_sat_state *const q = &unit->q;
    struct perf_sat_state *const n = &next->q;

    out->limit = q->limit;
    out->state = (q->down ? 2u : 0u) + (q->dir && q->hist ? 1u : 0u);
    out->done = q->phase == PERF_SAT_DONE;
    out->judged = q->judged;

    perf_sat_hold(unit, next);
    n->judged = false;
    if (in->restart) {
        begin(in, n);
    } else if (q->phase >= PERF_SAT_FIRST_PERIOD) {
        sample(unit, in, n);
    } else if (q->phase == PERF_SAT_MEASURING) {
        measure(unit, in, n);
    } else {
        n->elapsed = n->stalled = 0u;
        if (q->phase == PERF_SAT_WAITING && in->started) {
            n->period = sum_of(unit, 0u, q->n_ctas);
            n->phase = PERF_SAT_MEASURING;
        }
    }
}

/* ---- Many cycles ----------------------------------------------------------------------- */

bool perf_sat_quiet(const struct perf_sat *unit, const struct perf_sat_in *in)
{
    const struct perf_sat_state *const q = &unit->q;

    if (in->restart || q->judged) {
        return false;
    }
    switch (q->phase) {
    case PERF_SAT_DONE:
        return q->elapsed == 0u && q->stalled == 0u;
    case PERF_SAT_WAITING:
        return !in->started;
    case PERF_SAT_MEASURING:
        return in->hold && in->ended == 0u;
    default:
        return in->hold && q->settle == 0u;
    }
}

/* Cycles, at most n, that only count. */
static uint64_t count_on(struct perf_sat *unit, const struct perf_sat_in *in, uint64_t n)
{
    struct perf_sat_state *const q = &unit->q;

    if (in->restart || in->hold || q->judged) {
        return 0u;
    }
    if (q->phase == PERF_SAT_MEASURING && in->ended == 0u) {
        const uint64_t most = n < UINT32_MAX ? n : UINT32_MAX; /* by then it is full */
        q->period = sum_of(unit, q->period, most * q->n_ctas);
        return n;
    }
    if (q->phase < PERF_SAT_FIRST_PERIOD || q->settle != 0u) {
        return 0u;
    }
    const uint64_t left = q->period - q->elapsed;
    n = n < left ? n : left;
    q->elapsed += (uint32_t)n;
    q->stalled = sum_of(unit, q->stalled, n * in->stalled);
    return n;
}

void perf_sat_advance(struct perf_sat *unit, const struct perf_sat_in *in, uint64_t n)
{
    struct perf_sat_out out;
    struct perf_sat_next next;

    while (n > 0u) {
        const uint64_t counted = count_on(unit, in, n);
        n -= counted;
        if (counted == 0u) {
            perf_sat_eval(unit, in, &out, &next);
            if (perf_sat_type.holds(unit, &next)) {
                return; /* such as settling, while no CTA ends */
            }
            perf_sat_tick(unit, &next);
            n--;
        }
    }
}

void perf_sat_advance_sum(struct perf_sat *unit, const struct perf_sat_in *in, uint64_t n,
                          uint64_t stalled)
{
    struct perf_sat_state *const q = &unit->q;
    struct perf_sat_in without = *in;
    const bool counts = q->phase >= PERF_SAT_FIRST_PERIOD && q->settle == 0u && !in->hold;

    assert(!counts || n <= q->period - q->elapsed);
    without.stalled = 0u;
    perf_sat_advance(unit, &without, n);
    if (counts) {
        q->stalled = sum_of(unit, q->stalled, stalled);
    }
}

/* ---- Events ---------------------------------------------------------------------------- */

static void count_judgement(const struct perf_sat *unit, const struct perf_sat_state *n,
                            struct perf_sat_events *events)
{
    const struct perf_sat_state *const q = &unit->q;
    const bool fourth = q->toggles == MOST_TOGGLES;
    const bool better = is_better(q);

    events->settling += n->settle != 0u;
    events->resumed += q->dir && !q->hist && better && !fourth;
    if (n->phase == PERF_SAT_DONE) {
        events->undecided += !n->dir;
        events->unconfirmed += q->dir && !q->hist && better;
        events->passed += q->dir && !q->hist && !better;
        events->at_bound += n->dir && n->hist && !(q->dir && !q->hist);
    }
}

void perf_sat_count(const struct perf_sat *unit, const struct perf_sat_in *in,
                    const struct perf_sat_out *out, struct perf_sat_events *events)
{
    const uint32_t most = UINT32_MAX >> (32u - unit->config.count_w);
    struct perf_sat_out again;
    struct perf_sat_next next;

    (void)out;
    perf_sat_eval(unit, in, &again, &next);
    events->full += unit->q.stalled < most && next.q.stalled == most;
    events->full += unit->q.period < most && next.q.period == most;
    if (next.q.judged) {
        count_judgement(unit, &next.q, events);
    }
}

#define UNIT_OWN_COUNT
#define UNIT perf_sat
#include "base/unit_define.h"
