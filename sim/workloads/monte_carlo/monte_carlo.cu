/*
 * monte_carlo - prices of European call options as the mean gain over random paths. All options
 * use the same normally distributed samples.
 *
 *   monte_carlo_price    grid options, block 256, shared 2 KiB: threads stride over the paths
 *                        and add up their sums in shared memory
 *   monte_carlo_partial  grid parts x options, block 128: the same paths, an option in several
 *                        CTAs; every thread writes its sums
 *   monte_carlo_reduce   grid options, block 256, shared 2 KiB: adds these up
 *
 * The CUDA SDK's MonteCarlo. The first kernel is "MCO" in thesis Table 3.3 (2,048 CTAs of 256).
 * The others are "MC" in CLASO Table 2: 2 kernels, 384 CTAs in all, 192 threads on average, and
 * 8 and 5 CTAs per core. Blocks of 128 and 256 have this average, and 128 options in 2 parts,
 * whose 256 sums are a block of the second kernel, these 256 + 128 CTAs; the table names
 * neither.
 */

#include "cuda.h"

#define BLOCK 256

/* What a path makes of the price is start * exp(drift + spread * sample). */
struct option {
    float start, strike, drift, spread;
};

extern "C" __global__ void monte_carlo_price(const struct option *options, const float *samples,
                                             int paths, float *means, float *deviations)
{
    __shared__ float sums[BLOCK];
    __shared__ float squares[BLOCK];
    const int tx = threadIdx.x;
    const struct option option = options[blockIdx.x];

    float sum = 0.0f;
    float square = 0.0f;
    for (int i = tx; i < paths; i += BLOCK) {
        const float end = option.start * expf(option.drift + option.spread * samples[i]);
        const float gain = fmaxf(end - option.strike, 0.0f);
        sum += gain;
        square += gain * gain;
    }
    sums[tx] = sum;
    squares[tx] = square;
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (tx < half) {
            sums[tx] += sums[tx + half];
            squares[tx] += squares[tx + half];
        }
    }
    if (tx == 0) {
        const float mean = sums[0] / paths;
        means[blockIdx.x] = mean;
        deviations[blockIdx.x] = sqrtf(fmaxf(squares[0] / paths - mean * mean, 0.0f));
    }
}

struct sums {
    float sum, square;
};

extern "C" __global__ void monte_carlo_partial(const struct option *options,
                                               const float *samples, int paths,
                                               struct sums *partial)
{
    const struct option option = options[blockIdx.y];
    const int threads = gridDim.x * blockDim.x; /* of an option */
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;

    float sum = 0.0f;
    float square = 0.0f;
    for (int i = thread; i < paths; i += threads) {
        const float end = option.start * expf(option.drift + option.spread * samples[i]);
        const float gain = fmaxf(end - option.strike, 0.0f);
        sum += gain;
        square += gain * gain;
    }
    partial[blockIdx.y * threads + thread].sum = sum;
    partial[blockIdx.y * threads + thread].square = square;
}

/* n: sums of an option. */
extern "C" __global__ void monte_carlo_reduce(const struct sums *partial, int n, int paths,
                                              float *means, float *deviations)
{
    __shared__ float sums[BLOCK];
    __shared__ float squares[BLOCK];
    const int tx = threadIdx.x;

    sums[tx] = 0.0f;
    squares[tx] = 0.0f;
    for (int i = tx; i < n; i += BLOCK) {
        sums[tx] += partial[blockIdx.x * n + i].sum;
        squares[tx] += partial[blockIdx.x * n + i].square;
    }
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (tx < half) {
            sums[tx] += sums[tx + half];
            squares[tx] += squares[tx + half];
        }
    }
    if (tx == 0) {
        const float mean = sums[0] / paths;
        means[blockIdx.x] = mean;
        deviations[blockIdx.x] = sqrtf(fmaxf(squares[0] / paths - mean * mean, 0.0f));
    }
}
