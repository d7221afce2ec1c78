/* add_x_loops, host part: a factor near 1, so that 400 multiplications stay in range. */

#include "workloads/workload_kit.h"

enum { THREADS = 256, CHAIN = 20 };

static const struct {
    uint32_t ctas;
    int32_t loops;
} sizes[] = { { 16, 5 }, { 640, 10 }, { 640, 20 } };

static const float factor = 0.9990234375f; /* 1 - 2^-10 */

static bool run(struct kit *kit, enum workload_size size)
{
    const size_t n = (size_t)sizes[size].ctas * THREADS, bytes = n * sizeof(float);
    float *a = kit_host(kit, bytes), *b = kit_host(kit, bytes);
    float *expected = kit_host(kit, bytes), *got = kit_host(kit, bytes);
    double power = 1.0;
    for (int32_t i = 0; i < sizes[size].loops * CHAIN; i++) {
        power *= (double)factor;
    }
    for (size_t i = 0; i < n; i++) {
        a[i] = kit_uniform(kit, 1.0f, 2.0f);
        b[i] = kit_uniform(kit, 1.0f, 2.0f);
        expected[i] = (float)(((double)a[i] + (double)b[i]) * power);
    }

    gsp_pointer device_a = kit_alloc_copy(kit, a, bytes);
    gsp_pointer device_b = kit_alloc_copy(kit, b, bytes);
    gsp_pointer sum = kit_alloc(kit, bytes);
    float scale = factor;
    int32_t loops = sizes[size].loops;
    const struct gsp_dim grid = { sizes[size].ctas, 1, 1 }, block = { THREADS, 1, 1 };
    KIT_LAUNCH(kit, "add_x_loops", grid, block, &device_a, &device_b, &sum, &scale, &loops);
    kit_copy_out(kit, got, sum, bytes);
    /* 400 roundings of at most 2^-24 */
    return kit_check_floats(kit, "sum", got, expected, n, 3e-5, 0.0);
}

const struct cuda_workload workload_add_x_loops = {
    .name = "add_x_loops",
    .title = "two elements of each thread multiplied in a loop of x rounds",
    .source = "thesis 5.3.1 (add_x_loops)",
    .check = "all sums within 3e-5",
    .run = run,
};
