/*
 * transpose - transpose of a matrix of floats, in tiles of 16 x 16.
 *
 *   transpose_naive     reads along rows, writes along columns
 *   transpose_tiled     through a tile in shared memory (1,088 B, a column wider than the tile,
 * so that its columns lie in different banks): both along rows transpose_coarse    moves the
 * tiles but leaves each as it is, likewise through shared memory
 *
 * All with grid (columns / 16) x (rows / 16), block 16 x 16.
 *
 * The CUDA SDK's transpose: "TP-K1" (no bank conflicts) and "TP-K2" (coarse grained) in thesis
 * Table 4.4 (65,536 CTAs each: 4096 x 4096).
 */

#include "cuda.h"

#define TILE 16

extern "C" __global__ void transpose_naive(const float *from, float *to, int columns, int rows)
{
    const int x = blockIdx.x * TILE + threadIdx.x;
    const int y = blockIdx.y * TILE + threadIdx.y;
    to[x * rows + y] = from[y * columns + x];
}

extern "C" __global__ void transpose_tiled(const float *from, float *to, int columns, int rows)
{
    __shared__ float tile[TILE][TILE + 1];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int left = blockIdx.x * TILE;
    const int top = blockIdx.y * TILE;

    tile[ty][tx] = from[(top + ty) * columns + left + tx];
    __syncthreads();
    to[(left + ty) * rows + top + tx] = tile[tx][ty];
}

extern "C" __global__ void transpose_coarse(const float *from, float *to, int columns, int rows)
{
    __shared__ float tile[TILE][TILE + 1];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int left = blockIdx.x * TILE;
    const int top = blockIdx.y * TILE;

    tile[ty][tx] = from[(top + ty) * columns + left + tx];
    __syncthreads();
    to[(left + ty) * rows + top + tx] = tile[ty][tx];
}
