/* run_command - `gpusched run`: a workload on a GPU, its statistics and what was asked for. */

#ifndef RUN_COMMAND_H
#define RUN_COMMAND_H

/* Exit status: 0 done, 1 a failed check or a hang, 2 bad input. */
int run_command(int argc, char **argv);

/* `gpusched record`: the same, for the vectors of a unit. */
int record_command(int argc, char **argv);

#endif
