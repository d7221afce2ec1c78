/*
 * Tests of the CLASO golden model against its header: sets of cores that change, illegal
 * stimulus, and what every unit promises. Launches are in claso_launch_test.c, the paper's case
 * study in claso_case_test.c, and its algorithm and theorems in claso_test.c.
 */

#include "claso_cycle.h"

#include <string.h>

/* ---- The set of cores changes -------------------------------------------------------- */

/* Every core of the set asks until all are refused. Returns the allowances. */
static uint32_t issue_on(struct claso *unit, uint32_t slot, struct bits cores)
{
    uint32_t total = 0u;

    for (uint32_t core = 0u; core < unit->config.n_core; core++) {
        while (bits_has(cores, core) && ask(unit, slot, core)) {
            total++;
        }
    }
    return total;
}

static void ctas_of_a_core_that_leaves_are_stranded_until_allocated_anew(void **state)
{
    (void)state;
    const struct bits left = bits_below(3u);
    static struct claso unit;
    uint32_t issued = 0u;

    claso_make(&unit, (struct claso_config){ 4u, 1u, 1u, 5u, 1u });
    claso_launch(&unit, 0u, (struct kernel){ 17u, bits_below(4u), 1u, 0u });
    for (uint32_t core = 0u; core < 4u; core++) {
        issued += ask(&unit, 0u, core);
    }
    /* Core 3 leaves with three free credits and perhaps the global one. */
    issued += issue_on(&unit, 0u, left);
    assert_int_equal(issued, 17 - 3);
    claso_launch(&unit, 0u, (struct kernel){ 17u - issued, left, 1u, 0u });
    issued += issue_on(&unit, 0u, left);
    assert_int_equal(issued, 17);
}

static void allocated_anew_the_rest_of_any_kernel_is_issued(void **state)
{
    (void)state;
    static struct claso unit;
    uint64_t random = printed_seed();

    claso_make(&unit, (struct claso_config){ 13u, 1u, 1u, 9u, 1u });
    for (uint32_t i = 0u; i < 500u; i++) {
        const uint32_t n_cta = 2u + random_below(&random, 200u);
        const struct kernel whole = { n_cta, bits_below(13u), 1u, 0u };
        uint32_t issued = 0u;
        claso_launch(&unit, 0u, whole);
        for (uint32_t k = random_below(&random, n_cta - 1u); k > 0u; k--) {
            issued += ask(&unit, 0u, random_below(&random, 13u));
        }
        struct kernel rest = { n_cta - issued, some_cores(&random, 13u), 1u, 0u };
        bits_add(&rest.cores, random_below(&random, 13u));
        claso_launch(&unit, 0u, rest);
        check_allocation(&unit, 0u, rest);
        assert_int_equal(issue_on(&unit, 0u, whole.cores), rest.n_cta);
    }
}

static void a_cta_may_be_consumed_in_the_cycle_in_which_its_slot_is_allocated_anew(void **state)
{
    (void)state;
    struct kernel kernel = { 17u, bits_below(4u), 1u, 0u };
    static struct claso unit;

    claso_make(&unit, (struct claso_config){ 4u, 1u, 1u, 5u, 1u });
    claso_launch(&unit, 0u, kernel);
    assert_true(ask(&unit, 0u, 2u));
    kernel.n_cta = 17u - 1u - 1u;
    struct claso_in in = claso_launch_of(0u, kernel);
    in.consume_valid = true;
    in.consume_core = 3u;
    (void)claso_cycle(&unit, in);
    assert_false(unit.q.consume_error);
    assert_int_equal(local_of(&unit, 0u, 3u), 4);
    for (uint32_t t = 1u; t < claso_latency(&unit); t++) {
        (void)claso_cycle(&unit, (struct claso_in){ 0 });
    }
    check_allocation(&unit, 0u, kernel);
    assert_int_equal(issue_on(&unit, 0u, kernel.cores), 15);
}

/* ---- Illegal stimulus ---------------------------------------------------------------- */

