/* monte_carlo, host part: random options, samples by the method of Box and Muller. */

#include <math.h>

#include "workloads/workload_kit.h"

enum { BLOCK = 256, PART = 128 };

static const struct {
    uint32_t options, paths; /* paths: even */
    uint32_t parts; /* of an option, which a second kernel adds up; 0: it has one CTA */
} sizes[] = {
    [SIZE_SMALL] = { 6, 3000, 0 },     [SIZE_MEDIUM] = { 128, 16384, 0 },
    [SIZE_PAPER] = { 2048, 16384, 0 }, [SIZE_CLASO] = { 128, 16384, 2 },
    [SIZE_TH3] = { 2048, 16384, 0 },
};

struct option {
    float start, strike, drift, spread;
};

static void make_options(struct kit *kit, struct option *options, size_t n)
{
    const float interest = 0.06f, volatility = 0.10f;
    for (size_t i = 0; i < n; i++) {
        const float years = kit_uniform(kit, 1.0f, 5.0f);
        options[i].start = kit_uniform(kit, 20.0f, 50.0f);
        options[i].strike = options[i].start * kit_uniform(kit, 0.8f, 1.2f);
        options[i].drift = (interest - 0.5f * volatility * volatility) * years;
        options[i].spread = volatility * sqrtf(years);
    }
}

static void make_samples(struct kit *kit, float *samples, size_t n)
{
    for (size_t i = 0; i < n; i += 2) {
        const float radius = sqrtf(-2.0f * logf(1.0f - kit_uniform(kit, 0.0f, 1.0f)));
        const float angle = kit_uniform(kit, 0.0f, 6.2831853f);
        samples[i] = radius * cosf(angle);
        samples[i + 1] = radius * sinf(angle);
    }
}

static void expect(const struct option *o, const float *samples, size_t paths, float *mean,
                   float *deviation)
{
    double sum = 0.0, square = 0.0;
    for (size_t i = 0; i < paths; i++) {
        const double end =
            (double)o->start * exp((double)o->drift + (double)o->spread * (double)samples[i]);
        const double gain = fmax(end - (double)o->strike, 0.0);
        sum += gain;
        square += gain * gain;
    }
    sum /= (double)paths;
    *mean = (float)sum;
    *deviation = (float)sqrt(square / (double)paths - sum * sum);
}

struct on_device {
    gsp_pointer options, samples, means, deviations;
};

static void price(struct kit *kit, struct on_device *d, uint32_t options, int32_t paths)
{
    const struct gsp_dim grid = { options, 1, 1 }, block = { BLOCK, 1, 1 };

    KIT_LAUNCH(kit, "monte_carlo_price", grid, block, &d->options, &d->samples, &paths,
               &d->means, &d->deviations);
}

static void price_in_parts(struct kit *kit, struct on_device *d, uint32_t options,
                           int32_t paths, uint32_t parts)
{
    const struct gsp_dim grid = { parts, options, 1 }, block = { PART, 1, 1 };
    const struct gsp_dim whole = { options, 1, 1 }, wide = { BLOCK, 1, 1 };
    int32_t n = (int32_t)(parts * PART);
    gsp_pointer partial = kit_alloc(kit, 2 * sizeof(float) * options * parts * PART);

    KIT_LAUNCH(kit, "monte_carlo_partial", grid, block, &d->options, &d->samples, &paths,
               &partial);
    KIT_LAUNCH(kit, "monte_carlo_reduce", whole, wide, &partial, &n, &paths, &d->means,
               &d->deviations);
}

static bool run(struct kit *kit, enum workload_size size)
{
    const size_t n = sizes[size].options, bytes = n * sizeof(float);
    struct option *options = kit_host(kit, n * sizeof(struct option));
    float *samples = kit_host(kit, sizes[size].paths * sizeof(float));
    make_options(kit, options, n);
    make_samples(kit, samples, sizes[size].paths);

    struct on_device device;
    device.options = kit_alloc_copy(kit, options, n * sizeof(struct option));
    device.samples = kit_alloc_copy(kit, samples, sizes[size].paths * sizeof(float));
    device.means = kit_alloc(kit, bytes);
    device.deviations = kit_alloc(kit, bytes);
    if (sizes[size].parts == 0u) {
        price(kit, &device, sizes[size].options, (int32_t)sizes[size].paths);
    } else {
        price_in_parts(kit, &device, sizes[size].options, (int32_t)sizes[size].paths,
                       sizes[size].parts);
    }

    float *mean = kit_host(kit, bytes), *deviation = kit_host(kit, bytes);
    float *mean_got = kit_host(kit, bytes), *deviation_got = kit_host(kit, bytes);
    for (size_t i = 0; i < n; i++) {
        expect(&options[i], samples, sizes[size].paths, &mean[i], &deviation[i]);
    }
    kit_copy_out(kit, mean_got, device.means, bytes);
    kit_copy_out(kit, deviation_got, device.deviations, bytes);
    return kit_check_floats(kit, "mean", mean_got, mean, n, 1e-5, 1e-5)
           && kit_check_floats(kit, "deviation", deviation_got, deviation, n, 1e-4, 1e-4);
}

static const struct kit_registers registers[] = {
    { "monte_carlo_reduce", 21, "CLASO Table 2: 5 CTAs per core" },
    { NULL, 0, NULL },
};

const struct cuda_workload workload_monte_carlo = {
    .name = "monte_carlo",
    .title = "option prices as means over random paths",
    .source = "Thesis Table 3.3 (MCO), CLASO Table 2 (MC, in parts)",
    .check = "means within 1e-5, standard deviations within 1e-4",
    .run = run,
    .papers = SIZE_BIT(CLASO) | SIZE_BIT(TH3),
    .registers = registers,
};
