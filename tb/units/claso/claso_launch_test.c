/*
 * Tests of what a launch gives and how long it takes: the formulas for any parameters, and what
 * the last launch makes known.
 */

#include "claso_cycle.h"

#include <string.h>

/* ---- Allocation ---------------------------------------------------------------------- */

static uint32_t some_ctas(uint32_t i, uint32_t n_core, uint32_t cta_w, uint64_t *random)
{
    const uint64_t most = UINT32_MAX >> (32u - cta_w);
    const uint64_t n = n_core;
    const uint64_t hard[] = { 1u,          n - 1u, n,         n + 1u,        2u * n,
                              2u * n + 1u, most,   most - 1u, most / 2u + 1u };
    const size_t n_hard = sizeof hard / sizeof hard[0];
    const uint64_t drawn = i < n_hard ? hard[i] : some_number(random, cta_w);

    return (uint32_t)(drawn >= 1u && drawn <= most ? drawn : most);
}

static void check_width(uint32_t n_core, uint32_t cta_w, uint64_t *random)
{
    const uint32_t level_w = 1u + random_below(random, 8u);
    static struct claso unit;

    claso_make(&unit, (struct claso_config){ n_core, 1u, 2u, cta_w, level_w });
    for (uint32_t i = 0u; i < 24u; i++) {
        struct kernel kernel = some_legal_kernel(random, &unit.config);
        if (i < 16u) { /* on all cores, in turn at the paper's and the highest levels */
            const uint32_t highest = (1u << level_w) - 1u;
            kernel.cores = bits_below(n_core);
            kernel.active = i % 2u == 0u ? 1u : highest;
            kernel.loose = i % 2u == 0u ? 0u : highest;
        }
        kernel.n_cta = some_ctas(i % 16u, bits_count(kernel.cores, n_core), cta_w, random);
        claso_launch(&unit, i % 2u, kernel);
        check_allocation(&unit, i % 2u, kernel);
    }
}

static void a_launch_gives_exactly_the_credits_of_the_formulas(void **state)
{
    (void)state;
    static const uint32_t n_cores[] = { 1, 2, 3, 13, 15, 60, 64, 65, 128 };
    uint64_t random = printed_seed();

    for (size_t i = 0u; i < sizeof n_cores / sizeof n_cores[0]; i++) {
        for (uint32_t cta_w = 1u; cta_w <= 32u; cta_w++) {
            check_width(n_cores[i], cta_w, &random);
        }
    }
}

static void a_core_outside_the_set_is_never_allowed(void **state)
{
    (void)state;
    static struct claso unit;
    uint64_t random = printed_seed();

    claso_make(&unit, (struct claso_config){ 13u, 1u, 1u, 5u, 3u });
    for (uint32_t i = 0u; i < 300u; i++) {
        const struct kernel kernel = some_legal_kernel(&random, &unit.config);
        claso_launch(&unit, 0u, kernel);
        for (;;) {
            const struct claso_out out = claso_look(&unit, 0u);
            assert_true(is_within(out.allow, kernel.cores));
            if (!bits_any(out.allow)) {
                break;
            }
            (void)ask(&unit, 0u, random_below(&random, 13u));
        }
    }
}

/* A launch of slot 0, which is in use. In each cycle of it a CTA of slot 1 is consumed. */
static void check_cycles(struct claso *unit, struct kernel kernel, uint32_t expected)
{
    struct claso_in in = claso_launch_of(0u, kernel);

    for (uint32_t t = 0u; t < expected; t++) {
        in.consume_kernel = 1u;
        in.consume_valid = true;
        set_local(unit, 1u, 0u, 9u); /* always free */
        assert_int_equal(bits_any(claso_look(unit, 0u).allow), t == 0u);
        assert_int_equal(claso_cycle(unit, in).launch_ready, t == 0u || t == expected - 1u);
        assert_false(unit->q.consume_error);
        assert_int_equal(local_of(unit, 1u, 0u), 8);
        in = (struct claso_in){ 0 };
    }
    assert_true(claso_look(unit, 0u).launch_ready);
    check_allocation(unit, 0u, kernel);
}

