/* Tests of memory: spaces, widths, generic addresses, atomics, and accesses that are refused.
 */

#include "exec_kernel.h"

/* ---- Loads and stores ---------------------------------------------------------------- */

static void narrow_values_are_extended_by_their_type(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b,
               KERNEL("ld.global.u8 %r3, [%d1+4096];\nld.global.s8 %r4, [%d1+4096];\n"
                      "ld.global.s8 %d4, [%d1+4096];\nld.global.s16 %r5, [%d1+4096];\n"
                      "ld.global.u16 %h1, [%d1+4096];\nld.global.s32 %d5, [%d1+4096];\n"
                      "ld.global.u32 %d6, [%d1+4096];\nst.global.u32 [%d1], %r3;\n"
                      "st.global.u32 [%d1+4], %r4;\nst.global.u64 [%d1+8], %d4;\n"
                      "st.global.u32 [%d1+16], %r5;\nst.global.u16 [%d1+20], %h1;\n"
                      "st.global.u64 [%d1+24], %d5;\nst.global.u64 [%d1+32], %d6;\n"
                      "st.global.u8 [%d1+40], %d6;\nst.global.u8 [%d1+41], %r3;\n"
                      "st.global.u32 [%d1+44], %d5;\nst.global.u32 [%d1+48], 17;\n"
                      "ld.global.u32 %r2, [%d3];\n"),
               1u);
    b.word[1024] = 0x812345feu;
    bench_run(&b);
    assert_int_equal(b.word[0], 0xfeu);
    assert_int_equal(b.word[1], 0xfffffffeu);
    assert_int_equal(b.word[2], 0xfffffffeu);
    assert_int_equal(b.word[3], 0xffffffffu);
    assert_int_equal(b.word[4], 0x45feu);
    assert_int_equal(b.word[5], 0x45feu);
    assert_int_equal(b.word[7], 0xffffffffu);
    assert_int_equal(b.word[8], 0x812345feu);
    assert_int_equal(b.word[9], 0u);
    assert_int_equal(b.word[10], 0xfefeu);
    assert_int_equal(b.word[11], 0x812345feu);
    assert_int_equal(b.word[12], 17u);
    bench_close(&b);
}

static void vectors_are_loaded_and_stored_whole(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b,
               HEADER ENTRY "mad.lo.u64 %d4, %d2, 3, %d3;\nmov.u64 %d5, %d4;\n"
                            "ld.global.v4.u32 {%r2,%r3,%r4,%r5}, [%d4];\n"
                            "st.global.v2.u32 [%d5], {%r5,%r4};\n"
                            "st.global.v2.u32 [%d5+8], {%r3,%r2};\n"
                            "ld.global.v2.u64 {%d6,%d7}, [%d4];\n"
                            "st.global.v2.u64 [%d4+2048], {%d7,%d6};\n" END,
               64u);
    for (uint32_t k = 0u; k < 256u; k++) {
        b.word[k] = k;
    }
    bench_run(&b);
    for (uint32_t k = 0u; k < 256u; k++) {
        assert_int_equal(b.word[k], k ^ 3u);
        assert_int_equal(b.word[512u + k], k ^ 1u);
    }
    bench_close(&b);
}

static void every_thread_has_its_own_local_array(void **state)
{
    struct bench b;
    (void)state;
    bench_once(
        &b,
        KERNEL(".local .align 4 .b8 mine[16];\nmov.u64 %d4, mine;\n"
               "and.b32 %r3, %r1, 3;\nmul.wide.u32 %d5, %r3, 4;\nadd.u64 %d6, %d4, %d5;\n"
               "st.local.u32 [%d6], %r1;\nld.local.u32 %r4, [mine];\n"
               "ld.local.u32 %r5, [%d4+4];\nadd.u32 %r2, %r4, %r5;\n"),
        64u);
    for (uint32_t t = 0u; t < 64u; t++) {
        assert_int_equal(b.word[t], t % 4u < 2u ? t : 0u);
    }
    bench_close(&b);
}

