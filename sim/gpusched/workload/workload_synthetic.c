/* workload_synthetic - described kernels: all are launched, and the GPU runs once. */

#include <stdio.h>
#include <stdlib.h>

#include "gpusched/workload/workload_kind.h"
#include "synthetic/synthetic.h"

struct described {
    struct synthetic *kernels;
    struct gpu *gpu;
    uint32_t ctas; /* of each kernel; 0: as described */
};

static void *load(struct workload *workload, const struct workload_choice *choice,
                  const struct gpu_config *config, struct fault *fault)
{
    if (config == NULL || choice->size_given) {
        fault_set(fault, "%.200s: described kernels have no %s", workload->name,
                  config == NULL ? "values: --functional is not possible" : "--size");
        return NULL;
    }
    struct described *const described = calloc(1u, sizeof *described);
    if (described == NULL) {
        fault_surroundings(fault, "no memory");
        return NULL;
    }
    described->ctas = workload->ctas;
    if (!synthetic_load(workload->file, config, &described->kernels, fault)) {
        free(described);
        return NULL;
    }
    return described;
}

static bool open_gpu(void *self, const struct workload_machine *machine, struct fault *fault)
{
    struct described *const described = self;

    described->gpu = gpu_open(machine->config, machine->hooks, machine->mode, fault);
    if (described->gpu == NULL) {
        return false;
    }
    for (uint32_t k = 0u; k < synthetic_kernels(described->kernels); k++) {
        struct kernel_source source = synthetic_kernel(described->kernels, k);
        const uint32_t stream = synthetic_stream(described->kernels, k);
        if (described->ctas != 0u) {
            source.shape.grid[0] = described->ctas;
            source.shape.grid[1] = source.shape.grid[2] = 1u;
        }
        if (!gpu_launch(described->gpu, &source, stream, fault)) {
            return false;
        }
        if (machine->launched != NULL) {
            machine->launched(machine->launched_self, &source.shape, stream);
        }
    }
    return true;
}

static bool run(void *self, struct workload_outcome *outcome, struct fault *fault)
{
    struct described *const described = self;

    (void)fault;
    outcome->end = gpu_run(described->gpu);
    return true;
}

static struct gpu *gpu_of(void *self)
{
    return ((struct described *)self)->gpu;
}

static uint64_t instructions(void *self)
{
    (void)self;
    return 0u;
}

static void release(void *self)
{
    struct described *const described = self;

    if (described->gpu != NULL) {
        gpu_close(described->gpu);
    }
    synthetic_free(described->kernels);
    free(described);
}

const struct workload_kind workload_synthetic = {
    load, open_gpu, run, gpu_of, instructions, release,
};
