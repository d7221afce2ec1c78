/*
 * cuda_float - float functions.
 *
 * Correctly rounded: sqrtf, fabsf, fminf, fmaxf, fmaf, floorf, ceilf, truncf, rintf, roundf,
 * fmodf. To 2 units in the last place: expf, exp2f, logf, log2f, log10f, cbrtf, rsqrtf; to 5:
 * sinf, cosf, tanf (of at most 2^24 in magnitude), atanf, atan2f, asinf, acosf, tanhf, sinhf,
 * coshf, erff, erfcf, powf. Those whose names begin with __ are the fast, coarse ones.
 *
 * Polynomials are interpolations at Chebyshev nodes; their errors, relative, are noted.
 */

#pragma once

/* ---- Fast functions ------------------------------------------------------------------ */

#define CUDA_UNARY(name, builtin)     \
    CUDA_FUNCTION float name(float x) \
    {                                 \
        return builtin(x);            \
    }
CUDA_UNARY(cuda_ex2, __nvvm_ex2_approx_f)
CUDA_UNARY(cuda_lg2, __nvvm_lg2_approx_f)
CUDA_UNARY(__sinf, __nvvm_sin_approx_f)
CUDA_UNARY(__cosf, __nvvm_cos_approx_f)
CUDA_UNARY(__saturatef, __nvvm_saturate_f)
CUDA_UNARY(__frcp_rn, __nvvm_rcp_rn_f)
CUDA_UNARY(__fsqrt_rn, __nvvm_sqrt_rn_f)
CUDA_UNARY(__frsqrt_rn, __nvvm_rsqrt_approx_f)
CUDA_UNARY(rsqrtf, __nvvm_rsqrt_approx_f)
CUDA_UNARY(sqrtf, __nvvm_sqrt_rn_f)
CUDA_UNARY(fabsf, __builtin_fabsf)
CUDA_UNARY(floorf, __builtin_floorf)
CUDA_UNARY(ceilf, __builtin_ceilf)
CUDA_UNARY(truncf, __builtin_truncf)
CUDA_UNARY(rintf, __builtin_rintf)
CUDA_UNARY(nearbyintf, __builtin_rintf)
CUDA_UNARY(roundf, __builtin_roundf)
#undef CUDA_UNARY
#define CUDA_BINARY(name, builtin)             \
    CUDA_FUNCTION float name(float x, float y) \
    {                                          \
        return builtin(x, y);                  \
    }
CUDA_BINARY(__fdividef, __nvvm_div_approx_f)
CUDA_BINARY(__fadd_rn, __nvvm_add_rn_f)
CUDA_BINARY(__fmul_rn, __nvvm_mul_rn_f)
CUDA_BINARY(__fdiv_rn, __nvvm_div_rn_f)
CUDA_BINARY(fminf, __builtin_fminf)
CUDA_BINARY(fmaxf, __builtin_fmaxf)
CUDA_BINARY(copysignf, __builtin_copysignf)
#undef CUDA_BINARY
CUDA_FUNCTION float __fsub_rn(float x, float y)
{
    return __fadd_rn(x, -y);
}
CUDA_FUNCTION float fmaf(float x, float y, float z)
{
    return __nvvm_fma_rn_f(x, y, z);
}
CUDA_FUNCTION float __fmaf_rn(float x, float y, float z)
{
    return __nvvm_fma_rn_f(x, y, z);
}
CUDA_FUNCTION float __expf(float x)
{
    return cuda_ex2(x * 1.44269504f);
}
CUDA_FUNCTION float __exp10f(float x)
{
    return cuda_ex2(x * 3.32192809f);
}
CUDA_FUNCTION float __log2f(float x)
{
    return cuda_lg2(x);
}
CUDA_FUNCTION float __logf(float x)
{
    return cuda_lg2(x) * 0.693147181f;
}
CUDA_FUNCTION float __log10f(float x)
{
    return cuda_lg2(x) * 0.301029996f;
}
CUDA_FUNCTION float __powf(float x, float y)
{
    return cuda_ex2(y * cuda_lg2(x));
}
CUDA_FUNCTION float __tanf(float x)
{
    return __fdividef(__sinf(x), __cosf(x));
}
CUDA_FUNCTION bool isnan(float x)
{
    return x != x;
}
CUDA_FUNCTION bool isinf(float x)
{
    return fabsf(x) == INFINITY;
}
CUDA_FUNCTION bool isfinite(float x)
{
    return fabsf(x) < INFINITY;
}
CUDA_FUNCTION int __float2int_rn(float x)
{
    return __nvvm_f2i_rn(x);
}
CUDA_FUNCTION int __float2int_rz(float x)
{
    return __nvvm_f2i_rz(x);
}
CUDA_FUNCTION int __float2int_rd(float x)
{
    return __nvvm_f2i_rm(x);
}
CUDA_FUNCTION float __int2float_rn(int x)
{
    return (float)x;
}

