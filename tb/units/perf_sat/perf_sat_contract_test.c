/* Tests of Perf-Sat's golden model: what its header promises of a restart, of periods and of
 * the end. */

#include "tb/units/perf_sat/perf_sat_cycle.h"

enum { ONE_TB = 40 };

/* ---- Measuring, and periods -------------------------------------------------------------- */

static void a_period_is_as_long_as_n_max_times_the_first_cta(void **state)
{
    (void)state;
    struct perf_sat unit = perf_sat_of(6u, 32u);
    const struct perf_sat_in in = { .stalled = 2u };

    perf_sat_begin(&unit, 5u, 7u);
    for (uint32_t sample = 0u; sample < 3u; sample++) {
        /* The first cycle of the next period judges; the one after it shows. */
        for (uint32_t i = 0u; i < 35u; i++) {
            assert_int_equal(perf_sat_cycle(&unit, &in).judged, sample > 0u && i == 1u);
        }
        assert_int_equal(unit.q.stalled, 70u);
    }
    (void)perf_sat_cycle(&unit, &in);
    assert_true(perf_sat_shown(&unit).judged);
}

/* Of 5 that fit, the unit counts pairs: 2. */
static void a_period_is_of_all_ctas_that_fit_where_one_stands_for_several(void **state)
{
    (void)state;
    struct perf_sat unit = perf_sat_of(6u, 32u);

    (void)perf_sat_cycle(&unit,
                         &(struct perf_sat_in){ .restart = true, .n_max = 2u, .n_more = 3u });
    assert_int_equal(perf_sat_shown(&unit).limit, 1u);
    (void)perf_sat_cycle(&unit, &(struct perf_sat_in){ .started = true });
    perf_sat_cycles(&unit, &(struct perf_sat_in){ .restart = false }, 5u);
    (void)perf_sat_cycle(&unit, &(struct perf_sat_in){ .ended = 1u });
    assert_int_equal(unit.q.period, 35u);
    perf_sat_cycles(&unit, &(struct perf_sat_in){ .stalled = 2u }, 36u);
    assert_int_equal(perf_sat_shown(&unit).limit, 2u);
}

static void a_restart_begins_with_half_of_the_ctas_rounded_up(void **state)
{
    (void)state;
    struct perf_sat unit = perf_sat_of(6u, 32u);

    for (uint32_t n_max = 2u; n_max < 64u; n_max++) {
        perf_sat_restart(&unit, n_max);
        assert_int_equal(perf_sat_shown(&unit).limit, (n_max + 1u) / 2u);
        assert_int_equal(perf_sat_shown(&unit).state, PERF_SAT_WEAK_INCREASE);
        assert_false(perf_sat_shown(&unit).done);
    }
}

static void a_kernel_of_which_one_cta_fits_detects_nothing(void **state)
{
    (void)state;
    struct perf_sat unit = perf_sat_of(6u, 32u);

    for (uint32_t n_max = 0u; n_max < 2u; n_max++) {
        perf_sat_restart(&unit, n_max);
        assert_true(perf_sat_shown(&unit).done);
        assert_int_equal(perf_sat_shown(&unit).limit, n_max);
    }
}

static void a_cooperative_kernel_has_all_its_ctas(void **state)
{
    (void)state;
    struct perf_sat unit = perf_sat_of(6u, 32u);

    (void)perf_sat_cycle(
        &unit, &(struct perf_sat_in){ .restart = true, .n_max = 12u, .cooperative = true });
    assert_true(perf_sat_shown(&unit).done);
    assert_int_equal(perf_sat_shown(&unit).limit, 12u);
    perf_sat_begin(&unit, 12u, ONE_TB);
    assert_false(perf_sat_shown(&unit).done);
}

static void paused_cycles_are_not_counted(void **state)
{
    (void)state;
    struct perf_sat unit = perf_sat_of(6u, 32u);
    const struct perf_sat_in paused = { .stalled = 2u, .hold = true };

    perf_sat_restart(&unit, 4u);
    (void)perf_sat_cycle(&unit, &(struct perf_sat_in){ .started = true });
    perf_sat_cycles(&unit, &paused, 100u);
    (void)perf_sat_cycle(&unit, &(struct perf_sat_in){ .ended = 1u });
    assert_int_equal(unit.q.period, 8u);
    perf_sat_cycles(&unit, &(struct perf_sat_in){ .stalled = 1u }, 7u);
    perf_sat_cycles(&unit, &paused, 100u);
    assert_int_equal(unit.q.stalled, 7u);
    (void)perf_sat_cycle(&unit, &(struct perf_sat_in){ .stalled = 1u });
    perf_sat_cycles(&unit, &paused, 100u); /* it is not even judged */
    assert_int_equal(perf_sat_shown(&unit).limit, 2u);
    (void)perf_sat_cycle(&unit, &(struct perf_sat_in){ .stalled = 1u });
    assert_int_equal(perf_sat_shown(&unit).limit, 3u);
    assert_int_equal(unit.q.prev, 8u);
}

