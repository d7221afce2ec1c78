/* dct8x8, host part: a smooth image with noise, and JPEG's steps for brightness. */

#include <math.h>

#include "workloads/workload_kit.h"

enum { N = 8, BLOCK = N * N };

static const struct {
    uint32_t width, height;
} sizes[] = {
    [SIZE_SMALL] = { 64, 40 },    [SIZE_MEDIUM] = { 512, 512 }, [SIZE_PAPER] = { 2048, 1024 },
    [SIZE_TH44] = { 2048, 1024 }, [SIZE_ICC] = { 2048, 1024 },
};

static const float steps[BLOCK] = {
    16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,
    14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,
    18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
};

struct picture {
    uint32_t width, height;
    size_t n, bytes;
    double cosine[BLOCK];
    float *got, *expected;
};

/* The definition, a coefficient (or, inverse, a pixel) at a time. */
static void transform(struct picture *p, const float *from, bool inverse)
{
    for (size_t at = 0; at < p->n; at++) {
        const size_t x = at % p->width, y = at / p->width;
        const size_t corner = (y - y % N) * p->width + x - x % N;
        double sum = 0.0;
        for (size_t v = 0; v < N; v++) {
            for (size_t u = 0; u < N; u++) {
                const double row = p->cosine[inverse ? v * N + y % N : y % N * N + v];
                const double column = p->cosine[inverse ? u * N + x % N : x % N * N + u];
                sum += row * column * (double)from[corner + v * p->width + u];
            }
        }
        p->expected[at] = (float)sum;
    }
}

static void make(struct kit *kit, struct picture *p, float *image)
{
    for (size_t i = 0; i < BLOCK; i++) {
        const size_t u = i / N, x = i % N;
        const double scale = u == 0 ? sqrt(1.0 / N) : sqrt(2.0 / N);
        const double turns = (double)((2 * x + 1) * u) / (4.0 * N);
        p->cosine[i] = scale * cos(2.0 * 3.14159265358979323846 * turns);
    }
    for (size_t i = 0; i < p->n; i++) {
        const size_t x = i % p->width, y = i / p->width;
        image[i] = 80.0f * sinf(0.05f * (float)x) * cosf(0.07f * (float)y)
                   + kit_uniform(kit, -40.0f, 40.0f);
    }
}

/* Runs a kernel whose result lies at `result`, and fetches that. */
static void launch(struct kit *kit, const char *kernel, struct picture *p, gsp_pointer *from,
                   gsp_pointer *result)
{
    int32_t width = (int32_t)p->width;
    const struct gsp_dim grid = { p->width / N, p->height / N, 1 }, block = { N, N, 1 };
    if (from) {
        KIT_LAUNCH(kit, kernel, grid, block, from, result, &width);
    } else {
        KIT_LAUNCH(kit, kernel, grid, block, result, &width);
    }
    kit_copy_out(kit, p->got, *result, p->bytes);
}

/* Each kernel is checked on what it was given: a coefficient half-way between two steps may be
 * rounded either way after sums in another order. */
static bool compare(struct kit *kit, struct picture *p, const float *image)
{
    gsp_pointer device_image = kit_alloc_copy(kit, image, p->bytes);
    gsp_pointer coefficients = kit_alloc(kit, p->bytes), result = kit_alloc(kit, p->bytes);
    launch(kit, "dct8x8_forward", p, &device_image, &coefficients);
    transform(p, image, false);
    if (!kit_check_floats(kit, "coefficient", p->got, p->expected, p->n, 1e-5, 1e-3)) {
        return false;
    }
    for (size_t i = 0; i < p->n; i++) {
        const float step = steps[i / p->width % N * N + i % p->width % N];
        p->expected[i] = rintf(p->got[i] / step) * step;
    }
    launch(kit, "dct8x8_quantise", p, NULL, &coefficients);
    if (!kit_check_floats(kit, "quantised", p->got, p->expected, p->n, 1e-6, 0.0)) {
        return false;
    }
    transform(p, p->got, true);
    launch(kit, "dct8x8_inverse", p, &coefficients, &result);
    return kit_check_floats(kit, "pixel", p->got, p->expected, p->n, 1e-5, 1e-3);
}

static bool run(struct kit *kit, enum workload_size size)
{
    struct picture p = { .width = sizes[size].width, .height = sizes[size].height };
    p.n = (size_t)p.width * p.height;
    p.bytes = p.n * sizeof(float);
    p.got = kit_host(kit, p.bytes);
    p.expected = kit_host(kit, p.bytes);
    float *image = kit_host(kit, p.bytes), basis[BLOCK];
    make(kit, &p, image);
    for (size_t i = 0; i < BLOCK; i++) {
        basis[i] = (float)p.cosine[i];
    }
    kit_copy_symbol(kit, "basis", basis, sizeof(basis));
    kit_copy_symbol(kit, "steps", steps, sizeof(steps));
    return compare(kit, &p, image);
}

const struct cuda_workload workload_dct8x8 = {
    .name = "dct8x8",
    .title = "cosine transform of an image in blocks, quantised, and back",
    .source = "Thesis Table 4.4 (DCT-K1, DCT-K2), ICC Table 3 (DCT)",
    .check = "every coefficient and pixel within 0.001, every quantised one as the CPU rounds",
    .run = run,
    .papers = SIZE_BIT(TH44) | SIZE_BIT(ICC),
};
