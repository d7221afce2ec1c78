/* matrix_multiply, host part: random matrices, the product row by row on the CPU. */

#include "workloads/workload_kit.h"

enum { TILE = 16 };

static const uint32_t sides[] = {
    [SIZE_SMALL] = 64,
    [SIZE_MEDIUM] = 256,
    [SIZE_PAPER] = 1024,
    [SIZE_ICC] = 1024,
};

/* Goes through B by rows: much faster than by columns for large matrices. */
static void multiply(const float *a, const float *b, float *c, size_t n)
{
    for (size_t y = 0; y < n; y++) {
        for (size_t k = 0; k < n; k++) {
            const float left = a[y * n + k];
            for (size_t x = 0; x < n; x++) {
                c[y * n + x] += left * b[k * n + x];
            }
        }
    }
}

static bool run(struct kit *kit, enum workload_size size)
{
    const size_t n = sides[size], bytes = n * n * sizeof(float);
    float *a = kit_host(kit, bytes), *b = kit_host(kit, bytes);
    float *expected = kit_host(kit, bytes), *got = kit_host(kit, bytes);
    for (size_t i = 0; i < n * n; i++) {
        a[i] = kit_uniform(kit, 0.0f, 1.0f);
        b[i] = kit_uniform(kit, 0.0f, 1.0f);
    }
    multiply(a, b, expected, n);

    gsp_pointer device_a = kit_alloc_copy(kit, a, bytes);
    gsp_pointer device_b = kit_alloc_copy(kit, b, bytes);
    gsp_pointer c = kit_alloc(kit, bytes);
    int32_t side = (int32_t)n;
    const struct gsp_dim grid = { sides[size] / TILE, sides[size] / TILE, 1 };
    const struct gsp_dim block = { TILE, TILE, 1 };
    KIT_LAUNCH(kit, "matrix_multiply", grid, block, &device_a, &device_b, &c, &side);
    kit_copy_out(kit, got, c, bytes);
    return kit_check_floats(kit, "c", got, expected, n * n, 1e-5, 0.0);
}

const struct cuda_workload workload_matrix_multiply = {
    .name = "matrix_multiply",
    .title = "a product of square matrices by tiles of 16 x 16",
    .source = "ICC Table 3 (MM)",
    .check = "all elements within 1e-5",
    .run = run,
    .papers = SIZE_BIT(ICC),
};
