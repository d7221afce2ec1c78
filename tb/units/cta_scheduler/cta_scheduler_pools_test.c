/*
 * Tests of the pools of the CTA scheduler's golden model: how a launch deals them, who draws on
 * which, stealing, homeless pools, and what follows when the set of SMs changes.
 */

#include "cta_scheduler_cycle.h"
#include "tb/units/cta_placement.h"

/* ---- Dealing ------------------------------------------------------------------------- */

/* Pool by pool: each CTA number is counted out to one, larger pools first. */
static void check_pools(struct cta_scheduler *unit, struct grid grid)
{
    const struct cta_scheduler_config *const config = &unit->config;
    uint32_t n_pool = 0u, given = 0u, pools = 0u;

    for (uint32_t c = 0u; c < config->n_cluster; c++) {
        n_pool += bits_any(sms_of_cluster(config, grid.sms, c));
    }
    for (uint32_t c = 0u; c < config->n_cluster; c++) {
        const bool homed = bits_any(sms_of_cluster(config, grid.sms, c));
        uint32_t share = 0u;
        while (homed && share * n_pool + pools < grid.ctas) {
            share++; /* deals a CTA to every pool, while there is one for this */
        }
        pools += homed;
        const uint32_t at = pool_at(unit, 0u, c);
        assert_int_equal(unit->mem.left[at], share);
        assert_true(share == 0u || unit->mem.next[at] == given);
        assert_int_equal(unit->mem.homeless[at], !homed);
        given += share;
    }
    assert_int_equal(given, grid.ctas);
}

static void distributed_pools_are_contiguous_and_differ_by_one_cta_at_most(void **state)
{
    (void)state;
    static struct cta_scheduler unit;

    for (uint32_t i = 0u; i < SMALL_SIZES; i++) {
        make(&unit, small_sizes[i]);
        for_every_set(&unit, check_pools, CTA_DISTRIBUTED, 15u);
    }
}

static void check_one_pool(struct cta_scheduler *unit, struct grid grid)
{
    const uint32_t block = grid.block == 0u ? 1u : grid.block == 1u ? 2u : 4u;
    const struct cta_scheduler_out out = look(unit, 0u, grid.sms);

    assert_int_equal(unit->mem.next[0], 0);
    assert_int_equal(unit->mem.left[0], grid.ctas);
    for (uint32_t c = 0u; c < unit->config.n_cluster; c++) {
        assert_true(c == 0u || unit->mem.left[c] == 0u);
        assert_int_equal(unit->mem.homeless[c], 0);
    }
    assert_int_equal(out.dispatch_count, grid.ctas < block ? grid.ctas : block);
    assert_false(out.dispatch_stolen || bits_any(glance(unit, 0u).stolen));
}

static void the_other_policies_have_one_pool_for_all_clusters(void **state)
{
    (void)state;
    static struct cta_scheduler unit;

    for (uint32_t i = 0u; i < SMALL_SIZES; i++) {
        for (uint32_t policy = 0u; policy < CTA_DISTRIBUTED; policy++) {
            make(&unit, small_sizes[i]);
            for_every_set(&unit, check_one_pool, policy, 5u);
        }
    }
}

/* ---- Drawing ------------------------------------------------------------------------- */

/* What every cluster's SMs are offered, from which pool; one after the other asks. */
static void check_draws(struct cta_scheduler *unit, uint32_t slot, uint32_t block, bool steal,
                        struct bits sms)
{
    const uint32_t n_cluster = unit->config.n_cluster, size = cluster_size(&unit->config);
    const uint64_t *const left = &unit->mem.left[pool_at(unit, slot, 0u)];
    const uint64_t *const homeless = &unit->mem.homeless[pool_at(unit, slot, 0u)];

