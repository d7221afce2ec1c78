/*
 * experiment_grid - the runs of an experiment: GPUs x workloads x variants x axes, the last of
 * them changing fastest. All are checked before the first one runs.
 */

#ifndef EXPERIMENT_GRID_H
#define EXPERIMENT_GRID_H

#include "gpusched/experiment/grid/experiment_key.h"
#include "gpusched/experiment/grid/experiment_point.h"

enum { EXPERIMENT_RUNS = 1000000 };

struct experiment_grid {
    struct experiment *experiment;
    uint32_t dimensions;
    uint32_t length[EXPERIMENT_DIMENSIONS];
    uint32_t n; /* runs */
    struct experiment_key *keys;
    uint32_t *same;   /* of each run, the first with its key: such runs are one */
    uint32_t *by_key; /* all runs, in the order of their keys */
    bool *left_out;   /* of each run: it is not this process's; NULL: all are */
    bool listed;      /* its runs are those of a list */
    struct experiment_gpus gpus;
    struct grid_read *read; /* of the workload that was read last */
};

/* Makes and checks all runs. Returns false with the fault of the first that is wrong. */
bool experiment_grid_open(struct experiment_grid *grid, struct experiment *experiment);
void experiment_grid_free(struct experiment_grid *grid);

/* Whether run i is one of this process's; see experiment_share.h. */
static inline bool experiment_grid_has(const struct experiment_grid *grid, uint32_t i)
{
    return grid->left_out == NULL || !grid->left_out[i];
}

/* The first run of a key; n if there is none. */
uint32_t experiment_grid_find(const struct experiment_grid *grid, const char *key);

/* Run i, from 0. */
void experiment_grid_point(struct experiment_grid *grid, uint32_t i,
                           struct experiment_point *point);
/* Its place and its names, without its GPU, which takes less time. */
void experiment_grid_names(struct experiment_grid *grid, uint32_t i,
                           struct experiment_point *point);

/* The place of a run in each dimension, and back. */
void experiment_grid_place(const struct experiment_grid *grid, uint32_t i, uint32_t *at);
uint32_t experiment_grid_index(const struct experiment_grid *grid, const uint32_t *at);

#endif
