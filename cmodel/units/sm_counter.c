/* sm_counter - counts of one SM; see sm_counter.h. */

#include "units/sm_counter.h"

#include <string.h>

enum { CLASSES = SM_CYCLES - 1 };

/* A processor adds four counts at once: instructions and starts, behind two words that are
 * nothing; ends and three classes; and four classes. So the registers lie. */
typedef uint32_t four __attribute__((vector_size(16)));
_Static_assert(offsetof(struct sm_counter_state, instructions) == 8u
                   && offsetof(struct sm_counter_state, ends) == sizeof(four)
                   && offsetof(struct sm_counter_state, cycles) == 20u
                   && sizeof(struct sm_counter_state) == 3u * sizeof(four),
               "those of the classes are the last");

/* What one cycle adds to each count. */
struct sum {
    four first, second, third;
};

/* What a scheduler's cycle of each class adds to the second and third four. */
static const four one_cycle[SM_CYCLES][2] = {
    [SM_CYCLE_UNCOUNTED] = { { 0u }, { 0u } },
    [SM_CYCLE_ACTIVE] = { { 0u, 1u, 0u, 0u }, { 0u } },
    [SM_CYCLE_IDLE] = { { 0u, 0u, 1u, 0u }, { 0u } },
    [SM_CYCLE_SCOREBOARD_ALU] = { { 0u, 0u, 0u, 1u }, { 0u } },
    [SM_CYCLE_SCOREBOARD_MEMORY] = { { 0u }, { 1u, 0u, 0u, 0u } },
    [SM_CYCLE_PIPELINE_ALU] = { { 0u }, { 0u, 1u, 0u, 0u } },
    [SM_CYCLE_PIPELINE_MEMORY] = { { 0u }, { 0u, 0u, 1u, 0u } },
    [SM_CYCLE_PAUSED] = { { 0u }, { 0u, 0u, 0u, 1u } },
};

/* n: schedulers. */
static inline struct sum sum_of(uint32_t n, const uint32_t *cycle, uint32_t issued,
                                uint32_t started, uint32_t ended)
{
    struct sum sum = { { 0u, 0u, issued, started }, { ended }, { 0u } };

    for (uint32_t k = 0u; k < n; k++) {
        sum.second += one_cycle[cycle[k]][0];
        sum.third += one_cycle[cycle[k]][1];
    }
    return sum;
}

static struct sum sum_of_one(const struct sm_counter *unit, const struct sm_counter_in *in)
{
    return sum_of(unit->config.n_scheduler, in->cycle, in->issued, in->started, in->ended);
}

static uint32_t most(const struct sm_counter *unit)
{
    return UINT32_MAX >> (32u - unit->config.count_w);
}

/* Counts after n cycles, each of which adds so much; rule M-3. limit: of a full count. */
static inline four later(uint32_t limit, four count, four more, uint32_t n)
{
    return (count + more * n) & limit;
}

/* The counts after n cycles of the same sum, from q on. */
static inline void count_on(uint32_t limit, const struct sm_counter_state *q,
                            const struct sum *sum, uint32_t n, struct sm_counter_state *after)
{
    const char *const from = (const char *)q;
    char *const to = (char *)after;
    four first, second, third;

    memcpy(&first, from, sizeof first);
    memcpy(&second, from + sizeof first, sizeof second);
    memcpy(&third, from + 2u * sizeof first, sizeof third);
    first = later(limit, first, sum->first, n);
    second = later(limit, second, sum->second, n);
    third = later(limit, third, sum->third, n);
    memcpy(to, &first, sizeof first);
    memcpy(to + sizeof first, &second, sizeof second);
    memcpy(to + 2u * sizeof first, &third, sizeof third);
}

static const struct sm_counter_state cleared;

/* ---- One cycle, and many --------------------------------------------------------------- */

void sm_counter_eval(const struct sm_counter *unit, const struct sm_counter_in *in,
                     struct sm_counter_out *out, struct sm_counter_next *next)
{
    const struct sm_counter_array_in all_in = {
        in->cycle, &in->issued, &in->started, &in->ended, { { in->clear } }
    };
    const struct sm_counter_array_out all_out = { out->cycles, &out->instructions, &out->starts,
                                                  &out->ends };

