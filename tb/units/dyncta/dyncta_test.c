/* Tests of DYNCTA's golden model: its walk, its periods, and what its header promises. */

#include "tb/base/unit_check.h"
#include "units/dyncta.h"

enum { PERIOD = 10, T_IDLE = 8, LOW = 4, HIGH = 12, N_MAX = 8 };

/* ---- Cycles ------------------------------------------------------------------------------ */

static struct dyncta dyncta_of(uint32_t count_w)
{
    const struct dyncta_config config = { 6u, count_w };
    struct dyncta unit;

    assert_int_equal(dyncta_init(&unit, &config), dyncta_ok);
    return unit;
}

static const struct dyncta_in usual = {
    .period = PERIOD, .t_idle = T_IDLE, .t_mem_low = LOW, .t_mem_high = HIGH
};

static struct dyncta_out cycle(struct dyncta *unit, struct dyncta_in in)
{
    struct dyncta_out out;
    struct dyncta_next next;

    dyncta_eval(unit, &in, &out, &next);
    dyncta_tick(unit, &next);
    return out;
}

static void restart(struct dyncta *unit, uint32_t n_max)
{
    struct dyncta_in in = usual;

    in.restart = true;
    in.n_max = n_max;
    (void)cycle(unit, in);
}

/* What is left of a period with these sums, and the first cycle of the next, which judges it
 * and is neither idle nor waits. Returns the limit that follows. */
static uint32_t period(struct dyncta *unit, struct dyncta_in in, uint32_t idle, uint32_t memory)
{
    for (uint32_t left = PERIOD - unit->q.elapsed; left > 0u; left--) {
        in.idle = (idle + left - 1u) / left; /* of what is left, the share of a cycle */
        in.memory = (memory + left - 1u) / left;
        idle -= in.idle;
        memory -= in.memory;
        (void)cycle(unit, in);
    }
    in.idle = in.memory = 0u;
    (void)cycle(unit, in);
    assert_true(unit->q.judged);
    return unit->q.limit;
}

static uint32_t usual_period(struct dyncta *unit, uint32_t idle, uint32_t memory)
{
    return period(unit, usual, idle, memory);
}

/* ---- The walk ---------------------------------------------------------------------------- */

static void a_kernel_begins_with_half_of_the_ctas_that_fit_rounded_up(void **state)
{
    (void)state;
    struct dyncta unit = dyncta_of(32u);

    for (uint32_t n_max = 0u; n_max < 64u; n_max++) {
        restart(&unit, n_max);
        assert_int_equal(unit.q.limit, (n_max + 1u) / 2u);
        assert_int_equal(cycle(&unit, usual).limit, (n_max + 1u) / 2u);
    }
}

static void an_idle_sm_gets_one_more_cta_each_period_until_all_fit(void **state)
{
    (void)state;
    struct dyncta unit = dyncta_of(32u);
    static const uint32_t expected[] = { 5u, 6u, 7u, 8u, 8u, 8u };

    restart(&unit, N_MAX);
    for (uint32_t k = 0u; k < 6u; k++) {
        assert_int_equal(usual_period(&unit, T_IDLE + 1u, LOW), expected[k]);
    }
}

static void an_sm_that_waits_for_memory_loses_one_each_period_down_to_one(void **state)
{
    (void)state;
    struct dyncta unit = dyncta_of(32u);
    static const uint32_t expected[] = { 3u, 2u, 1u, 1u, 1u };

    restart(&unit, N_MAX);
    for (uint32_t k = 0u; k < 5u; k++) {
        assert_int_equal(usual_period(&unit, 0u, HIGH + 1u), expected[k]);
    }
}

static void an_sm_that_seldom_waits_for_memory_gets_more(void **state)
{
    (void)state;
    struct dyncta unit = dyncta_of(32u);

    restart(&unit, N_MAX);
    assert_int_equal(usual_period(&unit, 0u, LOW - 1u), 5u);
}

static void idle_cycles_are_looked_at_first(void **state)
{
    (void)state;
    struct dyncta unit = dyncta_of(32u);

    restart(&unit, N_MAX);
    assert_int_equal(usual_period(&unit, T_IDLE + 1u, HIGH + 1u), 5u);
}

static void on_a_threshold_and_between_them_the_limit_stays(void **state)
{
    (void)state;
    struct dyncta unit = dyncta_of(32u);

    restart(&unit, N_MAX);
    for (uint32_t memory = LOW; memory <= HIGH; memory++) {
        assert_int_equal(usual_period(&unit, T_IDLE, memory), 4u);
    }
}

