/* program_alone - one of several programs, run without the others. */

#ifndef PROGRAM_ALONE_H
#define PROGRAM_ALONE_H

#include "gpusched/run/run_options.h"
#include "gpusched/workload/workload.h"

/* Its cycles up to the end of its last kernel; 0 if stop has ended it. Returns false with a
 * fault if it cannot be run. */
bool program_alone(const struct workload_program *program, const struct run_options *options,
                   const struct gpu_config *config, bool (*stop)(void), uint64_t *cycles,
                   struct fault *fault);

#endif
