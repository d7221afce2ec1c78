/*
 * upset - gpusched with a golden model that is upset in a run: the coalesced cache of a cluster
 * forgets its lines. RTL in the shadow, which has the same inputs, does not.
 */

#include "gpu/machine.h"

static void change(void *self, struct gpu *gpu, uint64_t cycle)
{
    (void)self;
    (void)cycle;
    gpu->sockets.cluster_port[1].unit.cache.q.valid = (struct bits){ { 0u } };
}

/* The linker gives it the opening of every GPU. */
struct gpu *__real_gpu_open(const struct gpu_config *config, const struct gpu_hooks *hooks,
                            unsigned mode, struct fault *fault);
struct gpu *__wrap_gpu_open(const struct gpu_config *config, const struct gpu_hooks *hooks,
                            unsigned mode, struct fault *fault);
struct gpu *__wrap_gpu_open(const struct gpu_config *config, const struct gpu_hooks *hooks,
                            unsigned mode, struct fault *fault)
{
    static const struct gpu_monitor monitor = { .interval = 1u, .sample = change };
    struct gpu_hooks more = *hooks;

    more.monitor = &monitor;
    return __real_gpu_open(config, &more, mode, fault);
}
