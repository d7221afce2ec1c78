/* experiment_merge - databases of parts of an experiment, put into the experiment's own. */

#ifndef EXPERIMENT_MERGE_H
#define EXPERIMENT_MERGE_H

#include "gpusched/experiment/run/experiment_runs.h"

/* Whether all can be read. Returns false with the fault of the first that is wrong. */
bool experiment_merge_check(char *const *paths, uint32_t n, struct fault *fault);

/* Merges all or none, and *now becomes how many results are new: RUNS_CONFLICT after the
 * conflicts on stderr, RUNS_BROKEN with a fault. */
enum runs_end experiment_merge(struct store *store, char *const *paths, uint32_t n,
                               const struct experiment_figures *figures, uint32_t *now,
                               struct fault *fault);

#endif
