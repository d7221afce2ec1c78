/*
 * crossbar_queues - inputs with a queue for each output, which share the input's room (virtual
 * output queues). Packets come to the queues in the order in which they enter.
 *
 * In a NoC cycle the free outputs choose in turn, and which is first moves on by one each
 * cycle. An output with room takes, round robin, an input that is free and has a packet for it.
 * So no output stays free while a free input has a packet that it could take.
 *
 * The naive form keeps an input's packets in the order of their arrival, and looks through
 * all of them.
 */

#include <stdlib.h>
#include <string.h>

#include "gpu/mem/crossbar.h"

/* ---- Lists --------------------------------------------------------------------------- */

static struct queue_lists *lists_open(uint32_t slots)
{
    struct queue_lists *const l = calloc(1u, sizeof *l);
    if (l == NULL) {
        return NULL;
    }
    memset(l->first, 0xff, sizeof l->first);
    l->next = calloc(slots, sizeof *l->next);
    if (l->next == NULL) {
        free(l);
        return NULL;
    }
    for (uint32_t slot = 0u; slot < slots; slot++) {
        l->next[slot] = (uint16_t)(slot + 1u);
    }
    l->next[slots - 1u] = NO_SLOT;
    return l;
}

bool crossbar_queues_open(struct crossbar *x)
{
    bool all = true;
    for (uint32_t i = 0u; i < x->inputs; i++) {
        x->from[i]->lists = lists_open(x->from[i]->mask + 1u);
        all = all && x->from[i]->lists != NULL;
    }
    return all;
}

void crossbar_queues_close(struct crossbar *x)
{
    for (uint32_t i = 0u; i < x->inputs; i++) {
        struct queue_lists *const l = x->from[i]->lists;
        if (l != NULL) {
            free(l->next);
            free(l);
            x->from[i]->lists = NULL;
        }
    }
}

static void append(struct queue_lists *l, uint32_t list, uint16_t slot)
{
    if (l->first[list] == NO_SLOT) {
        l->first[list] = slot;
    } else {
        l->next[l->last[list]] = slot;
    }
    l->last[list] = slot;
    l->next[slot] = NO_SLOT;
}
static uint16_t take_first(struct queue_lists *l, uint32_t list)
{
    const uint16_t slot = l->first[list];
    l->first[list] = l->next[slot];
    return slot;
}

uint32_t crossbar_queues_slot(struct queue_lists *l)
{
    const uint16_t slot = l->unused;

    l->unused = l->next[slot];
    append(l, ARRIVING, slot);
    return slot;
}

/* Packets that are ready come to the queues of their outputs. */
static void arrive(struct gpu *g, uint32_t direction, uint32_t input, uint64_t t)
{
    struct crossbar *const x = &g->crossbar[direction];
    struct queue_lists *const l = x->from[input]->lists;

    while (l->first[ARRIVING] != NO_SLOT) {
        const struct packet *const p = &x->from[input]->slot[l->first[ARRIVING]];
        if (p->ready > t) {
            wake_input(g, direction, BIT(input), p->ready);
            return;
        }
        append(l, p->out, take_first(l, ARRIVING));
        x->request[p->out] |= BIT(input);
        x->wanted |= BIT(p->out);
    }
}

static void grant(struct gpu *g, uint32_t direction, uint32_t input, uint32_t output,
                  uint64_t cycle, uint64_t t)
{
    struct crossbar *const x = &g->crossbar[direction];
    struct queue *const q = x->from[input];
    struct queue_lists *const l = q->lists;
    const bool was_full = queue_full(q);
    const uint16_t slot = take_first(l, output);
    const struct packet p = q->slot[slot];

    q->n--;
    l->next[slot] = l->unused;
    l->unused = slot;
    if (l->first[output] == NO_SLOT) {
        x->request[output] &= ~BIT(input);
        x->wanted &= x->request[output] == 0u ? ~BIT(output) : UINT64_MAX;
    }
    x->busy |= BIT(input);
    crossbar_carry(g, direction, input, output, p, was_full, cycle, t);
}

