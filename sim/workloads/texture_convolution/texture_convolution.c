/* texture_convolution, host part: a random image and filter. */

#include "workloads/workload_kit.h"

enum { RADIUS = 8, TAPS = 2 * RADIUS + 1, BLOCK_X = 16, BLOCK_Y = 12 };

static const struct {
    uint32_t width, height;
} sizes[] = {
    [SIZE_SMALL] = { 60, 40 },
    [SIZE_MEDIUM] = { 768, 512 },
    [SIZE_PAPER] = { 6144, 3072 },
    [SIZE_TH44] = { 6144, 3072 },
};

/* One element: n elements lie stride apart, and at is the number of the middle one. */
static float filtered(const float *line, size_t n, size_t stride, size_t at,
                      const float *filter)
{
    double sum = 0.0;
    for (size_t k = 0; k < TAPS; k++) {
        size_t from = at + k < RADIUS ? 0 : at + k - RADIUS;
        from = from < n ? from : n - 1;
        sum += (double)filter[TAPS - 1 - k] * (double)line[from * stride];
    }
    return (float)sum;
}

static void convolve(const float *in, float *middle, float *out, const float *filter,
                     size_t width, size_t height)
{
    for (size_t y = 0; y < height; y++) {
        for (size_t x = 0; x < width; x++) {
            middle[y * width + x] = filtered(in + y * width, width, 1, x, filter);
        }
    }
    for (size_t y = 0; y < height; y++) {
        for (size_t x = 0; x < width; x++) {
            out[y * width + x] = filtered(middle + x, height, width, y, filter);
        }
    }
}

static bool run(struct kit *kit, enum workload_size size)
{
    const size_t width = sizes[size].width, height = sizes[size].height;
    const size_t n = width * height, bytes = n * sizeof(float);
    float filter[TAPS];
    float *in = kit_host(kit, bytes), *middle = kit_host(kit, bytes);
    float *expected = kit_host(kit, bytes), *got = kit_host(kit, bytes);
    for (size_t k = 0; k < TAPS; k++) {
        filter[k] = kit_uniform(kit, 0.0f, 0.1f);
    }
    for (size_t i = 0; i < n; i++) {
        in[i] = kit_uniform(kit, 0.0f, 16.0f);
    }
    convolve(in, middle, expected, filter, width, height);

    gsp_pointer image = kit_alloc_copy(kit, in, bytes);
    gsp_pointer half = kit_alloc(kit, bytes), out = kit_alloc(kit, bytes);
    int32_t columns = (int32_t)width, rows = (int32_t)height;
    const struct gsp_dim grid = { (sizes[size].width + BLOCK_X - 1) / BLOCK_X,
                                  (sizes[size].height + BLOCK_Y - 1) / BLOCK_Y, 1 };
    const struct gsp_dim block = { BLOCK_X, BLOCK_Y, 1 };
    kit_copy_symbol(kit, "filter", filter, sizeof(filter));
    KIT_LAUNCH(kit, "texture_rows", grid, block, &image, &half, &columns, &rows);
    KIT_LAUNCH(kit, "texture_columns", grid, block, &half, &out, &columns, &rows);
    kit_copy_out(kit, got, out, bytes);
    return kit_check_floats(kit, "out", got, expected, n, 1e-5, 0.0);
}

const struct cuda_workload workload_texture_convolution = {
    .name = "texture_convolution",
    .title = "a 17 x 17 filter over an image, through the read-only cache",
    .source = "thesis Table 4.4 (CVT-K1, CVT-K2)",
    .check = "all elements within 1e-5",
    .run = run,
    .papers = SIZE_BIT(TH44),
};
