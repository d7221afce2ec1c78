/*
 * silicon - the functions of driver.h on an NVIDIA GPU, for workloads as they are: each launch
 * is timed. gsp_open takes the GPU from here, not from its options.
 */

#ifndef SILICON_H
#define SILICON_H

#include "driver/driver.h"
#include "silicon_cuda.h"

/* What gsp_open opens. device_runtime: cudadevrt's library, for modules whose kernels launch
 * kernels; NULL: such modules are refused. */
struct silicon {
    const struct cuda *cuda;
    const char *device_runtime;
};
void silicon_use(const struct silicon *silicon);

enum { SILICON_NAME = 64 };
struct silicon_launch {
    char kernel[SILICON_NAME];
    struct gsp_dim grid, block;
    int registers;    /* of a thread */
    int shared_bytes; /* of a CTA, static and dynamic */
    int ctas;         /* that an SM can hold at a time */
    double us;        /* between the events before it and behind it */
};
/* Of all launches so far, in their order; valid after gsp_synchronize. */
const struct silicon_launch *silicon_launches(const struct gsp_context *context, size_t *n);

#endif
