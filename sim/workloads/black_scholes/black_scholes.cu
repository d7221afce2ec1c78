/*
 * black_scholes - prices of European call and put options by the formula of Black and Scholes.
 *
 *   black_scholes_price   grid 240, block 128: threads stride over the options
 *
 * The CUDA SDK's BlackScholes: "BS" in CLASO Table 2 (2 launches of 128 threads, 480 CTAs in
 * all).
 */

#include "cuda.h"

/* The normal distribution's cumulative function, by a polynomial of degree five: within 1e-7.
 */
static __device__ float cumulative_normal(float d)
{
    const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    const float polynomial =
        k
        * (0.31938153f
           + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    const float upper = 0.39894228040143267794f * expf(-0.5f * d * d) * polynomial;
    return d > 0.0f ? 1.0f - upper : upper;
}

extern "C" __global__ void black_scholes_price(float *call, float *put, const float *price,
                                               const float *strike, const float *years,
                                               float interest, float volatility, int options)
{
    const int threads = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < options; i += threads) {
        const float s = price[i];
        const float x = strike[i];
        const float t = years[i];
        const float spread = volatility * sqrtf(t);
        const float d1 =
            (logf(s / x) + (interest + 0.5f * volatility * volatility) * t) / spread;
        const float d2 = d1 - spread;
        const float n1 = cumulative_normal(d1);
        const float n2 = cumulative_normal(d2);
        const float discounted = x * expf(-interest * t);
        call[i] = s * n1 - discounted * n2;
        put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
    }
}