/* Of one that is known or not; of the latter none is like the last but for its cores. */
static void check_latency(struct claso *unit, struct kernel kernel, bool known)
{
    check_cycles(unit, kernel, known ? 3u : claso_latency(unit));
}

/* What the one before makes known; kernel is the last then. */
static void check_any_latency(struct claso *unit, struct kernel *last, struct kernel kernel)
{
    const bool like = unit->config.n_pool > 1u
                      && (kernel.n_cta == last->n_cta || kernel.n_cta + 1u == last->n_cta);
    const bool known =
        like && bits_count(kernel.cores, BITS_MAX) == bits_count(last->cores, BITS_MAX);

    check_cycles(unit, kernel, known ? 3u : claso_latency(unit) + like);
    *last = kernel;
}

static void a_launch_takes_exactly_its_cycles_and_only_its_slot_waits(void **state)
{
    (void)state;
    static struct claso unit;
    uint64_t random = printed_seed();

    for (uint32_t i = 0u; i < 64u; i++) {
        claso_make(&unit, (struct claso_config){ 5u, 1u + i % 2u, 2u, 1u + i / 2u, 4u });
        claso_launch(&unit, 0u, some_legal_kernel(&random, &unit.config));
        struct kernel last = { 1u, bits_below(5u), 1u, 0u };
        claso_launch(&unit, 1u, last);
        for (uint32_t n = 0u; n < 20u; n++) {
            check_any_latency(&unit, &last, some_legal_kernel(&random, &unit.config));
            if (last.n_cta > 1u && one_in(&random, 2u)) {
                check_any_latency(&unit, &last,
                                  (struct kernel){ last.n_cta - 1u, last.cores, 1u, 1u });
            }
        }
    }
}

static void a_launch_in_waiting_is_taken_when_ready_and_not_flagged(void **state)
{
    (void)state;
    const struct kernel first = { 5u, bits_below(3u), 1u, 0u };
    const struct kernel second = { 7u, { { 5u, 0u } }, 2u, 1u };
    const struct kernel none = { 0u, { { 0u, 0u } }, 0u, 0u };
    static struct claso unit;

    claso_make(&unit, (struct claso_config){ 3u, 1u, 3u, 8u, 2u });
    (void)claso_cycle(&unit, claso_launch_of(0u, first));
    for (uint32_t t = 1u; t < claso_latency(&unit) - 1u; t++) {
        /* Not even an illegal one is looked at. */
        assert_false(
            claso_cycle(&unit, t % 2u ? claso_launch_of(1u, second) : claso_launch_of(3u, none))
                .launch_ready);
        assert_false(unit.q.launch_error);
    }
    (void)claso_cycle(&unit, (struct claso_in){ 0 });
    check_allocation(&unit, 0u, first);
    claso_launch(&unit, 1u, second);
    check_allocation(&unit, 0u, first);
    check_allocation(&unit, 1u, second);
}

/* ---- Known launches ------------------------------------------------------------------- */

static void check_pool(const struct claso *unit, uint32_t pool, struct kernel kernel)
{
    const uint32_t size = unit->config.n_core / unit->config.n_pool;
    const struct formulas formulas = formulas_of(kernel);

    for (uint32_t core = pool * size; core < (pool + 1u) * size; core++) {
        assert_int_equal(local_of(unit, 0u, core), formulas.local);
    }
    assert_int_equal(unit->mem.global[pool], formulas.global);
    assert_int_equal(claso_band(unit, 0u, pool), formulas.band);
}

/* 60 cores of 12 pools, as a scheduler shows them: the first `more` have a CTA more. */
static void check_pools(uint32_t ctas, uint32_t more, struct kernel kernel)
{
    static struct claso unit;
    const uint32_t first = 3u + 10u;
    uint32_t cycle = 0u;

    claso_make(&unit, (struct claso_config){ 60u, 12u, 1u, 20u, 4u });
    for (uint32_t pool = 0u; pool < 12u; pool++) {
        kernel.n_cta = ctas + (pool < more);
        struct claso_in in = claso_launch_of(0u, kernel);
        in.launch_split = true;
        in.launch_pool = pool;
        while (!claso_cycle(&unit, in).launch_ready) {
            cycle++;
        }
        assert_int_equal(cycle++, pool == 0u ? 0u : first - 1u + 2u * (pool - 1u));
    }
    while (unit.q.busy) {
        (void)claso_cycle(&unit, (struct claso_in){ 0 });
        cycle++;
    }
    assert_int_equal(cycle, first - 1u + 2u * 10u + 3u);
    for (uint32_t pool = 0u; pool < 12u; pool++) {
        for (uint32_t core = 0u; core < 60u; core++) {
            (core / 5u == pool ? bits_add : bits_remove)(&kernel.cores, core);
        }
        kernel.n_cta = ctas + (pool < more);
        check_pool(&unit, pool, kernel);
    }
}

