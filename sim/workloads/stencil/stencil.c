/* stencil, host part: a random volume; steps alternate between two buffers. */

#include <string.h>

#include "workloads/workload_kit.h"

enum { BLOCK_X = 32, BLOCK_Y = 4 };

static const struct volume {
    uint32_t nx, ny, nz, steps;
} sizes[] = {
    [SIZE_SMALL] = { 64, 16, 8, 2 },
    [SIZE_MEDIUM] = { 128, 128, 32, 4 },
    [SIZE_PAPER] = { 128, 128, 32, 1 },
    [SIZE_CLASO] = { 128, 128, 32, 1 },
};

static const float c0 = 1.0f / 6.0f, c1 = 1.0f / 6.0f / 6.0f;

static void step(const float *in, float *out, const struct volume *v)
{
    const size_t row = v->nx, plane = (size_t)v->nx * v->ny;
    for (size_t z = 1; z + 1 < v->nz; z++) {
        for (size_t y = 1; y + 1 < v->ny; y++) {
            for (size_t x = 1; x + 1 < v->nx; x++) {
                const size_t i = z * plane + y * row + x;
                const float around = in[i - 1] + in[i + 1] + in[i - row] + in[i + row]
                                     + in[i - plane] + in[i + plane];
                out[i] = c1 * around - c0 * in[i];
            }
        }
    }
}

static bool run(struct kit *kit, enum workload_size size)
{
    const struct volume *v = &sizes[size];
    const size_t n = (size_t)v->nx * v->ny * v->nz, bytes = n * sizeof(float);
    float *volume[2] = { kit_host(kit, bytes), kit_host(kit, bytes) };
    float *got = kit_host(kit, bytes);
    for (size_t i = 0; i < n; i++) {
        volume[0][i] = kit_uniform(kit, 0.0f, 1.0f);
    }
    memcpy(volume[1], volume[0], bytes);

    gsp_pointer device[2] = { kit_alloc_copy(kit, volume[0], bytes),
                              kit_alloc_copy(kit, volume[0], bytes) };
    int32_t nx = (int32_t)v->nx, ny = (int32_t)v->ny, nz = (int32_t)v->nz;
    float factor0 = c0, factor1 = c1;
    const struct gsp_dim grid = { v->nx / BLOCK_X, v->ny / BLOCK_Y, 1 };
    const struct gsp_dim block = { BLOCK_X, BLOCK_Y, 1 };
    for (uint32_t t = 0; t < v->steps; t++) {
        KIT_LAUNCH(kit, "stencil", grid, block, &device[t % 2], &device[(t + 1) % 2], &factor0,
                   &factor1, &nx, &ny, &nz);
        step(volume[t % 2], volume[(t + 1) % 2], v);
    }
    kit_copy_out(kit, got, device[v->steps % 2], bytes);
    return kit_check_floats(kit, "out", got, volume[v->steps % 2], n, 1e-5, 1e-6);
}

const struct cuda_workload workload_stencil = {
    .name = "stencil",
    .title = "7-point Jacobi steps in a volume",
    .source = "CLASO Table 2 (ST)",
    .check = "all elements within 1e-5",
    .run = run,
    .papers = SIZE_BIT(CLASO),
};
