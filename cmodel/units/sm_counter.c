/* sm_counter - counts of one SM; see sm_counter.h. */

#include "units/sm_counter.h"

enum { CLASSES = SM_CYCLES - 1 };

/* What one cycle adds to each count. */
struct sum {
    uint64_t cycles; /* a byte for each class, and the lowest for what is not counted */
    uint32_t instructions, starts, ends;
};

static struct sum sum_of(const struct sm_counter *unit, const struct sm_counter_in *in)
{
    struct sum sum = { .instructions = in->issued, .starts = in->started, .ends = in->ended };

    for (uint32_t k = 0u; k < unit->config.n_scheduler; k++) {
        sum.cycles += UINT64_C(1) << 8u * in->cycle[k];
    }
    return sum;
}

/* Of them, what goes to cycles[c]. */
static uint32_t cycles_of(const struct sum *sum, uint32_t c)
{
    return (uint32_t)(sum->cycles >> 8u * (c + 1u)) & UINT8_MAX;
}

static uint32_t most(const struct sm_counter *unit)
{
    return UINT32_MAX >> (32u - unit->config.count_w);
}

/* A count after n cycles, each of which adds so much; rule M-3. */
static uint32_t later(const struct sm_counter *unit, uint32_t count, uint32_t more, uint64_t n)
{
    return (uint32_t)(count + more * n) & most(unit);
}

/* The counts after n cycles of the same sum, from q on. */
static void count_on(const struct sm_counter *unit, const struct sm_counter_state *q,
                     const struct sum *sum, uint64_t n, struct sm_counter_state *after)
{
    for (uint32_t c = 0u; c < CLASSES; c++) {
        after->cycles[c] = later(unit, q->cycles[c], cycles_of(sum, c), n);
    }
    after->instructions = later(unit, q->instructions, sum->instructions, n);
    after->starts = later(unit, q->starts, sum->starts, n);
    after->ends = later(unit, q->ends, sum->ends, n);
}

static const struct sm_counter_state cleared;

/* ---- One cycle, and many --------------------------------------------------------------- */

void sm_counter_eval(const struct sm_counter *unit, const struct sm_counter_in *in,
                     struct sm_counter_out *out, struct sm_counter_next *next)
{
    const struct sum sum = sum_of(unit, in);

    for (uint32_t c = 0u; c < CLASSES; c++) {
        out->cycles[c] = unit->q.cycles[c];
    }
    out->instructions = unit->q.instructions;
    out->starts = unit->q.starts;
    out->ends = unit->q.ends;
    next->q.none = 0u;
    count_on(unit, in->clear ? &cleared : &unit->q, &sum, 1u, &next->q);
}

static bool counts(const struct sm_counter *unit, const struct sm_counter_in *in)
{
    bool any = in->issued != 0u || in->started != 0u || in->ended != 0u;

    for (uint32_t k = 0u; k < unit->config.n_scheduler; k++) {
        any = any || in->cycle[k] != SM_CYCLE_UNCOUNTED;
    }
    return any;
}

bool sm_counter_quiet(const struct sm_counter *unit, const struct sm_counter_in *in)
{
    return !in->clear && !counts(unit, in);
}

/* While clear is high, only the last cycle is left of what was counted. */
void sm_counter_advance(struct sm_counter *unit, const struct sm_counter_in *in, uint64_t n)
{
    const struct sum sum = sum_of(unit, in);

    if (in->clear && n > 0u) {
        unit->q = cleared;
        n = 1u;
    }
    count_on(unit, &unit->q, &sum, n, &unit->q);
}

/* ---- Events -------------------------------------------------------------------------- */

static bool wraps(const struct sm_counter *unit, uint32_t count, uint32_t more)
{
    return more > most(unit) - count;
}

void sm_counter_count(const struct sm_counter *unit, const struct sm_counter_in *in,
                      const struct sm_counter_out *out, struct sm_counter_events *events)
{
    const struct sum sum = sum_of(unit, in);

    if (in->clear) {
        events->kept += counts(unit, in);
        return;
    }
    for (uint32_t c = 0u; c < CLASSES; c++) {
        events->wrapped += wraps(unit, out->cycles[c], cycles_of(&sum, c));
    }
    events->wrapped += wraps(unit, out->instructions, sum.instructions);
    events->wrapped += wraps(unit, out->starts, sum.starts);
    events->wrapped += wraps(unit, out->ends, sum.ends);
}

#define UNIT_OWN_COUNT
#define UNIT sm_counter
#include "base/unit_define.h"
