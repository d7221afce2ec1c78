/* experiment_run - one run of an experiment, in the process that is the run's own. */

#ifndef EXPERIMENT_RUN_H
#define EXPERIMENT_RUN_H

#include <stdio.h>

#include "gpusched/experiment/store/experiment_store.h"

/* Writes result.json to result, and what was watched to observed: lines of a name, a space, and
 * JSON. Unless the run is done, the reason is on stderr; what there is of its result is written
 * all the same. Never returns RUN_PENDING. */
enum experiment_status experiment_run(const struct experiment_point *point,
                                      const struct experiment_key *key, FILE *result,
                                      FILE *observed);

#endif
