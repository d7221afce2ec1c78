/* vectors - float4 and a struct in shared memory. */
struct pair {
    int key;
    double value;
};
extern "C" __global__ void vectors(float4 *out, const float4 *in, double *sums)
{
    __shared__ float4 tile[64];
    __shared__ pair pairs[64];
    __shared__ int2 twos[64];
    const int t = threadIdx.x, other = t ^ 5;
    const float4 v = in[t];
    tile[t] = v;
    pairs[t].key = (int)v.x;
    pairs[t].value = (double)v.y * 0.25;
    twos[other] = make_int2(t, -t);
    __syncthreads();
    const float4 w = tile[other];
    out[t] = make_float4(w.w, w.z, w.y, w.x);
    const pair p = pairs[63 - t];
    sums[t] = p.value + p.key + twos[t].x * 2.0 + twos[t].y;
}
