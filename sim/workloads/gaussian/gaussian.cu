/*
 * gaussian - Gaussian elimination of n linear equations, a column at a time; the host
 * substitutes back.
 *
 *   gaussian_factors     ("Fan1") grid ceil(n / 512), block 512: the column's factors
 *   gaussian_eliminate   ("Fan2") grid ceil(n / 4) squared, block 4 x 4: subtracts the pivot
 * row
 *
 * Both are launched n - 1 times, over the whole matrix each time: threads of rows that are done
 * leave at once.
 *
 * Rodinia's Gaussian: "Gaus" in thesis Table 4.2 (16 threads: the second kernel; no grid
 * given).
 */

#include "cuda.h"

extern "C" __global__ void gaussian_factors(float *factors, const float *matrix, int n,
                                            int pivot)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n - 1 - pivot) {
        return;
    }
    const int row = pivot + 1 + i;
    factors[row * n + pivot] = matrix[row * n + pivot] / matrix[pivot * n + pivot];
}

extern "C" __global__ void gaussian_eliminate(const float *factors, float *matrix, float *right,
                                              int n, int pivot)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n - 1 - pivot || j >= n - pivot) {
        return;
    }
    const int row = pivot + 1 + i;
    const int column = pivot + j;
    const float factor = factors[row * n + pivot];
    matrix[row * n + column] -= factor * matrix[pivot * n + column];
    if (j == 0) {
        right[row] -= factor * right[pivot];
    }
}
