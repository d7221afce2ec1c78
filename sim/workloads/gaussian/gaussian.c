/* gaussian, host part: a dominant diagonal, so that elimination needs no pivoting. */

#include "workloads/workload_kit.h"

static const uint32_t sizes[] = {
    [SIZE_SMALL] = 20,
    [SIZE_MEDIUM] = 96,
    [SIZE_PAPER] = 208,
    [SIZE_TH42] = 208,
};

static void back_substitute(const float *matrix, const float *right, size_t n, float *solution)
{
    for (size_t i = n; i-- > 0;) {
        double sum = (double)right[i];
        for (size_t j = i + 1; j < n; j++) {
            sum -= (double)matrix[i * n + j] * (double)solution[j];
        }
        solution[i] = (float)(sum / (double)matrix[i * n + i]);
    }
}

static void eliminate(struct kit *kit, gsp_pointer factors, gsp_pointer matrix,
                      gsp_pointer right, uint32_t size)
{
    const struct gsp_dim grid1 = { (size + 511) / 512, 1, 1 }, block1 = { 512, 1, 1 };
    const struct gsp_dim grid2 = { (size + 3) / 4, (size + 3) / 4, 1 }, block2 = { 4, 4, 1 };
    int32_t n = (int32_t)size;
    for (int32_t pivot = 0; pivot < n - 1; pivot++) {
        KIT_LAUNCH(kit, "gaussian_factors", grid1, block1, &factors, &matrix, &n, &pivot);
        KIT_LAUNCH(kit, "gaussian_eliminate", grid2, block2, &factors, &matrix, &right, &n,
                   &pivot);
    }
}

static bool run(struct kit *kit, enum workload_size size)
{
    const size_t n = sizes[size], bytes = n * n * sizeof(float);
    float *matrix = kit_host(kit, bytes), *right = kit_host(kit, n * sizeof(float));
    float *expected = kit_host(kit, n * sizeof(float));
    for (size_t i = 0; i < n; i++) {
        expected[i] = kit_uniform(kit, -1.0f, 1.0f);
        for (size_t j = 0; j < n; j++) {
            matrix[i * n + j] = kit_uniform(kit, -1.0f, 1.0f) + (i == j ? (float)n : 0.0f);
        }
    }
    /* The right side of a solution chosen beforehand: no second elimination is needed. */
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < n; j++) {
            sum += (double)matrix[i * n + j] * (double)expected[j];
        }
        right[i] = (float)sum;
    }

    const gsp_pointer device_matrix = kit_alloc_copy(kit, matrix, bytes);
    const gsp_pointer device_right = kit_alloc_copy(kit, right, n * sizeof(float));
    eliminate(kit, kit_alloc(kit, bytes), device_matrix, device_right, sizes[size]);

    kit_copy_out(kit, matrix, device_matrix, bytes);
    kit_copy_out(kit, right, device_right, n * sizeof(float));
    float *got = kit_host(kit, n * sizeof(float));
    back_substitute(matrix, right, n, got);
    return kit_check_floats(kit, "solution", got, expected, n, 1e-4, 1e-4);
}

static const struct kit_registers registers[] = {
    { "gaussian_eliminate", 24, "thesis Table 4.2" },
    { NULL, 0, NULL },
};

const struct cuda_workload workload_gaussian = {
    .name = "gaussian",
    .title = "Gaussian elimination of a system of linear equations",
    .source = "Thesis Table 4.2 (Gaus)",
    .check = "the solution, chosen beforehand, within 1e-4",
    .run = run,
    .papers = SIZE_BIT(TH42),
    .registers = registers,
};
