/*
 * slurm_known - what is known of each run while tasks of Slurm work: which are still wanted,
 * and how many have come to which end. It is kept as tasks are merged; to count a million runs
 * again after each task would take longer than the tasks.
 */

#ifndef SLURM_KNOWN_H
#define SLURM_KNOWN_H

#include "gpusched/experiment/run/experiment_runs.h"

struct slurm_known {
    const struct experiment_grid *grid;
    /* Of each run that is the first of its key. */
    bool *wanted;
    uint8_t *status;
    uint32_t *times; /* how many have its key */
    struct experiment_counts counts;
};

/* Returns false without memory; free it in any case. */
bool known_open(struct slurm_known *known, const struct experiment_grid *grid);
void known_free(struct slurm_known *known);

/* As the database has it. Returns false with a fault. */
bool known_read(struct slurm_known *known, struct store *store,
                const struct runs_options *options, struct fault *fault);
/* A task's run, the first of its key, has come to this. What is done or has failed is wanted no
 * more. Returns whether it is. */
bool known_set(struct slurm_known *known, uint32_t run, enum experiment_status status);
bool known_any_wanted(const struct slurm_known *known);

#endif
