/* slurm_merge - what a task of Slurm has done, put into the experiment's database. */

#ifndef SLURM_MERGE_H
#define SLURM_MERGE_H

#include "gpusched/experiment/slurm/slurm_folder.h"
#include "gpusched/experiment/slurm/slurm_known.h"
#include "gpusched/experiment/store/experiment_store_merge.h"

enum slurm_merged {
    SLURM_MERGED,
    SLURM_BUSY, /* a process still writes to the task's database */
    SLURM_CONFLICT,
    SLURM_NO_STORE /* the experiment's database does not answer; store_fault says why */
};

/* *done: the share of its runs that the task has done, which are wanted no more. What the task
 * has is kept in any case but SLURM_BUSY and SLURM_NO_STORE, and its files are removed. */
enum slurm_merged slurm_merge(struct store *store, const struct experiment_figures *figures,
                              const struct slurm_folder *folder, uint32_t task,
                              struct slurm_known *known, struct merge_counts *counts,
                              double *done);

#endif
