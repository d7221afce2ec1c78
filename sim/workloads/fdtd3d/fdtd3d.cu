/*
 * fdtd3d - finite differences in a volume: a symmetric star of radius 4 along all three axes.
 *
 *   fdtd3d   grid nx / 32 x ny / 16 rounded up, block 32 x 16, shared 3,840 B; a launch is a
 *            time step
 *
 * A CTA goes along z. A thread keeps the 9 elements of its column in registers; the plane of
 * the CTA with its halo is in shared memory. The volume has a margin of 4 elements all around,
 * which keep their values; rows are padded so that those of the inside begin at a line.
 *
 * The CUDA SDK's FDTD3d: "FDTD" in ICC Table 3, which gives no grid. Paper size: the SDK's
 * default for GPUs of that time, 376 x 376 x 376, 288 CTAs, 5 steps.
 */

#include "cuda.h"

#define RADIUS 4
#define TILE_X 32
#define TILE_Y 16

__constant__ float stencil[RADIUS + 1];

/* The plane of a CTA with its halo, which threads near the edges of the tile load; `in` is the
 * thread's element. Nothing is loaded that is right or more columns, or down or more rows,
 * away: it is outside. */
static __device__ void load_plane(float tile[][TILE_X + 2 * RADIUS], const float *in,
                                  float centre, int row, int right, int down)
{
    const int tx = threadIdx.x + RADIUS;
    const int ty = threadIdx.y + RADIUS;

    if (threadIdx.y < RADIUS && right > 0) {
        tile[threadIdx.y][tx] = in[-RADIUS * row];
        if (down > TILE_Y) {
            tile[ty + TILE_Y][tx] = in[TILE_Y * row];
        }
    }
    if (threadIdx.x < RADIUS && down > 0) {
        tile[ty][threadIdx.x] = in[-RADIUS];
        if (right > TILE_X) {
            tile[ty][tx + TILE_X] = in[TILE_X];
        }
    }
    tile[ty][tx] = centre;
}

static __device__ float star(const float tile[][TILE_X + 2 * RADIUS], const float *behind,
                             const float *ahead, float centre)
{
    const int tx = threadIdx.x + RADIUS;
    const int ty = threadIdx.y + RADIUS;
    float value = stencil[0] * centre;

#pragma unroll
    for (int i = 1; i <= RADIUS; i++) {
        value += stencil[i]
                 * (ahead[i - 1] + behind[i - 1] + tile[ty - i][tx] + tile[ty + i][tx]
                    + tile[ty][tx - i] + tile[ty][tx + i]);
    }
    return value;
}

/* in and out: element (0, 0, 0) of the inside. */
extern "C" __global__ void fdtd3d(const float *in, float *out, int nx, int ny, int nz, int row,
                                  int plane)
{
    __shared__ float tile[TILE_Y + 2 * RADIUS][TILE_X + 2 * RADIUS];
    const int x = blockIdx.x * TILE_X + threadIdx.x;
    const int y = blockIdx.y * TILE_Y + threadIdx.y;
    const bool inside = x < nx && y < ny;
    /* Threads beyond the volume help to load the halo of those at its edge. */
    const bool loads = x < nx + RADIUS && y < ny + RADIUS;
    float behind[RADIUS], ahead[RADIUS], centre;
    int at = y * row + x;

    for (int i = 0; i < RADIUS; i++) {
        behind[i] = loads ? in[at - (i + 1) * plane] : 0.0f;
        ahead[i] = loads ? in[at + i * plane] : 0.0f;
    }
    for (int z = 0; z < nz; z++) {
        centre = ahead[0];
        for (int i = 0; i < RADIUS - 1; i++) {
            ahead[i] = ahead[i + 1];
        }
        ahead[RADIUS - 1] = loads ? in[at + RADIUS * plane] : 0.0f;

        __syncthreads();
        load_plane(tile, in + at, centre, row, nx + RADIUS - x, ny + RADIUS - y);
        __syncthreads();
        const float value = star(tile, behind, ahead, centre);
        if (inside) {
            out[at] = value;
        }
        for (int i = RADIUS - 1; i > 0; i--) {
            behind[i] = behind[i - 1];
        }
        behind[0] = centre;
        at += plane;
    }
}
