/*
 * silicon_cuda - the CUDA driver of an NVIDIA GPU: libcuda.so.1, which is opened when the
 * program runs, so that neither a toolkit nor a GPU is needed to build it.
 */

#ifndef SILICON_CUDA_H
#define SILICON_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fault.h"

typedef struct cuda_module_object *cuda_module;
typedef struct cuda_function_object *cuda_function;
typedef struct cuda_stream_object *cuda_stream;
typedef struct cuda_event_object *cuda_event;
typedef struct cuda_link_object *cuda_link;
typedef struct cuda_context_object *cuda_context;

/* Numbers of CUDA's driver API. */
enum {
    CUDA_SUCCESS = 0,
    CUDA_JIT_INPUT_PTX = 1,
    CUDA_STREAM_NON_BLOCKING = 1,
    CUDA_EVENT_DEFAULT = 0,
    CUDA_LIMIT_PENDING_LAUNCHES = 4,
    CUDA_FUNCTION_SHARED_BYTES = 1,
    CUDA_FUNCTION_REGISTERS = 4,
    CUDA_FUNCTION_MAX_DYNAMIC_SHARED = 8,
    CUDA_DEVICE_CLOCK_KHZ = 13,
    CUDA_DEVICE_SMS = 16,
    CUDA_DEVICE_MEMORY_CLOCK_KHZ = 36,
    CUDA_DEVICE_MEMORY_BITS = 37,
    CUDA_DEVICE_L2_BYTES = 38
};

/* X(member, symbol, arguments): what is used of it. Each returns 0 or an error's number. */
#define CUDA_FUNCTIONS(X)                                                                     \
    X(init, "cuInit", (unsigned flags))                                                       \
    X(error_string, "cuGetErrorString", (int error, const char **text))                       \
    X(driver_version, "cuDriverGetVersion", (int *version))                                   \
    X(device_get, "cuDeviceGet", (int *device, int ordinal))                                  \
    X(device_name, "cuDeviceGetName", (char *name, int room, int device))                     \
    X(device_attribute, "cuDeviceGetAttribute", (int *value, int attribute, int device))      \
    X(context_retain, "cuDevicePrimaryCtxRetain", (cuda_context * context, int device))       \
    X(context_current, "cuCtxSetCurrent", (cuda_context context))                             \
    X(context_limit, "cuCtxSetLimit", (int limit, size_t value))                              \
    X(synchronize, "cuCtxSynchronize", (void))                                                \
    X(module_load, "cuModuleLoadData", (cuda_module * module, const void *image))             \
    X(module_unload, "cuModuleUnload", (cuda_module module))                                  \
    X(module_function, "cuModuleGetFunction",                                                 \
      (cuda_function * function, cuda_module module, const char *name))                       \
    X(module_global, "cuModuleGetGlobal_v2",                                                  \
      (uint64_t * address, size_t * bytes, cuda_module module, const char *name))             \
    X(link_create, "cuLinkCreate_v2",                                                         \
      (unsigned n, int *options, void **values, cuda_link *link))                             \
    X(link_data, "cuLinkAddData_v2",                                                          \
      (cuda_link link, int type, void *data, size_t bytes, const char *name, unsigned n,      \
       int *options, void **values))                                                          \
    X(link_file, "cuLinkAddFile_v2",                                                          \
      (cuda_link link, int type, const char *path, unsigned n, int *options, void **values))  \
    X(link_complete, "cuLinkComplete", (cuda_link link, void **image, size_t *bytes))         \
    X(link_destroy, "cuLinkDestroy", (cuda_link link))                                        \
    X(function_attribute, "cuFuncGetAttribute",                                               \
      (int *value, int attribute, cuda_function function))                                    \
    X(function_set, "cuFuncSetAttribute", (cuda_function function, int attribute, int value)) \
    X(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                               \
      (int *ctas, cuda_function function, int threads, size_t dynamic_shared))                \
    X(memory_alloc, "cuMemAlloc_v2", (uint64_t * address, size_t bytes))                      \
    X(memory_free, "cuMemFree_v2", (uint64_t address))                                        \
    X(copy_in, "cuMemcpyHtoD_v2", (uint64_t to, const void *from, size_t bytes))              \
    X(copy_out, "cuMemcpyDtoH_v2", (void *to, uint64_t from, size_t bytes))                   \
    X(set, "cuMemsetD8_v2", (uint64_t to, unsigned char value, size_t bytes))                 \
    X(stream_create, "cuStreamCreate", (cuda_stream * stream, unsigned flags))                \
    X(stream_destroy, "cuStreamDestroy_v2", (cuda_stream stream))                             \
    X(event_create, "cuEventCreate", (cuda_event * event, unsigned flags))                    \
    X(event_destroy, "cuEventDestroy_v2", (cuda_event event))                                 \
    X(event_record, "cuEventRecord", (cuda_event event, cuda_stream stream))                  \
    X(event_elapsed, "cuEventElapsedTime", (float *ms, cuda_event from, cuda_event to))       \
    X(launch, "cuLaunchKernel",                                                               \
      (cuda_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,             \
       unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_shared,         \
       cuda_stream stream, void **parameters, void **extra))                                  \
    X(launch_cooperative, "cuLaunchCooperativeKernel",                                        \
      (cuda_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,             \
       unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_shared,         \
       cuda_stream stream, void **parameters))

#define CUDA_MEMBER(member, symbol, arguments) int(*member) arguments;
struct cuda {
    CUDA_FUNCTIONS(CUDA_MEMBER)
};
#undef CUDA_MEMBER

struct cuda_device {
    char name[128];
    int sms, clock_khz, memory_khz, memory_bits, l2_bytes, driver;
};

/* The first GPU, whose context becomes current. False with a fault if there is no driver or no
 * GPU, or if the driver lacks a function. */
bool cuda_open(struct cuda *cuda, struct cuda_device *device, struct fault *fault);

/* What a call has returned; false with a fault that has the driver's words for it. */
bool cuda_did(const struct cuda *cuda, int error, const char *what, struct fault *fault);

#endif
