/* sm_monitor - a counter per SM; see sm_monitor.h. */

#include "units/sm_monitor.h"

#include <string.h>

enum {
    CLASSES = SM_CYCLES - 1,
    MOST_ADDED = 15 /* to a count in a cycle: no input is more */
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

/* A number that none of these is larger than. */
static uint32_t at_most(const uint32_t *count, uint32_t n)
{
    uint32_t bits = 0u;

    for (uint32_t i = 0u; i < n; i++) {
        bits |= count[i];
    }
    return bits;
}

/* A count may be full after this cycle, or begins again. Otherwise there is no event. */
static bool may_meet(const struct sm_monitor *unit, const struct sm_monitor_in *in,
                     const struct sm_monitor_out *out)
{
    const uint32_t n = unit->n_counter;
    const uint32_t most = UINT32_MAX >> (32u - unit->config.count_w);
    const uint32_t counts = at_most(out->cycles, CLASSES * n) | at_most(out->instructions, n)
                            | at_most(out->starts, n) | at_most(out->ends, n);

    return bits_any(in->clear) || most - counts < MOST_ADDED;
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
