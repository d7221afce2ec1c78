/*
 * Tests of LaPerm's scheduler by examples: the schedules of the paper's Fig 4, round by round,
 * two that tell readings apart where the paper is silent, and each rule of docs/rules.md.
 * Random traffic is in laperm_random_test.c.
 */

#include "laperm_bench.h"

static struct laperm_bench bench;

/* Four SMs of one place. */
static const struct laperm_config four = { 4u, 16u, 32u, 4u, 64u, 32u, 20u, 24u, 16u };

/* ---- Schedules ------------------------------------------------------------------------- */

static void check_rounds(uint32_t rounds, const char *expected)
{
    char text[LAPERM_BENCH_TEXT] = "";

    for (uint32_t k = 0u; k < rounds; k++) {
        laperm_bench_round(&bench, text);
    }
    assert_string_equal(text, expected);
}

/* Fig 4: eight parents; P2 launches C0 and C1, P4 launches C2 to C5. */
static void open_figure(uint32_t mode)
{
    laperm_bench_open(&bench, &four, mode, 1u);
    bench.child[0] = (struct laperm_child){ 'P', 2u, 'C', 0u, 2u };
    bench.child[1] = (struct laperm_child){ 'P', 4u, 'C', 2u, 4u };
    bench.n_child = 2u;
    laperm_bench_host(&bench, 'P', 8u);
}

static void rr_is_that_of_fig_4b(void **state)
{
    (void)state;
    open_figure(LAPERM_RR);
    check_rounds(5u, "P0 P1 P2 P3 | P4 P5 P6 P7 | C0 C1 C2 C3 | C4 C5 - - | - - - - | ");
}

static void tb_pri_is_that_of_fig_4c(void **state)
{
    (void)state;
    open_figure(LAPERM_TB_PRI);
    check_rounds(5u, "P0 P1 P2 P3 | C0 C1 P4 P5 | C2 C3 C4 C5 | P6 P7 - - | - - - - | ");
}

static void smx_bind_is_that_of_fig_4d(void **state)
{
    (void)state;
    open_figure(LAPERM_SMX_BIND);
    check_rounds(6u, "P0 P1 P2 P3 | P4 P5 C0 P6 | C2 P7 C1 - | C3 - - - | C4 - - - | "
                     "C5 - - - | ");
}

static void adaptive_bind_is_that_of_fig_4e(void **state)
{
    (void)state;
    open_figure(LAPERM_ADAPTIVE_BIND);
    check_rounds(5u, "P0 P1 P2 P3 | P4 P5 C0 P6 | C2 P7 C1 C3 | C4 C5 - - | - - - - | ");
}

static void the_first_backup_is_the_next_set_and_each_sm_has_its_own_record(void **state)
{
    (void)state;
    laperm_bench_open(&bench, &four, LAPERM_ADAPTIVE_BIND, 1u);
    bench.child[0] = (struct laperm_child){ 'P', 0u, 'A', 0u, 5u };
    bench.child[1] = (struct laperm_child){ 'P', 2u, 'B', 0u, 5u };
    bench.n_child = 2u;
    laperm_bench_host(&bench, 'P', 4u);
    check_rounds(5u, "P0 P1 P2 P3 | A0 B0 B1 A1 | A2 B2 B3 A3 | A4 B4 - - | - - - - | ");
}

static void the_record_is_kept_and_a_stolen_parent_binds_where_it_ran(void **state)
{
    (void)state;
    laperm_bench_open(&bench, &four, LAPERM_ADAPTIVE_BIND, 1u);
    bench.child[0] = (struct laperm_child){ 'P', 0u, 'A', 0u, 8u };
    bench.child[1] = (struct laperm_child){ 'A', 2u, 'B', 0u, 3u };
    bench.n_child = 2u;
    laperm_bench_host(&bench, 'P', 4u);
    check_rounds(5u, "P0 P1 P2 P3 | A0 A1 A2 A3 | A4 A5 B0 A6 | A7 B1 B2 - | - - - - | ");
}

