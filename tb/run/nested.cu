/* nested - kernels that launch kernels, one for each thing that CUDA promises of them. The
 * tests know what each computes. */

#include "cuda.h"
#include "cuda_launch.h"

/* ---- Children ------------------------------------------------------------------------ */

extern "C" __global__ void step(int *x, int multiply, int add)
{
    *x = *x * multiply + add;
}

extern "C" __global__ void count(int *x)
{
    atomicAdd(x, 1);
}

extern "C" __global__ void scale(int *x, int factor)
{
    x[threadIdx.x] *= factor;
}

/* ---- Trees --------------------------------------------------------------------------- */

/* Each thread launches as many threads, until the levels are through. */
extern "C" __global__ void tree(int *counts, int levels)
{
    atomicAdd(&counts[levels], 1);
    if (levels > 0) {
        launch<tree>(1, blockDim.x)(counts, levels - 1);
    }
}

/* The same with groups of CTAs. */
extern "C" __global__ void group_tree(int *counts, int levels)
{
    atomicAdd(&counts[levels], 1);
    if (levels > 0) {
        launch_group<group_tree>(1, blockDim.x)(counts, levels - 1);
    }
}

/* Nests until it is refused: x[0] the error, x[1] the deepest level. */
extern "C" __global__ void nest(int *x, int level)
{
    atomicMax(&x[1], level);
    launch<nest>(1, 1)(x, level + 1);
    const int error = cudaGetLastError();
    if (error != cudaSuccess) {
        x[0] = error;
    }
}

/* ---- Order --------------------------------------------------------------------------- */

/* One stream a CTA: x[CTA] = ((x 3 + 1) 3 + 2) ... */
extern "C" __global__ void in_order(int *x, int n)
{
    for (int i = 1; threadIdx.x == 0 && i <= n; i++) {
        launch<step>(1, 1)(x + blockIdx.x, 3, i);
    }
}

/* x[0] = 3 x[0] + 1, after a while. */
extern "C" __global__ void slowly(int *x)
{
    volatile int *const y = x;
    const int before = *y;
    for (int i = 0; i < 200; i++) {
        *y = before * 3 + 1;
    }
}

extern "C" __global__ void gather(int *x)
{
    x[0] = 10 * x[0] + x[2];
}

/* What stream b does behind the event sees what both have done before it: x[0] = 10 (7 (2 x[0]
 * + 1)) + 3 x[2] + 1. x[1] has the errors. */
extern "C" __global__ void with_event(int *x)
{
    cudaStream_t a, b;
    cudaEvent_t done;

    int error = cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    error |= cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    error |= cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    launch<slowly>(1, 1, 0, b)(x + 2);
    launch<step>(1, 1, 0, a)(x, 2, 1);
    launch<step>(1, 1, 0, a)(x, 7, 0);
    error |= cudaEventRecord(done, a);
    error |= cudaStreamWaitEvent(b, done, 0);
    error |= cudaEventDestroy(done);
    launch<gather>(1, 1, 0, b)(x);
    error |= cudaStreamDestroy(a);
    error |= cudaStreamDestroy(b);
    x[1] = error;
}

/* The other way round: here it is the event that is late. */
extern "C" __global__ void with_late_event(int *x)
{
    cudaStream_t a, b;
    cudaEvent_t done;

    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    launch<slowly>(1, 1, 0, a)(x);
    cudaEventRecord(done, a);
    launch<step>(1, 1, 0, b)(x + 2, 2, 1);
    cudaStreamWaitEvent(b, done, 0);
    launch<gather>(1, 1, 0, b)(x);
}

/* A tail launch with a child and a tail launch of its own. */
extern "C" __global__ void inner_tail(int *x)
{
    launch<step>(1, 1, 0, cudaStreamTailLaunch)(x, 2, 3);
    launch<step>(1, 1)(x, 5, 1);
}

/* Children first, then the tail launches in turn: ((x + 1) 5 + 1) 2 + 3, then 10 times. */
extern "C" __global__ void tails(int *x)
{
    launch<inner_tail>(1, 1, 0, cudaStreamTailLaunch)(x);
    launch<step>(1, 1, 0, cudaStreamTailLaunch)(x, 10, 0);
    launch<step>(1, 1)(x, 1, 1);
}

/* Its own tail launch: not deeper. */
extern "C" __global__ void again(int *x, int left)
{
    ++*x;
    if (left > 0) {
        launch<again>(1, 1, 0, cudaStreamTailLaunch)(x, left - 1);
    }
}

