/*
 * texture_convolution - a 17 x 17 separable filter read through the read-only cache, without
 * shared memory: a pass over the rows, then one over the columns. Coordinates outside the image
 * are clamped to its edge. The filter is in constant memory.
 *
 *   texture_rows      grid width / 16 x height / 12, block 16 x 12: a thread an element
 *   texture_columns   the same
 *
 * The CUDA SDK's convolutionTexture, with ld.global.nc for texture fetches: "CVT-K1" and
 * "CVT-K2" in thesis Table 4.4, 98,304 CTAs each. Paper size: 6144 x 3072, 98,304 CTAs.
 */

#include "cuda.h"

#define RADIUS 8

__constant__ float filter[2 * RADIUS + 1];

extern "C" __global__ void texture_rows(const float *in, float *out, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;

    if (x >= width || y >= height) {
        return;
    }
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; k++) {
        const int at = min(max(x + k, 0), width - 1);
        sum += __ldg(&in[y * width + at]) * filter[RADIUS - k];
    }
    out[y * width + x] = sum;
}

extern "C" __global__ void texture_columns(const float *in, float *out, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;

    if (x >= width || y >= height) {
        return;
    }
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; k++) {
        const int at = min(max(y + k, 0), height - 1);
        sum += __ldg(&in[at * width + x]) * filter[RADIUS - k];
    }
    out[y * width + x] = sum;
}
