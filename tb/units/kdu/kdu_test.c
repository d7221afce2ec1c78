/*
 * Tests of the kernel distributor unit's golden model: the rules of the source as worked
 * examples, and what is illegal. Each cycle is held against the oracle. Every short sequence is
 * in kdu_states_test.c.
 */

#include "tb/units/kdu/kdu_bench.h"
#include "units/kmu.h"

static struct kdu_bench bench;
static struct kdu_out out; /* of the last cycle */

static void open_bench(struct kdu_config config)
{
    kdu_bench_open(&bench, config);
}

static const struct kdu_config paper = { 32u, 13u, 64u, 20u, 1u };
static const struct kdu_config small = { 4u, 4u, 8u, 4u, 2u };
static const struct kdu_in nothing = { .admit_valid = false };

static void cycle(struct kdu_in in)
{
    kdu_bench_cycle(&bench, &in, &out);
}

static void idle(uint32_t cycles)
{
    for (uint32_t k = 0u; k < cycles; k++) {
        cycle(nothing);
    }
}

/* Returns the slot. */
static uint32_t admit(uint64_t tag, uint32_t tbs)
{
    cycle((struct kdu_in){ .admit_valid = true, .admit_tag = tag, .admit_tbs = tbs });
    assert_true(out.admit_ready);
    return out.admit_kernel;
}

static void take_group(uint64_t tag, uint32_t tbs)
{
    cycle((struct kdu_in){ .group_valid = true, .group_tag = tag, .group_tbs = tbs });
    assert_true(out.group_ready);
}

static void check_answer(bool hit, uint32_t slot)
{
    assert_true(out.answer_valid);
    assert_int_equal(out.answer_hit, hit);
    assert_int_equal(out.answer_kernel, slot);
}

/* The answer comes two cycles after the group is taken. */
static void group(uint64_t tag, uint32_t tbs, bool hit, uint32_t slot)
{
    take_group(tag, tbs);
    idle(1u);
    assert_false(out.answer_valid);
    idle(1u);
    check_answer(hit, slot);
}

static struct kdu_in end_of(uint32_t slot, uint32_t tbs)
{
    struct kdu_in in = { .admit_valid = false };

    in.ended[0] = tbs;
    in.ended_kernel[0] = slot;
    return in;
}

static struct kdu_in give_up_of(uint32_t slot, uint32_t tbs)
{
    return (struct kdu_in){ .give_up_valid = true, .give_up_kernel = slot, .give_up_tbs = tbs };
}

static bool is_resident(uint32_t slot)
{
    return bits_has(out.resident, slot);
}

/* ---- Entries --------------------------------------------------------------------------- */

static void a_kernel_gets_the_lowest_free_entry(void **state)
{
    (void)state;
    open_bench(small);
    for (uint32_t k = 0u; k < 4u; k++) {
        assert_int_equal(admit(k, 1u), k);
    }
    cycle(end_of(1u, 1u));
    cycle(end_of(3u, 1u));
    idle(2u);
    assert_int_equal(admit(9u, 1u), 1u);
    assert_int_equal(admit(9u, 1u), 3u);
}

static void the_table_takes_32_kernels_and_the_next_waits(void **state)
{
    (void)state;
    open_bench(paper);
    for (uint32_t k = 0u; k < 32u; k++) {
        assert_int_equal(admit(5u, 2u), k);
    }
    cycle((struct kdu_in){ .admit_valid = true, .admit_tag = 5u, .admit_tbs = 2u });
    assert_false(out.admit_ready);
    cycle(end_of(17u, 1u));
    cycle(end_of(17u, 1u));
    idle(1u);
    assert_false(out.admit_ready);
    assert_int_equal(admit(6u, 1u), 17u);
}

static void an_entry_is_free_two_cycles_after_its_last_thread_block_has_ended(void **state)
{
    (void)state;
    open_bench(small);
    (void)admit(1u, 3u);
    cycle(end_of(0u, 2u));
    cycle(end_of(0u, 1u));
    assert_true(is_resident(0u));
    idle(1u);
    assert_true(is_resident(0u) && !bits_any(out.freed));
    idle(1u);
    assert_true(!is_resident(0u) && bits_has(out.freed, 0u));
    idle(1u);
    assert_false(bits_any(out.freed));
}

