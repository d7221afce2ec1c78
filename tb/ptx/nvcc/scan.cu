/* scan - inclusive sums of a CTA's numbers, from one half of dynamic shared memory to the other. */
extern "C" __global__ void scan(int *out, const int *in)
{
    extern __shared__ int half[];
    const int t = threadIdx.x, n = blockDim.x;
    int from = 0, to = n;
    half[t] = in[blockIdx.x * n + t];
    __syncthreads();
    for (int by = 1; by < n; by *= 2) {
        half[to + t] = half[from + t] + (t >= by ? half[from + t - by] : 0);
        from = n - from;
        to = n - to;
        __syncthreads();
    }
    out[blockIdx.x * n + t] = half[from + t];
}
