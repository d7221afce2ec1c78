/*
 * launches - what a run without timing has launched, and how many CTAs of it fit on an SM of a
 * GPU. Launches of one kernel in one shape are one row.
 */

#ifndef LAUNCHES_H
#define LAUNCHES_H

#include <stdbool.h>
#include <stdio.h>

#include "gpu/gpu.h"

struct launch_row {
    struct kernel_shape shape; /* its name is the module's */
    uint32_t launches;
};

struct launches {
    struct launch_row *row; /* in the order of the first launches */
    uint32_t n_row, room;
    bool lost; /* no memory for a row */
};

/* One more: for workload_machine.launched. */
void launches_note(void *launches, const struct kernel_shape *shape, uint32_t stream,
                   const struct gpu_child *child);
void launches_print(const struct launches *launches, const struct gpu_config *config, FILE *to);
void launches_free(struct launches *launches);

#endif
