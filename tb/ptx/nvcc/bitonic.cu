/* bitonic - sorts 512 numbers a CTA in shared memory. */
extern "C" __global__ void bitonic(int *data)
{
    __shared__ int s[512];
    const int t = threadIdx.x;
    s[t] = data[blockIdx.x * 512 + t];
    s[t + 256] = data[blockIdx.x * 512 + t + 256];
    for (int size = 2; size <= 512; size *= 2) {
        for (int by = size / 2; by > 0; by /= 2) {
            __syncthreads();
            const int at = 2 * t - (t & (by - 1));
            const bool up = (at & size) == 0;
            if ((s[at] > s[at + by]) == up) {
                const int swap = s[at];
                s[at] = s[at + by];
                s[at + by] = swap;
            }
        }
    }
    __syncthreads();
    data[blockIdx.x * 512 + t] = s[t];
    data[blockIdx.x * 512 + t + 256] = s[t + 256];
}
