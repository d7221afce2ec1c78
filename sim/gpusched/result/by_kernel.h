/*
 * by_kernel - what belongs to each kernel of a run. Launches of the same name in the same
 * stream are one row; the last row is what belongs to no kernel.
 */

#ifndef BY_KERNEL_H
#define BY_KERNEL_H

#include <stdbool.h>

#include "gpu/gpu.h"

struct kernel_row {
    const char *name; /* NULL: of none */
    uint32_t stream;
    uint32_t launches;
    uint64_t cycles; /* from the first CTA to the end, summed over launches */
    struct gpu_throttle_stats throttle[GPU_THROTTLES];
    struct gpu_share share;
};

/* Rows in the order of the first launches; NULL if there is no memory. To be freed. stats: what
 * gpu_stats has just given. */
struct kernel_row *by_kernel(const struct gpu *gpu, const struct gpu_stats *stats, uint32_t *n);

/* The groups of a share, as in count_groups; noc is two structs, one after the other. */
const void *share_group(const struct gpu_share *share, uint32_t group);

/* Scheduler cycles of a share. */
uint64_t share_scheduler_cycles(const struct gpu_share *share);

#endif
