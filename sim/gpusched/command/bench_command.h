/* bench_command - gpusched bench: how fast the model runs, beside other simulators. */

#ifndef BENCH_COMMAND_H
#define BENCH_COMMAND_H

#include "tool/command.h"

extern const struct command bench_command;

#endif