/* Returns the inputs that were granted. */
static uint64_t match(struct gpu *g, uint32_t direction, uint64_t cycle, uint64_t t)
{
    struct crossbar *const x = &g->crossbar[direction];
    uint32_t output = (uint32_t)(cycle % x->outputs);
    uint64_t blocked = 0u, granted = 0u;

    for (uint64_t set = x->busy; set != 0u; set &= set - 1u) {
        x->busy &= x->input_free[lowest(set)] <= cycle ? ~(set & -set) : UINT64_MAX;
    }
    for (uint64_t set = x->wanted; set != 0u; set &= ~BIT(output)) {
        output = round_robin(set, output);
        if (x->output_free[output] > cycle) {
            continue;
        }
        const uint64_t inputs = x->request[output] & ~x->busy;
        if (crossbar_full(g, x, output, cycle)) {
            blocked++;
        } else if (inputs != 0u) {
            const uint32_t input = round_robin(inputs, x->last[output]);
            grant(g, direction, input, output, cycle, t);
            granted |= BIT(input);
        }
    }
    integral_set(&x->blocked, blocked, cycle);
    return granted;
}

/* ---- By looking through the queues --------------------------------------------------- */

/* The oldest packet at an input for an output: its place in the queue; n if there is none. */
static uint32_t place_of(const struct queue *q, uint32_t output, uint64_t t)
{
    for (uint32_t k = 0u; k < q->n; k++) {
        const struct packet *const p = &q->slot[(q->head + k) & q->mask];
        if (p->ready > t) {
            return q->n;
        }
        if (p->out == output) {
            return k;
        }
    }
    return q->n;
}

static struct packet take_from(struct queue *q, uint32_t place)
{
    const struct packet p = q->slot[(q->head + place) & q->mask];
    for (uint32_t k = place; k != 0u; k--) {
        q->slot[(q->head + k) & q->mask] = q->slot[(q->head + k - 1u) & q->mask];
    }
    (void)queue_pop(q);
    return p;
}

/* Returns true if the output is wanted, but full. */
static bool choose(struct gpu *g, uint32_t direction, uint32_t output, uint64_t cycle,
                   uint64_t t)
{
    struct crossbar *const x = &g->crossbar[direction];
    bool wanted = false;
    for (uint32_t k = 0u; k < 64u; k++) {
        const uint32_t input = (x->last[output] + k) % 64u;
        struct queue *const q = input < x->inputs ? x->from[input] : NULL;
        const uint32_t place = q != NULL ? place_of(q, output, t) : 0u;
        if (q == NULL || place == q->n) {
            continue;
        }
        wanted = true;
        if (!crossbar_full(g, x, output, cycle) && x->input_free[input] <= cycle) {
            const bool was_full = queue_full(q);
            crossbar_carry(g, direction, input, output, take_from(q, place), was_full, cycle,
                           t);
            return false;
        }
    }
    return wanted && crossbar_full(g, x, output, cycle);
}

/* Inputs with packets are looked at in every cycle. */
static void scan(struct gpu *g, uint32_t direction, uint64_t t)
{
    struct crossbar *const x = &g->crossbar[direction];
    for (uint64_t cycle = g->noc.before + 1u; cycle <= g->noc.now; cycle++) {
        uint64_t blocked = 0u;
        for (uint32_t k = 0u; k < x->outputs; k++) {
            const uint32_t output = (uint32_t)((cycle + k) % x->outputs);
            if (x->output_free[output] <= cycle) {
                blocked += choose(g, direction, output, cycle, t) ? 1u : 0u;
            }
        }
        integral_set(&x->blocked, blocked, cycle);
    }
    for (uint32_t i = 0u; i < x->inputs; i++) {
        if (x->from[i]->n != 0u) {
            wake_input(g, direction, BIT(i), t + 1u);
        }
    }
}

/* ---- A cycle ------------------------------------------------------------------------- */

void crossbar_queues_step(struct gpu *g, uint32_t direction, uint64_t inputs, uint64_t t)
{
    uint64_t granted = 0u;

    if ((g->mode & GPU_SCAN) != 0u) {
        scan(g, direction, t);
        return;
    }
    if (g->noc.now == g->noc.before) { /* a slice has made room in a cycle without one here */
        wake_input(g, direction, inputs, t + 1u);
        return;
    }
    for (; inputs != 0u; inputs &= inputs - 1u) {
        arrive(g, direction, lowest(inputs), t);
    }
    for (uint64_t cycle = g->noc.before + 1u; cycle <= g->noc.now; cycle++) {
        granted |= match(g, direction, cycle, t);
    }
    crossbar_wake_busy(g, direction, granted, t);
}
