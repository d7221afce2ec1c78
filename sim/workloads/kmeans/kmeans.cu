/*
 * kmeans - clusters points of 34 features around 5 centres; the host moves the centres between
 * passes.
 *
 *   kmeans_invert   square grid of at least points / 256 CTAs, block 256: features of a point
 *                   next to each other -> points of a feature next to each other, as the second
 *                   kernel's warps read them
 *   kmeans_assign   the same grid: the nearest centre of every point; centres in constant
 * memory
 *
 * Rodinia's K-means: "KMS" in CLASO Table 2 (3 kernels, 363 CTAs in all: 11 x 11 CTAs each),
 * "KM" in thesis Tables 3.2 (841 CTAs: 29 x 29) and 4.4 (25,600 CTAs: 160 x 160).
 */

#include "cuda.h"

#define CENTRES  5
#define FEATURES 34

__constant__ float centres[CENTRES * FEATURES];

extern "C" __global__ void kmeans_invert(const float *by_point, float *by_feature, int points)
{
    const int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < points) {
        for (int f = 0; f < FEATURES; f++) {
            by_feature[f * points + i] = by_point[i * FEATURES + f];
        }
    }
}

extern "C" __global__ void kmeans_assign(const float *by_feature, int *membership, int points)
{
    const int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= points) {
        return;
    }
    int nearest = -1;
    float least = 3.4e38f;
    for (int c = 0; c < CENTRES; c++) {
        float distance = 0.0f; /* its square */
        for (int f = 0; f < FEATURES; f++) {
            const float d = by_feature[f * points + i] - centres[c * FEATURES + f];
            distance += d * d;
        }
        if (distance < least) {
            least = distance;
            nearest = c;
        }
    }
    membership[i] = nearest;
}