static void thirteen_smxs_of_three_places_are_filled_and_refilled_as_published(void **state)
{
    (void)state;
    const struct laperm_config config = { 13u, 16u, 32u, 4u, 64u, 32u, 20u, 24u, 16u };

    laperm_bench_open(&bench, &config, LAPERM_RR, 3u);
    laperm_bench_host(&bench, 'P', 100u);
    for (uint32_t tb = 0u; tb < 39u; tb++) {
        bench.in.room = bits_below(13u);
        while (bench.dispatched == tb) {
            laperm_bench_cycle(&bench);
            bench.in.room = bits_below(bench.unit.q.going ? 0u : 13u);
        }
        assert_true(bench.got[tb % 13u]);
        assert_int_equal(bench.last[tb % 13u].dispatch_tb, tb);
    }
    bench.in.room = bits_below(0u);
    for (uint32_t k = 0u; k < 100u; k++) {
        laperm_bench_cycle(&bench);
    }
    assert_int_equal(bench.dispatched, 39u); /* 39 waits; 17 ends first, on SMX 4 */
    bench.used[4]--;
    bits_add(&bench.in.room, 4u);
    laperm_bench_cycle(&bench);
    bench.in.room = bits_below(0u);
    laperm_bench_cycle(&bench);
    assert_int_equal(bench.dispatched, 40u);
    assert_int_equal(bench.last[4].dispatch_tb, 39u);
}

/* ---- Visits and room ------------------------------------------------------------------- */

/* With SM `sm` alone having room: cycles until it gets a thread block. */
static uint32_t cycles_until(uint32_t sm)
{
    uint32_t cycles = 0u;

    bench.in.room = bits_below(0u);
    bits_add(&bench.in.room, sm);
    while (!bench.unit.q.going) {
        laperm_bench_cycle(&bench);
        cycles++;
        assert_in_range(cycles, 1, 64);
    }
    assert_int_equal(bench.unit.q.to, sm);
    bench.in.room = bits_below(0u);
    laperm_bench_cycle(&bench);
    bench.used[sm] = 0u;
    return cycles;
}

static void a_full_smx_wastes_its_visit_and_is_skipped_without_binding(void **state)
{
    (void)state;
    for (uint32_t mode = LAPERM_RR; mode <= LAPERM_ADAPTIVE_BIND; mode++) {
        laperm_bench_open(&bench, &four, mode, 1u);
        laperm_bench_host(&bench, 'P', 40u);
        while (!bits_has(bench.unit.q.turn, 0u)) {
            laperm_bench_cycle(&bench);
        }
        assert_int_equal(cycles_until(3u), mode < LAPERM_SMX_BIND ? 1u : 4u);
    }
}

static void a_head_that_does_not_fit_lets_nothing_pass(void **state)
{
    (void)state;
    /* The set of SM 0 has a child that does not fit there; it takes no parent. */
    laperm_bench_open(&bench, &four, LAPERM_ADAPTIVE_BIND, 1u);
    laperm_bench_host(&bench, 'P', 4u);
    laperm_bench_child(&bench, 0u, 0u, 'C', 1u);
    for (uint32_t k = 0u; k < 40u; k++) {
        const bool parent = bench.unit.q.turn.word[0] != 1u;
        bench.in.room = bits_below(0u);
        if (parent) {
            bits_add(&bench.in.room, 0u);
        }
        laperm_bench_cycle(&bench);
    }
    assert_int_equal(bench.dispatched, 0u);
    /* In TB-Pri the child waits for the next SM with room for it, and the parents behind it. */
    laperm_bench_open(&bench, &four, LAPERM_TB_PRI, 1u);
    laperm_bench_host(&bench, 'P', 4u);
    laperm_bench_child(&bench, 0u, 0u, 'C', 1u);
    for (uint32_t k = 0u; k < 40u; k++) {
        laperm_bench_cycle(&bench);
    }
    assert_int_equal(bench.dispatched, 0u);
    check_rounds(1u, "C0 P0 P1 P2 | ");
}

static void host_kernels_go_first_come_first_served(void **state)
{
    (void)state;
    for (uint32_t mode = LAPERM_RR; mode <= LAPERM_ADAPTIVE_BIND; mode++) {
        struct laperm_in launch = laperm_bench_entry('Q', 0u, 3u);
        laperm_bench_open(&bench, &four, mode, 1u);
        laperm_bench_host(&bench, 'P', 3u);
        launch.launch_host = true;
        launch.launch_kernel = 7u;
        laperm_bench_launch(&bench, launch);
        for (uint32_t k = 0u; k < 20u; k++) {
            laperm_bench_cycle(&bench);
            assert_int_equal(bench.out.kernel, 0u);
        }
        check_rounds(1u, mode < LAPERM_SMX_BIND ? "P0 P1 P2 Q0 | " : "P0 P1 P2 - | ");
        check_rounds(1u, mode < LAPERM_SMX_BIND ? "Q1 Q2 - - | " : "Q0 Q1 Q2 - | ");
    }
}

/* ---- Levels ---------------------------------------------------------------------------- */

