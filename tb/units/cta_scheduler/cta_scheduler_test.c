/*
 * Tests of the CTA scheduler's golden model against its sources and its rules: the examples of
 * the papers, CTA by CTA; then the choice of an SM and blocks, for all small sizes. Pools are
 * tested in cta_scheduler_pools_test.c, launches and errors in cta_scheduler_contract_test.c.
 */

#include "cta_scheduler_cycle.h"
#include "tb/units/cta_placement.h"

/* SMs with room get CTAs until there is none for anybody. */
static void fill(struct cta_scheduler *unit, struct placement *placement, uint32_t block)
{
    for (;;) {
        const struct cta_scheduler_out out =
            ask_once(unit, ask_of(0u, room_in(placement, 1u << block)));
        if (!out.dispatch_valid) {
            return;
        }
        place(placement, out.dispatch_sm, out.dispatch_cta, out.dispatch_count);
    }
}

/* ---- Fig. 6 of the ICC paper: 2 clusters of 2 SMs with 2 contexts, CTAs 1 to 10 ------ */

struct figure {
    uint32_t policy;
    uint32_t block;
    uint32_t sm_of[10]; /* of CTAs 1 to 10, after the fill; 4: it waits */
    uint32_t order[8];  /* in which they go */
    uint32_t then;      /* goes to CTA 1's SM when that ends; 0: none does */
};

enum { FIGURES = 5, W = 4 };

static const struct figure figures[FIGURES] = {
    { CTA_TWO_LEVEL_RR, 0, { 0, 2, 1, 3, 0, 2, 1, 3, W, W }, { 1, 2, 3, 4, 5, 6, 7, 8 }, 9 },
    { CTA_GLOBAL_RR, 0, { 0, 1, 2, 3, 0, 1, 2, 3, W, W }, { 1, 2, 3, 4, 5, 6, 7, 8 }, 9 },
    { CTA_GREEDY_CLUSTERING,
      0,
      { 0, 1, 0, 1, 2, 3, 2, 3, W, W },
      { 1, 2, 3, 4, 5, 6, 7, 8 },
      9 },
    { CTA_DISTRIBUTED, 0, { 0, 1, 0, 1, W, 2, 3, 2, 3, W }, { 1, 6, 2, 7, 3, 8, 4, 9 }, 5 },
    { CTA_DISTRIBUTED, 1, { 0, 0, 1, 1, W, 2, 2, 3, 3, W }, { 1, 2, 6, 7, 3, 4, 8, 9 }, 0 },
};

static struct placement fill_figure(struct cta_scheduler *unit, const struct figure *figure)
{
    struct placement placement = empty_placement(4u, 2u);

    make(unit, (struct cta_scheduler_config){ 4u, 2u, 1u, 4u });
    start_launch(unit, 0u,
                 (struct grid){ 10u, bits_below(4u), figure->policy, figure->block, false });
    fill(unit, &placement, figure->block);
    return placement;
}

/* CTA numbers from 1, as in the figure. */
static void check_sm(const struct placement *placement, uint32_t cta, uint32_t sm)
{
    if (placement->sm_of[cta - 1u] != (sm == W ? NOWHERE : sm)) {
        fail_msg("CTA %" PRIu32 " is on SM %" PRIu32 ", not %" PRIu32, cta,
                 placement->sm_of[cta - 1u], sm);
    }
}

static void the_five_placements_are_those_of_fig_6(void **state)
{
    (void)state;
    static struct cta_scheduler unit;

    for (uint32_t i = 0u; i < FIGURES; i++) {
        const struct placement placement = fill_figure(&unit, &figures[i]);
        assert_int_equal(placement.total, 8);
        for (uint32_t k = 0u; k < 10u; k++) {
            check_sm(&placement, k + 1u, figures[i].sm_of[k]);
        }
        for (uint32_t k = 0u; k < 8u; k++) {
            assert_int_equal(placement.order[k] + 1u, figures[i].order[k]);
        }
    }
}

