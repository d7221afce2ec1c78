/* Tests of how runs are packed into tasks: all of them once, lengths that fall, and guesses. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "gpusched/experiment/slurm/slurm_pack.h"

enum { MOST = 100000 };

static struct experiment_key keys[MOST];
static bool wanted[MOST];
static double costs[MOST];

/* The first n runs are wanted, and cost so much each. */
static struct pack packed(uint32_t n, double cost, uint32_t nodes)
{
    const struct experiment_grid grid = { .n = MOST, .keys = keys };
    struct pack pack;

    for (uint32_t i = 0u; i < MOST; i++) {
        /* Some order that is not that of the runs. */
        snprintf(keys[i].text, sizeof keys[i].text, "%08x", i * 2654435761u);
        wanted[i] = i < n;
        costs[i] = cost;
    }
    assert_true(pack_make(&pack, &grid, wanted, costs, nodes, 1u));
    return pack;
}

static uint32_t runs_of(const struct pack *pack, uint32_t task)
{
    return pack->first[task + 1u] - pack->first[task];
}

static void each_run_is_in_one_task(void **state)
{
    static bool seen[MOST];
    struct pack pack = packed(5000u, 0.5, 0u);

    (void)state;
    assert_int_equal(pack.first[0], 0u);
    assert_int_equal(pack.first[pack.tasks], 5000u);
    for (uint32_t i = 0u; i < 5000u; i++) {
        assert_true(pack.runs[i] < 5000u && !seen[pack.runs[i]]);
        seen[pack.runs[i]] = true;
    }
    pack_free(&pack);
}

static void tasks_take_a_minute_and_less_and_less_at_the_end(void **state)
{
    struct pack pack = packed(5000u, 0.5, 0u); /* 2500 seconds */

    (void)state;
    assert_false(pack.guessed);
    assert_true(pack.costs[0] > 59.0 && pack.costs[0] <= 60.0);
    for (uint32_t task = 1u; task < pack.tasks; task++) {
        assert_true(pack.costs[task] <= pack.costs[task - 1u] + 0.5);
    }
    assert_true(pack.costs[pack.tasks - 2u] <= 5.0);
    assert_true(pack_start_for(&pack) > 2.0 * pack.costs[0]);
    pack_free(&pack);
}

static void short_sweeps_are_few_tasks(void **state)
{
    struct pack pack = packed(5000u, 0.0084, 0u); /* 42 seconds */

    (void)state;
    assert_true(pack.tasks >= 4u && pack.tasks <= 10u);
    pack_free(&pack);
}

static void many_nodes_all_have_a_task(void **state)
{
    struct pack pack = packed(5000u, 0.5, 200u); /* 12.5 seconds for each */

    (void)state;
    assert_true(pack.tasks >= 200u);
    assert_true(pack.costs[0] < 10.0);
    pack_free(&pack);
}

static void what_is_unknown_is_some_tasks_whatever_it_takes(void **state)
{
    (void)state;
    for (uint32_t n = 32u; n <= 5000u; n *= 5u) {
        struct pack pack = packed(n, PACK_UNKNOWN, 0u);
        assert_true(pack.guessed);
        assert_true(pack.tasks >= 8u && pack.tasks <= 16u);
        assert_in_range(runs_of(&pack, 0u), n / 4u - 1u, n / 4u);
        assert_true(pack_start_for(&pack) < 60.0);
        pack_free(&pack);
    }
}

static void there_are_no_more_tasks_than_slurm_has_places(void **state)
{
    struct pack pack = packed(MOST, 10.0, 0u);

    (void)state;
    assert_true(pack.tasks <= PACK_TASKS);
    pack_free(&pack);
    pack = packed(MOST, PACK_UNKNOWN, 1000u);
    assert_true(pack.tasks <= PACK_TASKS);
    pack_free(&pack);
}

static void the_longest_start_first_and_equals_in_the_order_of_keys(void **state)
{
    const struct experiment_grid grid = { .n = 100u, .keys = keys };
    struct pack pack = packed(100u, 1.0, 0u);

    (void)state;
    for (uint32_t i = 1u; i < 100u; i++) {
        assert_true(strcmp(keys[pack.runs[i - 1u]].text, keys[pack.runs[i]].text) < 0);
    }
    pack_free(&pack);
    costs[7] = 30.0;
    assert_true(pack_make(&pack, &grid, wanted, costs, 0u, 1u));
    assert_int_equal(pack.runs[0], 7u);
    pack_free(&pack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_run_is_in_one_task),
        cmocka_unit_test(tasks_take_a_minute_and_less_and_less_at_the_end),
        cmocka_unit_test(short_sweeps_are_few_tasks),
        cmocka_unit_test(many_nodes_all_have_a_task),
        cmocka_unit_test(what_is_unknown_is_some_tasks_whatever_it_takes),
        cmocka_unit_test(there_are_no_more_tasks_than_slurm_has_places),
        cmocka_unit_test(the_longest_start_first_and_equals_in_the_order_of_keys),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