/* SMs 1 and 3 have no credit; A and B are bound to SM 1. Nothing passes a head without credit.
 */
static void queue_0_goes_to_sms_with_credit_and_what_thread_blocks_launch_to_any(void **state)
{
    (void)state;
    static const char *const expected[] = {
        [LAPERM_RR] = "P0 - P1 A0 | P2 - P3 B0 | - - - - | ",
        [LAPERM_TB_PRI] = "A0 B0 P0 - | P1 - P2 - | P3 - - - | ",
        [LAPERM_SMX_BIND] = "P0 A0 P1 - | P2 B0 P3 - | - - - - | ",
        [LAPERM_ADAPTIVE_BIND] = "P0 A0 P1 - | P2 B0 P3 - | - - - - | ",
    };
    struct laperm_in second = laperm_bench_entry('P', 2u, 2u);

    second.launch_host = true;
    for (uint32_t mode = LAPERM_RR; mode <= LAPERM_ADAPTIVE_BIND; mode++) {
        laperm_bench_open(&bench, &four, mode, 1u);
        bits_add(&bench.broke, 1u);
        bits_add(&bench.broke, 3u);
        laperm_bench_host(&bench, 'P', 2u);
        laperm_bench_child(&bench, 1u, 0u, 'A', 1u);
        laperm_bench_launch(&bench, second);
        laperm_bench_child(&bench, 1u, 0u, 'B', 1u);
        check_rounds(3u, expected[mode]);
    }
}

static void deeper_children_share_the_highest_level_first_come_first_served(void **state)
{
    (void)state;
    laperm_bench_open(&bench, &four, LAPERM_SMX_BIND, 1u);
    laperm_bench_child(&bench, 1u, 0u, 'A', 1u);
    laperm_bench_child(&bench, 1u, 4u, 'D', 1u); /* of level 4, which is L */
    laperm_bench_child(&bench, 1u, 3u, 'E', 1u);
    laperm_bench_child(&bench, 1u, 7u, 'F', 1u);
    laperm_bench_child(&bench, 1u, 1u, 'B', 1u);
    laperm_bench_child(&bench, 1u, 2u, 'C', 1u);
    check_rounds(6u, "- D0 - - | - E0 - - | - F0 - - | - C0 - - | - B0 - - | - A0 - - | ");
}

static void a_head_that_gives_way_goes_on_with_its_next_thread_block(void **state)
{
    (void)state;
    laperm_bench_open(&bench, &four, LAPERM_SMX_BIND, 1u);
    laperm_bench_child(&bench, 2u, 0u, 'A', 3u);
    check_rounds(1u, "- - A0 - | ");
    laperm_bench_child(&bench, 2u, 1u, 'B', 2u);
    check_rounds(4u, "- - B0 - | - - B1 - | - - A1 - | - - A2 - | ");
}

static void tb_pri_takes_the_oldest_of_the_highest_level_over_all_sets(void **state)
{
    (void)state;
    laperm_bench_open(&bench, &four, LAPERM_TB_PRI, 1u);
    laperm_bench_child(&bench, 3u, 0u, 'A', 1u);
    laperm_bench_child(&bench, 2u, 1u, 'B', 1u);
    laperm_bench_host(&bench, 'P', 1u);
    laperm_bench_child(&bench, 0u, 0u, 'C', 1u);
    laperm_bench_child(&bench, 1u, 1u, 'D', 1u);
    check_rounds(2u, "B0 D0 A0 C0 | P0 - - - | ");
}

/* ---- Time and places ------------------------------------------------------------------- */

static const struct laperm_config paper = { 2u, 128u, 32u, 4u, 64u, 32u, 20u, 24u, 16u };

static uint32_t insertion_cycles(void)
{
    uint32_t cycles = 0u;

    while (bench.unit.set[0].q.state != LAPERM_SET_IDLE) {
        laperm_bench_cycle(&bench);
        cycles++;
    }
    return cycles;
}

/* Launches without waiting for the end of the insertion. */
static void begin_launch(uint32_t parent_level, char letter)
{
    struct laperm_in launch = laperm_bench_entry(letter, 0u, 1u);

    launch.launch_parent = parent_level;
    bench.in = launch;
    laperm_bench_cycle(&bench);
    assert_true(bench.out.launch_ready);
    bench.in.launch_valid = false;
}

