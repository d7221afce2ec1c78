/* exec_alu_bits - logic, counts and fields of bits; see exec_alu.h. */

#include "exec/alu/exec_alu.h"

/* ---- Logic --------------------------------------------------------------------------- */

#define LOGIC(T)                   \
    ALU_2(and_##T, T, T, T, a &b)  \
    ALU_2(or_##T, T, T, T, a | b)  \
    ALU_2(xor_##T, T, T, T, a ^ b) \
    ALU_1(not_##T, T, T, ~a)       \
    ALU_1(cnot_##T, T, T, a == 0u ? 1u : 0u)
LOGIC(U16)
LOGIC(U32)
LOGIC(U64)

/* The table's bit k is for a, b, c = the bits of k, from the highest. */
static inline uint32_t look_up(uint32_t table, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t result = 0u;
    for (uint32_t k = 0u; k < 8u; k++) {
        const uint32_t x = (k & 4u) != 0u ? a : ~a;
        const uint32_t y = (k & 2u) != 0u ? b : ~b;
        const uint32_t z = (k & 1u) != 0u ? c : ~c;
        result |= (0u - (table >> k & 1u)) & x & y & z;
    }
    return result;
}
ALU_3(lop3_U32, U32, U32, U32, U32, look_up(i->lut, a, b, c))

/* ---- Counts -------------------------------------------------------------------------- */

static inline uint32_t zeros_U32(uint32_t a)
{
    return a == 0u ? 32u : (uint32_t)__builtin_clz(a);
}
static inline uint32_t zeros_U64(uint64_t a)
{
    return a == 0u ? 64u : (uint32_t)__builtin_clzll(a);
}
static inline uint32_t reverse_U32(uint32_t a)
{
    a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
    a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
    a = (a >> 4 & 0x0f0f0f0fu) | (a & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(a);
}
static inline uint64_t reverse_U64(uint64_t a)
{
    return (uint64_t)reverse_U32((uint32_t)a) << 32 | reverse_U32((uint32_t)(a >> 32));
}
ALU_1(popc_U32, U32, U32, __builtin_popcount(a))
ALU_1(popc_U64, U32, U64, __builtin_popcountll(a))
ALU_1(clz_U32, U32, U32, zeros_U32(a))
ALU_1(clz_U64, U32, U64, zeros_U64(a))
ALU_1(brev_U32, U32, U32, reverse_U32(a))
ALU_1(brev_U64, U64, U64, reverse_U64(a))

/* The highest bit that is not the sign; all ones if there is none. With .shiftamt: how far it
 * is from the top. */
#define FIND(T, U, highest, magnitude)                                 \
    ALU_1(bfind_##T, U32, T, (uint32_t)(highest)-zeros_##U(magnitude)) \
    ALU_1(bfind_amount_##T, U32, T, (magnitude) == 0u ? UINT32_MAX : zeros_##U(magnitude))
FIND(U32, U32, 31, a)
FIND(S32, U32, 31, (uint32_t)(a < 0 ? ~a : a))
FIND(U64, U64, 63, a)
FIND(S64, U64, 63, (uint64_t)(a < 0 ? ~a : a))

/* ---- Fields -------------------------------------------------------------------------- */

/* As many ones as `length` says, from bit 0. */
static inline uint64_t ones(uint32_t length)
{
    return length >= 64u ? UINT64_MAX : (UINT64_C(1) << length) - 1u;
}

/* Position and length are bytes; what is above the value's top repeats its sign. */
static inline uint64_t extract_signed(int64_t a, uint32_t top, uint32_t position,
                                      uint32_t length)
{
    const uint32_t at = position & 0xffu, n = length & 0xffu;
    if (n == 0u) {
        return 0u;
    }
    const uint64_t field = (uint64_t)(a >> (at > 63u ? 63u : at));
    const uint32_t last = at + n - 1u < top ? at + n - 1u : top;
    const uint64_t sign = 0u - ((uint64_t)a >> last & 1u);
    return (field & ones(n)) | (sign & ~ones(n));
}
static inline uint64_t extract_unsigned(uint64_t a, uint32_t position, uint32_t length)
{
    const uint32_t at = position & 0xffu;
    return at > 63u ? 0u : a >> at & ones(length & 0xffu);
}
ALU_3(bfe_U32, U32, U32, U32, U32, extract_unsigned(a, b, c))
ALU_3(bfe_S32, U32, S32, U32, U32, extract_signed(a, 31u, b, c))
ALU_3(bfe_U64, U64, U64, U32, U32, extract_unsigned(a, b, c))
ALU_3(bfe_S64, U64, S64, U32, U32, extract_signed(a, 63u, b, c))

static inline uint64_t insert(uint64_t a, uint64_t b, uint32_t position, uint32_t length)
{
    const uint32_t at = position & 0xffu;
    const uint64_t mask = at > 63u ? 0u : ones(length & 0xffu) << at;
    return (b & ~mask) | ((at > 63u ? 0u : a << at) & mask);
}
/* The only operation of four sources. */
#define INSERT(T)                                                                      \
    static void bfi_##T(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes) \
    {                                                                                  \
        ALU_ROW_##T out[WARP_SIZE];                                                    \
        const ALU_ROW_##T *const a = exec_source(w, &i->src[0]);                       \
        const ALU_ROW_##T *const b = exec_source(w, &i->src[1]);                       \
        const uint32_t *const c = exec_source(w, &i->src[2]);                          \
        const uint32_t *const d = exec_source(w, &i->src[3]);                          \
        for (uint32_t l = 0u; l < WARP_SIZE; l++) {                                    \
            out[l] = (ALU_ROW_##T)insert(a[l], b[l], c[l], d[l]);                      \
        }                                                                              \
        ALU_STORE_OF(ALU_ROW_##T)(exec_destination(w, &i->dst[0]), out, lanes);        \
    }
INSERT(U32)
INSERT(U64)

/* As many ones as b says from bit a, as far as there are bits. */
ALU_2(bmsk_clamp, U32, U32, U32, a >= 32u ? 0u : (uint32_t)(ones(b) << a))
ALU_2(bmsk_wrap, U32, U32, U32, (uint32_t)(ones(b & 31u) << (a & 31u)))

/* The low n bits, 0 of none; with the highest of them repeated above. */
static inline uint32_t low_part(uint32_t a, uint32_t n, bool sign)
{
    if (n >= 32u) {
        return a;
    }
    const uint32_t above = UINT32_MAX << n;
    const bool negative = sign && n != 0u && (a >> (n - 1u) & 1u) != 0u;
    return negative ? a | above : a & ~above;
}
ALU_2(szext_clamp, U32, U32, U32, low_part(a, b, i->type == PTX_S32))
ALU_2(szext_wrap, U32, U32, U32, low_part(a, b & 31u, i->type == PTX_S32))

/* ---- Choice -------------------------------------------------------------------------- */

#define BITS(op)                                                         \
    {                                                                    \
        [PTX_B16] = op##_U16, [PTX_B32] = op##_U32, [PTX_B64] = op##_U64 \
    }
#define WIDER(op)                                  \
    {                                              \
        [PTX_B32] = op##_U32, [PTX_B64] = op##_U64 \
    }
#define NUMBERS(op)                                                                            \
    {                                                                                          \
        [PTX_U32] = op##_U32, [PTX_S32] = op##_S32, [PTX_U64] = op##_U64, [PTX_S64] = op##_S64 \
    }

static const struct {
    uint8_t op, mode;
    uint16_t flags;
    exec_handler *of[ALU_TYPES];
} plain[] = {
    { PTX_AND, MODE_NONE, 0u, BITS(and) },
    { PTX_OR, MODE_NONE, 0u, BITS(or) },
    { PTX_XOR, MODE_NONE, 0u, BITS(xor) },
    { PTX_NOT, MODE_NONE, 0u, BITS(not ) },
    { PTX_CNOT, MODE_NONE, 0u, BITS(cnot) },
    { PTX_LOP3, MODE_NONE, 0u, { [PTX_B32] = lop3_U32 } },
    { PTX_POPC, MODE_NONE, 0u, WIDER(popc) },
    { PTX_CLZ, MODE_NONE, 0u, WIDER(clz) },
    { PTX_BREV, MODE_NONE, 0u, WIDER(brev) },
    { PTX_BFIND, MODE_NONE, 0u, NUMBERS(bfind) },
    { PTX_BFIND, MODE_NONE, FLAG_SHIFTAMT, NUMBERS(bfind_amount) },
    { PTX_BFE, MODE_NONE, 0u, NUMBERS(bfe) },
    { PTX_BFI, MODE_NONE, 0u, WIDER(bfi) },
    { PTX_BMSK, MODE_CLAMP, 0u, { [PTX_B32] = bmsk_clamp } },
    { PTX_BMSK, MODE_WRAP, 0u, { [PTX_B32] = bmsk_wrap } },
    { PTX_SZEXT, MODE_CLAMP, 0u, { [PTX_U32] = szext_clamp, [PTX_S32] = szext_clamp } },
    { PTX_SZEXT, MODE_WRAP, 0u, { [PTX_U32] = szext_wrap, [PTX_S32] = szext_wrap } },
};

exec_handler *exec_alu_bits(const struct ptx_inst *i, const char **why)
{
    *why = "allowed: and, or, xor, not, cnot of .b16 .b32 .b64 (and .pred, but for cnot); lop3 "
           "of .b32; popc, clz, brev, bfi of .b32 .b64; bfe, bfind of .u32 .s32 .u64 .s64; "
           "bmsk of .b32; szext of .u32 .s32";
    for (size_t k = 0u; k < sizeof plain / sizeof plain[0]; k++) {
        if (plain[k].op == i->op && plain[k].flags == i->flags && plain[k].mode == i->mode) {
            return plain[k].of[i->type];
        }
    }
    return NULL;
}