static void when_cta_1_ends_its_sm_gets_the_cta_of_fig_6(void **state)
{
    (void)state;
    static struct cta_scheduler unit;

    for (uint32_t i = 0u; i < FIGURES; i++) {
        struct placement placement = fill_figure(&unit, &figures[i]);
        end_cta(&placement, 0u);
        fill(&unit, &placement, figures[i].block);
        assert_int_equal(placement.total, figures[i].then == 0u ? 8 : 9);
        if (figures[i].then != 0u) {
            check_sm(&placement, figures[i].then, 0u);
        }
    }
}

static void the_last_cta_goes_where_the_next_one_ends(void **state)
{
    (void)state;
    static struct cta_scheduler unit;

    for (uint32_t i = 0u; i < 4u; i++) { /* all but distributed-block */
        struct placement placement = fill_figure(&unit, &figures[i]);
        end_cta(&placement, 0u);
        fill(&unit, &placement, 0u);
        end_cta(&placement, 5u); /* CTA 6, in cluster 2 with all policies */
        fill(&unit, &placement, 0u);
        assert_int_equal(placement.total, 10);
        check_sm(&placement, 10u, placement.sm_of[5]);
    }
}

static void a_distributed_pool_refills_its_own_cluster_alone(void **state)
{
    (void)state;
    static struct cta_scheduler unit;
    struct placement placement = fill_figure(&unit, &figures[3]);

    end_cta(&placement, 0u);
    end_cta(&placement, 2u); /* CTAs 1 and 3: the SM has room for two, the pool has CTA 5 */
    fill(&unit, &placement, 0u);
    assert_int_equal(placement.total, 9);
    check_sm(&placement, 5u, 0u);
    check_sm(&placement, 10u, W);
}

static void in_distributed_block_cta_5_waits_for_two_contexts_of_one_sm(void **state)
{
    (void)state;
    static const uint32_t ends[2][2] = { { 1, 2 }, { 3, 4 } };
    static struct cta_scheduler unit;

    for (uint32_t i = 0u; i < 2u; i++) {
        struct placement placement = fill_figure(&unit, &figures[4]);
        end_cta(&placement, ends[1u - i][0] - 1u); /* one of the other SM */
        end_cta(&placement, ends[i][0] - 1u);
        fill(&unit, &placement, 1u);
        assert_int_equal(placement.total, 8);
        end_cta(&placement, ends[i][1] - 1u);
        fill(&unit, &placement, 1u);
        assert_int_equal(placement.total, 9);
        check_sm(&placement, 5u, i);
    }
}

/* ---- LaPerm, section II.B: 13 SMXs with 3 contexts, 100 thread blocks ---------------- */

static void the_round_robin_of_laperm_is_global_rr_however_clustered(void **state)
{
    (void)state;
    static struct cta_scheduler unit;

    for (uint32_t n_cluster = 1u; n_cluster <= 16u; n_cluster++) {
        struct placement placement = empty_placement(13u, 3u);
        make(&unit, (struct cta_scheduler_config){ 13u, n_cluster, 1u, 7u });
        start_launch(&unit, 0u,
                     (struct grid){ 100u, bits_below(13u), CTA_GLOBAL_RR, 0u, false });
        fill(&unit, &placement, 0u);
        assert_int_equal(placement.total, 39);
        for (uint32_t i = 0u; i < 39u; i++) {
            assert_int_equal(placement.order[i], i);
            assert_int_equal(placement.sm_of[i], i % 13u);
        }
        end_cta(&placement, 17u);
        fill(&unit, &placement, 0u);
        assert_int_equal(placement.total, 40);
        assert_int_equal(placement.sm_of[39], 4);
    }
}

/* ---- Every choice of an SM ----------------------------------------------------------- */

