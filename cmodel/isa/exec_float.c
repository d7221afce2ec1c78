/*
 * exec_float - single and double precision, bit-exact as IEEE 754 and PTX say: NaN results of
 * single precision are 0x7fffffff, .ftz flushes subnormal inputs and results to a zero of their
 * sign. Approximate functions are computed in double and rounded once, which is nearer than
 * PTX asks for.
 *
 * Rounding to nearest runs vectorised, with a fused multiply-add of the host where it has one;
 * the directed roundings set the host's mode and run lane by lane. Compiled with
 * -frounding-math -ffp-contract=off.
 */

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "exec_lanes.h"

#define VECTOR __attribute__((target_clones("fma", "default")))

static inline float from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline float flush(float x, bool on)
{
    return on && fabsf(x) < 0x1p-126f ? copysignf(0.0f, x) : x;
}
/* A result as PTX gives it. */
static inline float finish(float x, bool ftz, bool saturate)
{
    x = flush(x, ftz);
    x = x != x ? from_bits(0x7fffffffu) : x;
    return saturate ? (x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f) : x;
}

/* ---- Single precision
 * ------------------------------------------------------------------------------ */

#define SINGLE_BEGIN(name)                                                   \
    VECTOR HANDLER(name)                                                     \
    {                                                                        \
        const row_float *const a = SOURCE(row_float, 0);                     \
        const row_float *const b = i->n_src > 1u ? SOURCE(row_float, 1) : a; \
        const row_float *const c = i->n_src > 2u ? SOURCE(row_float, 2) : a; \
        row_float *const d = RESULT(row_float, 0);                           \
        const bool ftz = (i->flags & FLAG_FTZ) != 0u, sat = (i->flags & FLAG_SAT) != 0u;
#define SINGLE(name, expression)                                                      \
    SINGLE_BEGIN(name)                                                                \
    (void)b, (void)c;                                                                 \
    for (uint32_t l = 0u; l < LANES; l++) {                                           \
        const float x = flush(a[l], ftz), y = flush(b[l], ftz), z = flush(c[l], ftz); \
        (void)y, (void)z;                                                             \
        const float value = finish(expression, ftz, sat);                             \
        d[l] = ON(l) ? value : d[l];                                                  \
    }                                                                                 \
    }

/* One NaN: the other operand; -0 is below +0. */
static inline float lesser(float x, float y)
{
    return x != x ? y : y != y ? x : x < y || (x == y && signbit(x) != 0) ? x : y;
}
static inline float greater(float x, float y)
{
    return x != x ? y : y != y ? x : x > y || (x == y && signbit(x) == 0) ? x : y;
}
SINGLE(add_f32, x + y)
SINGLE(sub_f32, x - y)
SINGLE(mul_f32, x *y)
SINGLE(fma_f32, __builtin_fmaf(x, y, z))
SINGLE(div_f32, x / y)
SINGLE(rcp_f32, 1.0f / x)
SINGLE(sqrt_f32, sqrtf(x))
SINGLE(min_f32, lesser(x, y))
SINGLE(max_f32, greater(x, y))
SINGLE(rsqrt_f32, (float)(1.0 / sqrt((double)x)))
SINGLE(sin_f32, (float)sin((double)x))
SINGLE(cos_f32, (float)cos((double)x))
SINGLE(lg2_f32, (float)log2((double)x))
SINGLE(ex2_f32, (float)exp2((double)x))
SINGLE(tanh_f32, (float)tanh((double)x))

/* Signs are bits: NaNs keep their payload. */
#define SIGN32 0x80000000u
static inline uint32_t flush_bits(uint32_t x, const struct ptx_inst *i)
{
    return (i->flags & FLAG_FTZ) != 0u && (x & 0x7f800000u) == 0u ? x & SIGN32 : x;
}
ALU1(abs_f32, row32, row32, flush_bits(x, i) & ~SIGN32)
ALU1(neg_f32, row32, row32, flush_bits(x, i) ^ SIGN32)
ALU2(copysign_f32, row32, row32, row32, (x & SIGN32) | (y & ~SIGN32))

/* ---- Double precision
 * --------------------------------------------------------------------------------- */

#define DOUBLE(name, expression)                                               \
    VECTOR HANDLER(name)                                                       \
    {                                                                          \
        const row_double *const a = SOURCE(row_double, 0);                     \
        const row_double *const b = i->n_src > 1u ? SOURCE(row_double, 1) : a; \
        const row_double *const c = i->n_src > 2u ? SOURCE(row_double, 2) : a; \
        row_double *const d = RESULT(row_double, 0);                           \
        for (uint32_t l = 0u; l < LANES; l++) {                                \
            const double x = a[l], y = b[l], z = c[l];                         \
            (void)y, (void)z;                                                  \
            const double value = (expression);                                 \
            d[l] = ON(l) ? value : d[l];                                       \
        }                                                                      \
    }
