/* Tests of the executor's integer arithmetic, logic, shifts and fields. */

#include "exec_alu_run.h"

#define MIN64 UINT64_C(0x8000000000000000)
#define ONES  UINT64_MAX
#define ALL32 0xffffffffu

static void sums_wrap_and_narrow_ones_are_extended(void **state)
{
    (void)state;
    RUN(I(.op = PTX_ADD, .type = PTX_U32), { 0, 0, 0, 0 }, { 1, 2, 0, 3 }, { ALL32, 1, 0, 0 },
        { 0x80000000, 0x80000000, 0, 0 }, { 0x7fffffff, 1, 0, 0x80000000 });
    RUN(I(.op = PTX_ADD, .type = PTX_S64), { ONES, 1, 0, 0 }, { INT64_MAX, 1, 0, MIN64 },
        { 0xffffffff, 1, 0, UINT64_C(0x100000000) });
    RUN(I(.op = PTX_ADD, .type = PTX_U16), { 0xffff, 1, 0, 0 }, { 0xabcd7fff, 1, 0, 0x8000 });
    RUN(I(.op = PTX_ADD, .type = PTX_S16), { 0x7fff, 1, 0, 0xffff8000 },
        { 0xffff, 0xffffffff, 0, 0xfffffffe }, { 0xffff8000, 0xffffffff, 0, 0x7fff });
    RUN(I(.op = PTX_SUB, .type = PTX_S32), { 0, 1, 0, ALL32 },
        { 0x80000000, 1, 0, 0x7fffffff });
    RUN(I(.op = PTX_SUB, .type = PTX_U64), { 0, 1, 0, ONES }, { MIN64, 1, 0, INT64_MAX });
    RUN(I(.op = PTX_SUB, .type = PTX_U16), { 0, 1, 0, 0xffff });
    RUN(I(.op = PTX_SUB, .type = PTX_S16), { 0, 1, 0, ALL32 });
    RUN(I(.op = PTX_ADD, .type = PTX_S32, .flags = FLAG_SAT), { 0x7fffffff, 1, 0, 0x7fffffff },
        { 0x80000000, ALL32, 0, 0x80000000 }, { 0x7fffffff, ALL32, 0, 0x7ffffffe },
        { 5, 6, 0, 11 });
    RUN(I(.op = PTX_SUB, .type = PTX_S32, .flags = FLAG_SAT),
        { 0x7fffffff, ALL32, 0, 0x7fffffff }, { 0x80000000, 1, 0, 0x80000000 },
        { 0, 0x80000000, 0, 0x7fffffff });
    RUN(I(.op = PTX_NEG, .type = PTX_S32), { 1, 0, 0, ALL32 },
        { 0x80000000, 0, 0, 0x80000000 });
    RUN(I(.op = PTX_NEG, .type = PTX_S16), { 0x8000, 0, 0, 0xffff8000 }, { 1, 0, 0, ALL32 });
    RUN(I(.op = PTX_ABS, .type = PTX_S16), { 0xffff8000, 0, 0, 0xffff8000 },
        { ALL32, 0, 0, 1 });
    RUN(I(.op = PTX_ABS, .type = PTX_S32), { 0x80000000, 0, 0, 0x80000000 },
        { 0xfffffff9, 0, 0, 7 });
    RUN(I(.op = PTX_ABS, .type = PTX_S64), { MIN64, 0, 0, MIN64 }, { ONES, 0, 0, 1 });
}

