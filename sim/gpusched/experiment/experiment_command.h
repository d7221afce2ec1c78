/* experiment_command - `gpusched experiment`: a grid of runs, kept in a database. */

#ifndef EXPERIMENT_COMMAND_H
#define EXPERIMENT_COMMAND_H

#include "tool/command.h"

/* Exit status: 0 all runs are done, 1 some are not, 2 bad input, or output that cannot be
 * written. */
extern const struct command experiment_command;

#endif