    sm_counter_eval_array(unit, 1u, &all_in, &all_out, next);
}

/* Of counters that are not cleared. schedulers: a constant wherever it is called, so that there
 * is no loop for them. What lies where is given as values: nothing that is written changes it.
 */
static inline void eval_counters(const struct sm_counter *unit, uint32_t n,
                                 const struct sm_counter_array_in in,
                                 const struct sm_counter_array_out out,
                                 struct sm_counter_next *restrict next, uint32_t schedulers)
{
    const uint32_t limit = most(unit);
    uint32_t *restrict const cycles = out.cycles;

    for (size_t i = 0u; i < n; i++) {
        const struct sm_counter_state *const q = &unit[i].q;
        const struct sum sum = sum_of(schedulers, &in.cycle[(size_t)schedulers * i],
                                      in.issued[i], in.started[i], in.ended[i]);
        count_on(limit, q, &sum, 1u, &next[i].q);
        memcpy(&cycles[(size_t)CLASSES * i], q->cycles, sizeof q->cycles);
        out.instructions[i] = q->instructions;
        out.starts[i] = q->starts;
        out.ends[i] = q->ends;
    }
}

static void eval_cleared(const struct sm_counter *unit, uint32_t n,
                         const struct sm_counter_array_in *in, struct sm_counter_next *next)
{
    const uint32_t schedulers = unit->config.n_scheduler;

    for (uint32_t i = 0u; i < n; i++) {
        if (bits_has(in->clear, i)) {
            const struct sum sum = sum_of(schedulers, &in->cycle[(size_t)schedulers * i],
                                          in->issued[i], in->started[i], in->ended[i]);
            count_on(most(unit), &cleared, &sum, 1u, &next[i].q);
        }
    }
}

void sm_counter_eval_array(const struct sm_counter *unit, uint32_t n,
                           const struct sm_counter_array_in *in,
                           const struct sm_counter_array_out *out, struct sm_counter_next *next)
{
    const uint32_t schedulers = unit->config.n_scheduler;

    switch (schedulers) {
    case 1u:
        eval_counters(unit, n, *in, *out, next, 1u);
        break;
    case 2u:
        eval_counters(unit, n, *in, *out, next, 2u);
        break;
    case 3u:
        eval_counters(unit, n, *in, *out, next, 3u);
        break;
    default:
        eval_counters(unit, n, *in, *out, next, 4u);
        break;
    }
    if (bits_any(in->clear)) {
        eval_cleared(unit, n, in, next);
    }
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
    const struct sum sum = sum_of_one(unit, in);

    if (in->clear && n > 0u) {
        unit->q = cleared;
        n = 1u;
    }
    count_on(most(unit), &unit->q, &sum, (uint32_t)n, &unit->q);
}

/* ---- Events -------------------------------------------------------------------------- */

static bool wraps(const struct sm_counter *unit, uint32_t count, uint32_t more)
{
    return more > most(unit) - count;
}

void sm_counter_count(const struct sm_counter *unit, const struct sm_counter_in *in,
                      const struct sm_counter_out *out, struct sm_counter_events *events)
{
    const struct sum sum = sum_of_one(unit, in);
    struct sm_counter_state more; /* what the cycle adds */

    if (in->clear) {
        events->kept += counts(unit, in);
        return;
    }
    count_on(UINT32_MAX, &cleared, &sum, 1u, &more);
    for (uint32_t c = 0u; c < CLASSES; c++) {
        events->wrapped += wraps(unit, out->cycles[c], more.cycles[c]);
    }
    events->wrapped += wraps(unit, out->instructions, more.instructions);
    events->wrapped += wraps(unit, out->starts, more.starts);
    events->wrapped += wraps(unit, out->ends, more.ends);
}

#define UNIT_OWN_COUNT
#define UNIT sm_counter
#include "base/unit_define.h"
