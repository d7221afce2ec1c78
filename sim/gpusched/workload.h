/*
 * workload - what a run executes: the launches of one source of kernels. A run knows no more of
 * a source than this; another kind of source is another row in workload.c.
 */

#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu_config.h"
#include "stream.h"

struct workload_kind;

struct workload {
    const struct workload_kind *kind;
    void *self;
    char name[128]; /* without folder and ending */
};

/* Reads `path_or_name`. Returns false with a message. */
bool workload_load(struct workload *workload, const char *path_or_name,
                   const struct gpu_config *config, char *message, size_t size);
void workload_free(struct workload *workload);

/* Launches, in their order. */
uint32_t workload_kernels(const struct workload *workload);
struct kernel_source workload_kernel(const struct workload *workload, uint32_t k);
uint32_t workload_stream(const struct workload *workload, uint32_t k);

#endif
