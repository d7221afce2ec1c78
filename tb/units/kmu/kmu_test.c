/*
 * Tests of the kernel management unit's golden model: the rules of the source as worked
 * examples, every short sequence of arrivals and picks, and what is illegal. Each cycle is held
 * against the oracle.
 */

#include <stdio.h>

#include "tb/units/kmu/kmu_bench.h"

static const struct kmu_config config = { 3u, 4u, 6u, 1u };
static struct kmu_bench bench;

#define GRANTED(...)                                                              \
    do {                                                                          \
        const uint32_t expected[] = { __VA_ARGS__ };                              \
        kmu_bench_grants(&bench, expected, sizeof expected / sizeof expected[0]); \
    } while (0)

/* Nothing is picked before the test says so. */
static void open_bench(uint32_t mode)
{
    kmu_bench_open(&bench, &config, mode);
    bench.in.room = false;
}

static void give_room(void)
{
    bench.in.room = true;
}

/* ---- Orders ---------------------------------------------------------------------------- */

static void with_rr_all_kernels_go_first_come_first_served(void **state)
{
    (void)state;
    open_bench(KMU_RR);
    kmu_bench_child(&bench, 2u, 3u, 10u);
    kmu_bench_host(&bench, 11u);
    kmu_bench_child(&bench, 0u, 0u, 12u);
    kmu_bench_child(&bench, 1u, 3u, 13u);
    kmu_bench_host(&bench, 14u);
    give_room();
    GRANTED(10u, 11u, 12u, 13u, 14u);
}

static void with_tb_pri_the_highest_level_of_all_sms_goes_first_and_the_host_last(void **state)
{
    (void)state;
    open_bench(KMU_TB_PRI);
    kmu_bench_host(&bench, 10u);
    kmu_bench_child(&bench, 2u, 0u, 11u);
    kmu_bench_child(&bench, 1u, 1u, 12u);
    kmu_bench_child(&bench, 0u, 0u, 13u);
    kmu_bench_child(&bench, 2u, 1u, 14u);
    kmu_bench_host(&bench, 15u);
    kmu_bench_child(&bench, 0u, 3u, 16u);
    give_room();
    GRANTED(16u, 12u, 14u, 11u, 13u, 10u, 15u);
}

/* Set 0 has levels 1 and 3, set 1 level 2 twice, set 2 levels 4 and 1. */
static void bound_sets_take_turns_and_give_their_highest_level(void **state)
{
    (void)state;
    for (uint32_t mode = KMU_SMX_BIND; mode <= KMU_ADAPTIVE_BIND; mode++) {
        open_bench(mode);
        kmu_bench_host(&bench, 9u);
        kmu_bench_child(&bench, 0u, 0u, 10u);
        kmu_bench_child(&bench, 0u, 2u, 11u);
        kmu_bench_child(&bench, 1u, 1u, 12u);
        kmu_bench_child(&bench, 1u, 1u, 13u);
        kmu_bench_child(&bench, 2u, 0u, 14u);
        kmu_bench_child(&bench, 2u, 3u, 15u);
        give_room();
        GRANTED(11u, 12u, 15u, 10u, 13u, 14u, 9u);
    }
}

static void a_bound_kernel_that_comes_later_passes_the_hosts(void **state)
{
    (void)state;
    open_bench(KMU_SMX_BIND);
    kmu_bench_host(&bench, 1u);
    kmu_bench_host(&bench, 2u);
    give_room();
    while (bench.n_grant == 0u) {
        kmu_bench_cycle(&bench);
    }
    kmu_bench_child(&bench, 1u, 0u, 3u);
    GRANTED(1u, 3u, 2u);
}

