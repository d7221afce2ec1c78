/* report_where - the database that a command line means. */

#ifndef REPORT_WHERE_H
#define REPORT_WHERE_H

#include "gpusched/experiment/grid/experiment.h"

/* A file that is there is a database, unless it is an experiment's; all else is an experiment's
 * name, whose database is in results/. Ends the command with one line if there is none. */
void report_find_database(const char *command, const char *what, char path[EXPERIMENT_PATH]);

#endif
