/* experiment_spans - when and where the CTAs of a run ran. */

#ifndef EXPERIMENT_SPANS_H
#define EXPERIMENT_SPANS_H

#include <stdio.h>

#include "gpu/gpu.h"

struct spans {
    struct span {
        uint32_t kernel, cta, sm, slot;
        uint64_t started, ended; /* core cycles; it ran in [started, ended) */
    } * list;                    /* in the order in which they started */
    size_t n, capacity;
    size_t *running; /* of each slot, SM by SM, the last that started */
    uint32_t n_slot; /* of an SM */
    bool lost;       /* no memory */
    struct gpu_monitor monitor;
};

/* False if there is no memory. */
bool spans_open(struct spans *spans, const struct gpu_config *config);

/* {"kernels":[name,...],"ctas":[[kernel,cta,sm,slot,started,ended],...]}, after all have
 * ended. */
void spans_write(const struct spans *spans, const struct gpu_stats *stats, FILE *to);

#endif
