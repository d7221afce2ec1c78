/* run_command - `gpusched run`: a workload on a GPU, its statistics and what was asked for. */

#ifndef RUN_COMMAND_H
#define RUN_COMMAND_H

#include "tool/command.h"

/* Exit status: 0 done, 1 a failed check or a hang, 2 bad input, or output that
 * cannot be written. */
extern const struct command run_command;

/* `gpusched record`: the same, for the vectors of a unit. */
extern const struct command record_command;

#endif
