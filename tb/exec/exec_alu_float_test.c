/* Tests of the executor's floats: every rounding, special values, conversions, comparisons. */

#include "exec_alu_run.h"

#include <math.h>

#define NAN32   0x7fffffffu
#define INF32   0x7f800000u
#define QUIET   UINT64_C(0x7ff8000000000000)
#define HIGHEST UINT64_C(0x8000000000000000)

static uint64_t seed = 1u;
static uint64_t next(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return seed ^ seed >> 29;
}

/* ---- Against exact integers ---------------------------------------------------------- */

__extension__ typedef __int128 wide;

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* A float times 2^90; its lowest bit must not be below 2^-90. */
static wide exact(float x)
{
    int exponent;
    const double fraction = frexp((double)x, &exponent);
    const wide whole = (wide)(fraction * 0x1p24);
    const int shift = exponent - 24 + 90;
    return shift >= 0 ? whole * ((wide)1 << shift) : whole / ((wide)1 << -shift);
}

/* The definition: of the two floats around the value, the one that the mode says. */
static uint32_t round_slowly(wide value, enum ptx_round mode, bool negative_zero)
{
    if (value == 0) {
        return negative_zero ? 0x80000000u : 0u;
    }
    float low = (float)(long double)value * 0x1p-90f;
    while (exact(low) > value) {
        low = nextafterf(low, -INFINITY);
    }
    while (exact(nextafterf(low, INFINITY)) <= value) {
        low = nextafterf(low, INFINITY);
    }
    const float high = exact(low) == value ? low : nextafterf(low, INFINITY);
    const wide below = value - exact(low), above = exact(high) - value;
    const bool even_low = (bits_of(low) & 1u) == 0u;
    switch (mode) {
    case ROUND_RM:
        return bits_of(low);
    case ROUND_RP:
        return bits_of(high);
    case ROUND_RZ:
        return bits_of(value > 0 ? low : high);
    default:
        return bits_of(below < above || (below == above && even_low) ? low : high);
    }
}

/* 24 bits, and about one: so that 2^-90 divides all products and sums. */
static float some_float(void)
{
    const uint64_t r = next();
    const float x = ldexpf((float)(r & 0xffffffu), -24 - (int)(r >> 24 & 7u));
    return (r >> 40 & 1u) != 0u ? -x : x;
}

static void f32_is_rounded_exactly_in_every_mode(void **state)
{
    (void)state;
    for (uint32_t k = 0u; k < 4000u; k++) {
        const float a = some_float(), b = some_float(), c = k % 5u == 0u ? -a : some_float();
        const wide product = (exact(a) >> 45) * (exact(b) >> 45);
        const uint8_t mode = (uint8_t)(ROUND_RN + k % 4u);
        const bool down = mode == ROUND_RM;
        const bool minus = signbit(a) != signbit(b);
        const struct {
            uint8_t op;
            wide value;
            bool zero;
        } of[] = {
            { PTX_ADD, exact(a) + exact(c), (signbit(a) && signbit(c)) || (down && a != 0.0f) },
            { PTX_MUL, product, minus },
            { PTX_FMA, product + exact(c), down },
        };
        for (uint32_t n = 0u; n < 3u; n++) {
            if (of[n].value == 0) {
                continue; /* signs of zeros have cases of their own */
            }
            const float second = n == 0u ? c : b;
            const struct alu_case one = { bits_of(a), bits_of(second), bits_of(c),
                                          round_slowly(of[n].value, mode, of[n].zero) };
            alu_run(I(.op = of[n].op, .type = PTX_F32, .round = mode), &one, 1u);
        }
    }
}

/* ---- Vectors ------------------------------------------------------------------------- */