static void a_generic_address_reaches_every_space(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               KERNEL(".shared .align 4 .b8 s[256];\n.local .align 4 .b8 l[4];\n"
                      "mov.u64 %d4, s;\ncvta.shared.u64 %d4, %d4;\nadd.u64 %d4, %d4, %d2;\n"
                      "mov.u64 %d5, l;\ncvta.local.u64 %d5, %d5;\nadd.u64 %d6, %d3, 1024;\n"
                      "rem.u32 %r3, %r1, 3;\nsetp.eq.u32 %p1, %r3, 0;\n"
                      "setp.eq.u32 %p2, %r3, 1;\nselp.b64 %d7, %d4, %d5, %p1;\n"
                      "selp.b64 %d7, %d6, %d7, %p2;\nadd.u32 %r4, %r1, 5;\nst.u32 [%d7], %r4;\n"
                      "@%p1 ld.shared.u32 %r2, [%d2];\n"
                      "@%p2 ld.global.u32 %r2, [%d6];\n"
                      "setp.eq.u32 %p3, %r3, 2;\n@%p3 ld.local.u32 %r2, [l];\n"),
               64u);
    for (uint32_t t = 0u; t < 64u; t++) {
        assert_int_equal(b.word[t], t + 5u);
        assert_int_equal(b.word[256u + t], t % 3u == 1u ? t + 5u : 0u);
    }
    bench_close(&b);
}

static void constants_and_parameters_are_read(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b,
               HEADER ".const .align 4 .b8 c[256];\n" ENTRY
                      "and.b64 %d4, %d2, 255;\nld.const.u32 %r3, [c+8];\nmov.u64 %d5, c;\n"
                      "add.u64 %d5, %d5, %d4;\nld.const.u32 %r4, [%d5];\n"
                      "ld.param.u32 %r5, [n];\nadd.u32 %r2, %r3, %r4;\n"
                      "add.u32 %r2, %r2, %r5;\n" STORE END,
               64u);
    for (uint32_t k = 0u; k < 64u; k++) {
        const uint32_t value = k * 3u;
        memcpy(b.constants + (size_t)4u * k, &value, 4u);
    }
    b.params.n = 1000u;
    bench_run(&b);
    assert_int_equal(b.word[0], 1006u);
    assert_int_equal(b.word[63], 1006u + 189u);
    bench_close(&b);
}

static void dynamic_shared_memory_follows_the_static(void **state)
{
    struct bench b;
    static const char text[] =
        HEADER ".extern .shared .align 16 .b8 dynamic[];\n" ENTRY
               ".shared .align 4 .b8 fixed[64];\nmov.u64 %d4, dynamic;\ncvt.u32.u64 %r3, %d4;\n"
               "shl.b32 %r4, %r1, 2;\nadd.u32 %r3, %r3, %r4;\nst.shared.u32 [%r3], %r1;\n"
               "st.shared.u32 [fixed], 99;\nbar.sync 0;\nxor.b32 %r4, %r4, 4;\n"
               "mov.u64 %d4, dynamic;\ncvt.u32.u64 %r3, %d4;\nadd.u32 %r3, %r3, %r4;\n"
               "ld.shared.u32 %r2, [%r3];\n" STORE END;
    (void)state;
    bench_open(&b, text, 64u);
    b.launch.dynamic_shared = 256u;
    bench_run(&b);
    for (uint32_t t = 0u; t < 64u; t++) {
        assert_int_equal(b.word[t], t ^ 1u);
    }
    b.launch.dynamic_shared = 128u;
    assert_false(bench_try(&b, 0u));
    assert_non_null(strstr(fault_text(&b.fault),
                           "thread (32,0,0): test.ptx:22: illegal store of 4 bytes at "
                           "shared address 0xc0: there are 192 bytes"));
    bench_close(&b);
}

static void global_variables_lie_where_the_launch_says(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b,
               HEADER ".global .align 4 .b8 first[64];\n.global .align 4 .u32 second;\n" ENTRY
                      "mov.u64 %d4, second;\nld.global.u32 %r3, [%d4];\n"
                      "ld.global.u32 %r4, [second];\nadd.u32 %r2, %r3, %r4;\n" STORE END,
               1u);
    b.launch.global_base = b.out + 1024u;
    b.word[256 + 16] = 21u;
    bench_run(&b);
    assert_int_equal(b.word[0], 42u);
    bench_close(&b);
}

/* ---- Atomics ------------------------------------------------------------------------- */