/* ---- Exponentials and logarithms ----------------------------------------------------- */

/* x * 2^n for n of -252..254; in two steps, since a result may be subnormal. */
CUDA_FUNCTION float cuda_scale(float x, int n)
{
    const int half = n >> 1;

    return x * __int_as_float((half + 127) << 23) * __int_as_float((n - half + 127) << 23);
}
/* e^(x + low), low small. */
CUDA_FUNCTION float cuda_exp(float x, float low)
{
    const float n = rintf(fminf(fmaxf(x * 1.44269504f, -160.0f), 160.0f));
    float r = fmaf(n, -0.693147182f, x);

    r = fmaf(n, 1.90465421e-9f, r) + low;
    return cuda_scale(cuda_ex2(r * 1.44269504f), (int)n);
}
CUDA_FUNCTION float expf(float x)
{
    return cuda_exp(x, 0.0f);
}
CUDA_FUNCTION float exp2f(float x)
{
    return cuda_ex2(x);
}
CUDA_FUNCTION float exp10f(float x)
{
    const float high = x * 2.30258512f;
    const float low = fmaf(x, 2.30258512f, -high) - x * 3.19754e-8f;

    return cuda_exp(high, fabsf(x) < 1000.0f ? low : 0.0f);
}

/* log(x) of a positive finite x is e ln 2 + high + low. log(1 + f) is 2 atanh(f / (2 + f)). */
struct cuda_log {
    float e, high, low;
};
CUDA_FUNCTION cuda_log cuda_log_of(float x)
{
    const bool tiny = x < FLT_MIN;
    const int bits = __float_as_int(tiny ? x * 16777216.0f : x);
    const int e = (bits - 0x3f3504f3) >> 23; /* so that m is in sqrt(1/2)..sqrt(2) */
    const float f = __int_as_float(bits - (e << 23)) - 1.0f;
    const float d = 2.0f + f;
    const float d_low = f - (d - 2.0f);
    const float s = f / d;
    const float s_low = (fmaf(-s, d, f) - s * d_low) / d;
    const float z = s * s;
    float p = fmaf(z, 0.2222222f, 0.2857143f); /* 2/9, 2/7, ...: the next is 1e-9 */

    p = fmaf(z, p, 0.4f);
    p = fmaf(z, p, 0.6666667f);
    const float more = fmaf(s * z, p, 2.0f * s_low);
    const float high = fmaf(2.0f, s, more);
    return cuda_log{ (float)(tiny ? e - 24 : e), high, (2.0f * s - high) + more };
}
/* What a logarithm is of a number that is not positive and finite. */
CUDA_FUNCTION float cuda_log_edge(float x, float result)
{
    result = x == INFINITY ? x : result;
    result = x == 0.0f ? -INFINITY : result;
    return x < 0.0f || x != x ? NAN : result;
}
CUDA_FUNCTION float logf(float x)
{
    const cuda_log l = cuda_log_of(x);

    return cuda_log_edge(x,
                         fmaf(l.e, 0.693147182f, l.high + fmaf(l.e, -1.90465421e-9f, l.low)));
}
CUDA_FUNCTION float log2f(float x)
{
    const cuda_log l = cuda_log_of(x);

    return cuda_log_edge(
        x, l.e + fmaf(l.high, 1.44269502f, fmaf(l.high, 1.92596303e-8f, l.low * 1.442695f)));
}
CUDA_FUNCTION float log10f(float x)
{
    return log2f(x) * 0.301029996f;
}
CUDA_FUNCTION float log1pf(float x)
{
    const float u = 1.0f + x;

    return u == 1.0f || x == INFINITY ? x
           : u == 0.0f                ? -INFINITY
                                      : logf(u) + (x - (u - 1.0f)) / u;
}
CUDA_FUNCTION float powf(float x, float y)
{
    const float a = fabsf(x);
    const cuda_log l = cuda_log_of(a);
    /* y log2 a as high + low */
    const float log_high = l.high * 1.44269502f;
    const float log_low =
        fmaf(l.high, 1.44269502f, -log_high) + fmaf(l.high, 1.92596303e-8f, l.low * 1.442695f);
    const float sum = l.e + log_high;
    const float sum_low = (l.e == 0.0f ? 0.0f : log_high - (sum - l.e)) + log_low;
    const float high = fminf(fmaxf(y * sum, -300.0f), 300.0f);
    const float low = fmaf(y, sum, -(y * sum)) + y * sum_low;
    const float n = rintf(high);
    float result = cuda_scale(cuda_ex2((high - n) + (fabsf(low) < 1.0f ? low : 0.0f)), 0);

    result = cuda_scale(cuda_scale(result, (int)n >> 1), (int)n - ((int)n >> 1));
    const bool odd = fabsf(y) < 16777216.0f && rintf(y) == y && ((int)y & 1) != 0;
    if (a == 0.0f || a == INFINITY) {
        result = (a == 0.0f) == (y < 0.0f) ? INFINITY : 0.0f;
    }
    result = fabsf(y) == INFINITY ? ((a > 1.0f) == (y > 0.0f) ? INFINITY : 0.0f) : result;
    result = x < 0.0f && a < INFINITY && rintf(y) != y ? NAN : result;
    result = __float_as_int(x) < 0 && odd ? -result : result;
    result = x != x || y != y ? NAN : result;
    return y == 0.0f || x == 1.0f || (x == -1.0f && fabsf(y) == INFINITY) ? 1.0f : result;
}
CUDA_FUNCTION float cbrtf(float x)
{
    const bool tiny = fabsf(x) < 1e-30f; /* its cube would lose digits */
    const float a = tiny ? fabsf(x) * 0x1p96f : fabsf(x);
    const float y = cuda_ex2(cuda_lg2(a) * 0.333333333f);
    const float better = y - fmaf(y * y, y, -a) / (3.0f * y * y);

    return x == 0.0f || a == INFINITY || x != x
               ? x
               : copysignf(tiny ? better * 0x1p-32f : better, x);
}

