/* program_alone - see program_alone.h. */

#include "gpusched/run/program_alone.h"

#include "gpusched/run/session.h"

struct alone {
    bool (*stop)(void);
};

static bool goes_on(void *self, struct gpu *gpu)
{
    const struct alone *const alone = self;

    (void)gpu;
    return !alone->stop();
}

/* To the end of the last kernel, as the programs' own cycles are. */
static uint64_t end_of_kernels(const struct gpu_stats *stats)
{
    uint64_t last = 1u;

    for (uint32_t k = 0u; k < stats->n_kernel; k++) {
        last = stats->kernel[k].ended > last ? stats->kernel[k].ended : last;
    }
    return last - 1u;
}

bool program_alone(const struct workload_program *program, const struct run_options *options,
                   const struct gpu_config *config, bool (*stop)(void), uint64_t *cycles,
                   struct fault *fault)
{
    struct alone alone = { stop };
    const struct gpu_monitor monitor = { .self = &alone, .progress = goes_on };
    struct gpu_hooks hooks = { .monitor = &monitor };
    struct workload_machine machine = { .config = config, .mode = options->mode };
    struct workload_choice choice = options->workload;
    struct session session = { .peer = NULL };

    choice.name = program->given;
    choice.several = choice.check = choice.footprint = false;
    choice.size_given = choice.size_given && program->size != NULL;
    const bool ran =
        session_load(&session, &choice, config) && session_run(&session, &machine, &hooks);
    if (ran) {
        const struct result result = session_result(&session, config);
        *cycles = result.end == GPU_DONE ? end_of_kernels(result.stats) : 0u;
    } else {
        *fault = session.fault;
    }
    (void)session_close(&session, false);
    return ran;
}
