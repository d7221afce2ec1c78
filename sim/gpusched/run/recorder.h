/* recorder - the one monitor of a run, which serves progress, timeline and series. */

#ifndef RECORDER_H
#define RECORDER_H

#include <stdio.h>

#include "gpu/gpu.h"
#include "gpusched/result/timeline.h"

struct recorder;

struct recorder_options {
    uint64_t interval; /* cycles from sample to sample */
    FILE *timeline;    /* each NULL if not wanted */
    FILE *series;
    FILE *series_sm;
    bool progress; /* on a terminal */
    /* May be NULL: true stops the run. Asked now and then. */
    bool (*stop)(void);
};

/* kernels: launches that are known already. NULL if there is no memory. */
struct recorder *recorder_open(const struct gpu_config *config,
                               const struct timeline_kernel *kernels, uint32_t n_kernel,
                               const struct recorder_options *options);
/* One more launch, before it starts: for workload_machine.launched. */
void recorder_launched(void *recorder, const struct kernel_shape *shape, uint32_t stream,
                       const struct gpu_child *child);
const struct gpu_monitor *recorder_monitor(const struct recorder *recorder);

/* There was no memory for a launch: the run is stopped soon, if it has not come to its end by
 * itself, and the timeline is not whole. */
bool recorder_lost(const struct recorder *recorder);
/* After the run: the last, shorter interval, and the ends of the files, which stay open. */
void recorder_end(struct recorder *recorder, struct gpu *gpu);
void recorder_free(struct recorder *recorder);

#endif
