/*
 * cuda_launch - kernels that launch kernels: CUDA's device runtime.
 *
 *   launch<child>(grid, block)(argument, ...);
 *   launch<child>(grid, block, shared, stream)(argument, ...);
 *   launch_group<child>(grid, block)(argument, ...);
 *
 * stands for child<<<grid, block, shared, stream>>>(argument, ...), which clang without a
 * toolkit refuses in a kernel; a group is one of CTAs that join a resident kernel of the same
 * function, block and shared memory (dynamic thread block launch). The kernel may be declared
 * later, and be the one that launches. The names and calls are those that nvcc writes since
 * CUDA 12.
 */

#pragma once

/* ---- The device runtime -------------------------------------------------------------- */

typedef int cudaError_t;
typedef struct CUevent_st *cudaEvent_t;

enum { cudaSuccess = 0, cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2 };
enum cudaMemcpyKind { cudaMemcpyDeviceToDevice = 3, cudaMemcpyDefault = 4 };

/* Launches into the first wait for the whole grid; each into the second is alone. */
#define cudaStreamTailLaunch    ((cudaStream_t)3)
#define cudaStreamFireAndForget ((cudaStream_t)4)

#define CUDA_RUNTIME(result, name) extern "C" __device__ result __cudaCDP2##name
CUDA_RUNTIME(void *, GetParameterBufferV2)
(void *kernel, dim3 grid, dim3 block, unsigned shared);
CUDA_RUNTIME(cudaError_t, LaunchDeviceV2)(void *buffer, cudaStream_t stream);
CUDA_RUNTIME(cudaError_t, LaunchAggGroup)(void *buffer, cudaStream_t stream);
CUDA_RUNTIME(cudaError_t, GetLastError)();
CUDA_RUNTIME(cudaError_t, PeekAtLastError)();
CUDA_RUNTIME(cudaError_t, StreamCreateWithFlags)(cudaStream_t *stream, unsigned flags);
CUDA_RUNTIME(cudaError_t, StreamDestroy)(cudaStream_t stream);
CUDA_RUNTIME(cudaError_t, StreamWaitEvent)
(cudaStream_t stream, cudaEvent_t event, unsigned flags);
CUDA_RUNTIME(cudaError_t, EventCreateWithFlags)(cudaEvent_t *event, unsigned flags);
CUDA_RUNTIME(cudaError_t, EventRecord)(cudaEvent_t event, cudaStream_t stream);
CUDA_RUNTIME(cudaError_t, EventDestroy)(cudaEvent_t event);
CUDA_RUNTIME(cudaError_t, MemcpyAsync)
(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream);
CUDA_RUNTIME(cudaError_t, MemsetAsync)(void *to, int value, size_t bytes, cudaStream_t stream);
CUDA_RUNTIME(cudaError_t, Malloc)(void **memory, size_t bytes);
CUDA_RUNTIME(cudaError_t, Free)(void *memory);
#undef CUDA_RUNTIME

#define cudaGetLastError          __cudaCDP2GetLastError
#define cudaPeekAtLastError       __cudaCDP2PeekAtLastError
#define cudaStreamCreateWithFlags __cudaCDP2StreamCreateWithFlags
#define cudaStreamDestroy         __cudaCDP2StreamDestroy
#define cudaStreamWaitEvent       __cudaCDP2StreamWaitEvent
#define cudaEventCreateWithFlags  __cudaCDP2EventCreateWithFlags
#define cudaEventRecord           __cudaCDP2EventRecord
#define cudaEventDestroy          __cudaCDP2EventDestroy
#define cudaMemcpyAsync           __cudaCDP2MemcpyAsync
#define cudaMemsetAsync           __cudaCDP2MemsetAsync
#define cudaMalloc                __cudaCDP2Malloc
#define cudaFree                  __cudaCDP2Free

/* CUDA before 12: waits for what the CTA has launched. */
extern "C" __device__ cudaError_t cudaDeviceSynchronize();

/* ---- Launches ------------------------------------------------------------------------ */

/* Where a kernel's parameters lie: one after the other, each at a multiple of its alignment. */
class cuda_parameters
{
    char *const base;
    size_t end = 0;

  public:
    __device__ __forceinline__ explicit cuda_parameters(void *buffer)
        : base(static_cast<char *>(buffer))
    {
    }
    template <typename T> __device__ __forceinline__ void add(const T &value)
    {
        const size_t at = (end + alignof(T) - 1) / alignof(T) * alignof(T);
        *reinterpret_cast<T *>(base + at) = value;
        end = at + sizeof(T);
    }
};

/* clang takes the name of a kernel in device code in a constant alone. */
template <typename Kernel, Kernel kernel> struct cuda_kernel;
template <typename... Parameters, void (*kernel)(Parameters...)>
struct cuda_kernel<void (*)(Parameters...), kernel> {
    static constexpr void (*entry)(Parameters...) = kernel;

    dim3 grid, block;
    unsigned shared;
    cudaStream_t stream;
    bool group;

    /* An error is cudaGetLastError's. */
    __device__ __forceinline__ void operator()(Parameters... arguments) const
    {
        void *const buffer = __cudaCDP2GetParameterBufferV2(reinterpret_cast<void *>(entry),
                                                            grid, block, shared);
        if (buffer != nullptr) {
            cuda_parameters parameters(buffer);
            (parameters.add<Parameters>(arguments), ...);
            (void)(group ? __cudaCDP2LaunchAggGroup(buffer, stream)
                         : __cudaCDP2LaunchDeviceV2(buffer, stream));
        }
    }
};

template <auto *kernel>
__device__ __forceinline__ cuda_kernel<decltype(kernel), kernel>
launch(dim3 grid, dim3 block, unsigned shared = 0, cudaStream_t stream = nullptr)
{
    return { grid, block, shared, stream, false };
}

template <auto *kernel>
__device__ __forceinline__ cuda_kernel<decltype(kernel), kernel>
launch_group(dim3 grid, dim3 block, unsigned shared = 0)
{
    return { grid, block, shared, cudaStreamFireAndForget, true };
}
