/* sweep_kernels - the curve of each kernel of a workload that has several. */

#ifndef SWEEP_KERNELS_H
#define SWEEP_KERNELS_H

#include <stdio.h>

#include "gpusched/sweep/sweep.h"

/* Launches of one name are one kernel, whose curve ends at the CTAs that fit of it. */
struct sweep_kernel {
    char *name;
    struct sweep_curve curve;
};

struct sweep_kernels {
    uint32_t n; /* 0: there is but one */
    struct sweep_kernel *kernel;
};

/* Of the runs that are done; most: Nmax of the workload, or all SMs. Returns false with a
 * fault.
 */
bool sweep_kernels_read(struct sweep *sweep, uint32_t most, struct sweep_kernels *kernels);
void sweep_kernels_free(struct sweep_kernels *kernels);

/* A line for each kernel, with its optimum and over CTAs its type. */
void sweep_kernels_print(const struct sweep_kernels *kernels, FILE *to);
/* A line for each kernel and count. */
void sweep_kernels_csv(const struct sweep_kernels *kernels, FILE *to);

#endif
