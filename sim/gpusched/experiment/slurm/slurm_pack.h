/* slurm_pack - runs packed into tasks of about a minute, the longest first. */

#ifndef SLURM_PACK_H
#define SLURM_PACK_H

#include "gpusched/experiment/store/experiment_store.h"

enum {
    PACK_TASKS = 1000, /* at most: arrays of Slurm have so many unless told otherwise */
    PACK_UNKNOWN = -1, /* a run's cost */
};

/* Seconds that a run will take: the mean of the runs of its workload, size and GPU that the
 * database has, otherwise of its workload and size, otherwise PACK_UNKNOWN. costs: one for each
 * run of the grid. Returns false if the database does not answer. */
bool pack_costs(struct store *store, const struct experiment_grid *grid, double *costs);

struct pack {
    uint32_t *runs;  /* those that are wanted, in the order of tasks */
    uint32_t *first; /* of each task, its first place in runs; one more for the end */
    double *costs;   /* of each task, seconds */
    uint32_t tasks;
    double longest; /* seconds of a task */
    uint32_t nodes;
    bool guessed; /* nothing is known of some of the runs */
};

/* nodes: that may work at a time, or 0; processors: of a task. Returns false without memory. */
bool pack_make(struct pack *pack, const struct experiment_grid *grid, const bool *wanted,
               const double *costs, uint32_t nodes, uint32_t processors);
/* After so many seconds a task starts no more runs: they take longer than expected. */
double pack_start_for(const struct pack *pack);
void pack_free(struct pack *pack);

#endif