static void divisions_are_defined_everywhere(void **state)
{
    (void)state;
    RUN(I(.op = PTX_DIV, .type = PTX_U32), { 7, 2, 0, 3 }, { 7, 0, 0, ALL32 },
        { ALL32, 10, 0, 429496729 });
    RUN(I(.op = PTX_REM, .type = PTX_U32), { 7, 2, 0, 1 }, { 7, 0, 0, ALL32 });
    RUN(I(.op = PTX_DIV, .type = PTX_S32), { 0xfffffff9, 2, 0, 0xfffffffd },
        { 0x80000000, ALL32, 0, 0x80000000 }, { 1, 0, 0, ALL32 },
        { 7, 0xfffffffe, 0, 0xfffffffd });
    RUN(I(.op = PTX_REM, .type = PTX_S32), { 0xfffffff9, 2, 0, ALL32 },
        { 0x80000000, ALL32, 0, 0 }, { 1, 0, 0, ALL32 }, { 7, 0xfffffffe, 0, 1 });
    RUN(I(.op = PTX_DIV, .type = PTX_S64), { MIN64, ONES, 0, MIN64 }, { 9, 0, 0, ONES },
        { (uint64_t)-9, 2, 0, (uint64_t)-4 });
    RUN(I(.op = PTX_REM, .type = PTX_S64), { MIN64, ONES, 0, 0 }, { (uint64_t)-9, 2, 0, ONES });
    RUN(I(.op = PTX_DIV, .type = PTX_U64), { ONES, 0, 0, ONES }, { ONES, 2, 0, INT64_MAX });
    RUN(I(.op = PTX_DIV, .type = PTX_U16), { 0xffff, 0, 0, 0xffff }, { 0xffff, 2, 0, 0x7fff });
    RUN(I(.op = PTX_DIV, .type = PTX_S16), { 0xffff8000, ALL32, 0, 0xffff8000 },
        { 5, 0, 0, ALL32 });
}

static void products_of_24_bits_and_products_added(void **state)
{
    (void)state;
    RUN(I(.op = PTX_MUL24, .type = PTX_U32, .mode = MODE_LO), { 0xff000003, 5, 0, 15 },
        { 0xffffff, 0xffffff, 0, 0xfe000001 });
    RUN(I(.op = PTX_MUL24, .type = PTX_U32, .mode = MODE_HI),
        { 0xffffff, 0xffffff, 0, 0xfffffe00 });
    RUN(I(.op = PTX_MUL24, .type = PTX_S32, .mode = MODE_LO), { 0xffffff, 5, 0, 0xfffffffb });
    RUN(I(.op = PTX_MUL24, .type = PTX_S32, .mode = MODE_HI), { 0xffffff, 1, 0, ALL32 },
        { 0x800000, 0x800000, 0, 0x40000000 });
    RUN(I(.op = PTX_MAD24, .type = PTX_S32, .mode = MODE_LO), { 0xffffff, 5, 7, 2 });
    RUN(I(.op = PTX_MAD24, .type = PTX_S32, .mode = MODE_HI, .flags = FLAG_SAT),
        { 0x800000, 0x800000, 0x7fffffff, 0x7fffffff },
        { 0xffffff, 1, 0x80000000, 0x80000000 });
    RUN(I(.op = PTX_MAD, .type = PTX_S32, .mode = MODE_HI, .flags = FLAG_SAT),
        { 0x80000000, 0x80000000, 0x7fffffff, 0x7fffffff },
        { ALL32, 1, 0x80000000, 0x80000000 });
    RUN(I(.op = PTX_MAD, .type = PTX_S16, .mode = MODE_WIDE), { 0x8000, 0x8000, 1, 0x40000001 },
        { 0xffff, 2, 0, 0xfffffffe });
    RUN(I(.op = PTX_MAD, .type = PTX_U32, .mode = MODE_WIDE),
        { ALL32, ALL32, ALL32, UINT64_C(0xffffffff00000000) });
    RUN(I(.op = PTX_SAD, .type = PTX_S32), { 0x80000000, 0x7fffffff, 1, 0 }, { 3, 5, 10, 12 });
    RUN(I(.op = PTX_SAD, .type = PTX_U32), { 0, ALL32, 0, ALL32 }, { 5, 3, 10, 12 });
}

