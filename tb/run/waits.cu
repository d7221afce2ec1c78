/*
 * waits - kernels in which CTAs, warps or lanes wait for each other; of integers, so that a shell can
 * check what they write. tb/cli/waits.bats runs them. In[i] is i.
 */

#include "cuda.h"

#define TILE 256 /* threads of tickets and dealt */

static __device__ uint32_t work(uint32_t x)
{
    for (int k = 0; k < 400; k++) {
        x = x * 1664525u + 1013904223u;
    }
    return x;
}

/* Tiles are taken by whoever is free. */
__global__ void tickets(uint32_t *next, uint32_t *out, const uint32_t *in, uint32_t tiles)
{
    __shared__ uint32_t tile;
    for (;;) {
        if (threadIdx.x == 0) {
            tile = atomicAdd(next, 1u);
        }
        __syncthreads();
        const uint32_t mine = tile;
        __syncthreads();
        if (mine >= tiles) {
            return;
        }
        out[mine * TILE + threadIdx.x] = work(in[mine * TILE + threadIdx.x]);
    }
}

/* The same tiles, dealt beforehand. */
__global__ void dealt(uint32_t *next, uint32_t *out, const uint32_t *in, uint32_t tiles)
{
    (void)next;
    for (uint32_t mine = blockIdx.x; mine < tiles; mine += gridDim.x) {
        __syncthreads();
        out[mine * TILE + threadIdx.x] = work(in[mine * TILE + threadIdx.x]);
    }
}

/* All CTAs meet. */
static __device__ void meet(uint32_t *arrived, uint32_t all)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while (*(volatile uint32_t *)arrived < all) {
        }
        __threadfence();
    }
    __syncthreads();
}

/* out[i] of CTA i: in each round it adds what its right neighbour has. */
__global__ void rounds(uint32_t *arrived, uint32_t *out, uint32_t n)
{
    const uint32_t right = (blockIdx.x + 1) % gridDim.x;
    uint32_t met = 0;
    if (threadIdx.x == 0) {
        out[blockIdx.x] = blockIdx.x;
    }
    for (uint32_t k = 0; k < n; k++) {
        meet(arrived, met += gridDim.x);
        const uint32_t theirs = out[right];
        meet(arrived, met += gridDim.x);
        if (threadIdx.x == 0) {
            out[blockIdx.x] += theirs;
        }
    }
}

/* A number goes round from the last CTA, which nobody has to wait for, to CTA 0, 1, ... */
__global__ void circle(volatile uint32_t *passed)
{
    const uint32_t last = gridDim.x - 1;
    if (blockIdx.x != last) {
        const uint32_t from = blockIdx.x == 0 ? last : blockIdx.x - 1;
        while (passed[from] == 0) {
        }
        passed[blockIdx.x] = passed[from] + 1;
    } else {
        passed[last] = 1;
    }
}

/* Sums of 32 elements a CTA, each added to that of the CTA before: a scan in one pass. The upper half
 * of a state is 0, 1 (own sum) or 2 (sum of all up to here). */
__global__ void look_back(volatile unsigned long long *state, uint32_t *out, const uint32_t *in)
{
    uint32_t sum = 0, before = 0;
    for (uint32_t k = 0; k < 32; k++) {
        sum += in[blockIdx.x * 32 + k];
    }
    state[blockIdx.x] = 1ull << 32 | sum;
    for (uint32_t at = blockIdx.x; at-- > 0;) {
        unsigned long long found;
        while ((found = state[at]) == 0) {
        }
        before += (uint32_t)found;
        if (found >> 32 == 2) {
            break;
        }
    }
    state[blockIdx.x] = 2ull << 32 | (before + sum);
    out[blockIdx.x] = before + sum;
}

/* C = A B of N x N: the N * N * N / STEP steps are dealt evenly, and a CTA that has not the end of an
 * element's sum leaves what it has to the one that has. */