/* The SMs ask at the pointers that there are. */
static void check_choice(const struct cta_scheduler *unit, uint32_t policy, uint32_t asking,
                         uint32_t limited, bool taken)
{
    struct cta_scheduler_in in = ask_of(0u, set_of(asking));
    struct pointers pointers = pointers_of(unit, 0u);
    static struct cta_scheduler after;
    const uint32_t sm = chosen(&unit->config, &pointers, policy, set_of(asking & limited));

    in.limit = set_of(limited);
    in.dispatch_ready = taken;
    after.config = unit->config;
    after.q = unit->q;
    memcpy(&after.mem, &unit->mem, sizeof after.mem);
    const struct cta_scheduler_out out = ask_once(&after, in);
    assert_int_equal(out.dispatch_valid, sm < unit->config.n_sm);
    if (out.dispatch_valid) {
        assert_int_equal(out.dispatch_sm, sm);
    }
    if (out.dispatch_valid) {
        move_pointers(&unit->config, &pointers, policy, sm);
    }
    const struct pointers moved = pointers_of(&after, 0u);
    assert_memory_equal(&moved, &pointers, sizeof pointers);
}

/* Next values of pointers, of all that there are. Returns if these are not the first again. */
static bool advance(struct cta_scheduler *unit, uint32_t policy)
{
    const uint32_t n_cluster = unit->config.n_cluster;
    struct pointers pointers = pointers_of(unit, 0u);
    bool more = false;

    if (policy <= CTA_TWO_LEVEL_RR) {
        pointers.turn = (pointers.turn + 1u) % unit->config.n_sm;
        more = pointers.turn != 0u;
    } else {
        for (uint32_t c = 0u; c < n_cluster && !more; c++) {
            pointers.rank[c] = (pointers.rank[c] + 1u) % seats_of(&unit->config, c);
            more = pointers.rank[c] != 0u;
        }
        if (!more) {
            pointers.cluster_turn = (pointers.cluster_turn + 1u) % n_cluster;
            more = pointers.cluster_turn != 0u;
        }
    }
    set_pointers(unit, 0u, &pointers);
    return more;
}

static void for_every_pointer(struct cta_scheduler *unit, uint32_t policy)
{
    const uint32_t n_sets = 1u << unit->config.n_sm;

    do {
        for (uint32_t asking = 0u; asking < n_sets; asking++) {
            check_choice(unit, policy, asking, n_sets - 1u, true);
            check_choice(unit, policy, n_sets - 1u, asking, asking % 2u == 0u);
            check_choice(unit, policy, asking, (asking * 5u + 3u) % n_sets, true);
        }
    } while (advance(unit, policy));
}

static void every_policy_chooses_as_it_says_at_every_pointer_for_every_set(void **state)
{
    (void)state;
    static struct cta_scheduler unit;

    for (uint32_t i = 0u; i < SMALL_SIZES; i++) {
        for (uint32_t policy = 0u; policy < 4u; policy++) {
            const struct bits all = bits_below(small_sizes[i].n_sm);
            make(&unit, small_sizes[i]);
            start_launch(&unit, 0u, (struct grid){ 15u, all, policy, 0u, false });
            for_every_pointer(&unit, policy);
        }
    }
}

/* ---- Blocks -------------------------------------------------------------------------- */

/* All of a grid goes out, in order from each pool, in whole blocks but for each pool's last. */
static void check_blocks(struct cta_scheduler *unit, struct grid grid)
{
    const uint32_t block = 1u << grid.block;
    struct placement placement = empty_placement(unit->config.n_sm, 16u);
    uint32_t ends[64], n_ends = 0u;

    for (uint32_t c = 0u; c < unit->config.n_cluster; c++) {
        const uint32_t at = pool_at(unit, 0u, c);
        if (unit->mem.left[at] != 0u) {
            ends[n_ends++] = (uint32_t)(unit->mem.next[at] + unit->mem.left[at]);
        }
    }
    for (;;) {
        const struct cta_scheduler_out out = ask_once(unit, ask_of(0u, grid.sms));
        if (!out.dispatch_valid) {
            break;
        }
        bool tail = false;
        for (uint32_t i = 0u; i < n_ends; i++) {
            tail |= out.dispatch_cta + out.dispatch_count == ends[i];
        }
        place(&placement, out.dispatch_sm, out.dispatch_cta, out.dispatch_count);
        assert_true(out.dispatch_count == block || (out.dispatch_count < block && tail));
        assert_true(bits_has(grid.sms, out.dispatch_sm));
    }
    assert_int_equal(placement.total, grid.ctas);
}

