/*
 * Tests of the optimum and the type of a sweep's curve: the 2 % rules at their bounds, the
 * three types of the thesis, and curves that have none.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "gpusched/sweep/sweep_curve.h"

enum { MOST = 8, PIPELINE = 2, SCOREBOARD = 4, IDLE = 5 };

static struct sweep_point points[MOST];

/* Over CTAs: cycles of one scheduler, which issues in 1000 of them; of the rest so many are
 * stalled, and in the others no warp has an instruction. */
static struct sweep_curve curve_of(uint32_t n, const double *cycles, const double *stalled)
{
    memset(points, 0, sizeof points);
    for (uint32_t i = 0u; i < n; i++) {
        points[i] = (struct sweep_point){ .count = i + 1u, .cycles = cycles[i] };
        points[i].classes[0] = 1000.0;
        points[i].classes[PIPELINE] = stalled[i] / 4.0;
        points[i].classes[SCOREBOARD] = stalled[i] - stalled[i] / 4.0;
        points[i].classes[IDLE] = cycles[i] - 1000.0 - stalled[i];
    }
    return (struct sweep_curve){ .over = SWEEP_OVER_CTAS, .n = n, .point = points, .most = n };
}

/* The same without idle cycles. */
static struct sweep_curve busy(uint32_t n, const double *cycles)
{
    double stalled[MOST];

    for (uint32_t i = 0u; i < n; i++) {
        stalled[i] = cycles[i] - 1000.0;
    }
    return curve_of(n, cycles, stalled);
}
#define BUSY(...)                                                  \
    busy(sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double), \
         (const double[]){ __VA_ARGS__ })

static void check(struct sweep_curve curve, uint32_t optimum, enum sweep_type type)
{
    assert_int_equal(curve.point[sweep_optimum(&curve)].count, optimum);
    assert_int_equal(sweep_type_of(&curve), type);
}

static void
the_optimum_is_the_first_count_after_which_the_next_adds_less_than_2_percent(void **state)
{
    (void)state;
    check(BUSY(2040.0, 2000.0, 1990.0), 2u, SWEEP_C_WEAK); /* 2.00 % is 2 % */
    check(BUSY(2039.0, 2000.0, 1990.0), 1u, SWEEP_C_WEAK);
    check(BUSY(4000.0, 3000.0, 3000.0, 3001.0), 2u, SWEEP_C_WEAK);
}

static void over_cores_it_is_the_first_count_within_2_percent_of_the_last(void **state)
{
    (void)state;
    struct sweep_curve curve = BUSY(4000.0, 2501.0, 2500.0, 2480.0, 2450.0);
    curve.over = SWEEP_OVER_CORES;
    assert_int_equal(curve.point[sweep_optimum(&curve)].count, 3u); /* 2450 / 2500 is 98 % */
    points[4].cycles = 2449.0;
    assert_int_equal(curve.point[sweep_optimum(&curve)].count, 4u);
    points[1].cycles = 1000.0; /* a count may be faster than all */
    assert_int_equal(curve.point[sweep_optimum(&curve)].count, 2u);
    curve.n = 1u;
    assert_int_equal(sweep_optimum(&curve), 0u);
}

static void stalls_that_fall_up_to_nmax_make_c_strong(void **state)
{
    (void)state;
    check(BUSY(4000.0, 3000.0, 2500.0, 2200.0), 4u, SWEEP_C_STRONG);
    check(BUSY(4000.0, 3000.0), 2u, SWEEP_C_STRONG);
}

static void stalls_that_rise_past_the_optimum_by_more_than_2_percent_make_mem(void **state)
{
    (void)state;
    check(BUSY(4000.0, 3000.0, 3060.0, 3060.0), 2u, SWEEP_C_WEAK); /* 2 % of all its cycles */
    check(BUSY(4000.0, 3000.0, 3060.0, 3061.0), 2u, SWEEP_MEM);
    check(BUSY(4000.0, 3000.0, 3500.0, 3400.0), 2u, SWEEP_MEM); /* 2.9 % again, but no gain */
}

