/* compare_command - `gpusched compare`: what differs between two runs, or two databases. */

#ifndef COMPARE_COMMAND_H
#define COMPARE_COMMAND_H

#include "tool/command.h"

/* Exit status: 0 they are compared, 1 without results that are broken, 2 bad input, or output
 * that cannot be written. */
extern const struct command compare_command;

#endif