static void f32_special_values(void **state)
{
    (void)state;
    RUN(I(.op = PTX_ADD, .type = PTX_F32), { INF32, 0xff800000, 0, NAN32 },
        { 0x7fc00001, 0, 0, NAN32 }, { 0xffc00000, 0x3f800000, 0, NAN32 },
        { 0x3f800000, 0xbf800000, 0, 0 }, { 0x80000000, 0x80000000, 0, 0x80000000 },
        { 0x80000000, 0, 0, 0 }, { 0x7f7fffff, 0x7f7fffff, 0, INF32 }, { 1, 1, 0, 2 },
        { 0x3f800000, 0x33800000, 0, 0x3f800000 }, { 0x3f800001, 0x33800000, 0, 0x3f800002 });
    RUN(I(.op = PTX_ADD, .type = PTX_F32, .round = ROUND_RM),
        { 0x3f800000, 0xbf800000, 0, 0x80000000 }, { 0x7f7fffff, 0x7f7fffff, 0, 0x7f7fffff },
        { 0xff7fffff, 0xff7fffff, 0, 0xff800000 }, { 0x3f800000, 1, 0, 0x3f800000 },
        { 0xbf800000, 0x80000001, 0, 0xbf800001 });
    RUN(I(.op = PTX_ADD, .type = PTX_F32, .round = ROUND_RP), { 0x3f800000, 1, 0, 0x3f800001 },
        { 0xff7fffff, 0xff7fffff, 0, 0xff7fffff }, { 0x7f7fffff, 1, 0, INF32 });
    RUN(I(.op = PTX_ADD, .type = PTX_F32, .round = ROUND_RZ),
        { 0x7f7fffff, 0x7f7fffff, 0, 0x7f7fffff }, { 0xbf800000, 0x80000001, 0, 0xbf800000 });
    RUN(I(.op = PTX_ADD, .type = PTX_F32, .flags = FLAG_FTZ), { 1, 1, 0, 0 },
        { 0x807fffff, 0x80000001, 0, 0x80000000 }, { 0x00800001, 0x80800000, 0, 0 });
    RUN(I(.op = PTX_ADD, .type = PTX_F32, .flags = FLAG_SAT),
        { 0x3f800000, 0x3f800000, 0, 0x3f800000 }, { INF32, 0xff800000, 0, 0 },
        { 0xbf800000, 0, 0, 0 }, { 0x3e800000, 0x3e800000, 0, 0x3f000000 },
        { 0x80000000, 0x80000000, 0, 0 });
    RUN(I(.op = PTX_MUL, .type = PTX_F32), { 0, INF32, 0, NAN32 },
        { 0x80000000, 0x40000000, 0, 0x80000000 }, { 1, 0x3f000000, 0, 0 },
        { 3, 0x3f000000, 0, 2 });
    RUN(I(.op = PTX_MUL, .type = PTX_F32, .round = ROUND_RP), { 1, 0x3f000000, 0, 1 },
        { 0x80000001, 0x3f000000, 0, 0x80000000 });
    RUN(I(.op = PTX_FMA, .type = PTX_F32, .round = ROUND_RN),
        { 0x3f800001, 0x3f800001, 0xbf800002, 0x28800000 }, { INF32, 0, 0x3f800000, NAN32 });
    RUN(I(.op = PTX_DIV, .type = PTX_F32, .round = ROUND_RN),
        { 0x3f800000, 0x40400000, 0, 0x3eaaaaab }, { 0x3f800000, 0, 0, INF32 },
        { 0x3f800000, 0x80000000, 0, 0xff800000 }, { 0, 0, 0, NAN32 });
    RUN(I(.op = PTX_DIV, .type = PTX_F32, .round = ROUND_RZ),
        { 0x3f800000, 0x40400000, 0, 0x3eaaaaaa });
    RUN(I(.op = PTX_RCP, .type = PTX_F32, .round = ROUND_RP), { 0x40400000, 0, 0, 0x3eaaaaab });
    RUN(I(.op = PTX_SQRT, .type = PTX_F32, .round = ROUND_RN), { 0x40000000, 0, 0, 0x3fb504f3 },
        { 0x80000000, 0, 0, 0x80000000 }, { 0xbf800000, 0, 0, NAN32 });
    RUN(I(.op = PTX_SQRT, .type = PTX_F32, .round = ROUND_RP),
        { 0x40000000, 0, 0, 0x3fb504f4 });
    RUN(I(.op = PTX_MIN, .type = PTX_F32), { 0, 0x80000000, 0, 0x80000000 },
        { 0x7fc00000, 5, 0, 5 }, { 5, 0xffc00000, 0, 5 }, { 0x7fc00000, 0xffc00000, 0, NAN32 },
        { 0xff800000, 0, 0, 0xff800000 });
    RUN(I(.op = PTX_MAX, .type = PTX_F32), { 0, 0x80000000, 0, 0 }, { 0x7fc00000, 5, 0, 5 },
        { 0xbf800000, 0xc0000000, 0, 0xbf800000 });
    RUN(I(.op = PTX_MAX, .type = PTX_F32, .flags = FLAG_FTZ), { 5, 0x80000000, 0, 0 });
    RUN(I(.op = PTX_NEG, .type = PTX_F32), { 0, 0, 0, 0x80000000 });
    RUN(I(.op = PTX_ABS, .type = PTX_F32, .flags = FLAG_FTZ), { 0x80000001, 0, 0, 0 });
    RUN(I(.op = PTX_COPYSIGN, .type = PTX_F32), { 0x80000000, 0x3f800000, 0, 0xbf800000 });
}

