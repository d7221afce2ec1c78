/*
 * Tests of the CTA scheduler's golden model against its header: launches and their latency, the
 * handshake of pools, and illegal stimulus. What every unit promises is tested in
 * cta_scheduler_promises_test.c.
 */

#include "cta_scheduler_cycle.h"

static struct cta_scheduler_config config_of(uint32_t n_cluster, uint32_t cta_w)
{
    return (struct cta_scheduler_config){ 5u, n_cluster, 3u, cta_w };
}

static const struct cta_scheduler_in idle = { .pool_ready = true };

/* ---- Launches ------------------------------------------------------------------------ */

/* Slot 0 is launched, and has nothing to give in its cycles. Slot 1 goes on. */
static void check_latency(struct cta_scheduler *unit, struct cta_scheduler_in in)
{
    const uint32_t n_step = (unit->config.cta_w + 1u) / 2u;
    const uint32_t ready = unit->config.n_cluster + (in.launch_keep ? 1u : 2u + n_step);
    const struct bits all = bits_below(5u);
    uint32_t dispatched = 0u;

    for (uint32_t t = 0u; t < ready; t++) {
        const uint64_t left = unit->mem.left[pool_at(unit, 1u, 0u)];
        assert_int_equal(look(unit, 0u, all).dispatch_valid, t == 0u);
        in.kernel = 1u;
        in.room = in.limit = all;
        in.dispatch_ready = true;
        const struct cta_scheduler_out out = cycle(unit, in);
        assert_int_equal(out.launch_ready, t == 0u);
        assert_int_equal(unit->mem.left[pool_at(unit, 1u, 0u)], left - out.dispatch_count);
        dispatched += out.dispatch_count;
        in = idle;
    }
    assert_true(dispatched != 0u || unit->mem.left[pool_at(unit, 1u, 0u)] == 0u);
    assert_true(look(unit, 0u, all).launch_ready);
    assert_true(look(unit, 0u, all).dispatch_valid);
}

static void a_launch_takes_exactly_its_cycles_and_only_its_slot_waits(void **state)
{
    (void)state;
    static struct cta_scheduler unit;

    for (uint32_t i = 0u; i < 32u * 4u; i++) {
        const uint32_t cta_w = 1u + i / 4u, most = UINT32_MAX >> (32u - cta_w);
        const struct grid grid = { most, bits_below(5u), i % 4u, 0u, false };
        make(&unit, config_of(1u + i % 7u, cta_w));
        start_launch(&unit, 0u, grid);
        start_launch(&unit, 1u,
                     (struct grid){ most, bits_below(5u), CTA_GREEDY_CLUSTERING, 0u, false });
        check_latency(&unit, launch_of(0u, grid));
        check_latency(&unit, keep_of(0u, bits_below(5u)));
    }
}

/* The largest grids over all numbers of clusters: shares as they are divided on paper. */
static void check_shares(struct cta_scheduler *unit, uint32_t ctas)
{
    const uint32_t n = unit->config.n_cluster;
    uint64_t first = 0u;

    start_launch(unit, 2u, (struct grid){ ctas, bits_below(192u), CTA_DISTRIBUTED, 0u, false });
    for (uint32_t c = 0u; c < n; c++) {
        const uint64_t share = ctas / n + (c < ctas % n);
        assert_int_equal(unit->mem.left[pool_at(unit, 2u, c)], share);
        assert_true(share == 0u || unit->mem.next[pool_at(unit, 2u, c)] == first);
        first += share;
    }
}

static void grids_of_all_widths_are_divided_exactly(void **state)
{
    (void)state;
    static const uint32_t clusters[] = { 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64 };
    static struct cta_scheduler unit;
    uint64_t random = printed_seed();

    for (uint32_t i = 0u; i < 32u * 12u; i++) {
        const uint32_t cta_w = 1u + i / 12u, most = UINT32_MAX >> (32u - cta_w);
        const uint32_t n = clusters[i % 12u];
        const uint32_t hard[] = { most, most - 1u, most / 2u + 1u, n, n - 1u, n + 1u };
        make(&unit, (struct cta_scheduler_config){ 192u, n, 3u, cta_w });
        for (uint32_t k = 0u; k < 12u; k++) {
            const uint32_t ctas = k < 6u ? hard[k] : some_number(&random, cta_w);
            check_shares(&unit, ctas >= 1u && ctas <= most ? ctas : most);
        }
    }
}

