/*
 * add_x_loops - a kernel that is nearly all arithmetic: each thread reads two elements,
 * multiplies both by a factor again and again, and stores their sum.
 *
 *   add_x_loops   grid n / 256, block 256: x times round a loop of 20 multiplications of each
 *                 element; every multiplication needs the one before
 *
 * Thesis 5.3.1: "add_x_loops", 640 CTAs of 256 threads, x = 10 or 20. It does not say how many
 * multiplications are in the loop; run times grow there by about 13,000 cycles for each x,
 * which is some 40 instructions of a warp.
 */

#include "cuda.h"

extern "C" __global__ void add_x_loops(const float *a, const float *b, float *sum, float factor,
                                       int x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    float first = a[i];
    float second = b[i];
    for (int loop = 0; loop < x; loop++) {
#pragma unroll
        for (int k = 0; k < 20; k++) {
            first *= factor;
            second *= factor;
        }
    }
    sum[i] = first + second;
}