/* ---- Angles -------------------------------------------------------------------------- */

/* x = r + n pi/2, |r| <= pi/4; returns r, n in *quadrant. */
CUDA_FUNCTION float cuda_reduce(float x, int *quadrant)
{
    const float n = rintf(x * 0.636619772f);

    *quadrant = (int)n;
    if (fabsf(x) > 48039.0f) { /* float does not suffice */
        const double whole = __builtin_rint((double)x * 0.63661977236758134308);
        *quadrant = (int)((long long)whole & 3);
        return (float)__nvvm_fma_rn_d(whole, -6.1232339957367660359e-17,
                                      __nvvm_fma_rn_d(whole, -1.570796326794896558, (double)x));
    }
    float r = fmaf(n, -1.57079637f, x);
    r = fmaf(n, 4.37113883e-8f, r);
    return fmaf(n, 1.71512451e-15f, r);
}
/* sin r, or cos r for odd n; the sign of quadrants 2 and 3. */
CUDA_FUNCTION float cuda_sine(float r, int n)
{
    const float z = r * r;
    float s = fmaf(z, 2.71734568e-6f, -1.98392022e-4f); /* 5e-12 */
    float c = fmaf(z, 2.43798313e-5f, -1.38866180e-3f); /* 7e-11 */

    s = fmaf(z, s, 8.33332878e-3f);
    s = fmaf(z, s, -0.166666667f);
    s = fmaf(r * z, s, r);
    c = fmaf(z, c, 4.16666167e-2f);
    c = fmaf(z, c, -0.5f);
    c = fmaf(z, c, 1.0f);
    const float value = (n & 1) != 0 ? c : s;
    return (n & 2) != 0 ? -value : value;
}
CUDA_FUNCTION float sinf(float x)
{
    int n;
    const float r = cuda_reduce(x, &n);

    return cuda_sine(r, n);
}
CUDA_FUNCTION float cosf(float x)
{
    int n;
    const float r = cuda_reduce(x, &n);

    return cuda_sine(r, n + 1);
}
CUDA_FUNCTION float tanf(float x)
{
    int n;
    const float r = cuda_reduce(x, &n);

    return cuda_sine(r, n) / cuda_sine(r, n + 1);
}
CUDA_FUNCTION void sincosf(float x, float *s, float *c)
{
    int n;
    const float r = cuda_reduce(x, &n);

    *s = cuda_sine(r, n);
    *c = cuda_sine(r, n + 1);
}
CUDA_FUNCTION void __sincosf(float x, float *s, float *c)
{
    *s = __sinf(x);
    *c = __cosf(x);
}
CUDA_FUNCTION float atanf(float x)
{
    const float a = fabsf(x);
    const bool large = a > 2.41421356f;
    const bool middle = a > 0.414213562f && !large;
    const float t = large ? -1.0f / a : middle ? (a - 1.0f) / (a + 1.0f) : a;
    const float z = t * t;
    float p = fmaf(z, 4.70734815e-2f, -8.45619289e-2f); /* 2e-11 */

    p = fmaf(z, p, 0.110404892f);
    p = fmaf(z, p, -0.142815888f);
    p = fmaf(z, p, 0.199998839f);
    p = fmaf(z, p, -0.333333321f);
    p = fmaf(t * z, p, t);
    return copysignf(large ? 1.57079637f + p : middle ? 0.785398163f + p : p, x);
}
CUDA_FUNCTION float atan2f(float y, float x)
{
    const float a = fabsf(x);
    const float b = fabsf(y);
    const float t = atanf(a == b ? (a == 0.0f ? 0.0f : 1.0f) : b / a);
    const float angle = __float_as_int(x) < 0 ? 3.14159274f - t : t;

    return x != x || y != y ? NAN : copysignf(angle, y);
}
CUDA_FUNCTION float asinf(float x)
{
    const float a = fabsf(x);
    const bool large = a > 0.5f;
    const float z = large ? 0.5f - 0.5f * a : a * a; /* sin^2 of half the angle's rest */
    const float t = large ? sqrtf(z) : a;
    float p = fmaf(z, 4.24173738e-2f, 2.39939997e-2f); /* 5e-9 */

    p = fmaf(z, p, 4.55206356e-2f);
    p = fmaf(z, p, 7.49469669e-2f);
    p = fmaf(z, p, 0.16666782f);
    p = fmaf(t * z, p, t);
    return copysignf(large ? 1.57079637f - 2.0f * p : p, x);
}
CUDA_FUNCTION float acosf(float x)
{
    /* near 1, where pi/2 - asin would cancel, 2 asin(sqrt((1 - x) / 2)) */
    return x > 0.5f ? 2.0f * asinf(sqrtf(0.5f - 0.5f * x)) : 1.57079637f - asinf(x);
}

