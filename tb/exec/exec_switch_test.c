/* Tests of brx.idx: indices that differ between lanes, tables of any length, lanes that meet
 * again, and indices that have no target. */

#include "exec_kernel.h"

#define TARGETS ".reg .u32 %i;\n" /* the index */

/* ---- A switch against C -------------------------------------------------------------- */

/* Cases of a loop: some fall through, some break out, one leaves the loop, one the kernel. */
static const char machine[] =
    KERNEL(TARGETS "ts: .branchtargets L0, L1, L2, OUT, L1, L5, L6;\n"
                   "mov.u32 %r2, %r1;\nmov.u32 %r3, 0;\n"
                   "LOOP:\n"
                   "mad.lo.u32 %r2, %r2, 5, 1;\n"
                   "shr.u32 %r4, %r2, 4;\nxor.b32 %r4, %r4, %r2;\nrem.u32 %i, %r4, 8;\n"
                   "setp.lt.u32 %p1, %i, 7;\n"
                   "@%p1 brx.idx %i, ts;\n"
                   "add.u32 %r2, %r2, 77;\nbra NEXT;\n"
                   "L0:\nadd.u32 %r2, %r2, 3;\n" /* falls through */
                   "L1:\nxor.b32 %r2, %r2, 0x1234;\nbra NEXT;\n"
                   "L2:\nshl.b32 %r2, %r2, 1;\nbra NEXT;\n"
                   "L5:\nsub.u32 %r2, %r2, %r1;\nbra NEXT;\n"
                   "L6:\nsetp.gt.u32 %p2, %r1, 90;\n@!%p2 bra NEXT;\n"
                   "add.u32 %r2, %r2, 5000;\nst.global.u32 [%d3], %r2;\nret;\n"
                   "NEXT:\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p3, %r3, 30;\n@%p3 bra LOOP;\n"
                   "OUT:\n");

static uint32_t machine_in_c(uint32_t t)
{
    uint32_t x = t;
    for (uint32_t n = 0u; n < 30u; n++) {
        x = x * 5u + 1u;
        switch ((x >> 4 ^ x) % 8u) {
        case 0:
            x += 3u;
            /* falls through */
        case 1:
        case 4:
            x ^= 0x1234u;
            break;
        case 2:
            x <<= 1;
            break;
        case 3:
            return x;
        case 5:
            x -= t;
            break;
        case 6:
            if (t > 90u) {
                return x + 5000u;
            }
            break;
        default:
            x += 77u;
            break;
        }
    }
    return x;
}

static void lanes_that_take_different_targets_do_what_c_does(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b, machine, 500u);
    for (uint32_t t = 0u; t < 500u; t++) {
        assert_int_equal(b.word[t], machine_in_c(t));
    }
    bench_close(&b);
}

/* ---- Tables of any length ------------------------------------------------------------ */

enum { MOST_TARGETS = 40 };

/* Target k adds its number squared; the list is in another order than the text. */
static void put_switch(uint32_t n, bool guarded, char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size, "%s",
                                 HEADER ENTRY TARGETS "mov.u32 %r2, 0;\nts: .branchtargets ");
    for (uint32_t k = 0u; k < n; k++) {
        at += (size_t)snprintf(text + at, size - at, "%sT%u", k == 0u ? "" : ",\n", k * 7u % n);
    }
    at += (size_t)snprintf(text + at, size - at,
                           ";\nrem.u32 %%i, %%r1, %u;\nsetp.ne.u32 %%p1, %%i, 1;\n%s"
                           "brx.idx%s %%i, ts;\nadd.u32 %%r2, %%r2, 100000;\nbra MEET;\n",
                           n, guarded ? "@%p1 " : "", n == 1u ? ".uni" : "");
    for (uint32_t k = 0u; k < n; k++) {
        at += (size_t)snprintf(text + at, size - at,
                               "T%u:\nadd.u32 %%r2, %%r2, %u;\nbra MEET;\n", k, k * k + 1u);
    }
    (void)snprintf(text + at, size - at, "%s", "MEET:\n" STORE END);
}

static void tables_of_any_length_are_indexed_from_0(void **state)
{
    static char text[8192];
    (void)state;
    for (uint32_t n = 1u; n <= MOST_TARGETS; n++) {
        for (uint32_t guarded = 0u; guarded < 2u; guarded++) {
            struct bench b;
            put_switch(n, guarded != 0u, text, sizeof text);
            bench_once(&b, text, 96u);
            for (uint32_t t = 0u; t < 96u; t++) {
                const uint32_t to = t % n * 7u % n;
                const bool jumps = guarded == 0u || t % n != 1u;
                assert_int_equal(b.word[t], jumps ? to * to + 1u : 100000u);
            }
            bench_close(&b);
        }
    }
}

