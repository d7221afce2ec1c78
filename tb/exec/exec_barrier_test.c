/* Tests of barriers, and of instructions through which lanes see each other. */

#include "exec_kernel.h"

/* Thread t has the address of s in %r30, that of its word in %r31. */
#define SHARED_WORDS                  \
    ".shared .align 4 .b8 s[2048];\n" \
    "mov.u64 %d8, s;\ncvt.u32.u64 %r30, %d8;\nmad.lo.u32 %r31, %r1, 4, %r30;\n"

/* ---- Barriers ------------------------------------------------------------------------ */

static void what_is_written_before_a_barrier_is_read_behind_it(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               KERNEL(SHARED_WORDS
                      "st.shared.u32 [%r31], %r1;\nbar.sync 0;\nsub.u32 %r3, 255, %r1;\n"
                      "mad.lo.u32 %r4, %r3, 4, %r30;\nld.shared.u32 %r2, [%r4];\n"
                      "bar.sync 0;\nadd.u32 %r2, %r2, 1000;\nst.shared.u32 [%r31], %r2;\n"
                      "barrier.sync 3;\nld.shared.u32 %r2, [%r4];\n"),
               256u);
    for (uint32_t t = 0u; t < 256u; t++) {
        assert_int_equal(b.word[t], 1000u + t);
    }
    assert_int_equal(record_of(&b, 0u, OP_BARRIER, 2u, NULL)->lanes, 32u);
    bench_close(&b);
}

static void lanes_and_warps_that_have_exited_are_not_waited_for(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               HEADER ENTRY "setp.ge.u32 %p1, %r1, 70;\n@%p1 bra OUT;\n"
                            "bar.sync 0;\nmov.u32 %r2, 3;\n" STORE "OUT:\n" END,
               256u);
    assert_int_equal(b.word[69], 3u);
    assert_int_equal(b.word[70], 0u);
    bench_close(&b);
}

static void lanes_that_leave_after_some_work_are_run_before_the_barrier(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               HEADER ENTRY "setp.lt.u32 %p1, %r1, 20;\n@%p1 bra STAY;\n"
                            "mov.u32 %r2, 8;\n" STORE "ret;\nSTAY:\n"
                            "bar.sync 0;\nmov.u32 %r2, 3;\n" STORE END,
               32u);
    assert_int_equal(b.word[19], 3u);
    assert_int_equal(b.word[20], 8u);
    bench_close(&b);
}

static void a_reduction_counts_the_threads_of_all_warps(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               KERNEL("setp.lt.u32 %p1, %r1, 77;\nbar.red.popc.u32 %r2, 0, %p1;\n"
                      "bar.red.and.pred %p2, 0, %p1;\nbar.red.or.pred %p3, 1, 128, !%p1;\n"
                      "@%p2 add.u32 %r2, %r2, 1000;\n@%p3 add.u32 %r2, %r2, 2000;\n"),
               128u);
    assert_int_equal(b.word[0], 2077u);
    assert_int_equal(b.word[127], 2077u);
    bench_close(&b);
}

static void a_producer_arrives_and_goes_on(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               KERNEL(SHARED_WORDS
                      "setp.ge.u32 %p1, %r1, 32;\n@%p1 bra PRODUCE;\nbar.sync 1, 64;\n"
                      "ld.shared.u32 %r2, [%r31+128];\nbra OUT;\nPRODUCE:\n"
                      "st.shared.u32 [%r31], %r1;\nbar.arrive 1, 64;\nOUT:\n"),
               64u);
    assert_int_equal(b.word[5], 37u);
    assert_int_equal(record_of(&b, 1u, OP_EXIT, 0u, NULL)->lanes, 32u);
    bench_close(&b);
}

static void a_barrier_within_a_diverged_warp_is_refused(void **state)
{
    (void)state;
    bench_refuses(KERNEL("setp.lt.u32 %p1, %r1, 16;\n@%p1 bra A;\nbra B;\nA:\nbar.sync 0;\n"
                         "B:\n"),
                  32u,
                  "k: CTA (0,0,0), thread (16,0,0): test.ptx:20: a barrier that this thread "
                  "does not reach with its warp: lanes 0000ffff of ffffffff do");
}

static void a_barrier_that_never_opens_is_reported(void **state)
{
    (void)state;
    bench_refuses(KERNEL("setp.ge.u32 %p1, %r1, 32;\n@%p1 exit;\nbar.sync 2, 64;\n"), 64u,
                  "k: CTA (0,0,0), thread (0,0,0): test.ptx:18: this barrier (2) never opens: "
                  "1 of 2 warps are there, and no other will come");
}

static void impossible_barriers_are_refused(void **state)
{
    (void)state;
    bench_refuses(KERNEL("mov.u32 %r2, 16;\nbar.sync %r2;\n"), 32u,
                  "k: CTA (0,0,0), thread (0,0,0): test.ptx:17: barrier 16; there are 0 to 15");
    bench_refuses(KERNEL("bar.sync 1, 33;\n"), 64u,
                  "k: CTA (0,0,0), thread (0,0,0): test.ptx:16: barrier 1 for 33 threads; "
                  "allowed: multiples of 32");
}

/* ---- Exchanges ----------------------------------------------------------------------- */

/* The word of thread t after a shfl: the other lane's number + 100, + 1000 if it is inside. */
#define SHUFFLE(how)                                     \
    KERNEL("add.u32 %r3, %r1, 100;\nmov.u32 %r2, %r3;\n" \
           "shfl.sync." how ", 0xffffffff;\n@%p1 add.u32 %r2, %r2, 1000;\n")

