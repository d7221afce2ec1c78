/* config_command - `gpusched config`: shows, explains and checks the parameters of GPUs. */

#ifndef CONFIG_COMMAND_H
#define CONFIG_COMMAND_H

int config_command(int argc, char **argv);

#endif
