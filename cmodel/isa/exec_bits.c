/* exec_bits - logic, shifts, bit fields, moves, selection, addresses and predicates of PTX. */

#include "exec_lanes.h"

/* ---- Logic and shifts
 * -------------------------------------------------------------------------- */

#define LOGIC(bits, R, mask)              \
    ALU2(and_##bits, R, R, R, x &y)       \
    ALU2(or_##bits, R, R, R, x | y)       \
    ALU2(xor_##bits, R, R, R, x ^ y)      \
    ALU1(not_##bits, R, R, ~x &(R)(mask)) \
    ALU1(cnot_##bits, R, R, (x & (R)(mask)) == 0u ? 1u : 0u)
LOGIC(16, row32, 0xffffu)
LOGIC(32, row32, UINT32_MAX)
LOGIC(64, row64, UINT64_MAX)

/* Amounts above the width count as the width. */
#define SHIFTS(bits, R, U, S)                                                    \
    ALU2(shl_##bits, R, row32, R, y >= (bits) ? 0u : (U)((U)x << (y % (bits))))  \
    ALU2(shr_u##bits, R, row32, R, y >= (bits) ? 0u : (U)((U)x >> (y % (bits)))) \
    ALU2(shr_s##bits, R, row32, R, (S)x >> (y >= (bits) ? (bits)-1u : y))
SHIFTS(16, row32, uint16_t, int16_t)
SHIFTS(32, row32, uint32_t, int32_t)
SHIFTS(64, row64, uint64_t, int64_t)

/* The amount of a funnel shift: at most 32, or modulo 32. */
#define AMOUNT(z) ((i->flags & FLAG_CLAMP) != 0u ? ((z) > 32u ? 32u : (z)) : (z) % 32u)
ALU3(shf_left, row32, row32, row32, row32, ((uint64_t)y << 32 | x) << AMOUNT(z) >> 32)
ALU3(shf_right, row32, row32, row32, row32, ((uint64_t)y << 32 | x) >> AMOUNT(z))

/* Bit n of lut is the result for the bits n of x, y and z. */
static inline uint32_t by_table(uint32_t x, uint32_t y, uint32_t z, uint32_t lut)
{
    uint32_t result = 0u;
    for (uint32_t n = 0u; n < 8u; n++) {
        const uint32_t term =
            ((n & 4u) != 0u ? x : ~x) & ((n & 2u) != 0u ? y : ~y) & ((n & 1u) != 0u ? z : ~z);
        result |= (lut >> n & 1u) != 0u ? term : 0u;
    }
    return result;
}
ALU3(lop3, row32, row32, row32, row32, by_table(x, y, z, i->lut))

/* ---- Counting and fields
 * -------------------------------------------------------------------------- */

static inline uint32_t reversed(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
ALU1(popc_32, row32, row32, __builtin_popcount(x))
ALU1(popc_64, row64, row32, __builtin_popcountll(x))
ALU1(clz_32, row32, row32, x == 0u ? 32 : __builtin_clz(x))
ALU1(clz_64, row64, row32, x == 0u ? 64 : __builtin_clzll(x))
ALU1(brev_32, row32, row32, reversed(x))
ALU1(brev_64, row64, row64,
     (uint64_t)reversed((uint32_t)x) << 32 | reversed((uint32_t)(x >> 32)))

/* The highest bit of x, or how far it must be shifted to the top; all ones if there is none. */
static inline uint32_t highest(uint64_t x, uint32_t bits, bool amount)
{
    if (x == 0u) {
        return UINT32_MAX;
    }
    const uint32_t at = 63u - (uint32_t)__builtin_clzll(x);
    return amount ? bits - 1u - at : at;
}
#define SHIFTAMT ((i->flags & FLAG_SHIFTAMT) != 0u)
ALU1(bfind_u32, row32, row32, highest(x, 32u, SHIFTAMT))
ALU1(bfind_u64, row64, row32, highest(x, 64u, SHIFTAMT))
ALU1(bfind_s32, row32, row32, highest((int32_t)x < 0 ? ~x : x, 32u, SHIFTAMT))
ALU1(bfind_s64, row64, row32, highest((int64_t)x < 0 ? ~x : x, 64u, SHIFTAMT))

static inline uint64_t low_bits(uint32_t n)
{
    return n >= 64u ? UINT64_MAX : (UINT64_C(1) << n) - 1u;
}
/* n bits of x from `at` on; above them the sign, which is the field's last bit within x. */
static inline uint64_t field(uint64_t x, uint32_t at, uint32_t n, uint32_t bits, bool is_signed)
{
    at &= 255u;
    n &= 255u;
    const uint32_t last = at + n - 1u < bits - 1u ? at + n - 1u : bits - 1u;
    const bool sign = is_signed && n != 0u && (x >> last & 1u) != 0u;
    const uint32_t have = at >= bits ? 0u : n < bits - at ? n : bits - at;
    const uint64_t value = at >= 64u ? 0u : x >> at & low_bits(have);
    return sign ? value | ~low_bits(have) : value;
}
ALU3(bfe_u32, row32, row32, row32, row32, field(x, y, z, 32u, false))
ALU3(bfe_s32, row32, row32, row32, row32, field(x, y, z, 32u, true))
ALU3(bfe_u64, row64, row32, row32, row64, field(x, y, z, 64u, false))
ALU3(bfe_s64, row64, row32, row32, row64, field(x, y, z, 64u, true))

/* y with n bits from `at` on taken from x. */
static inline uint64_t inserted(uint64_t x, uint64_t y, uint32_t at, uint32_t n)
{
    at &= 255u;
    n &= 255u;
    const uint64_t mask = at >= 64u ? 0u : low_bits(n) << at;
    return at >= 64u ? y : (y & ~mask) | (x << at & mask);
}
#define INSERT(bits, R)                                                        \
    HANDLER(bfi_##bits)                                                        \
    {                                                                          \
        const R *const a = SOURCE(R, 0), *const b = SOURCE(R, 1);              \
        const row32 *const at = SOURCE(row32, 2), *const n = SOURCE(row32, 3); \
        R *const d = RESULT(R, 0);                                             \
        for (uint32_t l = 0u; l < LANES; l++) {                                \
            d[l] = ON(l) ? (R)inserted(a[l], b[l], at[l], n[l]) : d[l];        \
        }                                                                      \
    }
INSERT(32, row32)
INSERT(64, row64)

/* ---- prmt
 * ------------------------------------------------------------------------------------------ */

/* The selector of a mode, as the general form's four digits. */
static inline uint32_t selector(uint32_t n, uint32_t mode)
{
    uint32_t digits = 0u;
    for (uint32_t k = 0u; k < 4u; k++) {
        const uint32_t digit = mode == MODE_F4E   ? n + k
                               : mode == MODE_B4E ? (n + 8u - k) % 8u
                               : mode == MODE_RC8 ? n
                               : mode == MODE_ECL ? (k > n ? k : n)
                               : mode == MODE_ECR ? (k < n ? k : n)
                                                  : (n & 1u) * 2u + (k & 1u);
        digits |= digit << 4u * k;
    }
    return digits;
}
static inline uint32_t permuted(uint32_t a, uint32_t b, uint32_t select, uint32_t mode)
{
    const uint64_t bytes = (uint64_t)b << 32 | a;
    const uint32_t digits = mode == MODE_NONE ? select : selector(select & 3u, mode);
    uint32_t result = 0u;
    for (uint32_t k = 0u; k < 4u; k++) {
        const uint32_t digit = digits >> 4u * k & 15u;
        const uint32_t byte = (uint32_t)(bytes >> 8u * (digit & 7u)) & 255u;
        const uint32_t sign = (byte & 128u) != 0u ? 255u : 0u;
        result |= ((digit & 8u) != 0u ? sign : byte) << 8u * k;
    }
    return result;
}
ALU3(prmt, row32, row32, row32, row32, permuted(x, y, z, i->mode))

/* ---- Moves, packs and selection
 * ----------------------------------------------------------------------- */

ALU1(mov_32, row32, row32, x)
ALU1(mov_64, row64, row64, x)

/* Bits of an element of a value that is packed or unpacked. */
static uint32_t element_bits(const struct ptx_inst *i, uint32_t n)
{
    return 8u * ptx_type_bytes(i->type) / n;
}
HANDLER(pack)
{
    const uint32_t bits = element_bits(i, i->n_src);
    for (uint32_t l = 0u; l < LANES; l++) {
        uint64_t value = 0u;
        for (uint32_t k = 0u; k < i->n_src; k++) {
            value |= (SOURCE(row32, k)[l] & low_bits(bits)) << bits * k;
        }
        if (ON(l) && is_long(i->type)) {
            RESULT(row64, 0)[l] = value;
        } else if (ON(l)) {
            RESULT(row32, 0)[l] = (uint32_t)value;
        }
    }
}
HANDLER(unpack)
{
    const uint32_t bits = element_bits(i, i->n_dst);
    for (uint32_t l = 0u; l < LANES; l++) {
        const uint64_t value = is_long(i->type) ? SOURCE(row64, 0)[l] : SOURCE(row32, 0)[l];
        for (uint32_t k = 0u; ON(l) && k < i->n_dst; k++) {
            if (i->dst[k].kind == OPERAND_REGISTER) {
                RESULT(row32, k)[l] = (uint32_t)(value >> bits * k & low_bits(bits));
            }
        }
    }
}

#define SELECT(bits, R)                                           \
    HANDLER(selp_##bits)                                          \
    {                                                             \
        const R *const a = SOURCE(R, 0), *const b = SOURCE(R, 1); \
        const uint32_t p = exec_predicate(w, &i->src[2]);         \
        R *const d = RESULT(R, 0);                                \
        for (uint32_t l = 0u; l < LANES; l++) {                   \
            const R value = (p >> l & 1u) != 0u ? a[l] : b[l];    \
            d[l] = ON(l) ? value : d[l];                          \
        }                                                         \
    }
SELECT(32, row32)
SELECT(64, row64)
ALU3(slct_32_int, row32, row32, row32, row32, (int32_t)z >= 0 ? x : y)
ALU3(slct_64_int, row64, row64, row32, row64, (int32_t)z >= 0 ? x : y)
ALU3(slct_32_float, row32, row32, row_float, row32, z >= 0.0f ? x : y)
ALU3(slct_64_float, row64, row64, row_float, row64, z >= 0.0f ? x : y)

/* ---- Addresses
 * ------------------------------------------------------------------------------------------ */

static uint64_t window_of(uint32_t space)
{
    return space == SPACE_SHARED ? PTX_SHARED_BASE : space == SPACE_LOCAL ? PTX_LOCAL_BASE : 0u;
}
ALU1(cvta, row64, row64,
     (i->flags & FLAG_TO) != 0u ? x - window_of(i->space) : x + window_of(i->space))

static bool in_space(uint64_t address, uint32_t space)
{
    const bool shared = address - PTX_SHARED_BASE < PTX_WINDOW;
    const bool local = address - PTX_LOCAL_BASE < PTX_WINDOW;
    return space == SPACE_SHARED  ? shared
           : space == SPACE_LOCAL ? local
                                  : space == SPACE_GLOBAL && !shared && !local;
}
HANDLER(isspacep)
{
    uint32_t result = 0u;
    for (uint32_t l = 0u; l < LANES; l++) {
        result |= (uint32_t)in_space(SOURCE(row64, 0)[l], i->space) << l;
    }
    set_predicate(w, &i->dst[0], result, lanes);
}

/* ---- Predicates
 * -------------------------------------------------------------------------------------------
 */

#define PREDICATE(name, expression)                                   \
    HANDLER(name)                                                     \
    {                                                                 \
        const uint32_t x = exec_predicate(w, &i->src[0]);             \
        const uint32_t y = exec_predicate(w, &i->src[i->n_src - 1u]); \
        (void)y;                                                      \
        set_predicate(w, &i->dst[0], expression, lanes);              \
    }
PREDICATE(mov_predicate, x)
PREDICATE(and_predicate, x &y)
PREDICATE(or_predicate, x | y)
PREDICATE(xor_predicate, x ^ y)
PREDICATE(not_predicate, ~x)

/* ---- Choice
 * ------------------------------------------------------------------------------------------------
 */

/* 0: 16 bits, 1: 32, 2: 64. */
static uint32_t width_index(uint32_t type)
{
    const uint32_t bytes = ptx_type_bytes(type);
    return bytes <= 2u ? 0u : bytes == 4u ? 1u : 2u;
}

static exec_handler *of_predicates(const struct ptx_inst *i)
{
    switch (i->op) {
    case PTX_MOV:
        return mov_predicate;
    case PTX_AND:
        return and_predicate;
    case PTX_OR:
        return or_predicate;
    case PTX_XOR:
        return xor_predicate;
    case PTX_NOT:
        return not_predicate;
    default:
        return NULL;
    }
}

static exec_handler *of_logic(const struct ptx_inst *i)
{
    static exec_handler *const ands[] = { and_16, and_32, and_64 };
    static exec_handler *const ors[] = { or_16, or_32, or_64 };
    static exec_handler *const xors[] = { xor_16, xor_32, xor_64 };
    static exec_handler *const nots[] = { not_16, not_32, not_64 };
    static exec_handler *const cnots[] = { cnot_16, cnot_32, cnot_64 };
    static exec_handler *const shls[] = { shl_16, shl_32, shl_64 };
    static exec_handler *const shrs[] = { shr_u16, shr_u32, shr_u64 };
    static exec_handler *const signed_shrs[] = { shr_s16, shr_s32, shr_s64 };
    const uint32_t n = width_index(i->type);
    const bool is_signed = i->type == PTX_S16 || i->type == PTX_S32 || i->type == PTX_S64;
    switch (i->op) {
    case PTX_AND:
        return ands[n];
    case PTX_OR:
        return ors[n];
    case PTX_XOR:
        return xors[n];
    case PTX_NOT:
        return nots[n];
    case PTX_CNOT:
        return cnots[n];
    case PTX_SHL:
        return shls[n];
    case PTX_SHR:
        return is_signed ? signed_shrs[n] : shrs[n];
    default:
        return NULL;
    }
}

static exec_handler *of_fields(const struct ptx_inst *i)
{
    const bool wide = is_long(i->type);
    const bool is_signed = i->type == PTX_S32 || i->type == PTX_S64;
    switch (i->op) {
    case PTX_BFE:
        return wide ? (is_signed ? bfe_s64 : bfe_u64) : (is_signed ? bfe_s32 : bfe_u32);
    case PTX_BFI:
        return wide ? bfi_64 : bfi_32;
    case PTX_BFIND:
        return wide ? (is_signed ? bfind_s64 : bfind_u64) : (is_signed ? bfind_s32 : bfind_u32);
    case PTX_POPC:
        return wide ? popc_64 : popc_32;
    case PTX_CLZ:
        return wide ? clz_64 : clz_32;
    case PTX_BREV:
        return wide ? brev_64 : brev_32;
    case PTX_PRMT:
        return prmt;
    case PTX_LOP3:
        return lop3;
    case PTX_SHF:
        return i->mode == MODE_L ? shf_left : shf_right;
    default:
        return NULL;
    }
}

static exec_handler *of_moves(const struct ptx_inst *i)
{
    const bool wide = is_long(i->type);
    switch (i->op) {
    case PTX_MOV:
        return i->n_src > 1u ? pack : i->n_dst > 1u ? unpack : wide ? mov_64 : mov_32;
    case PTX_SELP:
        return wide ? selp_64 : selp_32;
    case PTX_SLCT:
        return i->source_type == PTX_F32 ? (wide ? slct_64_float : slct_32_float)
                                         : (wide ? slct_64_int : slct_32_int);
    case PTX_CVTA:
        return cvta;
    case PTX_ISSPACEP:
        return isspacep;
    default:
        return NULL;
    }
}

exec_handler *alu_bits(const struct ptx_inst *i)
{
    if (i->type == PTX_PRED) {
        return of_predicates(i);
    }
    exec_handler *const logic = of_logic(i);
    exec_handler *const fields = logic != NULL ? logic : of_fields(i);
    return fields != NULL ? fields : of_moves(i);
}
