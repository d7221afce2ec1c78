/* bytes - tiles of bytes, signed bytes and short numbers. */
extern "C" __global__ void bytes(int *out, const unsigned char *in)
{
    __shared__ unsigned char b[256];
    __shared__ signed char c[256];
    __shared__ short s[256];
    __shared__ unsigned short u[256];
    const int t = threadIdx.x, other = 255 - t;
    b[t] = in[t];
    c[other] = (signed char)in[t];
    s[t] = (short)(in[t] * 257 - 32768);
    u[other] = (unsigned short)(in[t] * 257);
    __syncthreads();
    out[t] = b[other] + 2 * c[t] + 3 * s[other] + 5 * u[t];
}
