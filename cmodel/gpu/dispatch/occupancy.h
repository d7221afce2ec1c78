/* occupancy - what a CTA takes of an SM (rule W-2), and how many an SM has room for (rule W-1).
 */

#ifndef OCCUPANCY_H
#define OCCUPANCY_H

#include "gpu/gpu.h"

/* Of one CTA. */
struct cta_room {
    uint32_t registers, shared_bytes, warps;
};

/* The shape must be one that an SM can hold: gpu_occupancy is not 0. */
/* The shared memory that an SM has for as many CTAs as fit, with l1.carveouts (rule W-6). */
uint32_t cta_carveout(const struct gpu_config *config, const struct kernel_shape *shape);
struct cta_room cta_takes(const struct gpu_config *config, const struct kernel_shape *shape);

#endif