    for (uint32_t c = 0u; c < n_cluster; c++) {
        const uint32_t pool = drawn_pool(n_cluster, c, left, homeless, steal);
        const uint64_t has = pool < n_cluster ? left[pool] : 0u;
        const uint64_t offer = has < 1u << block ? has : 1u << block;
        const uint32_t sm = c * size;
        const struct bits asking = sm < unit->config.n_sm ? set_of(1u << sm) : set_of(0u);
        const bool may = sm < unit->config.n_sm && bits_has(sms, sm);
        const struct cta_scheduler_out out = look(unit, slot, asking);

        assert_int_equal(bits_has(glance(unit, slot).stolen, c), offer != 0u && pool != c);
        assert_int_equal(out.dispatch_valid, offer != 0u && may);
        if (out.dispatch_valid) {
            assert_int_equal(out.dispatch_cta, unit->mem.next[pool_at(unit, slot, pool)]);
            assert_int_equal(out.dispatch_count, offer);
            assert_int_equal(out.dispatch_stolen, pool != c);
        }
    }
}

/* Slot 1: each pool has none, some or many CTAs, and may be homeless. */
static void set_pools(struct cta_scheduler *unit, uint32_t numbers, uint32_t homeless)
{
    for (uint32_t c = 0u; c < unit->config.n_cluster; c++) {
        const uint32_t left = numbers >> 2u * c & 3u;
        unit->mem.left[pool_at(unit, 1u, c)] = left == 3u ? 7u : left;
        unit->mem.next[pool_at(unit, 1u, c)] = 8u * c + 1u;
        unit->mem.homeless[pool_at(unit, 1u, c)] = homeless >> c & 1u;
    }
}

static void a_cluster_draws_on_its_own_pool_then_on_the_next_it_may(void **state)
{
    (void)state;
    static const struct cta_scheduler_config sizes[] = {
        { 4, 1, 2, 6 }, { 4, 2, 2, 6 }, { 5, 3, 2, 6 }, { 5, 4, 2, 6 }
    };
    static struct cta_scheduler unit;

    for (uint32_t i = 0u; i < 6u * sizeof sizes / sizeof sizes[0]; i++) {
        const uint32_t n_cluster = sizes[i / 6u].n_cluster, kind = i % 6u;
        make(&unit, sizes[i / 6u]);
        start_launch(&unit, 1u,
                     (struct grid){ 9u, bits_below(sizes[i / 6u].n_sm), CTA_DISTRIBUTED,
                                    kind % 3u, kind >= 3u });
        for (uint32_t numbers = 0u; numbers < 1u << 2u * n_cluster; numbers++) {
            for (uint32_t homeless = 0u; homeless < 1u << n_cluster; homeless++) {
                set_pools(&unit, numbers, homeless);
                check_draws(&unit, 1u, kind % 3u, kind >= 3u, bits_below(sizes[i / 6u].n_sm));
            }
        }
    }
}

/* SMs of the set ask until there is nothing for them. Returns how many CTAs they got. */
static uint32_t draw(struct cta_scheduler *unit, struct placement *placement, struct bits sms,
                     uint32_t most)
{
    const uint32_t before = placement->total;

    while (placement->total - before < most) {
        const struct cta_scheduler_out out = ask_once(unit, ask_of(0u, sms));
        if (!out.dispatch_valid) {
            break;
        }
        assert_true(bits_has(sms, out.dispatch_sm));
        place(placement, out.dispatch_sm, out.dispatch_cta, out.dispatch_count);
    }
    return placement->total - before;
}

static void a_cluster_alone_gets_its_own_ctas_or_all_of_them_if_it_steals(void **state)
{
    (void)state;
    static const uint32_t all[] = { 4, 5, 6, 7, 8, 9, 0, 1, 2, 3 }; /* from cluster 1 on */
    static struct cta_scheduler unit;

    for (uint32_t steal = 0u; steal < 2u; steal++) {
        struct placement placement = empty_placement(6u, 16u);
        make(&unit, (struct cta_scheduler_config){ 6u, 3u, 1u, 5u });
        start_launch(&unit, 0u,
                     (struct grid){ 10u, bits_below(6u), CTA_DISTRIBUTED, 0u, steal != 0u });
        assert_int_equal(draw(&unit, &placement, set_of(0xCu), 99u), steal ? 10u : 3u);
        for (uint32_t i = 0u; i < placement.total; i++) {
            assert_int_equal(placement.order[i], all[i]);
        }
        (void)draw(&unit, &placement, bits_below(6u), 99u);
        assert_int_equal(placement.total, 10);
    }
}

