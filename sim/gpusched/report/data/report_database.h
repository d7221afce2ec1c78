/* report_database - what a report asks of an experiment's database beside its runs. */

#ifndef REPORT_DATABASE_H
#define REPORT_DATABASE_H

#include "gpusched/experiment/store/experiment_store.h"

/* The experiment's name: the file's, without folder and ending. */
void report_database_name(const char *path, char name[EXPERIMENT_NAME]);
/* A table or a view. */
bool report_has_table(struct store *store, const char *name);
/* A word of the experiment's file, to be freed; NULL if it is not there. */
char *report_about(struct store *store, const char *name);
/* What runs are called is told by the grid alone: it must be as it was written. */
bool report_check_grid(struct store *store, const char *name, struct fault *fault);

#endif
