/* experiment_command - `gpusched experiment`: a grid of runs, kept in a database. */

#ifndef EXPERIMENT_COMMAND_H
#define EXPERIMENT_COMMAND_H

/* Exit status: 0 all runs are done, 1 some are not, 2 bad input. */
int experiment_command(int argc, char **argv);

#endif
