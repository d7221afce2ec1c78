/* config_command - `gpusched config`: shows, explains and checks the parameters of GPUs. */

#ifndef CONFIG_COMMAND_H
#define CONFIG_COMMAND_H

#include "tool/command.h"

extern const struct command config_command;

#endif