/* Launches a child at last, from its level. */
extern "C" __global__ void far(int *x, int left)
{
    if (left > 0) {
        launch<far>(1, 1, 0, cudaStreamTailLaunch)(x, left - 1);
    } else {
        launch<count>(1, 1)(x);
    }
}

/* A child's tail launch comes before the next of the child's stream. */
extern "C" __global__ void tail_of_child(int *x)
{
    launch<inner_tail>(1, 1)(x);
    launch<step>(1, 1)(x, 10, 0);
}

/* The host's next kernel sees what children have done. */
extern "C" __global__ void add_up(int *to, const int *from, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += from[i];
    }
    *to = sum;
}

/* ---- Lanes --------------------------------------------------------------------------- */

/* Other kernels, shapes and numbers of launches, lane by lane. */
extern "C" __global__ void apart(int *x)
{
    const int i = threadIdx.x;
    switch (i % 4) {
    case 0:
        for (int k = 0; k < i / 4; k++) {
            launch<count>(k + 1, 2)(x + i);
        }
        break;
    case 1:
        launch<count>(dim3(2, 3), dim3(1, 2, 4))(x + i);
        break;
    case 2:
        launch<step>(1, 1)(x + i, 0, i);
        break;
    default:
        x[i] = -1;
    }
    if (i & 16) {
        launch<count>(1, 1)(x + i);
    }
}

struct mixed {
    char letter;
    double real;
    short list[3];
};
struct __align__(16) wide
{
    float at[4];
};
extern "C" __global__ void parameters(double *out, char c, mixed m, float f, wide w, bool b,
                                      long long l)
{
    out[0] = c;
    out[1] = m.letter + m.real + m.list[2];
    out[2] = f + w.at[3];
    out[3] = b;
    out[4] = l;
}
extern "C" __global__ void by_value(double *out)
{
    const int i = threadIdx.x;
    launch<parameters>(1, 1)(out + 5 * i, 'a' + i,
                             mixed{ (char)i, 0.5 * i, { 1, 2, (short)-i } }, 0.25f,
                             wide{ { 0, 1, 2, 3.0f * i } }, i % 2 == 1, (1ll << 40) + i);
}

/* ---- Errors -------------------------------------------------------------------------- */

/* x[lane]: the error of a launch that only it has got wrong; x[32 + lane]: what is left of it.
 */
extern "C" __global__ void refused(int *x)
{
    const int i = threadIdx.x;
    const dim3 grid(i == 1 ? 0 : 1, i == 6 ? 65536 : 1, i == 7 ? 65536 : i == 8 ? 0 : 1);
    const dim3 block(i == 2 ? 0 : i == 3 ? 2048 : 1, 1, i == 9 ? 65 : i == 10 ? 64 : 1);
    cudaStream_t none = i == 5 ? (cudaStream_t)12345678 : nullptr;

    launch<count>(grid, block, i == 4 ? 1 << 20 : 0, none)(x + 64);
    x[i] = cudaPeekAtLastError();
    x[i] += 1000 * cudaGetLastError();
    x[32 + i] = cudaGetLastError();
}

/* One child a round of a thread. */
extern "C" __global__ void many(int *x, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        launch<count>(1, 1, 0, cudaStreamFireAndForget)(x);
        if (cudaGetLastError() != cudaSuccess) {
            atomicAdd(x + 1, 1);
        }
    }
}

/* Children, and groups of this kernel, which join it: x[0] counts children, x[1] CTAs of groups,
 * x[2] those that have launched. */
extern "C" __global__ void mixed(int *x, int children, int groups)
{
    for (int i = 0; i < children; i++) {
        launch<count>(1, 1, 0, cudaStreamFireAndForget)(x);
    }
    for (int i = 0; i < groups; i++) {
        launch_group<mixed>(2, 1)(x, 0, 0);
    }
    atomicAdd(x + (groups == 0 ? 1 : 2), 1);
}

/* ---- Memory -------------------------------------------------------------------------- */

/* to[0..31] = 3 from[], then to[32..63] the same, between zeros of every byte 1. */
extern "C" __global__ void copies(int *to, const int *from)
{
    cudaMemsetAsync(to, 1, 96 * sizeof(int), nullptr);
    cudaMemcpyAsync(to, from, 32 * sizeof(int), cudaMemcpyDeviceToDevice, nullptr);
    launch<scale>(1, 32)(to, 3);
    cudaMemcpyAsync(to + 32, to, 32 * sizeof(int), cudaMemcpyDeviceToDevice, nullptr);
}

