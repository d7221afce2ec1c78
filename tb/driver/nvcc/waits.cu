/* waits - a kernel that waits for the kernels that it has launched, as nvcc compiles it for
 * CUDA before 12. */

extern "C" __global__ void put(int *x, int first)
{
    x[threadIdx.x] = first + threadIdx.x * threadIdx.x;
}

/* x[16] = sum of 16 words that a child has put. */
extern "C" __global__ void sum(int *x, int first)
{
    put<<<1, 16>>>(x, first);
    cudaDeviceSynchronize();
    int all = 0;
    for (int i = 0; i < 16; i++) {
        all += x[i];
    }
    x[16] = all;
}

/* Waits twice, and what it has in registers is there afterwards: x[17 + thread] = both sums,
 * and its own. */
extern "C" __global__ void twice(int *x)
{
    __shared__ int first;
    int *const own = x + 64 * blockIdx.x;
    const int mine = 3 * threadIdx.x + blockIdx.x;
    if (threadIdx.x == 0) {
        sum<<<1, 1>>>(own, 100 * (blockIdx.x + 1));
        cudaDeviceSynchronize();
        first = own[16];
        sum<<<1, 1>>>(own, -7);
        cudaDeviceSynchronize();
    }
    __syncthreads();
    own[17 + threadIdx.x] = 1000 * first + own[16] + mine;
}
