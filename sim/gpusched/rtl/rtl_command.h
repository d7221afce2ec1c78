/* rtl_command - `gpusched rtl`: another's Verilog in the place of a unit's. */

#ifndef RTL_COMMAND_H
#define RTL_COMMAND_H

#include "tool/command.h"

extern const struct command rtl_command;

#endif
