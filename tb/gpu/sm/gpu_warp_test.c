/*
 * Tests of the warp schedulers of the GPU model: the order in which small kernels issue,
 * written out by hand. Those of owl are in gpu_owl_test.c.
 */

#include "gpu_marks.h"

static struct program a, b, d;

static uint64_t start_of(const struct gpu_config *c)
{
    return 1u + c->dispatch.launch_latency + DISPATCH_CYCLES + 1u + c->fetch.latency;
}

/* ---- One level ----------------------------------------------------------------------- */

/* A scheduler that has not issued begins with its warp 0. */
static void round_robin_gives_each_warp_its_turn(void **state)
{
    (void)state;
    struct gpu_config c = marked_config(WARP_LRR);
    make_marks(&a, 3u, false, 0u);
    struct hand_kernel k = kernel_of(&a, 1u, 4u);
    run_marked(&c, &k);
    check_warps("012301230123");
    /* Warp 1 adds in its second turn, is passed over until it has the sum 9 cycles later, and
     * then comes again in its place. */
    c.integer.latency = 9u;
    make_marks(&b, 1u, true, 2u);
    make_marks(&a, 6u, false, 0u);
    k.program[1] = &b;
    run_marked(&c, &k);
    check_warps("012302302302301230123");
}

static void round_robin_is_fair(void **state)
{
    (void)state;
    for (uint32_t warps = 2u; warps <= 16u; warps++) {
        const struct gpu_config c = marked_config(WARP_LRR);
        uint32_t count[16] = { 0u };
        make_marks(&a, 50u, false, 0u);
        struct hand_kernel k = kernel_of(&a, 1u, warps);
        run_marked(&c, &k);
        assert_int_equal(n_marks, 50u * warps);
        for (uint32_t n = 0u; n < n_marks; n++) {
            const uint32_t turn = count[marks[n].warp]++;
            for (uint32_t w = 0u; w < warps && n > 100u && n < n_marks - 100u; w++) {
                assert_in_range(count[w], turn - 1u, turn + 2u);
            }
        }
    }
}

static void greedy_stays_with_its_warp_and_oldest_returns_to_the_first(void **state)
{
    (void)state;
    make_marks(&a, 1u, true, 2u);
    make_marks(&b, 8u, false, 0u);
    for (uint32_t policy = WARP_GTO; policy <= WARP_OLDEST; policy++) {
        const struct gpu_config c = marked_config(policy);
        struct hand_kernel k = kernel_of(&a, 1u, 3u);
        k.program[1] = k.program[2] = &b;
        run_marked(&c, &k);
        const uint64_t start = start_of(&c);
        assert_int_equal(marks[0].issued, start);
        /* The addition issues at start + 1, and its result is there at start + 5. */
        if (policy == WARP_GTO) {
            check_warps("0111111110022222222");
            assert_int_equal(marks[9].issued, start + 2u + 8u + 1u); /* after warp 1's exit */
        } else {
            check_warps("0111001111122222222");
            assert_int_equal(marks[4].issued, start + 5u);
        }
    }
}

/* The third CTA gets the slot of the first, and is younger than the second. */
static void age_is_by_launch_and_not_by_slot(void **state)
{
    (void)state;
    for (uint32_t policy = WARP_LRR; policy <= WARP_OLDEST; policy++) {
        struct gpu_config c = marked_config(policy);
        c.sm.cta_slots = 2u;
        make_marks(&a, 1u, false, 0u);
        make_marks(&b, 100u, true, 100u);
        struct hand_kernel k = kernel_of(&b, 3u, 1u);
        k.special = &a;
        k.special_cta = 0u;
        run_marked(&c, &k);
        uint32_t late = 0u, first = n_marks;
        for (uint32_t n = 0u; n < n_marks; n++) {
            first = marks[n].cta == 2u && first == n_marks ? n : first;
            late += marks[n].cta == 1u && n > first ? 1u : 0u;
        }
        /* While the second CTA waits for its addition the third issues 4 marks. Greedy, it
         * then goes on to its own addition. */
        if (policy == WARP_LRR) {
            assert_true(late > 150u);
        } else if (policy == WARP_GTO) {
            assert_in_range(late, 99u, 100u);
            assert_int_equal(marks[first + 100u].cta, 1u);
        } else {
            assert_in_range(late, 99u, 100u);
            assert_in_range(first, 100u, 102u);
            assert_int_equal(marks[first + 3u].cta, 1u);
            assert_int_equal(marks[first + 50u].cta, 1u);
        }
    }
}

/* ---- Two levels ---------------------------------------------------------------------- */

static void only_the_ready_queue_issues(void **state)
{
    (void)state;
    make_marks(&a, 3u, false, 0u);
    struct hand_kernel k = kernel_of(&a, 1u, 6u);
    struct gpu_config c = marked_config(WARP_TWO_LEVEL_RR);
    c.warp.ready_queue = 2u;
    run_marked(&c, &k);
    /* A warp's exit waits for its last store: it leaves the queue, and the next one enters. */
    check_warps("010101232323454545");
    c.warp.ready_queue = 3u;
    run_marked(&c, &k);
    check_warps("012012012345345345");
    c.warp.policy = WARP_TWO_LEVEL_GTO;
    run_marked(&c, &k);
    check_warps("000111222333444555");
}

