/*
 * Tests of the work distributor's golden model as a whole: the case study of CLASO, quotas of
 * pools, blocks, launches, and that every kernel ends, whatever becomes of the set of SMs. That
 * it is composed of its parts as its header says is tested in work_distributor_random_test.c.
 */

#include "work_distributor_cycle.h"

/* ---- Case study of CLASO: 17 CTAs on four SMs of three contexts ---------------------- */

enum { CASE_CTAS = 17, CASE_FILL = 12 };

/* SMs in the order in which they finish the CTAs of the fill. */
static const uint32_t finishing[CASE_FILL] = { 3, 3, 3, 0, 0, 0, 2, 2, 2, 1, 1, 1 };

static void check_case(struct work_distributor_config config, uint32_t active,
                       const uint32_t sm_of_last[CASE_CTAS - CASE_FILL])
{
    const struct bits all = bits_below(4u);
    const struct grid grid = { CASE_CTAS, all, CTA_GLOBAL_RR, 0u, false };
    struct placement placement = empty_placement(4u, 3u);
    static struct work_distributor unit;

    make_distributor(&unit, config);
    start(&unit, 0u, (struct work){ grid, active, 0u });
    serve(&unit, &placement, 0u, all, 0u, CASE_CTAS);
    assert_int_equal(placement.total, CASE_FILL);
    for (uint32_t i = 0u; i < CASE_FILL; i++) {
        assert_int_equal(placement.sm_of[i], i % 4u);
    }
    for (uint32_t i = 0u; i < CASE_FILL; i++) {
        placement.free[finishing[i]]++;
        serve(&unit, &placement, 0u, all, 0u, CASE_CTAS);
    }
    assert_int_equal(placement.total, CASE_CTAS);
    for (uint32_t i = CASE_FILL; i < CASE_CTAS; i++) {
        assert_int_equal(placement.order[i], i);
        assert_int_equal(placement.sm_of[i], sm_of_last[i - CASE_FILL]);
    }
}

static void with_and_without_credits_the_case_study_is_that_of_claso(void **state)
{
    (void)state;
    static const uint32_t greedy[] = { 3, 3, 3, 0, 0 };   /* Fig. 9 */
    static const uint32_t balanced[] = { 3, 3, 0, 2, 1 }; /* Fig. 10 */

    for (uint32_t n_cluster = 1u; n_cluster <= 4u; n_cluster++) {
        check_case((struct work_distributor_config){ 4u, n_cluster, 1u, 5u, 1u }, 0u, greedy);
        check_case((struct work_distributor_config){ 4u, n_cluster, 1u, 5u, 1u }, 1u, balanced);
    }
}

/* ---- Quotas -------------------------------------------------------------------------- */

/* A pool has the credits of CLASO's formulas, with its blocks for CTAs, over its SMs. */
static void check_quota(struct work_distributor *unit, const struct work *work, struct bits sms,
                        uint64_t ctas, uint32_t pool)
{
    const uint64_t n = bits_count(sms, unit->config.n_sm), block = 1u << work->grid.block;
    const uint64_t blocks = (ctas + block - 1u) / block;

    for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
        if (bits_has(sms, sm)) {
            assert_int_equal(credit_of(unit, 0u, sm), (blocks + n - 1u) / n + work->loose);
        }
    }
    assert_int_equal(unit->credits.mem.global[pool],
                     (blocks - 1u) % n + 1u + (work->active - 1u) * n);
    assert_int_equal(claso_band(&unit->credits, 0u, pool), work->active + work->loose);
}

static void check_quotas(struct work_distributor *unit, const struct work *work)
{
    const struct cta_scheduler_config *const config = &unit->scheduler.config;

    assert_true(bits_has(unit->q.credited, 0u));
    if (work->grid.policy != CTA_DISTRIBUTED) {
        check_quota(unit, work, work->grid.sms, work->grid.ctas, 0u);
        return;
    }
    for (uint32_t c = 0u; c < config->n_cluster; c++) {
        const uint64_t left = unit->scheduler.mem.left[c];
        if (left != 0u) {
            check_quota(unit, work, sms_of_cluster(config, work->grid.sms, c), left, c);
        }
    }
}

