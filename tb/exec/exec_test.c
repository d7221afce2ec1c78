/* Tests of execution: exits, special registers, clocks, waiting, and what is refused. */

#include "exec_kernel.h"

static void only_the_last_lanes_exit_is_an_exit_to_the_timing_model(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               KERNEL("mov.u32 %r2, 7;\nsetp.gt.u32 %p1, %r1, 4;\n@%p1 exit;\n"
                      "setp.gt.u32 %p1, %r1, 2;\n@%p1 ret;\n"),
               33u);
    assert_int_equal(b.word[2], 7u);
    assert_int_equal(b.word[3], 0u);
    assert_int_equal(record_of(&b, 0u, OP_BRANCH, 0u, NULL)->lanes, 27u);
    assert_int_equal(record_of(&b, 0u, OP_BRANCH, 1u, NULL)->lanes, 2u);
    assert_int_equal(record_of(&b, 0u, OP_EXIT, 0u, NULL)->lanes, 3u);
    assert_int_equal(record_of(&b, 1u, OP_EXIT, 0u, NULL)->lanes, 1u);
    bench_close(&b);
}

static void special_registers_say_who_a_thread_is(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b,
               HEADER ENTRY
               "mov.u32 %r2, %tid.y;\nmov.u32 %r3, %tid.z;\nmov.u32 %r4, %ntid.x;\n"
               "mov.u32 %r5, %ctaid.y;\nmov.u32 %r6, %nctaid.x;\n"
               "mov.u32 %r7, %laneid;\nmov.u32 %r8, %lanemask_gt;\n"
               "mov.u32 %r9, %warpid;\nmad.lo.u32 %r10, %r3, 3, %r2;\n"
               "mad.lo.u32 %r10, %r10, 20, %r1;\nmul.wide.u32 %d4, %r10, 32;\n"
               "add.u64 %d4, %d4, %d1;\nst.global.v4.u32 [%d4], {%r1,%r2,%r3,%r4};\n"
               "st.global.v2.u32 [%d4+16], {%r5,%r6};\n"
               "add.u32 %r8, %r8, %r9;\nst.global.v2.u32 [%d4+24], {%r7,%r8};\n" END,
               20u);
    b.launch.block[1] = 3u;
    b.launch.block[2] = 2u;
    b.launch.grid[0] = 3u;
    b.launch.grid[1] = 2u;
    assert_true(bench_try(&b, 4u));
    for (uint32_t t = 0u; t < 120u; t++) {
        const uint32_t wanted[] = { t % 20u, t / 20u % 3u,
                                    t / 60u, 20u,
                                    1u,      3u,
                                    t % 32u, (uint32_t)(~UINT64_C(1) << t % 32u) + t / 32u };
        assert_memory_equal(b.word + (size_t)8u * t, wanted, sizeof wanted);
    }
    bench_close(&b);
}

/* The low byte and the low word of a 64-bit register, extended.
 */
static void cvt_may_read_the_low_part_of_a_register(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               KERNEL("cvt.u64.u32 %d4, %r1;\nadd.u64 %d4, %d4, 78187493504;\n"
                      "cvt.s64.s8 %d5, %d4;\ncvt.s64.s32 %d6, %d4;\nadd.s64 %d5, %d5, %d6;\n"
                      "cvt.u32.u64 %r2, %d5;\n"),
               32u);
    for (uint32_t t = 0u; t < 32u; t++) {
        const uint32_t low = 0x34567880u + t; /* its last byte is negative */
        assert_int_equal(b.word[t], low + 0xffffff80u + t);
    }
    bench_close(&b);
}

static void predicates_are_computed_with_and_guard(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               KERNEL("and.b32 %r3, %r1, 1;\nand.b32 %r4, %r1, 2;\nsetp.ne.u32 %p1, %r3, 0;\n"
                      "setp.ne.u32 %p2, %r4, 0;\nmov.u32 %r2, 0;\n"
                      "and.pred %p3, %p1, %p2;\n@%p3 add.u32 %r2, %r2, 1;\n"
                      "or.pred %p4, %p1, %p2;\n@%p4 add.u32 %r2, %r2, 10;\n"
                      "xor.pred %p5, %p1, %p2;\n@%p5 add.u32 %r2, %r2, 100;\n"
                      "not.pred %p6, %p1;\n@%p6 add.u32 %r2, %r2, 1000;\n"
                      "mov.pred %p7, %p2;\n@!%p7 add.u32 %r2, %r2, 10000;\n"
                      "@%p1 not.pred %p2, %p2;\n@%p2 add.u32 %r2, %r2, 100000;\n"),
               40u);
    for (uint32_t t = 0u; t < 40u; t++) {
        static const uint32_t expected[] = { 11000, 110110, 101110, 11 };
        assert_int_equal(b.word[t], expected[t % 4u]);
    }
    bench_close(&b);
}

