/*
 * Tests of the work distributor's golden model as a whole: the case study of CLASO, quotas of
 * pools, blocks, and that every kernel ends, whatever becomes of the set of SMs. Launches are
 * tested in work_distributor_launch_test.c, and that it is composed of its parts as its header
 * says in work_distributor_random_test.c.
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_and_without_credits_the_case_study_is_that_of_claso),
        cmocka_unit_test(every_kernel_ends_when_all_sms_ask_and_pools_have_quotas_each),
        cmocka_unit_test(every_kernel_ends_when_sms_take_all_they_can_one_after_the_other),
        cmocka_unit_test(a_block_costs_one_credit_and_so_does_a_tail),
        cmocka_unit_test(five_ctas_in_pairs_for_five_sms_go_to_three),
        cmocka_unit_test(a_change_of_the_set_of_sms_strands_no_cta),
        cmocka_unit_test(stolen_ctas_cost_nothing_and_need_no_credit),
        cmocka_unit_test(a_kernel_that_goes_on_without_credits_is_not_limited),
        cmocka_unit_test(the_limit_from_outside_binds_stolen_ctas_as_well),
    };
    return cmocka_run_group_tests_name("work_distributor", tests, NULL, NULL);
}
