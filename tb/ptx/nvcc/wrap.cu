/* wrap - offsets below zero of unsigned indices: addresses wrap at 32 bits. A row of a table in
 * which each number comes from the three before it. */
extern "C" __global__ void wrap(int *out, const int *in, unsigned back)
{
    __shared__ int pad[64];
    __shared__ int cell[17][17];
    const unsigned t = threadIdx.x;
    pad[t] = in[t];
    pad[t + 32] = in[t + 32];
    if (t < 17) {
        cell[0][t] = in[t];
        cell[t][0] = in[t];
    }
    __syncthreads();
    for (unsigned step = 0; step < 31; step++) {
        const unsigned x = t + 1, y = step - t + 1;
        if (t < 16 && y - 1 < 16) {
            const int best = cell[y - 1][x] > cell[y][x - 1] ? cell[y - 1][x] : cell[y][x - 1];
            cell[y][x] = (best > cell[y - 1][x - 1] ? best : cell[y - 1][x - 1]) + pad[y + x - 2];
        }
        __syncthreads();
    }
    const char *const middle = (const char *)(pad + 32);
    out[t] = t < 16 ? cell[16][t + 1] : *(const int *)(middle + (int)(t * 4u - back));
}
