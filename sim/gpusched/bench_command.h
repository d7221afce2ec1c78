/* bench_command - gpusched bench: how fast the model runs, beside other simulators. */

#ifndef BENCH_COMMAND_H
#define BENCH_COMMAND_H

/* Returns the exit status. */
int bench_command(int argc, char **argv);

#endif