/* The form of 4.3.4.2. */
static void with_one_threshold_it_moves_after_each_period_but_those_on_it(void **state)
{
    (void)state;
    struct dyncta unit = dyncta_of(32u);
    struct dyncta_in in = usual;

    in.t_mem_low = in.t_mem_high = 6u;
    restart(&unit, N_MAX);
    assert_int_equal(period(&unit, in, 0u, 7u), 3u);
    assert_int_equal(period(&unit, in, 0u, 5u), 4u);
    assert_int_equal(period(&unit, in, 0u, 6u), 4u);
}

static void the_walk_never_ends(void **state)
{
    (void)state;
    struct dyncta unit = dyncta_of(32u);

    restart(&unit, N_MAX);
    for (uint32_t k = 0u; k < 1000u; k++) {
        (void)usual_period(&unit, 0u, (LOW + HIGH) / 2u);
    }
    assert_int_equal(usual_period(&unit, 0u, HIGH + 1u), 3u);
    assert_int_equal(usual_period(&unit, 0u, 0u), 4u);
}

/* ---- Periods ----------------------------------------------------------------------------- */

static void a_period_is_judged_with_the_first_cycle_of_the_next(void **state)
{
    (void)state;
    struct dyncta unit = dyncta_of(32u);
    struct dyncta_in in = usual;

    in.memory = 2u; /* 20 in a period */
    restart(&unit, N_MAX);
    for (uint32_t k = 0u; k < 4u * PERIOD; k++) {
        const struct dyncta_out out = cycle(&unit, in);
        assert_int_equal(out.judged, k > PERIOD && k % PERIOD == 1u);
        assert_int_equal(out.limit, k <= PERIOD ? 4u : 4u - (k - 1u) / PERIOD);
    }
    assert_int_equal(unit.q.memory, 20u);
}

static void the_cycles_of_all_schedulers_are_added(void **state)
{
    (void)state;
    struct dyncta unit = dyncta_of(32u);
    struct dyncta_in in = usual;

    restart(&unit, N_MAX);
    for (uint32_t idle = 0u; idle <= 4u; idle++) {
        in.idle = idle;
        in.memory = 4u - idle;
        (void)cycle(&unit, in);
    }
    assert_int_equal(unit.q.idle, 10u);
    assert_int_equal(unit.q.memory, 10u);
}

static void paused_cycles_are_in_no_period(void **state)
{
    (void)state;
    struct dyncta unit = dyncta_of(32u);
    struct dyncta_in paused = usual;

    paused.paused = true;
    paused.idle = paused.memory = 4u;
    restart(&unit, N_MAX);
    for (uint32_t k = 0u; k < PERIOD; k++) {
        for (uint32_t i = 0u; i < 25u; i++) {
            (void)cycle(&unit, paused);
        }
        assert_int_equal(unit.q.elapsed, k);
        (void)cycle(&unit, usual);
    }
    for (uint32_t i = 0u; i < 25u; i++) {
        (void)cycle(&unit, paused); /* it is not even judged */
        assert_int_equal(unit.q.limit, 4u);
    }
    (void)cycle(&unit, usual);
    assert_int_equal(unit.q.limit, 5u);
    (void)cycle(&unit, paused);
    assert_false(cycle(&unit, paused).judged);
}

static void a_restart_begins_a_period_and_nothing_else_in_its_cycle_counts(void **state)
{
    (void)state;
    struct dyncta unit = dyncta_of(32u);
    struct dyncta_in in = usual;

    restart(&unit, 3u);
    in.idle = in.memory = 4u;
    for (uint32_t k = 0u; k < PERIOD; k++) {
        (void)cycle(&unit, in);
    }
    in.restart = in.paused = true; /* in the cycle that would judge */
    in.n_max = N_MAX;
    (void)cycle(&unit, in);
    assert_int_equal(unit.q.limit, 4u);
    assert_int_equal(unit.q.elapsed + unit.q.idle + unit.q.memory, 0u);
    assert_false(cycle(&unit, usual).judged);
    assert_int_equal(unit.q.elapsed, 1u);
}