static void a_clock_advances(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               KERNEL("mov.u64 %d4, %clock64;\nadd.u64 %d6, %d4, 100;\nWAIT:\n"
                      "mov.u64 %d5, %clock64;\nsetp.lt.u64 %p1, %d5, %d6;\n@%p1 bra WAIT;\n"
                      "mov.u32 %r3, %clock;\nmov.u32 %r4, %clock;\nsub.u32 %r2, %r4, %r3;\n"),
               32u);
    assert_int_equal(b.word[0], 1u);
    bench_close(&b);
}

static void a_warp_may_wait_for_what_another_writes(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               KERNEL("setp.ge.u32 %p1, %r1, 32;\n@%p1 bra WRITE;\nWAIT:\n"
                      "ld.volatile.global.u32 %r2, [%d1+256];\nsetp.eq.u32 %p2, %r2, 0;\n"
                      "@%p2 bra WAIT;\nbra OUT;\nWRITE:\nmov.u32 %r2, 9;\n"
                      "st.global.u32 [%d1+256], %r2;\nOUT:\n"),
               64u);
    assert_int_equal(b.word[0], 9u);
    bench_close(&b);
}

/* A loop that no way leaves, behind a branch that nobody takes. */
static void an_endless_loop_that_is_not_entered_does_no_harm(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               KERNEL("setp.ge.u32 %p1, %r1, 32;\n@%p1 bra LOOP;\nbra OUT;\nLOOP:\n"
                      "bar.sync 0;\nbra LOOP;\nOUT:\nmov.u32 %r2, 7;\n"),
               32u);
    assert_int_equal(b.word[0], 7u);
    bench_close(&b);
}

/* ---- What is refused ----------------------------------------------------------------- */

static void an_endless_kernel_is_stopped(void **state)
{
    (void)state;
    bench_refuses(KERNEL("LOOP:\nbra LOOP;\n"), 32u,
                  "k: CTA (0,0,0), thread (0,0,0): test.ptx:17: the kernel has executed "
                  "65536 warp instructions, its limit");
}

static void a_trap_is_reported_with_its_thread(void **state)
{
    (void)state;
    bench_refuses(KERNEL("setp.eq.u32 %p1, %r1, 37;\n@%p1 trap;\n"), 64u,
                  "k: CTA (0,0,0), thread (37,0,0): test.ptx:17: trap");
}

static void threads_and_ctas_are_named_by_their_coordinates(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b, KERNEL("mov.u32 %r2, %tid.z;\nsetp.eq.u32 %p1, %r2, 1;\n@%p1 trap;\n"), 4u);
    b.launch.block[1] = 3u;
    b.launch.block[2] = 2u;
    b.launch.grid[0] = 2u;
    b.launch.grid[1] = 5u;
    b.launch.grid[2] = 2u;
    assert_false(bench_try(&b, 13u));
    assert_string_equal(fault_text(&b.fault),
                        "k: CTA (1,1,1), thread (0,0,1): test.ptx:18: trap");
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_the_last_lanes_exit_is_an_exit_to_the_timing_model),
        cmocka_unit_test(special_registers_say_who_a_thread_is),
        cmocka_unit_test(cvt_may_read_the_low_part_of_a_register),
        cmocka_unit_test(predicates_are_computed_with_and_guard),
        cmocka_unit_test(a_clock_advances),
        cmocka_unit_test(a_warp_may_wait_for_what_another_writes),
        cmocka_unit_test(an_endless_loop_that_is_not_entered_does_no_harm),
        cmocka_unit_test(an_endless_kernel_is_stopped),
        cmocka_unit_test(a_trap_is_reported_with_its_thread),
        cmocka_unit_test(threads_and_ctas_are_named_by_their_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
