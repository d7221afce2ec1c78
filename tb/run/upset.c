/*
 * upset - gpusched with a golden model that is upset in a run: the coalesced cache of a cluster
 * forgets its lines. RTL in the shadow, which has the same inputs, does not.
 */

#include "gpu/machine.h"
#include "tb/run/sampled.h"

const uint32_t sampled_period = 1u;

void sampled_change(void *self, struct gpu *gpu, uint64_t cycle)
{
    (void)self;
    (void)cycle;
    gpu->sockets.cluster_port[1].unit.cache.q.valid = (struct bits){ { 0u } };
}
