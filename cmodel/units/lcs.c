/* lcs - counts, the first CTA that ends, and Tnew by subtraction; see lcs.h. */

#include "units/lcs.h"

enum { MONITOR, THROTTLE, LAZY };
enum { ROUND_DOWN, ROUND_UP, ROUND_UP_AND_ONE };

/* ---- What a cycle says --------------------------------------------------------------- */

static uint32_t at_least(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t at_most(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* CTAs of the kernel that are the first to end. */
static struct bits first_ends(const struct lcs *unit, const struct lcs_in *in)
{
    const struct bits none = { { 0u } };

    return unit->q.phase == MONITOR ? bits_and(in->ended, unit->q.started) : none;
}

/* Instructions are counted until the total is a quarter of what its bits hold. */
static bool has_room(const struct lcs *unit)
{
    return unit->q.total < UINT32_C(1) << (unit->config.count_w - 2u);
}

/* Scheduler k's instructions are of a CTA of the kernel. */
static bool is_counted(const struct lcs *unit, const struct lcs_in *in, uint32_t k)
{
    return in->issued_slot[k] < unit->config.n_slot
           && bits_has(unit->q.started, in->issued_slot[k]);
}

/* ---- The three phases ---------------------------------------------------------------- */

static void begin(const struct lcs *unit, const struct lcs_in *in, struct lcs_state *q)
{
    q->phase = MONITOR;
    q->n_max = at_least(1u, at_most(in->n_max, unit->config.n_slot));
    q->limit = q->n_max;
    q->total = 0u;
    q->started = (struct bits){ { 0u } };
}

static void start(const struct lcs *unit, const struct lcs_in *in, struct lcs_state *q)
{
    for (uint32_t slot = 0u; slot < unit->config.n_slot; slot++) {
        if (bits_has(in->started, slot)) {
            bits_add(&q->started, slot);
            q->count[slot] = 0u;
        }
    }
}

/* Starts in the cycle of the first end, which nobody asks for any more. But the count of the
 * first goes on, also if another starts in its slot. */
static void start_last(const struct lcs *unit, const struct lcs_in *in, struct bits ends,
                       struct lcs_state *q)
{
    const struct lcs_state counted = *q;

    start(unit, in, q);
    for (uint32_t slot = 0u; slot < unit->config.n_slot; slot++) {
        if (bits_has(ends, slot)) {
            q->count[slot] = counted.count[slot];
        }
    }
}

static void monitor(const struct lcs *unit, const struct lcs_in *in, struct lcs_state *q)
{
    const struct bits ends = first_ends(unit, in);

    for (uint32_t k = 0u; has_room(unit) && k < unit->config.n_scheduler; k++) {
        if (is_counted(unit, in, k)) {
            q->count[in->issued_slot[k]] += in->issued[k];
            q->total += in->issued[k];
        }
    }
    if (!bits_any(ends)) {
        start(unit, in, q);
        return;
    }
    start_last(unit, in, ends, q);
    q->phase = THROTTLE;
    q->limit = 0u;
    q->first = 0u;
    while (!bits_has(ends, q->first)) {
        q->first++;
    }
}

/* The total, which in Throttle comes to 0 or below. */
static int64_t left(const struct lcs *unit)
{
    const int64_t sign = INT64_C(1) << (unit->config.count_w - 1u);

    return unit->q.total < sign ? unit->q.total : unit->q.total - 2 * sign;
}

/* Total / count of the first, rounded up, as far as Tmax: so often one goes into the other. */
static void throttle(const struct lcs *unit, const struct lcs_in *in, struct lcs_state *q)
{
    const uint64_t mask = (UINT64_C(1) << unit->config.count_w) - 1u;
    const uint32_t first = unit->q.count[unit->q.first];

    if (unit->q.limit < unit->q.n_max && (unit->q.limit == 0u || left(unit) > 0)) {
        q->total = (uint32_t)((uint64_t)(left(unit) - first) & mask);
        q->limit++;
        return;
    }
    if (in->rounding == ROUND_DOWN && left(unit) < 0) {
        q->limit--;
    } else if (in->rounding >= ROUND_UP_AND_ONE) {
        q->limit = at_most(q->limit + 1u, q->n_max);
    }
    q->phase = LAZY;
}

void lcs_eval(const struct lcs *unit, const struct lcs_in *in, struct lcs_out *out,
              struct lcs_next *next)
{
    out->phase = unit->q.phase;
    out->hold = unit->q.phase == THROTTLE || bits_any(first_ends(unit, in));
    out->limit = unit->q.limit;
    lcs_hold(unit, next);
    if (in->restart) {
        begin(unit, in, &next->q);
        start(unit, in, &next->q);
    } else if (unit->q.phase == MONITOR) {
        monitor(unit, in, &next->q);
    } else if (unit->q.phase == THROTTLE) {
        throttle(unit, in, &next->q);
    }
}

/* ---- Many cycles ---------------------------------------------------------------------- */

uint32_t lcs_room(const struct lcs *unit)
{
    const bool counts = unit->q.phase == MONITOR && has_room(unit);

    return counts ? (UINT32_C(1) << (unit->config.count_w - 2u)) - unit->q.total : 0u;
}

void lcs_count_sum(struct lcs *unit, const uint32_t *issued)
{
    const bool counts = lcs_room(unit) != 0u;

    for (uint32_t slot = 0u; counts && slot < unit->config.n_slot; slot++) {
        if (bits_has(unit->q.started, slot)) {
            unit->q.count[slot] += issued[slot];
            unit->q.total += issued[slot];
        }
    }
}

/* ---- What it promises, and what it meets --------------------------------------------- */

static uint32_t counted(const struct lcs *unit, const struct lcs_in *in)
{
    uint32_t sum = 0u;

    for (uint32_t k = 0u; k < unit->config.n_scheduler; k++) {
        sum += is_counted(unit, in, k) ? in->issued[k] : 0u;
    }
    return sum;
}

bool lcs_quiet(const struct lcs *unit, const struct lcs_in *in)
{
    if (in->restart || unit->q.phase == THROTTLE) {
        return false;
    }
    return unit->q.phase == LAZY
           || (!bits_any(in->started) && !bits_any(first_ends(unit, in))
               && counted(unit, in) == 0u);
}

void lcs_count(const struct lcs *unit, const struct lcs_in *in, const struct lcs_out *out,
               struct lcs_events *events)
{
    const bool throttles = unit->q.phase == THROTTLE;
    const bool full = unit->q.limit == unit->q.n_max;
    const uint32_t n = bits_count(first_ends(unit, in), unit->config.n_slot);

    (void)out;
    events->together += !in->restart && n > 1u;
    events->clamped += throttles && !in->restart && full && left(unit) > 0;
    events->uncounted += throttles && unit->q.limit == 0u && unit->q.count[unit->q.first] == 0u;
    events->stopped +=
        unit->q.phase == MONITOR && !in->restart && !has_room(unit) && counted(unit, in) != 0u;
    events->interrupted += throttles && in->restart;
}

#define UNIT_OWN_COUNT
#define UNIT lcs
#include "base/unit_define.h"
