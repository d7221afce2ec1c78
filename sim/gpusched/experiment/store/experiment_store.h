/*
 * experiment_store - the database of an experiment. A run's result is in it, whole, before the
 * next one is reported: whatever ends the program, nothing finished is lost, and nothing
 * unfinished is there. One process writes at a time; others may read meanwhile.
 *
 * docs/experiments.md has the tables.
 */

#ifndef EXPERIMENT_STORE_H
#define EXPERIMENT_STORE_H

#include <jansson.h>
#include <stdio.h>

#include "base/fault.h"
#include "gpusched/experiment/grid/experiment_figure.h"
#include "gpusched/experiment/grid/experiment_grid.h"

struct store;

/* Of a run: not known; its result is known; it has failed, which is its result; or it could not
 * be done - no memory, killed from outside, no RTL - and will be tried again. */
enum experiment_status { RUN_PENDING, RUN_DONE, RUN_FAILED, RUN_ABORTED, RUN_STATUSES };

/* "pending", "done", "failed", "aborted" */
const char *experiment_status_name(enum experiment_status status);
/* Of a name in the database; RUN_PENDING for NULL. */
enum experiment_status experiment_status_of(const char *name);

/* What became of a run. */
struct experiment_outcome {
    enum experiment_status status;
    char *error;  /* one line; NULL if done */
    char *result; /* result.json; NULL if there is none */
    /* What was watched, each JSON in one line; NULL if it was not. */
    char *lockstep;
    char *ctas;
    double seconds;
};
void experiment_outcome_free(struct experiment_outcome *outcome);

/* Opens it to write, and makes it if it is not there. NULL with a fault: it is no database of
 * ours, or another process writes to it. */
struct store *store_open(const char *path, struct fault *fault);
/* Opens it to read. */
struct store *store_open_read(const char *path, struct fault *fault);
/* Returns false if it was not possible to write all. NULL is allowed. */
bool store_close(struct store *store);
/* Says on stderr, each line beginning with the command's name, which results are not as they
 * were written, or that the database is of an earlier format. Such a result is
 * not used: its run is pending, and store_grid removes it. Returns how many there are. */
uint32_t store_say_broken(struct store *store, const char *command);
/* Checks all of a database, and says on `to` what it has and what is wrong. Returns 0, or 1 if
 * something is wrong, or 2 with a fault if it is no database of an experiment. */
int store_check(const char *path, FILE *to, struct fault *fault);
/* In a child process, which leaves the database alone: lets go of what it has of it. */
void store_forget(struct store *store);

/* The rest returns false if the database does not answer; store_fault says why. */
const struct fault *store_fault(const struct store *store);

/* What is read until store_release is of one moment, and takes less time. */
bool store_hold(struct store *store);
bool store_release(struct store *store);

/* Makes `runs` and `figures` those of this grid. Results of other grids are kept. */
bool store_grid(struct store *store, struct experiment_grid *grid,
                const struct experiment_figures *figures);

/* status and whether another build of the program made it. */
bool store_find(struct store *store, const struct experiment_key *key,
                enum experiment_status *status, bool *foreign);

/* Keeps a run's outcome, in place of an earlier one. text: of experiment_key_make. */
bool store_put(struct store *store, const struct experiment_key *key, const char *text,
               const struct experiment_outcome *outcome,
               const struct experiment_figures *figures);

/* What is known of a run: its status, its error, which may be NULL, and of one that is done the
 * values of the figures, one for each, null where there is none. *error and *values are to be
 * freed and dereferenced. */
bool store_read(struct store *store, const struct experiment_key *key,
                const struct experiment_figures *figures, enum experiment_status *status,
                char **error, json_t **values);

#endif
