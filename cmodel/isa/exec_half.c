/* exec_half - half precision: computed in double and rounded once, to nearest. The double is
 * exact for sums and products of halves, and for their fused multiply-add. */

#include <math.h>

#include "exec_lanes.h"

double half_to_double(uint32_t half)
{
    const uint32_t exponent = half >> 10 & 31u, fraction = half & 1023u;
    const double sign = (half & 0x8000u) != 0u ? -1.0 : 1.0;
    if (exponent == 31u) {
        return fraction != 0u ? NAN : sign * INFINITY;
    }
    return exponent == 0u ? sign * ldexp((double)fraction, -24)
                          : sign * ldexp(1024.0 + (double)fraction, (int)exponent - 25);
}

uint32_t double_to_half(double value)
{
    const uint32_t sign = signbit(value) != 0 ? 0x8000u : 0u;
    const double x = fabs(value);
    if (value != value) {
        return 0x7fffu;
    }
    if (x >= 65520.0) { /* the greatest half and half a step */
        return sign | 0x7c00u;
    }
    if (x < 0x1p-14) { /* may round up to the least normal */
        return sign | (uint32_t)rint(x * 0x1p24);
    }
    int exponent;
    (void)frexp(x, &exponent);
    const uint32_t significand = (uint32_t)rint(ldexp(x, 11 - exponent)); /* 1024..2048 */
    return sign | (((uint32_t)(exponent + 14) << 10) + significand - 1024u);
}

static double bounded(double value, const struct ptx_inst *i)
{
    if ((i->flags & FLAG_SAT) == 0u) {
        return value;
    }
    return value > 0.0 ? (value < 1.0 ? value : 1.0) : 0.0;
}

static uint32_t operate(const struct ptx_inst *i, uint32_t x, uint32_t y, uint32_t z)
{
    const double a = half_to_double(x), b = half_to_double(y), c = half_to_double(z);
    switch (i->op) {
    case PTX_ADD:
        return double_to_half(bounded(a + b, i));
    case PTX_SUB:
        return double_to_half(bounded(a - b, i));
    case PTX_MUL:
        return double_to_half(bounded(a * b, i));
    case PTX_FMA:
        return double_to_half(bounded(a * b + c, i));
    case PTX_MIN:
        return a != a ? y : b != b ? x : a < b || (a == b && (x & 0x8000u) != 0u) ? x : y;
    case PTX_MAX:
        return a != a ? y : b != b ? x : a > b || (a == b && (x & 0x8000u) == 0u) ? x : y;
    case PTX_ABS:
        return x & 0x7fffu;
    case PTX_NEG:
        return x ^ 0x8000u;
    case PTX_EX2:
        return double_to_half(exp2(a));
    default:
        return double_to_half(tanh(a));
    }
}

HANDLER(half)
{
    const row32 *const a = SOURCE(row32, 0);
    const row32 *const b = i->n_src > 1u ? SOURCE(row32, 1) : a;
    const row32 *const c = i->n_src > 2u ? SOURCE(row32, 2) : a;
    row32 *const d = RESULT(row32, 0);
    for (uint32_t l = 0u; l < LANES; l++) {
        if (ON(l)) {
            const uint32_t high =
                i->type == PTX_F16X2 ? operate(i, a[l] >> 16, b[l] >> 16, c[l] >> 16) : 0u;
            d[l] = operate(i, a[l] & 0xffffu, b[l] & 0xffffu, c[l] & 0xffffu) | high << 16;
        }
    }
}

exec_handler *alu_half(const struct ptx_inst *i)
{
    switch (i->op) {
    case PTX_ADD:
    case PTX_SUB:
    case PTX_MUL:
    case PTX_FMA:
    case PTX_MIN:
    case PTX_MAX:
    case PTX_ABS:
    case PTX_NEG:
    case PTX_EX2:
    case PTX_TANH:
        return half;
    default:
        return NULL;
    }
}
