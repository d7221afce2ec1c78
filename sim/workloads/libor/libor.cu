/*
 * libor - Monte Carlo in the LIBOR market model: a thread follows a path of forward rates and
 * values a portfolio of swaptions on it.
 *
 *   libor_value_delta   grid paths / 64, block 64: value, and its derivative with respect to a
 *                       shift of all initial rates, by going back along the path (adjoint)
 *   libor_value         grid paths / 64, block 64: value alone
 *
 * Rates of a path are in local memory, those of all steps for the way back: 14,080 B and
 * 960 B a thread. Volatilities and swaptions are in constant memory.
 *
 * LIB of GPGPU-Sim's benchmarks: "LIB" in CLASO Table 2, 2 kernels, 256 CTAs of 64 threads in
 * all. Paper size: 128 CTAs each, 80 rates, 40 steps, 15 swaptions.
 */

#include "cuda.h"

#define MAX_RATES 80
#define MAX_STEPS 40
#define MAX_SWAPS 15
#define INTERVAL  0.25f /* of a rate, in years */

struct market {
    int rates, steps, swaps;
};

__constant__ float volatility[MAX_RATES];
__constant__ int maturity[MAX_SWAPS]; /* in intervals from the last step */
__constant__ float swap_rate[MAX_SWAPS];

/* One step: rates from `step` on change, the one before is fixed. */
static __device__ void advance(float *rate, int step, int rates, float normal)
{
    const float scaled = sqrtf(INTERVAL) * normal;
    float drift = 0.0f;

    for (int i = step + 1; i < rates; i++) {
        const float lambda = volatility[i - step - 1];
        const float c = INTERVAL * lambda;
        drift += c * rate[i] / (1.0f + INTERVAL * rate[i]);
        rate[i] *= expf(c * drift + lambda * (scaled - 0.5f * c));
    }
}

/* Value of the swaptions at the last step; with `adjoint` its derivative by each rate, too. */
static __device__ float portfolio(const float *rate, const struct market *market,
                                  float *adjoint)
{
    float bond[MAX_RATES], annuity[MAX_RATES];
    float b = 1.0f, s = 0.0f, value = 0.0f;

    for (int i = market->steps; i < market->rates; i++) {
        b /= 1.0f + INTERVAL * rate[i];
        s += INTERVAL * b;
        bond[i] = b;
        annuity[i] = s;
    }
    for (int k = 0; k < market->swaps; k++) {
        const int last = market->steps + maturity[k] - 1;
        const float swap = bond[last] + swap_rate[k] * annuity[last] - 1.0f;
        if (swap < 0.0f) {
            value -= 100.0f * swap;
        }
    }
    if (adjoint == 0) {
        return value;
    }

    float bond_bar = 0.0f, annuity_bar = 0.0f; /* derivatives by bond[i], annuity[i] */
    for (int i = market->rates - 1; i >= market->steps; i--) {
        for (int k = 0; k < market->swaps; k++) {
            if (market->steps + maturity[k] - 1 == i
                && bond[i] + swap_rate[k] * annuity[i] - 1.0f < 0.0f) {
                bond_bar -= 100.0f;
                annuity_bar -= 100.0f * swap_rate[k];
            }
        }
        const float total = bond_bar + INTERVAL * annuity_bar;
        const float growth = 1.0f + INTERVAL * rate[i];
        adjoint[i] = -total * bond[i] * INTERVAL / growth;
        bond_bar = total / growth;
    }
    return value;
}

/* From the last step to today, at the rates fixed on the way. */
static __device__ float discount(const float *rate, int steps)
{
    float factor = 1.0f;

    for (int i = 0; i < steps; i++) {
        factor /= 1.0f + INTERVAL * rate[i];
    }
    return factor;
}

/* The derivatives by the rates before a step from those by the rates after it. */
static __device__ void step_back(float *adjoint, const float *before, const float *after,
                                 int step, int rates)
{
    float drift_bar = 0.0f;

    for (int i = rates - 1; i > step; i--) {
        const float c = INTERVAL * volatility[i - step - 1];
        const float growth = 1.0f + INTERVAL * before[i];
        drift_bar += adjoint[i] * after[i] * c;
        adjoint[i] = adjoint[i] * after[i] / before[i] + drift_bar * c / (growth * growth);
    }
}

extern "C" __global__ void libor_value(const float *normals, const float *initial,
                                       float *values, struct market market)
{
    const int path = blockIdx.x * blockDim.x + threadIdx.x;
    const int paths = gridDim.x * blockDim.x;
    float rate[MAX_RATES];

    for (int i = 0; i < market.rates; i++) {
        rate[i] = initial[i];
    }
    for (int step = 0; step < market.steps; step++) {
        advance(rate, step, market.rates, normals[step * paths + path]);
    }
    values[path] = portfolio(rate, &market, 0) * discount(rate, market.steps);
}

extern "C" __global__ void libor_value_delta(const float *normals, const float *initial,
                                             float *values, float *deltas, struct market market)
{
    const int path = blockIdx.x * blockDim.x + threadIdx.x;
    const int paths = gridDim.x * blockDim.x;
    float rate[(MAX_STEPS + 1) * MAX_RATES]; /* a row a step */
    float adjoint[MAX_RATES];
    const float *last = rate + market.steps * market.rates;

    for (int i = 0; i < market.rates; i++) {
        rate[i] = initial[i];
    }
    for (int step = 0; step < market.steps; step++) {
        float *row = rate + step * market.rates;
        for (int i = 0; i < market.rates; i++) {
            row[market.rates + i] = row[i];
        }
        advance(row + market.rates, step, market.rates, normals[step * paths + path]);
    }
    const float value = portfolio(last, &market, adjoint);
    const float factor = discount(last, market.steps);
    values[path] = value * factor;

    for (int i = 0; i < market.steps; i++) {
        adjoint[i] = -value * factor * INTERVAL / (1.0f + INTERVAL * last[i]);
    }
    for (int i = market.steps; i < market.rates; i++) {
        adjoint[i] *= factor;
    }
    for (int step = market.steps - 1; step >= 0; step--) {
        const float *row = rate + step * market.rates;
        step_back(adjoint, row, row + market.rates, step, market.rates);
    }
    float delta = 0.0f;
    for (int i = 0; i < market.rates; i++) {
        delta += adjoint[i];
    }
    deltas[path] = delta;
}