static void pools_that_differ_by_one_are_divided_once(void **state)
{
    (void)state;
    uint64_t random = printed_seed();

    for (uint32_t i = 0u; i < 500u; i++) {
        const struct kernel kernel = { 0u, bits_below(60u), 1u + random_below(&random, 15u),
                                       random_below(&random, 16u) };
        check_pools(1u + some_number(&random, 20u) / 2u, 1u + i % 12u, kernel);
    }
}

static void known_is_what_the_last_launch_makes_so(void **state)
{
    (void)state;
    const struct kernel kernel = { 15u, bits_below(3u), 1u, 0u };
    struct kernel none = kernel;
    static struct claso unit;

    /* After a reset, nothing is. */
    claso_make(&unit, (struct claso_config){ 4u, 2u, 2u, 4u, 2u });
    claso_launch(&unit, 0u, kernel);
    claso_launch(&unit, 1u, kernel);
    claso_reset(&unit);
    (void)claso_cycle(&unit, claso_launch_of(0u, kernel));
    for (uint32_t t = 1u; t < claso_latency(&unit); t++) {
        assert_true(unit.q.busy);
        (void)claso_cycle(&unit, (struct claso_in){ 0 });
    }
    assert_false(unit.q.busy);
    claso_launch(&unit, 1u, kernel);
    check_latency(&unit, kernel, true);
    /* One that is refused changes nothing. */
    none.active = 0u;
    none.n_cta = 3u;
    (void)claso_cycle(&unit, claso_launch_of(0u, none));
    check_latency(&unit, kernel, true);
    /* As many cores, not the same ones; one core more, which is found out a cycle later. */
    check_latency(&unit, (struct kernel){ 15u, { { 14u, 0u } }, 3u, 2u }, true);
    check_cycles(&unit, (struct kernel){ 14u, bits_below(4u), 1u, 0u },
                 claso_latency(&unit) + 1u);
    /* One CTA less, again and again, but not one more. */
    for (uint32_t ctas = 13u; ctas > 0u; ctas--) {
        check_latency(&unit, (struct kernel){ ctas, bits_below(4u), 2u, 1u }, true);
    }
    check_latency(&unit, (struct kernel){ 2u, bits_below(4u), 2u, 1u }, false);
    check_latency(&unit, (struct kernel){ 15u, bits_below(4u), 2u, 1u }, false);
}

static void with_one_pool_every_launch_is_divided(void **state)
{
    (void)state;
    const struct kernel kernel = { 15u, bits_below(3u), 1u, 0u };
    static struct claso unit;

    claso_make(&unit, (struct claso_config){ 4u, 1u, 2u, 4u, 2u });
    claso_launch(&unit, 0u, kernel);
    claso_launch(&unit, 1u, kernel);
    check_latency(&unit, kernel, false);
    check_latency(&unit, (struct kernel){ 14u, bits_below(3u), 1u, 0u }, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_launch_gives_exactly_the_credits_of_the_formulas),
        cmocka_unit_test(a_core_outside_the_set_is_never_allowed),
        cmocka_unit_test(a_launch_takes_exactly_its_cycles_and_only_its_slot_waits),
        cmocka_unit_test(a_launch_in_waiting_is_taken_when_ready_and_not_flagged),
        cmocka_unit_test(pools_that_differ_by_one_are_divided_once),
        cmocka_unit_test(known_is_what_the_last_launch_makes_so),
        cmocka_unit_test(with_one_pool_every_launch_is_divided),
    };
    return cmocka_run_group_tests_name("claso launch", tests, NULL, NULL);
}
