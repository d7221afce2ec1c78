/*
 * Tests of the work distributor's launches: when the first CTA goes out, what the launch of a
 * slot does to another slot and waits for, and the cycles that the page gives.
 */

#include "work_distributor_cycle.h"

/* ---- The first CTA ------------------------------------------------------------------- */

/* First cycles, after that of a launch, of launch_ready and of a dispatch. */
struct times {
    uint32_t ready;
    uint32_t dispatch;
};

/* What CLASO divided last: it knows a pool of as many SMs with as many blocks, or one less. */
struct divided {
    uint32_t sms;
    uint32_t blocks; /* 0: nothing yet */
};

/* Cycles from a pool that CLASO takes to the next one that it takes; its credits show then + 1.
 */
static uint32_t pool_cycles(struct divided *last, struct divided pool,
                            const struct work_distributor_config *config)
{
    const bool several = config->n_cluster > 1u;
    const bool like = several && last->blocks != 0u
                      && (pool.blocks == last->blocks || pool.blocks + 1u == last->blocks);
    const bool known = like && pool.sms == last->sms;

    *last = pool;
    return known ? 2u : 2u + like + (several ? (config->cta_w + 1u) / 2u : config->cta_w);
}

/*
 * CLASO takes a pool when it writes the last one's credits. A pool without CTAs or SMs, or
 * without credits, passes at once.
 */
static struct times expected_times(const struct work_distributor *unit, const struct work *work,
                                   bool keep, struct divided *last)
{
    const uint32_t block = 1u << work->grid.block;
    const bool split = work->grid.policy == CTA_DISTRIBUTED;
    const struct bits sms = work->grid.sms;
    uint32_t now = keep ? 1u : 2u + (unit->config.cta_w + 1u) / 2u, free = 0u, shows = 0u;
    uint32_t homes = 0u, dealt = 0u;

    for (uint32_t c = 0u; c < unit->config.n_cluster; c++) {
        homes += bits_any(sms_of_cluster(&unit->scheduler.config, sms, c));
    }
    for (uint32_t c = 0u; c < unit->config.n_cluster; c++, now++) {
        const struct bits own = split ? sms_of_cluster(&unit->scheduler.config, sms, c) : sms;
        const uint32_t ctas = split
                                  ? work->grid.ctas / homes + (dealt < work->grid.ctas % homes)
                                  : work->grid.ctas;
        const bool shown = split ? bits_any(own) && ctas != 0u : c == 0u;

        dealt += bits_any(own);
        if (shown && work->active != 0u) {
            const struct divided pool = { bits_count(own, unit->config.n_sm),
                                          (ctas + block - 1u) / block };
            now = now > free ? now : free;
            free = now + pool_cycles(last, pool, &unit->config);
            shows = free + 1u;
        }
    }
    return (struct times){ .ready = now, .dispatch = now > shows ? now : shows };
}

static void check_times(struct work_distributor *unit, const struct work *work,
                        struct work_distributor_in in, struct divided *last)
{
    const struct times expected = expected_times(unit, work, in.launch_keep, last);

    assert_true(run_cycle(unit, in).launch_ready);
    for (uint32_t t = 1u; t <= expected.dispatch + 2u; t++) {
        in = request_of(0u, work->grid.sms);
        in.dispatch_ready = false; /* all CTAs stay */
        const struct work_distributor_out out = run_cycle(unit, in);
        assert_int_equal(out.launch_ready, t >= expected.ready);
        assert_int_equal(out.dispatch_valid, t == expected.dispatch + 2u);
    }
}

static void the_first_cta_goes_out_when_the_last_pool_has_its_credits(void **state)
{
    (void)state;
    static const struct work_distributor_config sizes[] = {
        { 5, 3, 1, 5, 3 }, { 4, 3, 1, 32, 3 }, { 3, 7, 1, 7, 3 }, { 8, 8, 1, 4, 3 }
    };
    static struct work_distributor unit;

    for (uint32_t i = 0u; i < 4u * 96u; i++) {
        const uint32_t n_sets = (1u << sizes[i / 96u].n_sm) - 1u;
        const struct work work = {
            .grid = { 1u + i % 9u, set_of(i * 37u % n_sets + 1u), i % 4u, i % 3u, false },
            .active = i / 4u % 3u,
            .loose = i % 2u,
        };
        struct divided last = { 0u, 0u };
        make_distributor(&unit, sizes[i / 96u]);
        check_times(&unit, &work, start_of(0u, work), &last);
        check_times(&unit, &work, change_of(0u, work.grid.sms, work.active, work.loose), &last);
    }
}

/* ---- Two slots ----------------------------------------------------------------------- */

