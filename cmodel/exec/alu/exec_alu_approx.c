/*
 * exec_alu_approx - approximations, which are better than PTX asks for: computed in double and
 * rounded once to nearest. Special values are those that PTX lists.
 */

#include <math.h>

#include "exec/alu/exec_alu.h"

/* Divisors above 2^126 are too large for the reciprocal that div.approx multiplies by. */
static inline float divide(float a, float b)
{
    const float magnitude = alu_float(alu_float_bits(b) & ~ALU_SIGN32);
    const bool large = magnitude > 0x1p126f && magnitude <= 0x1.fffffep127f;
    return large ? a * alu_float(alu_float_bits(b) & ALU_SIGN32) : a / b;
}

#define APPROXIMATE(op, n, ...)                              \
    ALU_DEFINE(op##_F32, n, F32, F32, F32, F32, __VA_ARGS__) \
    ALU_DEFINE(op##_F32F, n, F32F, F32F, F32F, F32F, __VA_ARGS__)
APPROXIMATE(div_approx, 2, divide(a, b))
APPROXIMATE(div_full, 2, a / b)
APPROXIMATE(rcp, 1, 1.0f / a)
APPROXIMATE(sqrt, 1, sqrtf(a))
APPROXIMATE(rsqrt, 1, (float)(1.0 / sqrt((double)a)))
APPROXIMATE(sin, 1, (float)sin((double)a))
APPROXIMATE(cos, 1, (float)cos((double)a))
APPROXIMATE(lg2, 1, (float)log2((double)a))
APPROXIMATE(ex2, 1, (float)exp2((double)a))
ALU_1(tanh_F32, F32, F32, (float)tanh((double)a))
ALU_1(rsqrt_F64, F64, F64, alu_choose_nan(1.0 / sqrt(a), a, a, a))

/* .ftz.f64 reads and writes the upper 32 bits only. */
static inline double upper(double x)
{
    const uint64_t bits = alu_double_bits(x) & UINT64_C(0xffffffff00000000);
    return alu_double((bits & ALU_INFINITY64) == 0u ? bits & ALU_SIGN64 : bits);
}
/* There is one NaN; an operand whose payload is in the lower half alone counts as infinity. */
static inline double upper_of(double result)
{
    return result == result ? upper(result) : alu_double(UINT64_C(0x7fffffff00000000));
}
ALU_1(rcp_upper, F64, F64, upper_of(1.0 / upper(a)))
ALU_1(rsqrt_upper, F64, F64, upper_of(1.0 / sqrt(upper(a))))

static const struct {
    uint8_t op, round;
    exec_handler *plain, *flushing;
} single[] = {
    { PTX_DIV, ROUND_APPROX, div_approx_F32, div_approx_F32F },
    { PTX_DIV, ROUND_FULL, div_full_F32, div_full_F32F },
    { PTX_RCP, ROUND_APPROX, rcp_F32, rcp_F32F },
    { PTX_SQRT, ROUND_APPROX, sqrt_F32, sqrt_F32F },
    { PTX_RSQRT, ROUND_APPROX, rsqrt_F32, rsqrt_F32F },
    { PTX_SIN, ROUND_APPROX, sin_F32, sin_F32F },
    { PTX_COS, ROUND_APPROX, cos_F32, cos_F32F },
    { PTX_LG2, ROUND_APPROX, lg2_F32, lg2_F32F },
    { PTX_EX2, ROUND_APPROX, ex2_F32, ex2_F32F },
    { PTX_TANH, ROUND_APPROX, tanh_F32, NULL },
};

static exec_handler *large(const struct ptx_inst *i)
{
    const bool flush = i->flags == FLAG_FTZ;
    if (i->round != ROUND_APPROX || (i->flags & ~FLAG_FTZ) != 0u) {
        return NULL;
    }
    switch (i->op) {
    case PTX_RCP:
        return flush ? rcp_upper : NULL;
    case PTX_RSQRT:
        return flush ? rsqrt_upper : rsqrt_F64;
    default:
        return NULL;
    }
}

exec_handler *exec_alu_approx(const struct ptx_inst *i, const char **why)
{
    *why = "allowed: .approx of div, rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh of .f32, .full "
           "of div; .ftz but for tanh; rcp.approx.ftz, rsqrt.approx, rsqrt.approx.ftz of .f64";
    if (i->type == PTX_F64) {
        return large(i);
    }
    for (size_t k = 0u; i->type == PTX_F32 && k < sizeof single / sizeof single[0]; k++) {
        if (single[k].op == i->op && single[k].round == i->round) {
            return i->flags == FLAG_FTZ ? single[k].flushing
                   : i->flags == 0u     ? single[k].plain
                                        : NULL;
        }
    }
    return NULL;
}
