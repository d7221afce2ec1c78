/* separable_convolution, host part: a random image and filter. */

#include "workloads/workload_kit.h"

enum { RADIUS = 8, TAPS = 2 * RADIUS + 1, RESULTS = 8 };

static const struct {
    uint32_t width, height; /* multiples of 128 and 64 */
} sizes[] = {
    [SIZE_SMALL] = { 128, 64 },
    [SIZE_MEDIUM] = { 1024, 1024 },
    [SIZE_PAPER] = { 4096, 2048 },
    [SIZE_TH44] = { 4096, 2048 },
};

/* One element: n elements lie stride apart, and at is the number of the middle one. */
static float filtered(const float *line, size_t n, size_t stride, size_t at,
                      const float *filter)
{
    double sum = 0.0;
    for (size_t k = 0; k < TAPS; k++) {
        if (at + k >= RADIUS && at + k - RADIUS < n) {
            sum += (double)filter[TAPS - 1 - k] * (double)line[(at + k - RADIUS) * stride];
        }
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

static void launch(struct kit *kit, gsp_pointer in, gsp_pointer middle, gsp_pointer out,
                   uint32_t width, uint32_t height)
{
    int32_t columns = (int32_t)width, rows = (int32_t)height;
    const struct gsp_dim row_grid = { width / (16 * RESULTS), height / 4, 1 };
    const struct gsp_dim row_block = { 16, 4, 1 };
    const struct gsp_dim column_grid = { width / 16, height / (8 * RESULTS), 1 };
    const struct gsp_dim column_block = { 16, 8, 1 };

    KIT_LAUNCH(kit, "convolve_rows", row_grid, row_block, &in, &middle, &columns);
    KIT_LAUNCH(kit, "convolve_columns", column_grid, column_block, &middle, &out, &columns,
               &rows);
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

    gsp_pointer device_in = kit_alloc_copy(kit, in, bytes);
    gsp_pointer device_middle = kit_alloc(kit, bytes), out = kit_alloc(kit, bytes);
    kit_copy_symbol(kit, "filter", filter, sizeof(filter));
    launch(kit, device_in, device_middle, out, sizes[size].width, sizes[size].height);
    kit_copy_out(kit, got, out, bytes);
    return kit_check_floats(kit, "out", got, expected, n, 1e-5, 0.0);
}

const struct cuda_workload workload_separable_convolution = {
    .name = "separable_convolution",
    .title = "a 17 x 17 filter over an image: rows, then columns",
    .source = "thesis Table 4.4 (CVSEP)",
    .check = "all elements within 1e-5",
    .run = run,
    .papers = SIZE_BIT(TH44),
};