static void thread_blocks_of_all_sms_end_in_one_cycle(void **state)
{
    (void)state;
    struct kdu_in in = { .admit_valid = false };

    open_bench((struct kdu_config){ 32u, 32u, 64u, 20u, 3u });
    (void)admit(1u, 224u);
    (void)admit(2u, 224u);
    for (uint32_t sm = 0u; sm < 32u; sm++) {
        in.ended[sm] = 7u;
        in.ended_kernel[sm] = sm % 2u;
    }
    cycle(in);
    idle(2u);
    assert_int_equal(bench.unit.q.count[0], 112u);
    cycle(in);
    idle(2u);
    assert_int_equal(out.freed.word[0], 3u);
}

/* The parent launches a kernel of another configuration, and ends before that. */
static void an_entry_is_not_held_for_the_kernels_that_its_thread_blocks_launch(void **state)
{
    (void)state;
    open_bench(small);
    assert_int_equal(admit(1u, 1u), 0u);
    assert_int_equal(admit(2u, 3u), 1u);
    cycle(end_of(0u, 1u));
    idle(2u);
    assert_true(!is_resident(0u) && is_resident(1u));
}

/* ---- Groups ---------------------------------------------------------------------------- */

static void a_group_joins_the_kernel_of_its_configuration_and_holds_its_entry(void **state)
{
    (void)state;
    open_bench(small);
    (void)admit(1u, 1u);
    (void)admit(2u, 2u);
    group(2u, 3u, true, 1u);
    cycle(end_of(1u, 2u)); /* the kernel's own */
    idle(3u);
    assert_true(is_resident(1u));
    cycle(end_of(1u, 3u)); /* the group's */
    idle(2u);
    assert_true(!is_resident(1u) && is_resident(0u));
}

static void of_two_kernels_of_its_configuration_a_group_joins_the_lower_slot(void **state)
{
    (void)state;
    open_bench(small);
    (void)admit(1u, 1u);
    (void)admit(7u, 1u);
    (void)admit(7u, 1u);
    group(7u, 1u, true, 1u);
}

/* It is launched as a kernel then, and the next group finds it. */
static void a_group_without_a_kernel_of_its_configuration_misses(void **state)
{
    (void)state;
    open_bench(small);
    group(3u, 2u, false, 0u);
    (void)admit(1u, 1u);
    group(3u, 2u, false, 0u);
    assert_int_equal(admit(3u, 2u), 1u);
    group(3u, 2u, true, 1u);
}

static void all_bits_of_the_configuration_are_compared(void **state)
{
    (void)state;
    open_bench(paper);
    (void)admit(UINT64_C(0x8000000000000001), 1u);
    for (uint32_t k = 0u; k < 64u; k++) {
        group(UINT64_C(0x8000000000000001) ^ UINT64_C(1) << k, 1u, false, 0u);
    }
    group(UINT64_C(0x8000000000000001), 1u, true, 0u);
}

static void a_group_that_joins_as_the_last_thread_block_ends_keeps_the_entry(void **state)
{
    (void)state;
    open_bench(small);
    (void)admit(1u, 1u);
    take_group(1u, 2u);
    cycle(end_of(0u, 1u)); /* is taken off at the edge at which the group joins */
    idle(1u);
    check_answer(true, 0u);
    idle(1u);
    assert_true(is_resident(0u));
    assert_int_equal(bench.unit.q.count[0], 2u);
}

/* Entry 0 is free in the cycle of the answer; or it has another kernel by then. */
static void a_group_whose_kernel_goes_before_it_joins_misses(void **state)
{
    (void)state;
    open_bench(small);
    (void)admit(1u, 1u);
    cycle(end_of(0u, 1u));
    take_group(1u, 2u);
    idle(2u);
    check_answer(false, 0u);
    open_bench(small);
    (void)admit(1u, 1u);
    cycle(end_of(0u, 1u));
    take_group(1u, 2u);
    assert_true(is_resident(0u));
    assert_int_equal(admit(2u, 5u), 0u);
    idle(1u);
    check_answer(false, 0u);
    idle(1u);
    assert_int_equal(bench.unit.q.count[0], 5u);
}

