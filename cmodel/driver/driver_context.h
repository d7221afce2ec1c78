/* driver_context - what the functions of driver.h share; for driver*.c. */

#ifndef DRIVER_CONTEXT_H
#define DRIVER_CONTEXT_H

#include <stddef.h>

#include "base/fault.h"
#include "driver/device_grid.h"
#include "driver/driver.h"
#include "exec/device_memory.h"
#include "exec/exec.h"

struct gsp_module {
    struct gsp_module *next;
    struct ptx_module *ptx;
    uint64_t global_base;   /* device address of its global variables; 0 if it has none */
    uint64_t constant_base; /* of its constant bank, which hosts may copy to; the same */
    uint64_t entry_base;    /* address of its first entry */
};

/* A kernel that has been launched and has not ended. */
struct driver_launch {
    struct driver_launch *next; /* of the host, without timing: in their order */
    struct gsp_context *context;
    struct exec_launch exec;
    struct device_grid grid;
    uint8_t params[]; /* the parameter block */
};

struct gsp_context {
    struct gsp_options options;
    struct gpu_config config;
    struct gpu *gpu; /* NULL without timing */
    struct device_memory *memory;
    struct exec *exec;
    struct device_runtime device; /* launches by kernels */
    struct gsp_module *modules;
    uint32_t entries;                   /* of all modules */
    struct driver_launch *first, *last; /* to be run, without timing */
    bool running;                       /* something has been launched since the last run */
    enum gsp_status status;             /* the error that ended all; or GSP_OK */
    struct fault fault;                 /* of the last call that failed */
};

/* Returns status; one that is not GSP_INVALID is kept. */
enum gsp_status driver_keep(struct gsp_context *context, enum gsp_status status);
/* The same, with a fault. */
enum gsp_status driver_fail(struct gsp_context *context, enum gsp_status status,
                            const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Of the host. */
enum gsp_status driver_no_memory(struct gsp_context *context);
/* Of what has left its fault in the context: GSP_MEMORY if that was for want of memory,
 * otherwise status. */
enum gsp_status driver_refused(struct gsp_context *context, enum gsp_status status);

static inline struct driver_launch *driver_launch_of(struct exec_launch *exec)
{
    return (struct driver_launch *)(void *)((char *)exec
                                            - offsetof(struct driver_launch, exec));
}

/* driver_shape.c */
static inline uint32_t at_least_one(uint32_t n)
{
    return n == 0u ? 1u : n;
}
/* A launch, but for its parameters. */
struct exec_launch driver_describe(struct gsp_context *context, const struct gsp_module *module,
                                   const struct ptx_function *function, const uint32_t grid[3],
                                   const uint32_t block[3], uint32_t shared);
/* What the configuration asks of a compiler. False with a fault: no memory. */
bool driver_compile(struct ptx_module *module, const struct gpu_config *config,
                    struct fault *fault);
/* False with a fault: no GPU runs this shape. */
bool driver_shape_allowed(const struct exec_launch *exec, struct fault *fault);
/* registers: of a thread; 0: those of the module. */
struct kernel_shape driver_shape(const struct exec_launch *exec, uint32_t registers,
                                 bool cooperative);
/* Has the launch's footprints taken, if somebody asks; by: the CTA that launches it; NULL: the
 * host. False: no memory. */
bool driver_footprint(struct driver_launch *launch, struct footprint_cta *by, uint32_t level);

/* driver_launch.c */
/* With timing: a kernel's launch goes to the GPU. False with a fault. */
bool driver_on_gpu(struct driver_launch *launch, struct fault *fault);
/* Without timing: a kernel's launch is executed next. */
void driver_tell(const struct driver_launch *launch);

#endif
