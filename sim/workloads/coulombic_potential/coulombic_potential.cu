/*
 * coulombic_potential - the electric potential of point charges on a plane of a grid.
 *
 *   coulombic_potential   grid width / 128 x height / 8, block 16 x 8: a thread computes 8
 *                         points of a row, 16 apart, and adds them to what is there
 *
 * The atoms are in constant memory, as x, y, the square of the distance in z from the plane,
 * and the charge.
 *
 * CP of GPGPU-Sim's benchmarks (from Parboil): "CP" in CLASO Table 2, 1,024 CTAs of 128
 * threads. Paper size: 1024 x 1024 points, 200 atoms, 1,024 CTAs. Size `claso` has 1,024 atoms:
 * the benchmark gives a launch up to 4,000, which no constant cache holds, and these are twice
 * what the C2050's holds.
 */

#include "cuda.h"

#define MAX_ATOMS 4000
#define POINTS    8 /* of a thread */
#define BLOCK_X   16

__constant__ float4 atoms[MAX_ATOMS];

extern "C" __global__ void coulombic_potential(float *energy, float spacing, int n_atoms,
                                               int width)
{
    const int x = blockIdx.x * BLOCK_X * POINTS + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const float coordinate_x = spacing * x;
    const float coordinate_y = spacing * y;
    float sum[POINTS] = { 0.0f };

    for (int a = 0; a < n_atoms; a++) {
        const float4 atom = atoms[a];
        const float dy = coordinate_y - atom.y;
        const float dyz2 = dy * dy + atom.z;
        float dx = coordinate_x - atom.x;
#pragma unroll
        for (int p = 0; p < POINTS; p++) {
            sum[p] += atom.w * rsqrtf(dx * dx + dyz2);
            dx += BLOCK_X * spacing;
        }
    }
#pragma unroll
    for (int p = 0; p < POINTS; p++) {
        energy[y * width + x + p * BLOCK_X] += sum[p];
    }
}
