/* gpu_random_control - what controls SMs and limits kernels does anything, but the same when
 * told the same. */

#ifndef GPU_RANDOM_CONTROL_H
#define GPU_RANDOM_CONTROL_H

#include "tb/gpu/gpu_log.h"

/* Pauses, drains and gates SMs, limits kernels, and in the end lets all of them run. */
struct controller {
    struct log *log;
    uint64_t seed;
    uint32_t kernels; /* launched */
    bool controls, limits;
    uint32_t calls;
    uint64_t next; /* cycle in which it acts; 0: none is left */
};

/* To be called after every cycle. */
void control(struct controller *c, struct gpu *g, uint64_t cycle);

#endif