/* Rule LP-13: levels, and that a grant says where its kernel comes from. */
static void a_child_is_one_level_above_its_parent_and_at_most_l(void **state)
{
    (void)state;
    for (uint32_t mode = KMU_RR; mode <= KMU_ADAPTIVE_BIND; mode++) {
        open_bench(mode);
        for (uint32_t parent = 0u; parent < 8u; parent++) {
            kmu_bench_child(&bench, parent % 3u, parent, parent);
        }
        kmu_bench_host(&bench, 8u);
        give_room();
        kmu_bench_run(&bench, 200u);
        assert_int_equal(bench.n_grant, 9u);
        for (uint32_t i = 0u; i < 9u; i++) {
            const struct kmu_out *const grant = &bench.grant[i];
            const uint32_t handle = grant->grant_handle;
            assert_int_equal(grant->grant_host, handle == 8u);
            assert_int_equal(grant->grant_sm, handle == 8u ? 0u : handle % 3u);
            assert_int_equal(grant->grant_level, handle == 8u  ? 0u
                                                 : handle < 3u ? handle + 1u
                                                               : 4u);
        }
    }
}

/* ---- A full distributor ---------------------------------------------------------------- */

static void while_the_distributor_is_full_a_kernel_of_higher_priority_waits(void **state)
{
    (void)state;
    open_bench(KMU_TB_PRI);
    kmu_bench_child(&bench, 0u, 0u, 1u);
    kmu_bench_child(&bench, 0u, 3u, 2u);
    kmu_bench_run(&bench, 100u);
    assert_int_equal(bench.n_grant, 0u);
    give_room();
    GRANTED(2u, 1u);
}

static void what_has_been_picked_stays_whoever_comes(void **state)
{
    (void)state;
    open_bench(KMU_TB_PRI);
    kmu_bench_child(&bench, 0u, 0u, 1u);
    bench.in.grant_ready = false;
    give_room();
    kmu_bench_run(&bench, 20u);
    kmu_bench_child(&bench, 0u, 3u, 2u);
    kmu_bench_run(&bench, 20u);
    assert_true(bench.out.grant_valid);
    bench.in.grant_ready = true;
    GRANTED(1u, 2u);
}

/* ---- What it costs --------------------------------------------------------------------- */

/* Cycles with room, until a grant shows. */
static uint32_t cycles_of_pick(void)
{
    uint32_t cycles = 0u;

    kmu_bench_run(&bench, 8u);
    give_room();
    do {
        kmu_bench_cycle(&bench);
        cycles++;
    } while (!bench.out.grant_valid);
    return cycles;
}

/* Of 3 cycles one is the turn, one the act, and in the last it shows. */
static void a_search_costs_a_cycle_for_each_level_and_empty_sets_cost_none(void **state)
{
    (void)state;
    for (uint32_t sm = 0u; sm < 3u; sm++) {
        for (uint32_t level = 1u; level <= 4u; level++) {
            open_bench(KMU_SMX_BIND);
            kmu_bench_child(&bench, sm, level - 1u, 5u);
            assert_int_equal(cycles_of_pick(), 3u + (4u - level + 1u));
        }
    }
    open_bench(KMU_SMX_BIND);
    kmu_bench_host(&bench, 5u);
    assert_int_equal(cycles_of_pick(), 3u + 1u);
}

/* ---- Memory ---------------------------------------------------------------------------- */

/* Two are on chip. */
static void what_comes_to_a_queue_of_two_is_written_and_read_when_one_goes(void **state)
{
    (void)state;
    open_bench(KMU_SMX_BIND);
    bench.in.link_ready = false;
    kmu_bench_child(&bench, 1u, 1u, 10u);
    kmu_bench_child(&bench, 1u, 1u, 20u);
    kmu_bench_run(&bench, 4u);
    assert_false(bench.out.link_valid);
    kmu_bench_child(&bench, 1u, 1u, 30u);
    kmu_bench_run(&bench, 4u);
    assert_true(bench.out.link_valid && bench.out.link_write);
    assert_int_equal(bench.out.link_queue, 1u * 4u + 2u);
    assert_int_equal(bench.out.link_place, 2u);
    assert_int_equal(bench.out.link_data, (2u << 2u | 1u) << 6u | 30u); /* level, SM, handle */
    bench.in.link_ready = true;
    kmu_bench_run(&bench, 2u);
    assert_false(bench.out.link_valid); /* and is not read before it is needed */
    bench.in.link_ready = false;
    give_room();
    kmu_bench_run(&bench, 16u);
    assert_true(bench.out.link_valid && !bench.out.link_write);
    assert_int_equal(bench.out.link_queue, 1u * 4u + 2u);
    assert_int_equal(bench.out.link_place, 2u);
    bench.in.link_ready = true;
    GRANTED(10u, 20u, 30u);
    assert_int_equal(bench.unit.q.waits[1], 0u);
}

