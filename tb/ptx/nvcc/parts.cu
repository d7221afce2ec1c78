/* parts - dynamic shared memory, cut into arrays of doubles, numbers and bytes. */
extern __shared__ double whole[];
extern "C" __global__ void parts(double *out, const int *in)
{
    const int t = threadIdx.x, n = blockDim.x;
    double *const doubles = whole;
    int *const ints = (int *)(doubles + n);
    unsigned char *const bytes = (unsigned char *)(ints + n);
    ints[t] = in[t];
    bytes[n - 1 - t] = (unsigned char)in[t];
    __syncthreads();
    doubles[t] = 0.5 * ints[n - 1 - t] + bytes[t];
    __syncthreads();
    out[t] = doubles[t ^ 1];
}
