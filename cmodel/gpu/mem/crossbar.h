/* crossbar - what the two kinds of inputs share: a packet enters an input, and leaves through
 * an output. */

#ifndef CROSSBAR_H
#define CROSSBAR_H

#include "gpu/wake.h"

/* With noc.queues: output; see crossbar_queues.c. */
bool crossbar_queues_open(struct crossbar *x);
void crossbar_queues_close(struct crossbar *x);
/* The slot of the next packet to enter. */
uint32_t crossbar_queues_slot(struct queue_lists *l);
void crossbar_queues_step(struct gpu *g, uint32_t direction, uint64_t inputs, uint64_t t);

/* ---- Room at the outputs ------------------------------------------------------------- */

/* With noc.credit_latency: room that inputs do not see in this NoC cycle; see credits.c. */
uint32_t credits_away(const struct gpu *g, struct crossbar *x, uint32_t output, uint64_t cycle);
void credits_give(struct gpu *g, uint32_t direction, uint32_t output, uint64_t t);
bool credits_open(struct gpu *g, struct crossbar *x);

/* Has an output no room, as far as its inputs know? */
HOT bool crossbar_full(const struct gpu *g, struct crossbar *x, uint32_t output, uint64_t cycle)
{
    const struct queue *const q = x->to[output];
    if (UNLIKELY(x->credits != NULL)) {
        return q->n + credits_away(g, x, output, cycle) == q->capacity;
    }
    return queue_full(q);
}
/* A packet is about to leave q, the queue at an output; inputs may know in core cycle t. */
HOT void crossbar_room(struct gpu *g, uint32_t direction, uint32_t output,
                       const struct queue *q, uint64_t t)
{
    const struct crossbar *const x = &g->crossbar[direction];
    if (UNLIKELY(x->credits != NULL)) {
        credits_give(g, direction, output, t);
    } else if (queue_full(q)) {
        wake_input(g, direction, x->request[output], t);
    }
}

/* ---- Packets ------------------------------------------------------------------------- */

/* q: of the input; it has room. */
HOT void crossbar_enter(struct gpu *g, uint32_t direction, uint32_t input, struct queue *q,
                        struct packet p)
{
    uint32_t slot = (q->head + q->n) & q->mask;
    bool first = q->n++ == 0u;

    assert(q->n <= q->mask + 1u);
    if (UNLIKELY(q->lists != NULL)) {
        slot = crossbar_queues_slot(q->lists);
        first = q->lists->first[ARRIVING] == slot;
    }
    q->slot[slot] = p;
    if (first) {
        wake_input(g, direction, BIT(input), p.ready);
    }
}

/* A packet has left its input in this NoC cycle. was_full: the input's queue was. */
HOT void crossbar_carry(struct gpu *g, uint32_t direction, uint32_t input, uint32_t output,
                        struct packet p, bool was_full, uint64_t cycle, uint64_t t)
{
    struct crossbar *const x = &g->crossbar[direction];
    const uint32_t flits = g->packet[p.size].flits;
    const uint32_t bytes = g->packet[p.size].bytes;
    const uint64_t free_at = cycle + flits;

    x->last[output] = (input + 1u) % 64u;
    x->input_free[input] = free_at;
    x->output_free[output] = free_at;
    x->packets++;
    x->flits += flits;
    x->bytes += bytes;
    p.of->noc[direction].packets++;
    p.of->noc[direction].flits += flits;
    p.of->noc[direction].bytes += bytes;
    p.ready = domain_after(&g->noc, free_at + g->config.noc.latency, t);
    queue_push(x->to[output], p);
    if (direction == 0u) {
        wake_slice(g, output, p.ready);
        if (was_full) {
            wake_cluster(g, input, t);
        }
    } else {
        wake_cluster(g, output, p.ready);
        if (was_full) {
            wake_slice(g, input, t + 1u);
        }
    }
}
/* It is looked at again when it is free. */
HOT void crossbar_wake_busy(struct gpu *g, uint32_t direction, uint64_t inputs, uint64_t t)
{
    for (; inputs != 0u; inputs &= inputs - 1u) {
        const uint64_t free_at = g->crossbar[direction].input_free[lowest(inputs)];
        wake_input(g, direction, inputs & -inputs,
                   free_at > g->noc.now ? domain_core(&g->noc, free_at, t) : t + 1u);
    }
}

#endif