static void bits_are_counted_found_and_reversed(void **state)
{
    (void)state;
    RUN(I(.op = PTX_POPC, .type = PTX_B64), { ONES, 0, 0, 64 }, { 0, 0, 0, 0 });
    RUN(I(.op = PTX_POPC, .type = PTX_B32), { ALL32, 0, 0, 32 }, { 0x80000001, 0, 0, 2 });
    RUN(I(.op = PTX_CLZ, .type = PTX_B32), { 0, 0, 0, 32 }, { 1, 0, 0, 31 },
        { ALL32, 0, 0, 0 });
    RUN(I(.op = PTX_CLZ, .type = PTX_B64), { 0, 0, 0, 64 }, { 1, 0, 0, 63 },
        { MIN64, 0, 0, 0 });
    RUN(I(.op = PTX_BFIND, .type = PTX_U32), { 0, 0, 0, ALL32 }, { 1, 0, 0, 0 },
        { 0x80000000, 0, 0, 31 });
    RUN(I(.op = PTX_BFIND, .type = PTX_S32), { ALL32, 0, 0, ALL32 }, { 0x80000000, 0, 0, 30 },
        { 0xfffffffe, 0, 0, 0 });
    RUN(I(.op = PTX_BFIND, .type = PTX_S64), { ONES, 0, 0, ALL32 }, { MIN64, 0, 0, 62 });
    RUN(I(.op = PTX_BFIND, .type = PTX_U32, .flags = FLAG_SHIFTAMT), { 0, 0, 0, ALL32 },
        { 1, 0, 0, 31 });
    RUN(I(.op = PTX_BFIND, .type = PTX_U64, .flags = FLAG_SHIFTAMT), { 1, 0, 0, 63 });
    RUN(I(.op = PTX_BREV, .type = PTX_B32), { 1, 0, 0, 0x80000000 },
        { 0x12345678, 0, 0, 0x1e6a2c48 });
    RUN(I(.op = PTX_BREV, .type = PTX_B64), { 1, 0, 0, MIN64 }, { 0xff, 0, 0, ONES << 56 });
    RUN(I(.op = PTX_FNS, .type = PTX_B32), { 0xf0, 4, 0, 4 }, { 0xf0, 3, 0, ALL32 },
        { 0xf0, 0, 1, 4 }, { 0xf0, 0, 4, 7 }, { 0xf0, 0, 5, ALL32 }, { 0xf0, 31, ALL32, 7 },
        { 0xf0, 31, 0xfffffffc, 4 }, { 0xf0, 31, 0xfffffffb, ALL32 });
    RUN(I(.op = PTX_LOP3, .type = PTX_B32, .lut = 0x96), { 0xff00, 0xf0f0, 0xcccc, 0xc33c });
    RUN(I(.op = PTX_LOP3, .type = PTX_B32, .lut = 0xe8), { 0xff00, 0xf0f0, 0xcccc, 0xfcc0 });
    RUN(I(.op = PTX_CNOT, .type = PTX_B32), { 0, 0, 0, 1 }, { 5, 0, 0, 0 });
    RUN(I(.op = PTX_NOT, .type = PTX_B16), { 0, 0, 0, 0xffff });
}

static void amounts_beyond_the_width_shift_everything_out(void **state)
{
    (void)state;
    RUN(I(.op = PTX_SHL, .type = PTX_B32), { 1, 31, 0, 0x80000000 }, { 1, 32, 0, 0 },
        { 1, 255, 0, 0 }, { 1, ALL32, 0, 0 });
    RUN(I(.op = PTX_SHL, .type = PTX_B64), { 1, 33, 0, UINT64_C(1) << 33 }, { 1, 63, 0, MIN64 },
        { 1, 64, 0, 0 });
    RUN(I(.op = PTX_SHL, .type = PTX_B16), { 1, 15, 0, 0x8000 }, { 1, 16, 0, 0 });
    RUN(I(.op = PTX_SHR, .type = PTX_S32), { 0x80000000, 31, 0, ALL32 },
        { 0x80000000, 32, 0, ALL32 }, { 0x40000000, 255, 0, 0 });
    RUN(I(.op = PTX_SHR, .type = PTX_U32), { 0x80000000, 31, 0, 1 }, { ALL32, 32, 0, 0 });
    RUN(I(.op = PTX_SHR, .type = PTX_S64), { MIN64, 63, 0, ONES }, { MIN64, 64, 0, ONES });
    RUN(I(.op = PTX_SHR, .type = PTX_U64), { MIN64, 63, 0, 1 }, { MIN64, 64, 0, 0 });
    RUN(I(.op = PTX_SHR, .type = PTX_S16), { 0x8000, 20, 0, ALL32 },
        { 0x8000, 1, 0, 0xffffc000 });
    RUN(I(.op = PTX_SHF, .type = PTX_B32, .mode = MODE_L), { 0x80000000, 1, 1, 3 },
        { 5, 6, 32, 6 });
    RUN(I(.op = PTX_SHF, .type = PTX_B32, .mode = MODE_L, .flags = FLAG_CLAMP), { 5, 6, 32, 5 },
        { 5, 6, 255, 5 });
    RUN(I(.op = PTX_SHF, .type = PTX_B32, .mode = MODE_R), { 2, 1, 1, 0x80000001 },
        { 5, 6, 32, 5 });
    RUN(I(.op = PTX_SHF, .type = PTX_B32, .mode = MODE_R, .flags = FLAG_CLAMP),
        { 5, 6, 33, 6 });
    RUN(I(.op = PTX_PRMT, .type = PTX_B32), { 0x33221100, 0x77665544, 0x7610, 0x77661100 },
        { 0x80, 0x7f, 0x00c8, 0x808000ff });
}