static void every_small_grid_goes_out_whole_in_blocks_and_tails(void **state)
{
    (void)state;
    static const struct cta_scheduler_config sizes[] = {
        { 1, 1, 1, 4 }, { 3, 2, 1, 4 }, { 5, 3, 1, 4 }, { 4, 3, 1, 4 }, { 3, 7, 1, 4 }
    };
    static struct cta_scheduler unit;

    for (uint32_t i = 0u; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (uint32_t policy = 0u; policy < 4u; policy++) {
            make(&unit, sizes[i]);
            for_every_set(&unit, check_blocks, policy, 15u);
        }
    }
}

static void each_order_visits_its_sms_in_turn_and_a_layer_after_the_other(void **state)
{
    (void)state;
    static const uint32_t orders[4][10] = {
        /* of clusters with SMs 0 and 1, 2 and 3, 4, none */
        { 0, 1, 2, 3, 4, 0, 1, 2, 3, 4 },
        { 0, 2, 4, 1, 3, 0, 2, 4, 1, 3 },
        { 0, 1, 0, 1, 0, 1, 0, 1, 0, 1 },
        { 0, 2, 4, 1, 3, 4, 0, 2, 4, 1 },
    };
    static struct cta_scheduler unit;

    for (uint32_t policy = 0u; policy < 4u; policy++) {
        make(&unit, (struct cta_scheduler_config){ 5u, 4u, 1u, 5u });
        start_launch(&unit, 0u, (struct grid){ 31u, bits_below(5u), policy, 0u, false });
        for (uint32_t i = 0u; i < 10u; i++) {
            const struct cta_scheduler_out out = ask_once(&unit, ask_of(0u, bits_below(5u)));
            assert_int_equal(out.dispatch_sm, orders[policy][i]);
        }
    }
}

static void kernels_have_pointers_of_their_own(void **state)
{
    (void)state;
    static const uint32_t slots[] = { 0, 1, 2, 3, 0, 1, 3, 2, 0, 1, 2, 3 };
    /* Each of the policies' orders is as if its kernel were alone. */
    static const uint32_t sms[] = { 0, 0, 0, 0, 1, 2, 2, 1, 2, 1, 0, 1 };
    static struct cta_scheduler unit;

    make(&unit, (struct cta_scheduler_config){ 4u, 2u, 4u, 5u });
    for (uint32_t policy = 0u; policy < 4u; policy++) {
        start_launch(&unit, policy, (struct grid){ 20u, bits_below(4u), policy, 0u, false });
    }
    for (uint32_t i = 0u; i < sizeof slots / sizeof slots[0]; i++) {
        assert_int_equal(ask_once(&unit, ask_of(slots[i], bits_below(4u))).dispatch_sm, sms[i]);
    }
}

/* Slot 0 has room at SMs 0 to 2, slot 1 at SM 3 alone; one and the other ask in turn. */
static void two_kernels_in_turn_starve_no_sm_of_either(void **state)
{
    (void)state;
    static struct cta_scheduler unit;

    for (uint32_t policy = 0u; policy < 4u; policy++) {
        uint32_t got[4] = { 0u };
        make(&unit, (struct cta_scheduler_config){ 4u, 1u, 2u, 8u });
        for (uint32_t slot = 0u; slot < 2u; slot++) {
            start_launch(&unit, slot, (struct grid){ 150u, bits_below(4u), policy, 0u, false });
        }
        for (uint32_t i = 0u; i < 180u; i++) {
            const struct bits asking = set_of(i % 2u == 0u ? 0x7u : 0x8u);
            got[ask_once(&unit, ask_of(i % 2u, asking)).dispatch_sm]++;
        }
        assert_int_equal(got[3], 90);
        for (uint32_t sm = 0u; sm < 3u; sm++) {
            assert_int_equal(got[sm], 30);
        }
    }
}

