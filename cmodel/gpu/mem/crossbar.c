/* crossbar - from clusters to slices, and back: a packet holds its input and its output for as
 * many NoC cycles as it has flits; round robin among the inputs that want an output. */

#include "gpu/mem/crossbar.h"

/* Looks at the heads of inputs; those whose output is now wanted are listed. Returns the inputs
 * that are busy, to be looked at again. */
static uint64_t look(struct gpu *g, uint32_t direction, uint64_t inputs, uint64_t cycle,
                     uint64_t t)
{
    struct crossbar *const x = &g->crossbar[direction];
    uint64_t busy = 0u;
    for (uint64_t set = inputs & ~x->listed; set != 0u; set &= set - 1u) {
        const uint32_t i = lowest(set);
        if (x->input_free[i] > cycle) {
            busy |= BIT(i);
            continue;
        }
        if (x->from[i]->n == 0u) {
            continue;
        }
        const struct packet *const head = queue_front(x->from[i]);
        if (head->ready > t) {
            wake_input(g, direction, BIT(i), head->ready);
            continue;
        }
        x->request[head->out] |= BIT(i);
        x->wanted |= BIT(head->out);
        x->listed |= BIT(i);
    }
    return busy;
}

/* Returns the input. */
static uint32_t grant(struct gpu *g, uint32_t direction, uint32_t output, uint64_t cycle,
                      uint64_t t)
{
    struct crossbar *const x = &g->crossbar[direction];
    const uint32_t i = round_robin(x->request[output], x->last[output]);
    const bool was_full = queue_full(x->from[i]);

    x->request[output] &= ~BIT(i);
    x->listed &= ~BIT(i);
    if (x->request[output] == 0u) {
        x->wanted &= ~BIT(output);
    }
    crossbar_carry(g, direction, i, output, queue_pop(x->from[i]), was_full, cycle, t);
    return i;
}

void crossbar_step(struct gpu *g, uint32_t direction, uint64_t inputs, uint64_t t)
{
    struct crossbar *const x = &g->crossbar[direction];
    if (UNLIKELY(x->by_output)) {
        crossbar_queues_step(g, direction, inputs, t);
        return;
    }
    for (uint64_t cycle = g->noc.before + 1u; cycle <= g->noc.now; cycle++) {
        inputs = look(g, direction, inputs, cycle, t);
        uint64_t blocked = 0u;
        for (uint64_t set = x->wanted; set != 0u; set &= set - 1u) {
            const uint32_t output = lowest(set);
            if (x->output_free[output] > cycle) {
                continue;
            }
            if (crossbar_full(g, x, output, cycle)) {
                blocked++;
            } else {
                inputs |= BIT(grant(g, direction, output, cycle, t));
            }
        }
        integral_set(&x->blocked, blocked, cycle);
    }
    crossbar_wake_busy(g, direction, inputs, t);
}
