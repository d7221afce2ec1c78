/* experiment_share - which runs of a grid one process is to do: all, one of several parts, or
 * those of a list. Runs that are the same are in the same share. */

#ifndef EXPERIMENT_SHARE_H
#define EXPERIMENT_SHARE_H

#include "base/fault.h"
#include "gpusched/experiment/grid/experiment_grid.h"

enum { SHARE_PARTS = EXPERIMENT_RUNS };

struct experiment_share {
    uint32_t part, parts; /* part 1 to parts; parts 0: all runs */
    const char *list;     /* a file of keys, one in each line; NULL: none */
};

/* Leaves the other runs of the grid out. Part k has the runs k, k + parts, k + 2 parts and so
 * on. Returns false with a fault: the list cannot be read, or names a run that the grid has
 * not. */
bool experiment_share_take(struct experiment_grid *grid, const struct experiment_share *share,
                           struct fault *fault);

#endif
