/*
 * Tests of f32 and f64 arithmetic in every rounding, against integers of 128 bits: over the
 * whole range, with subnormals, overflows and ties.
 *
 * fma has three ways to be computed, and each is tested: by the processor's instruction, by the
 * handlers that call the C library, and by the library where it may not use that instruction.
 * For the last the program starts itself again with an environment that says so.
 */

#define EXEC_NO_FMA
#define exec_alu_float exec_alu_float_plain
#include "exec/alu/exec_alu_float.c"
#undef exec_alu_float

#include "exec_alu_run.h"

#include <stdlib.h>
#include <unistd.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 wide_unsigned;

enum { TRIALS = 4096, FINE = 20 };

static uint64_t seed = 1u;
static uint64_t next(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return seed ^ seed >> 29;
}

/* ---- The definition of rounding ------------------------------------------------------ */

/* Floats are significands times 2^least to 2^most. */
struct format {
    uint8_t type;
    int bits, least, most;
};
static const struct format single = { PTX_F32, 24, -149, 104 };
static const struct format large = { PTX_F64, 53, -1074, 971 };

static int length_of(wide_unsigned x)
{
    int n = 0;
    for (; x != 0u; x >>= 1) {
        n++;
    }
    return n;
}

static uint64_t encode(const struct format *f, bool minus, uint64_t significand, int exponent)
{
    const uint64_t hidden = UINT64_C(1) << (f->bits - 1);
    const uint64_t sign = (uint64_t)minus << (f->type == PTX_F32 ? 31 : 63);
    const uint64_t power = significand < hidden ? 0u : (uint64_t)(exponent - f->least + 1);
    return sign | power << (f->bits - 1) | (significand & (hidden - 1u));
}

static bool rounds_up(uint8_t mode, bool minus, bool odd, bool half, bool rest)
{
    switch (mode) {
    case ROUND_RZ:
        return false;
    case ROUND_RM:
        return minus && (half || rest);
    case ROUND_RP:
        return !minus && (half || rest);
    default:
        return half && (rest || odd);
    }
}

/* The float for magnitude * 2^unit, and less than a unit more. */
static uint64_t rounded(const struct format *f, uint8_t mode, bool minus,
                        wide_unsigned magnitude, bool more, int unit)
{
    const int needed = unit + length_of(magnitude) - f->bits;
    int exponent = needed > f->least ? needed : f->least;
    const int drop = exponent - unit;
    uint64_t whole = 0u;
    bool half = false, rest = more;
    if (drop <= 0) {
        whole = (uint64_t)(magnitude << -drop);
    } else {
        const wide_unsigned one = 1u;
        whole = drop > 127 ? 0u : (uint64_t)(magnitude >> drop);
        half = drop <= 128 && (magnitude >> (drop - 1) & 1u) != 0u;
        rest = rest || (drop > 128 ? magnitude : magnitude & ((one << (drop - 1)) - 1u)) != 0u;
    }
    whole += rounds_up(mode, minus, (whole & 1u) != 0u, half, rest) ? 1u : 0u;
    if (whole >> f->bits != 0u) {
        whole >>= 1;
        exponent++;
    }
    if (exponent <= f->most) {
        return encode(f, minus, whole, exponent);
    }
    const bool finite = mode == ROUND_RZ || mode == (minus ? ROUND_RP : ROUND_RM);
    const uint64_t all = (UINT64_C(1) << f->bits) - 1u;
    return finite ? encode(f, minus, all, f->most)
                  : encode(f, minus, UINT64_C(1) << (f->bits - 1), f->most + 1);
}

/* ---- Operands ------------------------------------------------------------------------ */

struct number {
    bool minus;
    uint64_t significand;
    int exponent;
};

static int between(int low, int high)
{
    return low + (int)(next() % (uint64_t)(high - low + 1));
}

/* A normal one, or at the least exponent also a subnormal one. Many have few ones: so that
 * there are exact results and ties. */
static struct number number_at(const struct format *f, int exponent)
{
    const uint64_t hidden = UINT64_C(1) << (f->bits - 1);
    const int clear = between(0, 2) == 0 ? between(0, f->bits - 1) : 0;
    struct number x = { .minus = (next() & 1u) != 0u };
    x.exponent = exponent < f->least ? f->least : exponent > f->most ? f->most : exponent;
    x.significand = (next() & (hidden - 1u)) >> clear << clear | hidden;
    if (x.exponent == f->least) {
        x.significand >>= between(0, f->bits - 1);
    }
    return x;
}

static struct number any_number(const struct format *f)
{
    return number_at(f, between(f->least - 8, f->most + 8));
}

/* Of full length: so that quotients and roots have bits enough. */
static struct number lengthened(struct number x)
{
    while (x.significand >> 52 == 0u) {
        x.significand <<= 1;
        x.exponent--;
    }
    return x;
}

