/* sm_monitor - a counter per SM; see sm_monitor.h. */

#include "units/sm_monitor.h"

#include <string.h>

enum { CLASSES = SM_CYCLES - 1 };

/* What goes to the counter of an SM. */
static struct sm_counter_in counter_in(const struct sm_monitor *unit,
                                       const struct sm_monitor_in *in, uint32_t sm)
{
    const uint32_t n = unit->config.n_scheduler;
    struct sm_counter_in to = {
        .issued = in->issued[sm],
        .started = in->started[sm],
        .ended = in->ended[sm],
        .clear = bits_has(in->clear, sm),
    };

    memcpy(to.cycle, &in->cycle[(size_t)n * sm], n * sizeof to.cycle[0]);
    return to;
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
    struct sm_counter_out counts;

    for (uint32_t sm = 0u; sm < unit->n_counter; sm++) {
        const struct sm_counter_in to = counter_in(unit, in, sm);
        sm_counter_eval(&unit->counter[sm], &to, &counts, &next->counter[sm]);
        memcpy(&out->cycles[(size_t)CLASSES * sm], counts.cycles, sizeof counts.cycles);
        out->instructions[sm] = counts.instructions;
        out->starts[sm] = counts.starts;
        out->ends[sm] = counts.ends;
    }
    next->q = unit->q;
}

bool sm_monitor_quiet(const struct sm_monitor *unit, const struct sm_monitor_in *in)
{
    for (uint32_t sm = 0u; sm < unit->n_counter; sm++) {
        const struct sm_counter_in to = counter_in(unit, in, sm);
        if (!sm_counter_quiet(&unit->counter[sm], &to)) {
            return false;
        }
    }
    return true;
}

void sm_monitor_advance(struct sm_monitor *unit, const struct sm_monitor_in *in, uint64_t n)
{
    for (uint32_t sm = 0u; sm < unit->n_counter; sm++) {
        const struct sm_counter_in to = counter_in(unit, in, sm);
        sm_counter_advance(&unit->counter[sm], &to, n);
    }
}

void sm_monitor_count(const struct sm_monitor *unit, const struct sm_monitor_in *in,
                      const struct sm_monitor_out *out, struct sm_monitor_events *events)
{
    for (uint32_t sm = 0u; sm < unit->n_counter; sm++) {
        const struct sm_counter_in to = counter_in(unit, in, sm);
        const struct sm_counter_out from = counter_out(out, sm);
        sm_counter_count(&unit->counter[sm], &to, &from, &events->counter);
    }
}

#define UNIT_OWN_COUNT
#define UNIT sm_monitor
#include "base/unit_define.h"