static void a_launch_in_waiting_is_taken_when_ready_and_not_flagged(void **state)
{
    (void)state;
    const struct grid first = { 5u, bits_below(5u), CTA_DISTRIBUTED, 1u, true };
    const struct grid second = { 7u, set_of(5u), CTA_GLOBAL_RR, 0u, false };
    const struct grid none = { 0u, set_of(0u), 0u, 3u, false };
    static struct cta_scheduler unit;
    static struct cta_scheduler expected;

    make(&unit, config_of(3u, 8u));
    make(&expected, unit.config);
    start_launch(&expected, 0u, first);
    (void)cycle(&unit, launch_of(0u, first));
    for (uint32_t t = 1u; t < latency(&unit, false); t++) {
        /* Not even an illegal one is looked at. */
        assert_false(
            cycle(&unit, t % 2u ? launch_of(1u, second) : launch_of(3u, none)).launch_ready);
        assert_false(unit.q.launch_error);
    }
    check_same(&expected, &unit);
    start_launch(&unit, 1u, second);
    assert_int_equal(unit.mem.left[pool_at(&unit, 1u, 0u)], 7);
}

/* Slot 0 shows a dispatch, and is launched in that cycle. Returns the outputs of the next
 * cycle. */
static struct cta_scheduler_out launch_at_dispatch(struct cta_scheduler *unit,
                                                   struct cta_scheduler_in launch, bool taken)
{
    const struct bits all = bits_below(5u);
    struct cta_scheduler_in in = ask_of(0u, all);

    make(unit, config_of(3u, 8u));
    start_launch(unit, 0u, (struct grid){ 9u, all, CTA_DISTRIBUTED, 0u, false });
    (void)cycle(unit, in);
    (void)cycle(unit, in);
    launch.kernel = 0u;
    launch.room = launch.limit = all;
    launch.dispatch_ready = taken;
    assert_int_equal(cycle(unit, launch).dispatch_count, 1);
    in.dispatch_ready = false;
    return cycle(unit, in);
}

static void ctas_dispatched_in_the_cycle_of_a_kept_launch_are_gone(void **state)
{
    (void)state;
    static struct cta_scheduler unit;
    const struct cta_scheduler_out shown =
        launch_at_dispatch(&unit, keep_of(0u, bits_below(5u)), true);

    assert_true(shown.pool_valid);
    assert_false(shown.dispatch_valid); /* what was to be picked is not */
    assert_int_equal(shown.pool_blocks, 2);
    assert_int_equal(unit.mem.left[0], 2);
    assert_int_equal(unit.mem.next[0], 1);
}

static void a_launch_withdraws_a_dispatch_of_its_slot_that_is_not_taken(void **state)
{
    (void)state;
    static struct cta_scheduler unit;
    const struct cta_scheduler_out shown =
        launch_at_dispatch(&unit, keep_of(0u, bits_below(5u)), false);

    assert_false(shown.dispatch_valid);
    assert_int_equal(shown.pool_blocks, 3);
    assert_int_equal(unit.mem.left[0], 3);
    assert_int_equal(unit.mem.next[0], 0);
    assert_true(launch_at_dispatch(
                    &unit, launch_of(1u, (struct grid){ 9u, set_of(1u), 0u, 0u, false }), false)
                    .dispatch_valid); /* that of another slot stays */
}

/* The timing that the header states: an SM asks once, and the dispatch shows two cycles later.
 */
static void a_dispatch_shows_two_cycles_after_it_was_looked_for_and_stays(void **state)
{
    (void)state;
    static struct cta_scheduler unit;
    const struct cta_scheduler_in ask = ask_of(0u, set_of(2u));
    const struct cta_scheduler_in wait = { .pool_ready = true };

    make(&unit, config_of(3u, 8u));
    start_launch(&unit, 0u, (struct grid){ 9u, bits_below(5u), CTA_GLOBAL_RR, 0u, false });
    assert_false(cycle(&unit, ask).dispatch_valid);
    assert_false(cycle(&unit, wait).dispatch_valid);
    for (uint32_t i = 0u; i < 3u; i++) {
        const struct cta_scheduler_out out = cycle(&unit, wait);
        assert_true(out.dispatch_valid && out.dispatch_sm == 1u && out.dispatch_kernel == 0u);
        assert_int_equal(unit.mem.left[0], 9);
    }
    assert_true(cycle(&unit, ask).dispatch_valid);
    assert_int_equal(unit.mem.left[0], 8);
    assert_false(cycle(&unit, ask).dispatch_valid); /* no room is given twice */
    assert_false(cycle(&unit, wait).dispatch_valid);
    assert_true(cycle(&unit, ask).dispatch_valid);
}

