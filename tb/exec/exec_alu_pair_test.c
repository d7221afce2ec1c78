/* Tests of the executor's f16x2: comparisons to two predicates and to registers, conversions
 * from two floats. */

#include "exec_alu_run.h"

/* ---- Comparisons, against their definition ------------------------------------------- */

/* 1.0, 2.0, -2.0, 0, -0, the least subnormal, infinity, NaN. */
static const uint16_t halves[] = { 0x3c00, 0x4000, 0xc000, 0, 0x8000, 1, 0x7c00, 0x7e01 };
static const float values[] = { 1.0f, 2.0f, -2.0f, 0.0f, -0.0f, 0x1p-24f, 1e30f, 0.0f };
enum { HALVES = sizeof halves / sizeof halves[0] };

static bool holds(uint8_t compare, uint32_t x, uint32_t y, bool flush)
{
    const bool nan = x == 7u || y == 7u;
    const float a = flush && x == 5u ? 0.0f : values[x];
    const float b = flush && y == 5u ? 0.0f : values[y];
    const bool less = a<b, greater = a> b;
    switch (compare) {
    case CMP_EQ:
        return !nan && !less && !greater;
    case CMP_NE:
        return !nan && (less || greater);
    case CMP_LT:
        return !nan && less;
    case CMP_LE:
        return !nan && !greater;
    case CMP_GT:
        return !nan && greater;
    case CMP_GE:
        return !nan && !less;
    case CMP_EQU:
        return nan || (!less && !greater);
    case CMP_NEU:
        return nan || less || greater;
    case CMP_LTU:
        return nan || less;
    case CMP_LEU:
        return nan || !greater;
    case CMP_GTU:
        return nan || greater;
    case CMP_GEU:
        return nan || !less;
    case CMP_NUM:
        return !nan;
    default:
        return nan;
    }
}

static bool combined(uint8_t boolean, bool x, bool c)
{
    return boolean == BOOL_AND   ? x && c
           : boolean == BOOL_OR  ? x || c
           : boolean == BOOL_XOR ? x != c
                                 : x;
}

/* Each pair of halves below each other pair: a lane each. */
struct pair_case {
    uint32_t x[2], y[2];
    bool c;
};
static struct pair_case case_of(uint32_t n)
{
    return (struct pair_case){ .x = { n % HALVES, n / 64u % HALVES },
                               .y = { n / 8u % HALVES, n / 512u % HALVES },
                               .c = n / 3u % 2u != 0u };
}
static uint32_t packed(const uint32_t which[2])
{
    return (uint32_t)halves[which[1]] << 16 | halves[which[0]];
}

/* The rows of 32 cases: a, b, and the third source. */
static void fill_rows(uint8_t *rows, uint32_t first)
{
    for (uint32_t l = 0u; l < WARP_SIZE; l++) {
        const struct pair_case one = case_of(first + l);
        alu_put(rows, 0u, CLASS_32, l, packed(one.x));
        alu_put(rows, 1u, CLASS_32, l, packed(one.y));
        alu_put(rows, 2u, CLASS_PREDICATE, l, one.c);
    }
}
static struct ptx_inst comparison_in(struct ptx_inst i)
{
    for (uint32_t k = 0u; k < 3u; k++) {
        i.src[k] = (struct ptx_operand){ .kind = OPERAND_REGISTER, .row = ALU_ROW * k };
    }
    for (uint32_t k = 0u; k < i.n_dst; k++) {
        i.dst[k] = (struct ptx_operand){ .kind = OPERAND_REGISTER, .row = ALU_ROW * (4u + k) };
    }
    return i;
}

enum { CASES = HALVES * HALVES * HALVES * HALVES };

static void check_setp(uint8_t compare, uint8_t boolean, uint16_t flags)
{
    const struct ptx_inst i =
        comparison_in(I(.op = PTX_SETP, .type = PTX_F16X2, .n_dst = 2, .source_type = PTX_F16X2,
                        .compare = compare, .boolean = boolean, .flags = flags));
    const bool flush = flags != 0u;
    for (uint32_t n = 0u; n < CASES; n += WARP_SIZE) {
        _Alignas(64) uint8_t rows[ALU_ROW * ALU_ROWS] = { 0 };
        struct exec_warp w = { .rows = rows, .constant_rows = rows };
        fill_rows(rows, n);
        alu_handler (&i)(&w, &i, UINT32_MAX);
        for (uint32_t l = 0u; l < WARP_SIZE; l++) {
            const struct pair_case one = case_of(n + l);
            for (uint32_t k = 0u; k < 2u; k++) {
                const bool is = holds(compare, one.x[k], one.y[k], flush);
                assert_int_equal(alu_get(rows, 4u + k, CLASS_PREDICATE, l),
                                 combined(boolean, is, one.c));
            }
        }
    }
}

