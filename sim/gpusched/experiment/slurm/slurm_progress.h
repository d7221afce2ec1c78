/* slurm_progress - how far the tasks of Slurm are, and how long they will still take. */

#ifndef SLURM_PROGRESS_H
#define SLURM_PROGRESS_H

#include "gpusched/experiment/run/experiment_runs.h"
#include "gpusched/experiment/slurm/slurm_folder.h"
#include "gpusched/experiment/slurm/slurm_tool.h"

struct slurm_progress {
    bool quiet, terminal, shown;
    double all, done; /* seconds that the array's runs cost: of all, and of what is merged */
    double started;
    double merged; /* when the last task was */
    double last;   /* line */
};

void slurm_progress_open(struct slurm_progress *progress, bool quiet);
/* An array begins, or is found again. */
void slurm_progress_begin(struct slurm_progress *progress, const struct slurm_folder *folder);
/* A task of this cost is merged. */
void slurm_progress_add(struct slurm_progress *progress, double cost);
/* Cheap, unless it is time to show something. */
void slurm_progress_line(struct slurm_progress *progress,
                         const struct experiment_counts *counts,
                         const struct slurm_queue *queue);
void slurm_progress_end(struct slurm_progress *progress);

#endif
