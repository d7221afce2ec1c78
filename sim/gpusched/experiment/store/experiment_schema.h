/* experiment_schema - the tables of an experiment's database; see docs/experiments.md. */

#ifndef EXPERIMENT_SCHEMA_H
#define EXPERIMENT_SCHEMA_H

#include "gpusched/experiment/store/experiment_sql.h"

/* Each returns false after a failure. */

/* Makes the tables; those of an earlier format become them, and keep what they have. Within a
 * transaction. */
bool schema_make(struct store *store);

/* Makes the table temp.broken: ids of the results that are not as they were written. */
bool schema_find_broken(struct store *store);

/* Makes temp.stored, the table results with its texts as they were, and temp.runs, the view
 * runs with each result. Of all formats. */
bool schema_make_views(struct store *store);

#endif
