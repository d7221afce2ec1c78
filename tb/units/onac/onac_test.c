/*
 * Tests of the detector by examples: the kernels of the dissertation, section 4.4.2.2, step by
 * step, and what docs/units/onac.md adds where it is silent. Curves at random are in
 * onac_random_test.c.
 */

#include "onac_bench.h"

static struct onac_bench bench;

static const struct onac_in onac = { .mode = ONAC_MODE_ONAC, .quota = 1u, .limit = 16u };
static const struct onac_in seq_det = { .mode = ONAC_MODE_SEQ_DET, .quota = 1u, .limit = 16u };

struct point {
    uint32_t n, ipc; /* IPC in parts of an instruction per cycle, ONAC_UNIT in one */
};

/* A machine of 32 cores with the curve; what is not given is flat up to the next point. */
static void open_with(const struct point *points, uint32_t n)
{
    onac_bench_open(&bench, 32u, 1u);
    for (uint32_t i = 0u; i < n; i++) {
        const uint32_t from = i == 0u ? 1u : points[i - 1u].n + 1u;
        for (uint32_t k = from; k <= points[i].n; k++) {
            bench.curve.ipc[k] = points[i].ipc;
        }
    }
}

static void check_walk(const uint32_t *sampled, uint32_t n, uint32_t result)
{
    assert_int_equal(bench.walk.n, n);
    for (uint32_t i = 0u; i < n; i++) {
        assert_int_equal(bench.walk.sampled[i], sampled[i]);
    }
    assert_int_equal(bench.walk.result, result);
    assert_true(bench.out.done);
    assert_false(bench.out.aborted);
}

#define CHECK_WALK(result, ...)                   \
    check_walk((const uint32_t[]){ __VA_ARGS__ }, \
               sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t), result)

#define OPEN(...)                                    \
    open_with((const struct point[]){ __VA_ARGS__ }, \
              sizeof((const struct point[]){ __VA_ARGS__ }) / sizeof(struct point))

/* ---- The dissertation's kernels -------------------------------------------------------- */

/* IPC in eights of a hundredth of that of all. */
static void open_backprop(void)
{
    OPEN({ 1u, 88u }, { 8u, 600u }, { 9u, 720u }, { 10u, 752u }, { 11u, 772u }, { 12u, 788u },
         { 31u, 798u }, { 32u, 800u });
}

static void backprop_is_estimated_at_9_10_and_11_and_12_will_do(void **state)
{
    (void)state;
    open_backprop();
    onac_bench_restart(&bench, onac);
    onac_bench_run(&bench);
    CHECK_WALK(12u, 32u, 1u, 9u, 10u, 11u, 12u);
}

static void pathfinder_needs_all_cores_which_are_not_sampled_again(void **state)
{
    (void)state;
    OPEN({ 1u, 16u }, { 30u, 400u }, { 31u, 486u }, { 32u, 500u });
    onac_bench_restart(&bench, onac);
    onac_bench_run(&bench);
    CHECK_WALK(32u, 32u, 1u, 31u);
}

static void seq_det_takes_21_samples_of_backprop_after_that_of_all(void **state)
{
    (void)state;
    open_backprop();
    onac_bench_restart(&bench, seq_det);
    onac_bench_run(&bench);
    assert_int_equal(bench.walk.n, 1u + 21u);
    for (uint32_t i = 0u; i < 22u; i++) {
        assert_int_equal(bench.walk.sampled[i], 32u - i);
    }
    assert_int_equal(bench.walk.result, 12u);
}

static void seq_det_takes_one_core_away_and_gives_it_back(void **state)
{
    (void)state;
    OPEN({ 30u, 400u }, { 31u, 486u }, { 32u, 500u });
    onac_bench_restart(&bench, seq_det);
    onac_bench_run(&bench);
    CHECK_WALK(32u, 32u, 31u);
}

/* ---- Where the source is silent -------------------------------------------------------- */

static void exactly_98_percent_will_do_and_a_little_less_will_not(void **state)
{
    (void)state;
    OPEN({ 31u, 784u }, { 32u, 800u });
    onac_bench_restart(&bench, onac);
    onac_bench_run(&bench);
    CHECK_WALK(1u, 32u, 1u);
    OPEN({ 1u, 783u }, { 31u, 784u }, { 32u, 800u });
    onac_bench_restart(&bench, onac);
    onac_bench_run(&bench);
    CHECK_WALK(2u, 32u, 1u, 2u);
}

static void one_core_that_will_do_is_the_result_of_seq_det_too(void **state)
{
    (void)state;
    OPEN({ 32u, 640u });
    onac_bench_restart(&bench, seq_det);
    onac_bench_run(&bench);
    assert_int_equal(bench.walk.n, 32u);
    assert_int_equal(bench.walk.result, 1u);
}

static void an_ipc_that_does_not_grow_gives_all_cores_or_one_more(void **state)
{
    (void)state;
    struct onac_in creep = onac;

    creep.creep = true;
    OPEN({ 3u, 200u }, { 4u, 190u }, { 5u, 190u }, { 32u, 800u });
    onac_bench_restart(&bench, onac);
    onac_bench_run(&bench);
    CHECK_WALK(32u, 32u, 1u, 4u);
    onac_bench_restart(&bench, creep);
    onac_bench_run(&bench);
    CHECK_WALK(6u, 32u, 1u, 4u, 5u, 6u);
}

static void one_core_without_an_ipc_gives_all_cores(void **state)
{
    (void)state;
    struct onac_in creep = onac;

    creep.creep = true;
    OPEN({ 1u, 0u }, { 32u, 800u });
    onac_bench_restart(&bench, onac);
    onac_bench_run(&bench);
    CHECK_WALK(32u, 32u, 1u);
    onac_bench_restart(&bench, creep);
    onac_bench_run(&bench);
    CHECK_WALK(32u, 32u, 1u);
}

