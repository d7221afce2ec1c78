/*
 * sets - gpusched with one thing more, which no configuration does: the set of SMs changes in a
 * run. Every so many cycles the SMs of another cluster drain, and those that drained take CTAs
 * again.
 */

#include "gpu/gpu.h"

enum { PERIOD = 1500 }; /* cycles */

static void change(void *self, struct gpu *gpu, uint64_t cycle)
{
    const struct gpu_config *const config = gpu_config_of(gpu);
    const uint32_t size = (config->sm.count - 1u) / config->cluster.count + 1u;
    const uint32_t drained = (uint32_t)(cycle / PERIOD % config->cluster.count);

    (void)self;
    for (uint32_t sm = 0u; sm < config->sm.count; sm++) {
        gpu_drain(gpu, sm, sm / size == drained);
    }
}

/* The linker gives it the opening of every GPU. */
struct gpu *__real_gpu_open(const struct gpu_config *config, const struct gpu_hooks *hooks,
                            unsigned mode, struct fault *fault);
struct gpu *__wrap_gpu_open(const struct gpu_config *config, const struct gpu_hooks *hooks,
                            unsigned mode, struct fault *fault);
struct gpu *__wrap_gpu_open(const struct gpu_config *config, const struct gpu_hooks *hooks,
                            unsigned mode, struct fault *fault)
{
    static struct gpu_monitor monitor; /* used until the GPU is closed */
    struct gpu_hooks more = *hooks;

    monitor = hooks->monitor != NULL ? *hooks->monitor : (struct gpu_monitor){ .self = NULL };
    monitor.interval = PERIOD;
    monitor.sample = change;
    more.monitor = &monitor;
    return __real_gpu_open(config, &more, mode, fault);
}
