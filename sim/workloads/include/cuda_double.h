/*
 * cuda_double - double functions, and the names that CUDA overloads for float and double.
 *
 * Correctly rounded: sqrt, fabs, fmin, fmax, fma, floor, ceil, trunc, rint, round. To 2 units
 * in the last place: exp, log, sin, cos (of at most 2^30 in magnitude), tanh to 8, and pow to
 * 2 plus |y log2 x| / 50.
 */

#pragma once

#define CUDA_UNARY(name, builtin)       \
    CUDA_FUNCTION double name(double x) \
    {                                   \
        return builtin(x);              \
    }
CUDA_UNARY(sqrt, __nvvm_sqrt_rn_d)
CUDA_UNARY(__dsqrt_rn, __nvvm_sqrt_rn_d)
CUDA_UNARY(__drcp_rn, __nvvm_rcp_rn_d)
CUDA_UNARY(fabs, __builtin_fabs)
CUDA_UNARY(floor, __builtin_floor)
CUDA_UNARY(ceil, __builtin_ceil)
CUDA_UNARY(trunc, __builtin_trunc)
CUDA_UNARY(rint, __builtin_rint)
CUDA_UNARY(round, __builtin_round)
#undef CUDA_UNARY
CUDA_FUNCTION double fmin(double x, double y)
{
    return __builtin_fmin(x, y);
}
CUDA_FUNCTION double fmax(double x, double y)
{
    return __builtin_fmax(x, y);
}
CUDA_FUNCTION double copysign(double x, double y)
{
    return __builtin_copysign(x, y);
}
CUDA_FUNCTION double fma(double x, double y, double z)
{
    return __nvvm_fma_rn_d(x, y, z);
}
CUDA_FUNCTION double rsqrt(double x)
{
    return 1.0 / sqrt(x);
}
CUDA_FUNCTION bool isnan(double x)
{
    return x != x;
}
CUDA_FUNCTION bool isinf(double x)
{
    return fabs(x) == (double)INFINITY;
}

/* ---- Exponentials and logarithms ----------------------------------------------------- */

/* x * 2^n for n of -2044..2046, in two steps, since a result may be subnormal. */
CUDA_FUNCTION double cuda_scale(double x, int n)
{
    const int half = n >> 1;

    return x * __longlong_as_double((long long)(half + 1023) << 52)
           * __longlong_as_double((long long)(n - half + 1023) << 52);
}
/* (e^r - 1) / r: Taylor's series; what is left out is below 3e-18 for |r| <= 0.35. */
CUDA_FUNCTION double cuda_exp_series(double r)
{
    double p = 1.1470745597729725e-11;

    p = fma(p, r, 1.6059043836821613e-10);
    p = fma(p, r, 2.08767569878681e-09);
    p = fma(p, r, 2.505210838544172e-08);
    p = fma(p, r, 2.755731922398589e-07);
    p = fma(p, r, 2.7557319223985893e-06);
    p = fma(p, r, 2.48015873015873e-05);
    p = fma(p, r, 1.984126984126984e-04);
    p = fma(p, r, 1.388888888888889e-03);
    p = fma(p, r, 8.333333333333333e-03);
    p = fma(p, r, 4.1666666666666664e-02);
    p = fma(p, r, 1.6666666666666666e-01);
    p = fma(p, r, 0.5);
    return fma(p, r, 1.0);
}
/* e^(x + low), low small. */
CUDA_FUNCTION double cuda_exp(double x, double low)
{
    const double n = rint(fmin(fmax(x * 1.4426950408889634, -1200.0), 1200.0));
    double r = fma(n, -0.69314718055994528623, x);

    r = fma(n, -2.3190468138462995584e-17, r) + low;
    double p = fma(r, cuda_exp_series(r), 1.0);
    p = x > 800.0 ? (double)INFINITY : x < -800.0 ? 0.0 : p;
    return cuda_scale(p, (int)n);
}
CUDA_FUNCTION double exp(double x)
{
    return cuda_exp(x, 0.0);
}

