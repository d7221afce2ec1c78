/* Tests of execution: paths that part and meet again. */

#include "exec_kernel.h"
#include "synthetic/synthetic_address.h"

/* ---- Divergence ---------------------------------------------------------------------- */

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

/* ---- Random graphs ------------------------------------------------------------------- */

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

/* ---- Records of branches ------------------------------------------------------------- */

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
        cmocka_unit_test(the_same_launch_gives_the_same_streams_from_used_buffers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