static void a_cta_that_starts_or_ends_while_the_sm_is_paused_is_seen(void **state)
{
    (void)state;
    struct perf_sat unit = perf_sat_of(6u, 32u);

    perf_sat_restart(&unit, 4u);
    (void)perf_sat_cycle(&unit, &(struct perf_sat_in){ .started = true, .hold = true });
    (void)perf_sat_cycle(&unit, &(struct perf_sat_in){ .ended = 1u, .hold = true });
    assert_int_equal(unit.q.phase, PERF_SAT_FIRST_PERIOD);
    assert_int_equal(unit.q.period, 4u); /* no period is empty */
}

static void a_cta_that_ends_before_one_has_started_is_ignored(void **state)
{
    (void)state;
    struct perf_sat unit = perf_sat_of(6u, 32u);

    perf_sat_restart(&unit, 4u);
    (void)perf_sat_cycle(&unit, &(struct perf_sat_in){ .ended = 3u });
    (void)perf_sat_cycle(&unit, &(struct perf_sat_in){ .started = true, .ended = 1u });
    assert_int_equal(unit.q.phase, PERF_SAT_MEASURING);
}

static void after_a_decrease_so_many_ctas_have_to_end(void **state)
{
    (void)state;
    struct perf_sat unit = perf_sat_of(6u, 32u);
    const struct perf_sat_in worse = { .stalled = 4u, .settle = 5u };

    perf_sat_begin(&unit, 4u, 2u);
    perf_sat_cycles(&unit, &(struct perf_sat_in){ .stalled = 1u, .settle = 5u }, 8u);
    perf_sat_cycles(&unit, &worse, 8u);
    (void)perf_sat_cycle(&unit, &worse); /* judges the second period */
    assert_int_equal(perf_sat_shown(&unit).limit, 2u);
    perf_sat_cycles(&unit, &(struct perf_sat_in){ .stalled = 4u }, 50u);
    assert_int_equal(unit.q.stalled, 0u);
    (void)perf_sat_cycle(&unit, &(struct perf_sat_in){ .ended = 4u, .hold = true });
    perf_sat_cycles(&unit, &(struct perf_sat_in){ .stalled = 4u }, 50u);
    (void)perf_sat_cycle(&unit, &(struct perf_sat_in){ .ended = 2u });
    perf_sat_cycles(&unit, &(struct perf_sat_in){ .stalled = 1u }, 8u);
    assert_int_equal(unit.q.stalled, 8u);
    (void)perf_sat_cycle(&unit, &(struct perf_sat_in){ .stalled = 0u });
    assert_true(perf_sat_shown(&unit).judged);
}

static void counts_stop_at_their_highest_number(void **state)
{
    (void)state;
    struct perf_sat unit = perf_sat_of(6u, 8u);

    perf_sat_begin(&unit, 50u, 10u);
    assert_int_equal(unit.q.period, 255u);
    perf_sat_cycles(&unit, &(struct perf_sat_in){ .stalled = 2u }, 255u);
    assert_int_equal(unit.q.stalled, 255u);
    (void)perf_sat_cycle(&unit, &(struct perf_sat_in){ .stalled = 0u });
    assert_int_equal(perf_sat_shown(&unit).limit, 26u);
}

static void counts_of_32_bits_stop_too(void **state)
{
    (void)state;
    struct perf_sat unit = perf_sat_of(6u, 32u);
    const struct perf_sat_in in = { .stalled = 4u };

    perf_sat_restart(&unit, 32u);
    (void)perf_sat_cycle(&unit, &(struct perf_sat_in){ .started = true });
    perf_sat_advance(&unit, &in, UINT64_C(1) << 40);
    assert_int_equal(unit.q.period, UINT32_MAX);
    (void)perf_sat_cycle(&unit, &(struct perf_sat_in){ .ended = 1u });
    perf_sat_advance(&unit, &in, UINT32_MAX);
    assert_int_equal(unit.q.stalled, UINT32_MAX);
    assert_int_equal(perf_sat_shown(&unit).limit, 16u);
    perf_sat_advance(&unit, &in, 1u);
    assert_int_equal(perf_sat_shown(&unit).limit, 17u);
    perf_sat_advance(&unit, &in, UINT64_C(1) << 40); /* all that is left, of equal samples */
    assert_true(perf_sat_shown(&unit).done);
    assert_int_equal(perf_sat_shown(&unit).limit, 17u);
}

