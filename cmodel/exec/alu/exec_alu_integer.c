/* exec_alu_integer - integer arithmetic without carry; see exec_alu.h. */

#include "exec/alu/exec_alu.h"

__extension__ typedef __int128 wide_signed;
__extension__ typedef unsigned __int128 wide_unsigned;

/* ---- Sums and products --------------------------------------------------------------- */

/* Modulo 2^n the sign does not matter; narrow types are extended by it when written. */
ALU_2(add_U16, U16, U16, U16, a + b)
ALU_2(add_S16, S16, U16, U16, a + b)
ALU_2(add_U32, U32, U32, U32, a + b)
ALU_2(add_U64, U64, U64, U64, a + b)
ALU_2(sub_U16, U16, U16, U16, a - b)
ALU_2(sub_S16, S16, U16, U16, a - b)
ALU_2(sub_U32, U32, U32, U32, a - b)
ALU_2(sub_U64, U64, U64, U64, a - b)
ALU_1(neg_S16, S16, U16, -a)
ALU_1(neg_S32, U32, U32, 0u - a)
ALU_1(neg_S64, U64, U64, 0u - a)
ALU_2(mul_U16, U16, U16, U16, (uint32_t)a *b)
ALU_2(mul_S16, S16, U16, U16, (uint32_t)a *b)
ALU_2(mul_U32, U32, U32, U32, a *b)
ALU_2(mul_U64, U64, U64, U64, a *b)
ALU_3(mad_U16, U16, U16, U16, U16, (uint32_t)a *b + c)
ALU_3(mad_S16, S16, U16, U16, U16, (uint32_t)a *b + c)
ALU_3(mad_U32, U32, U32, U32, U32, a *b + c)
ALU_3(mad_U64, U64, U64, U64, U64, a *b + c)

