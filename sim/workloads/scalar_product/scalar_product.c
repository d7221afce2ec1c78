/* scalar_product, host part: pairs of random vectors. */

#include "workloads/workload_kit.h"

enum { BLOCK = 256 };

static const struct {
    uint32_t grid, pairs, length;
} sizes[] = {
    { 4, 10, 1500 }, { 128, 512, 4096 }, { 128, 256, 4096 }, [SIZE_CLASO] = { 128, 256, 4096 }
};

static bool run(struct kit *kit, enum workload_size size)
{
    const size_t pairs = sizes[size].pairs, length = sizes[size].length;
    const size_t bytes = pairs * length * sizeof(float);
    float *a = kit_host(kit, bytes), *b = kit_host(kit, bytes);
    float *expected = kit_host(kit, pairs * sizeof(float));
    float *got = kit_host(kit, pairs * sizeof(float));
    for (size_t pair = 0; pair < pairs; pair++) {
        double sum = 0.0;
        for (size_t i = pair * length; i < (pair + 1) * length; i++) {
            a[i] = kit_uniform(kit, 0.0f, 1.0f);
            b[i] = kit_uniform(kit, 0.0f, 1.0f);
            sum += (double)a[i] * (double)b[i];
        }
        expected[pair] = (float)sum;
    }

    gsp_pointer left = kit_alloc_copy(kit, a, bytes), right = kit_alloc_copy(kit, b, bytes);
    gsp_pointer products = kit_alloc(kit, pairs * sizeof(float));
    int32_t n = (int32_t)pairs, elements = (int32_t)length;
    const struct gsp_dim grid = { sizes[size].grid, 1, 1 }, block = { BLOCK, 1, 1 };
    KIT_LAUNCH(kit, "scalar_product_pairs", grid, block, &products, &left, &right, &n,
               &elements);
    kit_copy_out(kit, got, products, pairs * sizeof(float));
    return kit_check_floats(kit, "product", got, expected, pairs, 1e-5, 0.0);
}

static const struct kit_registers registers[] = {
    { "scalar_product_pairs", 20, "CLASO Table 2: 6 CTAs per core" },
    { NULL, 0, NULL },
};

const struct cuda_workload workload_scalar_product = {
    .name = "scalar_product",
    .title = "scalar products of many pairs of vectors",
    .source = "CLASO Table 2 (SP)",
    .check = "every product within 1e-5 of itself",
    .run = run,
    .papers = SIZE_BIT(CLASO),
    .registers = registers,
};
