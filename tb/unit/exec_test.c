/* Tests of execution: paths that part and meet, barriers, exits, and what is refused. */

#include "exec_kernel.h"
#include "synthetic_address.h"

/* ---- Divergence ------------------------------------------------------------------------- */

static const char torture[] = KERNEL("mov.u32 %r2, 1;\n"
                                     "mov.u32 %r3, 0;\n"
                                     "rem.u32 %r4, %r1, 7;\n"
                                     "and.b32 %r5, %r1, 3;\n"
                                     "add.u32 %r5, %r5, 1;\n"
                                     "OUTER:\n"
                                     "setp.ge.u32 %p1, %r3, %r4;\n"
                                     "@%p1 bra DONE;\n"
                                     "mov.u32 %r6, 0;\n"
                                     "INNER:\n"
                                     "add.u32 %r6, %r6, 1;\n"
                                     "mad.lo.u32 %r2, %r2, 3, %r6;\n"
                                     "xor.b32 %r7, %r2, %r1;\n"
                                     "and.b32 %r7, %r7, 2;\n"
                                     "setp.ne.u32 %p2, %r7, 0;\n"
                                     "@%p2 bra CONTINUE;\n"
                                     "add.u32 %r2, %r2, %r3;\n"
                                     "and.b32 %r8, %r2, 7;\n"
                                     "setp.eq.u32 %p3, %r8, 5;\n"
                                     "@%p3 bra BREAK;\n"
                                     "CONTINUE:\n"
                                     "setp.lt.u32 %p4, %r6, %r5;\n"
                                     "@%p4 bra INNER;\n"
                                     "BREAK:\n"
                                     "and.b32 %r9, %r2, 3;\n"
                                     "setp.eq.u32 %p5, %r9, 0;\n"
                                     "@%p5 bra CASE_0;\n"
                                     "setp.eq.u32 %p5, %r9, 1;\n"
                                     "@%p5 bra CASE_1;\n"
                                     "setp.eq.u32 %p5, %r9, 2;\n"
                                     "@%p5 bra CASE_2;\n"
                                     "mul.lo.u32 %r2, %r2, 5;\n"
                                     "bra NEXT;\n"
                                     "CASE_0:\n"
                                     "add.u32 %r2, %r2, 1;\n" /* falls through */
                                     "CASE_1:\n"
                                     "xor.b32 %r2, %r2, %r1;\n"
                                     "bra NEXT;\n"
                                     "CASE_2:\n"
                                     "setp.gt.u32 %p6, %r1, 40;\n"
                                     "@!%p6 bra NEXT;\n"
                                     "add.u32 %r2, %r2, 1000;\n"
                                     "st.global.u32 [%d3], %r2;\n"
                                     "ret;\n"
                                     "NEXT:\n"
                                     "add.u32 %r3, %r3, 1;\n"
                                     "bra OUTER;\n"
                                     "DONE:\n");

static uint32_t inner(uint32_t t, uint32_t i, uint32_t sum)
{
    uint32_t j = 0u;
    do {
        j++;
        sum = sum * 3u + j;
        if (((sum ^ t) & 2u) != 0u) {
            continue;
        }
        sum += i;
        if ((sum & 7u) == 5u) {
            break;
        }
    } while (j < (t & 3u) + 1u);
    return sum;
}

static uint32_t torture_in_c(uint32_t t)
{
    uint32_t sum = 1u;
    for (uint32_t i = 0u; i < t % 7u; i++) {
        sum = inner(t, i, sum);
        const uint32_t which = sum & 3u;
        if (which < 2u) {
            sum = (which == 0u ? sum + 1u : sum) ^ t;
        } else if (which == 3u) {
            sum *= 5u;
        } else if (t > 40u) {
            return sum + 1000u;
        }
    }
    return sum;
}

static void loops_breaks_switches_and_exits_are_those_of_c(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b, torture, 500u);
    for (uint32_t t = 0u; t < 500u; t++) {
        assert_int_equal(b.word[t], torture_in_c(t));
    }
    assert_int_equal(b.word[500], 0u);
    bench_close(&b);
}

static void loops_do_not_make_the_stack_grow(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b,
               KERNEL("mov.u32 %r2, 0;\nLOOP:\nadd.u32 %r2, %r2, 1;\n"
                      "and.b32 %r3, %r2, 1;\nsetp.eq.u32 %p1, %r3, 1;\n@%p1 bra ODD;\n"
                      "add.u32 %r4, %r4, %r1;\nODD:\nmad.lo.u32 %r5, %r1, 50, 10;\n"
                      "setp.lt.u32 %p2, %r2, %r5;\n@%p2 bra LOOP;\nadd.u32 %r2, %r2, %r4;\n"),
               64u);
    bench_run(&b);
    for (uint32_t t = 0u; t < 64u; t++) {
        assert_int_equal(b.word[t], 50u * t + 10u + (25u * t + 5u) * t);
    }
    bench_close(&b);
}

/* ---- Random graphs ---------------------------------------------------------------------- */

