/*
 * experiment_clock - core clocks of an experiment's variants. Speed is of time: where the clock
 * of a variant is not the baseline's, cycles are divided by it before they are compared.
 */

#ifndef EXPERIMENT_CLOCK_H
#define EXPERIMENT_CLOCK_H

#include "gpusched/experiment/grid/experiment_grid.h"

/* The baseline's core clock / the run's, at the same place in all other dimensions. */
double experiment_clock_scale(struct experiment_grid *grid, uint32_t run);

/* Whether there is a run of another core clock than its baseline's. There is a baseline. */
bool experiment_clocks_differ(struct experiment_grid *grid);

#endif
