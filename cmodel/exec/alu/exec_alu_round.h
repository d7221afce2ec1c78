/* exec_alu_round - exact rounding of a number to a float of any width, on integers alone. */

#ifndef EXEC_ALU_ROUND_H
#define EXEC_ALU_ROUND_H

#include "exec/alu/exec_alu.h"

struct alu_format {
    int bits;  /* of the significand, the hidden one included */
    int least; /* exponent of the smallest subnormal */
    uint64_t infinity, sign, nan;
};
static const struct alu_format alu_half = { 11, -24, 0x7c00u, 0x8000u, 0x7fffu };
static const struct alu_format alu_single = { 24, -149, ALU_INFINITY32, ALU_SIGN32, ALU_NAN32 };
static const struct alu_format alu_large = { 53, -1074, ALU_INFINITY64, ALU_SIGN64, ALU_NAN64 };

static inline bool alu_rounds_up(enum ptx_round mode, bool negative, uint64_t q, uint64_t rest,
                                 uint64_t half)
{
    switch (mode) {
    case ROUND_RZ:
        return false;
    case ROUND_RM:
        return negative && rest != 0u;
    case ROUND_RP:
        return !negative && rest != 0u;
    default:
        return rest > half || (rest == half && (q & 1u) != 0u);
    }
}

/* Bits of the float next to magnitude * 2^exponent, in the direction of the mode. */
static inline uint64_t alu_pack(const struct alu_format *f, enum ptx_round mode, bool negative,
                                uint64_t magnitude, int exponent)
{
    const uint64_t sign = negative ? f->sign : 0u;
    if (magnitude == 0u) {
        return sign;
    }
    const int top = 63 - __builtin_clzll(magnitude);
    const int normal = top + exponent - (f->bits - 1);
    const int unit = normal > f->least ? normal : f->least;
    const int shift = unit - exponent;
    uint64_t q = 0u, rest = magnitude, half = ALU_SIGN64;
    if (shift <= 0) {
        q = magnitude << -shift;
        rest = 0u;
        half = 1u;
    } else if (shift < 64) {
        q = magnitude >> shift;
        rest = magnitude & ((UINT64_C(1) << shift) - 1u);
        half = UINT64_C(1) << (shift - 1);
    } else if (shift > 64) {
        rest = 1u; /* less than half a unit, and more than nothing */
    }
    q += alu_rounds_up(mode, negative, q, rest, half) ? 1u : 0u;
    /* A carry out of the significand is one into the exponent. */
    const uint64_t bits = ((uint64_t)(unit - f->least) << (f->bits - 1)) + q;
    if (bits < f->infinity) {
        return sign | bits;
    }
    const bool largest = mode == ROUND_RZ || mode == (negative ? ROUND_RP : ROUND_RM);
    return sign | (f->infinity - (largest ? 1u : 0u));
}

/* The same of a double, with infinities and NaN. */
static inline uint64_t alu_narrow(const struct alu_format *f, enum ptx_round mode, double x)
{
    const uint64_t bits = alu_double_bits(x);
    const bool negative = (bits & ALU_SIGN64) != 0u;
    const uint64_t rest = bits & ~ALU_SIGN64;
    const int exponent = (int)(rest >> 52);
    const uint64_t fraction = rest & UINT64_C(0x000fffffffffffff);
    if (rest >= ALU_INFINITY64) {
        return rest > ALU_INFINITY64 ? f->nan : f->infinity | (negative ? f->sign : 0u);
    }
    return exponent == 0
               ? alu_pack(f, mode, negative, fraction, -1074)
               : alu_pack(f, mode, negative, fraction | UINT64_C(1) << 52, exponent - 1075);
}

static inline double alu_from_half(uint32_t x)
{
    const uint32_t exponent = x >> 10 & 31u, fraction = x & 0x3ffu;
    const double small = (double)fraction * 0x1p-24;
    const uint64_t sign = (uint64_t)(x >> 15 & 1u) << 63;
    const uint64_t high = exponent == 31u ? 2047u : exponent + 1008u;
    const uint64_t normal = high << 52 | (uint64_t)fraction << 42;
    return alu_double(sign | (exponent == 0u ? alu_double_bits(small) : normal));
}

#endif