/* These inputs do nothing but raise flags, for one cycle. */
static void check_flags(struct claso *unit, struct claso_in in, bool launch_error,
                        bool consume_error)
{
    static struct claso expected;

    expected = *unit;
    expected.q.launch_error = launch_error;
    expected.q.consume_error = consume_error;
    const struct claso_out during = claso_cycle(unit, in);
    assert_false(during.launch_error || during.consume_error);
    claso_check_same(&expected, unit);

    const struct claso_out after = claso_cycle(unit, (struct claso_in){ 0 });
    assert_int_equal(after.launch_error, launch_error);
    assert_int_equal(after.consume_error, consume_error);
    expected.q.launch_error = false;
    expected.q.consume_error = false;
    claso_check_same(&expected, unit);
}

static const struct kernel good_kernel = { 9u, { { 3u, 0u } }, 2u, 1u };

/* Three slots of three cores, where a number has room for a fourth; slot 1 is in use. */
static void make_three(struct claso *unit)
{
    claso_make(unit, (struct claso_config){ 3u, 1u, 3u, 4u, 2u });
    claso_launch(unit, 1u, good_kernel);
}

static void an_illegal_launch_is_flagged_for_a_cycle_and_does_nothing(void **state)
{
    (void)state;
    struct kernel bad[] = { good_kernel, good_kernel, good_kernel };
    static struct claso unit;

    make_three(&unit);
    bad[0].n_cta = 0u;
    bad[1].active = 0u;
    bad[2].cores = bits_below(0u);
    for (size_t i = 0u; i < sizeof bad / sizeof bad[0]; i++) {
        check_flags(&unit, claso_launch_of(0u, bad[i]), true, false);
        check_flags(&unit, claso_launch_of(1u, bad[i]), true, false); /* its credits stay */
    }
    check_flags(&unit, claso_launch_of(3u, good_kernel), true, false);
    check_flags(&unit, claso_launch_of(3u, bad[0]), true, false);
    claso_launch(&unit, 2u, good_kernel);
    check_allocation(&unit, 2u, good_kernel);
}

static void an_illegal_consume_is_flagged_for_a_cycle_and_does_nothing(void **state)
{
    (void)state;
    static struct claso unit;

    make_three(&unit);
    for (uint32_t core = 0u; core < 4u; core++) {
        check_flags(&unit, consume_of(0u, core), false, true); /* no kernel */
        check_flags(&unit, consume_of(2u, core), false, true);
        check_flags(&unit, consume_of(3u, core), false, true); /* no slot */
    }
    check_flags(&unit, consume_of(1u, 3u), false, true); /* no core */
    check_flags(&unit, consume_of(1u, 2u), false, true); /* not of the set */
}

static void a_refused_consume_is_flagged_however_long_it_stands_and_costs_nothing(void **state)
{
    (void)state;
    static struct claso unit;

    make_three(&unit);
    assert_int_equal(issue_on(&unit, 1u, good_kernel.cores), 9);
    assert_int_equal(local_of(&unit, 1u, 0u), 0);
    assert_int_equal(local_of(&unit, 1u, 1u), 3); /* in the band, and no globals */
    const struct claso before = unit;
    for (uint32_t i = 0u; i < 100u; i++) {
        (void)claso_cycle(&unit, consume_of(1u, i % 2u));
        assert_true(unit.q.consume_error);
    }
    (void)claso_cycle(&unit, (struct claso_in){ 0 });
    claso_check_same(&before, &unit);

    set_global(&unit, 1u, 1u); /* enough for one of core 1, not for two */
    check_flags(&unit, consume_of(1u, 0u), false, true);
    assert_true(ask(&unit, 1u, 1u));
    check_flags(&unit, consume_of(1u, 1u), false, true);
}

static void both_flags_rise_together_and_either_port_goes_on_beside_an_error(void **state)
{
    (void)state;
    static struct claso unit;

    make_three(&unit);
    struct claso_in in = claso_launch_of(3u, good_kernel);
    in.consume_valid = true;
    check_flags(&unit, in, true, true);

    in.consume_kernel = 1u; /* a legal consume, beside the illegal launch */
    (void)claso_cycle(&unit, in);
    assert_true(unit.q.launch_error);
    assert_false(unit.q.consume_error);
    assert_int_equal(local_of(&unit, 1u, 0u), 5);

    in.launch_kernel = 2u; /* a legal launch, beside an illegal consume */
    in.consume_core = 3u;
    (void)claso_cycle(&unit, in);
    assert_false(unit.q.launch_error);
    assert_true(unit.q.consume_error);
    for (uint32_t t = 1u; t < claso_latency(&unit); t++) {
        (void)claso_cycle(&unit, (struct claso_in){ 0 });
    }
    check_allocation(&unit, 2u, good_kernel);
}

