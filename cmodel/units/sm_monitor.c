/* sm_monitor - a counter per SM; see sm_monitor.h. */

#include "units/sm_monitor.h"

#include <string.h>

enum {
    CLASSES = SM_CYCLES - 1,
    MOST_ADDED = 15, /* to a count in a cycle: no input is more */
    AT_ONCE = 16     /* counts, which a processor looks at together */
};

/* What goes to the counter of an SM. */
static void show_counter(const struct sm_monitor *unit, const struct sm_monitor_in *in,
                         uint32_t sm, struct sm_counter_in *to)
{
    const uint32_t n = unit->config.n_scheduler;

    for (uint32_t k = 0u; k < n; k++) {
        to->cycle[k] = in->cycle[n * sm + k];
    }
    to->issued = in->issued[sm];
    to->started = in->started[sm];
    to->ended = in->ended[sm];
    to->clear = bits_has(in->clear, sm);
}

static struct sm_counter_out counter_out(const struct sm_monitor_out *out, uint32_t sm)
{
    struct sm_counter_out from = {
        .instructions = out->instructions[sm],
        .starts = out->starts[sm],
        .ends = out->ends[sm],
    };

    memcpy(from.cycles, &out->cycles[(size_t)CLASSES * sm], sizeof from.cycles);
    return from;
}

void sm_monitor_eval(const struct sm_monitor *unit, const struct sm_monitor_in *in,
                     struct sm_monitor_out *out, struct sm_monitor_next *next)
{
    const struct sm_counter_array_in to = { in->cycle, in->issued, in->started, in->ended,
                                            in->clear };
    const struct sm_counter_array_out from = { out->cycles, out->instructions, out->starts,
                                               out->ends };

    sm_counter_eval_array(unit->counter, unit->n_counter, &to, &from, next->counter);
    next->q = unit->q;
}

bool sm_monitor_quiet(const struct sm_monitor *unit, const struct sm_monitor_in *in)
{
    struct sm_counter_in to;

    for (uint32_t sm = 0u; sm < unit->n_counter; sm++) {
        show_counter(unit, in, sm, &to);
        if (!sm_counter_quiet(&unit->counter[sm], &to)) {
            return false;
        }
    }
    return true;
}

void sm_monitor_advance(struct sm_monitor *unit, const struct sm_monitor_in *in, uint64_t n)
{
    struct sm_counter_in to;

    for (uint32_t sm = 0u; sm < unit->n_counter; sm++) {
        show_counter(unit, in, sm, &to);
        sm_counter_advance(&unit->counter[sm], &to, n);
    }
}

/* Adds the bits of n counts to some words, so many at once. */
static void add_bits(const uint32_t *restrict count, uint32_t n,
                     uint32_t bits[restrict AT_ONCE])
{
    for (; n >= AT_ONCE; n -= AT_ONCE, count += AT_ONCE) {
        for (uint32_t i = 0u; i < AT_ONCE; i++) {
            bits[i] |= count[i];
        }
    }
    for (uint32_t i = 0u; i < n; i++) {
        bits[i] |= count[i];
    }
}

/* A number that none of the counts is larger than. */
static uint32_t at_most(const struct sm_monitor_out *out, uint32_t n)
{
    uint32_t bits[AT_ONCE] = { 0u };
    uint32_t all = 0u;

    add_bits(out->cycles, CLASSES * n, bits);
    add_bits(out->instructions, n, bits);
    add_bits(out->starts, n, bits);
    add_bits(out->ends, n, bits);
    for (uint32_t i = 0u; i < AT_ONCE; i++) {
        all |= bits[i];
    }
    return all;
}

/* A count may be full after this cycle, or begins again. Otherwise there is no event. */
static bool may_meet(const struct sm_monitor *unit, const struct sm_monitor_in *in,
                     const struct sm_monitor_out *out)
{
    const uint32_t most = UINT32_MAX >> (32u - unit->config.count_w);

    return bits_any(in->clear) || most - at_most(out, unit->n_counter) < MOST_ADDED;
}

void sm_monitor_count(const struct sm_monitor *unit, const struct sm_monitor_in *in,
                      const struct sm_monitor_out *out, struct sm_monitor_events *events)
{
    struct sm_counter_in to;

    if (!may_meet(unit, in, out)) {
        return;
    }
    for (uint32_t sm = 0u; sm < unit->n_counter; sm++) {
        show_counter(unit, in, sm, &to);
        const struct sm_counter_out from = counter_out(out, sm);
        sm_counter_count(&unit->counter[sm], &to, &from, &events->counter);
    }
}

#define UNIT_OWN_COUNT
#define UNIT sm_monitor
#include "base/unit_define.h"
