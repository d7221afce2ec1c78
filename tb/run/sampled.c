/* sampled - what is done to a running GPU; see sampled.h. */

#include "tb/run/sampled.h"

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
    monitor.interval = sampled_period;
    monitor.sample = sampled_change;
    more.monitor = &monitor;
    return __real_gpu_open(config, &more, mode, fault);
}
