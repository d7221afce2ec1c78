/* volatiles - a sum by a warp in volatile shared memory, and an array of each thread's own. */
extern "C" __global__ void volatiles(int *out, const int *in, int turns)
{
    __shared__ volatile int s[64];
    int own[8];
    const int t = threadIdx.x;
    for (int k = 0; k < 8; k++) {
        own[k] = in[(t + k) & 63];
    }
    for (int k = 0; k < turns; k++) {
        own[(k * 5 + t) & 7] += own[(k * 3) & 7];
    }
    s[t] = own[turns & 7];
    __syncthreads();
    if (t < 32) {
        for (int by = 32; by > 0; by /= 2) {
            const int other = s[t + by < 64 ? t + by : t];
            __syncwarp();
            s[t] += other;
            __syncwarp();
        }
    }
    __syncthreads();
    out[t] = s[t] + own[t & 7];
}
