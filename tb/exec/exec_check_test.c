/* Tests of what kernels do that stops no run: a kernel for each, and one that is nearly the
 * same and clean. */

#include "exec_kernel.h"

#include <stdlib.h>

#include "exec/exec_check.h"

static char printed[4096];

/* How often something is found in a CTA of so many threads. Only the first 1024 bytes of the
 * result have been written. */
static uint64_t found(const char *text, uint32_t threads, bool streams)
{
    struct bench b;
    struct exec_check *const check = exec_check_open();
    FILE *const to = fmemopen(printed, sizeof printed, "w");
    printed[0] = '\0';
    bench_open(&b, text, threads);
    assert_true(device_free(b.memory, b.out));
    device_memory_watch(b.memory);
    b.params.out = b.out = device_alloc(b.memory, 4096u);
    device_mark(b.memory, b.out, 1024u);
    b.launch.check = check;
    b.launch.streams = streams;
    if (!bench_try(&b, 0u)) {
        fail_msg("%s", fault_text(&b.fault));
    }
    const uint64_t n = exec_check_found(check);
    exec_check_print(check, 1u, "> ", to);
    fclose(to);
    exec_check_close(check);
    bench_close(&b);
    return n;
}

/* The kernel of `wrong` is told of n times, first with this text; that of `clean` never. */
static void finds(const char *wrong, uint32_t threads, uint64_t n, const char *text,
                  const char *clean)
{
    for (uint32_t streams = 0u; streams < 2u; streams++) {
        assert_int_equal(found(clean, threads, streams != 0u), 0u);
        assert_string_equal(printed, "");
        assert_int_equal(found(wrong, threads, streams != 0u), n);
        if (strncmp(printed, text, strlen(text)) != 0) {
            fail_msg("%s\nbegins otherwise: %s", text, printed);
        }
    }
}

#define HALF "setp.lt.u32 %p1, %r1, 16;\n"

static void shuffles_from_lanes_that_are_away(void **state)
{
    (void)state;
    finds(KERNEL(HALF "@%p1 shfl.sync.down.b32 %r2, %r1, 8, 31, -1;\n"), 32u, 8u,
          "> k: CTA (0,0,0), thread (8,0,0): test.ptx:17: warp 0, lane 8 takes the value of "
          "lane 16, which does not execute the shuffle (8 times)\n> 8 found, at 1 places\n",
          KERNEL(HALF "@%p1 shfl.sync.down.b32 %r2, %r1, 8, 15, -1;\n"));
    /* lanes that a short CTA does not have */
    finds(KERNEL("shfl.sync.bfly.b32 %r2, %r1, 16, 31, -1;\n"), 24u, 8u,
          "> k: CTA (0,0,0), thread (8,0,0)",
          KERNEL("shfl.sync.bfly.b32 %r2, %r1, 7, 31, -1;\n"));
}

static void count_warning(void *self, const char *text)
{
    uint32_t *const n = self;
    assert_non_null(strstr(text, "thread (8,0,0): test.ptx:17: a shuffle from lane 16, which "
                                 "does not execute it, gives 0"));
    (*n)++;
}

static void a_lane_that_is_away_gives_0_and_one_warning(void **state)
{
    struct bench b;
    uint32_t n = 0u;
    (void)state;
    bench_open(&b, KERNEL(HALF "@%p1 shfl.sync.down.b32 %r2, %r1, 8, 31, -1;\n"), 32u);
    exec_warnings(b.exec, count_warning, &n);
    bench_run(&b);
    bench_run(&b);
    assert_int_equal(n, 1u);
    for (uint32_t t = 0u; t < 16u; t++) {
        assert_int_equal(b.word[t], t < 8u ? t + 8u : 0u);
    }
    bench_close(&b);
}