/* x[0]: sum over a list on the heap; x[1]: errors; x[2]: 1 if too much is refused. */
extern "C" __global__ void heap(int *x)
{
    int *list, *more;
    x[1] = cudaMalloc((void **)&list, 100 * sizeof(int));
    x[1] += cudaMalloc((void **)&more, 100 * sizeof(int));
    for (int i = 0; i < 100; i++) {
        list[i] = i;
        more[i] = 2 * i;
    }
    for (int i = 0; i < 100; i++) {
        x[0] += list[i] + more[i];
    }
    x[1] += cudaFree(list) + cudaFree(more);
    x[2] = cudaMalloc((void **)&list, 1 << 30) == 2 && cudaGetLastError() == 2;
}

/* ---- Footprints ---------------------------------------------------------------------- */

/* Blocks of 128 bytes, by the bits of a mask: one is loaded, the next stored to, then an
 * atomic. */
__device__ static inline void touch(int *x, unsigned long long mask)
{
    for (int i = 0; i < 64; i++) {
        volatile int *const at = x + 32 * i + mask % 32;
        if (mask >> i & 1 && i % 3 == 0) {
            (void)*at;
        } else if (mask >> i & 1 && i % 3 == 1) {
            *at = i;
        } else if (mask >> i & 1) {
            atomicAdd((int *)at, i);
        }
    }
}

/* Each CTA a block further than the one before. */
extern "C" __global__ void child_blocks(int *x, unsigned long long mask)
{
    touch(x, mask << blockIdx.x);
}

/* Two launches by each of the first CTAs. */
extern "C" __global__ void parent_blocks(int *x, unsigned long long own, unsigned long long two,
                                         unsigned long long one, int direct)
{
    touch(x, own << blockIdx.x);
    if (blockIdx.x < direct) {
        launch<child_blocks>(2, 1)(x, two);
        launch<child_blocks>(1, 1)(x, one);
    }
}

/* A tree: each number says what its CTA accesses, and what it launches: none, or up to three
 * kernels, of up to three CTAs. The last is a tail launch. */
__device__ static inline unsigned mix(unsigned n)
{
    n = (n ^ n >> 16) * 0x45d9f3bu;
    n = (n ^ n >> 16) * 0x45d9f3bu;
    return n ^ n >> 16;
}
extern "C" __global__ void tree_blocks(int *x, unsigned number, int levels)
{
    const unsigned own = mix(number + blockIdx.x);
    for (unsigned k = 0; k < own % 16; k++) {
        atomicAdd(x + mix(own + k) % 2048, 1);
    }
    const unsigned launches = levels == 0 ? 0 : mix(own) % 4;
    for (unsigned k = 0; k < launches; k++) {
        const unsigned next = mix(own ^ (k + 1));
        launch<tree_blocks>(1 + next % 3, 1, 0,
                            k == 2 ? cudaStreamTailLaunch : nullptr)(x, next, levels - 1);
    }
}

/* ---- CUDA before 12 ------------------------------------------------------------------ */

/* x[0] = 2 (5 x + 1); waits for a child that waits for a child. */
extern "C" __global__ void wait_once(int *x)
{
    launch<step>(1, 1)(x, 5, 1);
    cudaDeviceSynchronize();
    *x *= 2;
}
extern "C" __global__ void wait_twice(int *x)
{
    launch<wait_once>(1, 1)(x);
    cudaDeviceSynchronize();
    x[1] = x[0];
}
/* x[0]: the error of who waits a level deeper than allowed. */
extern "C" __global__ void wait_error(int *x)
{
    *x = cudaDeviceSynchronize();
}
extern "C" __global__ void wait_deep(int *x, int levels)
{
    if (levels == 0) {
        launch<wait_error>(1, 1)(x);
    } else {
        launch<wait_deep>(1, 1)(x, levels - 1);
    }
}
/* Each CTA waits `times` for two CTAs, which add what its warps then find; one warp has exited
 * long before, and the others wait for it at a barrier. What is in registers and shared memory
 * is there afterwards. Then x[1 + CTA] = times (times + 1) + warps that have come through. */
