/*
 * Tests of the CUDA header on the executor: the functions' accuracy as its files state it, the
 * integer functions against C, shuffles, votes and atomics against what they are to do.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/places.h"
#include "driver/driver.h"

enum { N = 2048, BLOCK = 128 };

static struct gsp_context *context;
static struct gsp_module *module;

static int open_module(void **state)
{
    (void)state;
    char path[PLACES_PATH];

    snprintf(path, sizeof path, "%.4000s/cuda_header.ptx", places_made());
    if (gsp_open(&context, &(struct gsp_options){ .config = NULL }) != GSP_OK
        || gsp_module_load(context, path, &module) != GSP_OK) {
        print_error("%s\n", gsp_message(context));
        return -1;
    }
    return 0;
}

static int close_module(void **state)
{
    (void)state;
    gsp_close(context);
    return 0;
}

static void launch(const char *kernel, uint32_t ctas, uint32_t threads, void **args)
{
    const enum gsp_status status =
        gsp_launch(context, &(struct gsp_launch){ .module = module,
                                                  .kernel = kernel,
                                                  .grid = { .x = ctas },
                                                  .block = { .x = threads },
                                                  .args = args });
    if (status != GSP_OK || gsp_synchronize(context) != GSP_OK) {
        fail_msg("%s: %s", kernel, gsp_message(context));
    }
}

static gsp_pointer copy(const void *from, size_t bytes)
{
    gsp_pointer pointer;

    assert_int_equal(gsp_malloc(context, &pointer, bytes), GSP_OK);
    assert_int_equal(gsp_copy_in(context, pointer, from, bytes), GSP_OK);
    return pointer;
}

static uint64_t state_of_random = 1u;

static uint32_t random_word(void)
{
    state_of_random = state_of_random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(state_of_random >> 32u);
}

static double random_real(double low, double high)
{
    return low + (high - low) * (random_word() / 4294967296.0);
}

/* ---- Functions ----------------------------------------------------------------------- */

/* How far a value is from the right one, in units of the last of `digits` bits. */
static double units(long double got, long double want, int digits, int least)
{
    int exponent;

    if (isnan(got) || isnan(want)) {
        return isnan(got) && isnan(want) ? 0.0 : 1e9;
    }
    if (isinf(got) || isinf(want)) {
        return got == want ? 0.0 : 1e9;
    }
    (void)frexpl(want, &exponent);
    exponent = want == 0.0L || exponent < least ? least : exponent;
    return (double)(fabsl(got - want) / ldexpl(1.0L, exponent - digits));
}

/* x gets random values of low..high, and, first, those that are often wrong. */
static void values(double *x, double low, double high, bool edges)
{
    static const double edge[] = { 0.0, -0.0, INFINITY, -INFINITY, NAN, 1.0, -1.0, 1e-40, 0.5 };

    for (size_t i = 0u; i < N; i++) {
        const bool is_edge = edges && i < sizeof edge / sizeof edge[0];
        x[i] = is_edge ? edge[i] : random_real(low, high);
    }
}

static void check_float(const char *kernel, long double (*right)(long double), double low,
                        double high, double most)
{
    static double x[N];
    float from[N], got[N];
    int32_t n = N;

    values(x, low, high, true);
    for (size_t i = 0u; i < N; i++) {
        from[i] = (float)x[i];
    }
    gsp_pointer in = copy(from, sizeof from);
    gsp_pointer out = copy(from, sizeof from);
    launch(kernel, N / BLOCK, BLOCK, (void *[]){ &out, &in, &n });
    assert_int_equal(gsp_copy_out(context, got, out, sizeof got), GSP_OK);
    for (size_t i = 0u; i < N; i++) {
        const long double exact = right((long double)from[i]);
        const long double want =
            fabsl(exact) > 3.4028236e38L ? (long double)(float)exact : exact;
        if (units((long double)got[i], want, 24, -125) > most) {
            fail_msg("%s(%.9g) is %.9g, not %.9Lg", kernel, (double)from[i], (double)got[i],
                     want);
        }
    }
}