/* As in cuda_float.h. */
struct cuda_log_double {
    double e, high, low;
};
CUDA_FUNCTION cuda_log_double cuda_log_of(double x)
{
    const bool tiny = x < 2.2250738585072014e-308;
    const long long bits = __double_as_longlong(tiny ? x * 18014398509481984.0 : x);
    const long long e = (bits - 0x3fe6a09e667f3bcdLL) >> 52;
    const double f = __longlong_as_double(bits - (e << 52)) - 1.0;
    const double d = 2.0 + f;
    const double d_low = f - (d - 2.0);
    const double s = f / d;
    const double s_low = (fma(-s, d, f) - s * d_low) / d;
    const double z = s * s;
    double p = 2.0 / 23.0; /* the next is 2e-18 */

    p = fma(p, z, 2.0 / 21.0);
    p = fma(p, z, 2.0 / 19.0);
    p = fma(p, z, 2.0 / 17.0);
    p = fma(p, z, 2.0 / 15.0);
    p = fma(p, z, 2.0 / 13.0);
    p = fma(p, z, 2.0 / 11.0);
    p = fma(p, z, 2.0 / 9.0);
    p = fma(p, z, 2.0 / 7.0);
    p = fma(p, z, 0.4);
    p = fma(p, z, 2.0 / 3.0);
    const double more = fma(s * z, p, 2.0 * s_low);
    const double high = fma(2.0, s, more);
    return cuda_log_double{ (double)(tiny ? e - 54 : e), high, (2.0 * s - high) + more };
}
CUDA_FUNCTION double log(double x)
{
    const cuda_log_double l = cuda_log_of(x);
    double result =
        fma(l.e, 0.69314718055994528623, l.high + fma(l.e, 2.3190468138462995584e-17, l.low));

    result = x == (double)INFINITY ? x : result;
    result = x == 0.0 ? -(double)INFINITY : result;
    return x < 0.0 || x != x ? (double)NAN : result;
}
CUDA_FUNCTION double log2(double x)
{
    return log(x) * 1.4426950408889634;
}
CUDA_FUNCTION double log10(double x)
{
    return log(x) * 0.43429448190325182;
}
CUDA_FUNCTION double pow(double x, double y)
{
    const double a = fabs(x);
    const cuda_log_double l = cuda_log_of(a);
    /* log a as sum + sum_low; then times y */
    const double whole = l.e * 0.69314718055994528623;
    const double whole_low = fma(l.e, 0.69314718055994528623, -whole);
    const double sum = whole + l.high;
    const double sum_low = (l.e == 0.0 ? 0.0 : l.high - (sum - whole)) + whole_low
                           + fma(l.e, 2.3190468138462995584e-17, l.low);
    const double high = y * sum;
    const double low = fma(y, sum, -high) + y * sum_low;
    const bool whole_y = rint(y) == y;
    const bool odd = whole_y && fabs(y) < 9007199254740992.0 && ((long long)y & 1) != 0;
    double result = cuda_exp(high, fabs(low) < 1.0 ? low : 0.0);

    if (a == 0.0 || isinf(a)) {
        result = (a == 0.0) == (y < 0.0) ? (double)INFINITY : 0.0;
    }
    result = isinf(y) ? ((a > 1.0) == (y > 0.0) ? (double)INFINITY : 0.0) : result;
    result = x < 0.0 && !isinf(x) && !whole_y ? (double)NAN : result;
    result = __double_as_longlong(x) < 0 && odd ? -result : result;
    result = x != x || y != y ? (double)NAN : result;
    return y == 0.0 || x == 1.0 || (x == -1.0 && isinf(y)) ? 1.0 : result;
}
CUDA_FUNCTION double tanh(double x)
{
    const double a = fabs(x);
    const double e = 2.0 * x * cuda_exp_series(2.0 * x); /* e^2x - 1, for small x */

    return a < 0.2 ? e / (e + 2.0) : copysign(1.0 - 2.0 / (exp(2.0 * a) + 1.0), x);
}

/* ---- Angles -------------------------------------------------------------------------- */

CUDA_FUNCTION double cuda_reduce(double x, int *quadrant)
{
    const double n = rint(x * 0.63661977236758134308);
    double r = fma(n, -1.570796326794896558, x);

    *quadrant = (int)((long long)n & 3);
    r = fma(n, -6.1232339957367660359e-17, r);
    return fma(n, 1.4973849050658729883e-33, r);
}
CUDA_FUNCTION double cuda_sine(double r, int n)
{
    const double z = r * r;
    double s = -7.5780901609226864184e-13; /* 2e-21 */
    double c = 4.7363053802339159971e-14;  /* 2e-23 */

    s = fma(s, z, 1.6058352428871255339e-10);
    s = fma(s, z, -2.5052104779095043735e-8);
    s = fma(s, z, 2.7557319213562224107e-6);
    s = fma(s, z, -1.9841269841253478229e-4);
    s = fma(s, z, 8.3333333333333207182e-3);
    s = fma(s, z, -1.6666666666666666e-1);
    s = fma(r * z, s, r);
    c = fma(c, z, -1.1470246973813003616e-11);
    c = fma(c, z, 2.0876753880061374355e-9);
    c = fma(c, z, -2.755731921269344388e-7);
    c = fma(c, z, 2.4801587301563195325e-5);
    c = fma(c, z, -1.388888888888885998e-3);
    c = fma(c, z, 4.1666666666666666e-2);
    c = fma(c, z, -0.5);
    c = fma(c, z, 1.0);
    const double value = (n & 1) != 0 ? c : s;
    return (n & 2) != 0 ? -value : value;
}
CUDA_FUNCTION double sin(double x)
{
    int n;
    const double r = cuda_reduce(x, &n);

    return cuda_sine(r, n);
}
CUDA_FUNCTION double cos(double x)
{
    int n;
    const double r = cuda_reduce(x, &n);

    return cuda_sine(r, n + 1);
}
CUDA_FUNCTION double tan(double x)
{
    int n;
    const double r = cuda_reduce(x, &n);

    return cuda_sine(r, n) / cuda_sine(r, n + 1);
}

/* ---- Overloads ----------------------------------------------------------------------- */

#define CUDA_OVERLOAD(name)           \
    CUDA_FUNCTION float name(float x) \
    {                                 \
        return name##f(x);            \
    }
CUDA_OVERLOAD(sqrt)
CUDA_OVERLOAD(rsqrt)
CUDA_OVERLOAD(fabs)
CUDA_OVERLOAD(floor)
CUDA_OVERLOAD(ceil)
CUDA_OVERLOAD(exp)
CUDA_OVERLOAD(log)
CUDA_OVERLOAD(log2)
CUDA_OVERLOAD(sin)
CUDA_OVERLOAD(cos)
CUDA_OVERLOAD(tan)
CUDA_OVERLOAD(tanh)
#undef CUDA_OVERLOAD
CUDA_FUNCTION float pow(float x, float y)
{
    return powf(x, y);
}
CUDA_FUNCTION float abs(float x)
{
    return fabsf(x);
}
CUDA_FUNCTION float min(float x, float y)
{
    return fminf(x, y);
}
CUDA_FUNCTION float max(float x, float y)
{
    return fmaxf(x, y);
}
CUDA_FUNCTION double min(double x, double y)
{
    return fmin(x, y);
}
CUDA_FUNCTION double max(double x, double y)
{
    return fmax(x, y);
}