static void the_only_core_is_the_result_of_its_own_sample(void **state)
{
    (void)state;
    onac_bench_open(&bench, 1u, 1u);
    bench.curve.ipc[1] = 100u;
    onac_bench_restart(&bench, onac);
    onac_bench_run(&bench);
    CHECK_WALK(1u, 1u);
    onac_bench_restart(&bench, seq_det);
    onac_bench_run(&bench);
    CHECK_WALK(1u, 1u);
}

/* ---- Ends without a result ------------------------------------------------------------- */

static void check_abort(void)
{
    onac_bench_run(&bench);
    assert_true(bench.out.done && bench.out.aborted);
    assert_int_equal(bench.out.number, 32u);
    assert_true(bits_equal(bench.table.q.active, bits_below(32u)));
    assert_false(bits_any(bench.table.q.paused));
}

static void a_kernel_that_ends_in_any_state_gives_all_cores(void **state)
{
    (void)state;
    uint32_t seen[ONAC_ESTIMATE + 1] = { 0u };

    for (uint32_t cycles = 1u; cycles < 700u; cycles += 3u) {
        open_backprop();
        bench.exhausted = false;
        onac_bench_restart(&bench, onac);
        for (uint32_t i = 0u; i < cycles; i++) {
            onac_bench_cycle(&bench);
        }
        seen[bench.unit.q.state]++;
        bench.exhausted = true;
        onac_bench_cycle(&bench);
        onac_bench_cycle(&bench);
        assert_true(bench.out.done); /* at once */
        check_abort();
    }
    for (uint32_t k = ONAC_TARGET; k <= ONAC_ESTIMATE; k++) {
        assert_in_range(seen[k], 1, 700);
    }
}

static void a_window_that_does_not_close_ends_after_limit_times_that_of_all(void **state)
{
    (void)state;
    uint64_t longest = 0u;

    open_backprop();
    onac_bench_restart(&bench, onac);
    while (bench.walk.n < 3u) {
        onac_bench_cycle(&bench);
    }
    bench.stuck = true;
    while (bench.out.detecting) {
        longest = bench.in_window > longest ? bench.in_window : longest;
        assert_in_range(longest, 0, 17u * ONAC_CYCLES);
        onac_bench_cycle(&bench);
    }
    assert_int_equal(longest, 16u * ONAC_CYCLES + 1u);
    check_abort();
}

static void a_result_stays_when_the_kernel_ends(void **state)
{
    (void)state;
    open_backprop();
    onac_bench_restart(&bench, onac);
    onac_bench_run(&bench);
    bench.exhausted = true;
    onac_bench_cycle(&bench);
    onac_bench_run(&bench);
    assert_false(bench.out.aborted);
    assert_int_equal(bench.out.number, 12u);
    assert_true(bits_equal(bench.table.q.active, bits_below(12u)));
}

static void the_next_kernel_begins_with_all_cores(void **state)
{
    (void)state;
    open_backprop();
    onac_bench_restart(&bench, onac);
    onac_bench_run(&bench);
    for (uint32_t mode = 0u; mode < 4u; mode += 3u) { /* neither is a detection */
        onac_bench_restart(&bench, (struct onac_in){ .mode = mode });
        onac_bench_cycle(&bench);
        onac_bench_cycle(&bench);
        assert_false(bench.out.detecting || bench.out.done);
        assert_true(bits_equal(bench.table.q.active, bits_below(32u)));
    }
    onac_bench_restart(&bench, onac);
    onac_bench_run(&bench);
    CHECK_WALK(12u, 32u, 1u, 9u, 10u, 11u, 12u);
}

/* ---- Time ------------------------------------------------------------------------------ */

static void of_32_cores_a_window_is_worth_an_estimate_after_152_cycles(void **state)
{
    (void)state;
    OPEN({ 1u, 16u }, { 30u, 400u }, { 31u, 486u }, { 32u, 500u });
    onac_bench_restart(&bench, onac);
    onac_bench_run(&bench);
    CHECK_WALK(32u, 32u, 1u, 31u); /* of 31 cores a sum of 32 cycles */
    assert_int_equal(bench.longest - 1u, 152u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backprop_is_estimated_at_9_10_and_11_and_12_will_do),
        cmocka_unit_test(pathfinder_needs_all_cores_which_are_not_sampled_again),
        cmocka_unit_test(seq_det_takes_21_samples_of_backprop_after_that_of_all),
        cmocka_unit_test(seq_det_takes_one_core_away_and_gives_it_back),
        cmocka_unit_test(exactly_98_percent_will_do_and_a_little_less_will_not),
        cmocka_unit_test(one_core_that_will_do_is_the_result_of_seq_det_too),
        cmocka_unit_test(an_ipc_that_does_not_grow_gives_all_cores_or_one_more),
        cmocka_unit_test(one_core_without_an_ipc_gives_all_cores),
        cmocka_unit_test(the_only_core_is_the_result_of_its_own_sample),
        cmocka_unit_test(a_kernel_that_ends_in_any_state_gives_all_cores),
        cmocka_unit_test(a_window_that_does_not_close_ends_after_limit_times_that_of_all),
        cmocka_unit_test(a_result_stays_when_the_kernel_ends),
        cmocka_unit_test(the_next_kernel_begins_with_all_cores),
        cmocka_unit_test(of_32_cores_a_window_is_worth_an_estimate_after_152_cycles),
    };
    return cmocka_run_group_tests_name("onac", tests, NULL, NULL);
}