/* ---- Against the words of the manual, bit by bit ------------------------------------- */

static uint64_t seed = 1u;
static uint64_t next(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return seed ^ seed >> 29;
}

static uint64_t bfe_slowly(uint64_t a, uint32_t top, uint32_t at, uint32_t n, bool has_sign)
{
    uint64_t d = 0u;
    const uint32_t last = at + n - 1u < top ? at + n - 1u : top;
    const uint64_t sign = has_sign && n != 0u ? a >> last & 1u : 0u;
    for (uint32_t k = 0u; k <= top; k++) {
        d |= (k < n && at + k <= top ? a >> (at + k) & 1u : sign) << k;
    }
    return d;
}

static void fields_are_those_of_the_manual(void **state)
{
    (void)state;
    static const uint8_t at[] = { 0, 1, 7, 31, 32, 33, 63, 64, 255 };
    for (uint32_t p = 0u; p < sizeof at; p++) {
        for (uint32_t n = 0u; n < sizeof at; n++) {
            const uint64_t a = next();
            const uint64_t low = (uint32_t)a;
            const struct alu_case cases[] = {
                { low, at[p], at[n], bfe_slowly(low, 31u, at[p], at[n], false) },
                { low, at[p], at[n], bfe_slowly(low, 31u, at[p], at[n], true) },
                { a, at[p], at[n], bfe_slowly(a, 63u, at[p], at[n], false) },
                { a, at[p], at[n], bfe_slowly(a, 63u, at[p], at[n], true) },
            };
            static const uint8_t type[] = { PTX_U32, PTX_S32, PTX_U64, PTX_S64 };
            for (uint32_t k = 0u; k < 4u; k++) {
                alu_run(I(.op = PTX_BFE, .type = type[k]), &cases[k], 1u);
            }
        }
    }
}

/* The manual's own lines. */
static uint32_t bmsk_slowly(uint32_t a, uint32_t b, bool clamp)
{
    const uint32_t a1 = a & 31u, b1 = b & 31u, sum = a1 + b1;
    uint32_t mask0 = UINT32_MAX << a1;
    uint32_t mask1 = sum >= 32u ? 0u : UINT32_MAX << sum;
    const bool position_overflow = clamp && a >= 32u, width_overflow = clamp && b >= 32u;
    mask0 = position_overflow ? 0u : mask0;
    if (sum >= 32u || position_overflow || width_overflow) {
        mask1 = 0u;
    } else if (b1 == 0u) {
        mask1 = UINT32_MAX;
    }
    return mask0 & ~mask1;
}
static uint32_t szext_slowly(uint32_t a, uint32_t b, bool clamp, bool is_signed)
{
    const uint32_t b1 = b & 31u;
    const bool too_large = b >= 32u && clamp;
    const uint32_t mask = too_large ? 0u : UINT32_MAX << b1;
    const uint32_t at = (b1 - 1u) & 31u;
    const bool sign = b1 != 0u && !too_large && is_signed && (a >> at & 1u) != 0u;
    return (a & ~mask) | (sign ? mask : 0u);
}

