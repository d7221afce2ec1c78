/* srad, host part: a smooth image with speckle; statistics of the whole image are the noise's.
 */

#include <math.h>

#include "workloads/workload_kit.h"

enum { BLOCK = 256 };

static const struct {
    uint32_t rows, columns, iterations;
} sizes[] = {
    [SIZE_SMALL] = { 40, 24, 2 },     [SIZE_MEDIUM] = { 256, 240, 2 },
    [SIZE_PAPER] = { 2048, 2048, 1 }, [SIZE_TH3] = { 2048, 2048, 1 },
    [SIZE_TH42] = { 2048, 2048, 1 },  [SIZE_TH44] = { 4096, 2048, 1 },
    [SIZE_ICC] = { 2048, 2048, 1 },
};

static const float lambda_of_update = 0.5f;

struct image {
    int32_t rows, columns, pixels;
    float *pixel;
    /* Host and device: the neighbouring rows and columns. */
    int32_t *to[4];
    gsp_pointer index[4];      /* north, south, west, east */
    gsp_pointer difference[4]; /* likewise */
    gsp_pointer image, sums, squares, coefficient;
};

enum { NORTH, SOUTH, WEST, EAST };

static struct gsp_dim grid_of(int32_t threads)
{
    return (struct gsp_dim){ ((uint32_t)threads + BLOCK - 1) / BLOCK, 1, 1 };
}

static const struct gsp_dim block = { BLOCK, 1, 1 };

static void make(struct kit *kit, struct image *im)
{
    const size_t bytes = (size_t)im->pixels * sizeof(float);
    im->pixel = kit_host(kit, bytes);
    for (int32_t i = 0; i < im->pixels; i++) {
        const int32_t row = i % im->rows, column = i / im->rows;
        const float bright = 60.0f * (float)row * (float)column / (float)im->pixels;
        im->pixel[i] = 100.0f + bright + kit_uniform(kit, -30.0f, 30.0f);
    }
    for (int d = 0; d < 4; d++) {
        const int32_t n = d == NORTH || d == SOUTH ? im->rows : im->columns;
        const int32_t step = d == NORTH || d == WEST ? -1 : 1;
        im->to[d] = kit_host(kit, (size_t)n * sizeof(int32_t));
        for (int32_t i = 0; i < n; i++) {
            im->to[d][i] = i + step < 0 || i + step >= n ? i : i + step;
        }
        im->index[d] = kit_alloc_copy(kit, im->to[d], (size_t)n * sizeof(int32_t));
        im->difference[d] = kit_alloc(kit, bytes);
    }
    im->image = kit_alloc_copy(kit, im->pixel, bytes);
    im->sums = kit_alloc(kit, bytes);
    im->squares = kit_alloc(kit, bytes);
    im->coefficient = kit_alloc(kit, bytes);
}

/* Square of the coefficient of variation, from the sums of pixels and of their squares. */
static float variation(double sum, double squares, int32_t pixels)
{
    const double mean = sum / pixels;
    return (float)((squares / pixels - mean * mean) / (mean * mean));
}

static float device_variation(struct kit *kit, struct image *im)
{
    KIT_LAUNCH(kit, "srad_prepare", grid_of(im->pixels), block, &im->image, &im->sums,
               &im->squares, &im->pixels);
    int32_t apart = 1;
    for (int32_t terms = im->pixels; terms > 1; terms = (terms + BLOCK - 1) / BLOCK) {
        KIT_LAUNCH(kit, "srad_reduce", grid_of(terms), block, &im->sums, &im->squares, &terms,
                   &apart);
        apart *= BLOCK;
    }
    float sum = 0.0f, squares = 0.0f;
    kit_copy_out(kit, &sum, im->sums, sizeof(sum));
    kit_copy_out(kit, &squares, im->squares, sizeof(squares));
    return variation((double)sum, (double)squares, im->pixels);
}

static void on_device(struct kit *kit, struct image *im, uint32_t iterations)
{
    const struct gsp_dim grid = grid_of(im->pixels);
    float lambda = lambda_of_update;
    KIT_LAUNCH(kit, "srad_extract", grid, block, &im->image, &im->pixels);
    for (uint32_t k = 0; k < iterations; k++) {
        float q0 = device_variation(kit, im);
        KIT_LAUNCH(kit, "srad_diffuse", grid, block, &im->index[NORTH], &im->index[SOUTH],
                   &im->index[WEST], &im->index[EAST], &im->difference[NORTH],
                   &im->difference[SOUTH], &im->difference[WEST], &im->difference[EAST], &q0,
                   &im->coefficient, &im->image, &im->rows, &im->pixels);
        KIT_LAUNCH(kit, "srad_update", grid, block, &lambda, &im->index[SOUTH],
                   &im->index[EAST], &im->difference[NORTH], &im->difference[SOUTH],
                   &im->difference[WEST], &im->difference[EAST], &im->coefficient, &im->image,
                   &im->rows, &im->pixels);
    }
    KIT_LAUNCH(kit, "srad_compress", grid, block, &im->image, &im->pixels);
}