/* ---- What every unit promises -------------------------------------------------------- */

static void init_rejects_a_bad_parameter_and_leaves_the_unit(void **state)
{
    (void)state;
    static struct claso unit;
    static struct claso before;

    for (uint32_t i = 0u; i < claso_type.n_param; i++) {
        const struct unit_param *const param = &claso_type.params[i];
        const uint32_t bad[] = { 0u, param->highest + 1u, UINT32_MAX };
        for (size_t k = 0u; k < sizeof bad / sizeof bad[0]; k++) {
            struct claso_config config = { 3u, 1u, 3u, 4u, 2u };
            memcpy((char *)&config + param->offset, &bad[k], sizeof bad[k]);
            make_three(&unit);
            memcpy(&before, &unit, sizeof unit);
            assert_int_equal(claso_init(&unit, &config), claso_bad_n_core + (int)i);
            assert_memory_equal(&unit, &before, sizeof unit);
        }
    }
}

static void init_accepts_the_lowest_and_the_highest_parameters_and_clears_all(void **state)
{
    (void)state;
    static const struct claso_config configs[] = { { 1, 1, 1, 1, 1 }, { 192, 64, 128, 32, 8 } };
    static struct claso unit;
    static const struct claso zeros;

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        memset(&unit, 0x55, sizeof unit);
        claso_make(&unit, configs[i]);
        assert_memory_equal(&unit.config, &configs[i], sizeof configs[i]);
        assert_memory_equal(&unit.q, &zeros.q, sizeof unit.q);
        assert_memory_equal(&unit.mem, &zeros.mem, sizeof unit.mem);
    }
}

static void reset_clears_the_registers_and_leaves_the_memories(void **state)
{
    (void)state;
    static struct claso unit;
    static struct claso expected;
    uint64_t random = printed_seed();

    claso_make(&unit, (struct claso_config){ 13u, 1u, 3u, 6u, 2u });
    for (uint32_t i = 0u; i < 3000u; i++) {
        (void)claso_cycle(&unit, claso_some_inputs(&random, &unit));
        if (i % 30u == 29u) {
            expected = unit;
            memset(&expected.q, 0, sizeof expected.q);
            claso_reset(&unit);
            claso_check_same(&expected, &unit);
            assert_false(bits_any(claso_look(&unit, 0u).allow));
            assert_true(claso_look(&unit, 0u).launch_ready);
        }
    }
}

static void eval_is_pure(void **state)
{
    (void)state;
    static struct claso unit;
    static struct claso other;
    static struct claso_next next[2];
    struct claso_out out[2];
    uint64_t random = printed_seed();

    claso_make(&unit, (struct claso_config){ 5u, 1u, 3u, 6u, 2u });
    for (uint32_t i = 0u; i < 3000u; i++) {
        const struct claso_in in = claso_some_inputs(&random, &unit);
        memcpy(&other, &unit, sizeof unit);
        for (int k = 0; k < 2; k++) { /* over different leavings */
            memset(&out[k], k, sizeof out[k]);
            memset(&next[k], k, sizeof next[k]);
            claso_eval(&unit, &in, &out[k], &next[k]);
        }
        assert_memory_equal(&unit, &other, sizeof unit);
        check_group(&claso_type, &unit.config, UNIT_OUT, &out[0], &out[1]);
        claso_tick(&unit, &next[0]);
        claso_tick(&other, &next[1]);
        claso_check_same(&unit, &other);
    }
}

