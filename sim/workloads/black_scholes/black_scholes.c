/* black_scholes, host part: two launches over random options. */

#include <math.h>

#include "workloads/workload_kit.h"

enum { BLOCK = 128, LAUNCHES = 2 };

static const struct {
    uint32_t grid, options;
} sizes[] = {
    [SIZE_SMALL] = { 8, 3000 },
    [SIZE_MEDIUM] = { 240, 240000 },
    [SIZE_PAPER] = { 240, 1000000 },
    [SIZE_CLASO] = { 240, 1000000 },
};

static const float interest = 0.02f, volatility = 0.30f;

struct options {
    size_t n;
    float *price, *strike, *years;
};

static void make(struct kit *kit, struct options *o)
{
    o->price = kit_host(kit, o->n * sizeof(float));
    o->strike = kit_host(kit, o->n * sizeof(float));
    o->years = kit_host(kit, o->n * sizeof(float));
    for (size_t i = 0; i < o->n; i++) {
        o->price[i] = kit_uniform(kit, 5.0f, 30.0f);
        o->strike[i] = kit_uniform(kit, 1.0f, 100.0f);
        o->years[i] = kit_uniform(kit, 0.25f, 10.0f);
    }
}

/* By the error function, not the kernel's polynomial. */
static double cumulative_normal(double d)
{
    return 0.5 * erfc(-d / sqrt(2.0));
}

static void expect(const struct options *o, float *call, float *put)
{
    const double r = (double)interest, v = (double)volatility;
    for (size_t i = 0; i < o->n; i++) {
        const double s = (double)o->price[i], x = (double)o->strike[i];
        const double t = (double)o->years[i];
        const double d1 = (log(s / x) + (r + 0.5 * v * v) * t) / (v * sqrt(t));
        const double d2 = d1 - v * sqrt(t);
        const double discounted = x * exp(-r * t);
        call[i] = (float)(s * cumulative_normal(d1) - discounted * cumulative_normal(d2));
        put[i] = (float)(discounted * cumulative_normal(-d2) - s * cumulative_normal(-d1));
    }
}

static bool run(struct kit *kit, enum workload_size size)
{
    struct options o = { .n = sizes[size].options };
    const size_t bytes = o.n * sizeof(float);
    make(kit, &o);
    gsp_pointer price = kit_alloc_copy(kit, o.price, bytes);
    gsp_pointer strike = kit_alloc_copy(kit, o.strike, bytes);
    gsp_pointer years = kit_alloc_copy(kit, o.years, bytes);
    gsp_pointer call = kit_alloc(kit, bytes), put = kit_alloc(kit, bytes);
    float rate = interest, spread = volatility;
    int32_t n = (int32_t)o.n;
    const struct gsp_dim grid = { sizes[size].grid, 1, 1 }, block = { BLOCK, 1, 1 };
    for (int i = 0; i < LAUNCHES; i++) {
        KIT_LAUNCH(kit, "black_scholes_price", grid, block, &call, &put, &price, &strike,
                   &years, &rate, &spread, &n);
    }

    float *got = kit_host(kit, bytes), *put_got = kit_host(kit, bytes);
    float *expected = kit_host(kit, bytes), *put_expected = kit_host(kit, bytes);
    expect(&o, expected, put_expected);
    kit_copy_out(kit, got, call, bytes);
    kit_copy_out(kit, put_got, put, bytes);
    return kit_check_floats(kit, "call", got, expected, o.n, 1e-5, 1e-4)
           && kit_check_floats(kit, "put", put_got, put_expected, o.n, 1e-5, 1e-4);
}

static const struct kit_registers registers[] = {
    { "black_scholes_price", 32, "CLASO Table 2: 8 CTAs per core" },
    { NULL, 0, NULL },
};

const struct cuda_workload workload_black_scholes = {
    .name = "black_scholes",
    .title = "prices of European options by a closed formula",
    .source = "CLASO Table 2 (BS)",
    .check = "every call and put within 1e-4, against the error function in double",
    .run = run,
    .papers = SIZE_BIT(CLASO),
    .registers = registers,
};