static void reads_of_global_memory_that_nothing_has_written(void **state)
{
    (void)state;
    finds(
        KERNEL("ld.global.u32 %r2, [%d3+1000];\n"), 32u, 26u,
        "> k: CTA (0,0,0), thread (6,0,0): test.ptx:16: warp 0, lane 6 reads 4 bytes at global "
        "address 0x10000400, not all of which have been written (26 times)\n",
        KERNEL("st.global.u32 [%d3+1000], %r1;\nld.global.u32 %r2, [%d3+1000];\n"));
    finds(KERNEL("red.global.add.u32 [%d1+2048], 1;\n"), 32u, 1u,
          "> k: CTA (0,0,0), thread (0,0,0): test.ptx:16: warp 0, lane 0 reads 4 bytes",
          KERNEL("red.global.add.u32 [%d1+1020], 1;\n"));
    /* one byte of eight */
    finds(
        KERNEL("st.global.u32 [%d1+2048], 1;\nst.global.u16 [%d1+2052], 1;\n"
               "st.global.u8 [%d1+2054], 1;\nld.global.u64 %d4, [%d1+2048];\n"),
        1u, 1u, "> k: CTA (0,0,0), thread (0,0,0): test.ptx:19",
        KERNEL(
            "st.u32 [%d1+2048], 1;\nst.global.u32 [%d1+2052], 1;\nld.u64 %d4, [%d1+2048];\n"));
}

#define SHARED ".shared .align 8 .b8 s[512];\n.local .align 8 .b8 l[16]; mov.u64 %d5, s;\n"

static void reads_of_shared_and_local_memory_that_nothing_has_written(void **state)
{
    (void)state;
    finds(KERNEL(SHARED "st.shared.u32 [%d2], %r1;\nld.shared.u32 %r2, [%d2+4];\n"), 32u, 1u,
          "> k: CTA (0,0,0), thread (31,0,0): test.ptx:19: warp 0, lane 31 reads 4 bytes at "
          "shared address 0x80, not all of which have been written (1 time)\n",
          KERNEL(SHARED "st.shared.u32 [%d2], %r1;\nst.shared.u32 [%d2+4], %r1;\n"
                        "ld.shared.u32 %r2, [%d2+4];\n"));
    finds(KERNEL(SHARED HALF "@%p1 st.local.u32 [l+4], %r1;\nld.local.u32 %r2, [l+4];\n"), 64u,
          48u,
          "> k: CTA (0,0,0), thread (16,0,0): test.ptx:20: warp 0, lane 16 reads 4 bytes at "
          "local address 0x4, not all of which have been written (48 times)\n",
          KERNEL(SHARED "st.local.u32 [l+4], %r1;\nld.local.u32 %r2, [l+4];\n"));
}

#define WRITE "st.shared.u32 [%d2], %r1;\n"
/* Reads what the other of two warps has. */
#define OTHER "xor.b64 %d4, %d2, 128;\nld.shared.u32 %r2, [%d4];\n"

static void a_read_without_a_barrier_after_a_write(void **state)
{
    (void)state;
    finds(
        KERNEL(SHARED WRITE "bar.sync 0;\n" WRITE OTHER), 64u, 2u,
        "> k: CTA (0,0,0), thread (32,0,0): test.ptx:20: warp 1, lane 0 writes shared address "
        "0x80, which warp 0 accesses as well, without a barrier between (1 time)\n",
        KERNEL(SHARED WRITE "bar.sync 0;\n" OTHER));
}

static void a_write_without_a_barrier_after_a_read(void **state)
{
    (void)state;
    finds(
        KERNEL(SHARED WRITE "setp.gt.u32 %p1, %r1, 31;\nbar.sync 0;\n" OTHER "@%p1 " WRITE),
        64u, 1u,
        "> k: CTA (0,0,0), thread (32,0,0): test.ptx:23: warp 1, lane 0 writes shared address "
        "0x80, which warp 0 accesses as well",
        KERNEL(SHARED WRITE "setp.gt.u32 %p1, %r1, 31;\nbar.sync 0;\n" OTHER
                            "bar.sync 0;\n@%p1 " WRITE));
    /* several read, and the last of them writes */
    finds(KERNEL(SHARED "setp.lt.u32 %p1, %r1, 1;\n@%p1 st.shared.u32 [s], 5;\nbar.sync 0;\n"
                        "ld.shared.u32 %r2, [s];\nsetp.gt.u32 %p2, %r1, 94;\n"
                        "@%p2 st.shared.u32 [s], %r1;\n"),
          96u, 1u, "> k: CTA (0,0,0), thread (95,0,0): test.ptx:23",
          KERNEL(SHARED "setp.lt.u32 %p1, %r1, 1;\n@%p1 st.shared.u32 [s], 5;\nbar.sync 0;\n"
                        "ld.shared.u32 %r2, [s];\nsetp.gt.u32 %p2, %r1, 94;\nbar.sync 0;\n"
                        "@%p2 st.shared.u32 [s], %r1;\n"));
}

