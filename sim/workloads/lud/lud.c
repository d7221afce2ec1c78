/*
 * lud, host part. At paper size only the first steps run, whose grid is the paper's; the matrix
 * is then checked as it stands: factored so far, the rest reduced.
 */

#include "workloads/workload_kit.h"

enum { B = 16 };

static const struct {
    uint32_t n, steps;
} sizes[] = {
    [SIZE_SMALL] = { 48, 3 }, [SIZE_MEDIUM] = { 256, 16 }, [SIZE_PAPER] = { 2048, 2 },
    [SIZE_TH3] = { 2048, 2 }, [SIZE_TH42] = { 2048, 2 },   [SIZE_TH44] = { 4096, 1 },
    [SIZE_ICC] = { 2048, 2 },
};

/* Ordinary elimination of the first columns, in double. */
static void eliminate(double *matrix, size_t n, size_t columns)
{
    for (size_t k = 0; k < columns; k++) {
        for (size_t y = k + 1; y < n; y++) {
            const double factor = matrix[y * n + k] /= matrix[k * n + k];
            for (size_t x = k + 1; x < n; x++) {
                matrix[y * n + x] -= factor * matrix[k * n + x];
            }
        }
    }
}

static void decompose(struct kit *kit, gsp_pointer matrix, uint32_t size, uint32_t steps)
{
    const struct gsp_dim one = { 1, 1, 1 }, line = { B, 1, 1 }, warp = { 2 * B, 1, 1 };
    const struct gsp_dim square = { B, B, 1 };
    int32_t n = (int32_t)size;
    for (uint32_t step = 0; step < steps; step++) {
        const uint32_t below = size / B - 1 - step;
        int32_t offset = (int32_t)(step * B);
        KIT_LAUNCH(kit, "lud_diagonal", one, line, &matrix, &n, &offset);
        if (below > 0) {
            const struct gsp_dim edge = { below, 1, 1 }, area = { below, below, 1 };
            KIT_LAUNCH(kit, "lud_perimeter", edge, warp, &matrix, &n, &offset);
            KIT_LAUNCH(kit, "lud_internal", area, square, &matrix, &n, &offset);
        }
    }
}

static bool run(struct kit *kit, enum workload_size size)
{
    const size_t n = sizes[size].n, bytes = n * n * sizeof(float);
    float *matrix = kit_host(kit, bytes), *expected = kit_host(kit, bytes);
    double *exact = kit_host(kit, n * n * sizeof(double));
    for (size_t y = 0; y < n; y++) {
        for (size_t x = 0; x < n; x++) {
            /* A dominant diagonal keeps the factors small without pivoting. */
            matrix[y * n + x] = kit_uniform(kit, -1.0f, 1.0f) + (x == y ? (float)n : 0.0f);
            exact[y * n + x] = (double)matrix[y * n + x];
        }
    }

    const gsp_pointer device = kit_alloc_copy(kit, matrix, bytes);
    decompose(kit, device, sizes[size].n, sizes[size].steps);
    kit_copy_out(kit, matrix, device, bytes);
    eliminate(exact, n, (size_t)sizes[size].steps * B);
    for (size_t i = 0; i < n * n; i++) {
        expected[i] = (float)exact[i];
    }
    return kit_check_floats(kit, "factors", matrix, expected, n * n, 1e-5, 1e-5);
}

static const struct kit_registers registers[] = {
    { "lud_internal", 16, "thesis Table 4.2" },
    { NULL, 0, NULL },
};

const struct cuda_workload workload_lud = {
    .name = "lud",
    .title = "LU decomposition in blocks",
    .source = "Thesis Tables 3.2, 4.2, 4.4 (LUD), ICC Table 3 (LUD)",
    .check = "all of the factored matrix, within 1e-5",
    .run = run,
    .papers = SIZE_BIT(TH3) | SIZE_BIT(TH42) | SIZE_BIT(TH44) | SIZE_BIT(ICC),
    .registers = registers,
};
