/* slurm_progress - how far the tasks of Slurm are, and how long they will still take. */

#ifndef SLURM_PROGRESS_H
#define SLURM_PROGRESS_H

#include "gpusched/experiment/run/experiment_runs.h"
#include "gpusched/experiment/slurm/slurm_folder.h"
#include "gpusched/experiment/slurm/slurm_pack.h"
#include "gpusched/experiment/slurm/slurm_tool.h"

struct slurm_progress {
    bool quiet, terminal, shown;
    double all, done; /* seconds that the array's runs cost: of all, and of what is merged */
    double timed;     /* what is merged of tasks of which it is known how long they took, */
    double took;      /* and that: seconds of the clock, */
    uint32_t merged;  /* of so many tasks */
    double first;     /* when the first began, by the file's clock; or 0 */
    uint32_t most;    /* tasks that ran at a time */
    uint32_t running; /* tasks, */
    double ran;       /* their seconds so far, */
    double at_work;   /* and what they have done by now, by the others' speed */
    double began[PACK_TASKS + 1u]; /* of a task that runs, by the file's clock; or 0 */
    double last;                   /* line */
};

void slurm_progress_open(struct slurm_progress *progress, bool quiet);
/* An array begins, or is found again. */
void slurm_progress_begin(struct slurm_progress *progress, const struct slurm_folder *folder);
/* All tasks are looked at, one after the other: */
void slurm_progress_look(struct slurm_progress *progress);
/* one that has not ended, */
void slurm_progress_open_task(struct slurm_progress *progress,
                              const struct slurm_folder *folder, uint32_t task);
/* and one that has, before it is merged. Returns how long it took; 0 if that is not known. */
double slurm_progress_took(const struct slurm_progress *progress,
                           const struct slurm_folder *folder, uint32_t task);
/* Runs of this cost are merged. */
void slurm_progress_add(struct slurm_progress *progress, double cost, double took);
/* Cheap, unless it is time to show something. */
void slurm_progress_line(struct slurm_progress *progress,
                         const struct experiment_counts *counts,
                         const struct slurm_queue *queue);
void slurm_progress_end(struct slurm_progress *progress);

#endif
