/*
 * ptx_runtime - functions of CUDA's device runtime, which PTX declares and calls and which have
 * no body. A call of one is one instruction: PTX_CALL, whose target is the function's number.
 *
 * Compilers write each name in several ways: as here; with __cudaCDP2 in place of cuda (since
 * CUDA 12); and with _ptsz behind it (a default stream a thread). The meaning is the same.
 * cudaLaunchAggGroup is no function of CUDA: LaPerm's source of groups of CTAs, dynamic thread
 * block launch (DTBL), has it beside cudaLaunchDevice.
 */

#ifndef PTX_RUNTIME_H
#define PTX_RUNTIME_H

/* X(identifier, name, signature): result, =, parameters. l: 64 bits, w: 32 bits, d: a dim3,
 * which is three words. */
/* clang-format off */
#define PTX_RUNTIME(X)                                                      \
    X(GET_PARAMETER_BUFFER,     "cudaGetParameterBuffer",    "l=ll")        \
    X(GET_PARAMETER_BUFFER_V2,  "cudaGetParameterBufferV2",  "l=lddw")      \
    X(LAUNCH_DEVICE,            "cudaLaunchDevice",          "w=llddwl")    \
    X(LAUNCH_DEVICE_V2,         "cudaLaunchDeviceV2",        "w=ll")        \
    X(LAUNCH_GROUP,             "cudaLaunchAggGroup",        "w=ll")        \
    X(GET_LAST_ERROR,           "cudaGetLastError",          "w=")          \
    X(PEEK_AT_LAST_ERROR,       "cudaPeekAtLastError",       "w=")          \
    X(DEVICE_SYNCHRONIZE,       "cudaDeviceSynchronize",     "w=")          \
    X(STREAM_CREATE,            "cudaStreamCreateWithFlags", "w=lw")        \
    X(STREAM_DESTROY,           "cudaStreamDestroy",         "w=l")         \
    X(STREAM_WAIT_EVENT,        "cudaStreamWaitEvent",       "w=llw")       \
    X(EVENT_CREATE,             "cudaEventCreateWithFlags",  "w=lw")        \
    X(EVENT_RECORD,             "cudaEventRecord",           "w=ll")        \
    X(EVENT_DESTROY,            "cudaEventDestroy",          "w=l")         \
    X(MEMCPY_ASYNC,             "cudaMemcpyAsync",           "w=lllwl")     \
    X(MEMSET_ASYNC,             "cudaMemsetAsync",           "w=lwll")      \
    X(CUDA_MALLOC,              "cudaMalloc",                "w=ll")        \
    X(CUDA_FREE,                "cudaFree",                  "w=l")         \
    X(MALLOC,                   "malloc",                    "l=l")         \
    X(FREE,                     "free",                      "=l")          \
    X(GET_DEVICE,               "cudaGetDevice",             "w=l")         \
    X(GET_DEVICE_COUNT,         "cudaGetDeviceCount",        "w=l")         \
    X(DEVICE_GET_ATTRIBUTE,     "cudaDeviceGetAttribute",    "w=lww")       \
    X(DEVICE_GET_LIMIT,         "cudaDeviceGetLimit",        "w=lw")        \
    X(RUNTIME_GET_VERSION,      "cudaRuntimeGetVersion",     "w=l")
/* clang-format on */

enum ptx_runtime {
#define PTX_RUNTIME_ENUMERATOR(identifier, name, signature) RUNTIME_##identifier,
    PTX_RUNTIME(PTX_RUNTIME_ENUMERATOR)
#undef PTX_RUNTIME_ENUMERATOR
        PTX_RUNTIME_COUNT
};
/* As in the table. */
const char *ptx_runtime_name(enum ptx_runtime function);

#endif
