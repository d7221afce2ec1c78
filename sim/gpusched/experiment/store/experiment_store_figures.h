/* experiment_store_figures - the figures of an experiment's results: a list of values in each
 * row of `results`, whose names are the rows of `result_figures`. */

#ifndef EXPERIMENT_STORE_FIGURES_H
#define EXPERIMENT_STORE_FIGURES_H

#include "gpusched/experiment/store/experiment_sql.h"

/* The name of a result's dictionary; of a result that may be NULL. */
enum { DICTIONARY_NAME = 256 };
void figures_dictionary(const json_t *result, char name[DICTIONARY_NAME]);

/* Reads the names. Returns false after a failure. */
bool figures_load(struct store *store);
/* Whether these are the names. */
bool figures_same(const struct store *store, const struct experiment_figures *figures);

/* The list of a result's values, as text, to be freed; NULL without memory. */
char *figures_text(const json_t *result, const struct experiment_figures *figures);

/* Gives the results of the grid these figures, and takes others from all. Returns false after a
 * failure. */
bool figures_put(struct store *store, const struct experiment_figures *figures);

/* Values of a row whose list, which may be NULL, has the store's names: one for each figure.
 * What is not in the list is taken from the result. To be dereferenced; NULL without memory. */
json_t *figures_values(struct store *store, int64_t id, const char *list,
                       const struct experiment_figures *figures);

/* A result that is done, whole; NULL after a failure. To be dereferenced. */
json_t *figures_result(struct store *store, int64_t id);

#endif