/* One dispatch a cycle, if other SMs are candidates; what is last of a pool goes out too. */
static void every_cycle_has_a_dispatch_while_there_are_candidates(void **state)
{
    (void)state;
    static struct cta_scheduler unit;

    make(&unit, config_of(3u, 8u));
    for (uint32_t policy = 0u; policy < 2u; policy++) {
        start_launch(&unit, 0u, (struct grid){ 20u, bits_below(5u), policy, 0u, false });
        for (uint32_t t = 0u; t < 22u; t++) {
            assert_int_equal(cycle(&unit, ask_of(0u, bits_below(5u))).dispatch_valid, t >= 2u);
        }
        assert_int_equal(unit.mem.left[0], 0);
    }
}

static void pointers_start_at_0_after_a_reset_and_later_launches_leave_them(void **state)
{
    (void)state;
    static const struct pointers somewhere = { 3u, 2u, { 1u, 1u, 0u } };
    static const struct pointers at_zero = { 0u, 0u, { 0u } };
    static struct cta_scheduler unit;

    make(&unit, config_of(3u, 8u));
    for (uint32_t i = 0u; i < 8u; i++) {
        const uint32_t slot = i % 3u;
        cta_scheduler_reset(&unit); /* the memories keep what they hold */
        set_pointers(&unit, slot, &somewhere);
        start_launch(&unit, slot, (struct grid){ 9u, bits_below(5u), i % 4u, 0u, false });
        struct pointers pointers = pointers_of(&unit, slot);
        assert_memory_equal(&pointers, &at_zero, sizeof pointers);
        assert_int_equal(look(&unit, slot, bits_below(5u)).dispatch_sm, 0);

        set_pointers(&unit, slot, &somewhere);
        start_launch(&unit, slot, (struct grid){ 9u, bits_below(5u), i / 2u, 0u, false });
        run_launch(&unit, keep_of(slot, set_of(3u)));
        start_launch(&unit, (slot + 1u) % 3u,
                     (struct grid){ 9u, bits_below(5u), 3u, 0u, false });
        pointers = pointers_of(&unit, slot);
        assert_memory_equal(&pointers, &somewhere, sizeof pointers);
    }
}

/* ---- Pools are shown ----------------------------------------------------------------- */

/* So it is for so many cycles. pool_ready is low, but in the last of a pool that is shown. What
 * the pool has is written in the first; nothing else changes before the last. */
static void check_shown(struct cta_scheduler *unit, uint32_t slot,
                        const struct cta_scheduler_out *expected, uint32_t cycles)
{
    static struct cta_scheduler before;

    for (uint32_t t = 0u; t < cycles; t++) {
        before = *unit;
        const struct cta_scheduler_in in = {
            .pool_ready = expected->pool_valid && t + 1u == cycles,
            .kernel = slot, /* offers nothing */
        };
        const struct cta_scheduler_out out = cycle(unit, in);
        check_out(unit, expected, &out);
        if (t + 1u < cycles) {
            assert_memory_equal(&before.q, &unit->q, sizeof before.q);
        }
        if (t != 0u && t + 1u < cycles) {
            check_same(&before, unit);
        }
    }
}

/*
 * From the first cycle of pools on: each waits at random, and only if it is shown. share: of
 * each pool, at this moment.
 */
static void check_parade(struct cta_scheduler *unit, uint32_t slot, struct bits sms, bool split,
                         uint32_t block, const uint32_t share[], uint64_t *random)
{
    const struct cta_scheduler_config *const config = &unit->config;

    for (uint32_t c = 0u; c < config->n_cluster; c++) {
        const struct bits own = split ? sms_of_cluster(config, sms, c) : sms;
        struct cta_scheduler_out expected = { .pool_valid = false };
        if (share[c] != 0u && bits_any(own)) {
            expected = (struct cta_scheduler_out){
                .pool_valid = true,
                .pool_kernel = slot,
                .pool_split = split,
                .pool_number = c,
                .pool_blocks = (uint32_t)(((uint64_t)share[c] + (1u << block) - 1u) >> block),
                .pool_sms = sms,
            };
        }
        assert_false(bits_has(unit->q.ready, slot));
        check_shown(unit, slot, &expected,
                    expected.pool_valid ? 1u + random_below(random, 4u) : 1u);
        assert_int_equal(unit->mem.left[pool_at(unit, slot, c)], share[c]);
    }
    assert_true(bits_has(unit->q.ready, slot));
}

