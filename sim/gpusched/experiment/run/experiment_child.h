/*
 * experiment_child - a run in a process of its own: what it does wrong harms no other run, and
 * its memory is its own. The process is a copy of this one, not a new program, so that the GPU
 * that was checked is the GPU that runs. Its outcome comes back as a message in memory
 * (experiment_message.h). What it prints comes through a pipe: a library of RTL says there why
 * it ends the process, or cannot go on. So neither needs a disk.
 */

#ifndef EXPERIMENT_CHILD_H
#define EXPERIMENT_CHILD_H

#include <stdio.h>
#include <sys/types.h>

#include "gpusched/experiment/store/experiment_store.h"

struct experiment_child {
    pid_t pid; /* 0: none */
    FILE *message;
    int said; /* the end of a pipe, from which comes what it prints */
    double started;
    double limit; /* seconds; 0: none */
    bool late;
};

/* limit is set. Returns false with a fault. before: called in the child before its run. */
bool child_start(struct experiment_child *child, const struct experiment_point *point,
                 const struct experiment_key *key, void (*before)(void *self), void *self,
                 struct fault *fault);
/* True if it has ended: then its outcome is to be freed. Kills one that takes too long. */
bool child_ended(struct experiment_child *child, struct experiment_outcome *outcome);
/* Ends it without an outcome. */
void child_kill(struct experiment_child *child);

#endif
