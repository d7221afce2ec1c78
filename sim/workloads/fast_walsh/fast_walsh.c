/* fast_walsh, host part: dyadic convolution of a long array with a short one. */

#include "workloads/workload_kit.h"

enum { TOGETHER = 2048, TERMS = 64 };

/* Odd powers of two: steps come in pairs, and the last eleven together. */
static const uint32_t log2_sizes[] = {
    13, 17, 23, [SIZE_CLASO] = 17, [SIZE_TH3] = 23, [SIZE_TH44] = 25
};

static void transform(struct kit *kit, gsp_pointer data, uint32_t n)
{
    const struct gsp_dim grid = { n / 1024, 1, 1 }, block = { 256, 1, 1 };
    for (uint32_t left = n; left > TOGETHER; left /= 4) {
        int32_t stride = (int32_t)(left / 4);
        KIT_LAUNCH(kit, "fast_walsh_global", grid, block, &data, &stride);
    }
    const struct gsp_dim last = { n / TOGETHER, 1, 1 }, wide = { 512, 1, 1 };
    KIT_LAUNCH(kit, "fast_walsh_shared", last, wide, &data);
}

/* By the definition; no transform. */
static void convolve(const float *data, const float *terms, size_t n, float *result)
{
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t k = 0; k < TERMS; k++) {
            sum += (double)terms[k] * (double)data[i ^ k];
        }
        result[i] = (float)sum;
    }
}

static bool run(struct kit *kit, enum workload_size size)
{
    const uint32_t n = UINT32_C(1) << log2_sizes[size];
    const size_t bytes = n * sizeof(float);
    float *data = kit_host(kit, bytes), *terms = kit_host(kit, bytes);
    float *expected = kit_host(kit, bytes), *got = kit_host(kit, bytes);
    for (size_t i = 0; i < n; i++) {
        data[i] = kit_uniform(kit, -1.0f, 1.0f);
        terms[i] = i < TERMS ? kit_uniform(kit, -1.0f, 1.0f) : 0.0f;
    }

    gsp_pointer device_data = kit_alloc_copy(kit, data, bytes);
    gsp_pointer device_terms = kit_alloc_copy(kit, terms, bytes);
    transform(kit, device_data, n);
    transform(kit, device_terms, n);
    int32_t count = (int32_t)n;
    float scale = 1.0f / (float)n;
    const struct gsp_dim grid = { 128, 1, 1 }, block = { 256, 1, 1 };
    KIT_LAUNCH(kit, "fast_walsh_modulate", grid, block, &device_data, &device_terms, &count,
               &scale);
    transform(kit, device_data, n);
    kit_copy_out(kit, got, device_data, bytes);

    convolve(data, terms, n, expected);
    return kit_check_floats(kit, "convolution", got, expected, n, 1e-4, 1e-4);
}

static const struct kit_registers registers[] = {
    { "fast_walsh_global", 21, "CLASO Table 2: 5 CTAs per core" },
    { "fast_walsh_shared", 20, "thesis Table 3.3: 3 CTAs per core" },
    { NULL, 0, NULL },
};

const struct cuda_workload workload_fast_walsh = {
    .name = "fast_walsh",
    .title = "dyadic convolution by fast Walsh transforms",
    .source = "CLASO Table 2 (FWT; medium size), thesis Tables 3.3, 4.4 (FWT)",
    .check = "every element within 1e-4, against the convolution's definition",
    .run = run,
    .papers = SIZE_BIT(CLASO) | SIZE_BIT(TH3) | SIZE_BIT(TH44),
    .registers = registers,
};
