/* multiply - of square matrices, by tiles of 16 x 16. */
extern "C" __global__ void multiply(float *c, const float *a, const float *b, int n)
{
    __shared__ float as[16][16], bs[16][16];
    const int x = threadIdx.x, y = threadIdx.y;
    const int column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    float sum = 0.0f;
    for (int k = 0; k < n; k += 16) {
        as[y][x] = a[row * n + k + x];
        bs[y][x] = b[(k + y) * n + column];
        __syncthreads();
        for (int j = 0; j < 16; j++) {
            sum += as[y][j] * bs[j][x];
        }
        __syncthreads();
    }
    c[row * n + column] = sum;
}
