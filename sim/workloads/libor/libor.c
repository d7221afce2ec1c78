/*
 * libor, host part. The CPU follows each path in double precision, and with it the derivative
 * by a shift of all initial rates (tangents: forward, where the GPU goes back). Paths on which
 * a swap is worth next to nothing are not compared: their derivative depends on rounding.
 */

#include <math.h>

#include "workloads/workload_kit.h"

enum { MAX_RATES = 80, SWAPS = 15, THREADS = 64 };

static const struct {
    uint32_t ctas;
    int32_t rates, steps, swaps;
} sizes[] = {
    { 2, 16, 6, 5 }, { 16, 40, 16, 15 }, { 128, 80, 40, 15 }, [SIZE_CLASO] = { 128, 80, 40, 15 }
};

static const double interval = 0.25;

struct market {
    int32_t rates, steps, swaps;
};

struct contract {
    float volatility[MAX_RATES], swap_rate[SWAPS];
    int32_t maturity[SWAPS];
};

/* A number and its derivative. */
struct dual {
    double x, d;
};

/* Maturities spread over the rates that are left after the last step. */
static struct contract make_contract(struct kit *kit, const struct market *market)
{
    struct contract contract;
    const int32_t left = market->rates - market->steps;

    for (size_t i = 0; i < MAX_RATES; i++) {
        contract.volatility[i] = kit_uniform(kit, 0.15f, 0.25f);
    }
    for (int32_t k = 0; k < SWAPS; k++) {
        contract.maturity[k] = 1 + (k % market->swaps) * (left - 1) / (market->swaps - 1);
        contract.swap_rate[k] = 0.045f + 0.005f * (float)(k % 3);
    }
    return contract;
}

/* Box and Muller. */
static float normal(struct kit *kit)
{
    const double radius = sqrt(-2.0 * log(1.0 - (double)kit_uniform(kit, 0.0f, 0.999f)));
    return (float)(radius * cos(6.283185307179586 * (double)kit_uniform(kit, 0.0f, 1.0f)));
}

static void advance(const struct contract *contract, struct dual *rate, int32_t step,
                    int32_t rates, double number)
{
    struct dual drift = { 0.0, 0.0 };

    for (int32_t i = step + 1; i < rates; i++) {
        const double lambda = (double)contract->volatility[i - step - 1];
        const double c = interval * lambda, growth = 1.0 + interval * rate[i].x;
        drift.x += c * rate[i].x / growth;
        drift.d += c * rate[i].d / (growth * growth);
        const double factor = exp(c * drift.x + lambda * (sqrt(interval) * number - 0.5 * c));
        rate[i].d = factor * (rate[i].d + rate[i].x * c * drift.d);
        rate[i].x *= factor;
    }
}

/* Bond times 1 / (1 + interval * rate). */
static struct dual discounted(struct dual bond, struct dual rate)
{
    const double growth = 1.0 + interval * rate.x;
    return (struct dual){ bond.x / growth,
                          bond.d / growth - bond.x * interval * rate.d / (growth * growth) };
}

/* Value today; *close: a swap's worth is near 0. */
static struct dual portfolio(const struct contract *contract, const struct market *market,
                             const struct dual *rate, bool *close)
{
    struct dual bond = { 1.0, 0.0 }, annuity = { 0.0, 0.0 }, value = { 0.0, 0.0 };
    struct dual today = { 1.0, 0.0 };

    for (int32_t i = market->steps; i < market->rates; i++) {
        bond = discounted(bond, rate[i]);
        annuity.x += interval * bond.x;
        annuity.d += interval * bond.d;
        for (int32_t k = 0; k < market->swaps; k++) {
            const double fixed = (double)contract->swap_rate[k];
            const double swap = bond.x + fixed * annuity.x - 1.0;
            if (contract->maturity[k] != i - market->steps + 1) {
                continue;
            }
            *close = *close || fabs(swap) < 1e-5;
            if (swap < 0.0) {
                value.x -= 100.0 * swap;
                value.d -= 100.0 * (bond.d + fixed * annuity.d);
            }
        }
    }
    for (int32_t i = 0; i < market->steps; i++) {
        today = discounted(today, rate[i]);
    }
    return (struct dual){ value.x * today.x, value.d * today.x + value.x * today.d };
}

