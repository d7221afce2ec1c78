/*
 * scan - exclusive prefix sum of a large array of integers.
 *
 *   scan_exclusive   grid n / 1,024, block 256, shared 2 KiB: scans 1,024 elements, four a
 *                    thread, and notes their sum
 *   scan_sums        grid 1, block 256, shared 2 KiB: scans the sums, at most 1,024
 *   scan_update      grid n / 1,024, block 256: adds what lies before them to 1,024 elements
 *
 * The CUDA SDK's scan: "SLA" in CLASO Table 2 (6 kernels of 256 threads, 387 CTAs in all, so
 * about 128 a large one).
 */

#include "cuda.h"

#define BLOCK 256

/* Inclusive scan of a value a thread, without conditions for the distance: the half before the
 * values is zero. */
static __device__ unsigned int scan_block(unsigned int value, unsigned int *shared)
{
    const int at = threadIdx.x + BLOCK;
    shared[threadIdx.x] = 0;
    shared[at] = value;
    for (int distance = 1; distance < BLOCK; distance *= 2) {
        __syncthreads();
        const unsigned int sum = shared[at] + shared[at - distance];
        __syncthreads();
        shared[at] = sum;
    }
    return shared[at];
}

/* Exclusive scan of four values a thread; the last thread's *total is the sum of all. */
static __device__ uint4 scan_block4(uint4 value, unsigned int *shared, unsigned int *total)
{
    const unsigned int y = value.x;
    const unsigned int z = y + value.y;
    const unsigned int w = z + value.z;
    const unsigned int sum = w + value.w;
    *total = scan_block(sum, shared);
    const unsigned int before = *total - sum;
    return make_uint4(before, before + y, before + z, before + w);
}

extern "C" __global__ void scan_exclusive(const uint4 *input, uint4 *output, unsigned int *sums)
{
    __shared__ unsigned int shared[2 * BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    unsigned int total;
    output[i] = scan_block4(input[i], shared, &total);
    if (threadIdx.x == BLOCK - 1) {
        sums[blockIdx.x] = total;
    }
}

/* The array of sums has 1,024 elements, of which the last may be unused. */
extern "C" __global__ void scan_sums(uint4 *sums)
{
    __shared__ unsigned int shared[2 * BLOCK];
    unsigned int total;
    sums[threadIdx.x] = scan_block4(sums[threadIdx.x], shared, &total);
}

extern "C" __global__ void scan_update(uint4 *output, const unsigned int *sums)
{
    __shared__ unsigned int before;
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (threadIdx.x == 0) {
        before = sums[blockIdx.x];
    }
    __syncthreads();
    uint4 value = output[i];
    value.x += before;
    value.y += before;
    value.z += before;
    value.w += before;
    output[i] = value;
}