#define N    16
#define STEP 4
__global__ void stream_k(uint32_t *c, const uint32_t *a, const uint32_t *b, uint32_t *part,
                         volatile uint32_t *done)
{
    const uint32_t each = N / STEP, steps = N * N * each;
    const uint32_t from = steps * blockIdx.x / gridDim.x;
    const uint32_t end = steps * (blockIdx.x + 1) / gridDim.x;
    for (uint32_t s = from; s < end;) {
        const uint32_t element = s / each;
        uint32_t sum = 0;
        for (; s < end && s / each == element; s++) {
            for (uint32_t k = s % each * STEP; k < (s % each + 1) * STEP; k++) {
                sum += a[element / N * N + k] * b[k * N + element % N];
            }
        }
        if (s % each != 0) {
            part[blockIdx.x] = sum;
            __threadfence();
            done[blockIdx.x] = 1;
            continue;
        }
        /* Those before have the start of this element. */
        for (uint32_t other = blockIdx.x; other > 0 && steps * other / gridDim.x > element * each;) {
            other--;
            while (done[other] == 0) {
            }
            __threadfence();
            sum += part[other];
        }
        c[element] = sum;
    }
}

/* Warps of a CTA hand on a number by shared memory, the last warp first. */
__global__ void relay(uint32_t *out)
{
    __shared__ volatile uint32_t at[32];
    const uint32_t warp = threadIdx.x / 32, warps = blockDim.x / 32;
    if (threadIdx.x < 32) {
        at[threadIdx.x] = 0;
    }
    __syncthreads();
    if (warp + 1 < warps) {
        while (at[warp + 1] == 0) {
        }
    }
    __threadfence_block();
    if (threadIdx.x % 32 == 0) {
        at[warp] = warp + 1 < warps ? at[warp + 1] + 1 : 1;
        out[warp] = at[warp];
    }
}

/* Each lane of each warp takes the lock. */
__global__ void lock(uint32_t *taken, volatile uint32_t *count)
{
    while (atomicCAS(taken, 0u, 1u) != 0u) {
    }
    *count = *count + 1;
    __threadfence();
    atomicExch(taken, 0u);
}

/* Odd lanes wait for even ones. */
__global__ void lanes(volatile uint32_t *flag, uint32_t *out)
{
    if (threadIdx.x % 2 != 0) {
        while (flag[threadIdx.x - 1] == 0) {
        }
        out[threadIdx.x] = flag[threadIdx.x - 1];
    } else {
        flag[threadIdx.x] = threadIdx.x + 7;
        out[threadIdx.x] = 1;
    }
}

/* One warp fills a buffer, another empties it, with two barriers of 64 threads. */
__global__ void hand_over(uint32_t *out, uint32_t n)
{
    __shared__ uint32_t buffer[32];
    const uint32_t lane = threadIdx.x % 32;
    for (uint32_t k = 0; k < n; k++) {
        if (threadIdx.x < 32) {
            buffer[lane] = 100 * k + lane;
            asm volatile("bar.arrive 1, 64;" ::: "memory");
            asm volatile("bar.sync 2, 64;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            out[32 * k + lane] = buffer[31 - lane];
            asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    }
}

/* When the CTA has ended its work; cycles go on. */
__global__ void clocks(uint32_t *out, uint32_t n)
{
    const long long start = clock64();
    uint32_t x = threadIdx.x;
    for (uint32_t k = 0; k < n; k++) {
        x = work(x);
    }
    out[threadIdx.x] = (uint32_t)(clock64() - start) | (x == 77 ? 1u << 31 : 0u);
}

/* Nobody writes what CTA 0 waits for; the others have written it before. */
__global__ void nobody(uint32_t *flag)
{
    if (blockIdx.x == 0) {
        while (*(volatile uint32_t *)flag != 99) {
        }
    } else if (threadIdx.x == 0) {
        atomicAdd(flag, 1u);
    }
}

/* A long kernel that does not hang. */
__global__ void forever(uint32_t *out, uint32_t n)
{
    uint32_t x = threadIdx.x;
    for (uint32_t k = 0; k < n; k++) {
        asm volatile("add.u32 %0, %0, 3;" : "+r"(x));
    }
    out[threadIdx.x] = x;
}
