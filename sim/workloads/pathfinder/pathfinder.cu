/*
 * pathfinder - the cheapest way down a grid of weights, a row at a time: the cost of a cell is
 * its weight and the least of the three costs above it.
 *
 *   pathfinder_rows   grid ceil(columns / (256 - 2 * steps)), block 256, shared 2 KiB
 *
 * A CTA advances its columns by `steps` rows in one launch; neighbouring CTAs overlap by
 * `steps` columns on either side, which they compute twice rather than exchange.
 *
 * Rodinia's Pathfinder: "Path" in thesis Table 4.2 (256 threads), "PATH" in Table 4.4 (46,297
 * CTAs: 10 million columns, 20 rows a launch).
 */

#include "cuda.h"

#define WIDTH 256

extern "C" __global__ void pathfinder_rows(const int *weights, const int *from, int *to,
                                           int columns, int steps)
{
    __shared__ int before[WIDTH];
    __shared__ int after[WIDTH];
    const int tx = threadIdx.x;
    const int first = blockIdx.x * (WIDTH - 2 * steps) - steps;
    const int x = first + tx;

    /* The columns of this CTA that exist, as thread indices. */
    const int low = first < 0 ? -first : 0;
    const int high = first + WIDTH > columns ? columns - 1 - first : WIDTH - 1;
    const int west = tx - 1 < low ? low : tx - 1;
    const int east = tx + 1 > high ? high : tx + 1;
    const bool exists = tx >= low && tx <= high;

    if (exists) {
        before[tx] = from[x];
    }
    __syncthreads();
    for (int i = 0; i < steps; i++) {
        /* The halo shrinks by a column a row, but not at the edge of the grid. */
        const bool valid = exists && tx >= (low > 0 ? low : i + 1)
                           && tx <= (high < WIDTH - 1 ? high : WIDTH - 2 - i);
        if (valid) {
            const int least = min(before[tx], min(before[west], before[east]));
            after[tx] = least + weights[i * columns + x];
        }
        __syncthreads();
        if (valid) {
            before[tx] = after[tx];
        }
        __syncthreads();
    }
    if (exists && tx >= steps && tx < WIDTH - steps) {
        to[x] = before[tx];
    }
}
