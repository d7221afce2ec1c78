/* query_command - `gpusched query`: SQL on an experiment's database. */

#ifndef QUERY_COMMAND_H
#define QUERY_COMMAND_H

#include "tool/command.h"

/* Exit status: 0 done, 1 without results that are not as they were written, 2 bad input, or
 * output that cannot be written. */
extern const struct command query_command;

#endif
