/* experiment_run - one run of an experiment, in the process that is the run's own. */

#ifndef EXPERIMENT_RUN_H
#define EXPERIMENT_RUN_H

#include "gpusched/experiment/store/experiment_store.h"

/* The outcome, without its seconds, is to be freed. Unless the run is done it has the reason,
 * of one or more lines; NULL if a library of RTL has said it on stderr. A run that has failed
 * may have a result. Its status is never RUN_PENDING. Returns false if there is no memory for
 * the outcome. */
bool experiment_run(const struct experiment_point *point, const struct experiment_key *key,
                    struct experiment_outcome *outcome);

#endif
