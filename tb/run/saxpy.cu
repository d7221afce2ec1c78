/* saxpy - the kernel with which tb/cli/ptx.bats plays a stranger; of integers, so that a shell can check. */

#include "cuda.h"

__global__ void saxpy(int a, const int *x, int *y, int n)
{
    extern __shared__ int part[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        part[threadIdx.x] = x[i];
        y[i] = a * part[threadIdx.x] + y[i];
    }
}
