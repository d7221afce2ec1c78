/* exec_alu_shift - shifts, and what works on bytes; see exec_alu.h. */

#include "exec/alu/exec_alu.h"

/* Amounts from the width on shift everything out. */
#define SHIFT(T, U, bits, wide)                                \
    ALU_2(shl_##T, T, T, U32, b >= (bits) ? 0u : (wide)a << b) \
    ALU_2(shr_##T, T, T, U32, b >= (bits) ? 0u : (wide)a >> b) \
    ALU_2(shr_##U, U, U, U32, a >> (b >= (bits) ? (bits)-1u : b))
SHIFT(U16, S16, 16u, uint32_t)
SHIFT(U32, S32, 32u, uint32_t)
SHIFT(U64, S64, 64u, uint64_t)

/* Of the pair b:a, one half after a shift of up to 32. */
static inline uint32_t funnel_left(uint32_t a, uint32_t b, uint32_t amount)
{
    return (uint32_t)((((uint64_t)b << 32 | a) << amount) >> 32);
}
static inline uint32_t funnel_right(uint32_t a, uint32_t b, uint32_t amount)
{
    return (uint32_t)(((uint64_t)b << 32 | a) >> amount);
}
ALU_3(shf_left_wrap, U32, U32, U32, U32, funnel_left(a, b, c & 31u))
ALU_3(shf_left_clamp, U32, U32, U32, U32, funnel_left(a, b, c < 32u ? c : 32u))
ALU_3(shf_right_wrap, U32, U32, U32, U32, funnel_right(a, b, c & 31u))
ALU_3(shf_right_clamp, U32, U32, U32, U32, funnel_right(a, b, c < 32u ? c : 32u))

/* ---- Bytes --------------------------------------------------------------------------- */

/* Each digit of the selector: which byte of b:a, or with 8 its sign. */
static inline uint32_t permute(uint32_t a, uint32_t b, uint32_t selector)
{
    const uint64_t both = (uint64_t)b << 32 | a;
    uint32_t result = 0u;
    for (uint32_t k = 0u; k < 4u; k++) {
        const uint32_t digit = selector >> 4u * k & 15u;
        const uint32_t byte = (uint32_t)(both >> 8u * (digit & 7u)) & 0xffu;
        const uint32_t sign = (byte & 0x80u) != 0u ? 0xffu : 0u;
        result |= ((digit & 8u) != 0u ? sign : byte) << 8u * k;
    }
    return result;
}
/* What the other modes select, by the low two bits of c. */
static const uint16_t selectors[][4] = {
    { 0x3210, 0x4321, 0x5432, 0x6543 }, /* .f4e */
    { 0x5670, 0x6701, 0x7012, 0x0123 }, /* .b4e */
    { 0x0000, 0x1111, 0x2222, 0x3333 }, /* .rc8 */
    { 0x3210, 0x3211, 0x3222, 0x3333 }, /* .ecl */
    { 0x0000, 0x1110, 0x2210, 0x3210 }, /* .ecr */
    { 0x1010, 0x3232, 0x1010, 0x3232 }, /* .rc16 */
};
ALU_3(prmt, U32, U32, U32, U32, permute(a, b, c))
ALU_3(prmt_mode, U32, U32, U32, U32, permute(a, b, selectors[i->mode - MODE_F4E][c & 3u]))

/* Element k of n bits, extended by its sign if it has one. */
static inline uint32_t element(uint32_t x, uint32_t k, uint32_t n, bool sign)
{
    const uint32_t top = x << (32u - n * (k + 1u));
    return sign ? (uint32_t)((int32_t)top >> (32u - n)) : top >> (32u - n);
}
/* Products of `count` elements of a, of 32 / count bits, and bytes of b from `first`. */
static inline uint32_t dot(const struct ptx_inst *i, uint32_t a, uint32_t b, uint32_t count,
                           uint32_t first)
{
    uint32_t sum = 0u;
    for (uint32_t k = 0u; k < count; k++) {
        sum += element(a, k, 32u / count, i->type == PTX_S32)
               * element(b, first + k, 8u, i->source_type == PTX_S32);
    }
    return sum;
}
ALU_3(dp4a, U32, U32, U32, U32, dot(i, a, b, 4u, 0u) + c)
ALU_3(dp2a_low, U32, U32, U32, U32, dot(i, a, b, 2u, 0u) + c)
ALU_3(dp2a_high, U32, U32, U32, U32, dot(i, a, b, 2u, 2u) + c)

/* The offset-th set bit of the mask, counted from base upwards or downwards; 0: base itself. */
static inline uint32_t find_nth(uint32_t mask, uint32_t base, int32_t offset)
{
    const uint32_t step = offset < 0 ? UINT32_MAX : 1u;
    const uint32_t magnitude = offset < 0 ? 0u - (uint32_t)offset : (uint32_t)offset;
    uint32_t left = magnitude == 0u ? 1u : magnitude;
    for (uint32_t at = base; at < 32u; at += step) {
        left -= mask >> at & 1u;
        if (left == 0u) {
            return at;
        }
        if (offset == 0) {
            break;
        }
    }
    return UINT32_MAX;
}
ALU_3(fns, U32, U32, U32, S32, find_nth(a, b, c))

/* ---- Choice -------------------------------------------------------------------------- */

static exec_handler *const left[ALU_TYPES] = {
    [PTX_B16] = shl_U16, [PTX_B32] = shl_U32, [PTX_B64] = shl_U64
};
static exec_handler *const right[ALU_TYPES] = {
    [PTX_B16] = shr_U16, [PTX_B32] = shr_U32, [PTX_B64] = shr_U64,
    [PTX_U16] = shr_U16, [PTX_U32] = shr_U32, [PTX_U64] = shr_U64,
    [PTX_S16] = shr_S16, [PTX_S32] = shr_S32, [PTX_S64] = shr_S64,
};

static exec_handler *funnel(const struct ptx_inst *i)
{
    const bool clamp = (i->flags & FLAG_CLAMP) != 0u;
    switch (i->mode) {
    case MODE_L:
        return clamp ? shf_left_clamp : shf_left_wrap;
    case MODE_R:
        return clamp ? shf_right_clamp : shf_right_wrap;
    default:
        return NULL;
    }
}

static exec_handler *dot_of(const struct ptx_inst *i)
{
    const bool words = (i->type == PTX_U32 || i->type == PTX_S32)
                       && (i->source_type == PTX_U32 || i->source_type == PTX_S32);
    if (i->op == PTX_DP4A) {
        return words ? dp4a : NULL;
    }
    return !words || (i->mode != MODE_LO && i->mode != MODE_HI) ? NULL
           : i->mode == MODE_LO                                 ? dp2a_low
                                                                : dp2a_high;
}

exec_handler *exec_alu_shift(const struct ptx_inst *i, const char **why)
{
    *why = "allowed: shl of .b16 .b32 .b64; shr of those and .u16 .u32 .u64 .s16 .s32 .s64; "
           "shf.l, shf.r, prmt, fns of .b32; dp4a, dp2a.lo, dp2a.hi of .u32 .s32";
    const bool is_word = i->type == PTX_B32;
    switch (i->op) {
    case PTX_SHL:
        return left[i->type];
    case PTX_SHR:
        return right[i->type];
    case PTX_SHF:
        return is_word ? funnel(i) : NULL;
    case PTX_PRMT:
        return !is_word                                      ? NULL
               : i->mode == MODE_NONE                        ? prmt
               : i->mode >= MODE_F4E && i->mode <= MODE_RC16 ? prmt_mode
                                                             : NULL;
    case PTX_FNS:
        return is_word ? fns : NULL;
    default:
        return dot_of(i);
    }
}