static void cycles_within_a_period_may_come_as_a_sum(void **state)
{
    (void)state;
    struct perf_sat unit = perf_sat_of(6u, 8u);
    struct perf_sat_in in = { .votes_two = true, .settle = 2u };
    uint64_t random = printed_seed();

    for (uint32_t i = 0u; i < 5000u; i++) {
        if (perf_sat_shown(&unit).done) {
            perf_sat_begin(&unit, 9u, 10u);
        }
        struct perf_sat summed = unit;
        const uint64_t left = unit.q.period - unit.q.elapsed;
        const uint64_t n = random_below(&random, 60u) % (left + 1u);
        uint64_t stalled = 0u;
        in.hold = random_below(&random, 5u) == 0u;
        for (uint64_t k = 0u; k < n; k++) {
            in.stalled = random_below(&random, 3u);
            stalled += in.stalled;
            perf_sat_advance(&unit, &in, 1u);
        }
        perf_sat_advance_sum(&summed, &in, n, stalled);
        assert_memory_equal(&summed.q, &unit.q, sizeof unit.q);
        in.ended = random_below(&random, 2u);
        (void)perf_sat_cycle(&unit, &in); /* which may judge, or have settled */
        in.ended = 0u;
    }
}

/* ---- The end, and the beginning ---------------------------------------------------------- */

static void what_is_found_stays_until_a_restart(void **state)
{
    (void)state;
    struct perf_sat unit = perf_sat_of(6u, 32u);
    uint64_t random = printed_seed();

    perf_sat_begin(&unit, 4u, 2u);
    perf_sat_cycles(&unit, &(struct perf_sat_in){ .stalled = 1u }, 8u * 5u + 1u);
    assert_true(perf_sat_shown(&unit).done);
    for (uint32_t i = 0u; i < 1000u; i++) {
        const struct perf_sat_in in = {
            .n_max = random_below(&random, 64u),
            .stalled = random_below(&random, 8u),
            .started = random_below(&random, 2u) == 0u,
            .ended = random_below(&random, 8u),
            .hold = random_below(&random, 2u) == 0u,
            .votes_two = random_below(&random, 2u) == 0u,
            .settle = random_below(&random, 32u),
        };
        (void)perf_sat_cycle(&unit, &in);
        assert_true(perf_sat_shown(&unit).done);
        assert_int_equal(perf_sat_shown(&unit).limit, 3u);
    }
    perf_sat_restart(&unit, 8u);
    assert_int_equal(perf_sat_shown(&unit).limit, 4u);
}

static void a_restart_in_the_middle_begins_anew(void **state)
{
    (void)state;
    struct perf_sat unit = perf_sat_of(6u, 32u);
    struct perf_sat fresh = perf_sat_of(6u, 32u);

    perf_sat_begin(&fresh, 6u, ONE_TB);
    perf_sat_begin(&unit, 9u, ONE_TB);
    for (uint32_t i = 0u; i < 12u; i++) {
        perf_sat_cycles(&unit, &(struct perf_sat_in){ .stalled = i % 3u, .settle = 9u }, 199u);
        struct perf_sat again = unit;
        struct perf_sat other = fresh;
        perf_sat_begin(&again, 6u, ONE_TB);
        for (uint32_t k = 0u; k < 6u * ONE_TB * 14u; k++) {
            const struct perf_sat_in in = { .stalled = k * k / 1000u % 5u };
            assert_int_equal(perf_sat_cycle(&again, &in).limit,
                             perf_sat_cycle(&other, &in).limit);
            assert_int_equal(again.q.phase, other.q.phase);
        }
        assert_true(perf_sat_shown(&again).done);
    }
}

static void after_a_reset_there_is_no_kernel(void **state)
{
    (void)state;
    struct perf_sat unit = perf_sat_of(6u, 32u);

    perf_sat_begin(&unit, 4u, 2u);
    perf_sat_reset(&unit);
    assert_true(perf_sat_shown(&unit).done);
    assert_int_equal(perf_sat_shown(&unit).limit, 0u);
    (void)perf_sat_cycle(&unit, &(struct perf_sat_in){ .started = true });
    assert_int_equal(unit.q.phase, PERF_SAT_DONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_period_is_as_long_as_n_max_times_the_first_cta),
        cmocka_unit_test(a_period_is_of_all_ctas_that_fit_where_one_stands_for_several),
        cmocka_unit_test(a_restart_begins_with_half_of_the_ctas_rounded_up),
        cmocka_unit_test(a_kernel_of_which_one_cta_fits_detects_nothing),
        cmocka_unit_test(a_cooperative_kernel_has_all_its_ctas),
        cmocka_unit_test(paused_cycles_are_not_counted),
        cmocka_unit_test(a_cta_that_starts_or_ends_while_the_sm_is_paused_is_seen),
        cmocka_unit_test(a_cta_that_ends_before_one_has_started_is_ignored),
        cmocka_unit_test(after_a_decrease_so_many_ctas_have_to_end),
        cmocka_unit_test(counts_stop_at_their_highest_number),
        cmocka_unit_test(counts_of_32_bits_stop_too),
        cmocka_unit_test(cycles_within_a_period_may_come_as_a_sum),
        cmocka_unit_test(what_is_found_stays_until_a_restart),
        cmocka_unit_test(a_restart_in_the_middle_begins_anew),
        cmocka_unit_test(after_a_reset_there_is_no_kernel),
    };
    return cmocka_run_group_tests_name("perf_sat_contract", tests, NULL, NULL);
}
