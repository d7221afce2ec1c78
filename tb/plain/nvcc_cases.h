/* nvcc_cases - kernels of tb/ptx/nvcc with the host code that runs and checks them. */

#ifndef NVCC_CASES_H
#define NVCC_CASES_H

#include "driver/driver.h"

/* A kernel while it runs; all helpers end the program with a message if a call fails. */
struct nvcc_run {
    struct gsp_context *context;
    struct gsp_module *module;
    const char *name;
    bool right;
};
struct nvcc_case {
    const char *name; /* of file and kernel */
    void (*run)(struct nvcc_run *r);
};
extern const struct nvcc_case nvcc_cases[];
extern const uint32_t nvcc_case_count;

gsp_pointer nvcc_buffer(struct nvcc_run *r, const void *from, size_t bytes);
void nvcc_fetch(struct nvcc_run *r, void *to, gsp_pointer from, size_t bytes);
void nvcc_launch(struct nvcc_run *r, struct gsp_dim grid, struct gsp_dim block,
                 uint32_t dynamic, void **args);
/* Remembers, and says, that a value is not what it should be. */
void nvcc_expect(struct nvcc_run *r, size_t at, double got, double wanted);

#endif
