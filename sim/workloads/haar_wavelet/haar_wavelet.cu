/*
 * haar_wavelet - the Haar wavelet transform of a signal. A level turns pairs of samples into
 * their scaled sum (approximation) and difference (detail); the next level goes on with the
 * approximations.
 *
 *   haar_levels   grid n / 1024, block 512, shared 4,096 B: a CTA does up to 10 levels of 1024
 *                 samples. The approximations left, one of each CTA, are the signal of the next
 *                 launch: n / 1024 samples, until one is left
 *
 * Details of a level of m pairs are in details[m .. 2m - 1].
 *
 * The CUDA SDK's dwtHaar1D: "DWT" in thesis Table 3.3, 4,096 CTAs of 512 threads. Paper size:
 * 4,194,304 samples; launches of 4,096, 4 and 1 CTAs.
 */

#include "cuda.h"

#define THREADS    512 /* at most */
#define INV_SQRT_2 0.70710678118654752440f

extern "C" __global__ void haar_levels(const float *signal, float *details,
                                       float *approximation, int levels)
{
    __shared__ float data[2 * THREADS];
    const int t = threadIdx.x;
    int pairs = blockDim.x; /* of this CTA */
    int all = gridDim.x * blockDim.x;

    data[t] = signal[2 * blockIdx.x * blockDim.x + t];
    data[t + pairs] = signal[2 * blockIdx.x * blockDim.x + t + pairs];
    __syncthreads();
    for (int level = 0; level < levels; level++) {
        float sum = 0.0f;
        if (t < pairs) {
            const float left = data[2 * t];
            const float right = data[2 * t + 1];
            details[all + blockIdx.x * pairs + t] = (left - right) * INV_SQRT_2;
            sum = (left + right) * INV_SQRT_2;
        }
        __syncthreads();
        if (t < pairs) {
            data[t] = sum;
        }
        __syncthreads();
        pairs /= 2;
        all /= 2;
    }
    if (t == 0) {
        approximation[blockIdx.x] = data[0];
    }
}