/* value and delta: two arrays of a number a path. Paths that are close get the GPU's delta. */
static void expect(const struct contract *contract, const struct market *market,
                   const float *initial, const float *normals, size_t paths, float *value,
                   float *delta, const float *got_delta)
{
    for (size_t path = 0; path < paths; path++) {
        struct dual rate[MAX_RATES] = { { 0.0, 0.0 } };
        bool close = false;
        for (int32_t i = 0; i < market->rates; i++) {
            rate[i] = (struct dual){ (double)initial[i], 1.0 };
        }
        for (int32_t step = 0; step < market->steps; step++) {
            advance(contract, rate, step, market->rates,
                    (double)normals[(size_t)step * paths + path]);
        }
        const struct dual worth = portfolio(contract, market, rate, &close);
        value[path] = (float)worth.x;
        delta[path] = close ? got_delta[path] : (float)worth.d;
    }
}

struct results {
    float *value, *value_alone, *delta;
};

static struct results launch(struct kit *kit, const struct contract *contract,
                             struct market market, const float *initial, const float *normals,
                             uint32_t ctas)
{
    const size_t paths = (size_t)ctas * THREADS, bytes = paths * sizeof(float);
    gsp_pointer numbers = kit_alloc_copy(kit, normals, bytes * (size_t)market.steps);
    gsp_pointer rates = kit_alloc_copy(kit, initial, (size_t)market.rates * sizeof(float));
    gsp_pointer value = kit_alloc(kit, bytes), alone = kit_alloc(kit, bytes);
    gsp_pointer delta = kit_alloc(kit, bytes);
    const struct gsp_dim grid = { ctas, 1, 1 }, block = { THREADS, 1, 1 };
    const struct results results = { kit_host(kit, bytes), kit_host(kit, bytes),
                                     kit_host(kit, bytes) };

    kit_copy_symbol(kit, "volatility", contract->volatility, sizeof(contract->volatility));
    kit_copy_symbol(kit, "maturity", contract->maturity, sizeof(contract->maturity));
    kit_copy_symbol(kit, "swap_rate", contract->swap_rate, sizeof(contract->swap_rate));
    KIT_LAUNCH(kit, "libor_value_delta", grid, block, &numbers, &rates, &value, &delta,
               &market);
    KIT_LAUNCH(kit, "libor_value", grid, block, &numbers, &rates, &alone, &market);
    kit_copy_out(kit, results.value, value, bytes);
    kit_copy_out(kit, results.value_alone, alone, bytes);
    kit_copy_out(kit, results.delta, delta, bytes);
    return results;
}

static bool run(struct kit *kit, enum workload_size size)
{
    const size_t paths = (size_t)sizes[size].ctas * THREADS;
    const struct market market = { sizes[size].rates, sizes[size].steps, sizes[size].swaps };
    const struct contract contract = make_contract(kit, &market);
    const size_t n = (size_t)market.steps * paths;
    float initial[MAX_RATES], *normals = kit_host(kit, n * sizeof(float));
    float *value = kit_host(kit, paths * sizeof(float));
    float *delta = kit_host(kit, paths * sizeof(float));
    for (size_t i = 0; i < MAX_RATES; i++) {
        initial[i] = kit_uniform(kit, 0.045f, 0.055f);
    }
    for (size_t i = 0; i < n; i++) {
        normals[i] = normal(kit);
    }
    const struct results got =
        launch(kit, &contract, market, initial, normals, sizes[size].ctas);
    expect(&contract, &market, initial, normals, paths, value, delta, got.delta);
    return kit_check_floats(kit, "value", got.value, value, paths, 1e-4, 1e-3)
           && kit_check_floats(kit, "value alone", got.value_alone, value, paths, 1e-4, 1e-3)
           && kit_check_floats(kit, "delta", got.delta, delta, paths, 1e-3, 1e-2);
}

const struct cuda_workload workload_libor = {
    .name = "libor",
    .title = "Monte Carlo of forward rates with a portfolio of swaptions",
    .source = "CLASO Table 2 (LIB)",
    .check = "values within 1e-4 + 0.001, derivatives within 1e-3 + 0.01",
    .run = run,
    .papers = SIZE_BIT(CLASO),
};
