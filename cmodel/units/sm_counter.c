/* sm_counter - counts of one SM; see sm_counter.h. */

#include "units/sm_counter.h"

#include <string.h>

enum { CLASSES = SM_CYCLES - 1 };

/* What one cycle adds to each count. */
struct sum {
    uint32_t cycles[SM_CYCLES]; /* of the classes, and last what goes to no count */
    uint32_t instructions, starts, ends;
};

/* What a scheduler's cycle of each class adds to the counts. A row has eight numbers, which a
 * processor adds at once. */
static const uint32_t one_cycle[SM_CYCLES][SM_CYCLES] = {
    [SM_CYCLE_UNCOUNTED] = { [CLASSES] = 1u },
    [SM_CYCLE_ACTIVE] = { [0] = 1u },
    [SM_CYCLE_IDLE] = { [1] = 1u },
    [SM_CYCLE_SCOREBOARD_ALU] = { [2] = 1u },
    [SM_CYCLE_SCOREBOARD_MEMORY] = { [3] = 1u },
    [SM_CYCLE_PIPELINE_ALU] = { [4] = 1u },
    [SM_CYCLE_PIPELINE_MEMORY] = { [5] = 1u },
    [SM_CYCLE_PAUSED] = { [6] = 1u },
};

static inline void add_cycles(uint32_t n, const uint32_t *cycle, struct sum *sum)
{
    for (uint32_t k = 0u; k < n; k++) {
        for (uint32_t c = 0u; c < SM_CYCLES; c++) {
            sum->cycles[c] += one_cycle[cycle[k]][c];
        }
    }
}

static struct sum sum_of(const struct sm_counter *unit, const struct sm_counter_in *in)
{
    struct sum sum = { .instructions = in->issued, .starts = in->started, .ends = in->ended };

    add_cycles(unit->config.n_scheduler, in->cycle, &sum);
    return sum;
}

static uint32_t most(const struct sm_counter *unit)
{
    return UINT32_MAX >> (32u - unit->config.count_w);
}

/* A count after n cycles, each of which adds so much; rule M-3. limit: of a full count. */
static inline uint32_t later(uint32_t limit, uint32_t count, uint32_t more, uint64_t n)
{
    return (uint32_t)(count + more * n) & limit;
}

/* The counts after n cycles of the same sum, from q on. */
static inline void count_on(uint32_t limit, const struct sm_counter_state *q,
                            const struct sum *sum, uint64_t n, struct sm_counter_state *after)
{
    for (uint32_t c = 0u; c < CLASSES; c++) {
        after->cycles[c] = later(limit, q->cycles[c], sum->cycles[c], n);
    }
    after->instructions = later(limit, q->instructions, sum->instructions, n);
    after->starts = later(limit, q->starts, sum->starts, n);
    after->ends = later(limit, q->ends, sum->ends, n);
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

void sm_counter_eval_array(const struct sm_counter *unit, uint32_t n,
                           const struct sm_counter_array_in *in,
                           const struct sm_counter_array_out *out,
                           struct sm_counter_next *restrict next)
{
    const struct sm_counter_array_in all = *in;
    const bool clears = bits_any(all.clear);
    const uint32_t schedulers = unit->config.n_scheduler;
    const uint32_t limit = most(unit);
    uint32_t *restrict const cycles = out->cycles;
    uint32_t *restrict const instructions = out->instructions;
    uint32_t *restrict const starts = out->starts;
    uint32_t *restrict const ends = out->ends;

    for (uint32_t i = 0u; i < n; i++) {
        const struct sm_counter_state *const q = &unit[i].q;
        struct sum sum = { .instructions = all.issued[i],
                           .starts = all.started[i],
                           .ends = all.ended[i] };
        add_cycles(schedulers, &all.cycle[(size_t)schedulers * i], &sum);
        next[i].q.none = 0u;
        count_on(limit, clears && bits_has(all.clear, i) ? &cleared : q, &sum, 1u, &next[i].q);
        memcpy(&cycles[(size_t)CLASSES * i], q->cycles, sizeof q->cycles);
        instructions[i] = q->instructions;
        starts[i] = q->starts;
        ends[i] = q->ends;
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
    const struct sum sum = sum_of(unit, in);

    if (in->clear && n > 0u) {
        unit->q = cleared;
        n = 1u;
    }
    count_on(most(unit), &unit->q, &sum, n, &unit->q);
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
        events->wrapped += wraps(unit, out->cycles[c], sum.cycles[c]);
    }
    events->wrapped += wraps(unit, out->instructions, sum.instructions);
    events->wrapped += wraps(unit, out->starts, sum.starts);
    events->wrapped += wraps(unit, out->ends, sum.ends);
}

#define UNIT_OWN_COUNT
#define UNIT sm_counter
#include "base/unit_define.h"
