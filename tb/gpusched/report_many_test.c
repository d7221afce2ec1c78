/* Tests of the page of many runs, of a database that has few. */

#include "experiment_open.h"

#include <math.h>

#include "gpusched/report/data/report_many.h"

/* Keeps run i, as if it had taken so many cycles of this clock. */
static void keep(struct store *store, struct opened *opened, uint32_t i, unsigned cycles,
                 unsigned clock)
{
    char result[128];
    struct experiment_outcome outcome = { .status = RUN_DONE,
                                          .result = result,
                                          .seconds = 0.5 };

    snprintf(result, sizeof result,
             "{\"cycles\": {\"core\": %u}, \"configuration\": {\"clock\": {\"core\": %u}}}",
             cycles, clock);
    assert_true(store_put(store, &opened->grid.keys[i], "text", &outcome, &opened->figures));
}

/* GPUs x workloads x variants: a speedup of each pair. */
static void fill(struct opened *opened)
{
    open_experiment(opened, "gpus: [m2090, c2050]\n"
                            "workloads: [mix, dependent]\n"
                            "variants: {slow: {warp.policy: gto}, fast: {warp.policy: lrr},"
                            " same: {warp.policy: oldest}}\n"
                            "baseline: slow\n"
                            "figures: [cycles]\n");
    struct store *const store = open_store();
    assert_true(store_grid(store, &opened->grid, &opened->figures));
    keep(store, opened, 3u, 1000u, 1300u); /* m2090, dependent: mix is not done */
    keep(store, opened, 4u, 1600u, 2600u);
    keep(store, opened, 5u, 800u, 1300u);
    keep(store, opened, 6u, 1000u, 1150u); /* c2050, mix */
    keep(store, opened, 7u, 1250u, 1150u);
    keep(store, opened, 9u, 1000u, 1150u); /* c2050, dependent */
    keep(store, opened, 10u, 2000u, 1150u);
    assert_true(store_close(store));
}

static void expect(const struct many_sum *sum, uint32_t n, double mean)
{
    assert_int_equal(sum->n, n);
    assert_true(fabs(sum->mean - mean) < 1e-9);
}

static void speedups_of_many_runs_are_of_the_time(void **state)
{
    struct opened opened;
    struct report_many many;
    struct many_sum sums[6];

    (void)state;
    fill(&opened);
    if (!report_many_open(&many, path_of("test.sqlite"), NULL, &opened.fault)) {
        fail_msg("%s", fault_text(&opened.fault));
    }
    report_many_sums(&many, DIMENSION_GPU, sums);
    assert_int_equal(sums[0].n, 0);
    expect(&sums[1], 1u, 1000.0 / 1600.0 * 2.0);
    expect(&sums[2], 1u, 1000.0 / 800.0);
    expect(&sums[4], 2u, sqrt(0.8 * 0.5));
    assert_int_equal(sums[5].n, 0);
    report_many_free(&many);
    if (!report_many_open(&many, path_of("test.sqlite"), "fast", &opened.fault)) {
        fail_msg("%s", fault_text(&opened.fault));
    }
    report_many_sums(&many, DIMENSION_GPU, sums);
    expect(&sums[0], 1u, 1600.0 / 1000.0 / 2.0);
    expect(&sums[2], 1u, 1600.0 / 800.0 / 2.0);
    report_many_free(&many);
    close_experiment(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(speedups_of_many_runs_are_of_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
