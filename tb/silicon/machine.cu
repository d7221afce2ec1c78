/*
 * machine - the kernels of configs/fidelity/machine.yaml for a real GPU: chains of results, chains
 * of pointers, barriers, atomics, and rates.
 *
 * A kernel of a chain runs it once to warm the instruction cache, then again, and stores the
 * cycles that the second walk took, by its SM's clock. What lies around the chain drops out in the
 * difference of two lengths. Operands are arguments, so that nothing is known when it is compiled.
 */

#include "cuda.h"

__device__ __forceinline__ long long cycles()
{
    long long now;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
    return now;
}

/* LINKS of them in a row, in a loop of 64. */
#define CHAIN(name, type, link)                                                               \
    extern "C" __global__ void name(long long *took, type *out, type start, type y, type z,   \
                                    int links)                                                \
    {                                                                                         \
        type x = start;                                                                       \
        long long from = 0, to = 0;                                                           \
        for (int lap = 0; lap < 2; lap++) {                                                   \
            from = cycles();                                                                  \
            for (int i = 0; i < links; i += 64) {                                             \
                _Pragma("unroll") for (int j = 0; j < 64; j++)                                \
                {                                                                             \
                    link;                                                                     \
                }                                                                             \
            }                                                                                 \
            to = cycles();                                                                    \
        }                                                                                     \
        out[threadIdx.x] = x;                                                                 \
        *took = to - from;                                                                    \
    }

/* two instructions a link: additions alone could be joined */
CHAIN(integer_pair, int,
      asm volatile("add.s32 %0, %0, %1; xor.b32 %0, %0, %2;" : "+r"(x) : "r"(y), "r"(z)))
CHAIN(multiply, int, asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(x) : "r"(y), "r"(z)))
CHAIN(fp32, float, asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(y), "f"(z)))
CHAIN(fp64, double, asm volatile("fma.rn.f64 %0, %0, %1, %2;" : "+d"(x) : "d"(y), "d"(z)))
CHAIN(sfu, float, asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x)); (void)y; (void)z)
CHAIN(divide, float, asm volatile("div.rn.f32 %0, %1, %0;" : "+f"(x) : "f"(y)); (void)z)
CHAIN(divide_full, float, asm volatile("div.full.f32 %0, %1, %0;" : "+f"(x) : "f"(y)); (void)z)
CHAIN(integer_divide, int,
      asm volatile("div.s32 %0, %1, %0; or.b32 %0, %0, %2;" : "+r"(x) : "r"(y), "r"(z)))
CHAIN(fp64_divide, double, asm volatile("div.rn.f64 %0, %1, %0;" : "+d"(x) : "d"(y)); (void)z)

/* Pointers in shared memory: `words` of them, each to the next. */
extern "C" __global__ void shared_chase(long long *took, unsigned *out, int words, int links)
{
    __shared__ unsigned next[1024];
    unsigned base;
    asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(base) : "l"(next));
    for (int i = threadIdx.x; i < words; i += blockDim.x) {
        next[i] = base + 4u * (unsigned)((i + 1) % words);
    }
    __syncthreads();
    unsigned x = base;
    long long from = 0, to = 0;
    for (int lap = 0; lap < 2; lap++) {
        from = cycles();
        for (int i = 0; i < links; i += 64) {
#pragma unroll
            for (int j = 0; j < 64; j++) {
                asm volatile("ld.shared.u32 %0, [%0];" : "+r"(x)::"memory");
            }
        }
        to = cycles();
    }
    out[threadIdx.x] = x;
    *took = to - from;
}

/* Pointers in global memory. warm: so many links first. */
#define CHASE(name, load)                                                                     \
    extern "C" __global__ void name(long long *took, unsigned long long *out,                 \
                                    unsigned long long start, int warm, int links)            \
    {                                                                                         \
        unsigned long long x = start;                                                         \
        for (int i = 0; i < warm; i++) {                                                      \
            asm volatile(load " %0, [%0];" : "+l"(x)::"memory");                              \
        }                                                                                     \
        const long long from = cycles();                                                      \
        for (int i = 0; i < links; i += 16) {                                                 \
            _Pragma("unroll") for (int j = 0; j < 16; j++)                                    \
            {                                                                                 \
                asm volatile(load " %0, [%0];" : "+l"(x)::"memory");                          \
            }                                                                                 \
        }                                                                                     \
        const long long to = cycles();                                                        \
        out[threadIdx.x] = x;                                                                 \
        *took = to - from;                                                                    \
    }
CHASE(chase_ca, "ld.global.ca.u64")
CHASE(chase_cg, "ld.global.cg.u64")

extern "C" __global__ void barrier(long long *took, int links)
{
    long long from = 0, to = 0;
    for (int lap = 0; lap < 2; lap++) {
        __syncthreads();
        from = cycles();
        for (int i = 0; i < links; i += 64) {
#pragma unroll
            for (int j = 0; j < 64; j++) {
                asm volatile("bar.sync 0;" ::: "memory");
            }
        }
        to = cycles();
    }
    if (threadIdx.x == 0) {
        *took = to - from;
    }
}

extern "C" __global__ void nothing()
{
}

/* The SM's clock: its cycles and nanoseconds while it counts to `count` cycles. */
extern "C" __global__ void clock_rate(long long *took, long long count)
{
    unsigned long long from_ns, to_ns;
    const long long from = cycles();
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(from_ns)::"memory");
    while (cycles() - from < count) {
    }
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(to_ns)::"memory");
    took[0] = cycles() - from;
    took[1] = (long long)(to_ns - from_ns);
}

/* ---- Rates: the whole GPU -------------------------------------------------------------- */

/* Reads of 16 bytes: `reads` in all, from `words` of them, a power of two, over and over. */
extern "C" __global__ void read_all(const float4 *from, float *out, long long words,
                                    long long reads)
{
    const long long threads = (long long)gridDim.x * blockDim.x;
    float sum = 0.0f;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < reads;
         i += threads) {
        float a, b, c, d;
        asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
                     : "l"(from + (i & (words - 1))));
        sum += a + b + c + d;
    }
    if (sum == 1e30f) {
        *out = sum;
    }
}

/* words: of 16 bytes, a multiple of four times the grid's threads; four are under way at a time. */
extern "C" __global__ void copy_all(const float4 *from, float4 *to, long long words)
{
    const long long threads = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < words;
         i += 4 * threads) {
        const float4 a = from[i], b = from[i + threads], c = from[i + 2 * threads],
                     d = from[i + 3 * threads];
        to[i] = a;
        to[i + threads] = b;
        to[i + 2 * threads] = c;
        to[i + 3 * threads] = d;
    }
}

/* Every thread adds `count` times, at a word of its own modulo `words`; each lane another value, so
 * that a warp's additions are not joined before they start. */
extern "C" __global__ void add_all(unsigned *to, unsigned words, int count)
{
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < count; i++) {
        atomicAdd(&to[(thread + (unsigned)i * 32u) % words], thread ^ (unsigned)i);
    }
}