static void steal_means_nothing_to_the_policies_with_one_pool(void **state)
{
    (void)state;
    static struct cta_scheduler units[2];

    for (uint32_t policy = 0u; policy < CTA_DISTRIBUTED; policy++) {
        for (uint32_t k = 0u; k < 2u; k++) {
            make(&units[k], (struct cta_scheduler_config){ 5u, 3u, 1u, 5u });
            start_launch(&units[k], 0u,
                         (struct grid){ 9u, bits_below(5u), policy, 1u, k != 0u });
        }
        for (uint32_t i = 0u; i < 8u; i++) {
            const struct cta_scheduler_in in = ask_of(0u, set_of(0x1Bu >> i % 3u));
            const struct cta_scheduler_out out = cycle(&units[0], in);
            const struct cta_scheduler_out stealing = cycle(&units[1], in);
            check_out(&units[0], &out, &stealing);
            assert_false(bits_any(stealing.stolen));
        }
    }
}

/* ---- The set of SMs changes ---------------------------------------------------------- */

static void a_cluster_that_loses_its_sms_leaves_a_homeless_pool(void **state)
{
    (void)state;
    static struct cta_scheduler unit;
    struct placement placement = empty_placement(6u, 16u);

    make(&unit, (struct cta_scheduler_config){ 6u, 3u, 1u, 5u });
    start_launch(&unit, 0u, (struct grid){ 12u, bits_below(6u), CTA_DISTRIBUTED, 0u, false });
    assert_int_equal(draw(&unit, &placement, bits_below(6u), 3u), 3);
    run_launch(&unit, keep_of(0u, set_of(0x33u)));
    assert_int_equal(unit.mem.homeless[1], 1);
    assert_int_equal(unit.mem.next[1], 5); /* as it was */
    assert_int_equal(unit.mem.left[1], 3);
    assert_false(bits_any(glance(&unit, 0u).stolen)); /* its own CTAs first */
    assert_int_equal(draw(&unit, &placement, set_of(0x03u), 5u), 5);
    assert_int_equal(placement.order[6], 5); /* after 1, 2 and 3, the first of the homeless */
    assert_int_equal(placement.order[7], 6);

    run_launch(&unit, keep_of(0u, set_of(0x04u))); /* its SM 2 is back, and nobody else */
    assert_int_equal(unit.mem.homeless[0], 1);
    assert_int_equal(unit.mem.homeless[1], 0);
    assert_int_equal(unit.mem.homeless[2], 1);
    assert_int_equal(draw(&unit, &placement, set_of(0x04u), 99u), 4);
    assert_int_equal(placement.order[8], 7);
    assert_int_equal(placement.total, 12);
}

static void homeless_pools_are_drawn_on_in_the_order_of_the_next_clusters(void **state)
{
    (void)state;
    static const uint32_t order[] = { 4, 5, 6, 7, 0, 1, 2, 3 }; /* cluster 2, 3, then 0 and 1 */
    static struct cta_scheduler unit;
    struct placement placement = empty_placement(4u, 16u);

    make(&unit, (struct cta_scheduler_config){ 4u, 4u, 1u, 5u });
    start_launch(&unit, 0u, (struct grid){ 8u, bits_below(4u), CTA_DISTRIBUTED, 0u, false });
    run_launch(&unit, keep_of(0u, set_of(0x4u)));
    assert_int_equal(draw(&unit, &placement, set_of(0x4u), 99u), 8);
    for (uint32_t i = 0u; i < 8u; i++) {
        assert_int_equal(placement.order[i], order[i]);
    }
}

