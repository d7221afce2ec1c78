/* fdtd3d, host part: a random volume with its margin; steps alternate between two buffers. */

#include <string.h>

#include "workloads/workload_kit.h"

enum { RADIUS = 4, LINE = 32, TILE_X = 32, TILE_Y = 16 };

static const struct {
    uint32_t side, depth, steps;
} sizes[] = {
    [SIZE_SMALL] = { 48, 6, 1 },
    [SIZE_MEDIUM] = { 128, 32, 2 },
    [SIZE_PAPER] = { 376, 376, 5 },
    [SIZE_ICC] = { 376, 32, 2 }, /* Table 3 names no size: a CTA walks the planes, so their
                                    number changes no grid */
};

struct volume {
    size_t nx, ny, nz, row, plane, n;
    size_t first; /* element (0, 0, 0) of the inside */
};

static const float stencil[RADIUS + 1] = { 0.28f, 0.05f, 0.03f, 0.025f, 0.015f };

/* A row's left margin fills a line, so that the inside begins at one. */
static struct volume volume_of(size_t side, size_t depth)
{
    struct volume v = { .nx = side, .ny = side, .nz = depth };
    v.row = (LINE + side + RADIUS + LINE - 1) / LINE * LINE;
    v.plane = v.row * (RADIUS + side + RADIUS);
    v.n = v.plane * (RADIUS + depth + RADIUS);
    v.first = RADIUS * v.plane + RADIUS * v.row + LINE;
    return v;
}

static void step(const float *in, float *out, const struct volume *v)
{
    for (size_t z = 0; z < v->nz; z++) {
        for (size_t y = 0; y < v->ny; y++) {
            for (size_t x = 0; x < v->nx; x++) {
                const size_t at = v->first + z * v->plane + y * v->row + x;
                float value = stencil[0] * in[at];
                for (size_t i = 1; i <= RADIUS; i++) {
                    value +=
                        stencil[i]
                        * (in[at - i] + in[at + i] + in[at - i * v->row] + in[at + i * v->row]
                           + in[at - i * v->plane] + in[at + i * v->plane]);
                }
                out[at] = value;
            }
        }
    }
}

static void launch(struct kit *kit, const struct volume *v, gsp_pointer from, gsp_pointer to)
{
    gsp_pointer in = from + v->first * sizeof(float), out = to + v->first * sizeof(float);
    int32_t nx = (int32_t)v->nx, ny = (int32_t)v->ny, nz = (int32_t)v->nz;
    int32_t row = (int32_t)v->row, plane = (int32_t)v->plane;
    const struct gsp_dim grid = { (uint32_t)((v->nx + TILE_X - 1) / TILE_X),
                                  (uint32_t)((v->ny + TILE_Y - 1) / TILE_Y), 1 };
    const struct gsp_dim block = { TILE_X, TILE_Y, 1 };

    KIT_LAUNCH(kit, "fdtd3d", grid, block, &in, &out, &nx, &ny, &nz, &row, &plane);
}

static bool run(struct kit *kit, enum workload_size size)
{
    const struct volume v = volume_of(sizes[size].side, sizes[size].depth);
    const size_t bytes = v.n * sizeof(float);
    float *host[2] = { kit_host(kit, bytes), kit_host(kit, bytes) };
    float *got = kit_host(kit, bytes);
    for (size_t i = 0; i < v.n; i++) {
        host[0][i] = kit_uniform(kit, 0.0f, 1.0f);
    }
    memcpy(host[1], host[0], bytes);

    gsp_pointer device[2] = { kit_alloc_copy(kit, host[0], bytes),
                              kit_alloc_copy(kit, host[0], bytes) };
    kit_copy_symbol(kit, "stencil", stencil, sizeof(stencil));
    for (uint32_t t = 0; t < sizes[size].steps; t++) {
        launch(kit, &v, device[t % 2], device[(t + 1) % 2]);
        step(host[t % 2], host[(t + 1) % 2], &v);
    }
    kit_copy_out(kit, got, device[sizes[size].steps % 2], bytes);
    return kit_check_floats(kit, "volume", got, host[sizes[size].steps % 2], v.n, 1e-5, 0.0);
}

const struct cuda_workload workload_fdtd3d = {
    .name = "fdtd3d",
    .title = "finite differences of radius 4 in a volume",
    .source = "ICC Table 3 (FDTD)",
    .check = "all elements within 1e-5, margins unchanged",
    .run = run,
    .papers = SIZE_BIT(ICC),
};