enum { BLOCKS = 12, GRAPHS = 150, STEPS = 60, THREADS = 70 };

/* A block's ways out: a jump if a bit of the sum is set, to any block; otherwise another jump,
 * the exit for some sums, or the block behind it. */
struct graph {
    struct {
        uint32_t bit, to, other, way;
    } block[BLOCKS];
};

static struct graph random_graph(uint64_t seed)
{
    struct graph g;
    for (uint32_t k = 0u; k < BLOCKS; k++) {
        const uint64_t hash = synthetic_hash(seed, k);
        g.block[k].bit = 1u << (hash >> 60 & 3u);
        g.block[k].to = (uint32_t)(hash >> 40 & 0xffffu) % BLOCKS;
        g.block[k].other = (uint32_t)(hash >> 20 & 0xffffu) % BLOCKS;
        g.block[k].way = (uint32_t)hash & 3u;
    }
    return g;
}

static size_t put_block(const struct graph *g, uint32_t k, char *text, size_t size)
{
    size_t n = (size_t)snprintf(text, size,
                                "B%u:\nadd.u32 %%r3, %%r3, 1;\n"
                                "setp.ge.u32 %%p1, %%r3, %u;\n@%%p1 bra DONE;\n"
                                "mad.lo.u32 %%r2, %%r2, 5, %%r1;\nadd.u32 %%r2, %%r2, %u;\n"
                                "and.b32 %%r4, %%r2, %u;\nsetp.ne.u32 %%p2, %%r4, 0;\n"
                                "@%%p2 bra B%u;\n",
                                k, (unsigned)STEPS, k, g->block[k].bit, g->block[k].to);
    if (g->block[k].way == 1u) {
        n += (size_t)snprintf(text + n, size - n, "bra B%u;\n", g->block[k].other);
    } else if (g->block[k].way == 2u) {
        n += (size_t)snprintf(text + n, size - n, "%s",
                              "and.b32 %r5, %r2, 96;\nsetp.eq.u32 %p3, %r5, 32;\n"
                              "@%p3 bra DONE;\n");
    } else if (g->block[k].way == 3u) {
        n += (size_t)snprintf(text + n, size - n, "%s",
                              "and.b32 %r5, %r2, 112;\nsetp.eq.u32 %p3, %r5, 48;\n"
                              "@%p3 ret;\n");
    }
    return n;
}

static uint32_t walk(const struct graph *g, uint32_t t)
{
    uint32_t sum = 0u;
    uint32_t k = 0u;
    for (uint32_t step = 1u; step < STEPS && k < BLOCKS; step++) {
        sum = sum * 5u + t + k;
        if ((sum & g->block[k].bit) != 0u) {
            k = g->block[k].to;
        } else if (g->block[k].way == 1u) {
            k = g->block[k].other;
        } else if (g->block[k].way == 2u && (sum & 96u) == 32u) {
            return sum;
        } else if (g->block[k].way == 3u && (sum & 112u) == 48u) {
            return 0u; /* without a store */
        } else {
            k++;
        }
    }
    return sum;
}

static void any_graph_gives_what_its_threads_give_alone(void **state)
{
    static char text[16384];
    (void)state;
    for (uint32_t seed = 0u; seed < GRAPHS; seed++) {
        const struct graph g = random_graph(seed);
        struct bench b;
        size_t n = (size_t)snprintf(text, sizeof text, "%s",
                                    HEADER ENTRY "mov.u32 %r2, 0;\nmov.u32 %r3, 0;\n");
        for (uint32_t k = 0u; k < BLOCKS; k++) {
            n += put_block(&g, k, text + n, sizeof text - n);
        }
        (void)snprintf(text + n, sizeof text - n, "%s", "DONE:\n" STORE END);
        bench_once(&b, text, THREADS);
        for (uint32_t t = 0u; t < THREADS; t++) {
            assert_int_equal(b.word[t], walk(&g, t));
        }
        bench_close(&b);
    }
}

/* ---- Records of branches ---------------------------------------------------------------- */

static void the_lanes_meet_again_behind_an_if(void **state)
{
    struct bench b;
    const struct instruction *i;
    (void)state;
    bench_once(&b,
               KERNEL("mov.u32 %r2, 0;\nsetp.lt.u32 %p1, %r1, 10;\n@%p1 bra LESS;\n"
                      "add.u32 %r2, %r2, 1;\nbra MEET;\nLESS:\nadd.u32 %r2, %r2, 2;\nMEET:\n"
                      "activemask.b32 %r3;\nadd.u32 %r2, %r2, %r3;\n"),
               32u);
    assert_int_equal(b.word[0], 1u);
    assert_int_equal(b.word[10], 0u);
    i = record_of(&b, 0u, OP_BRANCH, 0u, NULL);
    assert_int_equal(i->flags, TAKEN);
    assert_int_equal(i->lanes, 10u);
    assert_int_equal(i[1].lanes, 10u); /* those that jump go first */
    assert_int_equal(i[2].lanes, 22u);
    assert_int_equal(i[3].op, OP_BRANCH);
    assert_int_equal(i[4].lanes, 32u);
    bench_close(&b);
}

