/* stats_command - `gpusched stats`: all that a run counts and derives, with units. */

#ifndef STATS_COMMAND_H
#define STATS_COMMAND_H

#include "tool/command.h"

extern const struct command stats_command;

#endif
