/* histogram - of bytes: atomics on shared memory, then on global memory. */
extern "C" __global__ void histogram(unsigned *bins, const unsigned char *in, int n)
{
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x) {
        atomicAdd(&mine[in[k]], 1u);
    }
    __syncthreads();
    if (mine[threadIdx.x] != 0) {
        atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
    }
}
