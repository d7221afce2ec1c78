/* completion_command - `gpusched completion`: a script by which a shell completes our command
 * lines, made from the tables that the commands' help is made from. */

#ifndef COMPLETION_COMMAND_H
#define COMPLETION_COMMAND_H

#include "tool/command.h"

extern const struct command completion_command;

#endif
