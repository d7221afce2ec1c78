/*
 * amr - a step of adaptive mesh refinement: where the temperature of a grid changes fast, a
 * cell becomes a patch of 8 x 8 cells, and these may become patches too, three levels deep.
 * Temperatures are whole numbers, so every machine refines the same cells.
 *
 *   amr_grid          grid ceil(cells / 64), block 64: a thread has a cell, and makes its patch
 * and those below, one after the other amr_grid_nested   the same, but a thread whose cell
 * becomes a patch launches amr_patch         grid 1, block 64: a thread has a cell of the
 * patch, and launches amr_patch for the patch that it becomes
 *
 * A patch takes the next free place in memory, and its number is written to the cell.
 *
 * LaPerm Table II (AMR).
 */

#include "cuda.h"
#include "cuda_launch.h"

enum { SIDE = 8, CELLS = SIDE * SIDE, LEVELS = 3, HOT = 1 << 16 };

struct cell {
    int temperature, patch; /* -1: none */
};

struct slope {
    int x, y;
};

/* Of a cell at (x, y) of a square, by its neighbours; at an edge by the cell itself. */
__device__ __forceinline__ struct slope slope_of(const struct cell *cells, int side, int x,
                                                 int y)
{
    const int left = x > 0 ? x - 1 : x, right = x < side - 1 ? x + 1 : x;
    const int up = y > 0 ? y - 1 : y, down = y < side - 1 ? y + 1 : y;
    return { cells[y * side + right].temperature - cells[y * side + left].temperature,
             cells[down * side + x].temperature - cells[up * side + x].temperature };
}

__device__ __forceinline__ bool is_steep(struct slope slope, int level, int limit)
{
    return level < LEVELS && abs(slope.x) + abs(slope.y) > limit >> 2 * level;
}

/* Of cell i of the patch of a cell with this temperature and slope: along the slope, and with
 * the heat that burns there. */
__device__ __forceinline__ int temperature_of(int temperature, struct slope slope, int i)
{
    const int x = 2 * (i % SIDE) - (SIDE - 1), y = 2 * (i / SIDE) - (SIDE - 1);
    const int here = temperature + (slope.x * x + slope.y * y) / (4 * SIDE);
    const int inside = min(max(here, 0), HOT);
    return here + (inside / 16) * ((HOT - inside) / 16) / (HOT / 64);
}

/* The patch of a cell whose own cells are at level, and all below, by one thread. */
template <int level>
__device__ __forceinline__ void refine(struct cell *of, struct slope slope,
                                       struct cell *patches, int *used, int limit)
{
    const int number = atomicAdd(used, 1);
    struct cell *const patch = patches + (long long)number * CELLS;
    of->patch = number;
    for (int i = 0; i < CELLS; i++) {
        patch[i] = { temperature_of(of->temperature, slope, i), -1 };
    }
    if constexpr (level < LEVELS) {
        for (int i = 0; i < CELLS; i++) {
            const struct slope own = slope_of(patch, SIDE, i % SIDE, i / SIDE);
            if (is_steep(own, level, limit)) {
                refine<level + 1>(&patch[i], own, patches, used, limit);
            }
        }
    }
}

/* The same by a block, with a thread for each cell. */
extern "C" __global__ void amr_patch(struct cell *of, struct slope slope, struct cell *patches,
                                     int *used, int level, int limit)
{
    __shared__ int number;
    const int i = threadIdx.x;
    if (i == 0) {
        number = atomicAdd(used, 1);
        of->patch = number;
    }
    __syncthreads();
    struct cell *const patch = patches + (long long)number * CELLS;
    patch[i] = { temperature_of(of->temperature, slope, i), -1 };
    __syncthreads();
    const struct slope own = slope_of(patch, SIDE, i % SIDE, i / SIDE);
    if (is_steep(own, level, limit)) {
        launch<amr_patch>(1, CELLS, 0, cudaStreamFireAndForget)(&patch[i], own, patches, used,
                                                                level + 1, limit);
        if (cudaGetLastError() != cudaSuccess) {
            if (level == 1) {
                refine<2>(&patch[i], own, patches, used, limit);
            } else {
                refine<3>(&patch[i], own, patches, used, limit);
            }
        }
    }
}

template <bool nested>
__device__ __forceinline__ void grid_of(struct cell *cells, int side, struct cell *patches,
                                        int *used, int limit)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= side * side) {
        return;
    }
    const struct slope own = slope_of(cells, side, i % side, i / side);
    if (!is_steep(own, 0, limit)) {
        return;
    }
    if (nested) {
        launch<amr_patch>(1, CELLS, 0, cudaStreamFireAndForget)(&cells[i], own, patches, used,
                                                                1, limit);
        if (cudaGetLastError() == cudaSuccess) {
            return;
        }
    }
    refine<1>(&cells[i], own, patches, used, limit);
}

extern "C" __global__ void amr_grid(struct cell *cells, int side, struct cell *patches,
                                    int *used, int limit)
{
    grid_of<false>(cells, side, patches, used, limit);
}

extern "C" __global__ void amr_grid_nested(struct cell *cells, int side, struct cell *patches,
                                           int *used, int limit)
{
    grid_of<true>(cells, side, patches, used, limit);
}