/* Two of the highest level, and n of the lowest. */
static void open_with(uint32_t n)
{
    laperm_bench_open(&bench, &paper, LAPERM_SMX_BIND, 64u);
    laperm_bench_child(&bench, 0u, 3u, 'H', 100u);
    laperm_bench_child(&bench, 0u, 3u, 'I', 1u);
    for (uint32_t k = 0u; k < n; k++) {
        laperm_bench_child(&bench, 0u, 0u, 'A', 1u);
    }
}

static void an_insertion_takes_up_to_128_cycles_and_dispatch_goes_on(void **state)
{
    (void)state;
    open_with(125u);
    begin_launch(2u, 'B'); /* behind 2, before 125 */
    bench.in.room = bits_below(1u);
    const uint32_t before = bench.dispatched;
    assert_int_equal(insertion_cycles(), 128u);
    assert_in_range(bench.dispatched - before, 50, 100);
}

static void other_launches_of_the_smx_wait_in_front_of_it(void **state)
{
    (void)state;
    open_with(60u);
    begin_launch(2u, 'B');
    bench.in.launch_valid = true;
    for (uint32_t k = 0u; k < 62u; k++) {
        laperm_bench_cycle(&bench);
        assert_false(bench.out.launch_ready);
    }
    bench.in.launch_sm = 1u;
    laperm_bench_cycle(&bench);
    assert_true(bench.out.launch_ready);
    bench.in.launch_sm = 0u;
    laperm_bench_cycle(&bench);
    assert_true(bench.out.launch_ready);
    bench.in.launch_valid = false;
    assert_int_equal(bench.unit.set[0].q.chip, 64u);
}

static void a_set_of_128_entries_takes_no_more(void **state)
{
    (void)state;
    laperm_bench_open(&bench, &paper, LAPERM_ADAPTIVE_BIND, 64u);
    for (uint32_t k = 0u; k < 128u; k++) {
        laperm_bench_child(&bench, 0u, 0u, 'A', 1u);
    }
    assert_int_equal(bench.n_spilled, 0u);
    laperm_bench_child(&bench, 0u, 1u, 'B', 1u);
    assert_int_equal(bench.n_spilled, 1u);
    laperm_bench_child(&bench, 1u, 1u, 'C', 1u); /* the other has its own places */
    assert_int_equal(bench.n_spilled, 1u);
}

static void queue_0_takes_32_kernels_and_the_next_waits(void **state)
{
    (void)state;
    laperm_bench_open(&bench, &four, LAPERM_SMX_BIND, 64u);
    for (uint32_t k = 0u; k < 32u; k++) {
        laperm_bench_host(&bench, 'P', 1u);
    }
    bench.in = laperm_bench_entry('Q', 0u, 1u);
    bench.in.launch_host = true;
    for (uint32_t k = 0u; k < 50u; k++) {
        laperm_bench_cycle(&bench);
        assert_false(bench.out.launch_ready);
    }
    bench.in.room = bits_below(1u);
    while (bench.dispatched == 0u) {
        laperm_bench_cycle(&bench);
    }
    laperm_bench_cycle(&bench);
    assert_int_equal(bench.n_spilled, 0u);
    assert_int_equal(bench.unit.parents.q.chip, 32u);
}

/* ---- Memory ---------------------------------------------------------------------------- */

static const struct laperm_config small = { 2u, 2u, 4u, 3u, 64u, 32u, 20u, 24u, 16u };

static void while_memory_has_a_level_its_launches_go_there_and_come_back_in_order(void **state)
{
    (void)state;
    laperm_bench_open(&bench, &small, LAPERM_SMX_BIND, 1u);
    for (uint32_t k = 0u; k < 5u; k++) {
        laperm_bench_child(&bench, 1u, 0u, (char)('A' + k), 1u);
    }
    assert_int_equal(bench.n_spilled, 3u);
    check_rounds(5u, "- A0 | - B0 | - C0 | - D0 | - E0 | ");
}

static void the_highest_level_in_memory_comes_back_first(void **state)
{
    (void)state;
    laperm_bench_open(&bench, &small, LAPERM_SMX_BIND, 1u);
    laperm_bench_child(&bench, 1u, 0u, 'A', 1u);
    laperm_bench_child(&bench, 1u, 0u, 'B', 1u);
    laperm_bench_child(&bench, 1u, 0u, 'C', 1u);
    laperm_bench_child(&bench, 1u, 2u, 'D', 1u);
    assert_int_equal(bench.n_spilled, 2u);
    /* D is behind A, which is of a lower level: the only inversion there is. */
    check_rounds(4u, "- A0 | - D0 | - B0 | - C0 | ");
}

