/*
 * lud - LU decomposition in place, without pivoting, in blocks of 16 x 16. A step of 16
 * columns is three launches, with b block rows below the step's own:
 *
 *   lud_diagonal    grid 1,     block 16,      shared 1 KiB: factors the block on the diagonal
 *   lud_perimeter   grid b,     block 32,      shared 3 KiB: a block of the row, one of the
 * column lud_internal    grid b x b, block 16 x 16, shared 2 KiB: subtracts their product
 *
 * Rodinia's LU decomposition: "LUD" in thesis Tables 3.2 (16,129 CTAs of 256: the first
 * internal launch of 2048 x 2048), 4.2 (256 threads) and 4.4 (65,025 CTAs), ICC Table 3.
 */

#include "cuda.h"

#define B 16

extern "C" __global__ void lud_diagonal(float *matrix, int n, int offset)
{
    __shared__ float block[B][B];
    const int tx = threadIdx.x;
    float *corner = matrix + offset * n + offset;

    for (int i = 0; i < B; i++) {
        block[i][tx] = corner[i * n + tx];
    }
    __syncthreads();
    for (int i = 0; i < B - 1; i++) {
        if (tx > i) { /* column i of L */
            for (int j = 0; j < i; j++) {
                block[tx][i] -= block[tx][j] * block[j][i];
            }
            block[tx][i] /= block[i][i];
        }
        __syncthreads();
        if (tx > i) { /* row i + 1 of U */
            for (int j = 0; j <= i; j++) {
                block[i + 1][tx] -= block[i + 1][j] * block[j][tx];
            }
        }
        __syncthreads();
    }
    for (int i = 1; i < B; i++) { /* row 0 has not changed */
        corner[i * n + tx] = block[i][tx];
    }
}

/* A column of U; the diagonal of L is all ones. */
static __device__ void solve_column(float (*row)[B], float (*diagonal)[B], int x)
{
    for (int i = 1; i < B; i++) {
        for (int j = 0; j < i; j++) {
            row[i][x] -= diagonal[i][j] * row[j][x];
        }
    }
}

/* A row of L. */
static __device__ void solve_row(float (*column)[B], float (*diagonal)[B], int y)
{
    for (int i = 0; i < B; i++) {
        for (int j = 0; j < i; j++) {
            column[y][i] -= column[y][j] * diagonal[j][i];
        }
        column[y][i] /= diagonal[i][i];
    }
}

/* Half of the threads solve for a block of U, a column each; half for one of L, a row each. */
extern "C" __global__ void lud_perimeter(float *matrix, int n, int offset)
{
    __shared__ float diagonal[B][B];
    __shared__ float row[B][B];
    __shared__ float column[B][B];
    const int tx = threadIdx.x % B;
    const bool upper = threadIdx.x < B;
    float *corner = matrix + offset * n + offset;
    float *right = corner + (blockIdx.x + 1) * B;
    float *below = corner + (blockIdx.x + 1) * B * n;

    for (int i = upper ? 0 : 1; i < B; i += 2) {
        diagonal[i][tx] = corner[i * n + tx];
    }
    for (int i = 0; i < B; i++) {
        if (upper) {
            row[i][tx] = right[i * n + tx];
        } else {
            column[i][tx] = below[i * n + tx];
        }
    }
    __syncthreads();
    if (upper) {
        solve_column(row, diagonal, tx);
    } else {
        solve_row(column, diagonal, tx);
    }
    __syncthreads();
    for (int i = 0; i < B; i++) {
        if (upper) {
            right[i * n + tx] = row[i][tx];
        } else {
            below[i * n + tx] = column[i][tx];
        }
    }
}

extern "C" __global__ void lud_internal(float *matrix, int n, int offset)
{
    __shared__ float row[B][B];
    __shared__ float column[B][B];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int x = offset + (blockIdx.x + 1) * B + tx;
    const int y = offset + (blockIdx.y + 1) * B + ty;

    row[ty][tx] = matrix[(offset + ty) * n + x];
    column[ty][tx] = matrix[y * n + offset + tx];
    __syncthreads();
    float sum = 0.0f;
    for (int i = 0; i < B; i++) {
        sum += column[ty][i] * row[i][tx];
    }
    matrix[y * n + x] -= sum;
}
