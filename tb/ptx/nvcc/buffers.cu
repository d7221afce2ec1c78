/* buffers - two tiles in turn: one is read while the next is filled. */
extern "C" __global__ void buffers(float *out, const float *in, int tiles)
{
    __shared__ float tile[2][128];
    const int t = threadIdx.x;
    const float *const from = in + blockIdx.x * tiles * 128;
    float sum = 0.0f;
    tile[0][t] = from[t];
    __syncthreads();
    for (int k = 0; k < tiles; k++) {
        if (k + 1 < tiles) {
            tile[(k + 1) & 1][t] = from[(k + 1) * 128 + t];
        }
        sum += tile[k & 1][127 - t] * (float)(k + 1);
        __syncthreads();
    }
    out[blockIdx.x * 128 + t] = sum;
}