/* ---- Every kernel ends --------------------------------------------------------------- */

/* All SMs of the set ask in every cycle: each CTA goes out, once. */
static void check_end(struct work_distributor *unit, const struct work *work)
{
    struct placement placement = empty_placement(unit->config.n_sm, 64u);

    start(unit, 0u, *work);
    if (work->active != 0u) {
        check_quotas(unit, work);
    }
    serve(unit, &placement, 0u, work->grid.sms, work->grid.block, PLACED_CTAS);
    if (placement.total != work->grid.ctas) {
        fail_msg("%" PRIu32 " of %" PRIu32 " CTAs: policy %" PRIu32 ", block %" PRIu32
                 ", p_A %" PRIu32 ", p_L %" PRIu32 ", SMs %" PRIx64,
                 placement.total, work->grid.ctas, work->grid.policy, work->grid.block,
                 work->active, work->loose, work->grid.sms.word[0]);
    }
}

/* The SMs one after the other take all they can get: the most unfair order. */
static void check_greed(struct work_distributor *unit, const struct work *work)
{
    const uint32_t n_sm = unit->config.n_sm;
    struct placement placement = empty_placement(n_sm, 64u);

    start(unit, 0u, *work);
    for (uint32_t i = 0u; i < n_sm; i++) {
        const uint32_t sm = (i + work->grid.ctas) % n_sm;
        if (bits_has(work->grid.sms, sm)) {
            serve(unit, &placement, 0u, set_of(1u << sm), work->grid.block, PLACED_CTAS);
        }
    }
    assert_int_equal(placement.total, work->grid.ctas);
}

/* Every policy, block and pair of levels. */
static void for_every_kind(struct work_distributor *unit, uint32_t ctas, uint32_t sms,
                           void (*check)(struct work_distributor *unit,
                                         const struct work *work))
{
    for (uint32_t kind = 0u; kind < 4u * 3u * 4u * 3u; kind++) {
        const struct work work = {
            .grid = { ctas, set_of(sms), kind % 4u, kind / 4u % 3u, (kind + ctas) % 2u == 0u },
            .active = 1u + kind / 12u % 4u,
            .loose = kind / 48u,
        };
        check(unit, &work);
    }
}

static const struct work_distributor_config small[] = {
    { 1, 1, 1, 5, 3 }, { 2, 1, 1, 5, 3 }, { 3, 2, 1, 5, 3 },
    { 4, 2, 1, 5, 3 }, { 4, 3, 1, 5, 3 }, { 5, 3, 1, 5, 3 },
};

static void for_small_sizes(void (*check)(struct work_distributor *unit,
                                          const struct work *work))
{
    static struct work_distributor unit;

    for (uint32_t i = 0u; i < sizeof small / sizeof small[0]; i++) {
        const uint32_t n_sets = (1u << small[i].n_sm) - 1u;
        make_distributor(&unit, small[i]);
        for (uint32_t ctas = 1u; ctas <= 17u; ctas++) {
            for (uint32_t k = 0u; k < 3u; k++) { /* all SMs, and two other sets */
                const uint32_t sms = k == 0u ? n_sets : (ctas * 7u + k * 13u) % n_sets + 1u;
                for_every_kind(&unit, ctas, sms, check);
            }
        }
    }
}

static void every_kernel_ends_when_all_sms_ask_and_pools_have_quotas_each(void **state)
{
    (void)state;
    for_small_sizes(check_end);
}

static void every_kernel_ends_when_sms_take_all_they_can_one_after_the_other(void **state)
{
    (void)state;
    for_small_sizes(check_greed);
}

/* ---- Blocks -------------------------------------------------------------------------- */