/* Whatever goes out before and between: in the end no CTA is left. */
static void check_changes(struct cta_scheduler *unit, struct grid grid)
{
    const uint32_t n_sets = (1u << unit->config.n_sm) - 1u;
    struct placement placement = empty_placement(unit->config.n_sm, 64u);

    (void)draw(unit, &placement, grid.sms, grid.ctas / 3u);
    for (uint32_t i = 0u; i < 3u; i++) {
        const struct bits sms =
            set_of((uint32_t)(grid.sms.word[0] * 7u + i * 11u) % n_sets + 1u);
        run_launch(unit, keep_of(0u, sms));
        for (uint32_t c = 0u; c < unit->config.n_cluster; c++) {
            assert_int_equal(unit->mem.homeless[c],
                             grid.policy == CTA_DISTRIBUTED
                                 && !bits_any(sms_of_cluster(&unit->config, sms, c)));
        }
        assert_int_equal(unit->mem.policy[0], grid.policy);
        assert_int_equal(unit->mem.block[0], grid.block);
        assert_int_equal(unit->mem.steal[0], grid.steal);
        if (grid.policy == CTA_DISTRIBUTED) {
            check_draws(unit, 0u, grid.block, grid.steal, sms);
        }
        (void)draw(unit, &placement, sms, i == 2u ? 99u : grid.ctas / 4u);
    }
    assert_int_equal(placement.total, grid.ctas);
}

static void a_change_of_the_set_of_sms_strands_no_cta(void **state)
{
    (void)state;
    static struct cta_scheduler unit;

    for (uint32_t i = 0u; i < SMALL_SIZES; i++) {
        for (uint32_t policy = 0u; policy < 4u; policy++) {
            make(&unit, small_sizes[i]);
            for_every_set(&unit, check_changes, policy, 15u);
        }
    }
}

static void a_slot_whose_ctas_are_all_out_may_be_kept(void **state)
{
    (void)state;
    static struct cta_scheduler unit;

    for (uint32_t policy = 0u; policy < 4u; policy++) {
        struct placement placement = empty_placement(5u, 16u);
        make(&unit, (struct cta_scheduler_config){ 5u, 3u, 1u, 4u });
        start_launch(&unit, 0u, (struct grid){ 9u, bits_below(5u), policy, 0u, false });
        assert_int_equal(draw(&unit, &placement, bits_below(5u), 99u), 9);
        assert_true(cycle(&unit, keep_of(0u, set_of(2u))).launch_ready);
        for (uint32_t t = 1u; t < latency(&unit, true); t++) { /* there is nothing to show */
            assert_false(cycle(&unit, (struct cta_scheduler_in){ 0 }).pool_valid);
        }
        assert_true(bits_has(unit.q.ready, 0u));
        assert_false(look(&unit, 0u, bits_below(5u)).dispatch_valid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distributed_pools_are_contiguous_and_differ_by_one_cta_at_most),
        cmocka_unit_test(the_other_policies_have_one_pool_for_all_clusters),
        cmocka_unit_test(a_cluster_draws_on_its_own_pool_then_on_the_next_it_may),
        cmocka_unit_test(a_cluster_alone_gets_its_own_ctas_or_all_of_them_if_it_steals),
        cmocka_unit_test(steal_means_nothing_to_the_policies_with_one_pool),
        cmocka_unit_test(a_cluster_that_loses_its_sms_leaves_a_homeless_pool),
        cmocka_unit_test(homeless_pools_are_drawn_on_in_the_order_of_the_next_clusters),
        cmocka_unit_test(a_change_of_the_set_of_sms_strands_no_cta),
        cmocka_unit_test(a_slot_whose_ctas_are_all_out_may_be_kept),
    };
    return cmocka_run_group_tests_name("cta_scheduler pools", tests, NULL, NULL);
}