static double neighbour(const struct image *im, const double *of, int32_t i, int d)
{
    const int32_t row = i % im->rows, column = i / im->rows;
    return d == NORTH || d == SOUTH ? of[im->to[d][row] + im->rows * column]
                                    : of[row + im->rows * im->to[d][column]];
}

static void host_coefficients(const struct image *im, const double *pixel, double *coefficient)
{
    double sum = 0.0, squares = 0.0;
    for (int32_t i = 0; i < im->pixels; i++) {
        sum += pixel[i];
        squares += pixel[i] * pixel[i];
    }
    const double q0 = (double)variation(sum, squares, im->pixels);
    for (int32_t i = 0; i < im->pixels; i++) {
        double gradient = 0.0, laplacian = 0.0;
        for (int d = 0; d < 4; d++) {
            const double step = (neighbour(im, pixel, i, d) - pixel[i]) / pixel[i];
            gradient += step * step;
            laplacian += step;
        }
        const double root = 1.0 + 0.25 * laplacian;
        const double q = (0.5 * gradient - laplacian * laplacian / 16.0) / (root * root);
        coefficient[i] = fmin(fmax(1.0 / (1.0 + (q - q0) / (q0 * (1.0 + q0))), 0.0), 1.0);
    }
}

static void host_iteration(const struct image *im, double *pixel, double *next,
                           double *coefficient)
{
    host_coefficients(im, pixel, coefficient);
    for (int32_t i = 0; i < im->pixels; i++) {
        double divergence = 0.0;
        for (int d = 0; d < 4; d++) {
            const double c =
                d == SOUTH || d == EAST ? neighbour(im, coefficient, i, d) : coefficient[i];
            divergence += c * (neighbour(im, pixel, i, d) - pixel[i]);
        }
        next[i] = pixel[i] + 0.25 * (double)lambda_of_update * divergence;
    }
    for (int32_t i = 0; i < im->pixels; i++) {
        pixel[i] = next[i];
    }
}

static bool run(struct kit *kit, enum workload_size size)
{
    const int32_t rows = (int32_t)sizes[size].rows, columns = (int32_t)sizes[size].columns;
    struct image im = { .rows = rows, .columns = columns, .pixels = rows * columns };
    make(kit, &im);
    on_device(kit, &im, sizes[size].iterations);

    const size_t n = (size_t)im.pixels;
    double *pixel = kit_host(kit, n * sizeof(double)),
           *next = kit_host(kit, n * sizeof(double));
    double *coefficient = kit_host(kit, n * sizeof(double));
    float *expected = kit_host(kit, n * sizeof(float)), *got = kit_host(kit, n * sizeof(float));
    for (size_t i = 0; i < n; i++) {
        pixel[i] = exp((double)im.pixel[i] / 255.0);
    }
    for (uint32_t k = 0; k < sizes[size].iterations; k++) {
        host_iteration(&im, pixel, next, coefficient);
    }
    for (size_t i = 0; i < n; i++) {
        expected[i] = (float)(log(pixel[i]) * 255.0);
    }
    kit_copy_out(kit, got, im.image, n * sizeof(float));
    return kit_check_floats(kit, "pixel", got, expected, n, 1e-5, 1e-3);
}

static const struct kit_registers registers[] = {
    { "srad_extract", 12, "thesis Table 4.2" },
    { "srad_prepare", 12, "thesis Table 4.2" },
    { "srad_reduce", 16, "thesis Table 4.2" },
    { "srad_diffuse", 20, "thesis Table 4.2" },
    { "srad_update", 20, "thesis Table 4.2" },
    { "srad_compress", 12, "thesis Table 4.2" },
    { NULL, 0, NULL },
};

const struct cuda_workload workload_srad = {
    .name = "srad",
    .title = "speckle reducing anisotropic diffusion of an image",
    .source = "Thesis Tables 3.2, 4.2 (SRAD-1 to SRAD-6), 4.4 (SRAD), ICC Table 3 (SRAD)",
    .check = "every pixel within 0.001 and 1e-5 of itself",
    .run = run,
    .papers = SIZE_BIT(TH3) | SIZE_BIT(TH42) | SIZE_BIT(TH44) | SIZE_BIT(ICC),
    .registers = registers,
};
