/*
 * matrix_multiply - C = A B of square matrices, by tiles in shared memory.
 *
 *   matrix_multiply   grid n / 16 x n / 16, block 16 x 16, shared 2,048 B: a CTA computes a
 * tile of C, going through a row of tiles of A and a column of tiles of B
 *
 * The CUDA SDK's matrixMul: "MM" in ICC Table 3, which gives no grid. Paper size: n = 1024,
 * 4,096 CTAs.
 */

#include "cuda.h"

#define TILE 16

extern "C" __global__ void matrix_multiply(const float *a, const float *b, float *c, int n)
{
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int column = blockIdx.x * TILE + tx;
    float sum = 0.0f;

    for (int t = 0; t < n; t += TILE) {
        tile_a[ty][tx] = a[row * n + t + tx];
        tile_b[ty][tx] = b[(t + ty) * n + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++) {
            sum += tile_a[ty][k] * tile_b[k][tx];
        }
        __syncthreads();
    }
    c[row * n + column] = sum;
}