static void setp_of_two_halves_writes_a_predicate_of_each(void **state)
{
    (void)state;
    for (uint8_t compare = CMP_EQ; compare <= CMP_NAN; compare++) {
        for (uint8_t boolean = BOOL_NONE;
             (compare <= CMP_GE || compare >= CMP_EQU) && boolean <= BOOL_XOR; boolean++) {
            check_setp(compare, boolean, 0u);
            check_setp(compare, boolean, FLAG_FTZ);
        }
    }
}

/* What set writes to a half for true. */
static void check_set(uint8_t type, uint32_t truth, uint8_t compare, uint8_t boolean)
{
    const struct ptx_inst i =
        comparison_in(I(.op = PTX_SET, .type = type, .source_type = PTX_F16X2, .n_dst = 1,
                        .compare = compare, .boolean = boolean));
    for (uint32_t n = 0u; n < CASES; n += WARP_SIZE) {
        _Alignas(64) uint8_t rows[ALU_ROW * ALU_ROWS] = { 0 };
        struct exec_warp w = { .rows = rows, .constant_rows = rows };
        fill_rows(rows, n);
        alu_handler (&i)(&w, &i, UINT32_MAX);
        for (uint32_t l = 0u; l < WARP_SIZE; l++) {
            const struct pair_case one = case_of(n + l);
            uint32_t expected = 0u;
            for (uint32_t k = 0u; k < 2u; k++) {
                const bool is = holds(compare, one.x[k], one.y[k], false);
                expected |= combined(boolean, is, one.c) ? truth << 16u * k : 0u;
            }
            assert_int_equal(alu_get(rows, 4u, CLASS_32, l), expected);
        }
    }
}

static void set_of_two_halves_writes_two_results(void **state)
{
    (void)state;
    for (uint8_t boolean = BOOL_NONE; boolean <= BOOL_XOR; boolean++) {
        check_set(PTX_F16X2, 0x3c00u, CMP_LE, boolean);
        check_set(PTX_U32, 0xffffu, CMP_GT, boolean);
        check_set(PTX_S32, 0xffffu, CMP_NEU, boolean);
    }
}

static void set_of_one_half_fills_its_destination(void **state)
{
    (void)state;
#define SET(to) I(.op = PTX_SET, .type = PTX_##to, .source_type = PTX_F16, .compare = CMP_LT)
    RUN(SET(F16), { 0xabcd3c00, 0x12344000, 0, 0x3c00 }, { 0x4000, 0x3c00, 0, 0 });
    RUN(SET(U16), { 0xabcd3c00, 0x12344000, 0, 0xffff }, { 0x4000, 0x3c00, 0, 0 });
    RUN(SET(U32), { 0xabcd3c00, 0x12344000, 0, 0xffffffff }, { 0x4000, 0x3c00, 0, 0 });
    RUN(SET(S32), { 0xabcd3c00, 0x12344000, 0, 0xffffffff }, { 0x7e00, 0x3c00, 0, 0 });
    /* Registers of s16 are kept extended by the sign. */
    RUN(SET(S16), { 0xabcd3c00, 0x12344000, 0, 0xffffffff }, { 0x4000, 0x3c00, 0, 0 });
}

/* ---- Conversions --------------------------------------------------------------------- */

static void two_floats_become_two_halves_the_first_above(void **state)
{
    (void)state;
#define PAIR(r) I(.op = PTX_CVT, .type = PTX_F16X2, .source_type = PTX_F32, .round = ROUND_##r)
    RUN(PAIR(RN), { 0x3f800000, 0x40000000, 0, 0x3c004000 },
        { 0x477fefff, 0x477ff000, 0, 0x7bff7c00 }, /* below and above the last tie */
        { 0x3f801000, 0x3f803000, 0, 0x3c003c02 }, /* ties, to even */
        { 0x33000000, 0x33000001, 0, 0x00000001 }, { 0xb3000001, 0x80000001, 0, 0x80018000 },
        { 0x7f800000, 0xff800000, 0, 0x7c00fc00 }, { 0x7fc00000, 0xff800001, 0, 0x7fff7fff });
    RUN(PAIR(RZ), { 0x3f801fff, 0xbf801fff, 0, 0x3c00bc00 },
        { 0x477fffff, 0xc7800000, 0, 0x7bfffbff }, { 0x337fffff, 0xb37fffff, 0, 0x00008000 },
        { 0x33ffffff, 0xb3ffffff, 0, 0x00018001 }, { 0x7f800000, 0xff800000, 0, 0x7c00fc00 },
        { 0xffc00000, 0x3f800000, 0, 0x7fff3c00 });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setp_of_two_halves_writes_a_predicate_of_each),
        cmocka_unit_test(set_of_two_halves_writes_two_results),
        cmocka_unit_test(set_of_one_half_fills_its_destination),
        cmocka_unit_test(two_floats_become_two_halves_the_first_above),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
