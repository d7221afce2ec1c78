/*
 * sets - gpusched with one thing more, which no configuration does: the set of SMs changes in a
 * run. Every so many cycles the SMs of another cluster drain, and those that drained take CTAs
 * again.
 */

#include "tb/run/sampled.h"

const uint32_t sampled_period = 1500u;

void sampled_change(void *self, struct gpu *gpu, uint64_t cycle)
{
    const struct gpu_config *const config = gpu_config_of(gpu);
    const uint32_t size = (config->sm.count - 1u) / config->cluster.count + 1u;
    const uint32_t drained = (uint32_t)(cycle / sampled_period % config->cluster.count);

    (void)self;
    for (uint32_t sm = 0u; sm < config->sm.count; sm++) {
        gpu_drain(gpu, sm, sm / size == drained);
    }
}