/* ---- Lanes meet ---------------------------------------------------------------------- */

static void the_lanes_meet_again_behind_a_switch(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               KERNEL(TARGETS "rem.u32 %i, %r1, 5;\nts: .branchtargets A, B, C, D, MEET;\n"
                              "brx.idx %i, ts;\nA:\nmov.u32 %r3, 1;\nbra MEET;\n"
                              "B:\nmov.u32 %r3, 2;\nbra MEET;\nC:\nmov.u32 %r3, 3;\nbra MEET;\n"
                              "D:\nmov.u32 %r3, 4;\nMEET:\nactivemask.b32 %r2;\n"),
               64u);
    for (uint32_t t = 0u; t < 64u; t++) {
        assert_int_equal(b.word[t], UINT32_MAX);
    }
    bench_close(&b);
}

static void a_barrier_may_follow_a_switch(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               KERNEL(TARGETS ".shared .u32 s[64];\nshl.b32 %r5, %r1, 2;\nand.b32 %i, %r1, 1;\n"
                              "ts: .branchtargets A, B;\nbrx.idx %i, ts;\n"
                              "A:\nmul.lo.u32 %r3, %r1, 3;\nbra MEET;\n"
                              "B:\nmul.lo.u32 %r3, %r1, 7;\nMEET:\n"
                              "mov.u32 %r6, s;\nadd.u32 %r5, %r5, %r6;\n"
                              "st.shared.u32 [%r5], %r3;\nbar.sync 0;\nxor.b32 %r5, %r5, 252;\n"
                              "ld.shared.u32 %r2, [%r5];\n"),
               64u);
    for (uint32_t t = 0u; t < 64u; t++) {
        const uint32_t other = 63u - t;
        assert_int_equal(b.word[t], other * (other % 2u == 0u ? 3u : 7u));
    }
    bench_close(&b);
}

/* In a function that is written out twice, in a scope of its own. */
static void functions_have_tables_of_their_own(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               HEADER ".func (.reg .u32 o) f(.reg .u32 i)\n{\n{\nts: .branchtargets A, B, C;\n"
                      "brx.idx i, ts;\n}\nA:\nmov.u32 o, 10;\nret;\nB:\nmov.u32 o, 20;\nret;\n"
                      "C:\nmov.u32 o, 30;\n}\n" ENTRY
                      "rem.u32 %r3, %r1, 3;\nrem.u32 %r4, %r1, 2;\ncall (%r5), f, (%r3);\n"
                      "call (%r6), f, (%r4);\nmad.lo.u32 %r2, %r6, 100, %r5;\n" STORE END,
               64u);
    for (uint32_t t = 0u; t < 64u; t++) {
        assert_int_equal(b.word[t], 10u * (t % 3u + 1u) + 1000u * (t % 2u + 1u));
    }
    bench_close(&b);
}

/* ---- What is refused ----------------------------------------------------------------- */

static void an_index_without_a_target_is_refused(void **state)
{
    (void)state;
    bench_refuses(KERNEL("ts: .branchtargets A, B,\nA;\nsetp.gt.u32 %p1, %r1, 34;\n"
                         "@%p1 brx.idx %r1, ts;\nA:\nB:\nmov.u32 %r2, 1;\n"),
                  64u,
                  "k: CTA (0,0,0), thread (35,0,0): test.ptx:19: brx.idx with index 35, which "
                  "has no target; the last is 2");
    bench_refuses(KERNEL("ts: .branchtargets A;\nsub.u32 %r3, 0, %r1;\n"
                         "brx.idx %r3, ts;\nA:\nmov.u32 %r2, 1;\n"),
                  32u,
                  "k: CTA (0,0,0), thread (1,0,0): test.ptx:18: brx.idx with index 4294967295, "
                  "which has no target; the last is 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_that_take_different_targets_do_what_c_does),
        cmocka_unit_test(tables_of_any_length_are_indexed_from_0),
        cmocka_unit_test(the_lanes_meet_again_behind_a_switch),
        cmocka_unit_test(a_barrier_may_follow_a_switch),
        cmocka_unit_test(functions_have_tables_of_their_own),
        cmocka_unit_test(an_index_without_a_target_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