static void a_block_costs_one_credit_and_so_does_a_tail(void **state)
{
    (void)state;
    static struct work_distributor unit;
    const struct grid grid = { 7u, bits_below(2u), CTA_GLOBAL_RR, 1u, false };
    static const struct {
        uint32_t count, sm;
        uint64_t local, global;
    } then[] = { { 2, 0, 2, 2 }, { 2, 1, 2, 2 }, { 2, 0, 1, 1 }, { 1, 1, 1, 0 } };

    make_distributor(&unit, (struct work_distributor_config){ 2u, 1u, 1u, 4u, 2u });
    start(&unit, 0u, (struct work){ grid, 1u, 1u }); /* 4 blocks: C_p = 3, C_g = 2 */
    for (uint32_t i = 0u; i < 4u; i++) {
        struct work_distributor_in in = request_of(0u, grid.sms);
        in.dispatch_ready = false;
        assert_true(request_once(&unit, in).dispatch_valid); /* not taken: costs nothing */
        const struct work_distributor_out out = run_cycle(&unit, request_of(0u, set_of(0u)));
        assert_int_equal(out.dispatch_count, then[i].count);
        assert_int_equal(out.dispatch_sm, then[i].sm);
        assert_int_equal(credit_of(&unit, 0u, out.dispatch_sm), then[i].local);
        assert_int_equal(unit.credits.mem.global[0], then[i].global);
    }
}

static void five_ctas_in_pairs_for_five_sms_go_to_three(void **state)
{
    (void)state;
    static struct work_distributor unit;
    const struct bits all = bits_below(5u);
    struct placement placement = empty_placement(5u, 2u);

    make_distributor(&unit, (struct work_distributor_config){ 5u, 1u, 1u, 4u, 2u });
    start(&unit, 0u, (struct work){ { 5u, all, CTA_GLOBAL_RR, 1u, false }, 1u, 0u });
    serve(&unit, &placement, 0u, all, 1u, PLACED_CTAS);
    assert_int_equal(placement.total, 5);
    for (uint32_t i = 0u; i < 5u; i++) {
        assert_int_equal(placement.sm_of[i], i / 2u);
    }
}

/* ---- Launches ------------------------------------------------------------------------ */

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

/* ---- The set of SMs changes ---------------------------------------------------------- */

/* Slot 0 goes on over other SMs with other levels, some CTAs later, some times. */
static void check_changes(struct work_distributor *unit, const struct work *work)
{
    const uint32_t n_sets = (1u << unit->config.n_sm) - 1u;
    struct placement placement = empty_placement(unit->config.n_sm, 64u);
    struct bits sms = work->grid.sms;

    start(unit, 0u, *work);
    for (uint32_t i = 1u; i <= 3u; i++) {
        serve(unit, &placement, 0u, sms, work->grid.block, work->grid.ctas * i / 4u);
        sms = set_of((uint32_t)(sms.word[0] * 5u + work->grid.ctas + i) % n_sets + 1u);
        run_start(unit, change_of(0u, sms, (work->active + i) % 4u, work->loose));
    }
    serve(unit, &placement, 0u, sms, work->grid.block, PLACED_CTAS);
    assert_int_equal(placement.total, work->grid.ctas);
}

static void a_change_of_the_set_of_sms_strands_no_cta(void **state)
{
    (void)state;
    for_small_sizes(check_changes);
}

static void stolen_ctas_cost_nothing_and_need_no_credit(void **state)
{
    (void)state;
    static struct work_distributor unit;
    static struct claso before;
    const struct bits all = bits_below(4u), cluster = set_of(3u);
    struct placement placement = empty_placement(4u, 64u);

    make_distributor(&unit, (struct work_distributor_config){ 4u, 2u, 1u, 5u, 2u });
    start(&unit, 0u, (struct work){ { 12u, all, CTA_DISTRIBUTED, 0u, false }, 1u, 0u });
    serve(&unit, &placement, 0u, all, 0u, 2u);
    run_start(&unit, change_of(0u, cluster, 1u, 0u)); /* cluster 1 has lost its SMs */
    serve(&unit, &placement, 0u, cluster, 0u, 7u);
    assert_int_equal(unit.scheduler.mem.left[0], 0);
    assert_int_equal(unit.scheduler.mem.left[1], 5);
    assert_int_equal(unit.credits.mem.global[0], 0);
    before = unit.credits;
    serve(&unit, &placement, 0u, set_of(1u), 0u, PLACED_CTAS); /* all by an SM with none */
    assert_int_equal(placement.total, 12);
    assert_memory_equal(before.mem.local, unit.credits.mem.local, sizeof before.mem.local);
    assert_memory_equal(before.mem.global, unit.credits.mem.global, sizeof before.mem.global);
}