/* Slot 1's pools are split by CLASO meanwhile, which has credits for SM 0 in plenty. */
static void while_a_slot_is_launched_another_keeps_to_its_own_credits(void **state)
{
    (void)state;
    static struct work_distributor unit;
    const struct bits all = bits_below(3u);
    const struct work few = { { 7u, all, CTA_GLOBAL_RR, 0u, false }, 1u, 0u };
    const struct work many = { { 31u, all, CTA_GLOBAL_RR, 0u, false }, 1u, 0u };
    uint32_t cycles = 0u;

    make_distributor(&unit, (struct work_distributor_config){ 3u, 1u, 2u, 5u, 2u });
    start(&unit, 1u, many);
    start(&unit, 0u, few);
    while (request_once(&unit, request_of(0u, set_of(1u))).dispatch_valid) {
    }
    assert_in_range(unit.scheduler.mem.left[0], 1, 6); /* SM 0 has had its share */
    (void)run_cycle(&unit, start_of(1u, many));
    while (unit.scheduler.q.busy || unit.credits.q.busy) {
        assert_false(run_cycle(&unit, request_of(0u, set_of(1u))).dispatch_valid);
        assert_in_range(++cycles, 1, 100);
    }
    assert_true(request_once(&unit, request_of(0u, set_of(2u))).dispatch_valid);
}

/* Cycles of a kept launch without credits, which does not divide, so many cycles after one that
 * CLASO is still dividing for. */
static uint32_t cycles_of_plain_launch(uint32_t later)
{
    static struct work_distributor unit;
    const struct bits all = bits_below(3u);
    const struct grid grid = { 31u, all, CTA_GLOBAL_RR, 0u, false };
    const struct work_distributor_in rest = { .launch_valid = false };
    uint32_t cycles = 0u;

    make_distributor(&unit, (struct work_distributor_config){ 3u, 1u, 2u, 5u, 2u });
    start(&unit, 1u, (struct work){ grid, 0u, 0u });
    (void)run_cycle(&unit, start_of(0u, (struct work){ grid, 1u, 0u }));
    while (unit.scheduler.q.busy) {
        (void)run_cycle(&unit, rest);
    }
    assert_true(unit.credits.q.busy);
    while (later-- > 0u) {
        (void)run_cycle(&unit, rest);
    }
    assert_true(run_cycle(&unit, change_of(1u, all, 0u, 0u)).launch_ready);
    while (unit.scheduler.q.busy) {
        (void)run_cycle(&unit, rest);
        assert_in_range(++cycles, 1, 100);
    }
    return cycles;
}

static void pools_without_credits_do_not_wait_for_those_with_them(void **state)
{
    (void)state;
    assert_int_equal(cycles_of_plain_launch(0u), cycles_of_plain_launch(100u));
}

/* ---- Time of a launch ---------------------------------------------------------------- */

/* Cycles from the one that takes a launch to the first in which a CTA goes out. */
static uint32_t cycles_to_first_cta(uint32_t n_sm, uint32_t n_cluster, uint32_t policy,
                                    uint32_t active)
{
    static struct work_distributor unit;
    const struct grid grid = { 100000u, bits_below(n_sm), policy, 0u, false };
    uint32_t cycles = 0u;

    make_distributor(&unit, (struct work_distributor_config){ n_sm, n_cluster, 1u, 20u, 4u });
    (void)run_cycle(&unit, start_of(0u, (struct work){ grid, active, 0u }));
    do {
        assert_in_range(++cycles, 1, 10000);
    } while (!run_cycle(&unit, request_of(0u, bits_below(n_sm))).dispatch_valid);
    return cycles;
}

/* A slot's credits are there when those of its last pool are. */
static void a_launch_takes_the_cycles_that_the_page_says(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {
        { 1, 1 }, { 15, 3 }, { 14, 14 }, { 60, 12 }, { 128, 32 }
    };

    for (uint32_t i = 0u; i < sizeof sizes / sizeof sizes[0]; i++) {
        const uint32_t n = sizes[i][0], c = sizes[i][1];
        const uint32_t plain = 14u + c;
        const uint32_t paid = c > 1u ? 27u : 37u; /* of one pool, CLASO finds a bit a cycle */
        for (uint32_t policy = 0u; policy < CTA_DISTRIBUTED; policy++) {
            assert_int_equal(cycles_to_first_cta(n, c, policy, 0u), plain);
            assert_int_equal(cycles_to_first_cta(n, c, policy, 2u),
                             plain > paid ? plain : paid);
        }
        assert_int_equal(cycles_to_first_cta(n, c, CTA_DISTRIBUTED, 0u), plain);
        assert_int_equal(cycles_to_first_cta(n, c, CTA_DISTRIBUTED, 2u),
                         c > 1u ? 25u + 2u * c : paid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_cta_goes_out_when_the_last_pool_has_its_credits),
        cmocka_unit_test(while_a_slot_is_launched_another_keeps_to_its_own_credits),
        cmocka_unit_test(pools_without_credits_do_not_wait_for_those_with_them),
        cmocka_unit_test(a_launch_takes_the_cycles_that_the_page_says),
    };
    return cmocka_run_group_tests_name("work_distributor_launch", tests, NULL, NULL);
}
