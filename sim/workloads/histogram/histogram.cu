/*
 * histogram - how often each value occurs in an array of bytes, with 64 bins (the upper 6 bits)
 * and with 256.
 *
 *   histogram64         grid bytes / 16,128 rounded up, block 64, shared 4,096 B: every thread
 *                       counts in bytes of its own, of at most 63 words each time; then a
 *                       thread adds up a bin
 *   merge_histogram64   grid 64, block 256 (32 when small), shared 1,024 B: sums up a bin
 *   histogram256        grid 256, block 192, shared 6,144 B: every warp counts in 256 words of
 *                       its own by atomic additions; then threads add up the 6 warps' bins
 *   merge_histogram256  grid 256, block as for 64 bins
 *
 * The CUDA SDK's histogram: "HIST" in thesis Table 3.3, 256 CTAs of 192 threads, which is the
 * kernel of 256 bins. Paper size: the SDK's 64 MiB.
 */

#include "cuda.h"

#define THREADS_64    64
#define WORDS_64      63 /* of a thread: 252 bytes, and a byte counts to 255 */
#define WARPS_256     6
#define WARP          32
#define MERGE_THREADS 256 /* at most */

static __device__ void count64(unsigned char *mine, uint32_t word)
{
    mine[(word >> 2 & 63) * THREADS_64]++;
    mine[(word >> 10 & 63) * THREADS_64]++;
    mine[(word >> 18 & 63) * THREADS_64]++;
    mine[(word >> 26 & 63) * THREADS_64]++;
}

extern "C" __global__ void histogram64(const uint32_t *data, uint32_t *partial, int words)
{
    __shared__ unsigned char counts[64 * THREADS_64];
    const int t = threadIdx.x;
    const int first = blockIdx.x * THREADS_64 * WORDS_64;
    const int end = min(first + THREADS_64 * WORDS_64, words);
    uint32_t sum = 0;

    for (int bin = 0; bin < 64; bin++) {
        counts[bin * THREADS_64 + t] = 0;
    }
    for (int i = first + t; i < end; i += THREADS_64) {
        count64(&counts[t], data[i]);
    }
    __syncthreads();
    for (int i = 0; i < THREADS_64; i++) { /* from different threads: fewer bank conflicts */
        sum += counts[t * THREADS_64 + (t + i) % THREADS_64];
    }
    partial[blockIdx.x * 64 + t] = sum;
}

static __device__ void count256(uint32_t *mine, uint32_t word)
{
    atomicAdd(&mine[word & 255], 1u);
    atomicAdd(&mine[word >> 8 & 255], 1u);
    atomicAdd(&mine[word >> 16 & 255], 1u);
    atomicAdd(&mine[word >> 24], 1u);
}

extern "C" __global__ void histogram256(const uint32_t *data, uint32_t *partial, int words)
{
    __shared__ uint32_t counts[WARPS_256][256];
    const int threads = WARPS_256 * WARP;
    const int t = threadIdx.x;

    for (int i = t; i < WARPS_256 * 256; i += threads) {
        counts[i / 256][i % 256] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * threads + t; i < words; i += gridDim.x * threads) {
        count256(counts[t / WARP], data[i]);
    }
    __syncthreads();
    for (int bin = t; bin < 256; bin += threads) {
        uint32_t sum = 0;
        for (int w = 0; w < WARPS_256; w++) {
            sum += counts[w][bin];
        }
        partial[blockIdx.x * 256 + bin] = sum;
    }
}

/* A CTA a bin: bin blockIdx.x of all partial histograms. */
static __device__ void merge(const uint32_t *partial, uint32_t *histogram, int partials)
{
    __shared__ uint32_t sums[MERGE_THREADS];
    uint32_t sum = 0;

    for (int i = threadIdx.x; i < partials; i += blockDim.x) {
        sum += partial[i * gridDim.x + blockIdx.x];
    }
    sums[threadIdx.x] = sum;
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (threadIdx.x < stride) {
            sums[threadIdx.x] += sums[threadIdx.x + stride];
        }
    }
    if (threadIdx.x == 0) {
        histogram[blockIdx.x] = sums[0];
    }
}

extern "C" __global__ void merge_histogram64(const uint32_t *partial, uint32_t *histogram,
                                             int partials)
{
    merge(partial, histogram, partials);
}

extern "C" __global__ void merge_histogram256(const uint32_t *partial, uint32_t *histogram,
                                              int partials)
{
    merge(partial, histogram, partials);
}
