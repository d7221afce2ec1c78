/* Tests of medians and bands, against all the ways in which values can lie about a median. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>

#include "gpusched/experiment/experiment_band.h"

/* Each of n values lies below the median or above it, either way alike: in how many of the 2^n
 * ways is the median between the k-th smallest and the k-th largest? At least k must lie on
 * each side. */
static uint32_t ways_between(uint32_t n, uint32_t k)
{
    uint32_t ways = 0u;

    for (uint32_t below = 0u; below < 1u << n; below++) {
        const uint32_t count = (uint32_t)__builtin_popcount(below);
        ways += count >= k && n - count >= k;
    }
    return ways;
}

static void a_band_is_the_narrowest_that_covers_the_median_in_95_of_100_cases(void **state)
{
    (void)state;
    for (uint32_t n = 1u; n <= 16u; n++) {
        const uint32_t rank = band_rank(n);
        assert_int_equal(rank == 0u, n < 6u);
        if (rank > 0u) {
            assert_true(100u * (uint64_t)ways_between(n, rank) >= 95u * (UINT64_C(1) << n));
        }
        assert_true(100u * (uint64_t)ways_between(n, rank + 1u) < 95u * (UINT64_C(1) << n));
    }
    assert_int_equal(band_rank(64u), 24u); /* the table of the sign test at 5 % has 23 below */
}

static void the_median_is_in_the_middle_and_the_band_is_of_values(void **state)
{
    double eight[] = { 7.0, 1.0, 8.0, 2.0, 6.0, 3.0, 5.0, 4.5 };
    double nine[] = { 9.0, 1.0, 8.0, 2.0, 7.0, 3.0, 6.0, 4.0, 5.0 };
    double five[] = { 5.0, 3.0, 1.0, 2.0, 4.0 };

    (void)state;
    const struct band a = band_of(eight, 8u);
    assert_true(a.median == 4.75 && a.low == 1.0 && a.high == 8.0);
    const struct band b = band_of(nine, 9u);
    assert_true(b.median == 5.0 && b.low == 2.0 && b.high == 8.0);
    const struct band c = band_of(five, 5u);
    assert_true(c.median == 3.0 && isnan(c.low) && isnan(c.high));
}

static void a_value_that_is_missing_leaves_nothing(void **state)
{
    double values[] = { 1.0, 2.0, 3.0, (double)NAN, 5.0, 6.0, 7.0, 8.0 };

    (void)state;
    const struct band band = band_of(values, 8u);
    assert_true(isnan(band.median) && isnan(band.low) && isnan(band.high));
}

static void a_quotient_turns_the_band_round(void **state)
{
    const struct band cycles = { 100.0, 80.0, 125.0 };
    const struct band speedup = band_under(200.0, &cycles);
    const struct band share = band_over(&cycles, 200.0);

    (void)state;
    assert_true(speedup.median == 2.0 && speedup.low == 1.6 && speedup.high == 2.5);
    assert_true(share.median == 0.5 && share.low == 0.4 && share.high == 0.625);
}

static void noise_is_where_the_median_of_one_lies_in_the_band_of_the_other(void **state)
{
    const struct band base = { 1.0, 0.98, 1.03 };
    const struct band inside = { 1.02, 1.015, 1.04 }; /* its median in the base's band */
    const struct band wide = { 1.10, 0.99, 1.20 };    /* the base's median in its band */
    const struct band apart = { 1.05, 1.01, 1.07 };   /* the bands meet, no median in them */
    const struct band one = { 1.0, (double)NAN, (double)NAN };

    (void)state;
    assert_true(band_is_noise(&inside, &base) && band_is_noise(&base, &inside));
    assert_true(band_is_noise(&wide, &base) && band_is_noise(&base, &wide));
    assert_false(band_is_noise(&apart, &base) || band_is_noise(&base, &apart));
    assert_false(band_is_noise(&one, &one));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_band_is_the_narrowest_that_covers_the_median_in_95_of_100_cases),
        cmocka_unit_test(the_median_is_in_the_middle_and_the_band_is_of_values),
        cmocka_unit_test(a_value_that_is_missing_leaves_nothing),
        cmocka_unit_test(a_quotient_turns_the_band_round),
        cmocka_unit_test(noise_is_where_the_median_of_one_lies_in_the_band_of_the_other),
    };
    return cmocka_run_group_tests_name("experiment_band", tests, NULL, NULL);
}