/* ---- Hyperbolic, and errors ---------------------------------------------------------- */

CUDA_FUNCTION float tanhf(float x)
{
    const float a = fabsf(x);
    const float z = x * x;
    float p = fmaf(z, -6.23363349e-3f, 2.10382148e-2f); /* 1e-9 to 0.55 */

    p = fmaf(z, p, -5.38423192e-2f);
    p = fmaf(z, p, 0.133324565f);
    p = fmaf(z, p, -0.333333108f);
    p = fmaf(x * z, p, x);
    const float far = copysignf(1.0f - 2.0f / (expf(2.0f * a) + 1.0f), x);
    return a < 0.55f ? p : x != x ? x : far;
}
CUDA_FUNCTION float coshf(float x)
{
    const float half = 0.5f * cuda_exp(0.5f * fabsf(x), 0.0f);
    const float root = 2.0f * half;

    return fmaf(half, root, 0.5f / (root * root));
}
CUDA_FUNCTION float sinhf(float x)
{
    const float a = fabsf(x);
    const float root = expf(0.5f * a);
    const float z = x * x;
    const float near = fmaf(
        x * z,
        fmaf(z, fmaf(z, fmaf(z, 2.7557319e-6f, 1.9841270e-4f), 8.3333333e-3f), 0.166666667f),
        x);

    return a < 1.0f ? near : copysignf(fmaf(0.5f * root, root, -0.5f / (root * root)), x);
}
/* erfc(x) for x >= 0.2: u exp(-x^2) P(u), u = 1 / (1 + x/2); 2e-10. */
CUDA_FUNCTION float cuda_erfc(float x)
{
    const float u = 1.0f / fmaf(0.5f, x, 1.0f);
    const float square = x * x;
    float p = fmaf(u, 0.0604867257f, -0.318543341f);

    p = fmaf(u, p, 0.669565954f);
    p = fmaf(u, p, -0.664386751f);
    p = fmaf(u, p, 0.288038887f);
    p = fmaf(u, p, -0.134550706f);
    p = fmaf(u, p, 0.117280271f);
    p = fmaf(u, p, 0.170475966f);
    p = fmaf(u, p, 0.247488332f);
    p = fmaf(u, p, 0.28205188f);
    p = fmaf(u, p, 0.282096034f);
    return u * p * cuda_exp(-square, fmaf(-x, x, square));
}
CUDA_FUNCTION float erff(float x)
{
    const float a = fabsf(x);
    const float z = x * x;
    float p = fmaf(z, 7.87587506e-5f, -8.01686429e-4f); /* 1e-9 to 1 */

    p = fmaf(z, p, 5.18908742e-3f);
    p = fmaf(z, p, -2.6854212e-2f);
    p = fmaf(z, p, 0.112835947f);
    p = fmaf(z, p, -0.376126267f);
    p = fmaf(z, p, 0.128379166f); /* 2 / sqrt(pi) - 1 */
    return a < 1.0f   ? fmaf(x, p, x)
           : a < 5.0f ? copysignf(1.0f - cuda_erfc(a), x)
           : x != x   ? x
                      : copysignf(1.0f, x);
}
CUDA_FUNCTION float erfcf(float x)
{
    const float a = fabsf(x);

    if (a < 0.4f) {
        return 1.0f - erff(x);
    }
    const float tail = a > 10.1f ? 0.0f : cuda_erfc(a);
    return x != x ? x : x < 0.0f ? 2.0f - tail : tail;
}

/* ---- Remainder ----------------------------------------------------------------------- */

/* Exact: long division, a bit of the quotient at a time. */
CUDA_FUNCTION float fmodf(float x, float y)
{
    const float b = fabsf(y);
    float a = fabsf(x);
    float step = b;

    if (!(a < INFINITY) || !(b > 0.0f)) {
        return NAN;
    }
    while (step <= a * 0.5f) {
        step *= 2.0f;
    }
    while (step >= b && a >= b) {
        a = a >= step ? a - step : a;
        step *= 0.5f;
    }
    return copysignf(a, x);
}
CUDA_FUNCTION float ldexpf(float x, int n)
{
    const int clamped = min(max(n, -300), 300);
    const int half = clamped / 2;

    return cuda_scale(cuda_scale(x, half), clamped - half);
}
