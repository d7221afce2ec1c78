/*
 * slurm_runs - runs what an experiment's database does not have yet as job arrays of Slurm.
 * Each task is this program with a list of runs, and writes to a database of its own, which is
 * merged when the task has ended. What a task has not done, because its node was lost or the
 * task was killed, goes into the next array.
 */

#ifndef SLURM_RUNS_H
#define SLURM_RUNS_H

#include "gpusched/experiment/run/experiment_runs.h"

struct slurm_options {
    const char *file; /* of the experiment */
    const char *rtl_file;
    const char *partition; /* NULL: the default */
    uint32_t nodes;        /* tasks at a time; 0: all */
    const char *folder;    /* see slurm_folder.h */
    struct runs_options runs;
};

/* *now becomes how many results are new. Interrupted by Ctrl-C, or cancelled, the tasks are
 * ended; otherwise they go on without this process. */
enum runs_end slurm_runs(struct store *store, struct experiment_grid *grid,
                         const struct experiment_figures *figures,
                         const struct slurm_options *options, uint32_t *now,
                         struct fault *fault);

/* Ends all tasks, also for a process that waits for them. Returns false with a fault. */
bool slurm_cancel(const char *folder, struct fault *fault);

#endif
