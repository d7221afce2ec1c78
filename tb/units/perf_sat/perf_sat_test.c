/* Tests of Perf-Sat's golden model: the walks of the source and of the rules. */

#include "tb/units/perf_sat/perf_sat_cycle.h"

enum { ONE_TB = 40, WALK = 128 };

/* ---- Walks ------------------------------------------------------------------------------- */

/* How a kernel stalls: of each N, or, in the order of samples, whatever N is. */
struct kernel {
    uint32_t n_max;
    bool votes_two;
    uint32_t of_n[64];
    uint32_t of_sample[WALK];
};

/* N of each period, and at last the one that is kept. */
struct walk {
    uint32_t n;
    uint32_t at[WALK];
};

/* A period, whose first cycle judges the one before. Returns N of it. */
static uint32_t period(struct perf_sat *unit, const struct kernel *kernel, uint32_t sample)
{
    struct perf_sat_in in = { .votes_two = kernel->votes_two };
    struct perf_sat_out out = { .limit = 0u };
    uint32_t left = kernel->of_sample[sample];

    for (uint32_t i = 0u; i < ONE_TB * kernel->n_max; i++) {
        if (i == 1u && left == 0u) {
            left = kernel->of_n[perf_sat_shown(unit).limit];
        }
        in.stalled = i == 0u ? 0u : left < 4u ? left : 4u;
        left -= in.stalled;
        out = perf_sat_cycle(unit, &in);
    }
    assert_int_equal(left, 0u);
    return out.limit;
}

static struct walk walk_of(const struct kernel *kernel)
{
    struct perf_sat unit = perf_sat_of(6u, 32u);
    struct walk walk = { .n = 0u };

    perf_sat_begin(&unit, kernel->n_max, ONE_TB);
    while (!perf_sat_shown(&unit).done) {
        assert_in_range(walk.n, 0, WALK - 2);
        walk.at[walk.n] = period(&unit, kernel, walk.n);
        walk.n++;
        struct perf_sat judged = unit;
        (void)perf_sat_cycle(&judged, &(struct perf_sat_in){ .votes_two = kernel->votes_two });
        if (perf_sat_shown(&judged).done) {
            unit = judged;
        }
    }
    walk.at[walk.n++] = perf_sat_shown(&unit).limit;
    return walk;
}

static void check_walk(const struct kernel *kernel, const struct walk *expected)
{
    const struct walk got = walk_of(kernel);

    assert_int_equal(got.n, expected->n);
    assert_memory_equal(got.at, expected->at, expected->n * sizeof *expected->at);
}

static void the_example_of_the_source_ends_at_12(void **state)
{
    (void)state;
    const struct kernel kernel = {
        .n_max = 15u,
        .of_n = { [8] = 800, [9] = 700, [10] = 600, [11] = 500, [12] = 400, [13] = 450 },
    };

    check_walk(&kernel, &(struct walk){ 9u, { 8, 9, 9, 10, 11, 12, 13, 13, 12 } });
}

static void samples_that_alternate_behind_the_optimum_end_with_the_fourth_toggle(void **state)
{
    (void)state;
    const struct kernel kernel = {
        .n_max = 15u, .of_sample = { 800, 700, 690, 600, 500, 400, 450, 390, 450, 390 }
    };

    check_walk(&kernel, &(struct walk){ 11u, { 8, 9, 9, 10, 11, 12, 13, 13, 13, 13, 12 } });
}

static void samples_that_always_get_worse_end_at_the_higher_of_the_two(void **state)
{
    (void)state;
    const struct kernel kernel = { .n_max = 8u, .of_sample = { 500, 510, 520, 530, 540 } };

    check_walk(&kernel, &(struct walk){ 6u, { 4, 5, 4, 5, 4, 5 } });
}

static void equal_samples_are_not_better(void **state)
{
    (void)state;
    const struct kernel kernel = { .n_max = 8u, .of_sample = { 500, 500, 500, 500, 500 } };

    check_walk(&kernel, &(struct walk){ 6u, { 4, 5, 4, 5, 4, 5 } });
}

static void an_optimum_below_the_half_is_found(void **state)
{
    (void)state;
    struct kernel kernel = { .n_max = 16u };

    for (uint32_t n = 1u; n <= 16u; n++) {
        kernel.of_n[n] = 100u + 10u * (n > 3u ? n - 3u : 3u - n);
    }
    check_walk(&kernel, &(struct walk){ 11u, { 8, 9, 8, 7, 6, 5, 4, 3, 2, 2, 3 } });
    kernel.votes_two = true;
    check_walk(&kernel, &(struct walk){ 12u, { 8, 9, 8, 8, 7, 6, 5, 4, 3, 2, 2, 3 } });
}

static void a_kernel_that_always_gains_ends_at_the_most(void **state)
{
    (void)state;
    const struct kernel kernel = { .n_max = 6u, .of_n = { 0, 99, 98, 97, 96, 95, 94 } };

    check_walk(&kernel, &(struct walk){ 6u, { 3, 4, 4, 5, 6, 6 } });
}

static void a_sample_that_contradicts_is_the_first_vote_for_the_other_direction(void **state)
{
    (void)state;
    struct kernel kernel = { .n_max = 8u, .of_sample = { 500, 490, 505, 504, 503, 510, 511 } };

    check_walk(&kernel, &(struct walk){ 8u, { 4, 5, 5, 4, 3, 2, 2, 3 } });
    kernel.votes_two = true;
    check_walk(&kernel, &(struct walk){ 8u, { 4, 5, 5, 4, 4, 3, 3, 4 } });
}

static void every_optimum_of_a_curve_with_one_valley_is_found(void **state)
{
    (void)state;
    for (uint32_t n_max = 2u; n_max <= 32u; n_max++) {
        for (uint32_t optimum = 1u; optimum <= n_max; optimum++) {
            struct kernel kernel = { .n_max = n_max };
            for (uint32_t n = 1u; n <= n_max; n++) {
                kernel.of_n[n] = 10u + (n > optimum ? n - optimum : optimum - n);
            }
            for (uint32_t two = 0u; two < 2u; two++) {
                kernel.votes_two = two != 0u;
                const struct walk walk = walk_of(&kernel);
                assert_int_equal(walk.at[walk.n - 1u], optimum);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_source_ends_at_12),
        cmocka_unit_test(samples_that_alternate_behind_the_optimum_end_with_the_fourth_toggle),
        cmocka_unit_test(samples_that_always_get_worse_end_at_the_higher_of_the_two),
        cmocka_unit_test(equal_samples_are_not_better),
        cmocka_unit_test(an_optimum_below_the_half_is_found),
        cmocka_unit_test(a_kernel_that_always_gains_ends_at_the_most),
        cmocka_unit_test(a_sample_that_contradicts_is_the_first_vote_for_the_other_direction),
        cmocka_unit_test(every_optimum_of_a_curve_with_one_valley_is_found),
    };
    return cmocka_run_group_tests_name("perf_sat", tests, NULL, NULL);
}
