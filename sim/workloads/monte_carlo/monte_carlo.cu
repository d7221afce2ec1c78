/*
 * monte_carlo - prices of European call options as the mean gain over random paths. All options
 * use the same normally distributed samples.
 *
 *   monte_carlo_price   grid options, block 256, shared 2 KiB: threads stride over the paths
 * and add up their sums in shared memory
 *
 * The CUDA SDK's MonteCarlo with a CTA for each option: "MCO" in thesis Table 3.3 (2,048 CTAs
 * of 256), "MC" in CLASO Table 2 (2 kernels, 384 CTAs in all, 192 threads on average: there an
 * option has several CTAs, which a second kernel adds up).
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