static void only_the_selected_slots_reach_an_output_and_only_what_is_allowed(void **state)
{
    (void)state;
    static struct claso unit;
    uint64_t random = printed_seed();
    uint32_t moved = 0u;

    claso_make(&unit, (struct claso_config){ 5u, 1u, 3u, 6u, 2u });
    for (uint32_t i = 0u; i < 20000u; i++) {
        const struct claso_in in = claso_some_inputs(&random, &unit);
        struct claso_in other = claso_some_inputs(&random, &unit);
        struct claso_out out[3];
        struct claso_next next;

        claso_eval(&unit, &other, &out[0], &next);
        other.kernel = in.kernel;
        other.consume_kernel = in.consume_kernel;
        other.consume_core = in.consume_core;
        other.consume_valid = in.consume_valid;
        claso_eval(&unit, &other, &out[1], &next);
        claso_eval(&unit, &in, &out[2], &next);
        check_group(&claso_type, &unit.config, UNIT_OUT, &out[1], &out[2]);
        moved += !bits_equal(out[0].allow, out[1].allow);
        out[0].allow = out[1].allow;
        out[0].allow_after = out[1].allow_after;
        out[0].consume_allowed = out[1].consume_allowed;
        check_group(&claso_type, &unit.config, UNIT_OUT, &out[0], &out[1]);
        claso_tick(&unit, &next);
    }
    assert_in_range(moved, 1000, 20000);
}

/* The same is done to slot 0 of both; all else is done to `shared` alone. */
static void kernel_slots_do_not_influence_each_other(void **state)
{
    (void)state;
    static struct claso alone;
    static struct claso shared;
    uint64_t random = printed_seed();

    claso_make(&alone, (struct claso_config){ 5u, 1u, 3u, 6u, 2u });
    claso_make(&shared, alone.config);
    for (uint32_t i = 0u; i < 5000u; i++) {
        const struct kernel kernel = some_legal_kernel(&random, &alone.config);
        const uint32_t core = random_below(&random, 5u);
        if (i % 40u == 0u) {
            claso_launch(&alone, 0u, kernel);
            claso_launch(&shared, 0u, kernel);
        } else if (i % 40u == 20u) {
            claso_launch(&shared, 1u + random_below(&random, 2u), kernel);
        }
        (void)claso_cycle(&shared, consume_of(1u + random_below(&random, 3u), core));
        (void)claso_cycle(&shared, (struct claso_in){ 0 });
        assert_int_equal(ask(&shared, 0u, core), ask(&alone, 0u, core));
        assert_true(bits_equal(claso_look(&shared, 0u).allow, claso_look(&alone, 0u).allow));
        for (uint32_t c = 0u; c < 5u; c++) {
            assert_int_equal(local_of(&shared, 0u, c), local_of(&alone, 0u, c));
        }
        assert_int_equal(shared.mem.global[0], alone.mem.global[0]);
        assert_int_equal(claso_band(&shared, 0u, 0u), claso_band(&alone, 0u, 0u));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ctas_of_a_core_that_leaves_are_stranded_until_allocated_anew),
        cmocka_unit_test(allocated_anew_the_rest_of_any_kernel_is_issued),
        cmocka_unit_test(
            a_cta_may_be_consumed_in_the_cycle_in_which_its_slot_is_allocated_anew),
        cmocka_unit_test(an_illegal_launch_is_flagged_for_a_cycle_and_does_nothing),
        cmocka_unit_test(an_illegal_consume_is_flagged_for_a_cycle_and_does_nothing),
        cmocka_unit_test(a_refused_consume_is_flagged_however_long_it_stands_and_costs_nothing),
        cmocka_unit_test(both_flags_rise_together_and_either_port_goes_on_beside_an_error),
        cmocka_unit_test(init_rejects_a_bad_parameter_and_leaves_the_unit),
        cmocka_unit_test(init_accepts_the_lowest_and_the_highest_parameters_and_clears_all),
        cmocka_unit_test(reset_clears_the_registers_and_leaves_the_memories),
        cmocka_unit_test(eval_is_pure),
        cmocka_unit_test(only_the_selected_slots_reach_an_output_and_only_what_is_allowed),
        cmocka_unit_test(kernel_slots_do_not_influence_each_other),
    };
    return cmocka_run_group_tests_name("claso contract", tests, NULL, NULL);
}
