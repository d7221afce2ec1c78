/* experiment_runs - runs what an experiment's database does not have yet, several at a time. */

#ifndef EXPERIMENT_RUNS_H
#define EXPERIMENT_RUNS_H

#include <signal.h>

#include "base/fault.h"
#include "gpusched/experiment/store/experiment_store.h"

enum { EXPERIMENT_JOBS = 1024 };

struct runs_options {
    uint32_t jobs;    /* at a time */
    double timeout;   /* seconds of a run; 0: none */
    double start_for; /* seconds after which no run is started; 0: there is no such time */
    bool retry;       /* what has failed as well */
    bool refresh;     /* what another build of the program has run as well */
    bool quiet;       /* no progress */
};

struct experiment_counts { /* runs */
    uint32_t all;
    uint32_t done;
    uint32_t failed;
    uint32_t aborted;
    uint32_t foreign; /* known from another build of the program */
};

enum runs_end {
    RUNS_ENDED,
    RUNS_INTERRUPTED,
    RUNS_CONFLICT, /* of databases; nothing was merged */
    RUNS_BROKEN    /* the fault says why */
};

/* Counts what the database has. Returns false if it does not answer. */
bool experiment_count(struct store *store, const struct experiment_grid *grid,
                      struct experiment_counts *counts);

/* Which runs are to be done: of each run of the grid, that is the first of its key. Returns
 * false with a fault. */
bool experiment_wanted(struct store *store, const struct experiment_grid *grid,
                       const struct runs_options *options, bool *wanted, struct fault *fault);
/* SIGCHLD, and those signals by which someone may stop an experiment. */
void experiment_signals(sigset_t *set);

/* *now becomes how many have ended in this call. Results are kept as soon as they are there. */
enum runs_end experiment_runs(struct store *store, struct experiment_grid *grid,
                              const struct experiment_figures *figures,
                              const struct runs_options *options, uint32_t *now,
                              struct fault *fault);

#endif