static void what_comes_behind_kernels_on_their_way_is_written_and_read_at_once(void **state)
{
    (void)state;
    open_bench(KMU_RR);
    bench.latency = 40u;
    for (uint32_t handle = 1u; handle <= 3u; handle++) {
        kmu_bench_host(&bench, handle);
    }
    give_room();
    while (bench.n_grant < 2u) {
        kmu_bench_cycle(&bench);
    }
    bench.in.room = bench.in.link_ready = false;
    kmu_bench_host(&bench, 4u); /* one is in front, which comes from memory */
    kmu_bench_run(&bench, 2u);
    assert_true(bench.out.link_valid && bench.out.link_write);
    assert_int_equal(bench.out.link_place, 3u);
    bench.in.link_ready = true;
    kmu_bench_cycle(&bench);
    kmu_bench_cycle(&bench);
    assert_true(bench.out.link_valid && !bench.out.link_write);
    assert_int_equal(bench.out.link_place, 3u);
    give_room();
    GRANTED(1u, 2u, 3u, 4u);
}

/* As many reads are under way as kernels are on chip: one in each latency would be slower. */
static void a_queue_reads_ahead_as_many_kernels_as_it_has_on_chip(void **state)
{
    (void)state;
    for (uint32_t near_w = 1u; near_w <= 3u; near_w++) {
        const struct kmu_config deep = { 1u, 1u, 6u, near_w };
        kmu_bench_open(&bench, &deep, KMU_RR);
        bench.in.room = false;
        bench.latency = 200u;
        for (uint32_t handle = 0u; handle < 40u; handle++) {
            kmu_bench_host(&bench, handle);
        }
        give_room();
        const uint64_t from = bench.cycles;
        while (bench.n_grant < 40u) {
            kmu_bench_cycle(&bench);
        }
        const uint64_t rounds = 40u / (1u << near_w) - 1u;
        assert_in_range(bench.cycles - from, rounds * 200u, rounds * 200u + 40u * 8u);
    }
}

static void a_set_whose_first_kernel_is_on_its_way_has_had_its_turn(void **state)
{
    (void)state;
    open_bench(KMU_SMX_BIND);
    bench.latency = 100u;
    for (uint32_t handle = 1u; handle <= 3u; handle++) {
        kmu_bench_child(&bench, 0u, 0u, handle);
    }
    give_room();
    while (bench.n_grant < 2u) {
        kmu_bench_cycle(&bench);
    }
    kmu_bench_run(&bench, 10u); /* 3 is missed */
    assert_true(bench.unit.q.absent);
    const uint64_t from = bench.cycles;
    kmu_bench_child(&bench, 0u, 0u, 4u); /* behind it */
    kmu_bench_child(&bench, 1u, 0u, 5u);
    kmu_bench_child(&bench, 1u, 0u, 6u);
    assert_in_range(bench.cycles - from, 1, 20); /* arrivals go on */
    kmu_bench_run(&bench, 40u);
    assert_int_equal(bench.n_grant, 2u); /* and no pick before memory answers */
    GRANTED(1u, 2u, 5u, 3u, 6u, 4u);
}

static void a_handle_may_wait_more_than_once(void **state)
{
    (void)state;
    open_bench(KMU_RR);
    for (uint32_t k = 0u; k < 4u; k++) {
        kmu_bench_host(&bench, 7u);
        kmu_bench_host(&bench, k);
    }
    give_room();
    GRANTED(7u, 0u, 7u, 1u, 7u, 2u, 7u, 3u);
}

