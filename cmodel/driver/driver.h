/*
 * driver - how host code runs kernels on the modelled GPU: in the spirit of the CUDA driver
 * API.
 *
 *   gsp_open(&context, &options)       a GPU, or functional execution alone
 *   gsp_module_load(context, path)     PTX
 *   gsp_malloc, gsp_free, gsp_copy_in, gsp_copy_out, gsp_set
 *   gsp_launch(...)                    in a stream; returns at once
 *   gsp_synchronize(context)           runs all that has been launched
 *   gsp_close(context)
 *
 * Functions return GSP_OK or a code; gsp_message says what was wrong, and gsp_fault whether it
 * was the host that lacked memory. After an error that is not GSP_INVALID, and after any of
 * gsp_open, every function returns the same code: results are not valid.
 */

#ifndef DRIVER_H
#define DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/gpu.h"

enum gsp_status {
    GSP_OK,
    GSP_INVALID, /* a wrong argument: the call changed nothing; one that waits for kernels has
                    waited */
    GSP_MEMORY,  /* the device is full, or the host has no memory */
    GSP_MODULE,  /* PTX that cannot be read */
    GSP_ILLEGAL, /* a kernel did something illegal */
    GSP_HUNG,
    GSP_STOPPED
};

struct gsp_context;
typedef uint64_t gsp_pointer; /* of device memory */

/* Several programs that share a context, each of which waits for its own kernels alone. */
struct gsp_turns {
    void *self;
    /* Lets the GPU run until all kernels of the program that calls have ended. */
    enum gpu_end (*wait)(void *self, struct gpu *gpu);
    /* Of the GPU, for a stream of the program that calls. */
    uint32_t (*stream)(void *self, uint32_t stream);
};

struct gsp_options {
    const struct gpu_config *config; /* NULL: functional execution alone, no timing */
    const struct gpu_config *limits; /* without timing: its cdp.depth, cdp.pending and
                                        limit.instructions hold; NULL: the standard ones */
    const struct gpu_hooks *hooks;   /* may be NULL */
    unsigned mode;                   /* enum gpu_mode */
    uint64_t limit; /* warp instructions of a launch, with all that its kernels launch; 0:
                       limit.instructions of config */
    /* Told once of each kernel in which a lane reads another one that does not execute with it.
     * May be NULL. */
    void (*warn)(void *self, const char *text);
    void *warn_self;
    struct exec_check *check; /* exec_check.h: what kernels do that they should not; or NULL */
    struct exec_footprint *footprint; /* exec_footprint.h: what CTAs access; or NULL */
    uint64_t memory; /* bytes that may be allocated in all; 0: as many as there are addresses */
    /* May be NULL. Told of each launch, in the GPU's order of kernels, before it starts, also
     * without timing. child: who has launched it, if a kernel has, and with timing. */
    void (*launched)(void *self, const struct kernel_shape *shape, uint32_t stream,
                     const struct gpu_child *child);
    void *launched_self;
    const struct gsp_turns *turns; /* NULL: there is one program. Not without timing */
};

enum gsp_status gsp_open(struct gsp_context **context, const struct gsp_options *options);
void gsp_close(struct gsp_context *context);
/* What the last call that failed says; NULL, of a gsp_open that gave no context, is allowed. */
const struct fault *gsp_fault(const struct gsp_context *context);
const char *gsp_message(const struct gsp_context *context);
/* NULL without timing. */
struct gpu *gsp_gpu(struct gsp_context *context);
/* Warp instructions executed. */
uint64_t gsp_instructions(const struct gsp_context *context);

struct gsp_module;
enum gsp_status gsp_module_load(struct gsp_context *context, const char *path,
                                struct gsp_module **module);
/* The same from memory; name stands for the file in messages. */
enum gsp_status gsp_module_load_text(struct gsp_context *context, const char *name,
                                     const char *text, size_t length,
                                     struct gsp_module **module);
/* Address and size of a __device__ or __constant__ variable. */
enum gsp_status gsp_symbol(struct gsp_context *context, struct gsp_module *module,
                           const char *name, gsp_pointer *address, size_t *bytes);

enum gsp_status gsp_malloc(struct gsp_context *context, gsp_pointer *pointer, size_t bytes);
/* What gsp_malloc gave; not a module's variables, which live as long as the context. */
enum gsp_status gsp_free(struct gsp_context *context, gsp_pointer pointer);
/* Like a synchronous cudaMemcpy: wait for all that has been launched. */
enum gsp_status gsp_copy_in(struct gsp_context *context, gsp_pointer to, const void *from,
                            size_t bytes);
enum gsp_status gsp_copy_out(struct gsp_context *context, void *to, gsp_pointer from,
                             size_t bytes);
enum gsp_status gsp_set(struct gsp_context *context, gsp_pointer to, int value, size_t bytes);

/* What a kernel's parameters are: bytes[0..], of which there is room for *n; *n becomes how
 * many the kernel has. A kernel is named as in PTX, or as in C++ if that is the name of only
 * one. */
enum gsp_status gsp_parameters(struct gsp_context *context, struct gsp_module *module,
                               const char *kernel, uint32_t *bytes, uint32_t *n);

struct gsp_dim {
    uint32_t x, y, z; /* 0 counts as 1 */
};
/* args: a pointer to each argument's value, in the order of the kernel's parameters, as with
 * cuLaunchKernel. registers: of a thread, in place of the module's own count; 0 for that. */
struct gsp_launch {
    struct gsp_module *module;
    const char *kernel;
    struct gsp_dim grid, block;
    uint32_t dynamic_shared; /* bytes */
    uint32_t stream;
    uint32_t registers;
    bool cooperative; /* CTAs wait for each other, as with cuLaunchCooperativeKernel: no limiter
                         holds any back */
    void **args;
};
enum gsp_status gsp_launch(struct gsp_context *context, const struct gsp_launch *launch);
enum gsp_status gsp_synchronize(struct gsp_context *context);

#endif
