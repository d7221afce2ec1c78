/*
 * Tests of the executor's approximations: the bounds on errors that PTX documents, that they
 * are kept with room to spare, and the special values that it lists.
 */

#include "exec_alu_run.h"

#include <math.h>

enum { SAMPLES = 1 << 16 };

static const float pi = 3.14159265f;

static uint64_t seed = 1u;
static uint64_t next(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return seed ^ seed >> 29;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- Samples ------------------------------------------------------------------------- */

/* Evenly in a range. */
static float within(float low, float high)
{
    return low + (high - low) * ((float)(next() >> 40) * 0x1p-24f);
}
/* Of all finite magnitudes alike; subnormal ones among them. */
static float positive(void)
{
    return float_of((uint32_t)(next() >> 16) % 0x7f800000u);
}
static float any(void)
{
    return (next() >> 32 & 1u) != 0u ? -positive() : positive();
}

/* Results of 32 lanes. */
static void compute(struct ptx_inst i, const float *a, const float *b, float *result)
{
    _Alignas(64) uint8_t rows[ALU_ROW * ALU_ROWS] = { 0 };
    struct exec_warp w = { .rows = rows, .constant_rows = rows };
    for (uint32_t k = 0u; k < 2u; k++) {
        i.src[k] = (struct ptx_operand){ .kind = OPERAND_REGISTER, .row = ALU_ROW * k };
    }
    i.dst[0] = (struct ptx_operand){ .kind = OPERAND_REGISTER, .row = ALU_ROW * ALU_RESULT };
    for (uint32_t l = 0u; l < WARP_SIZE; l++) {
        alu_put(rows, 0u, CLASS_32, l, bits_of(a[l]));
        alu_put(rows, 1u, CLASS_32, l, bits_of(b[l]));
    }
    alu_handler (&i)(&w, &i, UINT32_MAX);
    for (uint32_t l = 0u; l < WARP_SIZE; l++) {
        result[l] = float_of((uint32_t)alu_get(rows, ALU_RESULT, CLASS_32, l));
    }
}

/* ---- Errors -------------------------------------------------------------------------- */

enum measure { ABSOLUTE, RELATIVE, ULPS };

/* A unit in the last place of the float nearest to x. */
static long double ulp_of(long double x)
{
    int exponent;
    (void)frexpl(x, &exponent);
    return ldexpl(1.0L, exponent - 24 < -149 ? -149 : exponent - 24);
}

static long double error_of(enum measure measure, float got, long double exact)
{
    const long double error = fabsl((long double)got - exact);
    switch (measure) {
    case ABSOLUTE:
        return error;
    case RELATIVE:
        return error == 0.0L ? 0.0L : error / fabsl(exact);
    default:
        return error / ulp_of(exact);
    }
}

struct approximation {
    uint8_t op, round;
    enum measure measure;
    long double bound; /* as PTX documents */
    float low, high;   /* 0, 0: all positive; -1, -1: all */
    long double (*exact)(long double a, long double b);
};

static long double exact_sin(long double a, long double b)
{
    (void)b;
    return sinl(a);
}
static long double exact_cos(long double a, long double b)
{
    (void)b;
    return cosl(a);
}
static long double exact_lg2(long double a, long double b)
{
    (void)b;
    return log2l(a);
}
static long double exact_ex2(long double a, long double b)
{
    (void)b;
    return exp2l(a);
}
static long double exact_tanh(long double a, long double b)
{
    (void)b;
    return tanhl(a);
}
static long double exact_rcp(long double a, long double b)
{
    (void)b;
    return 1.0L / a;
}
static long double exact_sqrt(long double a, long double b)
{
    (void)b;
    return sqrtl(a);
}
static long double exact_rsqrt(long double a, long double b)
{
    (void)b;
    return 1.0L / sqrtl(a);
}
static long double exact_div(long double a, long double b)
{
    return a / b;
}

static float sample(const struct approximation *x)
{
    return x->low < x->high ? within(x->low, x->high) : x->low < 0.0f ? any() : positive();
}

static void check(const struct approximation *x)
{
    const struct ptx_inst i =
        I(.op = x->op, .type = PTX_F32, .source_type = PTX_F32, .round = x->round);
    for (uint32_t n = 0u; n < SAMPLES; n += WARP_SIZE) {
        float a[WARP_SIZE], b[WARP_SIZE], got[WARP_SIZE];
        for (uint32_t l = 0u; l < WARP_SIZE; l++) {
            a[l] = sample(x);
            b[l] = any();
            /* Of div.approx PTX bounds the error for divisors up to 2^126. */
            b[l] = fabsf(b[l]) > 0x1p126f || fabsf(b[l]) < 0x1p-126f ? 3.0f : b[l];
        }
        compute(i, a, b, got);
        for (uint32_t l = 0u; l < WARP_SIZE; l++) {
            const long double exact = x->exact((long double)a[l], (long double)b[l]);
            const bool beyond = fabsl(exact) > 0x1.fffffep127L; /* infinity is right */
            if (beyond || (exact == 0.0L && got[l] == 0.0f)) {
                continue;
            }
            /* What is promised here: within a thousandth of the nearest float. */
            if (error_of(x->measure, got[l], exact) > x->bound
                || error_of(ULPS, got[l], exact) > 0.501L) {
                fail_msg("op %d of %a, %a gives %a, not %La", x->op, (double)a[l], (double)b[l],
                         (double)got[l], exact);
            }
        }
    }
}

static void errors_are_within_the_documented_bounds(void **state)
{
    (void)state;
    const struct approximation all[] = {
        { PTX_SIN, ROUND_APPROX, ABSOLUTE, 0x1p-21L * sqrtl(2.0L), -2 * pi, 2 * pi, exact_sin },
        { PTX_SIN, ROUND_APPROX, ABSOLUTE, powl(2.0L, -14.7L), -100 * pi, 100 * pi, exact_sin },
        { PTX_COS, ROUND_APPROX, ABSOLUTE, 0x1p-21L * sqrtl(2.0L), -2 * pi, 2 * pi, exact_cos },
        { PTX_COS, ROUND_APPROX, ABSOLUTE, powl(2.0L, -14.7L), -100 * pi, 100 * pi, exact_cos },
        { PTX_LG2, ROUND_APPROX, ABSOLUTE, 0x1p-22L, 0.5f, 2.0f, exact_lg2 },
        { PTX_LG2, ROUND_APPROX, RELATIVE, 0x1p-22L, 2.0f, 1e30f, exact_lg2 },
        { PTX_LG2, ROUND_APPROX, RELATIVE, 0x1p-22L, 0.0f, 0.5f, exact_lg2 },
        { PTX_EX2, ROUND_APPROX, ULPS, 2.0L, -152.0f, 129.0f, exact_ex2 },
        { PTX_EX2, ROUND_APPROX, ULPS, 2.0L, -1.0f, -1.0f, exact_ex2 },
        { PTX_TANH, ROUND_APPROX, RELATIVE, 0x1p-11L, -10.0f, 10.0f, exact_tanh },
        { PTX_TANH, ROUND_APPROX, RELATIVE, 0x1p-11L, 0.0f, 0.0f, exact_tanh },
        { PTX_RCP, ROUND_APPROX, ULPS, 1.0L, -1.0f, -1.0f, exact_rcp },
        { PTX_SQRT, ROUND_APPROX, RELATIVE, 0x1p-23L, 0.0f, 0.0f, exact_sqrt },
        { PTX_RSQRT, ROUND_APPROX, RELATIVE, powl(2.0L, -22.9L), 0.0f, 0.0f, exact_rsqrt },
        { PTX_DIV, ROUND_APPROX, ULPS, 2.0L, -1.0f, -1.0f, exact_div },
        { PTX_DIV, ROUND_FULL, ULPS, 2.0L, -1.0f, -1.0f, exact_div },
    };
    for (size_t k = 0u; k < sizeof all / sizeof all[0]; k++) {
        check(&all[k]);
    }
}

/* ---- Halves: all of them ------------------------------------------------------------- */

static long double half_value(uint32_t x)
{
    const uint32_t exponent = x >> 10 & 31u;
    const long double size =
        exponent == 0u ? ldexpl((long double)(x & 0x3ffu), -24)
                       : ldexpl((long double)(x & 0x3ffu) + 1024.0L, (int)exponent - 25);
    return (x & 0x8000u) != 0u ? -size : size;
}

static uint32_t half_result(struct ptx_inst i, uint32_t a)
{
    _Alignas(64) uint8_t rows[ALU_ROW * ALU_ROWS] = { 0 };
    struct exec_warp w = { .rows = rows, .constant_rows = rows };
    i.src[0] = (struct ptx_operand){ .kind = OPERAND_REGISTER };
    i.dst[0] = (struct ptx_operand){ .kind = OPERAND_REGISTER, .row = ALU_ROW };
    alu_put(rows, 0u, CLASS_32, 5u, a);
    alu_handler (&i)(&w, &i, 1u << 5);
    return (uint32_t)alu_get(rows, 1u, CLASS_32, 5u);
}

static void errors_of_halves_are_within_the_documented_bounds(void **state)
{
    (void)state;
    const struct ptx_inst ex2 = I(.op = PTX_EX2, .type = PTX_F16, .round = ROUND_APPROX);
    const struct ptx_inst tanh = I(.op = PTX_TANH, .type = PTX_F16, .round = ROUND_APPROX);
    for (uint32_t x = 0u; x < 0x10000u; x++) {
        if ((x & 0x7c00u) == 0x7c00u) {
            continue;
        }
        const long double power = exp2l(half_value(x)), tangent = tanhl(half_value(x));
        const uint32_t got = half_result(ex2, x);
        const long double relative = fabsl(half_value(got) - power) / power;
        /* Half a unit of the least subnormal is far more than 2^-9.9 of a small power. */
        assert_true(power >= 0x1.ffep15L ? got == 0x7c00u
                    : power < 0x1p-14L   ? fabsl(half_value(got) - power) <= 0x1p-25L
                                         : relative <= powl(2.0L, -9.9L));
        assert_true(fabsl(half_value(half_result(tanh, x)) - tangent) <= powl(2.0L, -10.987L));
    }
}

/* ---- Special values ------------------------------------------------------------------ */

#define INF   0x7f800000u
#define MINUS 0x80000000u
#define NAN32 0x7fffffffu
#define ONE   0x3f800000u

#define OF(o)  I(.op = PTX_##o, .type = PTX_F32, .round = ROUND_APPROX)
#define FTZ(o) I(.op = PTX_##o, .type = PTX_F32, .round = ROUND_APPROX, .flags = FLAG_FTZ)

static void special_values_are_those_that_are_listed(void **state)
{
    (void)state;
    RUN(OF(SIN), { MINUS | INF, 0, 0, NAN32 }, { MINUS, 0, 0, MINUS }, { 0, 0, 0, 0 },
        { INF, 0, 0, NAN32 }, { 0xffc00001, 0, 0, NAN32 }, { 5, 0, 0, 5 });
    RUN(FTZ(SIN), { MINUS | 5, 0, 0, MINUS }, { 5, 0, 0, 0 });
    RUN(OF(COS), { MINUS | INF, 0, 0, NAN32 }, { MINUS, 0, 0, ONE }, { 0, 0, 0, ONE },
        { INF, 0, 0, NAN32 }, { 0x7f800001, 0, 0, NAN32 }, { 5, 0, 0, ONE });
    RUN(OF(LG2), { MINUS | INF, 0, 0, NAN32 }, { MINUS | ONE, 0, 0, NAN32 },
        { MINUS, 0, 0, MINUS | INF }, { 0, 0, 0, MINUS | INF }, { INF, 0, 0, INF },
        { 0x7fc00000, 0, 0, NAN32 }, { 1, 0, 0, 0xc3150000 }, { MINUS | 1, 0, 0, NAN32 });
    RUN(FTZ(LG2), { 1, 0, 0, MINUS | INF }, { MINUS | 1, 0, 0, MINUS | INF });
    RUN(OF(EX2), { MINUS | INF, 0, 0, 0 }, { MINUS, 0, 0, ONE }, { 0, 0, 0, ONE },
        { INF, 0, 0, INF }, { 0xffc00000, 0, 0, NAN32 }, { 0x43000000, 0, 0, INF },
        { 0xc3150000, 0, 0, 1 }, { 5, 0, 0, ONE });
    RUN(FTZ(EX2), { 0xc3150000, 0, 0, 0 }, { 0xc2fc0000, 0, 0, 0x00800000 });
    RUN(OF(TANH), { MINUS | INF, 0, 0, MINUS | ONE }, { MINUS, 0, 0, MINUS }, { 0, 0, 0, 0 },
        { INF, 0, 0, ONE }, { 0x7fc00000, 0, 0, NAN32 }, { MINUS | 7, 0, 0, MINUS | 7 });
    RUN(OF(RCP), { MINUS | INF, 0, 0, MINUS }, { MINUS, 0, 0, MINUS | INF }, { 0, 0, 0, INF },
        { INF, 0, 0, 0 }, { 0x7fc00000, 0, 0, NAN32 });
    RUN(FTZ(RCP), { MINUS | 1, 0, 0, MINUS | INF }, { 0x7f7fffff, 0, 0, 0 });
    RUN(OF(SQRT), { MINUS | INF, 0, 0, NAN32 }, { MINUS | ONE, 0, 0, NAN32 },
        { MINUS, 0, 0, MINUS }, { 0, 0, 0, 0 }, { INF, 0, 0, INF });
    RUN(OF(RSQRT), { MINUS | INF, 0, 0, NAN32 }, { MINUS | ONE, 0, 0, NAN32 },
        { MINUS, 0, 0, MINUS | INF }, { 0, 0, 0, INF }, { INF, 0, 0, 0 });
    RUN(FTZ(RSQRT), { 1, 0, 0, INF }, { MINUS | 1, 0, 0, MINUS | INF });
}

/* rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 see the upper words alone. */
static void upper_words_of_f64_are_all_that_counts(void **state)
{
    (void)state;
#define UPPER(o)         I(.op = PTX_##o, .type = PTX_F64, .round = ROUND_APPROX, .flags = FLAG_FTZ)
#define WORDS(high, low) (UINT64_C(high) << 32 | (low))
#define NAN64            WORDS(0x7fffffff, 0)
    RUN(UPPER(RCP), { WORDS(0x40100000, 0xffffffff), 0, 0, WORDS(0x3fd00000, 0) },
        { WORDS(0xfff00000, 0), 0, 0, WORDS(0x80000000, 0) },
        { WORDS(0x800fffff, 0), 0, 0, WORDS(0xfff00000, 0) },
        { WORDS(0x80000000, 0), 0, 0, WORDS(0xfff00000, 0) },
        { WORDS(0x000fffff, 1), 0, 0, WORDS(0x7ff00000, 0) }, { 1, 0, 0, WORDS(0x7ff00000, 0) },
        { WORDS(0x7ff00000, 0), 0, 0, 0 }, { WORDS(0x7fef0000, 0), 0, 0, 0 },
        { WORDS(0xfff80000, 5), 0, 0, NAN64 }, { WORDS(0x7ff00001, 0), 0, 0, NAN64 },
        { WORDS(0x7ff00000, 1), 0, 0, 0 }); /* an infinity above */
    RUN(UPPER(RSQRT), { WORDS(0x40100000, 0xffffffff), 0, 0, WORDS(0x3fe00000, 0) },
        { WORDS(0xfff00000, 0), 0, 0, NAN64 }, { WORDS(0xbff00000, 0), 0, 0, NAN64 },
        { WORDS(0x800fffff, 0), 0, 0, WORDS(0xfff00000, 0) },
        { WORDS(0x80000000, 0), 0, 0, WORDS(0xfff00000, 0) }, { 0, 0, 0, WORDS(0x7ff00000, 0) },
        { WORDS(0x000fffff, 1), 0, 0, WORDS(0x7ff00000, 0) }, { WORDS(0x7ff00000, 0), 0, 0, 0 },
        { WORDS(0x7ff80000, 7), 0, 0, NAN64 });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_within_the_documented_bounds),
        cmocka_unit_test(errors_of_halves_are_within_the_documented_bounds),
        cmocka_unit_test(special_values_are_those_that_are_listed),
        cmocka_unit_test(upper_words_of_f64_are_all_that_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
