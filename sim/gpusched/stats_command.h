/* stats_command - `gpusched stats`: all that a run counts and derives, with units. */

#ifndef STATS_COMMAND_H
#define STATS_COMMAND_H

int stats_command(int argc, char **argv);

#endif