static void a_set_whose_entries_are_on_the_way_is_not_empty(void **state)
{
    (void)state;
    laperm_bench_open(&bench, &small, LAPERM_SMX_BIND, 1u);
    laperm_bench_host(&bench, 'P', 2u);
    for (uint32_t k = 0u; k < 3u; k++) {
        laperm_bench_child(&bench, 1u, 0u, (char)('A' + k), 1u);
    }
    assert_int_equal(bench.n_spilled, 1u);
    check_rounds(2u, "P0 A0 | P1 B0 | ");
    laperm_bench_host(&bench, 'Q', 4u);
    check_rounds(2u, "Q0 C0 | Q1 Q2 | ");
    /* And while memory is slow, SM 1 waits for it and takes no parent. */
    laperm_bench_open(&bench, &small, LAPERM_ADAPTIVE_BIND, 64u);
    laperm_bench_host(&bench, 'P', 60u);
    bench.unit.set[1].q.spill[0] = 1u;
    bench.unit.set[1].q.asked = true;
    bench.in.room = bits_below(2u);
    for (uint32_t k = 0u; k < 40u; k++) {
        laperm_bench_cycle(&bench);
    }
    assert_int_equal(bench.used[1], 0u);
    assert_in_range(bench.used[0], 15, 25);
}

/* ---- Launches that are none ------------------------------------------------------------ */

static void a_launch_of_nothing_or_of_a_slot_there_is_not_is_refused(void **state)
{
    (void)state;
    const struct laperm_config config = { 3u, 4u, 4u, 2u, 64u, 5u, 20u, 24u, 16u };
    struct laperm_in wrong[] = { laperm_bench_entry('A', 0u, 0u),
                                 laperm_bench_entry('A', 0u, 1u),
                                 laperm_bench_entry('A', 0u, 1u) };

    wrong[1].launch_kernel = 5u;
    wrong[2].launch_sm = 3u;
    laperm_bench_open(&bench, &config, LAPERM_TB_PRI, 1u);
    for (uint32_t k = 0u; k < 3u; k++) {
        bench.in = wrong[k];
        laperm_bench_cycle(&bench);
        assert_true(bench.out.launch_ready);
        bench.in.launch_valid = false;
        laperm_bench_cycle(&bench);
        assert_true(bench.out.launch_error);
        laperm_bench_cycle(&bench);
        assert_false(bench.out.launch_error);
    }
    assert_int_equal(bench.unit.q.stamp, 0u);
    check_rounds(1u, "- - - | ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rr_is_that_of_fig_4b),
        cmocka_unit_test(tb_pri_is_that_of_fig_4c),
        cmocka_unit_test(smx_bind_is_that_of_fig_4d),
        cmocka_unit_test(adaptive_bind_is_that_of_fig_4e),
        cmocka_unit_test(the_first_backup_is_the_next_set_and_each_sm_has_its_own_record),
        cmocka_unit_test(the_record_is_kept_and_a_stolen_parent_binds_where_it_ran),
        cmocka_unit_test(thirteen_smxs_of_three_places_are_filled_and_refilled_as_published),
        cmocka_unit_test(a_full_smx_wastes_its_visit_and_is_skipped_without_binding),
        cmocka_unit_test(a_head_that_does_not_fit_lets_nothing_pass),
        cmocka_unit_test(host_kernels_go_first_come_first_served),
        cmocka_unit_test(queue_0_goes_to_sms_with_credit_and_what_thread_blocks_launch_to_any),
        cmocka_unit_test(deeper_children_share_the_highest_level_first_come_first_served),
        cmocka_unit_test(a_head_that_gives_way_goes_on_with_its_next_thread_block),
        cmocka_unit_test(tb_pri_takes_the_oldest_of_the_highest_level_over_all_sets),
        cmocka_unit_test(an_insertion_takes_up_to_128_cycles_and_dispatch_goes_on),
        cmocka_unit_test(other_launches_of_the_smx_wait_in_front_of_it),
        cmocka_unit_test(a_set_of_128_entries_takes_no_more),
        cmocka_unit_test(queue_0_takes_32_kernels_and_the_next_waits),
        cmocka_unit_test(while_memory_has_a_level_its_launches_go_there_and_come_back_in_order),
        cmocka_unit_test(the_highest_level_in_memory_comes_back_first),
        cmocka_unit_test(a_set_whose_entries_are_on_the_way_is_not_empty),
        cmocka_unit_test(a_launch_of_nothing_or_of_a_slot_there_is_not_is_refused),
    };
    return cmocka_run_group_tests_name("laperm", tests, NULL, NULL);
}
