/* experiment_libraries - the compiled RTL that an experiment's runs need, built before the
 * first of them starts. */

#ifndef EXPERIMENT_LIBRARIES_H
#define EXPERIMENT_LIBRARIES_H

#include "gpusched/experiment/grid/experiment_grid.h"

/* wanted: of each run of the grid. Returns false after the reason on stderr. */
bool libraries_build(struct experiment_grid *grid, const bool *wanted, bool quiet);

#endif
