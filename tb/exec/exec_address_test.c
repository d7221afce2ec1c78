/* Tests of addresses in 32-bit registers, as nvcc writes them, and of plain numbers: one
 * instruction an access, and sums that wrap at 32 bits. */

#include "exec_kernel.h"

static uint32_t length_of(const struct bench *b)
{
    return b->launch.function->n_inst;
}

/* The instructions of a kernel with `text` in front of its store. */
static void counts(const char *text, uint32_t more)
{
    static const char empty[] = HEADER ENTRY END;
    char kernel[4096];
    struct bench b;
    (void)snprintf(kernel, sizeof kernel, "%s%s%s", HEADER ENTRY, text, END);
    bench_open(&b, empty, 32u);
    const uint32_t before = length_of(&b);
    bench_close(&b);
    bench_once(&b, kernel, 32u);
    assert_int_equal(length_of(&b), before + more);
    assert_int_equal(exec_instructions(b.exec), before + more);
    bench_close(&b);
}
#define SHARED ".shared .align 16 .b8 s[1024];\nmov.u32 %r3, s;\n"
#define LOCAL  ".local .align 16 .b8 l[64];\nmov.u32 %r3, l;\n"

static void an_access_through_a_narrow_register_is_one_instruction(void **state)
{
    (void)state;
    counts(SHARED "ld.shared.u32 %r2, [%r3];\nst.shared.u32 [%r3+4], %r2;\n", 3u);
    counts(SHARED "ld.volatile.shared.u32 %r2, [%r3];\nst.volatile.shared.u32 [%r3], %r2;\n",
           3u);
    counts(SHARED "ld.shared.v4.f32 {%f1,%f2,%f3,%f4}, [%r3];\n"
                  "st.shared.v2.u64 [%r3+16], {%d4,%d5};\n",
           3u);
    counts(SHARED "atom.shared.add.u32 %r4, [%r3], 1;\nred.shared.max.s32 [%r3+8], %r4;\n"
                  "atom.shared.cas.b64 %d4, [%r3+16], %d5, %d6;\n"
                  "atom.volatile.shared.exch.b32 %r5, [%r3+4], %r4;\n",
           5u);
    counts(LOCAL "st.local.u32 [%r3+4], %r3;\nld.local.v2.u32 {%r4,%r5}, [%r3];\n"
                 "st.volatile.local.u8 [%r3+1], %r4;\n",
           4u);
    counts("mov.u32 %r3, out;\nld.param.u64 %d4, [%r3];\nld.param.u32 %r4, [%r3+8];\n", 3u);
    counts("setp.eq.u32 %p1, %r1, 3;\n" SHARED "@%p1 ld.shared.u32 %r2, [%r3];\n", 3u);
}

static void an_access_to_a_plain_number_is_one_instruction(void **state)
{
    (void)state;
    counts(".shared .align 16 .b8 s[1024];\nst.shared.u32 [s], 1;\nld.shared.u32 %r2, [4];\n",
           2u);
    counts("setp.eq.u32 %p1, %r1, 99;\n@%p1 ld.global.u32 %r2, [4096];\n"
           "@%p1 st.u32 [4096], %r2;\n",
           3u);
}

static void a_plain_number_is_an_address_of_its_own(void **state)
{
    struct bench b;
    (void)state;
    /* Of a module with global variables, too: it is not counted from where they are. */
    bench_open(&b,
               HEADER ".global .align 4 .u32 variable;\n" ENTRY
                      "ld.global.u32 %r3, [0x10000400];\nld.u32 %r4, [0x10000404];\n"
                      "ld.global.u32 %r5, [variable];\n"
                      "add.u32 %r2, %r3, %r4;\nadd.u32 %r2, %r2, %r5;\n" STORE END,
               1u);
    assert_int_equal(b.out, 0x10000000u);
    b.launch.global_base = b.out + 2048u;
    b.word[256] = 30u;
    b.word[257] = 10u;
    b.word[512] = 2u;
    bench_run(&b);
    assert_int_equal(b.word[0], 42u);
    bench_close(&b);
}

static void narrow_addresses_wrap_in_every_space(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b,
               HEADER
               ".const .align 4 .b8 c[256];\n" ENTRY ".shared .align 4 .b8 s[256];\n"
               ".local .align 4 .b8 l[64];\n"
               "mov.u32 %r3, s;\nsub.u32 %r3, %r3, 64;\nst.shared.u32 [%r3+68], 1;\n"
               "ld.shared.u32 %r4, [s+4];\natom.shared.add.u32 %r5, [%r3+68], 1;\n"
               "add.u32 %r2, %r4, %r5;\n"
               "mov.u32 %r3, l;\nadd.u32 %r3, %r3, -256;\nst.local.u32 [%r3+264], 10;\n"
               "ld.local.u32 %r4, [l+8];\nadd.u32 %r2, %r2, %r4;\n"
               "mov.u32 %r3, c;\nsub.u32 %r3, %r3, 8;\nld.const.u32 %r4, [%r3+16];\n"
               "add.u32 %r2, %r2, %r4;\n"
               "mov.u32 %r3, out;\nadd.u32 %r3, %r3, 1024;\nld.param.u32 %r4, [%r3+-1016];\n"
               "add.u32 %r2, %r2, %r4;\n" STORE END,
               1u);
    const uint32_t constant = 100u;
    memcpy(b.constants + 8, &constant, 4u);
    b.params.n = 1000u;
    bench_run(&b);
    assert_int_equal(b.word[0], 1112u);
    bench_close(&b);
}

/* Lanes below and above zero: tile[tid - 1] of thread 0 is read with + 4. */
static void lanes_wrap_each_for_itself(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               KERNEL(".shared .align 4 .b8 s[256];\nmov.u32 %r3, s;\nshl.b32 %r4, %r1, 2;\n"
                      "add.u32 %r5, %r3, %r4;\nst.shared.u32 [%r5], %r1;\nbar.sync 0;\n"
                      "sub.u32 %r6, %r4, 64;\nadd.u32 %r6, %r6, %r3;\n"
                      "ld.shared.u32 %r2, [%r6+64];\n"),
               64u);
    for (uint32_t t = 0u; t < 64u; t++) {
        assert_int_equal(b.word[t], t);
    }
    assert_int_equal(record_of(&b, 1u, OP_SHARED, 1u, NULL)->accesses, 1u);
    bench_close(&b);
}

static void a_narrow_address_out_of_bounds_is_named_within_32_bits(void **state)
{
    (void)state;
    bench_refuses(KERNEL(".shared .align 4 .b8 s[64];\nmov.u32 %r3, s;\n"
                         "ld.shared.u32 %r2, [%r3+-4];\n"),
                  32u,
                  "k: CTA (0,0,0), thread (0,0,0): test.ptx:18: illegal load of 4 bytes at "
                  "shared address 0xfffffffc: there are 64 bytes");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_access_through_a_narrow_register_is_one_instruction),
        cmocka_unit_test(an_access_to_a_plain_number_is_one_instruction),
        cmocka_unit_test(a_plain_number_is_an_address_of_its_own),
        cmocka_unit_test(narrow_addresses_wrap_in_every_space),
        cmocka_unit_test(lanes_wrap_each_for_itself),
        cmocka_unit_test(a_narrow_address_out_of_bounds_is_named_within_32_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