/* ---- A mode that changes --------------------------------------------------------------- */

static void when_the_mode_changes_kernels_stay_where_they_are_and_none_is_lost(void **state)
{
    (void)state;
    open_bench(KMU_RR);
    kmu_bench_child(&bench, 2u, 3u, 1u);
    bench.in.mode = KMU_SMX_BIND;
    kmu_bench_child(&bench, 2u, 0u, 2u);
    kmu_bench_child(&bench, 0u, 0u, 3u);
    bench.in.mode = KMU_TB_PRI;
    kmu_bench_child(&bench, 2u, 1u, 4u);
    bench.in.mode = KMU_RR;
    kmu_bench_child(&bench, 0u, 3u, 5u);
    give_room();
    GRANTED(4u, 2u, 3u, 1u, 5u); /* set 0, set 2, set 0, queue 0 */
}

/* ---- What is illegal ------------------------------------------------------------------- */

static void a_kernel_of_an_sm_that_there_is_not_is_refused(void **state)
{
    (void)state;
    for (uint32_t mode = KMU_RR; mode <= KMU_ADAPTIVE_BIND; mode++) {
        open_bench(mode);
        bench.in.arrive_valid = true;
        bench.in.arrive_sm = 3u;
        kmu_bench_cycle(&bench);
        assert_true(bench.out.arrive_ready);
        bench.in.arrive_valid = false;
        kmu_bench_cycle(&bench);
        assert_true(bench.out.arrive_error && !bench.out.arrive_ready);
        kmu_bench_cycle(&bench);
        assert_false(bench.out.arrive_error);
        bench.in.arrive_sm = 3u; /* the host has none */
        kmu_bench_host(&bench, 1u);
        give_room();
        GRANTED(1u);
    }
}

static void a_queue_takes_as_many_kernels_as_there_are_handles(void **state)
{
    (void)state;
    const struct kmu_config small = { 2u, 2u, 2u, 1u };

    kmu_bench_open(&bench, &small, KMU_SMX_BIND);
    bench.in.room = false;
    for (uint32_t handle = 0u; handle < 4u; handle++) {
        kmu_bench_child(&bench, 1u, 0u, handle);
        assert_false(bench.unit.q.arrive_error);
    }
    kmu_bench_child(&bench, 1u, 0u, 0u);
    assert_true(bench.unit.q.arrive_error);
    give_room();
    GRANTED(0u, 1u, 2u, 3u);
}

static void an_answer_without_a_read_is_ignored(void **state)
{
    (void)state;
    open_bench(KMU_RR);
    for (uint32_t handle = 1u; handle <= 3u; handle++) {
        kmu_bench_host(&bench, handle);
    }
    for (uint32_t k = 0u; k < 8u; k++) {
        bench.in.answer_valid = true;
        bench.in.answer_queue = 0u;
        bench.in.answer_data = 63u;
        kmu_bench_cycle(&bench);
    }
    bench.in.link_ready = false; /* and while the read has not been taken */
    give_room();
    for (uint32_t k = 0u; k < 16u; k++) {
        bench.in.answer_valid = true;
        kmu_bench_cycle(&bench);
    }
    bench.in.link_ready = true;
    bench.latency = 20u;
    kmu_bench_cycle(&bench);
    bench.in.answer_valid = true;
    bench.in.answer_queue = 13u; /* there are 13 */
    kmu_bench_cycle(&bench);
    GRANTED(1u, 2u, 3u);
}

/* ---- Every sequence -------------------------------------------------------------------- */

enum { LENGTH = SANITIZED ? 4 : 6 };

