/* haar_wavelet, host part: a random signal; launches until one approximation is left. */

#include "workloads/workload_kit.h"

enum { THREADS = 512 };

/* Samples: powers of two. */
static const uint32_t lengths[] = {
    [SIZE_SMALL] = 8192,
    [SIZE_MEDIUM] = 1048576,
    [SIZE_PAPER] = 4194304,
    [SIZE_TH3] = 4194304,
};

/* Coefficient 0 is the approximation; the details of m pairs are at m .. 2m - 1. */
static void transform(float *signal, float *coefficients, size_t n)
{
    const double scale = 0.70710678118654752440;

    for (size_t m = n / 2; m > 0; m /= 2) {
        for (size_t i = 0; i < m; i++) {
            const double left = (double)signal[2 * i], right = (double)signal[2 * i + 1];
            coefficients[m + i] = (float)((left - right) * scale);
            signal[i] = (float)((left + right) * scale);
        }
    }
    coefficients[0] = signal[0];
}

static int32_t log2_of(uint32_t n)
{
    int32_t log = 0;
    while (n > 1) {
        n /= 2;
        log++;
    }
    return log;
}

/* Signal and approximation change places after a launch. */
static gsp_pointer launch_all(struct kit *kit, uint32_t n, gsp_pointer signal,
                              gsp_pointer details, gsp_pointer approximation)
{
    while (n > 1) {
        const uint32_t threads = n / 2 < THREADS ? n / 2 : THREADS;
        int32_t levels = log2_of(2 * threads);
        const struct gsp_dim grid = { n / (2 * threads), 1, 1 }, block = { threads, 1, 1 };
        KIT_LAUNCH(kit, "haar_levels", grid, block, &signal, &details, &approximation, &levels);
        const gsp_pointer swap = signal;
        signal = approximation;
        approximation = swap;
        n /= 2 * threads;
    }
    return signal;
}

static bool run(struct kit *kit, enum workload_size size)
{
    const size_t n = lengths[size], bytes = n * sizeof(float);
    float *signal = kit_host(kit, bytes), *expected = kit_host(kit, bytes);
    float *got = kit_host(kit, bytes);
    for (size_t i = 0; i < n; i++) {
        signal[i] = kit_uniform(kit, -1.0f, 1.0f);
    }
    gsp_pointer device = kit_alloc_copy(kit, signal, bytes);
    gsp_pointer details = kit_alloc(kit, bytes), approximation = kit_alloc(kit, bytes);
    transform(signal, expected, n);

    const gsp_pointer last = launch_all(kit, lengths[size], device, details, approximation);
    kit_copy_out(kit, got, details, bytes);
    kit_copy_out(kit, &got[0], last, sizeof(float));
    return kit_check_floats(kit, "coefficient", got, expected, n, 1e-5, 1e-5);
}

const struct cuda_workload workload_haar_wavelet = {
    .name = "haar_wavelet",
    .title = "the Haar wavelet transform of a signal",
    .source = "thesis Table 3.3 (DWT)",
    .check = "all coefficients within 1e-5",
    .run = run,
    .papers = SIZE_BIT(TH3),
};
