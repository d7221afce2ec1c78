/* workload_synthetic - described kernels: all are launched, and the GPU runs once. */

#include <stdio.h>
#include <stdlib.h>

#include "gpusched/workload/workload_kind.h"
#include "synthetic/synthetic.h"

struct described {
    struct synthetic *kernels;
    struct gpu *gpu;
    const struct gsp_turns *turns; /* NULL if the GPU is its own */
    uint32_t ctas;                 /* of each kernel; 0: as described */
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

    described->turns = machine->turns;
    if (machine->context != NULL) {
        described->gpu = gsp_gpu(machine->context);
        synthetic_move(described->kernels, machine->first_region);
    } else {
        described->gpu = gpu_open(machine->config, machine->hooks, machine->mode, fault);
    }
    if (described->gpu == NULL) {
        return false;
    }
    for (uint32_t k = 0u; k < synthetic_kernels(described->kernels); k++) {
        struct kernel_source source = synthetic_kernel(described->kernels, k);
        const uint32_t own = synthetic_stream(described->kernels, k);
        const uint32_t stream =
            machine->turns != NULL ? machine->turns->stream(machine->turns->self, own) : own;
        if (described->ctas != 0u) {
            source.shape.grid[0] = described->ctas;
            source.shape.grid[1] = source.shape.grid[2] = 1u;
        }
        if (!gpu_launch(described->gpu, &source, stream, fault)) {
            return false;
        }
        if (machine->launched != NULL) {
            machine->launched(machine->launched_self, &source.shape, stream, NULL);
        }
    }
    return true;
}

static bool run(void *self, struct workload_outcome *outcome, struct fault *fault)
{
    struct described *const described = self;

    (void)fault;
    outcome->end = described->turns != NULL
                       ? described->turns->wait(described->turns->self, described->gpu)
                       : gpu_run(described->gpu);
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

    if (described->gpu != NULL && described->turns == NULL) {
        gpu_close(described->gpu);
    }
    synthetic_free(described->kernels);
    free(described);
}

static uint32_t regions(void *self)
{
    return synthetic_regions(((struct described *)self)->kernels);
}

const struct workload_kind workload_synthetic = {
    load, open_gpu, run, gpu_of, instructions, release, regions,
};