/* ---- Exact results ------------------------------------------------------------------- */

struct trial {
    uint64_t in[3], expected;
    bool counts; /* zeros are left to other tests: their signs have rules of their own */
};

static void set_in(const struct format *f, struct trial *t, uint32_t k, struct number x)
{
    t->in[k] = encode(f, x.minus, x.significand, x.exponent);
}

static wide_unsigned magnitude_of(wide x)
{
    return x < 0 ? -(wide_unsigned)x : (wide_unsigned)x;
}

/* x * 2^unit_x + y * 2^unit_y, unit_x not below unit_y. If y is far less than a unit of x, it
 * only matters on which side of x it is. */
static void add_ordered(const struct format *f, uint8_t mode, struct trial *t, wide x,
                        int unit_x, wide y, int unit_y)
{
    const int apart = unit_x - unit_y;
    const bool far = length_of(magnitude_of(y)) + FINE <= apart;
    t->counts = x != 0 && y != 0 && (far || length_of(magnitude_of(x)) + apart < 126);
    if (!t->counts) {
        return;
    }
    if (far) {
        const wide_unsigned fine = magnitude_of(x) << FINE;
        t->expected =
            rounded(f, mode, x < 0, (x < 0) == (y < 0) ? fine : fine - 1u, true, unit_x - FINE);
        return;
    }
    const wide sum = x * ((wide)1 << apart) + y;
    t->counts = sum != 0;
    t->expected = rounded(f, mode, sum < 0, magnitude_of(sum), false, unit_y);
}

static void add_exactly(const struct format *f, uint8_t mode, struct trial *t, wide x,
                        int unit_x, wide y, int unit_y)
{
    if (unit_x >= unit_y) {
        add_ordered(f, mode, t, x, unit_x, y, unit_y);
    } else {
        add_ordered(f, mode, t, y, unit_y, x, unit_x);
    }
}

static wide value_of(struct number x)
{
    return x.minus ? -(wide)x.significand : (wide)x.significand;
}

static struct trial sum_trial(const struct format *f, uint8_t mode, bool minus)
{
    struct trial t = { .counts = true };
    const struct number a = any_number(f);
    const struct number b = number_at(f, a.exponent + between(-80, 80));
    set_in(f, &t, 0u, a);
    set_in(f, &t, 1u, b);
    add_exactly(f, mode, &t, value_of(a), a.exponent, minus ? -value_of(b) : value_of(b),
                b.exponent);
    return t;
}

static struct trial product_trial(const struct format *f, uint8_t mode)
{
    struct trial t = { .counts = true };
    const struct number a = any_number(f);
    const int to = between(f->least - 60, f->most + 5); /* unit of the product */
    const struct number b = number_at(f, to - a.exponent);
    set_in(f, &t, 0u, a);
    set_in(f, &t, 1u, b);
    t.counts = a.significand != 0u && b.significand != 0u;
    t.expected =
        rounded(f, mode, a.minus != b.minus, (wide_unsigned)a.significand * b.significand,
                false, a.exponent + b.exponent);
    return t;
}

static struct trial fused_trial(const struct format *f, uint8_t mode)
{
    struct trial t = { .counts = true };
    const struct number a = any_number(f);
    const struct number b =
        number_at(f, between(f->least - 30, f->most + 5) - a.exponent - f->bits / 2);
    const int unit = a.exponent + b.exponent;
    const struct number c = number_at(f, unit + between(-120, 120));
    set_in(f, &t, 0u, a);
    set_in(f, &t, 1u, b);
    set_in(f, &t, 2u, c);
    add_exactly(f, mode, &t, value_of(a) * value_of(b), unit, value_of(c), c.exponent);
    return t;
}

static struct trial quotient_trial(const struct format *f, uint8_t mode, bool reciprocal)
{
    struct trial t = { .counts = true };
    const struct number one = { .significand = UINT64_C(1) << (f->bits - 1),
                                .exponent = 1 - f->bits };
    const struct number a = reciprocal ? one : any_number(f);
    const struct number b =
        number_at(f, a.exponent - between(f->least - 20, f->most + 20) - f->bits);
    t.counts = a.significand != 0u && b.significand != 0u;
    if (!t.counts) {
        return t;
    }
    set_in(f, &t, reciprocal ? 1u : 0u, a);
    set_in(f, &t, reciprocal ? 0u : 1u, b);
    const struct number x = lengthened(a), y = lengthened(b);
    const wide_unsigned above = (wide_unsigned)x.significand << 74;
    t.expected = rounded(f, mode, a.minus != b.minus, above / y.significand,
                         above % y.significand != 0u, x.exponent - y.exponent - 74);
    return t;
}