static void check_double(const char *kernel, long double (*right)(long double), double low,
                         double high, double most)
{
    static double from[N], got[N];
    int32_t n = N;

    values(from, low, high, true);
    gsp_pointer in = copy(from, sizeof from);
    gsp_pointer out = copy(from, sizeof from);
    launch(kernel, N / BLOCK, BLOCK, (void *[]){ &out, &in, &n });
    assert_int_equal(gsp_copy_out(context, got, out, sizeof got), GSP_OK);
    for (size_t i = 0u; i < N; i++) {
        const long double want = right((long double)from[i]);
        if (units((long double)got[i], want, 53, -1021) > most) {
            fail_msg("%s(%.17g) is %.17g, not %.17Lg", kernel, from[i], got[i], want);
        }
    }
}

static void float_functions_are_as_accurate_as_stated(void **state)
{
    (void)state;
    check_float("test_expf", expl, -104.0, 89.0, 2.0);
    check_float("test_exp2f", exp2l, -126.0, 128.0, 2.0);
    check_float("test_logf", logl, 0.0, 10.0, 2.0);
    check_float("test_log2f", log2l, 0.0, 4.0, 2.0);
    check_float("test_sinf", sinl, -100.0, 100.0, 5.0);
    check_float("test_cosf", cosl, -1e7, 1e7, 5.0);
    check_float("test_tanf", tanl, -10.0, 10.0, 5.0);
    check_float("test_atanf", atanl, -5.0, 5.0, 5.0);
    check_float("test_asinf", asinl, -1.0, 1.0, 5.0);
    check_float("test_acosf", acosl, -1.0, 1.0, 5.0);
    check_float("test_tanhf", tanhl, -2.0, 2.0, 5.0);
    check_float("test_sinhf", sinhl, -89.0, 89.0, 5.0);
    check_float("test_coshf", coshl, -89.0, 89.0, 5.0);
    check_float("test_erff", erfl, -4.0, 4.0, 5.0);
    check_float("test_erfcf", erfcl, -3.0, 9.0, 5.0);
    check_float("test_cbrtf", cbrtl, -1e5, 1e5, 2.0);
    check_float("test_sqrtf", sqrtl, 0.0, 1e5, 0.5);
}

static void float_functions_that_round_are_exact(void **state)
{
    (void)state;
    check_float("test_rintf", rintl, -100.0, 100.0, 0.0);
    check_float("test_roundf", roundl, -100.0, 100.0, 0.0);
    check_float("test_floorf", floorl, -100.0, 100.0, 0.0);
    check_float("test_ceilf", ceill, -100.0, 100.0, 0.0);
    check_float("test_truncf", truncl, -100.0, 100.0, 0.0);
    check_double("test_rint", rintl, -100.0, 100.0, 0.0);
    check_double("test_floor", floorl, -100.0, 100.0, 0.0);
}

static void double_functions_are_as_accurate_as_stated(void **state)
{
    (void)state;
    check_double("test_exp", expl, -700.0, 709.0, 2.0);
    check_double("test_log", logl, 0.0, 10.0, 2.0);
    check_double("test_sin", sinl, -100.0, 100.0, 2.0);
    check_double("test_cos", cosl, -1e6, 1e6, 2.0);
    check_double("test_tanh", tanhl, -1.0, 1.0, 8.0);
    check_double("test_sqrt", sqrtl, 0.0, 1e5, 0.5);
}

static void check_pair(const char *kernel, long double (*right)(long double, long double),
                       double low, double high, double most)
{
    static double x[N], y[N];
    float a[N], b[N], got[N];
    int32_t n = N;

    values(x, low, high, false);
    values(y, -5.0, 5.0, false);
    for (size_t i = 0u; i < N; i++) {
        a[i] = (float)x[i];
        b[i] = (float)y[i];
    }
    gsp_pointer da = copy(a, sizeof a);
    gsp_pointer db = copy(b, sizeof b);
    gsp_pointer out = copy(a, sizeof a);
    launch(kernel, N / BLOCK, BLOCK, (void *[]){ &out, &da, &db, &n });
    assert_int_equal(gsp_copy_out(context, got, out, sizeof got), GSP_OK);
    for (size_t i = 0u; i < N; i++) {
        const long double want = right((long double)a[i], (long double)b[i]);
        if (units((long double)got[i], want, 24, -125) > most) {
            fail_msg("%s(%.9g, %.9g) is %.9g, not %.9Lg", kernel, (double)a[i], (double)b[i],
                     (double)got[i], want);
        }
    }
}

