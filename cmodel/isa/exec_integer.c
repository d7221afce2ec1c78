/* exec_integer - integer arithmetic of PTX. Values of 16 bits live in 32-bit rows, extended. */

#include "exec_lanes.h"

/* X(type's name, row, C type) */
#define INTEGERS(X)         \
    X(u16, row32, uint16_t) \
    X(s16, row32, int16_t)  \
    X(u32, row32, uint32_t) \
    X(s32, row32, int32_t)  \
    X(u64, row64, uint64_t) \
    X(s64, row64, int64_t)

/* ---- High halves of products ------------------------------------------------------------ */

static inline uint64_t high_u64(uint64_t a, uint64_t b)
{
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    const uint64_t other = a0 * b1 + (uint32_t)middle;
    return a1 * b1 + (middle >> 32) + (other >> 32);
}
static inline uint64_t high_s64(uint64_t a, uint64_t b)
{
    const uint64_t high = high_u64(a, b);
    return high - ((int64_t)a < 0 ? b : 0u) - ((int64_t)b < 0 ? a : 0u);
}
static inline uint32_t high_u32(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}
static inline uint32_t high_s32(uint32_t a, uint32_t b)
{
    return (uint32_t)((int64_t)(int32_t)a * (int32_t)b >> 32);
}
static inline uint32_t high_u16(uint32_t a, uint32_t b)
{
    return (uint32_t)(uint16_t)a * (uint16_t)b >> 16;
}
static inline uint32_t high_s16(uint32_t a, uint32_t b)
{
    return (uint32_t)((int32_t)(int16_t)a * (int16_t)b >> 16);
}

/* ---- Division: by 0 all ones, and the dividend remains; the least by -1 wraps
 * ------------------- */

#define DIVISION(name, type)                            \
    static inline type quotient_##name(type x, type y)  \
    {                                                   \
        return y == 0 ? (type)-1 : (type)(x / y);       \
    }                                                   \
    static inline type remainder_##name(type x, type y) \
    {                                                   \
        return y == 0 ? x : (type)(x % y);              \
    }
DIVISION(u16, uint16_t)
DIVISION(u32, uint32_t)
DIVISION(u64, uint64_t)
#define SIGNED_DIVISION(name, type, unsigned_type)                                          \
    static inline type quotient_##name(type x, type y)                                      \
    {                                                                                       \
        return y == 0 ? (type)-1 : y == -1 ? (type)(0u - (unsigned_type)x) : (type)(x / y); \
    }                                                                                       \
    static inline type remainder_##name(type x, type y)                                     \
    {                                                                                       \
        return y == 0 ? x : y == -1 ? (type)0 : (type)(x % y);                              \
    }
SIGNED_DIVISION(s16, int16_t, uint16_t)
SIGNED_DIVISION(s32, int32_t, uint32_t)
SIGNED_DIVISION(s64, int64_t, uint64_t)

/* ---- One handler a type ----------------------------------------------------------------- */

