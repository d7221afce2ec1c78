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

/* in and out: element (0, 0, 0) of the inside. */
extern "C" __global__ void fdtd3d(const float *in, float *out, int nx, int ny, int nz, int row,
                                  int plane)
{
    __shared__ float tile[TILE_Y + 2 * RADIUS][TILE_X + 2 * RADIUS];
    const int x = blockIdx.x * TILE_X + threadIdx.x;
    const int y = blockIdx.y * TILE_Y + threadIdx.y;
    const int tx = threadIdx.x + RADIUS;
    const int ty = threadIdx.y + RADIUS;
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
        if (threadIdx.y < RADIUS && x < nx + RADIUS) {
            tile[threadIdx.y][tx] = in[at - RADIUS * row];
            if (y + TILE_Y < ny + RADIUS) {
                tile[ty + TILE_Y][tx] = in[at + TILE_Y * row];
            }
        }
        if (threadIdx.x < RADIUS && y < ny + RADIUS) {
            tile[ty][threadIdx.x] = in[at - RADIUS];
            if (x + TILE_X < nx + RADIUS) {
                tile[ty][tx + TILE_X] = in[at + TILE_X];
            }
        }
        tile[ty][tx] = centre;
        __syncthreads();

        float value = stencil[0] * centre;
#pragma unroll
        for (int i = 1; i <= RADIUS; i++) {
            value += stencil[i]
                     * (ahead[i - 1] + behind[i - 1] + tile[ty - i][tx] + tile[ty + i][tx]
                        + tile[ty][tx - i] + tile[ty][tx + i]);
        }
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