static struct trial root_trial(const struct format *f, uint8_t mode)
{
    struct trial t = { .counts = true };
    struct number a = any_number(f);
    a.minus = false;
    set_in(f, &t, 0u, a);
    t.counts = a.significand != 0u;
    if (!t.counts) {
        return t;
    }
    const struct number x = lengthened(a);
    const int shift = (x.exponent & 1) == 0 ? 72 : 73;
    const wide_unsigned square = (wide_unsigned)x.significand << shift;
    wide_unsigned root = 0u;
    for (int k = 63; k >= 0; k--) {
        const wide_unsigned more = root | (wide_unsigned)1u << k;
        root = more <= UINT64_MAX && more * more <= square ? more : root;
    }
    t.expected = rounded(f, mode, false, root, root * root != square, (x.exponent - shift) / 2);
    return t;
}

static struct trial trial_of(const struct format *f, uint8_t op, uint8_t mode)
{
    switch (op) {
    case PTX_ADD:
        return sum_trial(f, mode, false);
    case PTX_SUB:
        return sum_trial(f, mode, true);
    case PTX_MUL:
        return product_trial(f, mode);
    case PTX_FMA:
        return fused_trial(f, mode);
    case PTX_DIV:
        return quotient_trial(f, mode, false);
    case PTX_RCP:
        return quotient_trial(f, mode, true);
    default:
        return root_trial(f, mode);
    }
}

/* ---- The executor -------------------------------------------------------------------- */

/* By the handlers that have no instruction for fma. */
static void check_plain(struct ptx_inst i, const struct alu_case *cases)
{
    _Alignas(64) uint8_t rows[ALU_ROW * ALU_ROWS] = { 0 };
    struct exec_warp w = { .rows = rows, .constant_rows = rows };
    const enum ptx_class class = ptx_type_class(i.type);
    const char *why = NULL;
    for (uint32_t k = 0u; k < 3u; k++) {
        i.src[k] = (struct ptx_operand){ .kind = OPERAND_REGISTER, .row = ALU_ROW * k };
    }
    i.dst[0] = (struct ptx_operand){ .kind = OPERAND_REGISTER, .row = ALU_ROW * ALU_RESULT };
    for (uint32_t l = 0u; l < WARP_SIZE; l++) {
        alu_put(rows, 0u, class, l, cases[l].a);
        alu_put(rows, 1u, class, l, cases[l].b);
        alu_put(rows, 2u, class, l, cases[l].c);
    }
    exec_alu_float_plain(&i, &why)(&w, &i, UINT32_MAX);
    for (uint32_t l = 0u; l < WARP_SIZE; l++) {
        assert_true(alu_get(rows, ALU_RESULT, class, l) == cases[l].expected);
    }
}

static void check_all(const struct format *f, uint8_t op)
{
    for (uint8_t mode = ROUND_RN; mode <= ROUND_RP; mode++) {
        const struct ptx_inst i =
            I(.op = op, .type = f->type, .source_type = f->type, .round = mode);
        for (uint32_t n = 0u; n < TRIALS; n += WARP_SIZE) {
            struct alu_case cases[WARP_SIZE];
            for (uint32_t l = 0u; l < WARP_SIZE;) {
                const struct trial t = trial_of(f, op, mode);
                cases[l] = (struct alu_case){ t.in[0], t.in[1], t.in[2], t.expected };
                l += t.counts ? 1u : 0u;
            }
            alu_run(i, cases, WARP_SIZE);
            if (mode == ROUND_RN) {
                check_plain(i, cases);
            }
        }
    }
}

#define TEST(name, op)                \
    static void name(void **state)    \
    {                                 \
        (void)state;                  \
        check_all(&single, PTX_##op); \
        check_all(&large, PTX_##op);  \
    }
TEST(sums_are_exact_in_every_rounding, ADD)
TEST(differences_are_exact_in_every_rounding, SUB)
TEST(products_are_exact_in_every_rounding, MUL)
TEST(fused_products_are_exact_in_every_rounding, FMA)
TEST(quotients_are_exact_in_every_rounding, DIV)
TEST(reciprocals_are_exact_in_every_rounding, RCP)
TEST(roots_are_exact_in_every_rounding, SQRT)

int main(int argc, char **argv)
{
    static const char variable[] = "GLIBC_TUNABLES";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_exact_in_every_rounding),
        cmocka_unit_test(differences_are_exact_in_every_rounding),
        cmocka_unit_test(products_are_exact_in_every_rounding),
        cmocka_unit_test(fused_products_are_exact_in_every_rounding),
        cmocka_unit_test(quotients_are_exact_in_every_rounding),
        cmocka_unit_test(reciprocals_are_exact_in_every_rounding),
        cmocka_unit_test(roots_are_exact_in_every_rounding),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)argc;
    if (failed != 0 || getenv(variable) != NULL) {
        return failed;
    }
    (void)setenv(variable, "glibc.cpu.hwcaps=-FMA,-FMA4", 1);
    (void)execv("/proc/self/exe", argv);
    return 1;
}