extern "C" __global__ void wait_add(int *x, int add)
{
    atomicAdd(x, threadIdx.x == 0 ? add : 0);
}
extern "C" __global__ void wait_often(int *x, int times)
{
    __shared__ int kept[128];
    int sum = 0;
    int *const own = x + 1 + blockIdx.x;

    kept[threadIdx.x] = threadIdx.x;
    if (threadIdx.x >= 96) {
        return;
    }
    for (int k = 1; k <= times; k++) {
        if (threadIdx.x == 32) {
            launch<wait_add>(2, 32)(own, k);
            cudaDeviceSynchronize();
        }
        __syncthreads();
        sum += *(volatile int *)own;
        __syncthreads();
    }
    /* 2 + (2 + 4) + (2 + 4 + 6) + ... */
    const bool right = sum == times * (times + 1) * (times + 2) / 3;
    if (threadIdx.x % 32 == 0 && right && kept[threadIdx.x] == threadIdx.x) {
        atomicAdd(own, 1);
    }
    if (threadIdx.x == 0) {
        atomicAdd(x, 1);
    }
}
/* CTAs of even numbers wait for a child, and the others end after so many steps. */
extern "C" __global__ void wait_even(int *x, int steps)
{
    if (blockIdx.x % 2 == 0) {
        launch<wait_add>(1, 32)(x, 1);
        cudaDeviceSynchronize();
        atomicAdd(x + 1, 1);
        return;
    }
    int value = x[2];
    for (int k = 0; k < steps; k++) {
        value = value * 1664525 + steps;
    }
    atomicAdd(x + 2, value == 1 ? 1 : 0);
}
/* All threads wait, a level down as well. */
extern "C" __global__ void wait_below(int *x)
{
    launch<wait_add>(1, 32)(x, 1);
    cudaDeviceSynchronize();
    atomicAdd(x + 1, 1);
}
extern "C" __global__ void wait_all(int *x)
{
    launch<wait_below>(1, 1)(x);
    cudaDeviceSynchronize();
    atomicAdd(x + 2, x[0] > 0 && x[1] > 0);
}
/* So many CTAs, all of which wait. */
extern "C" __global__ void wait_many(int *x, int ctas)
{
    if (threadIdx.x == 0) {
        launch<wait_below>(ctas, 1)(x);
    }
}
/* The warp that waits has a load in flight when it begins to, after so many, one behind the other:
 * the child may be complete by then. x[1 + CTA]: 1 of the child, and 2. */
extern "C" __global__ void wait_late(int *x, int loads)
{
    int *const own = x + 1 + blockIdx.x;

    if (threadIdx.x == 0) {
        const volatile int *far = x + 64;
        launch<wait_add>(1, 32)(own, 1);
        for (int k = 0; k < loads; k++) {
            far += 32 + *far;
        }
        const int late = far[32];
        cudaDeviceSynchronize();
        atomicAdd(own, 2 * *(volatile int *)own + late);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(x, 1);
    }
}
/* One warp waits for a child, and another stands at the barrier with a load in flight, after so
 * many, and a root on its way. x[1 + CTA]: 1 of the child, and 2 of the load and the root. */
extern "C" __global__ void wait_flight(int *x, int loads)
{
    const volatile int *far = x + 64;
    float root = 1.0f;
    int late = 0;

    if (threadIdx.x == 0) {
        launch<wait_add>(1, 32)(x + 1 + blockIdx.x, 1);
        cudaDeviceSynchronize();
    }
    for (int k = 0; threadIdx.x >= 32 && k < loads; k++) {
        far += 32 + *far;
    }
    if (threadIdx.x >= 32) {
        late = far[32];
        asm volatile("sqrt.approx.f32 %0, %0;" : "+f"(root));
    }
    __syncthreads();
    if (threadIdx.x == 32) {
        int two;
        asm volatile("cvt.rzi.s32.f32 %0, %1;" : "=r"(two) : "f"(root + root));
        atomicAdd(x + 1 + blockIdx.x, late + two);
        atomicAdd(x, 1);
    }
}
/* One warp waits for a child, and two others meet `rounds` times meanwhile, with stores in flight
 * whenever they do. x[0]: CTAs that have come through; x[1 + CTA]: 1 of the child, and 2. */
extern "C" __global__ void wait_busy(int *x, int rounds)
{
    int *const own = x + 1 + blockIdx.x;

    if (threadIdx.x == 0) {
        launch<wait_add>(1, 32)(own, 1);
        cudaDeviceSynchronize();
        atomicAdd(own, 2 * *(volatile int *)own);
    }
    for (int k = 0; threadIdx.x >= 32 && k < rounds; k++) {
        *(volatile int *)(x + 128 + threadIdx.x) = k;
        asm volatile("bar.sync 1, 64;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(x, 1);
    }
}
