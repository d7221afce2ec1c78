/*
 * separable_convolution - a 17 x 17 filter that is a product of a row and a column: a pass over
 * the rows, then one over the columns. The filter is in constant memory. Outside the image the
 * input counts as zero.
 *
 *   convolve_rows      grid width / 128 x height / 4, block 16 x 4, shared 2,560 B
 *   convolve_columns   grid width / 16 x height / 64, block 16 x 8, shared 5,184 B: columns in
 *                      shared memory are padded by one word against bank conflicts
 *
 * A thread computes 8 elements. A tile's halo is one block wide to both sides.
 *
 * The CUDA SDK's convolutionSeparable: "CVSEP" in thesis Table 4.4, 16,384 CTAs. Paper size:
 * 4096 x 2048, 16,384 CTAs for the rows and 8,192 for the columns.
 */

#include "cuda.h"

#define RADIUS  8
#define RESULTS 8 /* of a thread */
#define ROWS_X  16
#define ROWS_Y  4
#define COLS_X  16
#define COLS_Y  8

__constant__ float filter[2 * RADIUS + 1];

extern "C" __global__ void convolve_rows(const float *in, float *out, int width)
{
    __shared__ float tile[ROWS_Y][(RESULTS + 2) * ROWS_X];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int x0 = (int)(blockIdx.x * RESULTS) * ROWS_X + tx; /* of its first element */
    const int y = blockIdx.y * ROWS_Y + ty;

#pragma unroll
    for (int i = -1; i <= RESULTS; i++) {
        const int x = x0 + i * ROWS_X;
        tile[ty][tx + (i + 1) * ROWS_X] = x >= 0 && x < width ? in[y * width + x] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < RESULTS; i++) {
        float sum = 0.0f;
#pragma unroll
        for (int k = -RADIUS; k <= RADIUS; k++) {
            sum += filter[RADIUS - k] * tile[ty][tx + (i + 1) * ROWS_X + k];
        }
        out[y * width + x0 + i * ROWS_X] = sum;
    }
}

extern "C" __global__ void convolve_columns(const float *in, float *out, int width, int height)
{
    __shared__ float tile[COLS_X][(RESULTS + 2) * COLS_Y + 1];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int x = blockIdx.x * COLS_X + tx;
    const int y0 = (int)(blockIdx.y * RESULTS) * COLS_Y + ty;

#pragma unroll
    for (int i = -1; i <= RESULTS; i++) {
        const int y = y0 + i * COLS_Y;
        tile[tx][ty + (i + 1) * COLS_Y] = y >= 0 && y < height ? in[y * width + x] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < RESULTS; i++) {
        float sum = 0.0f;
#pragma unroll
        for (int k = -RADIUS; k <= RADIUS; k++) {
            sum += filter[RADIUS - k] * tile[tx][ty + (i + 1) * COLS_Y + k];
        }
        out[(y0 + i * COLS_Y) * width + x] = sum;
    }
}
