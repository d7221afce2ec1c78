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

/* All counters take each step together: a processor waits for what it has just written in
 * pieces of another size. */
void sm_monitor_eval(const struct sm_monitor *unit, const struct sm_monitor_in *in,
                     struct sm_monitor_out *out, struct sm_monitor_next *next)
{
    struct sm_counter_in to[sm_monitor_max_n_sm];
    struct sm_counter_out counts[sm_monitor_max_n_sm];

    for (uint32_t sm = 0u; sm < unit->n_counter; sm++) {
        show_counter(unit, in, sm, &to[sm]);
    }
    for (uint32_t sm = 0u; sm < unit->n_counter; sm++) {
        sm_counter_eval(&unit->counter[sm], &to[sm], &counts[sm], &next->counter[sm]);
    }
    for (uint32_t sm = 0u; sm < unit->n_counter; sm++) {
        memcpy(&out->cycles[(size_t)CLASSES * sm], counts[sm].cycles, sizeof counts[sm].cycles);
        out->instructions[sm] = counts[sm].instructions;
        out->starts[sm] = counts[sm].starts;
        out->ends[sm] = counts[sm].ends;
    }
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

static bool nears(const uint32_t *count, uint32_t n, uint32_t limit)
{
    uint32_t any = 0u;

    for (uint32_t i = 0u; i < n; i++) {
        any |= count[i] > limit;
    }
    return any != 0u;
}

/* A count may be full after this cycle, or begins again. Otherwise there is no event. */
static bool may_meet(const struct sm_monitor *unit, const struct sm_monitor_in *in,
                     const struct sm_monitor_out *out)
{
    const uint32_t n = unit->n_counter;
    const uint32_t most = UINT32_MAX >> (32u - unit->config.count_w);
    const uint32_t limit = most < MOST_ADDED ? 0u : most - MOST_ADDED;

    return limit == 0u || bits_any(in->clear) || nears(out->cycles, CLASSES * n, limit)
           || nears(out->instructions, n, limit) || nears(out->starts, n, limit)
           || nears(out->ends, n, limit);
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
