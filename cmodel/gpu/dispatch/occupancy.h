/* occupancy - what a CTA takes of an SM, and how many an SM has room for (rules W-1 and W-2).
 */

#ifndef OCCUPANCY_H
#define OCCUPANCY_H

#include "gpu/gpu.h"

/* Of one CTA. */
struct cta_room {
    uint32_t registers, shared_bytes, warps;
};

/* The shape must be one that an SM can hold: gpu_occupancy is not 0. */
struct cta_room cta_takes(const struct gpu_config *config, const struct kernel_shape *shape);

#endif