static void atomics_are_done_lane_after_lane(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b, KERNEL("atom.global.add.u32 %r2, [%d1+1024], %r1;\n"), 64u);
    for (uint32_t t = 0u; t < 64u; t++) {
        assert_int_equal(b.word[t], t * (t - 1u) / 2u);
    }
    assert_int_equal(b.word[256], 63u * 32u);
    bench_close(&b);
}

/* One atomic of 32 threads on word 256, which is `before`; what is in it then. */
static uint32_t after(const char *text, uint32_t before)
{
    struct bench b;
    bench_open(&b, text, 32u);
    b.word[256] = before;
    bench_run(&b);
    const uint32_t result = b.word[256];
    bench_close(&b);
    return result;
}
#define RED(how)  KERNEL("neg.s32 %r3, %r1;\nred.global." how ";\n")
#define ATOM(how) KERNEL("neg.s32 %r3, %r1;\natom.global." how ";\n")

static void every_atomic_does_what_it_says(void **state)
{
    (void)state;
    assert_int_equal(after(RED("add.u32 [%d1+1024], 3"), 4u), 100u);
    assert_int_equal(after(RED("min.s32 [%d1+1024], %r3"), 4u), (uint32_t)-31);
    assert_int_equal(after(RED("min.u32 [%d1+1024], %r3"), 4u), 0u);
    assert_int_equal(after(RED("max.s32 [%d1+1024], %r3"), (uint32_t)-50), 0u);
    assert_int_equal(after(RED("max.u32 [%d1+1024], %r3"), 4u), UINT32_MAX);
    assert_int_equal(after(RED("and.b32 [%d1+1024], %r3"), 0x77u), 0u);
    assert_int_equal(after(RED("or.b32 [%d1+1024], %r1"), 0x100u), 0x11fu);
    assert_int_equal(after(RED("xor.b32 [%d1+1024], 1"), 6u), 6u);
    assert_int_equal(after(RED("inc.u32 [%d1+1024], 9"), 0u), 2u);
    assert_int_equal(after(RED("dec.u32 [%d1+1024], 9"), 1u), 9u);
    assert_int_equal(after(ATOM("exch.b32 %r2, [%d1+1024], %r1"), 6u), 31u);
    assert_int_equal(after(ATOM("cas.b32 %r2, [%d1+1024], %r1, 20"), 6u), 31u - 11u);
    assert_int_equal(after(RED("add.f32 [%d1+1024], 0f3F800000"), 0x40000000u), 0x42080000u);
}

static void wide_atomics_and_those_on_shared_memory(void **state)
{
    struct bench b;
    double sum;
    (void)state;
    bench_once(&b,
               KERNEL(".shared .align 8 .b8 s[8];\n"
                      "cvt.u64.u32 %d4, %r1;\nshl.b64 %d5, %d4, 32;\n"
                      "red.global.add.u64 [%d1+1024], %d5;\n"
                      "atom.global.max.u64 %d6, [%d1+1032], %d5;\n"
                      "red.global.add.f64 [%d1+1040], 0d3FF8000000000000;\n"
                      "atom.shared.add.u32 %r3, [s], 1;\nbar.sync 0;\n"
                      "atom.shared.exch.b32 %r4, [s+4], %r1;\n"
                      "ld.shared.u32 %r2, [s];\n"),
               32u);
    assert_int_equal(b.word[0], 32u);
    assert_int_equal(b.word[257], 496u);
    assert_int_equal(b.word[259], 31u);
    memcpy(&sum, &b.word[260], sizeof sum);
    assert_true(sum >= 48.0 && sum <= 48.0);
    assert_int_equal(record_of(&b, 0u, OP_SHARED, 0u, NULL)->accesses, 32u);
    bench_close(&b);
}

/* Each thread turns its number, which it finds in the lower half of a word of which two threads
 * have a half each, into another one; a second time it finds no match. */
#define HALF_WORDS(space, address)                                                       \
    "mul.wide.u32 %d5, %r1, 2;\nadd.u64 %d5, %d5, " address ";\ncvt.u16.u32 %h1, %r1;\n" \
    "add.u16 %h2, %h1, 40000;\natom" space ".cas.b16 %h3, [%d5], %h1, %h2;\n"            \
    "atom" space ".cas.b16 %h4, [%d5], %h1, 7;\nmov.b32 %r2, {%h3, %h4};\n"

