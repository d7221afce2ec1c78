/* transpose - of a matrix, by tiles with a column too many, so that no bank has two words. */
extern "C" __global__ void transpose(float *out, const float *in, int width, int height)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) {
        if (x < width && y + k < height) {
            tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * width + x];
        }
    }
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) {
        if (x < height && y + k < width) {
            out[(y + k) * height + x] = tile[threadIdx.x][threadIdx.y + k];
        }
    }
}
