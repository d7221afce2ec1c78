/* cuda_header - a kernel for each function of the CUDA header that cuda_header_test.c checks.
 */

#include "cuda.h"

#define UNARY(f, type)                                                     \
    extern "C" __global__ void test_##f(type *to, const type *from, int n) \
    {                                                                      \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;               \
        if (i < n) {                                                       \
            to[i] = f(from[i]);                                            \
        }                                                                  \
    }
UNARY(expf, float)
UNARY(exp2f, float)
UNARY(logf, float)
UNARY(log2f, float)
UNARY(sinf, float)
UNARY(cosf, float)
UNARY(tanf, float)
UNARY(atanf, float)
UNARY(asinf, float)
UNARY(acosf, float)
UNARY(tanhf, float)
UNARY(sinhf, float)
UNARY(coshf, float)
UNARY(erff, float)
UNARY(erfcf, float)
UNARY(cbrtf, float)
UNARY(sqrtf, float)
UNARY(rintf, float)
UNARY(roundf, float)
UNARY(floorf, float)
UNARY(ceilf, float)
UNARY(truncf, float)
UNARY(exp, double)
UNARY(log, double)
UNARY(sin, double)
UNARY(cos, double)
UNARY(tanh, double)
UNARY(sqrt, double)
UNARY(rint, double)
UNARY(floor, double)

#define BINARY(f, type)                                                                \
    extern "C" __global__ void test_##f(type *to, const type *x, const type *y, int n) \
    {                                                                                  \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;                           \
        if (i < n) {                                                                   \
            to[i] = f(x[i], y[i]);                                                     \
        }                                                                              \
    }
BINARY(powf, float)
BINARY(atan2f, float)
BINARY(fmodf, float)
BINARY(fminf, float)
BINARY(fmaxf, float)
BINARY(pow, double)

/* 16 results a thread. */
extern "C" __global__ void integers(unsigned int *to, const unsigned int *x,
                                    const unsigned int *y)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int a = x[i], b = y[i];
    unsigned int *const at = to + 16 * i;

    at[0] = __popc(a);
    at[1] = __clz((int)a);
    at[2] = __ffs((int)a);
    at[3] = __brev(a);
    at[4] = (unsigned int)__mul24((int)a, (int)b);
    at[5] = __umul24(a, b);
    at[6] = (unsigned int)__mulhi((int)a, (int)b);
    at[7] = __umulhi(a, b);
    at[8] = __sad((int)a, (int)b, 7u);
    at[9] = __usad(a, b, 7u);
    at[10] = __byte_perm(a, b, 0x5140);
    at[11] = __funnelshift_l(a, b, b);
    at[12] = __funnelshift_r(a, b, b);
    at[13] = __funnelshift_rc(a, b, 32u);
    at[14] = __clzll((long long)a << 3);
    at[15] = (unsigned int)(__umul64hi((unsigned long long)a << 32, b) + __popcll(a));
}

/* 16 results a thread of one warp. */
extern "C" __global__ void warp(unsigned int *to)
{
    const unsigned int i = threadIdx.x;
    unsigned int *const at = to + 16 * i;

    at[0] = __shfl_sync(0xffffffffu, (int)i, 5);
    at[1] = __shfl_up_sync(0xffffffffu, (int)i, 3);
    at[2] = __shfl_down_sync(0xffffffffu, (int)i, 3, 16);
    at[3] = __shfl_xor_sync(0xffffffffu, (int)i, 9);
    at[4] = (unsigned int)__shfl_sync(0xffffffffu, (double)i + 0.5, (int)(31u - i));
    at[5] = __ballot_sync(0xffffffffu, i % 3u == 0u);
    at[6] = __any_sync(0xffffffffu, i == 40u);
    at[7] = __all_sync(0xffffffffu, i < 40u);
    at[8] = __shfl((int)i, 7, 8);
    at[9] = __ballot(i > 20u);
    at[10] = __syncthreads_count(i < 11u);
    at[11] = __syncthreads_and(i < 31u);
    at[12] = __syncthreads_or(i == 31u);
    at[13] = warpSize;
    at[14] = 0u;
    if (i < 4u) {
        at[14] = __activemask();
    }
    at[15] = threadIdx.y + 10u * blockIdx.z + 100u * blockDim.x + 10000u * gridDim.y;
}

/* Words that all threads change, and one of doubles. */
extern "C" __global__ void atomics(unsigned int *to, double *sum, unsigned long long *wide)
{
    const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;

    atomicAdd(&to[0], i);
    atomicSub(&to[1], 1u);
    atomicMin((int *)&to[2], -(int)i);
    atomicMax(&to[3], i);
    atomicInc(&to[4], 6u);
    atomicDec(&to[5], 6u);
    atomicAnd(&to[6], ~(1u << (i % 7u)));
    atomicOr(&to[7], 1u << (i % 5u));
    atomicXor(&to[8], i);
    atomicAdd((float *)&to[9], 0.5f);
    atomicCAS(&to[10], 0u, 77u);
    atomicExch(&to[11], 5u);
    atomicAdd(sum, 0.25);
    atomicAdd(wide, 0x100000000ull);
    atomicMax(wide + 1, (unsigned long long)i << 33);
}