/* Chains of arithmetic do not leave the queue: as many overlap as it holds. */
static void a_warp_that_waits_for_arithmetic_keeps_its_place(void **state)
{
    (void)state;
    for (uint32_t policy = WARP_TWO_LEVEL_RR; policy <= WARP_TWO_LEVEL_GTO; policy++) {
        for (uint32_t queue = 1u; queue <= 8u; queue++) {
            struct gpu_config c = marked_config(policy);
            c.warp.ready_queue = queue;
            c.integer.latency = 8u;
            uint64_t cycles[2];
            for (uint32_t n = 0u; n < 2u; n++) {
                a = (struct program){ .length = 0u };
                emit_chain(&a, OP_INTEGER, 100u + n * 100u, 0u);
                emit_exit(&a);
                cycles[n] = cycles_of(&c, &a, 8u);
            }
            assert_int_equal(cycles[1] - cycles[0], (8u + queue - 1u) / queue * 100u * 8u);
        }
    }
}

/* Chains of loads do: they overlap whatever the size of the queue. */
static void a_warp_that_waits_for_memory_gives_its_place_away(void **state)
{
    (void)state;
    for (uint32_t policy = WARP_TWO_LEVEL_RR; policy <= WARP_TWO_LEVEL_GTO; policy++) {
        struct gpu_config c = marked_config(policy);
        c.warp.ready_queue = 1u;
        a = (struct program){ .length = 0u };
        emit_chain(&a, OP_LOAD, 100u, 1u); /* of line 0, in the L1 */
        emit_exit(&a);
        const uint64_t one = cycles_of(&c, &a, 1u), eight = cycles_of(&c, &a, 8u);
        assert_in_range(eight, one, one + one / 10u);
    }
}

static void warps_that_return_queue_at_the_tail_or_by_age(void **state)
{
    (void)state;
    a = (struct program){ .length = 0u };
    (void)emit(&a, OP_LOAD, R, REGISTER_NONE, 1u);
    emit_marks(&a, 1u); /* mark 1; it needs the load */
    emit_exit(&a);
    make_marks(&b, 200u, false, 0u);
    make_marks(&d, 5u, false, 0u);
    for (uint32_t policy = WARP_TWO_LEVEL_RR; policy <= WARP_TWO_LEVEL_GTO; policy++) {
        struct gpu_config c = marked_config(policy);
        c.warp.ready_queue = 1u;
        struct hand_kernel k = kernel_of(&a, 1u, 3u);
        k.program[1] = &b;
        k.program[2] = &d;
        run_marked(&c, &k);
        assert_int_equal(n_marks, 206u);
        for (uint32_t n = 0u; n < 200u; n++) {
            assert_int_equal(marks[n].warp, 1u);
        }
        const uint32_t first = policy == WARP_TWO_LEVEL_RR ? 205u : 200u;
        for (uint32_t n = 200u; n < 206u; n++) {
            assert_int_equal(marks[n].warp, n == first ? 0u : 2u);
        }
    }
}

/* At a barrier with a load in flight that nothing has asked for: when the barrier opens, the
 * warp is pending until the load is there, and the other has all its turns before. */
static void a_warp_that_owes_memory_at_a_barrier_is_pending_when_it_opens(void **state)
{
    (void)state;
    a = (struct program){ .length = 0u };
    (void)emit(&a, OP_LOAD, R + 3u, REGISTER_NONE, 1u);
    (void)emit(&a, OP_BARRIER, REGISTER_NONE, REGISTER_NONE, 0u);
    emit_marks(&a, 1u);
    emit_exit(&a);
    b = (struct program){ .length = 0u };
    (void)emit(&b, OP_BARRIER, REGISTER_NONE, REGISTER_NONE, 0u);
    emit_marks(&b, 3u);
    emit_exit(&b);
    for (uint32_t policy = WARP_TWO_LEVEL_RR; policy <= WARP_TWO_LEVEL_GTO; policy++) {
        struct gpu_config c = marked_config(policy);
        c.warp.ready_queue = 1u;
        struct hand_kernel k = kernel_of(&a, 1u, 2u);
        k.program[1] = &b;
        run_marked(&c, &k);
        check_warps("1110");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_robin_gives_each_warp_its_turn),
        cmocka_unit_test(round_robin_is_fair),
        cmocka_unit_test(greedy_stays_with_its_warp_and_oldest_returns_to_the_first),
        cmocka_unit_test(age_is_by_launch_and_not_by_slot),
        cmocka_unit_test(only_the_ready_queue_issues),
        cmocka_unit_test(a_warp_that_waits_for_arithmetic_keeps_its_place),
        cmocka_unit_test(a_warp_that_waits_for_memory_gives_its_place_away),
        cmocka_unit_test(warps_that_return_queue_at_the_tail_or_by_age),
        cmocka_unit_test(a_warp_that_owes_memory_at_a_barrier_is_pending_when_it_opens),
    };
    return cmocka_run_group_tests_name("gpu_warp", tests, NULL, NULL);
}
