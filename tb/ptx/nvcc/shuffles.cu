/* shuffles - sums up to each thread: within warps by shuffles, of warps in shared memory. */
extern "C" __global__ void shuffles(int *out, const int *in)
{
    __shared__ int warps[32];
    const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    int sum = in[blockIdx.x * blockDim.x + t];
    for (int by = 1; by < 32; by *= 2) {
        const int below = __shfl_up_sync(0xffffffffu, sum, by);
        sum += lane >= by ? below : 0;
    }
    if (lane == 31) {
        warps[warp] = sum;
    }
    __syncthreads();
    if (warp == 0) {
        int total = lane < (int)blockDim.x / 32 ? warps[lane] : 0;
        for (int by = 1; by < 32; by *= 2) {
            const int below = __shfl_up_sync(0xffffffffu, total, by);
            total += lane >= by ? below : 0;
        }
        warps[lane] = total;
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = sum + (warp > 0 ? warps[warp - 1] : 0);
}