/* Shares of a new launch. */
static void deal(const struct cta_scheduler_config *config, struct grid grid, uint32_t share[])
{
    uint32_t homes[64], n = 0u;

    for (uint32_t c = 0u; c < config->n_cluster; c++) {
        share[c] = 0u;
        if (bits_any(sms_of_cluster(config, grid.sms, c))) {
            homes[n++] = c;
        }
    }
    if (grid.policy != CTA_DISTRIBUTED) {
        share[0] = grid.ctas;
        return;
    }
    for (uint32_t i = 0u; i < n; i++) {
        share[homes[i]] = grid.ctas / n + (i < grid.ctas % n);
    }
}

/* A launch, some dispatches, and a kept launch: what they show. */
static void check_both_parades(struct cta_scheduler *unit, uint64_t *random)
{
    const struct cta_scheduler_config *const config = &unit->config;
    const struct grid grid = some_legal_grid(random, config);
    const bool split = grid.policy == CTA_DISTRIBUTED;
    const uint32_t slot = random_below(random, config->n_kernel);
    const uint32_t n_step = (config->cta_w + 1u) / 2u;
    uint32_t share[64];

    (void)cycle(unit, launch_of(slot, grid));
    for (uint32_t t = 0u; t < 1u + n_step; t++) {
        const struct cta_scheduler_out none = { .pool_valid = false };
        check_shown(unit, slot, &none, 1u);
    }
    deal(config, grid, share);
    check_parade(unit, slot, grid.sms, split, grid.block, share, random);

    struct bits sms = some_sms(random, config->n_sm);
    sms.word[0] |= !bits_any(sms);
    for (uint32_t i = random_below(random, 20u); i != 0u; i--) {
        (void)cycle(unit, ask_of(slot, some_sms(random, config->n_sm)));
    }
    struct cta_scheduler_in keep = keep_of(slot, sms);
    keep.kernel = slot;
    for (uint32_t c = 0u; c < config->n_cluster; c++) {
        share[c] = (uint32_t)unit->mem.left[pool_at(unit, slot, c)];
    }
    (void)cycle(unit, keep);
    check_parade(unit, slot, sms, split, grid.block, share, random);
}

static void pools_are_shown_in_turn_and_wait_until_they_are_seen(void **state)
{
    (void)state;
    static const struct cta_scheduler_config configs[] = {
        { 1, 1, 1, 1 },   { 1, 3, 2, 4 },      { 5, 1, 1, 7 },   { 5, 3, 3, 7 },
        { 3, 7, 2, 5 },   { 13, 5, 7, 11 },    { 15, 3, 4, 32 }, { 60, 12, 2, 20 },
        { 65, 33, 3, 9 }, { 192, 64, 32, 32 },
    };
    static struct cta_scheduler unit;
    uint64_t random = printed_seed();

    for (uint32_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        make(&unit, configs[i]);
        for (uint32_t k = 0u; k < 300u; k++) {
            check_both_parades(&unit, &random);
        }
    }
}

/* ---- Illegal stimulus ---------------------------------------------------------------- */

/* These inputs do nothing but raise the flag, for one cycle. */
static void check_flag(struct cta_scheduler *unit, struct cta_scheduler_in in)
{
    static struct cta_scheduler expected;

    expected = *unit;
    expected.q.launch_error = true;
    assert_false(cycle(unit, in).launch_error);
    check_same(&expected, unit);
    assert_true(cycle(unit, idle).launch_error);
    expected.q.launch_error = false;
    check_same(&expected, unit);
}

static const struct grid good_grid = { 9u, { { 0x1Fu } }, CTA_DISTRIBUTED, 1u, true };

/* Three slots, where a number has room for a fourth; slot 1 is in use. */
static void make_three(struct cta_scheduler *unit)
{
    make(unit, config_of(3u, 4u));
    start_launch(unit, 1u, good_grid);
}

