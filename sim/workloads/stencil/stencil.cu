/*
 * stencil - a 7-point Jacobi step in a volume: a thread goes along z in its column and keeps
 * the elements below and above in registers.
 *
 *   stencil   grid nx / 32 x ny / 4, block 32 x 4; a launch is a step
 *
 * The outermost elements keep their values.
 *
 * Parboil's Stencil: "ST" in CLASO Table 2, 128 CTAs of 128 threads, one launch. Paper size:
 * 128 x 128 x 32, Parboil's small input.
 */

#include "cuda.h"

#define AT(x, y, z) (((z)*ny + (y)) * nx + (x))

extern "C" __global__ void stencil(const float *in, float *out, float c0, float c1, int nx,
                                   int ny, int nz)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1) {
        return;
    }
    float below = in[AT(x, y, 0)];
    float centre = in[AT(x, y, 1)];
    for (int z = 1; z < nz - 1; z++) {
        const float above = in[AT(x, y, z + 1)];
        out[AT(x, y, z)] = c1
                               * (above + below + in[AT(x, y - 1, z)] + in[AT(x, y + 1, z)]
                                  + in[AT(x - 1, y, z)] + in[AT(x + 1, y, z)])
                           - c0 * centre;
        below = centre;
        centre = above;
    }
}