/* What a lane that traps would do next does not matter: it ends the run. */
static void the_lanes_meet_again_behind_code_that_may_trap(void **state)
{
    static const char *const traps[] = {
        "@%p2 trap;\n",
        "@%p2 bra TRAP;\nbra GOOD;\nTRAP:\ntrap;\nGOOD:\n",
        "@!%p2 bra GOOD;\nadd.u32 %r3, %r3, 1;\nbra TRAP;\nTRAP:\ntrap;\nGOOD:\n",
        "@!%p2 bra GOOD;\n@%p3 bra OTHER;\ntrap;\nOTHER:\ntrap;\nexit;\nGOOD:\n",
    };
    (void)state;
    for (size_t k = 0u; k < sizeof traps / sizeof traps[0]; k++) {
        char text[2048];
        struct bench b;
        (void)snprintf(text, sizeof text, "%s%s%s",
                       HEADER ENTRY "setp.ge.u32 %p1, %r1, 10;\nsetp.gt.u32 %p2, %r1, 99;\n"
                                    "@%p1 bra MEET;\n",
                       traps[k],
                       "mul.lo.u32 %r3, %r1, 3;\nMEET:\nactivemask.b32 %r2;\n" STORE END);
        bench_once(&b, text, 32u);
        assert_int_equal(b.word[0], UINT32_MAX);
        assert_int_equal(b.word[31], UINT32_MAX);
        bench_close(&b);
    }
}

static void a_branch_that_nobody_takes_is_not_taken(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b, KERNEL("setp.gt.u32 %p1, %r1, 99;\n@%p1 bra OUT;\nmov.u32 %r2, 5;\nOUT:\n"),
               32u);
    assert_int_equal(record_of(&b, 0u, OP_BRANCH, 0u, NULL)->flags, 0u);
    assert_int_equal(record_of(&b, 0u, OP_BRANCH, 0u, NULL)->lanes, 0u);
    assert_int_equal(b.word[31], 5u);
    bench_close(&b);
}

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

/* ---- What is refused -------------------------------------------------------------------- */

static void an_endless_kernel_is_stopped(void **state)
{
    (void)state;
    bench_refuses(KERNEL("LOOP:\nbra LOOP;\n"), 32u,
                  "k: CTA (0,0,0), thread (0,0,0): test.ptx:17: the CTA has executed 1048576 "
                  "warp instructions: it seems endless");
    bench_refuses(KERNEL("LOOP:\natom.global.cas.b32 %r3, [%d1], 0, 1;\n"
                         "setp.ne.u32 %p1, %r3, 0;\n@%p1 bra LOOP;\n"
                         "st.global.u32 [%d1], 0;\n"),
                  32u,
                  "k: CTA (0,0,0), thread (1,0,0): test.ptx:17: the CTA has executed 1048576 "
                  "warp instructions: it seems endless; lanes cannot wait for others of their "
                  "warp");
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
    assert_string_equal(b.message, "k: CTA (1,1,1), thread (0,0,1): test.ptx:18: trap");
    bench_close(&b);
}

static void the_same_launch_gives_the_same_streams_from_used_buffers(void **state)
{
    struct bench b, other;
    (void)state;
    bench_once(&b, torture, 500u);
    bench_once(&other, torture, 500u);
    bench_run(&other);
    bench_run(&other);
    for (uint32_t k = 0u; k < bench_warps(&b); k++) {
        const uint32_t n = check_stream(&b, &b.warp[k]);
        assert_int_equal(check_stream(&other, &other.warp[k]), n);
        assert_memory_equal(b.warp[k].instruction, other.warp[k].instruction,
                            n * sizeof(struct instruction));
    }
    bench_close(&b);
    bench_close(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_breaks_switches_and_exits_are_those_of_c),
        cmocka_unit_test(loops_do_not_make_the_stack_grow),
        cmocka_unit_test(any_graph_gives_what_its_threads_give_alone),
        cmocka_unit_test(the_lanes_meet_again_behind_an_if),
        cmocka_unit_test(the_lanes_meet_again_behind_code_that_may_trap),
        cmocka_unit_test(a_branch_that_nobody_takes_is_not_taken),
        cmocka_unit_test(only_the_last_lanes_exit_is_an_exit_to_the_timing_model),
        cmocka_unit_test(special_registers_say_who_a_thread_is),
        cmocka_unit_test(cvt_may_read_the_low_part_of_a_register),
        cmocka_unit_test(predicates_are_computed_with_and_guard),
        cmocka_unit_test(a_clock_advances),
        cmocka_unit_test(a_warp_may_wait_for_what_another_writes),
        cmocka_unit_test(an_endless_kernel_is_stopped),
        cmocka_unit_test(a_trap_is_reported_with_its_thread),
        cmocka_unit_test(threads_and_ctas_are_named_by_their_coordinates),
        cmocka_unit_test(the_same_launch_gives_the_same_streams_from_used_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
