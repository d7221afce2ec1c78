/*
 * record - what SMs and dispatch write into the record of a cycle; see gpu_record.h.
 */

#ifndef RECORD_H
#define RECORD_H

#include "gpu/machine.h"
#include "gpu/wake.h"

/* A kernel's step in this cycle. */
static inline void record_kernel(struct gpu *g, uint32_t kernel, enum gpu_kernel_step step)
{
    struct gpu_record *const r = &g->record;

    r->kernel[r->n_kernel++] = (struct gpu_kernel_event){ kernel, step };
}

/* After an SM's cycle t, when it is also known of what classes its schedulers are in t + 1, if
 * it does not step then. */
static inline void record_sm(struct gpu *g, const struct sm *m, uint64_t t)
{
    const uint32_t word = m->id >> 6;
    const uint64_t bit = BIT(m->id & 63u);
    bool announced = false;

    for (uint32_t k = 0u; k < g->schedulers; k++) {
        g->class_changed[word] |= m->scheduler[k].class != m->class_shown[k] ? bit : 0u;
        announced = announced || m->scheduler[k].cycles.current != m->scheduler[k].class;
    }
    g->class_announced[t & 1u][word] &= ~bit; /* by the step before, in vain */
    if (announced) {
        g->class_announced[(t + 1u) & 1u][word] |= bit;
        (void)wake_at(g, t + 1u);
    }
}

#endif