static void full_counts_stay_full(void **state)
{
    (void)state;
    struct dyncta unit = dyncta_of(5u); /* up to 31 */
    struct dyncta_in in = usual;

    in.period = 20u;
    in.idle = in.memory = 3u;
    restart(&unit, N_MAX);
    for (uint32_t k = 0u; k < 20u; k++) {
        (void)cycle(&unit, in);
    }
    assert_int_equal(unit.q.idle, 31u);
    assert_int_equal(unit.q.memory, 31u);
}

/* ---- What no GPU should do -----------------------------------------------------------------
 */

static void without_room_for_a_cta_the_limit_is_0(void **state)
{
    (void)state;
    struct dyncta unit = dyncta_of(32u);

    restart(&unit, 0u);
    assert_int_equal(usual_period(&unit, T_IDLE + 1u, 0u), 0u);
    assert_int_equal(usual_period(&unit, 0u, HIGH + 1u), 0u);
}

static void of_thresholds_the_wrong_way_round_the_lower_one_goes_first(void **state)
{
    (void)state;
    struct dyncta unit = dyncta_of(32u);
    struct dyncta_in in = usual;

    in.t_mem_low = HIGH;
    in.t_mem_high = LOW;
    restart(&unit, N_MAX);
    assert_int_equal(period(&unit, in, 0u, HIGH - 1u), 5u);
    assert_int_equal(period(&unit, in, 0u, HIGH), 4u);
}

static void a_period_of_0_judges_each_cycle(void **state)
{
    (void)state;
    struct dyncta unit = dyncta_of(32u);
    struct dyncta_in in = usual;

    in.period = 0u;
    in.t_mem_low = 1u;
    in.t_mem_high = 1u;
    restart(&unit, N_MAX);
    in.memory = 2u;
    (void)cycle(&unit, in); /* judges an empty period */
    assert_int_equal(unit.q.limit, 5u);
    (void)cycle(&unit, in);
    assert_int_equal(unit.q.limit, 4u);
    (void)cycle(&unit, in);
    assert_int_equal(unit.q.limit, 3u);
}

static void a_period_that_becomes_shorter_than_it_has_been_ends(void **state)
{
    (void)state;
    struct dyncta unit = dyncta_of(32u);
    struct dyncta_in in = usual;

    restart(&unit, N_MAX);
    for (uint32_t k = 0u; k < 7u; k++) {
        (void)cycle(&unit, in);
    }
    in.period = 5u;
    (void)cycle(&unit, in);
    assert_int_equal(unit.q.limit, 5u);
    assert_int_equal(unit.q.elapsed, 1u);
}

static void until_a_kernel_comes_the_limit_is_0(void **state)
{
    (void)state;
    struct dyncta unit = dyncta_of(32u);
    struct dyncta_in in = usual;

    in.idle = 4u;
    for (uint32_t k = 0u; k < 5u * PERIOD; k++) {
        assert_int_equal(cycle(&unit, in).limit, 0u);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_begins_with_half_of_the_ctas_that_fit_rounded_up),
        cmocka_unit_test(an_idle_sm_gets_one_more_cta_each_period_until_all_fit),
        cmocka_unit_test(an_sm_that_waits_for_memory_loses_one_each_period_down_to_one),
        cmocka_unit_test(an_sm_that_seldom_waits_for_memory_gets_more),
        cmocka_unit_test(idle_cycles_are_looked_at_first),
        cmocka_unit_test(on_a_threshold_and_between_them_the_limit_stays),
        cmocka_unit_test(with_one_threshold_it_moves_after_each_period_but_those_on_it),
        cmocka_unit_test(the_walk_never_ends),
        cmocka_unit_test(a_period_is_judged_with_the_first_cycle_of_the_next),
        cmocka_unit_test(the_cycles_of_all_schedulers_are_added),
        cmocka_unit_test(paused_cycles_are_in_no_period),
        cmocka_unit_test(a_restart_begins_a_period_and_nothing_else_in_its_cycle_counts),
        cmocka_unit_test(full_counts_stay_full),
        cmocka_unit_test(without_room_for_a_cta_the_limit_is_0),
        cmocka_unit_test(of_thresholds_the_wrong_way_round_the_lower_one_goes_first),
        cmocka_unit_test(a_period_of_0_judges_each_cycle),
        cmocka_unit_test(a_period_that_becomes_shorter_than_it_has_been_ends),
        cmocka_unit_test(until_a_kernel_comes_the_limit_is_0),
    };
    return cmocka_run_group_tests_name("dyncta", tests, NULL, NULL);
}
