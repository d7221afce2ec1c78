/*
 * slurm_folder - what is kept of an experiment's tasks while Slurm has them, in the folder
 * NAME.slurm beside the database:
 *
 *   job                the array's name and size, and of each task the seconds that its runs
 *                      will take; it is there until all tasks are merged
 *   job.sh             its script
 *   ROUND-TASK.runs    the keys of a task's runs; it is there until the task is merged
 *   ROUND-TASK.sqlite  their results
 *   ROUND-TASK.ended   the exit status, after the end
 *   attempts           when and where each task began and ended, and what was said
 *   cancel             somebody wants all tasks to end
 *
 * A process that is started after another one was killed finds here what Slurm does.
 */

#ifndef SLURM_FOLDER_H
#define SLURM_FOLDER_H

#include "gpusched/experiment/grid/experiment_grid.h"
#include "gpusched/experiment/slurm/slurm_pack.h"

struct slurm_folder {
    char path[EXPERIMENT_PATH];
    char job[160];                /* "": there is none */
    uint32_t round;               /* of arrays, from 1 */
    uint32_t tasks;               /* of this one */
    double costs[PACK_TASKS + 1]; /* of each task, from 1 */
};

/* What tasks are given. */
struct slurm_task_options {
    const char *file; /* of the experiment */
    const char *rtl_file;
    uint32_t processors;
    double timeout; /* of a run; 0: none */
    double start_for;
};

enum slurm_file { SLURM_RUNS, SLURM_SQLITE, SLURM_ENDED, SLURM_LOG, SLURM_ATTEMPTS };

/* Reads what is there, which may be nothing. Returns false with a fault. */
bool slurm_folder_open(struct slurm_folder *folder, const char *path, struct fault *fault);
/* Writes all files of the next array and gives it a name. */
bool slurm_folder_begin(struct slurm_folder *folder, const struct experiment_grid *grid,
                        const struct pack *pack, const struct slurm_task_options *options,
                        struct fault *fault);
/* The array has ended, and its tasks are merged: removes what is left of it. */
void slurm_folder_end(struct slurm_folder *folder);

/* A file of a task, from 1. Returns path. */
const char *slurm_task_file(const struct slurm_folder *folder, uint32_t task,
                            enum slurm_file which, char path[EXPERIMENT_PATH]);
/* Whether the task is not merged yet; whether it has said that it has ended. */
bool slurm_task_is_open(const struct slurm_folder *folder, uint32_t task);
bool slurm_task_has_ended(const struct slurm_folder *folder, uint32_t task);
/* It is merged: keeps what it has said in `attempts` and removes its files. lost: it has not
 * ended by itself. */
void slurm_task_close(const struct slurm_folder *folder, uint32_t task, bool lost);

/* Notes that all tasks are to end; whether that has been noted; forgets it. */
bool slurm_cancel_note(const struct slurm_folder *folder, struct fault *fault);
bool slurm_cancel_noted(const struct slurm_folder *folder);
void slurm_cancel_forget(const struct slurm_folder *folder);

#endif