static void a_group_that_cannot_be_counted_misses(void **state)
{
    (void)state;
    open_bench(small);
    (void)admit(1u, 10u);
    group(1u, 6u, false, 0u);
    assert_int_equal(bench.unit.q.count[0], 10u);
    group(1u, 5u, true, 0u);
    assert_int_equal(bench.unit.q.count[0], 15u);
}

/* ---- Entries that are given up --------------------------------------------------------- */

static void a_kernel_of_which_only_waiting_thread_blocks_are_left_gives_up(void **state)
{
    (void)state;
    open_bench(small);
    (void)admit(1u, 5u);
    cycle(give_up_of(0u, 3u)); /* two more are running */
    idle(1u);
    assert_true(is_resident(0u) && !out.gave_up);
    cycle(end_of(0u, 2u));
    cycle(give_up_of(0u, 3u)); /* they are being taken off */
    idle(1u);
    assert_true(is_resident(0u) && !out.gave_up);
    cycle(give_up_of(0u, 3u));
    idle(1u);
    assert_true(!is_resident(0u) && out.gave_up && !bits_any(out.freed));
    assert_int_equal(admit(2u, 1u), 0u);
}

static void an_entry_that_a_group_joins_is_not_given_up(void **state)
{
    (void)state;
    open_bench(small);
    (void)admit(1u, 2u);
    take_group(1u, 1u);
    idle(1u);
    cycle(give_up_of(0u, 2u));
    check_answer(true, 0u);
    idle(1u);
    assert_true(is_resident(0u) && !out.gave_up);
    take_group(1u, 1u);
    cycle(give_up_of(0u, 3u)); /* a cycle before, the group misses */
    idle(1u);
    check_answer(false, 0u);
    assert_true(out.gave_up);
}

/* ---- A full table, and the kernels that wait for it ------------------------------------ */

static void launch(struct kmu *kmu, uint32_t parent, uint32_t handle, bool room)
{
    static struct kmu_next next;
    struct kmu_out kernels;
    const struct kmu_in in = { .mode = KMU_SMX_BIND,
                               .arrive_valid = true,
                               .arrive_parent = parent,
                               .arrive_handle = handle,
                               .link_ready = true,
                               .room = room };
    do {
        kmu_eval(kmu, &in, &kernels, &next);
        kmu_tick(kmu, &next);
    } while (!kernels.arrive_ready);
}

/* Both units for some cycles. A kernel's configuration is its handle. Returns the last that was
 * admitted. */
static uint32_t run_both(struct kmu *kmu, uint32_t cycles)
{
    static struct kmu_next next;
    struct kmu_in to = { .mode = KMU_SMX_BIND, .link_ready = true };
    struct kmu_out kernels;
    uint32_t last = UINT32_MAX;

    for (uint32_t k = 0u; k < cycles; k++) {
        kmu_eval(kmu, &to, &kernels, &next);
        cycle((struct kdu_in){ .admit_valid = kernels.grant_valid,
                               .admit_tag = kernels.grant_handle,
                               .admit_tbs = 1u });
        to.room = to.grant_ready = out.admit_ready;
        last = kernels.grant_valid && out.admit_ready ? kernels.grant_handle : last;
        kmu_eval(kmu, &to, &kernels, &next);
        kmu_tick(kmu, &next);
    }
    return last;
}

static void with_a_full_table_a_kernel_of_higher_priority_waits(void **state)
{
    (void)state;
    static struct kmu kmu;
    const struct kmu_config config = { 3u, 4u, 8u, 1u };

    open_bench(paper);
    assert_int_equal(kmu_init(&kmu, &config), kmu_ok);
    for (uint32_t k = 0u; k < 32u; k++) {
        launch(&kmu, 0u, k, false);
        (void)run_both(&kmu, 16u);
    }
    launch(&kmu, 0u, 40u, false);
    (void)run_both(&kmu, 16u);
    launch(&kmu, 3u, 41u, false);
    assert_int_equal(run_both(&kmu, 50u), UINT32_MAX);
    assert_int_equal(bits_count(out.resident, 32u), 32u);
    cycle(end_of(9u, 1u));
    assert_int_equal(run_both(&kmu, 50u), 41u);
    assert_int_equal(bench.unit.mem.tag[9], 41u);
    cycle(end_of(2u, 1u));
    assert_int_equal(run_both(&kmu, 50u), 40u);
}

