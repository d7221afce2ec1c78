/*
 * golden_cuda - a libcuda.so.1 for the tests of silicon, whose calls run on the golden model
 * without timing. It has what silicon_cuda.h lists, and knows the size of nothing. With
 * GOLDEN_CUDA_WRONG in the environment the first bit that is copied to the host is another;
 * with GOLDEN_CUDA_LOST kernels end as after an illegal access.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/driver.h"

enum { FAILED = 999, NAME = 128, CLOCK = 13, KILO = 1000 };

struct golden_function {
    struct gsp_module *module;
    char name[NAME];
};

static struct gsp_context *context;

static int did(enum gsp_status status)
{
    return status == GSP_OK ? 0 : FAILED;
}

/* Names and arguments are CUDA's; a declaration before each, since nobody includes one. */
#define CUDA(name, ...)                                           \
    __attribute__((visibility("default"))) int name(__VA_ARGS__); \
    int name(__VA_ARGS__)

CUDA(cuInit, unsigned flags)
{
    (void)flags;
    return did(gsp_open(&context, &(struct gsp_options){ .config = NULL }));
}

CUDA(cuGetErrorString, int error, const char **text)
{
    (void)error;
    *text = gsp_message(context);
    return 0;
}

CUDA(cuDriverGetVersion, int *version)
{
    *version = 0;
    return 0;
}

CUDA(cuDeviceGet, int *device, int ordinal)
{
    *device = ordinal;
    return 0;
}

CUDA(cuDeviceGetName, char *name, int room, int device)
{
    (void)device;
    snprintf(name, (size_t)room, "the golden model");
    return 0;
}

CUDA(cuDeviceGetAttribute, int *value, int attribute, int device)
{
    (void)device;
    *value = attribute == CLOCK ? KILO : 1;
    return 0;
}

CUDA(cuDevicePrimaryCtxRetain, void **made, int device)
{
    (void)device;
    *made = NULL;
    return 0;
}

CUDA(cuCtxSetCurrent, void *other)
{
    (void)other;
    return 0;
}

CUDA(cuCtxSetLimit, int limit, size_t value)
{
    (void)limit;
    (void)value;
    return 0;
}

/* What the host has written last comes to the device as late as the driver may bring it: a
 * kernel that is launched without waiting for it does not see it. */
static struct {
    void *bytes; /* NULL: it is there */
    uint64_t to;
    size_t n;
} late;

static int arrive(void)
{
    int error = 0;

    if (late.bytes != NULL) {
        error = did(gsp_copy_in(context, late.to, late.bytes, late.n));
        free(late.bytes);
        late.bytes = NULL;
    }
    return error;
}

/* from: what is copied, or NULL: all of them are `value`. */
static int write_late(uint64_t to, const void *from, int value, size_t bytes)
{
    const int error = arrive();

    late.bytes = malloc(bytes + 1u);
    if (error != 0 || late.bytes == NULL) {
        return FAILED;
    }
    late.to = to;
    late.n = bytes;
    memset(late.bytes, value, bytes);
    if (from != NULL && bytes != 0u) {
        memcpy(late.bytes, from, bytes);
    }
    return 0;
}

CUDA(cuCtxSynchronize, void)
{
    const int error = did(gsp_synchronize(context));

    if (getenv("GOLDEN_CUDA_LOST") != NULL) {
        return FAILED;
    }
    return error != 0 ? error : arrive();
}

CUDA(cuModuleLoadData, struct gsp_module **module, const char *ptx)
{
    return did(gsp_module_load_text(context, "ptx", ptx, strlen(ptx), module));
}

/* They live as long as the context. */
CUDA(cuModuleUnload, struct gsp_module *module)
{
    (void)module;
    return 0;
}

CUDA(cuModuleGetFunction, struct golden_function **function, struct gsp_module *module,
     const char *name)
{
    static struct golden_function last; /* the driver launches what it has asked for last */

    last.module = module;
    snprintf(last.name, sizeof last.name, "%s", name);
    *function = &last;
    return 0;
}

CUDA(cuModuleGetGlobal_v2, uint64_t *address, size_t *bytes, struct gsp_module *module,
     const char *name)
{
    return did(gsp_symbol(context, module, name, address, bytes));
}

/* What is linked: the first text, since the golden model has its own device runtime. */
static char *linked;

CUDA(cuLinkCreate_v2, unsigned n, int *options, void **values, void **link)
{
    (void)n;
    (void)options;
    (void)values;
    free(linked);
    linked = NULL;
    *link = NULL;
    return 0;
}