static void halves_of_words_are_compared_and_swapped(void **state)
{
    static const char *const texts[] = {
        KERNEL("add.u64 %d4, %d1, 4096;\n" HALF_WORDS(".global", "%d4")),
        KERNEL("add.u64 %d4, %d1, 4096;\n" HALF_WORDS("", "%d4")),
        KERNEL(".shared .align 4 .b8 s[128];\nmov.u64 %d4, s;\nmul.wide.u32 %d5, %r1, 2;\n"
               "add.u64 %d5, %d5, %d4;\nst.shared.u16 [%d5], %r1;\nbar.sync 0;\n" HALF_WORDS(
                   ".shared", "%d4") "mul.wide.u32 %d6, %r1, 2;\nadd.u64 %d6, %d6, %d1;\n"
                                     "bar.sync 0;\nld.shared.u16 %h5, [%d5];\n"
                                     "st.global.u16 [%d6+4096], %h5;\n"),
    };
    (void)state;
    for (uint32_t k = 0u; k < 3u; k++) {
        struct bench b;
        bench_open(&b, texts[k], 64u);
        for (uint32_t t = 0u; t < 32u; t++) {
            b.word[1024u + t] = (2u * t + 1u) << 16 | 2u * t;
        }
        bench_run(&b);
        for (uint32_t t = 0u; t < 64u; t++) {
            const uint32_t now = b.word[1024u + t / 2u] >> 16u * (t % 2u) & 0xffffu;
            assert_int_equal(b.word[t], (40000u + t) << 16 | t);
            assert_int_equal(now, 40000u + t);
        }
        bench_close(&b);
    }
}

/* The lanes take turns: each adds 1 to a half that is all ones but for two, and the other half
 * stays. */
static void a_half_s_neighbour_is_left_alone(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b,
               KERNEL("cvt.u16.u32 %h1, %r1;\nadd.s16 %h2, %h1, -5;\nadd.s16 %h3, %h2, 1;\n"
                      "atom.global.cas.b16 %h4, [%d1+4098], %h2, %h3;\ncvt.u32.u16 %r2, %h4;\n"
                      "atom.global.cas.b16 _, [%d1+4102], %h1, %h1;\n"),
               32u);
    b.word[1024] = 0xfffb1234u;
    b.word[1025] = 0x56789abcu;
    bench_run(&b);
    for (uint32_t t = 0u; t < 32u; t++) {
        assert_int_equal(b.word[t], (65531u + t) & 0xffffu);
    }
    assert_int_equal(b.word[1024], 0x001b1234u);
    assert_int_equal(b.word[1025], 0x56789abcu);
    bench_close(&b);
}

/* ---- What is refused ----------------------------------------------------------------- */

static void accesses_outside_of_memory_are_refused(void **state)
{
    (void)state;
    bench_refuses(KERNEL("ld.global.u32 %r2, [%d3+16300];\n"), 32u,
                  "k: CTA (0,0,0), thread (21,0,0): test.ptx:16: illegal load of 4 bytes at "
                  "global address 0x10004000: 0 bytes past the end of the 16384 allocated at "
                  "0x10000000");
    bench_refuses(
        KERNEL("mov.u64 %d4, 0;\nmov.u32 %r2, 1;\nst.global.u32 [%d4], %r2;\n"), 32u,
        "k: CTA (0,0,0), thread (0,0,0): test.ptx:18: null store of 4 bytes at global "
        "address 0x0: 268435456 bytes below the 16384 allocated at 0x10000000");
    bench_refuses(KERNEL("ld.global.v2.u32 {%r2,%r3}, [%d3];\n"), 32u,
                  "k: CTA (0,0,0), thread (1,0,0): test.ptx:16: misaligned load of 8 bytes at "
                  "global address 0x10000004: byte 4 of the 16384 allocated at 0x10000000, "
                  "16380 before its end");
    bench_refuses(
        KERNEL("atom.global.cas.b16 %h1, [%d1+1], %h2, %h3;\n"), 32u,
        "k: CTA (0,0,0), thread (0,0,0): test.ptx:16: misaligned atomic of 2 bytes at "
        "global address 0x10000001: byte 1 of the 16384 allocated at 0x10000000, "
        "16383 before its end");
    bench_refuses(KERNEL(".shared .align 4 .b8 s[64];\nld.shared.u32 %r2, [s];\nld.shared.u32 "
                         "%r2, [%d2];\n"),
                  32u,
                  "k: CTA (0,0,0), thread (16,0,0): test.ptx:18: illegal load of 4 bytes at "
                  "shared address 0x40: there are 64 bytes");
}