#define ARITHMETIC(n, R, T)                                           \
    ALU2(add_##n, R, R, R, (T)(x + y))                                \
    ALU2(sub_##n, R, R, R, (T)(x - y))                                \
    ALU2(mul_##n, R, R, R, (T)(x * y))                                \
    ALU3(mad_##n, R, R, R, R, (T)(x * y + z))                         \
    ALU2(mul_high_##n, R, R, R, (T)high_##n(x, y))                    \
    ALU3(mad_high_##n, R, R, R, R, (T)(high_##n(x, y) + z))           \
    ALU2(min_##n, R, R, R, (T)x < (T)y ? x : y)                       \
    ALU2(max_##n, R, R, R, (T)x > (T)y ? x : y)                       \
    ALU2(div_##n, R, R, R, quotient_##n((T)x, (T)y))                  \
    ALU2(rem_##n, R, R, R, remainder_##n((T)x, (T)y))                 \
    ALU3(sad_##n, R, R, R, R, (T)(((T)x < (T)y ? y - x : x - y) + z)) \
    ALU1(neg_##n, R, R, (T)(0u - x))
INTEGERS(ARITHMETIC)
ALU1(abs_s16, row32, row32, (int16_t)((int16_t)x < 0 ? 0u - x : x))
ALU1(abs_s32, row32, row32, (int32_t)x < 0 ? 0u - x : x)
ALU1(abs_s64, row64, row64, (int64_t)x < 0 ? 0u - x : x)

ALU2(wide_u16, row32, row32, row32, (uint32_t)(uint16_t)x *(uint16_t)y)
ALU2(wide_s16, row32, row32, row32, (int32_t)(int16_t)x *(int16_t)y)
ALU2(wide_u32, row32, row32, row64, (uint64_t)x *y)
ALU2(wide_s32, row32, row32, row64, (int64_t)(int32_t)x *(int32_t)y)
ALU3(mad_wide_u16, row32, row32, row32, row32, (uint32_t)(uint16_t)x *(uint16_t)y + z)
ALU3(mad_wide_s16, row32, row32, row32, row32, (uint32_t)((int32_t)(int16_t)x *(int16_t)y) + z)
ALU3(mad_wide_u32, row32, row32, row64, row64, (uint64_t)x *y + z)
ALU3(mad_wide_s32, row32, row32, row64, row64, (uint64_t)((int64_t)(int32_t)x *(int32_t)y) + z)

/* 24 bits, of products of 48: the low or the high 32. */
#define U24(x) ((uint64_t)((x)&0xffffffu))
#define S24(x) ((int64_t)((int32_t)((x) << 8) >> 8))
ALU2(mul24_low_u, row32, row32, row32, U24(x) * U24(y))
ALU2(mul24_low_s, row32, row32, row32, S24(x) * S24(y))
ALU2(mul24_high_u, row32, row32, row32, U24(x) * U24(y) >> 16)
ALU2(mul24_high_s, row32, row32, row32, S24(x) * S24(y) >> 16)
ALU3(mad24_low_u, row32, row32, row32, row32, U24(x) * U24(y) + z)
ALU3(mad24_low_s, row32, row32, row32, row32, (uint64_t)(S24(x) * S24(y)) + z)
ALU3(mad24_high_u, row32, row32, row32, row32, (U24(x) * U24(y) >> 16) + z)
ALU3(mad24_high_s, row32, row32, row32, row32, (uint64_t)(S24(x) * S24(y) >> 16) + z)

static inline uint32_t saturated(int64_t value)
{
    return value > INT32_MAX   ? (uint32_t)INT32_MAX
           : value < INT32_MIN ? (uint32_t)INT32_MIN
                               : (uint32_t)value;
}
ALU2(add_sat, row32, row32, row32, saturated((int64_t)(int32_t)x + (int32_t)y))
ALU2(sub_sat, row32, row32, row32, saturated((int64_t)(int32_t)x - (int32_t)y))

/* Four products of bytes and a sum. */
static inline uint32_t dot_bytes(uint32_t a, uint32_t b, uint32_t c, bool a_signed,
                                 bool b_signed)
{
    for (uint32_t k = 0u; k < 32u; k += 8u) {
        const int32_t x = a_signed ? (int8_t)(a >> k) : (uint8_t)(a >> k);
        const int32_t y = b_signed ? (int8_t)(b >> k) : (uint8_t)(b >> k);
        c += (uint32_t)(x * y);
    }
    return c;
}
ALU3(dp4a, row32, row32, row32, row32,
     dot_bytes(x, y, z, i->type == PTX_S32, i->source_type == PTX_S32))

/* ---- Carries: value is what a lane gets, out whether it carries or borrows
 * ------------------------ */

#define CARRIED(name, R, expression, carries)                                   \
    HANDLER(name)                                                               \
    {                                                                           \
        const R *const a = SOURCE(R, 0), *const b = SOURCE(R, 1);               \
        const R *const c = i->n_src > 2u ? SOURCE(R, 2) : a;                    \
        R *const d = RESULT(R, 0);                                              \
        uint32_t out = w->carry;                                                \
        for (uint32_t l = 0u; l < LANES; l++) {                                 \
            const R x = a[l], y = b[l], z = c[l], in = (R)(w->carry >> l & 1u); \
            (void)z, (void)in;                                                  \
            const R value = (R)(expression);                                    \
            if (ON(l)) {                                                        \
                d[l] = value;                                                   \
                out = (out & ~(1u << l)) | (uint32_t)(carries) << l;            \
            }                                                                   \
        }                                                                       \
        w->carry = (i->flags & FLAG_CC) != 0u ? out : w->carry;                 \
    }
#define CARRIES(bits, R)                                                       \
    CARRIED(add_cc_##bits, R, x + y, value < x)                                \
    CARRIED(addc_##bits, R, x + y + in, value < x || (in != 0u && value == x)) \
    CARRIED(sub_cc_##bits, R, x - y, x < y)                                    \
    CARRIED(subc_##bits, R, x - y - in, x < y || (in != 0u && x == y))         \
    CARRIED(mad_cc_##bits, R, x *y + z, value < z)                             \
    CARRIED(madc_##bits, R, x *y + z + in, value < z || (in != 0u && value == z))
CARRIES(32, row32)
CARRIES(64, row64)
#define HIGH_CARRIES(n, R)                                     \
    CARRIED(mad_high_cc_##n, R, high_##n(x, y) + z, value < z) \
    CARRIED(madc_high_##n, R, high_##n(x, y) + z + in, value < z || (in != 0u && value == z))
HIGH_CARRIES(u32, row32)
HIGH_CARRIES(s32, row32)
HIGH_CARRIES(u64, row64)
HIGH_CARRIES(s64, row64)

/* ---- Choice ----------------------------------------------------------------------------- */

enum { TYPES = 6 };
#define BY_TYPE(op)                                                \
    {                                                              \
        op##_u16, op##_s16, op##_u32, op##_s32, op##_u64, op##_s64 \
    }
static exec_handler *const adds[TYPES] = BY_TYPE(add), *const subs[TYPES] = BY_TYPE(sub);
static exec_handler *const muls[TYPES] = BY_TYPE(mul), *const mads[TYPES] = BY_TYPE(mad);
static exec_handler *const mul_highs[TYPES] = BY_TYPE(mul_high);
static exec_handler *const mad_highs[TYPES] = BY_TYPE(mad_high);
static exec_handler *const mins[TYPES] = BY_TYPE(min), *const maxs[TYPES] = BY_TYPE(max);
static exec_handler *const divs[TYPES] = BY_TYPE(div), *const rems[TYPES] = BY_TYPE(rem);
static exec_handler *const sads[TYPES] = BY_TYPE(sad), *const negs[TYPES] = BY_TYPE(neg);
static exec_handler *const abss[TYPES] = { NULL, abs_s16, NULL, abs_s32, NULL, abs_s64 };
static exec_handler *const wides[TYPES] = {
    wide_u16, wide_s16, wide_u32, wide_s32, NULL, NULL
};
static exec_handler *const mad_wides[TYPES] = { mad_wide_u16, mad_wide_s16, mad_wide_u32,
                                                mad_wide_s32, NULL,         NULL };

static int type_index(uint32_t type)
{
    switch (type) {
    case PTX_U16:
    case PTX_B16:
        return 0;
    case PTX_S16:
        return 1;
    case PTX_U32:
    case PTX_B32:
        return 2;
    case PTX_S32:
        return 3;
    case PTX_U64:
    case PTX_B64:
        return 4;
    case PTX_S64:
        return 5;
    default:
        return -1;
    }
}

/* mad.cc and madc, low and high. */
static exec_handler *mad_carry(const struct ptx_inst *i)
{
    const bool in = i->op == PTX_MADC, wide = is_long(i->type);
    const bool is_signed = i->type == PTX_S32 || i->type == PTX_S64;
    if (i->mode != MODE_HI) {
        return wide ? (in ? madc_64 : mad_cc_64) : (in ? madc_32 : mad_cc_32);
    }
    if (wide) {
        return is_signed ? (in ? madc_high_s64 : mad_high_cc_s64)
                         : (in ? madc_high_u64 : mad_high_cc_u64);
    }
    return is_signed ? (in ? madc_high_s32 : mad_high_cc_s32)
                     : (in ? madc_high_u32 : mad_high_cc_u32);
}

static exec_handler *of_24_bits(const struct ptx_inst *i)
{
    const bool is_signed = i->type == PTX_S32, high = i->mode == MODE_HI;
    if (i->op == PTX_MUL24) {
        return high ? (is_signed ? mul24_high_s : mul24_high_u)
                    : (is_signed ? mul24_low_s : mul24_low_u);
    }
    return high ? (is_signed ? mad24_high_s : mad24_high_u)
                : (is_signed ? mad24_low_s : mad24_low_u);
}

/* Those with a carry, saturation, 24 bits or bytes. */
static exec_handler *special(const struct ptx_inst *i)
{
    const bool wide = is_long(i->type), cc = (i->flags & FLAG_CC) != 0u;
    const bool saturates = (i->flags & FLAG_SAT) != 0u && i->type == PTX_S32;
    switch (i->op) {
    case PTX_ADD:
        return cc ? (wide ? add_cc_64 : add_cc_32) : saturates ? add_sat : NULL;
    case PTX_SUB:
        return cc ? (wide ? sub_cc_64 : sub_cc_32) : saturates ? sub_sat : NULL;
    case PTX_ADDC:
        return wide ? addc_64 : addc_32;
    case PTX_SUBC:
        return wide ? subc_64 : subc_32;
    case PTX_MAD:
        return cc ? mad_carry(i) : NULL;
    case PTX_MADC:
        return mad_carry(i);
    case PTX_MUL24:
    case PTX_MAD24:
        return of_24_bits(i);
    case PTX_DP4A:
        return dp4a;
    default:
        return NULL;
    }
}

exec_handler *alu_integer(const struct ptx_inst *i)
{
    const int t = type_index(i->type);
    exec_handler *const handler = special(i);
    if (handler != NULL || t < 0) {
        return handler;
    }
    switch (i->op) {
    case PTX_ADD:
        return adds[t];
    case PTX_SUB:
        return subs[t];
    case PTX_MUL:
        return i->mode == MODE_WIDE ? wides[t] : i->mode == MODE_HI ? mul_highs[t] : muls[t];
    case PTX_MAD:
        return i->mode == MODE_WIDE ? mad_wides[t]
               : i->mode == MODE_HI ? mad_highs[t]
                                    : mads[t];
    case PTX_MIN:
        return mins[t];
    case PTX_MAX:
        return maxs[t];
    case PTX_DIV:
        return divs[t];
    case PTX_REM:
        return rems[t];
    case PTX_SAD:
        return sads[t];
    case PTX_NEG:
        return negs[t];
    case PTX_ABS:
        return abss[t];
    default:
        return NULL;
    }
}