CUDA(cuLinkAddData_v2, void *link, int type, const char *data, size_t bytes, const char *name,
     unsigned n, int *options, void **values)
{
    (void)link;
    (void)type;
    (void)bytes;
    (void)name;
    (void)n;
    (void)options;
    (void)values;
    if (linked == NULL) {
        linked = strdup(data);
    }
    return linked == NULL ? FAILED : 0;
}

CUDA(cuLinkAddFile_v2, void *link, int type, const char *path, unsigned n, int *options,
     void **values)
{
    (void)link;
    (void)type;
    (void)path;
    (void)n;
    (void)options;
    (void)values;
    return 0;
}

CUDA(cuLinkComplete, void *link, void **image, size_t *bytes)
{
    (void)link;
    *image = linked;
    *bytes = linked == NULL ? 0u : strlen(linked);
    return 0;
}

CUDA(cuLinkDestroy, void *link)
{
    (void)link;
    return 0;
}

CUDA(cuFuncGetAttribute, int *value, int attribute, void *function)
{
    (void)attribute;
    (void)function;
    *value = 0;
    return 0;
}

CUDA(cuFuncSetAttribute, void *function, int attribute, int value)
{
    (void)function;
    (void)attribute;
    (void)value;
    return 0;
}

CUDA(cuOccupancyMaxActiveBlocksPerMultiprocessor, int *ctas, void *function, int threads,
     size_t dynamic_shared)
{
    (void)function;
    (void)threads;
    (void)dynamic_shared;
    *ctas = 1;
    return 0;
}

CUDA(cuMemAlloc_v2, uint64_t *address, size_t bytes)
{
    return did(gsp_malloc(context, address, bytes));
}

CUDA(cuMemFree_v2, uint64_t address)
{
    return did(gsp_free(context, address));
}

CUDA(cuMemcpyHtoD_v2, uint64_t to, const void *from, size_t bytes)
{
    return write_late(to, from, 0, bytes);
}

CUDA(cuMemcpyDtoH_v2, void *to, uint64_t from, size_t bytes)
{
    const int error = did(gsp_copy_out(context, to, from, bytes));

    if (bytes != 0u && getenv("GOLDEN_CUDA_WRONG") != NULL) {
        *(unsigned char *)to ^= 1u;
    }
    return error;
}

CUDA(cuMemsetD8_v2, uint64_t to, unsigned char value, size_t bytes)
{
    return write_late(to, NULL, value, bytes);
}

/* A stream's handle is its number; they start at 1. */
CUDA(cuStreamCreate, void **stream, unsigned flags)
{
    static uintptr_t streams;

    (void)flags;
    streams++;
    memcpy(stream, &streams, sizeof streams);
    return 0;
}

CUDA(cuStreamDestroy_v2, void *stream)
{
    (void)stream;
    return 0;
}

CUDA(cuEventCreate, void **event, unsigned flags)
{
    (void)flags;
    *event = NULL;
    return 0;
}

CUDA(cuEventDestroy_v2, void *event)
{
    (void)event;
    return 0;
}

CUDA(cuEventRecord, void *event, void *stream)
{
    (void)event;
    (void)stream;
    return 0;
}

CUDA(cuEventElapsedTime, float *ms, void *from, void *to)
{
    (void)from;
    (void)to;
    *ms = 0.001f;
    return 0;
}

static int launch(const struct golden_function *function, const struct gsp_launch *shape)
{
    struct gsp_launch whole = *shape;

    whole.module = function->module;
    whole.kernel = function->name;
    return did(gsp_launch(context, &whole));
}

CUDA(cuLaunchKernel, struct golden_function *function, unsigned grid_x, unsigned grid_y,
     unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
     unsigned dynamic_shared, uintptr_t stream, void **parameters, void **extra)
{
    (void)extra;
    return launch(function, &(struct gsp_launch){ .grid = { grid_x, grid_y, grid_z },
                                                  .block = { block_x, block_y, block_z },
                                                  .dynamic_shared = dynamic_shared,
                                                  .stream = (uint32_t)stream,
                                                  .args = parameters });
}

CUDA(cuLaunchCooperativeKernel, struct golden_function *function, unsigned grid_x,
     unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
     unsigned dynamic_shared, uintptr_t stream, void **parameters)
{
    return launch(function, &(struct gsp_launch){ .grid = { grid_x, grid_y, grid_z },
                                                  .block = { block_x, block_y, block_z },
                                                  .dynamic_shared = dynamic_shared,
                                                  .stream = (uint32_t)stream,
                                                  .cooperative = true,
                                                  .args = parameters });
}
