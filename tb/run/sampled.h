/*
 * sampled - gpusched with one thing more: something is done to every GPU that it opens, after
 * every so many cycles. It is linked with --wrap=gpu_open.
 */

#ifndef SAMPLED_H
#define SAMPLED_H

#include "gpu/gpu.h"

/* Who links sampled.c has these. change is as gpu_monitor.sample. */
extern const uint32_t sampled_period; /* cycles, 1 and up */
void sampled_change(void *self, struct gpu *gpu, uint64_t cycle);

#endif
