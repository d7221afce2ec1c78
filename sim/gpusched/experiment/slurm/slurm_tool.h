/* slurm_tool - the commands of Slurm, which run as processes: sbatch, squeue and scancel. */

#ifndef SLURM_TOOL_H
#define SLURM_TOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fault.h"

/* A job array that is to be submitted. */
struct slurm_array {
    const char *name;      /* by which it is found again: no other job has it */
    const char *script;    /* file */
    const char *log;       /* file, of which %a is the number of the task */
    const char *folder;    /* in which tasks run */
    const char *partition; /* NULL: the default */
    uint32_t tasks;        /* 1 to this */
    uint32_t at_a_time;    /* 0: all */
    uint32_t processors;   /* of each */
};

/* The tasks of an array that Slurm still has. */
struct slurm_queue {
    bool known;       /* squeue has answered */
    bool *has;        /* of each task, from 1 */
    uint32_t tasks;   /* in the array */
    uint32_t running; /* or on their way to an end */
    uint32_t waiting; /* for a node, or for others to end */
    char reason[64];  /* why the last of them waits */
};

/* Whether the commands are installed. Returns false with a fault that says what to install. */
bool slurm_is_here(struct fault *fault);
/* Returns false with a fault of what sbatch says. */
bool slurm_submit(const struct slurm_array *array, struct fault *fault);
/* queue: with `tasks` and room for `has`. */
void slurm_look(const char *name, struct slurm_queue *queue);
/* Ends all tasks of the name. Returns false with a fault of what scancel says. */
bool slurm_end(const char *name, struct fault *fault);

#endif