static void f64_and_its_nans(void **state)
{
    (void)state;
    RUN(I(.op = PTX_ADD, .type = PTX_F64), { QUIET | 5, QUIET | 6, 0, QUIET | 5 },
        { UINT64_C(0x7ff0000000000001), 0, 0, QUIET | 1 }, { 0, QUIET | 6, 0, QUIET | 6 },
        { UINT64_C(0x7ff0000000000000), UINT64_C(0xfff0000000000000), 0,
          UINT64_C(0xfff8000000000000) },
        { UINT64_C(0x3ff0000000000000), UINT64_C(0x3ca0000000000000), 0,
          UINT64_C(0x3ff0000000000000) });
    RUN(I(.op = PTX_ADD, .type = PTX_F64, .round = ROUND_RP),
        { UINT64_C(0x3ff0000000000000), 1, 0, UINT64_C(0x3ff0000000000001) });
    RUN(I(.op = PTX_FMA, .type = PTX_F64, .round = ROUND_RN),
        { UINT64_C(0x3ff0000000000001), UINT64_C(0x3ff0000000000001),
          UINT64_C(0xbff0000000000002), UINT64_C(0x3970000000000000) },
        { QUIET | 1, QUIET | 2, QUIET | 3, QUIET | 1 });
    RUN(I(.op = PTX_DIV, .type = PTX_F64, .round = ROUND_RM),
        { UINT64_C(0x3ff0000000000000), UINT64_C(0x4008000000000000), 0,
          UINT64_C(0x3fd5555555555555) });
    RUN(I(.op = PTX_MIN, .type = PTX_F64), { 0, UINT64_C(1) << 63, 0, UINT64_C(1) << 63 },
        { QUIET, 7, 0, 7 });
}

