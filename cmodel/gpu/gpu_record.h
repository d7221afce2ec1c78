/*
 * gpu_record - what SMs and kernels do in a cycle. SMs and dispatch write it down; units read
 * it at their place in the cycle, which is after the SMs and before the work distributor, and
 * monitors after the cycle. Nobody is called.
 */

#ifndef GPU_RECORD_H
#define GPU_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "units/kdu.h"

enum {
    GPU_MAX_SM = BITS_MAX,
    GPU_MAX_CTAS = 32,      /* on an SM */
    GPU_MAX_SCHEDULERS = 4, /* of an SM */
    GPU_MAX_BLOCK = 4,      /* CTAs that go to an SM together */
    GPU_MAX_RESIDENT = kdu_max_n_kernel
};

struct gpu_cta_event {
    uint32_t kernel, cta, sm;
    uint32_t slot; /* of the SM */
};

/* Steps of a kernel, in this order. */
enum gpu_kernel_step {
    GPU_KERNEL_LAUNCHED,  /* it has a slot, and its launch waits for the work distributor */
    GPU_KERNEL_STARTED,   /* its launch latency is over */
    GPU_KERNEL_EXHAUSTED, /* all its CTAs are on SMs, or have been */
    GPU_KERNEL_ENDED,     /* all have ended */
    GPU_KERNEL_STEPS
};
struct gpu_kernel_event {
    uint32_t kernel;
    enum gpu_kernel_step step;
};

/* The class of a cycle of a warp scheduler; docs/gpu-model.md has their meaning. */
enum gpu_cycle_class {
    GPU_ISSUED,
    GPU_PIPELINE_ALU,
    GPU_PIPELINE_MEMORY,
    GPU_SCOREBOARD_ALU,
    GPU_SCOREBOARD_MEMORY,
    GPU_IDLE,
    GPU_PAUSED,
    GPU_CYCLE_CLASSES
};
/* From this cycle on the scheduler's cycles are of another class. All are idle at first. */
struct gpu_class_event {
    uint8_t sm, scheduler, class_now;
};

struct gpu_record {
    uint64_t cycle;
    uint32_t n_started, n_ended, n_left, n_kernel, n_class;
    bool back;   /* what has started is a CTA that had left */
    bool beside; /* and takes no contexts: others of its strict pair, or block, have them */
    struct gpu_cta_event started[GPU_MAX_BLOCK]; /* on their SM from this cycle on */
    struct gpu_cta_event
        ended[GPU_MAX_SM * GPU_MAX_CTAS]; /* in this cycle, in the order of SMs */
    struct gpu_cta_event left[GPU_MAX_SM * GPU_MAX_CTAS]; /* the same; they wait for children */
    /* With groups, which share a slot, as many may end as CTAs. */
    struct gpu_kernel_event
        kernel[GPU_KERNEL_STEPS * GPU_MAX_RESIDENT + GPU_MAX_SM * GPU_MAX_CTAS];
    /* In the order of SMs and schedulers; only if gpu_hooks.classes. */
    struct gpu_class_event class_of[GPU_MAX_SM * GPU_MAX_SCHEDULERS];
};

#endif