static inline uint32_t high_U16(uint16_t a, uint16_t b)
{
    return (uint32_t)a * b >> 16;
}
static inline uint32_t high_S16(int16_t a, int16_t b)
{
    return (uint32_t)((int32_t)a * b) >> 16;
}
static inline uint32_t high_U32(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}
static inline uint32_t high_S32(int32_t a, int32_t b)
{
    return (uint32_t)((uint64_t)((int64_t)a * b) >> 32);
}
static inline uint64_t high_U64(uint64_t a, uint64_t b)
{
    return (uint64_t)((wide_unsigned)a * b >> 64);
}
static inline uint64_t high_S64(int64_t a, int64_t b)
{
    return (uint64_t)((wide_unsigned)((wide_signed)a * b) >> 64);
}
/* The third is added modulo 2^n: it is of the unsigned type. */
#define HIGH(T, U)                               \
    ALU_2(mul_high_##T, T, T, T, high_##T(a, b)) \
    ALU_3(mad_high_##T, T, T, T, U, high_##T(a, b) + c)
HIGH(U16, U16)
HIGH(S16, U16)
HIGH(U32, U32)
HIGH(S32, U32)
HIGH(U64, U64)
HIGH(S64, U64)

ALU_2(mul_wide_U16, U32, U16, U16, (uint32_t)a *b)
ALU_2(mul_wide_S16, U32, S16, S16, (int32_t)a *b)
ALU_2(mul_wide_U32, U64, U32, U32, (uint64_t)a *b)
ALU_2(mul_wide_S32, U64, S32, S32, (int64_t)a *b)
ALU_3(mad_wide_U16, U32, U16, U16, U32, (uint32_t)a *b + c)
ALU_3(mad_wide_S16, U32, S16, S16, U32, (uint32_t)((int32_t)a *b) + c)
ALU_3(mad_wide_U32, U64, U32, U32, U64, (uint64_t)a *b + c)
ALU_3(mad_wide_S32, U64, S32, S32, U64, (uint64_t)((int64_t)a *b) + c)

static inline int32_t clamp_S32(int64_t x)
{
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (int32_t)x;
}
ALU_2(add_sat, S32, S32, S32, clamp_S32((int64_t)a + b))
ALU_2(sub_sat, S32, S32, S32, clamp_S32((int64_t)a - b))
ALU_3(mad_high_sat, S32, S32, S32, S32, clamp_S32((int64_t)(int32_t)high_S32(a, b) + c))

/* ---- 24 bits ------------------------------------------------------------------------- */

static inline uint64_t product_U24(uint32_t a, uint32_t b)
{
    return (uint64_t)(a & 0xffffffu) * (b & 0xffffffu);
}
static inline int64_t product_S24(uint32_t a, uint32_t b)
{
    return (int64_t)((int32_t)(a << 8) >> 8) * ((int32_t)(b << 8) >> 8);
}
/* .hi: bits 47 to 16 of the product. */
ALU_2(mul24_U32, U32, U32, U32, product_U24(a, b))
ALU_2(mul24_S32, U32, U32, U32, product_S24(a, b))
ALU_2(mul24_high_U32, U32, U32, U32, product_U24(a, b) >> 16)
ALU_2(mul24_high_S32, U32, U32, U32, product_S24(a, b) >> 16)
ALU_3(mad24_U32, U32, U32, U32, U32, (uint32_t)product_U24(a, b) + c)
ALU_3(mad24_S32, U32, U32, U32, U32, (uint32_t)product_S24(a, b) + c)
ALU_3(mad24_high_U32, U32, U32, U32, U32, (uint32_t)(product_U24(a, b) >> 16) + c)
ALU_3(mad24_high_S32, U32, U32, U32, U32, (uint32_t)(product_S24(a, b) >> 16) + c)
ALU_3(mad24_high_sat, S32, U32, U32, S32,
      clamp_S32((int64_t)(int32_t)(product_S24(a, b) >> 16) + c))

/* ---- Divisions, differences, order --------------------------------------------------- */

/* By zero: all ones, quotient and remainder, as GPUs give. The least by -1: itself, and 0. */
#define DIVIDE_UNSIGNED(T)                                            \
    ALU_2(div_##T, T, T, T, b == 0u ? UINT64_MAX : (uint64_t)(a / b)) \
    ALU_2(rem_##T, T, T, T, b == 0u ? UINT64_MAX : (uint64_t)(a % b))
#define DIVIDE_SIGNED(T)                                                                 \
    ALU_2(div_##T, T, T, T, b == 0 ? -1 : b == -1 ? (int64_t)(0u - (uint64_t)a) : a / b) \
    ALU_2(rem_##T, T, T, T, b == 0 ? -1 : b == -1 ? 0 : a % b)
DIVIDE_UNSIGNED(U16)
DIVIDE_UNSIGNED(U32)
DIVIDE_UNSIGNED(U64)
DIVIDE_SIGNED(S16)
DIVIDE_SIGNED(S32)
DIVIDE_SIGNED(S64)

#define ORDER(T)                           \
    ALU_2(min_##T, T, T, T, a < b ? a : b) \
    ALU_2(max_##T, T, T, T, a > b ? a : b) \
    ALU_3(sad_##T, T, T, T, T,             \
          (uint64_t)c + (a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b))
ORDER(U16)
ORDER(S16)
ORDER(U32)
ORDER(S32)
ORDER(U64)
ORDER(S64)

ALU_1(abs_S16, S16, S16, a < 0 ? -a : a)
ALU_1(abs_S32, U32, S32, a < 0 ? 0u - (uint32_t)a : (uint32_t)a)
ALU_1(abs_S64, U64, S64, a < 0 ? 0u - (uint64_t)a : (uint64_t)a)

/* ---- Choice -------------------------------------------------------------------------- */

#define ALL(op)                                                           \
    {                                                                     \
        [PTX_U16] = op##_U16, [PTX_S16] = op##_S16, [PTX_U32] = op##_U32, \
        [PTX_S32] = op##_S32, [PTX_U64] = op##_U64, [PTX_S64] = op##_S64  \
    }
#define MODULO(op)                                                        \
    {                                                                     \
        [PTX_U16] = op##_U16, [PTX_S16] = op##_S16, [PTX_U32] = op##_U32, \
        [PTX_S32] = op##_U32, [PTX_U64] = op##_U64, [PTX_S64] = op##_U64  \
    }
#define SIGNED(op)                                                       \
    {                                                                    \
        [PTX_S16] = op##_S16, [PTX_S32] = op##_S32, [PTX_S64] = op##_S64 \
    }
#define WIDE(op)                                                                               \
    {                                                                                          \
        [PTX_U16] = op##_U16, [PTX_S16] = op##_S16, [PTX_U32] = op##_U32, [PTX_S32] = op##_S32 \
    }
#define WORDS(op)                                  \
    {                                              \
        [PTX_U32] = op##_U32, [PTX_S32] = op##_S32 \
    }

static const struct {
    uint8_t op, mode;
    exec_handler *of[ALU_TYPES];
} plain[] = {
    { PTX_ADD, MODE_NONE, MODULO(add) },    { PTX_SUB, MODE_NONE, MODULO(sub) },
    { PTX_MUL, MODE_LO, MODULO(mul) },      { PTX_MUL, MODE_HI, ALL(mul_high) },
    { PTX_MUL, MODE_WIDE, WIDE(mul_wide) }, { PTX_MAD, MODE_LO, MODULO(mad) },
    { PTX_MAD, MODE_HI, ALL(mad_high) },    { PTX_MAD, MODE_WIDE, WIDE(mad_wide) },
    { PTX_MUL24, MODE_LO, WORDS(mul24) },   { PTX_MUL24, MODE_HI, WORDS(mul24_high) },
    { PTX_MAD24, MODE_LO, WORDS(mad24) },   { PTX_MAD24, MODE_HI, WORDS(mad24_high) },
    { PTX_DIV, MODE_NONE, ALL(div) },       { PTX_REM, MODE_NONE, ALL(rem) },
    { PTX_MIN, MODE_NONE, ALL(min) },       { PTX_MAX, MODE_NONE, ALL(max) },
    { PTX_SAD, MODE_NONE, ALL(sad) },       { PTX_ABS, MODE_NONE, SIGNED(abs) },
    { PTX_NEG, MODE_NONE, SIGNED(neg) },
};

static exec_handler *saturating(const struct ptx_inst *i)
{
    if (i->type != PTX_S32) {
        return NULL;
    }
    switch (i->op) {
    case PTX_ADD:
        return add_sat;
    case PTX_SUB:
        return sub_sat;
    case PTX_MAD:
        return i->mode == MODE_HI ? mad_high_sat : NULL;
    case PTX_MAD24:
        return i->mode == MODE_HI ? mad24_high_sat : NULL;
    default:
        return NULL;
    }
}

exec_handler *exec_alu_integer(const struct ptx_inst *i, const char **why)
{
    *why = "allowed: .u16 .s16 .u32 .s32 .u64 .s64; abs, neg signed; mul24, mad24 of 32 bits; "
           ".wide to 32 or 64 bits; .sat: add, sub, mad.hi, mad24.hi of .s32";
    if ((i->flags & (FLAG_SAT | FLAG_FTZ)) != 0u || i->round != ROUND_NONE) {
        return i->flags == FLAG_SAT && i->round == ROUND_NONE ? saturating(i) : NULL;
    }
    for (size_t k = 0u; k < sizeof plain / sizeof plain[0]; k++) {
        if (plain[k].op == i->op && plain[k].mode == i->mode) {
            return plain[k].of[i->type];
        }
    }
    return NULL;
}