static void conversions(void **state)
{
    (void)state;
#define CVT(to, from, r) \
    I(.op = PTX_CVT, .type = PTX_##to, .source_type = PTX_##from, .round = ROUND_##r)
    RUN(CVT(S32, F32, RNI), { 0x3f000000, 0, 0, 0 }, { 0x3fc00000, 0, 0, 2 },
        { 0x40200000, 0, 0, 2 }, { 0xbf000000, 0, 0, 0 }, { 0xbfc00000, 0, 0, 0xfffffffe });
    RUN(CVT(S32, F32, RZI), { 0xbff33333, 0, 0, 0xffffffff }, { 0x4f000000, 0, 0, 0x7fffffff },
        { 0xcf000000, 0, 0, 0x80000000 }, { 0xff800000, 0, 0, 0x80000000 },
        { INF32, 0, 0, 0x7fffffff }, { 0x7fc00000, 0, 0, 0 }, { 0x4effffff, 0, 0, 0x7fffff80 });
    RUN(CVT(U32, F32, RMI), { 0xbf800000, 0, 0, 0 }, { 0x4f800000, 0, 0, 0xffffffff },
        { 0x3fffffff, 0, 0, 1 });
    RUN(CVT(S32, F32, RMI), { 0x80000001, 0, 0, 0xffffffff });
    RUN(CVT(S32, F32, RPI), { 1, 0, 0, 1 }, { 0xbf000000, 0, 0, 0 });
    RUN(CVT(U8, F32, RZI), { 0x43c80000, 0, 0, 255 });
    RUN(CVT(S8, F32, RZI), { 0xc3480000, 0, 0, 0xffffff80 });
    RUN(CVT(U64, F64, RZI), { UINT64_C(0x43f0000000000000), 0, 0, UINT64_MAX });
    RUN(CVT(S64, F64, RZI), { UINT64_C(0x43e0000000000000), 0, 0, INT64_MAX });
    RUN(CVT(F32, S32, RN), { 0x01000001, 0, 0, 0x4b800000 }, { 0x01000003, 0, 0, 0x4b800002 },
        { 0x80000000, 0, 0, 0xcf000000 }, { 0, 0, 0, 0 });
    RUN(CVT(F32, S32, RP), { 0x01000001, 0, 0, 0x4b800001 }, { 0xfeffffff, 0, 0, 0xcb800000 });
    RUN(CVT(F32, S32, RM), { 0x01000001, 0, 0, 0x4b800000 }, { 0xfeffffff, 0, 0, 0xcb800001 });
    RUN(CVT(F32, U32, RN), { 0xffffffff, 0, 0, 0x4f800000 });
    RUN(CVT(F32, U32, RZ), { 0xffffffff, 0, 0, 0x4f7fffff });
    RUN(CVT(F64, U64, RN), { UINT64_MAX, 0, 0, UINT64_C(0x43f0000000000000) });
    RUN(CVT(F32, U64, RN), { UINT64_C(0x8000008000000001), 0, 0, 0x5f000001 },
        { UINT64_C(0x8000008000000000), 0, 0, 0x5f000000 });
    RUN(CVT(F32, F64, RN), { UINT64_C(0x3ff0000010000000), 0, 0, 0x3f800000 },
        { UINT64_C(0x3ff0000030000000), 0, 0, 0x3f800002 },
        { UINT64_C(0x47f0000000000000), 0, 0, INF32 }, { QUIET, 0, 0, NAN32 },
        { UINT64_C(0x3690000000000000), 0, 0, 0 }, { UINT64_C(0x3690000000000001), 0, 0, 1 });
    RUN(CVT(F32, F64, RZ), { UINT64_C(0x47f0000000000000), 0, 0, 0x7f7fffff });
    RUN(CVT(F32, F64, RP), { 1, 0, 0, 1 }, { UINT64_C(0x8000000000000001), 0, 0, 0x80000000 });
    RUN(CVT(F16, F32, RN), { 0x3f800000, 0, 0, 0x3c00 }, { 0x477ff000, 0, 0, 0x7c00 },
        { 0x477fefff, 0, 0, 0x7bff }, { 0x33000000, 0, 0, 0 }, { 0x33000001, 0, 0, 1 },
        { 0x7fc00000, 0, 0, 0x7fff }, { 0x3f801000, 0, 0, 0x3c00 },
        { 0x3f803000, 0, 0, 0x3c02 });
    RUN(CVT(F32, F16, NONE), { 1, 0, 0, 0x33800000 }, { 0xfc00, 0, 0, 0xff800000 },
        { 0x3555, 0, 0, 0x3eaaa000 });
    RUN(CVT(F32, F32, RNI), { 0x3f000000, 0, 0, 0 }, { 0xbf000000, 0, 0, 0x80000000 },
        { 0x3fc00000, 0, 0, 0x40000000 }, { 0x4b000001, 0, 0, 0x4b000001 },
        { 0x7fc00000, 0, 0, NAN32 }, { 0xff800000, 0, 0, 0xff800000 });
    RUN(CVT(F32, F32, RMI), { 0xbf000000, 0, 0, 0xbf800000 });
    RUN(CVT(S64, S8, NONE), { 0xff80, 0, 0, UINT64_C(0xffffffffffffff80) });
    RUN(CVT(U32, S8, NONE), { 0x80, 0, 0, 0xffffff80 });
    RUN(CVT(S16, U32, NONE), { 0x18000, 0, 0, 0xffff8000 });
    RUN(CVT(U16, S32, NONE), { 0xffff8000, 0, 0, 0x8000 });
    RUN(I(.op = PTX_CVT, .type = PTX_U8, .source_type = PTX_S32, .flags = FLAG_SAT),
        { 0xffffffff, 0, 0, 0 }, { 300, 0, 0, 255 }, { 7, 0, 0, 7 });
    RUN(I(.op = PTX_CVT, .type = PTX_S32, .source_type = PTX_U64, .flags = FLAG_SAT),
        { UINT64_MAX, 0, 0, 0x7fffffff });
    RUN(I(.op = PTX_CVT, .type = PTX_F32, .source_type = PTX_F32, .flags = FLAG_SAT),
        { 0x7fc00000, 0, 0, 0 }, { 0x40000000, 0, 0, 0x3f800000 }, { 0xbf800000, 0, 0, 0 });
}

/* 0 of the narrower floats to at most 32 bits, otherwise the highest bit alone. */
static void nan_becomes_0_or_the_highest_bit(void **state)
{
    static const uint8_t rounds[] = { ROUND_RNI, ROUND_RZI, ROUND_RMI, ROUND_RPI };
    static const struct {
        uint8_t to;
        uint64_t of_narrow, of_f64;
    } cases[] = {
        { PTX_U8, 0, 0x80 },           { PTX_S8, 0, 0xffffff80 },
        { PTX_U16, 0, 0x8000 },        { PTX_S16, 0, 0xffff8000 },
        { PTX_U32, 0, 0x80000000 },    { PTX_S32, 0, 0x80000000 },
        { PTX_U64, HIGHEST, HIGHEST }, { PTX_S64, HIGHEST, HIGHEST },
    };
    (void)state;
    for (size_t k = 0u; k < sizeof cases / sizeof cases[0]; k++) {
        for (uint32_t r = 0u; r < 4u; r++) {
            struct ptx_inst i = I(.op = PTX_CVT, .type = cases[k].to, .round = rounds[r]);
            const struct alu_case single = { 0xffc00001u, 0, 0, cases[k].of_narrow };
            const struct alu_case half = { 0x7e01u, 0, 0, cases[k].of_narrow };
            const struct alu_case large = { QUIET | 1u, 0, 0, cases[k].of_f64 };
            i.source_type = PTX_F32;
            alu_run(i, &single, 1u);
            i.flags = FLAG_FTZ | FLAG_SAT;
            alu_run(i, &single, 1u);
            i.flags = 0u;
            i.source_type = PTX_F16;
            alu_run(i, &half, 1u);
            i.source_type = PTX_F64;
            alu_run(i, &large, 1u);
        }
    }
}

static void halves(void **state)
{
    (void)state;
    RUN(I(.op = PTX_ADD, .type = PTX_F16X2), { 0x3c003c00, 0x3c001000, 0, 0x40003c00 },
        { 0x7bff0001, 0x7bff0001, 0, 0x7c000002 });
    RUN(I(.op = PTX_ADD, .type = PTX_F16), { 0x7c00, 0xfc00, 0, 0x7fff },
        { 0x3c01, 0x1000, 0, 0x3c02 });
    RUN(I(.op = PTX_FMA, .type = PTX_F16, .round = ROUND_RN),
        { 0x3c01, 0x3c01, 0xbc02, 0x0010 });
    RUN(I(.op = PTX_MIN, .type = PTX_F16), { 0x7e00, 0x3c00, 0, 0x3c00 },
        { 0, 0x8000, 0, 0x8000 });
    RUN(I(.op = PTX_NEG, .type = PTX_F16X2), { 0x3c003c00, 0, 0, 0xbc00bc00 });
}

/* Bit k of an expected word: equal, less, greater, unordered. */
static void comparisons_of_every_order(void **state)
{
    (void)state;
    static const struct {
        uint32_t a, b, is;
    } of[] = { { 0, 0x80000000, 1 },
               { 0xbf800000, 0x3f800000, 2 },
               { INF32, 1, 4 },
               { NAN32, 0, 8 },
               { 0, NAN32, 8 } };
    static const uint8_t holds[] = {
        [CMP_EQ] = 1,   [CMP_NE] = 6,   [CMP_LT] = 2,   [CMP_LE] = 3,   [CMP_GT] = 4,
        [CMP_GE] = 5,   [CMP_EQU] = 9,  [CMP_NEU] = 14, [CMP_LTU] = 10, [CMP_LEU] = 11,
        [CMP_GTU] = 12, [CMP_GEU] = 13, [CMP_NUM] = 7,  [CMP_NAN] = 8
    };
    for (uint8_t compare = CMP_EQ; compare <= CMP_NAN; compare++) {
        for (uint32_t k = 0u; k < 5u && holds[compare] != 0u; k++) {
            const bool is = (holds[compare] & of[k].is) != 0u;
            for (uint64_t c = 0u; c < 2u; c++) {
                const uint64_t expected[] = { is, is && c, is || c, is != (c != 0u) };
                for (uint8_t boolean = BOOL_NONE; boolean <= BOOL_XOR; boolean++) {
                    const struct alu_case one = { of[k].a, of[k].b, c, expected[boolean] };
                    struct ptx_inst i = I(.op = PTX_SETP, .type = PTX_F32, .compare = compare,
                                          .boolean = boolean);
                    i.src[2].kind = OPERAND_REGISTER;
                    alu_run(i, &one, 1u);
                    i.op = PTX_SET;
                    i.type = PTX_U32;
                    i.source_type = PTX_F32;
                    const struct alu_case word = { of[k].a, of[k].b, c,
                                                   expected[boolean] ? 0xffffffffu : 0u };
                    alu_run(i, &word, 1u);
                }
            }
        }
    }
    RUN(I(.op = PTX_SETP, .type = PTX_S32, .compare = CMP_LT), { 0x80000000, 0, 0, 1 });
    RUN(I(.op = PTX_SETP, .type = PTX_U32, .compare = CMP_LO), { 0x80000000, 0, 0, 0 });
    RUN(I(.op = PTX_SETP, .type = PTX_U64, .compare = CMP_GT),
        { UINT64_C(0x100000000), 1, 0, 1 });
    RUN(I(.op = PTX_SETP, .type = PTX_S16, .compare = CMP_LT), { 0xffff, 0, 0, 1 });
}

static void moves_selections_and_approximations(void **state)
{
    (void)state;
    RUN(I(.op = PTX_SELP, .type = PTX_B32), { 1, 2, 1, 1 }, { 1, 2, 0, 2 });
    RUN(I(.op = PTX_SELP, .type = PTX_F64), { 1, 2, 1, 1 }, { 1, 2, 0, 2 });
    RUN(I(.op = PTX_SLCT, .type = PTX_U32, .source_type = PTX_F32), { 1, 2, 0x80000000, 1 },
        { 1, 2, NAN32, 2 });
    RUN(I(.op = PTX_MOV, .type = PTX_B64), { 77, 0, 0, 77 });
    RUN(I(.op = PTX_CVTA, .type = PTX_U64, .space = SPACE_SHARED),
        { 16, 0, 0, PTX_SHARED_BASE + 16u });
    RUN(I(.op = PTX_CVTA, .type = PTX_U64, .space = SPACE_LOCAL, .flags = FLAG_TO),
        { PTX_LOCAL_BASE + 8u, 0, 0, 8 });
    RUN(I(.op = PTX_CVTA, .type = PTX_U64, .space = SPACE_CONST),
        { 16, 0, 0, PTX_CONST_BASE + 16u });
    RUN(I(.op = PTX_CVTA, .type = PTX_U64, .space = SPACE_CONST, .flags = FLAG_TO),
        { PTX_CONST_BASE + 8u, 0, 0, 8 });
    RUN(I(.op = PTX_ISSPACEP, .space = SPACE_CONST), { PTX_CONST_BASE, 0, 0, 1 },
        { PTX_CONST_BASE + PTX_WINDOW - 1u, 0, 0, 1 }, { PTX_CONST_BASE + PTX_WINDOW, 0, 0, 0 },
        { PTX_CONST_BASE - 1u, 0, 0, 0 }, { PTX_LOCAL_BASE, 0, 0, 0 });
    RUN(I(.op = PTX_ISSPACEP, .space = SPACE_GLOBAL), { PTX_CONST_BASE, 0, 0, 0 },
        { PTX_CONST_BASE + PTX_WINDOW, 0, 0, 1 }, { 0x10000000, 0, 0, 1 });
    RUN(I(.op = PTX_ISSPACEP, .space = SPACE_SHARED), { PTX_SHARED_BASE + 16u, 0, 0, 1 },
        { 16, 0, 0, 0 });
    RUN(I(.op = PTX_TESTP, .type = PTX_F32, .mode = MODE_SUBNORMAL), { 1, 0, 0, 1 },
        { 0, 0, 0, 0 });
    RUN(I(.op = PTX_EX2, .type = PTX_F32, .round = ROUND_APPROX),
        { 0x40400000, 0, 0, 0x41000000 }, { 0xff800000, 0, 0, 0 });
    RUN(I(.op = PTX_LG2, .type = PTX_F32, .round = ROUND_APPROX),
        { 0x41000000, 0, 0, 0x40400000 }, { 0x80000000, 0, 0, 0xff800000 },
        { 0xbf800000, 0, 0, NAN32 });
    RUN(I(.op = PTX_RSQRT, .type = PTX_F32, .round = ROUND_APPROX),
        { 0x40800000, 0, 0, 0x3f000000 }, { 0x80000000, 0, 0, 0xff800000 }, { INF32, 0, 0, 0 });
    RUN(I(.op = PTX_DIV, .type = PTX_F32, .round = ROUND_APPROX),
        { 0x3f800000, 0x7e800000, 0, 0x00800000 }, { 0x3f800000, 0x7e800001, 0, 0 },
        { INF32, 0x7f000000, 0, NAN32 }, { 0x40c00000, 0x40000000, 0, 0x40400000 });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f32_is_rounded_exactly_in_every_mode),
        cmocka_unit_test(f32_special_values),
        cmocka_unit_test(f64_and_its_nans),
        cmocka_unit_test(conversions),
        cmocka_unit_test(nan_becomes_0_or_the_highest_bit),
        cmocka_unit_test(halves),
        cmocka_unit_test(comparisons_of_every_order),
        cmocka_unit_test(moves_selections_and_approximations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
