/*
 * gpu_listed - kernels whose accesses are a list: which line of the L2 each touches, and which
 * quarters of it.
 */

#ifndef GPU_LISTED_H
#define GPU_LISTED_H

#include "tb/gpu/gpu_kernel.h"

enum { LISTED = 400 };
extern uint32_t lines[LISTED];
extern uint32_t touched[LISTED]; /* quarters, a bit each */

/* The access of a kernel: its i-th word is of lines[i] and touched[i], in all of its warps. */
uint32_t listed(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i);

/* One warp runs the text, and then exits. */
struct outcome run_listed(const struct gpu_config *config, struct program *text);

/* Quarters of a line in whole sectors of so many quarters, 1, 2 or 4. */
uint32_t whole(uint32_t quarters, uint32_t sector);

#endif
