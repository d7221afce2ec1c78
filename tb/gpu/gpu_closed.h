/*
 * gpu_closed - what tests of closed forms share: when a kernel's first instruction issues, and
 * how long independent ones take.
 *
 * A kernel launched on an idle machine starts in cycle 1 + launch_latency; its CTA is on the
 * SM a cycle later, is fetched then, and issues first fetch.latency later: in cycle START. The
 * exit issues when the warp's results are there, and is the last cycle that is counted.
 */

#ifndef GPU_CLOSED_H
#define GPU_CLOSED_H

#include "tb/gpu/gpu_kernel.h"

/* START. */
uint64_t start_of(const struct gpu_config *c);
/* Fetch that never holds up an issue. */
struct gpu_config wide_config(void);
/* n independent instructions, and the exit. */
void finish_free(struct program *p, enum op_class op, uint32_t n);
/* Cycles of n independent instructions in each of `warps` warps. */
uint64_t free_cycles(const struct gpu_config *c, enum op_class op, uint32_t n, uint32_t warps);

#endif