/* ---- The set of SMs ------------------------------------------------------------------ */

/* Every SM asks; those of the set get all there is. */
static void check_set(struct cta_scheduler *unit, struct grid grid)
{
    const struct bits all = bits_below(unit->config.n_sm);
    uint32_t total = 0u;

    for (uint32_t i = 0u; i <= grid.ctas; i++) {
        const struct cta_scheduler_out out = ask_once(unit, ask_of(0u, all));
        assert_true(!out.dispatch_valid || bits_has(grid.sms, out.dispatch_sm));
        total += out.dispatch_count;
    }
    assert_int_equal(total, grid.ctas);
}

static void ctas_go_to_sms_of_the_launch_alone_stolen_or_not(void **state)
{
    (void)state;
    static struct cta_scheduler unit;

    for (uint32_t i = 0u; i < SMALL_SIZES; i++) {
        for (uint32_t policy = 0u; policy < 4u; policy++) {
            make(&unit, small_sizes[i]);
            for_every_set(&unit, check_set, policy, 9u);
        }
    }
}

static void each_slot_has_a_set_and_keeps_it_while_others_are_launched(void **state)
{
    (void)state;
    static const uint32_t sets[] = { 0x01, 0x1A, 0x04, 0x1F };
    static struct cta_scheduler unit;

    make(&unit, (struct cta_scheduler_config){ 5u, 3u, 4u, 8u });
    for (uint32_t slot = 0u; slot < 4u; slot++) {
        start_launch(&unit, slot,
                     (struct grid){ 200u, set_of(sets[slot]), CTA_DISTRIBUTED, 0u, true });
    }
    for (uint32_t i = 0u; i < 400u; i++) {
        const struct cta_scheduler_out out = ask_once(&unit, ask_of(i % 4u, bits_below(5u)));
        assert_true(out.dispatch_valid);
        assert_int_equal(sets[i % 4u] >> out.dispatch_sm & 1u, 1);
    }
    run_launch(&unit, keep_of(1u, set_of(0x05u))); /* now other SMs, and slot 2 as it was */
    for (uint32_t i = 0u; i < 60u; i++) {
        const uint32_t sm = ask_once(&unit, ask_of(1u + i % 2u, bits_below(5u))).dispatch_sm;
        assert_true(i % 2u == 0u ? sm == 0u || sm == 2u : sm == 2u);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_five_placements_are_those_of_fig_6),
        cmocka_unit_test(when_cta_1_ends_its_sm_gets_the_cta_of_fig_6),
        cmocka_unit_test(the_last_cta_goes_where_the_next_one_ends),
        cmocka_unit_test(a_distributed_pool_refills_its_own_cluster_alone),
        cmocka_unit_test(in_distributed_block_cta_5_waits_for_two_contexts_of_one_sm),
        cmocka_unit_test(the_round_robin_of_laperm_is_global_rr_however_clustered),
        cmocka_unit_test(every_policy_chooses_as_it_says_at_every_pointer_for_every_set),
        cmocka_unit_test(each_order_visits_its_sms_in_turn_and_a_layer_after_the_other),
        cmocka_unit_test(kernels_have_pointers_of_their_own),
        cmocka_unit_test(two_kernels_in_turn_starve_no_sm_of_either),
        cmocka_unit_test(ctas_go_to_sms_of_the_launch_alone_stolen_or_not),
        cmocka_unit_test(each_slot_has_a_set_and_keeps_it_while_others_are_launched),
        cmocka_unit_test(every_small_grid_goes_out_whole_in_blocks_and_tails),
    };
    return cmocka_run_group_tests_name("cta_scheduler", tests, NULL, NULL);
}