static void an_illegal_launch_is_flagged_for_a_cycle_and_does_nothing(void **state)
{
    (void)state;
    struct grid bad[] = { good_grid, good_grid, good_grid };
    static struct cta_scheduler unit;

    make_three(&unit);
    bad[0].ctas = 0u;
    bad[1].sms = set_of(0u);
    bad[2].block = 3u;
    for (uint32_t i = 0u; i < 3u; i++) {
        check_flag(&unit, launch_of(0u, bad[i]));
        check_flag(&unit, launch_of(1u, bad[i])); /* it keeps its CTAs */
        check_flag(&unit, launch_of(3u, bad[i]));
    }
    check_flag(&unit, launch_of(3u, good_grid));
    check_flag(&unit, keep_of(3u, bits_below(5u)));
    check_flag(&unit, keep_of(0u, bits_below(5u))); /* no kernel there */
    check_flag(&unit, keep_of(2u, bits_below(5u)));
    check_flag(&unit, keep_of(1u, set_of(0u)));
    start_launch(&unit, 2u, good_grid);
}

static void a_kept_slot_may_be_given_anything_but_an_empty_set(void **state)
{
    (void)state;
    static struct cta_scheduler units[2];

    for (uint32_t k = 0u; k < 2u; k++) {
        struct cta_scheduler_in in = keep_of(1u, set_of(6u));
        in.launch_block = k == 0u ? 0u : 3u;
        in.launch_policy = k == 0u ? 0u : 2u;
        in.launch_ctas = k == 0u ? 0u : 15u;
        make_three(&units[k]);
        run_launch(&units[k], in);
        check_same(&units[0], &units[k]);
        assert_int_equal(units[k].mem.policy[1], CTA_DISTRIBUTED);
        assert_int_equal(units[k].mem.block[1], 1);
        assert_int_equal(units[k].mem.steal[1], 1);
    }
}

static void a_dispatch_goes_on_beside_an_illegal_launch(void **state)
{
    (void)state;
    static struct cta_scheduler unit;
    struct cta_scheduler_in in = launch_of(3u, good_grid);

    make_three(&unit);
    in.kernel = 1u;
    in.room = in.limit = bits_below(5u);
    in.dispatch_ready = true;
    assert_false(cycle(&unit, in).dispatch_valid);
    assert_true(unit.q.launch_error);
    assert_false(cycle(&unit, in).dispatch_valid);
    assert_int_equal(cycle(&unit, in).dispatch_count, 2);
    assert_true(unit.q.launch_error);
    assert_int_equal(unit.mem.left[pool_at(&unit, 1u, 0u)], 1);
}

static void a_kernel_unknown_or_not_ready_offers_nothing(void **state)
{
    (void)state;
    static const uint32_t slots[] = { 0, 2, 3 };
    static struct cta_scheduler unit;
    static struct cta_scheduler before;
    const struct cta_scheduler_out nothing = { .launch_ready = true };

    make_three(&unit);
    memset(unit.mem.left, 1, sizeof unit.mem.left); /* whatever the memories hold */
    before = unit;
    for (uint32_t i = 0u; i < 9u; i++) {
        const struct cta_scheduler_out out =
            cycle(&unit, ask_of(slots[i / 3u], bits_below(5u)));
        check_out(&unit, &nothing, &out);
        before.q.looked = slots[i / 3u];
        check_same(&before, &unit);
    }
    assert_true(ask_once(&unit, ask_of(1u, bits_below(5u))).dispatch_valid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_launch_takes_exactly_its_cycles_and_only_its_slot_waits),
        cmocka_unit_test(grids_of_all_widths_are_divided_exactly),
        cmocka_unit_test(a_launch_in_waiting_is_taken_when_ready_and_not_flagged),
        cmocka_unit_test(ctas_dispatched_in_the_cycle_of_a_kept_launch_are_gone),
        cmocka_unit_test(a_launch_withdraws_a_dispatch_of_its_slot_that_is_not_taken),
        cmocka_unit_test(a_dispatch_shows_two_cycles_after_it_was_looked_for_and_stays),
        cmocka_unit_test(every_cycle_has_a_dispatch_while_there_are_candidates),
        cmocka_unit_test(pointers_start_at_0_after_a_reset_and_later_launches_leave_them),
        cmocka_unit_test(pools_are_shown_in_turn_and_wait_until_they_are_seen),
        cmocka_unit_test(an_illegal_launch_is_flagged_for_a_cycle_and_does_nothing),
        cmocka_unit_test(a_kept_slot_may_be_given_anything_but_an_empty_set),
        cmocka_unit_test(a_dispatch_goes_on_beside_an_illegal_launch),
        cmocka_unit_test(a_kernel_unknown_or_not_ready_offers_nothing),
    };
    return cmocka_run_group_tests_name("cta_scheduler contract", tests, NULL, NULL);
}