static void masks_and_extensions_are_those_of_the_manual(void **state)
{
    (void)state;
    static const uint32_t some[] = {
        0u,  1u,  2u,  7u,  15u, 16u,  30u,  31u,         32u,         33u,       47u,
        63u, 64u, 95u, 96u, 99u, 255u, 256u, 0x80000000u, 0xffffffe1u, UINT32_MAX
    };
    enum { SOME = sizeof some / sizeof some[0] };
    for (uint32_t p = 0u; p < SOME * SOME * 2u; p++) {
        const uint32_t x = some[p / 2u % SOME], n = some[p / 2u / SOME];
        const uint32_t a = (uint32_t)next();
        const bool clamp = p % 2u != 0u;
        const uint8_t mode = clamp ? MODE_CLAMP : MODE_WRAP;
        const struct alu_case cases[] = { { x, n, 0u, bmsk_slowly(x, n, clamp) },
                                          { a, n, 0u, szext_slowly(a, n, clamp, false) },
                                          { a, n, 0u, szext_slowly(a, n, clamp, true) } };
        alu_run(I(.op = PTX_BMSK, .type = PTX_B32, .mode = mode), &cases[0], 1u);
        alu_run(I(.op = PTX_SZEXT, .type = PTX_U32, .mode = mode), &cases[1], 1u);
        alu_run(I(.op = PTX_SZEXT, .type = PTX_S32, .mode = mode), &cases[2], 1u);
    }
    RUN(I(.op = PTX_BMSK, .type = PTX_B32, .mode = MODE_CLAMP), { 0u, 3u, 0u, 7u },
        { 4u, 8u, 0u, 0xff0u }, { 28u, 8u, 0u, 0xf0000000u }, { 8u, 32u, 0u, 0xffffff00u },
        { 0u, 32u, 0u, UINT32_MAX }, { 32u, 4u, 0u, 0u }, { 5u, 0u, 0u, 0u });
    RUN(I(.op = PTX_BMSK, .type = PTX_B32, .mode = MODE_WRAP), { 0u, 3u, 0u, 7u },
        { 36u, 8u, 0u, 0xff0u }, { 28u, 8u, 0u, 0xf0000000u }, { 8u, 32u, 0u, 0u },
        { 8u, 33u, 0u, 0x100u }, { 31u, 31u, 0u, 0x80000000u });
    RUN(I(.op = PTX_SZEXT, .type = PTX_S32, .mode = MODE_CLAMP), { 0x1234u, 4u, 0u, 4u },
        { 0x8u, 4u, 0u, 0xfffffff8u }, { 0x8u, 0u, 0u, 0u },
        { 0x80000008u, 32u, 0u, 0x80000008u }, { 0x55u, 1u, 0u, UINT32_MAX });
    RUN(I(.op = PTX_SZEXT, .type = PTX_U32, .mode = MODE_WRAP), { 0x1fffu, 36u, 0u, 0xfu },
        { 0x8u, 32u, 0u, 0u }, { 0xffffffffu, 31u, 0u, 0x7fffffffu });
}

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 wide_unsigned;

static void products_are_those_of_128_bits(void **state)
{
    (void)state;
    static const uint8_t type[] = { PTX_U16, PTX_S16, PTX_U32, PTX_S32, PTX_U64, PTX_S64 };
    for (uint32_t k = 0u; k < 600u; k++) {
        const uint32_t t = type[k % 6u], bits = 8u * ptx_type_bytes(t);
        const bool has_sign = t >= PTX_S8;
        const uint64_t mask = ONES >> (64u - bits);
        const uint64_t a = next() & mask, b = next() & mask, c = next() & mask;
        const wide half = (wide)1 << (bits - 1u);
        const wide x = has_sign ? (wide)(a ^ (uint64_t)half) - half : (wide)a;
        const wide y = has_sign ? (wide)(b ^ (uint64_t)half) - half : (wide)b;
        const wide_unsigned product = (wide_unsigned)x * (wide_unsigned)y;
        const uint64_t low = (uint64_t)product & mask,
                       high = (uint64_t)(product >> bits) & mask;
        uint64_t expected[] = { low, high, (low + c) & mask, (high + c) & mask };
        for (uint32_t n = 0u; n < 4u; n++) {
            const bool extend = has_sign && bits == 16u && (expected[n] & 0x8000u) != 0u;
            expected[n] |= extend ? 0xffff0000u : 0u;
            const struct alu_case one = { a, b, c, expected[n] };
            alu_run(I(.op = n < 2u ? PTX_MUL : PTX_MAD, .type = (uint8_t)t,
                      .mode = n % 2u == 0u ? MODE_LO : MODE_HI),
                    &one, 1u);
        }
    }
}