static inline double lesser_double(double x, double y)
{
    return x != x ? y : y != y ? x : x < y || (x == y && signbit(x) != 0) ? x : y;
}
static inline double greater_double(double x, double y)
{
    return x != x ? y : y != y ? x : x > y || (x == y && signbit(x) == 0) ? x : y;
}
DOUBLE(add_f64, x + y)
DOUBLE(sub_f64, x - y)
DOUBLE(mul_f64, x *y)
DOUBLE(fma_f64, __builtin_fma(x, y, z))
DOUBLE(div_f64, x / y)
DOUBLE(rcp_f64, 1.0 / x)
DOUBLE(sqrt_f64, sqrt(x))
DOUBLE(rsqrt_f64, 1.0 / sqrt(x))
DOUBLE(min_f64, lesser_double(x, y))
DOUBLE(max_f64, greater_double(x, y))
#define SIGN64 UINT64_C(0x8000000000000000)
ALU1(abs_f64, row64, row64, x & ~SIGN64)
ALU1(neg_f64, row64, row64, x ^ SIGN64)
ALU2(copysign_f64, row64, row64, row64, (x & SIGN64) | (y & ~SIGN64))

/* ---- Directed roundings
 * ---------------------------------------------------------------------------------- */

static double directed_double(uint32_t op, double a, double b, double c)
{
    const volatile double x = a, y = b, z = c;
    switch (op) {
    case PTX_ADD:
        return x + y;
    case PTX_SUB:
        return x - y;
    case PTX_MUL:
        return x * y;
    case PTX_DIV:
        return x / y;
    case PTX_RCP:
        return 1.0 / x;
    case PTX_SQRT:
        return sqrt(x);
    default:
        return fma(x, y, z);
    }
}
static float directed_single(uint32_t op, float a, float b, float c)
{
    const volatile float x = a, y = b, z = c;
    switch (op) {
    case PTX_ADD:
        return x + y;
    case PTX_SUB:
        return x - y;
    case PTX_MUL:
        return x * y;
    case PTX_DIV:
        return x / y;
    case PTX_RCP:
        return 1.0f / x;
    case PTX_SQRT:
        return sqrtf(x);
    default:
        return fmaf(x, y, z);
    }
}

SINGLE_BEGIN(directed_f32)
const int before = fegetround();
(void)fesetround(host_rounding(i->round));
for (uint32_t l = 0u; l < LANES; l++) {
    if (ON(l)) {
        d[l] =
            finish(directed_single(i->op, flush(a[l], ftz), flush(b[l], ftz), flush(c[l], ftz)),
                   ftz, sat);
    }
}
(void)fesetround(before);
}
HANDLER(directed_f64)
{
    const row_double *const a = SOURCE(row_double, 0);
    const row_double *const b = i->n_src > 1u ? SOURCE(row_double, 1) : a;
    const row_double *const c = i->n_src > 2u ? SOURCE(row_double, 2) : a;
    row_double *const d = RESULT(row_double, 0);
    const int before = fegetround();
    (void)fesetround(host_rounding(i->round));
    for (uint32_t l = 0u; l < LANES; l++) {
        if (ON(l)) {
            d[l] = directed_double(i->op, a[l], b[l], c[l]);
        }
    }
    (void)fesetround(before);
}

/* ---- Choice
 * ------------------------------------------------------------------------------------------------
 */

/* [op] for single and double; those of the first group have directed roundings. */
static const struct {
    uint8_t op;
    bool rounds;
    exec_handler *single, *wide;
} operations[] = {
    { PTX_ADD, true, add_f32, add_f64 },
    { PTX_SUB, true, sub_f32, sub_f64 },
    { PTX_MUL, true, mul_f32, mul_f64 },
    { PTX_FMA, true, fma_f32, fma_f64 },
    { PTX_MAD, true, fma_f32, fma_f64 },
    { PTX_DIV, true, div_f32, div_f64 },
    { PTX_RCP, true, rcp_f32, rcp_f64 },
    { PTX_SQRT, true, sqrt_f32, sqrt_f64 },
    { PTX_MIN, false, min_f32, min_f64 },
    { PTX_MAX, false, max_f32, max_f64 },
    { PTX_ABS, false, abs_f32, abs_f64 },
    { PTX_NEG, false, neg_f32, neg_f64 },
    { PTX_RSQRT, false, rsqrt_f32, rsqrt_f64 },
    { PTX_COPYSIGN, false, copysign_f32, copysign_f64 },
    { PTX_SIN, false, sin_f32, NULL },
    { PTX_COS, false, cos_f32, NULL },
    { PTX_LG2, false, lg2_f32, NULL },
    { PTX_EX2, false, ex2_f32, NULL },
    { PTX_TANH, false, tanh_f32, NULL },
};

exec_handler *alu_float(const struct ptx_inst *i)
{
    const bool directed = host_rounding(i->round) != FE_TONEAREST;
    for (size_t k = 0u; k < sizeof operations / sizeof operations[0]; k++) {
        if (operations[k].op == i->op) {
            if (directed && operations[k].rounds) {
                return i->type == PTX_F64 ? directed_f64 : directed_f32;
            }
            return i->type == PTX_F64 ? operations[k].wide : operations[k].single;
        }
    }
    return NULL;
}