static void functions_of_two_are_as_accurate_as_stated(void **state)
{
    (void)state;
    check_pair("test_powf", powl, 0.0, 1000.0, 5.0);
    check_pair("test_atan2f", atan2l, -10.0, 10.0, 5.0);
    check_pair("test_fmodf", fmodl, -1e6, 1e6, 0.0);
    check_pair("test_fminf", fminl, -10.0, 10.0, 0.0);
    check_pair("test_fmaxf", fmaxl, -10.0, 10.0, 0.0);
}

/* ---- Integers ------------------------------------------------------------------------ */

static uint32_t reversed(uint32_t a)
{
    uint32_t result = 0u;

    for (uint32_t i = 0u; i < 32u; i++) {
        result |= (a >> i & 1u) << (31u - i);
    }
    return result;
}

static int32_t low24(uint32_t a)
{
    const int32_t value = (int32_t)(a & 0xffffffu);

    return value >= 0x800000 ? value - 0x1000000 : value;
}

static void right_integers(uint32_t a, uint32_t b, uint32_t want[16])
{
    const int64_t difference = (int64_t)(int32_t)a - (int32_t)b;
    const uint64_t both = (uint64_t)b << 32u | a;
    const uint32_t shift = b & 31u;
    const uint32_t leading = a == 0u ? 32u : (uint32_t)__builtin_clz(a);

    want[0] = (uint32_t)__builtin_popcount(a);
    want[1] = leading;
    want[2] = (uint32_t)__builtin_ffs((int32_t)a);
    want[3] = reversed(a);
    want[4] = (uint32_t)((int64_t)low24(a) * low24(b));
    want[5] = (uint32_t)((uint64_t)(a & 0xffffffu) * (b & 0xffffffu));
    want[6] = (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32u);
    want[7] = (uint32_t)((uint64_t)a * b >> 32u);
    want[8] = (uint32_t)(difference < 0 ? -difference : difference) + 7u;
    want[9] = (a < b ? b - a : a - b) + 7u;
    want[10] =
        (a & 0xffu) | (b & 0xffu) << 8u | (a >> 8u & 0xffu) << 16u | (b >> 8u & 0xffu) << 24u;
    want[11] = (uint32_t)(both << shift >> 32u);
    want[12] = (uint32_t)(both >> shift);
    want[13] = b;
    want[14] = a == 0u ? 64u : leading + 29u;
    want[15] = (uint32_t)(((uint64_t)a * b) >> 32u) + want[0];
}

static void integer_functions_are_right(void **state)
{
    static uint32_t x[N], y[N], got[N][16];
    uint32_t want[16];

    (void)state;
    for (size_t i = 0u; i < N; i++) {
        x[i] = i < 4u ? 0u : random_word() >> (random_word() % 32u);
        y[i] = i % 4u == 0u ? 0u : random_word();
    }
    gsp_pointer dx = copy(x, sizeof x);
    gsp_pointer dy = copy(y, sizeof y);
    gsp_pointer out = copy(got, sizeof got);
    launch("integers", N / BLOCK, BLOCK, (void *[]){ &out, &dx, &dy });
    assert_int_equal(gsp_copy_out(context, got, out, sizeof got), GSP_OK);
    for (size_t i = 0u; i < N; i++) {
        right_integers(x[i], y[i], want);
        for (size_t k = 0u; k < 16u; k++) {
            if (got[i][k] != want[k]) {
                fail_msg("result %zu of 0x%x, 0x%x is 0x%x, not 0x%x", k, x[i], y[i], got[i][k],
                         want[k]);
            }
        }
    }
}