static void two_writes_without_a_barrier(void **state)
{
    (void)state;
    finds(
        KERNEL(SHARED "and.b64 %d4, %d2, 127;\nst.shared.u32 [%d4], 1;\n"), 96u, 2u,
        "> k: CTA (0,0,0), thread (32,0,0): test.ptx:19: warp 1, lane 0 writes shared address "
        "0x0, which warp 0 accesses as well",
        KERNEL(SHARED "and.b64 %d4, %d2, 127;\nst.volatile.shared.u32 [%d4], 1;\n"));
}

/* Warp 0 writes, warp 1 reads. 64 threads of 96 meet. */
#define TURNS(first, second)                                                            \
    KERNEL(SHARED "setp.lt.u32 %p1, %r1, 32;\nsetp.gt.u32 %p2, %r1, 63;\n@%p2 bra E;\n" \
                  "@%p1 bra A;\n" second "ld.shared.u32 %r2, [s];\nbra E;\nA:\n"        \
                  "st.shared.u32 [s], 7;\n" first "E:\n")

static void barriers_of_some_warps_order_their_accesses(void **state)
{
    (void)state;
    /* who has only arrived, and waits for nobody, knows nothing */
    finds(TURNS("bar.sync 1, 64;\n", "bar.arrive 1, 64;\n"), 96u, 1u,
          "> k: CTA (0,0,0), thread (32,0,0)",
          TURNS("bar.arrive 1, 64;\n", "bar.sync 1, 64;\n"));
    assert_int_equal(found(TURNS("bar.sync 1, 64;\n", "bar.sync 1, 64;\n"), 96u, false), 0u);
    assert_int_equal(found(TURNS("", ""), 96u, false), 1u);
}

static void atomics_do_not_race_with_each_other(void **state)
{
    (void)state;
    finds(
        KERNEL(SHARED "setp.lt.u32 %p1, %r1, 1;\n@%p1 st.shared.u32 [s], 0;\nbar.sync 0;\n"
                      "atom.shared.add.u32 %r3, [s], 1;\nld.shared.u32 %r2, [s];\n"),
        64u, 1u,
        "> k: CTA (0,0,0), thread (32,0,0): test.ptx:21: warp 1, lane 0 writes shared address "
        "0x0, which warp 0 accesses as well",
        KERNEL(SHARED "setp.lt.u32 %p1, %r1, 1;\n@%p1 st.shared.u32 [s], 0;\nbar.sync 0;\n"
                      "atom.shared.add.u32 %r3, [s], 1;\nbar.sync 0;\n"
                      "ld.shared.u32 %r2, [s];\n"));
}

static void lanes_of_one_store_write_different_values(void **state)
{
    (void)state;
    finds(
        KERNEL(SHARED "and.b64 %d4, %d2, 60;\nst.shared.u32 [%d4], %r1;\n"), 32u, 1u,
        "> k: CTA (0,0,0), thread (16,0,0): test.ptx:19: warp 0, lane 16 writes shared address "
        "0x0, to which lane 0 writes another value (1 time)\n",
        KERNEL(SHARED "and.b64 %d4, %d2, 60;\nand.b32 %r3, %r1, 15;\n"
                      "st.shared.u32 [%d4], %r3;\n"));
    /* only the bytes that are stored count */
    finds(KERNEL(SHARED "mov.b32 %r3, 256;\nmul.lo.u32 %r3, %r3, %r1;\n"
                        "st.shared.u16 [s], %r3;\n"),
          32u, 1u, "> k: CTA (0,0,0), thread (1,0,0): test.ptx:20",
          KERNEL(SHARED "mov.b32 %r3, 256;\nmul.lo.u32 %r3, %r3, %r1;\n"
                        "st.shared.u8 [s], %r3;\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shuffles_from_lanes_that_are_away),
        cmocka_unit_test(a_lane_that_is_away_gives_0_and_one_warning),
        cmocka_unit_test(reads_of_global_memory_that_nothing_has_written),
        cmocka_unit_test(reads_of_shared_and_local_memory_that_nothing_has_written),
        cmocka_unit_test(a_read_without_a_barrier_after_a_write),
        cmocka_unit_test(a_write_without_a_barrier_after_a_read),
        cmocka_unit_test(two_writes_without_a_barrier),
        cmocka_unit_test(barriers_of_some_warps_order_their_accesses),
        cmocka_unit_test(atomics_do_not_race_with_each_other),
        cmocka_unit_test(lanes_of_one_store_write_different_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
