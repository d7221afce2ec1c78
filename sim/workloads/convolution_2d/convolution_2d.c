/* convolution_2d, host part: a random image; the result's border stays zero. */

#include "workloads/workload_kit.h"

enum { BLOCK_X = 32, BLOCK_Y = 8 };

static const uint32_t sides[] = {
    [SIZE_SMALL] = 128,
    [SIZE_MEDIUM] = 1024,
    [SIZE_PAPER] = 4096,
    [SIZE_ICC] = 4096,
};

static const float filter[3][3] = { { 0.2f, 0.5f, -0.8f },
                                    { -0.3f, 0.6f, -0.9f },
                                    { 0.4f, 0.7f, 0.1f } };

static float filtered(const float *in, size_t side, size_t x, size_t y)
{
    double sum = 0.0;
    for (size_t j = 0; j < 3; j++) {
        for (size_t i = 0; i < 3; i++) {
            sum += (double)filter[j][i] * (double)in[(y + j - 1) * side + (x + i - 1)];
        }
    }
    return (float)sum;
}

static bool run(struct kit *kit, enum workload_size size)
{
    const size_t side = sides[size], bytes = side * side * sizeof(float);
    float *in = kit_host(kit, bytes), *got = kit_host(kit, bytes);
    float *expected = kit_host(kit, bytes);
    for (size_t i = 0; i < side * side; i++) {
        in[i] = kit_uniform(kit, 0.0f, 1.0f);
    }
    for (size_t y = 1; y + 1 < side; y++) {
        for (size_t x = 1; x + 1 < side; x++) {
            expected[y * side + x] = filtered(in, side, x, y);
        }
    }

    gsp_pointer device_in = kit_alloc_copy(kit, in, bytes);
    gsp_pointer out = kit_alloc(kit, bytes);
    int32_t width = (int32_t)side, height = (int32_t)side;
    const struct gsp_dim grid = { sides[size] / BLOCK_X, sides[size] / BLOCK_Y, 1 };
    const struct gsp_dim block = { BLOCK_X, BLOCK_Y, 1 };
    kit_set(kit, out, 0, bytes);
    KIT_LAUNCH(kit, "convolution_2d", grid, block, &device_in, &out, &width, &height);
    kit_copy_out(kit, got, out, bytes);
    return kit_check_floats(kit, "out", got, expected, side * side, 1e-5, 1e-6);
}

const struct cuda_workload workload_convolution_2d = {
    .name = "convolution_2d",
    .title = "a 3 x 3 convolution of an image",
    .source = "ICC Table 3 (2DCONV)",
    .check = "all elements within 1e-5, and the border untouched",
    .run = run,
    .papers = SIZE_BIT(ICC),
};