/* ---- Warps and atomics --------------------------------------------------------------- */

static void shuffles_votes_and_barriers_are_right(void **state)
{
    static uint32_t got[32][16];
    uint32_t thirds = 0u;

    (void)state;
    for (uint32_t i = 0u; i < 32u; i += 3u) {
        thirds |= 1u << i;
    }
    gsp_pointer out = copy(got, sizeof got);
    launch("warp", 1u, 32u, (void *[]){ &out });
    assert_int_equal(gsp_copy_out(context, got, out, sizeof got), GSP_OK);
    for (uint32_t i = 0u; i < 32u; i++) {
        const uint32_t want[16] = {
            5u,
            i < 3u ? i : i - 3u,
            i % 16u + 3u < 16u ? i + 3u : i,
            i ^ 9u,
            31u - i,
            thirds,
            0u,
            1u,
            i / 8u * 8u + 7u,
            0xffe00000u,
            11u,
            0u,
            1u,
            32u,
            i < 4u ? 15u : 0u,
            10000u + 3200u,
        };
        for (uint32_t k = 0u; k < 16u; k++) {
            if (got[i][k] != want[k]) {
                fail_msg("lane %u: result %u is 0x%x, not 0x%x", i, k, got[i][k], want[k]);
            }
        }
    }
}

static void atomics_lose_nothing(void **state)
{
    enum { THREADS = 8 * 96 };
    uint32_t got[12] = { 0u, 1000u, 0u, 0u, 0u, 0u, 0xffffffffu, 0u, 0u, 0u, 0u, 0u };
    uint64_t wide[2] = { 0u, 0u };
    double sum = 1.0;
    float half;
    uint32_t exclusive = 0u;

    (void)state;
    gsp_pointer out = copy(got, sizeof got);
    gsp_pointer dsum = copy(&sum, sizeof sum);
    gsp_pointer dwide = copy(wide, sizeof wide);
    launch("atomics", 8u, 96u, (void *[]){ &out, &dsum, &dwide });
    assert_int_equal(gsp_copy_out(context, got, out, sizeof got), GSP_OK);
    assert_int_equal(gsp_copy_out(context, &sum, dsum, sizeof sum), GSP_OK);
    assert_int_equal(gsp_copy_out(context, wide, dwide, sizeof wide), GSP_OK);
    for (uint32_t i = 0u; i < THREADS; i++) {
        exclusive ^= i;
    }
    memcpy(&half, &got[9], sizeof half);
    assert_int_equal(got[0], THREADS * (THREADS - 1) / 2);
    assert_int_equal(got[1], 1000 - THREADS);
    assert_int_equal((int32_t)got[2], -(THREADS - 1));
    assert_int_equal(got[3], THREADS - 1);
    assert_int_equal(got[4], THREADS % 7);
    assert_int_equal(got[5], (7 - THREADS % 7) % 7);
    assert_int_equal(got[6], 0xffffff80u);
    assert_int_equal(got[7], 31);
    assert_int_equal(got[8], exclusive);
    assert_true(half == 0.5f * THREADS);
    assert_int_equal(got[10], 77);
    assert_int_equal(got[11], 5);
    assert_true(sum == 1.0 + 0.25 * THREADS);
    assert_int_equal(wide[0] >> 32u, THREADS);
    assert_int_equal(wide[1] >> 33u, THREADS - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(float_functions_are_as_accurate_as_stated),
        cmocka_unit_test(float_functions_that_round_are_exact),
        cmocka_unit_test(double_functions_are_as_accurate_as_stated),
        cmocka_unit_test(functions_of_two_are_as_accurate_as_stated),
        cmocka_unit_test(integer_functions_are_right),
        cmocka_unit_test(shuffles_votes_and_barriers_are_right),
        cmocka_unit_test(atomics_lose_nothing),
    };
    return cmocka_run_group_tests(tests, open_module, close_module);
}
