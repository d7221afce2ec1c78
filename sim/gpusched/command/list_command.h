/* list_command - `gpusched list`: the workloads and GPUs that come with the program. */

#ifndef LIST_COMMAND_H
#define LIST_COMMAND_H

#include "tool/command.h"

extern const struct command list_command;

#endif