/* 128-bit sums in four words, through the carry. */
static void carries_chain(void **state)
{
    (void)state;
    for (uint32_t k = 0u; k < 200u; k++) {
        _Alignas(64) uint32_t rows[3][WARP_SIZE] = { 0 };
        struct exec_warp w = { .rows = (uint8_t *)rows };
        const uint64_t a = k % 3u == 0u ? ONES : next(), b = next();
        const uint64_t sum[] = { a + b, a - b };
        for (uint32_t minus = 0u; minus < 2u; minus++) {
            for (uint32_t part = 0u; part < 2u; part++) {
                const uint8_t op =
                    part == 0u ? (minus ? PTX_SUB : PTX_ADD) : (minus ? PTX_SUBC : PTX_ADDC);
                struct ptx_inst i = {
                    .op = op, .type = PTX_U32, .flags = FLAG_CC, .n_dst = 1u
                };
                i.src[0] = (struct ptx_operand){ .kind = OPERAND_REGISTER, .row = 0u };
                i.src[1] = (struct ptx_operand){ .kind = OPERAND_REGISTER, .row = 128u };
                i.dst[0] = (struct ptx_operand){ .kind = OPERAND_REGISTER, .row = 256u };
                rows[0][5] = (uint32_t)(a >> 32u * part);
                rows[1][5] = (uint32_t)(b >> 32u * part);
                alu_handler (&i)(&w, &i, 1u << 5);
                assert_int_equal(rows[2][5], (uint32_t)(sum[minus] >> 32u * part));
            }
            assert_int_equal(w.carry, (minus ? a < b : sum[0] < a) ? 1u << 5 : 0u);
        }
    }
}

static void other_instructions_are_refused_with_a_reason(void **state)
{
    (void)state;
    const struct ptx_inst wrong[] = {
        { .op = PTX_LD, .type = PTX_U32 },
        { .op = PTX_ADD, .type = PTX_U8 },
        { .op = PTX_ADD, .type = PTX_U32, .flags = FLAG_SAT },
        { .op = PTX_FMA, .type = PTX_F32 },
        { .op = PTX_BMSK, .type = PTX_B32 },
        { .op = PTX_SZEXT, .type = PTX_U64, .mode = MODE_WRAP },
        { .op = PTX_SQRT, .type = PTX_F64, .round = ROUND_APPROX },
        { .op = PTX_SETP, .type = PTX_S32, .compare = CMP_NAN },
        { .op = PTX_CVT, .type = PTX_S32, .source_type = PTX_F32 },
    };
    for (size_t k = 0u; k < sizeof wrong / sizeof wrong[0]; k++) {
        const char *why = NULL;
        assert_null(exec_alu_handler(&wrong[k], &why));
        assert_non_null(why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_wrap_and_narrow_ones_are_extended),
        cmocka_unit_test(divisions_are_defined_everywhere),
        cmocka_unit_test(products_of_24_bits_and_products_added),
        cmocka_unit_test(bits_are_counted_found_and_reversed),
        cmocka_unit_test(amounts_beyond_the_width_shift_everything_out),
        cmocka_unit_test(fields_are_those_of_the_manual),
        cmocka_unit_test(masks_and_extensions_are_those_of_the_manual),
        cmocka_unit_test(products_are_those_of_128_bits),
        cmocka_unit_test(carries_chain),
        cmocka_unit_test(other_instructions_are_refused_with_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
