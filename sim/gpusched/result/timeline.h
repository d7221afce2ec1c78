/*
 * timeline - a run as Chrome trace JSON, which Perfetto (ui.perfetto.dev) opens: a process for
 * each SM with a thread for each CTA slot, the kernels in a process of their own with a thread
 * for each stream, below it threads for what kernels have launched, and counters of what the
 * schedulers did. 1 us shown is 1 core cycle.
 *
 * Written as the run goes: what is held is one CTA a slot.
 */

#ifndef TIMELINE_H
#define TIMELINE_H

#include <stdio.h>

#include "gpusched/result/interval.h"

struct timeline;

/* A kernel, in the order of launches. shape.name must outlive the timeline. */
struct timeline_kernel {
    struct kernel_shape shape;
    uint32_t stream;
    bool nested;            /* launched by a kernel */
    uint32_t parent, depth; /* this one; kernels above it */
};

/* kernels: launches that are known already. NULL if there is no memory. `to` stays open at the
 * end. */
struct timeline *timeline_open(FILE *to, const struct gpu_config *config,
                               const struct timeline_kernel *kernels, uint32_t n_kernel);

/* One more launch. False if there is no memory. */
bool timeline_launch(struct timeline *timeline, const struct timeline_kernel *kernel);

/* False if there is no memory. */
bool timeline_kernel_started(struct timeline *timeline, uint32_t kernel, uint64_t cycle);
void timeline_kernel_ended(struct timeline *timeline, uint32_t kernel, uint64_t cycle);
void timeline_cta_started(struct timeline *timeline, uint32_t kernel, uint32_t cta, uint32_t sm,
                          uint32_t slot, uint64_t cycle);
void timeline_cta_ended(struct timeline *timeline, uint32_t sm, uint32_t slot, uint64_t cycle);
void timeline_sample(struct timeline *timeline, const struct interval *interval);

/* What is still running is shown up to `cycle`, and marked. */
void timeline_close(struct timeline *timeline, uint64_t cycle);

#endif