/* 0 nothing; 1 the host; otherwise a set and a level of the parent. */
static void step(uint32_t arrival, bool room)
{
    static const uint32_t sm[] = { 0u, 0u, 0u, 0u, 1u };
    static const uint32_t parent[] = { 0u, 0u, 0u, 1u, 0u };

    bench.in.room = room;
    bench.in.arrive_valid = arrival != 0u;
    bench.in.arrive_host = arrival == 1u;
    bench.in.arrive_sm = sm[arrival];
    bench.in.arrive_parent = parent[arrival];
    do {
        kmu_bench_cycle(&bench);
    } while (bench.in.arrive_valid && !bench.out.arrive_ready);
    bench.in.arrive_handle += bench.in.arrive_valid;
    bench.in.arrive_valid = false;
    kmu_bench_run(&bench, 1u);
}

static void every_sequence_of_arrivals_and_room_grants_in_the_order_of_the_page(void **state)
{
    (void)state;
    const struct kmu_config small = { 2u, 2u, 3u, 1u };
    uint32_t sequences = 1u;

    for (uint32_t k = 0u; k < LENGTH; k++) {
        sequences *= 10u;
    }
    for (uint32_t sequence = 0u; sequence < sequences; sequence += SANITIZED ? 1u : 13u) {
        uint32_t arrivals = 0u;
        kmu_bench_open(&bench, &small, KMU_SMX_BIND);
        bench.latency = 1u + sequence % 3u;
        for (uint32_t k = 0u, left = sequence; k < LENGTH; k++, left /= 10u) {
            step(left % 5u, left % 10u >= 5u);
            arrivals += left % 5u != 0u;
        }
        give_room();
        kmu_bench_run(&bench, 12u * LENGTH);
        assert_int_equal(bench.n_grant, arrivals);
    }
}

static void without_inputs_nothing_changes_after_a_reset(void **state)
{
    (void)state;
    static struct kmu_next next;
    const struct kmu_in nothing = { .room = true, .grant_ready = true, .link_ready = true };

    kmu_bench_open(&bench, &config, KMU_RR);
    kmu_bench_host(&bench, 1u);
    kmu_reset(&bench.unit);
    kmu_eval(&bench.unit, &nothing, &bench.out, &next);
    assert_true(kmu_type.holds(&bench.unit, &next));
    assert_true(kmu_quiet(&bench.unit, &nothing));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_rr_all_kernels_go_first_come_first_served),
        cmocka_unit_test(with_tb_pri_the_highest_level_of_all_sms_goes_first_and_the_host_last),
        cmocka_unit_test(bound_sets_take_turns_and_give_their_highest_level),
        cmocka_unit_test(a_bound_kernel_that_comes_later_passes_the_hosts),
        cmocka_unit_test(a_child_is_one_level_above_its_parent_and_at_most_l),
        cmocka_unit_test(while_the_distributor_is_full_a_kernel_of_higher_priority_waits),
        cmocka_unit_test(what_has_been_picked_stays_whoever_comes),
        cmocka_unit_test(a_search_costs_a_cycle_for_each_level_and_empty_sets_cost_none),
        cmocka_unit_test(what_comes_to_a_queue_of_two_is_written_and_read_when_one_goes),
        cmocka_unit_test(what_comes_behind_kernels_on_their_way_is_written_and_read_at_once),
        cmocka_unit_test(a_queue_reads_ahead_as_many_kernels_as_it_has_on_chip),
        cmocka_unit_test(a_set_whose_first_kernel_is_on_its_way_has_had_its_turn),
        cmocka_unit_test(a_handle_may_wait_more_than_once),
        cmocka_unit_test(when_the_mode_changes_kernels_stay_where_they_are_and_none_is_lost),
        cmocka_unit_test(a_kernel_of_an_sm_that_there_is_not_is_refused),
        cmocka_unit_test(a_queue_takes_as_many_kernels_as_there_are_handles),
        cmocka_unit_test(an_answer_without_a_read_is_ignored),
        cmocka_unit_test(every_sequence_of_arrivals_and_room_grants_in_the_order_of_the_page),
        cmocka_unit_test(without_inputs_nothing_changes_after_a_reset),
    };
    return cmocka_run_group_tests_name("kmu", tests, NULL, NULL);
}