/* The allocation of 16384 bytes has neighbours on both sides that the lanes would reach. */
static void accesses_off_by_one_are_located(void **state)
{
    static const struct {
        const char *text, *message;
    } of[] = {
        { KERNEL("ld.global.u32 %r2, [%d3+16260];\n"),
          "thread (31,0,0): test.ptx:16: illegal load of 4 bytes at global address "
          "0x10005100: 0 bytes past the end of the 16384 allocated at 0x10001100" },
        { KERNEL("st.global.u32 [%d3+16320], %r1;\n"),
          "thread (16,0,0): test.ptx:16: illegal store of 4 bytes at global address "
          "0x10005100: 0 bytes past the end of the 16384 allocated at 0x10001100" },
        { KERNEL("st.global.u32 [%d3+-4], %r1;\n"),
          "thread (0,0,0): test.ptx:16: illegal store of 4 bytes at global address "
          "0x100010fc: 4 bytes below the 16384 allocated at 0x10001100" },
        { KERNEL("red.global.add.u32 [%d3+-4], %r1;\n"),
          "thread (0,0,0): test.ptx:16: illegal atomic of 4 bytes at global address "
          "0x100010fc: 4 bytes below the 16384 allocated at 0x10001100" },
        { KERNEL("st.u32 [%d3+16320], %r1;\n"),
          "thread (16,0,0): test.ptx:16: illegal store of 4 bytes at global address "
          "0x10005100: 0 bytes past the end of the 16384 allocated at 0x10001100" },
        { KERNEL("add.u64 %d4, %d3, %d2;\nst.global.v2.u32 [%d4+16256], {%r1,%r1};\n"),
          "thread (16,0,0): test.ptx:17: illegal store of 8 bytes at global address "
          "0x10005100: 0 bytes past the end of the 16384 allocated at 0x10001100" },
        { KERNEL("ld.global.u32 %r2, [%d3+-4356];\n"), /* begins before the neighbour */
          "thread (0,0,0): test.ptx:16: illegal load of 4 bytes at global address "
          "0xffffffc: 4 bytes below the 256 allocated at 0x10000000" },
    };
    (void)state;
    for (uint32_t k = 0u; k < sizeof of / sizeof of[0]; k++) {
        struct bench b;
        bench_open(&b, of[k].text, 32u);
        assert_true(device_free(b.memory, b.out));
        assert_int_equal(device_alloc(b.memory, 256u), DEVICE_BASE);
        b.params.out = b.out = device_alloc(b.memory, 16384u);
        assert_int_not_equal(device_alloc(b.memory, 256u), 0u);
        assert_false(bench_try(&b, 0u));
        assert_non_null(strstr(fault_text(&b.fault), of[k].message));
        bench_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrow_values_are_extended_by_their_type),
        cmocka_unit_test(vectors_are_loaded_and_stored_whole),
        cmocka_unit_test(every_thread_has_its_own_local_array),
        cmocka_unit_test(a_generic_address_reaches_every_space),
        cmocka_unit_test(constants_and_parameters_are_read),
        cmocka_unit_test(dynamic_shared_memory_follows_the_static),
        cmocka_unit_test(global_variables_lie_where_the_launch_says),
        cmocka_unit_test(atomics_are_done_lane_after_lane),
        cmocka_unit_test(every_atomic_does_what_it_says),
        cmocka_unit_test(wide_atomics_and_those_on_shared_memory),
        cmocka_unit_test(halves_of_words_are_compared_and_swapped),
        cmocka_unit_test(a_half_s_neighbour_is_left_alone),
        cmocka_unit_test(accesses_outside_of_memory_are_refused),
        cmocka_unit_test(accesses_off_by_one_are_located),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
