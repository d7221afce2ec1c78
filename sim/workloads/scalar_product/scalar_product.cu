/*
 * scalar_product - scalar products of many pairs of vectors.
 *
 *   scalar_product_pairs   grid 128, block 256, shared 4 KiB: CTAs stride over the pairs; 1,024
 *                          partial sums of a pair are added up in shared memory
 *
 * The CUDA SDK's scalarProd: "SP" in CLASO Table 2 (1 kernel, 128 CTAs of 256).
 */

#include "cuda.h"

#define PARTIAL 1024

extern "C" __global__ void scalar_product_pairs(float *products, const float *a, const float *b,
                                                int pairs, int length)
{
    __shared__ float sums[PARTIAL];

    for (int pair = blockIdx.x; pair < pairs; pair += gridDim.x) {
        const float *left = a + pair * length;
        const float *right = b + pair * length;
        for (int i = threadIdx.x; i < PARTIAL; i += blockDim.x) {
            float sum = 0.0f;
            for (int at = i; at < length; at += PARTIAL) {
                sum += left[at] * right[at];
            }
            sums[i] = sum;
        }
        for (int half = PARTIAL / 2; half > 0; half /= 2) {
            __syncthreads();
            for (int i = threadIdx.x; i < half; i += blockDim.x) {
                sums[i] += sums[i + half];
            }
        }
        if (threadIdx.x == 0) {
            products[pair] = sums[0];
        }
        __syncthreads();
    }
}
