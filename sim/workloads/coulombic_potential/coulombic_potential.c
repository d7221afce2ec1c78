/* coulombic_potential, host part: atoms at random places near the plane. */

#include <math.h>

#include "workloads/workload_kit.h"

enum { BLOCK_X = 16, BLOCK_Y = 8, POINTS = 8 };

static const struct {
    uint32_t width, height, atoms;
} sizes[] = {
    { 128, 64, 16 },
    { 512, 512, 100 },
    { 1024, 1024, 200 },
    [SIZE_CLASO] = { 1024, 1024, 1024 },
};

static const float spacing = 0.1f;

struct atom {
    float x, y, z2, charge;
};

static void make_atoms(struct kit *kit, struct atom *atoms, uint32_t n, size_t width,
                       size_t height)
{
    for (uint32_t i = 0; i < n; i++) {
        const float z = kit_uniform(kit, 0.5f, 4.0f);
        atoms[i].x = kit_uniform(kit, 0.0f, spacing * (float)width);
        atoms[i].y = kit_uniform(kit, 0.0f, spacing * (float)height);
        atoms[i].z2 = z * z;
        atoms[i].charge = kit_uniform(kit, 0.1f, 1.0f);
    }
}

static double potential(const struct atom *atoms, uint32_t n, size_t x, size_t y)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        const double dx = (double)spacing * (double)x - (double)atoms[i].x;
        const double dy = (double)spacing * (double)y - (double)atoms[i].y;
        sum += (double)atoms[i].charge / sqrt(dx * dx + dy * dy + (double)atoms[i].z2);
    }
    return sum;
}

static bool run(struct kit *kit, enum workload_size size)
{
    const size_t width = sizes[size].width, height = sizes[size].height;
    const size_t n = width * height, bytes = n * sizeof(float);
    const uint32_t n_atoms = sizes[size].atoms;
    struct atom *atoms = kit_host(kit, n_atoms * sizeof(*atoms));
    float *energy = kit_host(kit, bytes), *expected = kit_host(kit, bytes);
    make_atoms(kit, atoms, n_atoms, width, height);
    for (size_t i = 0; i < n; i++) {
        energy[i] = kit_uniform(kit, 0.0f, 1.0f);
        expected[i] =
            (float)((double)energy[i] + potential(atoms, n_atoms, i % width, i / width));
    }

    gsp_pointer device = kit_alloc_copy(kit, energy, bytes);
    float distance = spacing;
    int32_t count = (int32_t)n_atoms, columns = (int32_t)width;
    const struct gsp_dim grid = { sizes[size].width / (BLOCK_X * POINTS),
                                  sizes[size].height / BLOCK_Y, 1 };
    const struct gsp_dim block = { BLOCK_X, BLOCK_Y, 1 };
    kit_copy_symbol(kit, "atoms", atoms, n_atoms * sizeof(*atoms));
    KIT_LAUNCH(kit, "coulombic_potential", grid, block, &device, &distance, &count, &columns);
    kit_copy_out(kit, energy, device, bytes);
    return kit_check_floats(kit, "energy", energy, expected, n, 1e-4, 0.0);
}

const struct cuda_workload workload_coulombic_potential = {
    .name = "coulombic_potential",
    .title = "the electric potential of point charges on a plane",
    .source = "CLASO Table 2 (CP)",
    .check = "all points within 1e-4",
    .run = run,
    .papers = SIZE_BIT(CLASO),
};
