/* sweep_command - `gpusched sweep`: a workload at each number of CTAs per SM, or of SMs. */

#ifndef SWEEP_COMMAND_H
#define SWEEP_COMMAND_H

#include "tool/command.h"

extern const struct command sweep_command;

#endif