/* ---- What is illegal ------------------------------------------------------------------- */

static void a_kernel_and_a_group_of_no_thread_blocks_are_refused(void **state)
{
    (void)state;
    open_bench(small);
    (void)admit(1u, 0u);
    idle(1u);
    assert_true(out.admit_error && !is_resident(0u));
    idle(1u);
    assert_false(out.admit_error);
    (void)admit(1u, 1u);
    group(1u, 0u, false, 0u);
}

static void thread_blocks_of_a_free_slot_that_end_are_ignored(void **state)
{
    (void)state;
    open_bench((struct kdu_config){ 3u, 4u, 8u, 4u, 2u });
    cycle(end_of(0u, 3u));
    (void)admit(1u, 2u);
    cycle(end_of(1u, 3u));
    cycle(end_of(3u, 3u)); /* there are three slots */
    idle(2u);
    assert_int_equal(bench.unit.q.count[0], 2u);
    cycle(end_of(0u, 2u));
    cycle(end_of(0u, 1u)); /* one more than there are, as the entry becomes free */
    idle(1u);
    (void)admit(2u, 2u);
    idle(3u);
    assert_int_equal(bench.unit.q.count[0], 2u);
}

static void more_that_end_than_there_are_free_the_entry(void **state)
{
    (void)state;
    open_bench(small);
    (void)admit(1u, 2u);
    cycle(end_of(0u, 3u));
    idle(2u);
    assert_true(!is_resident(0u) && bits_has(out.freed, 0u));
}

static void a_free_slot_is_not_given_up(void **state)
{
    (void)state;
    open_bench((struct kdu_config){ 3u, 4u, 8u, 4u, 2u });
    cycle(give_up_of(0u, 0u));
    idle(1u);
    assert_false(out.gave_up);
    cycle(give_up_of(3u, 0u));
    idle(1u);
    assert_false(out.gave_up);
    (void)admit(1u, 1u);
    cycle(give_up_of(0u, 0u));
    idle(1u);
    assert_true(!out.gave_up && is_resident(0u));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_gets_the_lowest_free_entry),
        cmocka_unit_test(the_table_takes_32_kernels_and_the_next_waits),
        cmocka_unit_test(an_entry_is_free_two_cycles_after_its_last_thread_block_has_ended),
        cmocka_unit_test(thread_blocks_of_all_sms_end_in_one_cycle),
        cmocka_unit_test(an_entry_is_not_held_for_the_kernels_that_its_thread_blocks_launch),
        cmocka_unit_test(a_group_joins_the_kernel_of_its_configuration_and_holds_its_entry),
        cmocka_unit_test(of_two_kernels_of_its_configuration_a_group_joins_the_lower_slot),
        cmocka_unit_test(a_group_without_a_kernel_of_its_configuration_misses),
        cmocka_unit_test(all_bits_of_the_configuration_are_compared),
        cmocka_unit_test(a_group_that_joins_as_the_last_thread_block_ends_keeps_the_entry),
        cmocka_unit_test(a_group_whose_kernel_goes_before_it_joins_misses),
        cmocka_unit_test(a_group_that_cannot_be_counted_misses),
        cmocka_unit_test(a_kernel_of_which_only_waiting_thread_blocks_are_left_gives_up),
        cmocka_unit_test(an_entry_that_a_group_joins_is_not_given_up),
        cmocka_unit_test(with_a_full_table_a_kernel_of_higher_priority_waits),
        cmocka_unit_test(a_kernel_and_a_group_of_no_thread_blocks_are_refused),
        cmocka_unit_test(thread_blocks_of_a_free_slot_that_end_are_ignored),
        cmocka_unit_test(more_that_end_than_there_are_free_the_entry),
        cmocka_unit_test(a_free_slot_is_not_given_up),
    };
    return cmocka_run_group_tests_name("kdu", tests, NULL, NULL);
}
