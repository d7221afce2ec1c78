/* reduce - sums of 512 numbers a CTA: shared memory, the last 32 by shuffles. */
extern "C" __global__ void reduce(int *sums, const int *in, int n)
{
    __shared__ int part[256];
    const unsigned t = threadIdx.x;
    const int at = blockIdx.x * 512 + t;
    part[t] = (at < n ? in[at] : 0) + (at + 256 < n ? in[at + 256] : 0);
    __syncthreads();
    for (unsigned half = 128; half >= 32; half /= 2) {
        if (t < half) {
            part[t] += part[t + half];
        }
        __syncthreads();
    }
    if (t < 32) {
        int sum = part[t];
        for (int by = 16; by > 0; by /= 2) {
            sum += __shfl_down_sync(0xffffffffu, sum, by);
        }
        if (t == 0) {
            sums[blockIdx.x] = sum;
        }
    }
}