static void check_shuffle(const char *text, int32_t by, uint32_t width, bool exclusive)
{
    struct bench b;
    bench_once(&b, text, 32u);
    for (uint32_t t = 0u; t < 32u; t++) {
        const int32_t other = exclusive ? (int32_t)t ^ by : (int32_t)t + by;
        const bool inside = other >= 0 && (uint32_t)other / width == t / width;
        assert_int_equal(b.word[t], inside ? 1100u + (uint32_t)other : 100u + t);
    }
    bench_close(&b);
}

static void shuffles_stay_in_their_segment(void **state)
{
    (void)state;
    check_shuffle(SHUFFLE("up.b32 %r2|%p1, %r3, 1, 0"), -1, 32u, false);
    check_shuffle(SHUFFLE("up.b32 %r2|%p1, %r3, 3, 0x1800"), -3, 8u, false);
    check_shuffle(SHUFFLE("down.b32 %r2|%p1, %r3, 5, 31"), 5, 32u, false);
    check_shuffle(SHUFFLE("down.b32 %r2|%p1, %r3, 2, 0x1c1f"), 2, 4u, false);
    check_shuffle(SHUFFLE("bfly.b32 %r2|%p1, %r3, 16, 31"), 16, 32u, true);
    check_shuffle(SHUFFLE("bfly.b32 %r2|%p1, %r3, 1, 0x1e1f"), 1, 2u, true);
}

static void an_indexed_shuffle_takes_any_lane_of_its_segment(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               KERNEL("mul.lo.u32 %r4, %r1, 5;\nand.b32 %r4, %r4, 31;\n"
                      "shfl.sync.idx.b32 %r2|%p1, %r1, %r4, 0x101f, -1;\n"),
               32u);
    for (uint32_t t = 0u; t < 32u; t++) {
        assert_int_equal(b.word[t], t / 16u * 16u + t * 5u % 16u);
    }
    assert_int_equal(record_of(&b, 0u, OP_SHARED, 0u, NULL)->accesses, 1u);
    bench_close(&b);
}

static void votes_are_of_the_lanes_that_execute(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               KERNEL("and.b32 %r3, %r1, 1;\nsetp.eq.u32 %p1, %r3, 1;\nmov.u32 %r2, 0;\n"
                      "@%p1 bra ODD;\nvote.sync.ballot.b32 %r2, %p1, 0xffffffff;\nbra OUT;\n"
                      "ODD:\nvote.sync.all.pred %p2, %p1, 0xffffffff;\n"
                      "@%p2 add.u32 %r2, %r2, 1;\n"
                      "setp.lt.u32 %p3, %r1, 9;\nvote.sync.any.pred %p4, %p3, 0xffffffff;\n"
                      "@%p4 add.u32 %r2, %r2, 2;\nvote.sync.uni.pred %p5, %p3, 0xffffffff;\n"
                      "@!%p5 add.u32 %r2, %r2, 4;\n"
                      "vote.sync.ballot.b32 %r4, %p3, 0xff;\nshl.b32 %r4, %r4, 8;\n"
                      "add.u32 %r2, %r2, %r4;\nOUT:\n"),
               32u);
    assert_int_equal(b.word[0], 0u);
    assert_int_equal(b.word[1], 0xaa07u);
    assert_int_equal(b.word[31], 0xaa07u);
    bench_close(&b);
}

static void after_a_barrier_warps_go_on_in_their_order(void **state)
{
    struct bench b;
    (void)state;
    bench_once(
        &b,
        KERNEL("bar.sync 0;\natom.global.add.u32 %r2, [%d1+4096], 1;\nbar.sync 1;\n"
               "atom.global.add.u32 %r3, [%d1+4096], 1;\nmad.lo.u32 %r2, %r3, 256, %r2;\n"),
        96u);
    for (uint32_t t = 0u; t < 96u; t++) {
        assert_int_equal(b.word[t], t + (t + 96u) * 256u);
    }
    bench_close(&b);
}

static void matches_are_masks_of_equal_lanes(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               KERNEL("rem.u32 %r3, %r1, 3;\nmatch.any.sync.b32 %r2, %r3, 0xffffffff;\n"
                      "mov.u32 %r4, 5;\nmatch.all.sync.b32 %r5|%p1, %r4, 0xffffffff;\n"
                      "@%p1 xor.b32 %r2, %r2, %r5;\n"
                      "match.all.sync.b32 %r5|%p2, %r1, 0xffffffff;\n"
                      "@%p2 mov.u32 %r2, 0;\nadd.u32 %r2, %r2, %r5;\n"),
               32u);
    assert_int_equal(b.word[0], ~0x49249249u);
    assert_int_equal(b.word[1], ~0x92492492u);
    assert_int_equal(b.word[2], ~0x24924924u);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_before_a_barrier_is_read_behind_it),
        cmocka_unit_test(lanes_and_warps_that_have_exited_are_not_waited_for),
        cmocka_unit_test(lanes_that_leave_after_some_work_are_run_before_the_barrier),
        cmocka_unit_test(a_reduction_counts_the_threads_of_all_warps),
        cmocka_unit_test(a_producer_arrives_and_goes_on),
        cmocka_unit_test(a_barrier_within_a_diverged_warp_is_refused),
        cmocka_unit_test(a_barrier_that_never_opens_is_reported),
        cmocka_unit_test(impossible_barriers_are_refused),
        cmocka_unit_test(shuffles_stay_in_their_segment),
        cmocka_unit_test(an_indexed_shuffle_takes_any_lane_of_its_segment),
        cmocka_unit_test(votes_are_of_the_lanes_that_execute),
        cmocka_unit_test(after_a_barrier_warps_go_on_in_their_order),
        cmocka_unit_test(matches_are_masks_of_equal_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
