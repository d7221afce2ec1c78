/*
 * hotspot - the temperatures of a chip, cell by cell. A CTA takes a tile of the chip with a
 * halo of `steps` cells around what it answers for, and advances it by that many steps in
 * shared memory: with each, one more ring of the halo is out of date.
 */

#include "cuda.h"

#define TILE 16

extern "C" __global__ void __launch_bounds__(TILE *TILE)
    hotspot(const float *from, const float *power, float *to, int rows, int columns, int steps,
            float heat_inverse, float x_inverse, float y_inverse, float z_inverse,
            float ambient)
{
    __shared__ float tile[TILE][TILE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int inner = TILE - 2 * steps;
    const int row = blockIdx.y * inner - steps + ty;
    const int column = blockIdx.x * inner - steps + tx;
    const bool inside = row >= 0 && row < rows && column >= 0 && column < columns;
    const int index = row * columns + column;
    /* no heat leaves at the edges of the chip: a cell there is its own neighbour */
    const int north = row > 0 ? ty - 1 : ty;
    const int south = row < rows - 1 ? ty + 1 : ty;
    const int west = column > 0 ? tx - 1 : tx;
    const int east = column < columns - 1 ? tx + 1 : tx;
    float watts = 0.0f;

    if (inside) {
        tile[ty][tx] = from[index];
        watts = power[index];
    }
    __syncthreads();

    bool valid = inside;
    for (int step = 1; step <= steps; step++) {
        float next = 0.0f;
        valid = valid && tx >= step && tx < TILE - step && ty >= step && ty < TILE - step;
        if (valid) {
            const float here = tile[ty][tx];
            next =
                here
                + heat_inverse
                      * (watts + (tile[south][tx] + tile[north][tx] - 2.0f * here) * y_inverse
                         + (tile[ty][east] + tile[ty][west] - 2.0f * here) * x_inverse
                         + (ambient - here) * z_inverse);
        }
        __syncthreads();
        if (valid) {
            tile[ty][tx] = next;
        }
        __syncthreads();
    }
    if (valid) {
        to[index] = tile[ty][tx];
    }
}
