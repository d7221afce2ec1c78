/* gpu_events - a monitor that writes down when and where CTAs and kernels start and end. */

#ifndef GPU_EVENTS_H
#define GPU_EVENTS_H

#include "tb/gpu/gpu_kernel.h"

struct cta_event {
    bool start;
    uint32_t kernel, cta, sm, slot;
    uint64_t cycle;
};

enum { EVENTS_MOST = 16384, EVENT_KERNELS = 64 };

struct events {
    struct cta_event event[EVENTS_MOST];
    uint32_t n;
    uint64_t started[EVENT_KERNELS], ended[EVENT_KERNELS]; /* cycles, by kernel */
};

/* Forgets what there was. */
struct gpu_monitor events_monitor(struct events *e);

/* The SM that got a CTA, and the cycle in which it had it. */
uint32_t sm_of(const struct events *e, uint32_t kernel, uint32_t cta);
uint64_t start_of_cta(const struct events *e, uint32_t kernel, uint32_t cta);
uint64_t end_of_cta(const struct events *e, uint32_t kernel, uint32_t cta);

/* ---- The resources of SMs, from the events alone ------------------------------------- */

struct resources {
    uint32_t ctas, warps, registers, shared, slots;
};

/* Fails if at any time an SM holds more than it has. Returns the most CTAs that one held. */
uint32_t events_check_resources(const struct events *e, const struct gpu_config *c,
                                const struct hand_kernel *const *kernels);

#endif