static void a_kernel_that_goes_on_without_credits_is_not_limited(void **state)
{
    (void)state;
    static struct work_distributor unit;
    const struct bits all = bits_below(3u);
    struct placement placement = empty_placement(3u, 64u);

    make_distributor(&unit, (struct work_distributor_config){ 3u, 1u, 1u, 5u, 2u });
    start(&unit, 0u, (struct work){ { 12u, all, CTA_GLOBAL_RR, 0u, false }, 1u, 0u });
    serve(&unit, &placement, 0u, set_of(1u), 0u, PLACED_CTAS);
    assert_int_equal(placement.total, 4); /* its quota */
    run_start(&unit, change_of(0u, all, 0u, 0u));
    assert_false(bits_has(unit.q.credited, 0u));
    serve(&unit, &placement, 0u, set_of(1u), 0u, 8u);
    assert_int_equal(placement.total, 8);
    run_start(&unit, change_of(0u, all, 1u, 0u)); /* 4 left: a quota of 2, one global */
    assert_true(bits_has(unit.q.credited, 0u));
    serve(&unit, &placement, 0u, set_of(1u), 0u, PLACED_CTAS);
    assert_int_equal(placement.total, 10);
}

static void the_limit_from_outside_binds_stolen_ctas_as_well(void **state)
{
    (void)state;
    static struct work_distributor unit;
    struct work_distributor_in in = request_of(0u, set_of(1u));

    make_distributor(&unit, (struct work_distributor_config){ 4u, 2u, 1u, 5u, 2u });
    start(&unit, 0u,
          (struct work){ { 4u, bits_below(4u), CTA_DISTRIBUTED, 0u, true }, 1u, 0u });
    for (uint32_t cta = 0u; cta < 2u; cta++) {
        assert_true(request_once(&unit, request_of(0u, set_of(1u << cta))).dispatch_valid);
    }
    assert_int_equal(unit.scheduler.mem.left[0], 0);
    in.limit = set_of(2u);
    assert_false(request_once(&unit, in).dispatch_valid);
    in.limit = set_of(1u);
    assert_true(request_once(&unit, in).dispatch_valid); /* of cluster 1, without a credit */
}

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
        cmocka_unit_test(with_and_without_credits_the_case_study_is_that_of_claso),
        cmocka_unit_test(every_kernel_ends_when_all_sms_ask_and_pools_have_quotas_each),
        cmocka_unit_test(every_kernel_ends_when_sms_take_all_they_can_one_after_the_other),
        cmocka_unit_test(a_block_costs_one_credit_and_so_does_a_tail),
        cmocka_unit_test(five_ctas_in_pairs_for_five_sms_go_to_three),
        cmocka_unit_test(the_first_cta_goes_out_when_the_last_pool_has_its_credits),
        cmocka_unit_test(a_change_of_the_set_of_sms_strands_no_cta),
        cmocka_unit_test(stolen_ctas_cost_nothing_and_need_no_credit),
        cmocka_unit_test(a_kernel_that_goes_on_without_credits_is_not_limited),
        cmocka_unit_test(the_limit_from_outside_binds_stolen_ctas_as_well),
        cmocka_unit_test(while_a_slot_is_launched_another_keeps_to_its_own_credits),
        cmocka_unit_test(pools_without_credits_do_not_wait_for_those_with_them),
        cmocka_unit_test(a_launch_takes_the_cycles_that_the_page_says),
    };
    return cmocka_run_group_tests_name("work_distributor", tests, NULL, NULL);
}
