/* workload_kind - what a kind of workloads provides; for workload*.c. */

#ifndef WORKLOAD_KIND_H
#define WORKLOAD_KIND_H

#include "base/fault.h"
#include "driver/driver.h"
#include "gpusched/workload/workload.h"

/* As in workload.h; self is what load returned, NULL for a failure. */
struct workload_kind {
    void *(*load)(struct workload *workload, const struct workload_choice *choice,
                  const struct gpu_config *config, struct fault *fault);
    bool (*open)(void *self, const struct workload_machine *machine, struct fault *fault);
    bool (*run)(void *self, struct workload_outcome *outcome, struct fault *fault);
    struct gpu *(*gpu)(void *self);
    uint64_t (*instructions)(void *self);
    void (*free)(void *self);
    uint32_t (*regions)(void *self); /* of described kernels; NULL: there are none */
};

extern const struct workload_kind workload_synthetic, workload_cuda, workload_ptx,
    workload_several;

/* Regions that a workload's described kernels use. */
uint32_t workload_regions(const struct workload *workload);

/* For kinds that run on the driver. */
bool workload_open_context(struct gsp_context **context, const struct workload_machine *machine,
                           struct fault *fault);
/* The end of a run whose call returned `status`. False: the status is one of bad input. */
bool workload_end_of(enum gsp_status status, enum gpu_end *end);

#endif