static void cycles_without_a_warp_are_no_stalls(void **state)
{
    (void)state;
    const double cycles[] = { 4000.0, 3000.0, 3300.0, 3600.0 };
    const double same[] = { 3000.0, 1900.0, 1900.0, 1900.0 };
    check(curve_of(4u, cycles, same), 2u, SWEEP_C_WEAK);
    const double falling[] = { 4000.0, 3000.0, 2900.0 };
    const double level[] = { 1000.0, 1000.0, 1000.0 };
    check(curve_of(3u, falling, level), 3u, SWEEP_IDLE);
}

static void a_count_that_adds_2_percent_after_all_leaves_no_type(void **state)
{
    (void)state;
    check(BUSY(4000.0, 3000.0, 2990.0, 2800.0), 2u, SWEEP_AGAIN);
    check(BUSY(4000.0, 3000.0, 2990.0, 2980.0), 2u, SWEEP_C_WEAK);
    /* Faster than the one before it, which was slower than the optimum. */
    check(BUSY(4000.0, 3000.0, 3055.0, 2990.0), 2u, SWEEP_C_WEAK);
}

static void counts_that_no_sm_reaches_make_no_type_and_do_not_weigh(void **state)
{
    (void)state;
    check(BUSY(4000.0, 3000.0, 3000.0, 3000.0), 2u, SWEEP_FEW);
    check(BUSY(3000.0, 3000.0, 3000.0), 1u, SWEEP_FEW);
    /* The mean past the optimum is that of 3 alone, or of 3 and 4. */
    check(BUSY(4000.0, 3000.0, 3059.0, 3059.5, 3059.5, 3059.5), 2u, SWEEP_C_WEAK);
    struct sweep_curve curve = BUSY(4000.0, 3000.0, 3000.0, 3070.0, 3070.0, 3070.0, 3070.0);
    assert_int_equal(sweep_reached(&curve), 3u);
    check(curve, 2u, SWEEP_C_WEAK); /* (0 + 70) / 2 is less than 60, (0 + 4 * 70) / 5 is not */
    points[5].classes[PIPELINE] += 1.0;
    points[5].classes[IDLE] -= 1.0;
    assert_int_equal(sweep_reached(&curve), 6u); /* a difference in what stalls counts */
}

static void some_counts_have_no_type(void **state)
{
    (void)state;
    struct sweep_curve curve = BUSY(4000.0, 3000.0, 2990.0);
    curve.most = 4u;
    check(curve, 2u, SWEEP_SOME);
    curve.most = 3u;
    curve.point++;
    curve.n--;
    check(curve, 2u, SWEEP_SOME);
    check(BUSY(4000.0), 1u, SWEEP_ONE_COUNT);
}

static void speed_is_relative_to_the_last_count(void **state)
{
    (void)state;
    const struct sweep_curve curve = BUSY(4000.0, 3000.0, 2000.0);
    assert_true(sweep_speed(&curve, 0u) > 0.4999 && sweep_speed(&curve, 0u) < 0.5001);
    assert_true(sweep_stalled(&points[1]) > 1999.9 && sweep_stalled(&points[1]) < 2000.1);
    assert_true(sweep_scheduler_cycles(&points[1]) > 2999.9
                && sweep_scheduler_cycles(&points[1]) < 3000.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            the_optimum_is_the_first_count_after_which_the_next_adds_less_than_2_percent),
        cmocka_unit_test(over_cores_it_is_the_first_count_within_2_percent_of_the_last),
        cmocka_unit_test(stalls_that_fall_up_to_nmax_make_c_strong),
        cmocka_unit_test(stalls_that_rise_past_the_optimum_by_more_than_2_percent_make_mem),
        cmocka_unit_test(cycles_without_a_warp_are_no_stalls),
        cmocka_unit_test(a_count_that_adds_2_percent_after_all_leaves_no_type),
        cmocka_unit_test(counts_that_no_sm_reaches_make_no_type_and_do_not_weigh),
        cmocka_unit_test(some_counts_have_no_type),
        cmocka_unit_test(speed_is_relative_to_the_last_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
