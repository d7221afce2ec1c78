/* Tests of addresses of variables: of every space, in 32 and 64 bits, with offsets. */

#include "exec_kernel.h"

/* Variables of every space. The first of each is there so that no address is 0. */
#define VARIABLES                                                                        \
    ".global .align 4 .b8 before[12];\n.global .align 4 .u32 table[4] = {5, 6, 7, 8};\n" \
    ".const .align 4 .b8 odd[20];\n.const .align 4 .b8 c[32];\n"                         \
    ".shared .align 4 .b8 first[8];\n.shared .align 4 .b8 module[256];\n"                \
    ".extern .shared .align 4 .b8 dynamic[];\n"
#define SYMBOLS(...) HEADER VARIABLES ENTRY "st.shared.u32 [first], 0;\n" __VA_ARGS__ STORE END

/* Does the kernel write value(thread) to each word? */
static void expect(const char *text, uint32_t (*value)(uint32_t thread))
{
    struct bench b;
    bench_open(&b, text, 64u);
    b.launch.dynamic_shared = 256u;
    b.launch.global_base = b.out + 8192u;
    for (uint32_t k = 0u; k < 13u; k++) {
        const uint32_t word = 100u + k;
        memcpy(b.constants + (size_t)4u * k, &word, sizeof word);
        b.word[2048u + k] = 500u + k;
    }
    bench_run(&b);
    for (uint32_t t = 0u; t < 64u; t++) {
        if (b.word[t] != value(t)) {
            fail_msg("thread %u: %u, not %u, of\n%s", t, b.word[t], value(t), text);
        }
    }
    bench_close(&b);
}

/* ---- Shared memory ------------------------------------------------------------------- */

static uint32_t same(uint32_t t)
{
    return t;
}
static uint32_t neighbour(uint32_t t)
{
    return t ^ 1u;
}

/* A word of each thread at the address in %ADDRESS, of WIDTH bits; then the neighbour's. */
#define EXCHANGE_32                                                                          \
    "shl.b32 %r6, %r1, 2;\nadd.u32 %r7, %r5, %r6;\nst.shared.u32 [%r7], %r1;\nbar.sync 0;\n" \
    "xor.b32 %r6, %r6, 4;\nadd.u32 %r7, %r5, %r6;\nld.shared.u32 %r2, [%r7];\n"
#define EXCHANGE_64                                                                          \
    "add.u64 %d5, %d4, %d2;\nst.shared.u32 [%d5], %r1;\nbar.sync 0;\nxor.b64 %d6, %d2, 4;\n" \
    "add.u64 %d5, %d4, %d6;\nld.shared.u32 %r2, [%d5];\n"

static void shared_variables_have_addresses_of_32_and_64_bits(void **state)
{
    (void)state;
    expect(SYMBOLS("mov.u32 %r5, module;\n" EXCHANGE_32), neighbour);
    expect(SYMBOLS("mov.b32 %r5, module;\n" EXCHANGE_32), neighbour);
    expect(SYMBOLS("mov.s32 %r5, module;\n" EXCHANGE_32), neighbour);
    expect(SYMBOLS("mov.u64 %d4, module;\n" EXCHANGE_64), neighbour);
    expect(SYMBOLS("mov.b64 %d4, module;\n" EXCHANGE_64), neighbour);
    expect(SYMBOLS(".shared .align 8 .b8 mine[256];\nmov.u32 %r5, mine;\n" EXCHANGE_32),
           neighbour);
    expect(SYMBOLS("mov.u32 %r5, dynamic;\n" EXCHANGE_32), neighbour);
    expect(SYMBOLS("mov.u64 %d4, dynamic;\n" EXCHANGE_64), neighbour);
}

static void offsets_are_added_to_addresses(void **state)
{
    (void)state;
    /* module ends at 264, and dynamic begins at 272. */
    expect(SYMBOLS("mov.u32 %r5, module+8;\nmov.u32 %r6, module;\nsub.u32 %r5, %r5, %r6;\n"
                   "add.u32 %r2, %r1, %r5;\nsub.u32 %r2, %r2, 8;\n"),
           same);
    expect(SYMBOLS("mov.u32 %r5, dynamic+16-24;\nmov.u32 %r6, dynamic;\n"
                   "sub.u32 %r5, %r6, %r5;\nadd.u32 %r2, %r1, %r5;\nsub.u32 %r2, %r2, 8;\n"),
           same);
    expect(SYMBOLS("mov.u64 %d4, module+248;\nmov.u64 %d5, dynamic+-16;\n"
                   "sub.u64 %d4, %d5, %d4;\ncvt.u32.u64 %r2, %d4;\nadd.u32 %r2, %r1, %r2;\n"),
           same);
    expect(SYMBOLS("mov.u32 %r5, module+(4*2);\n@!%p1 mov.u32 %r6, module;\n"
                   "st.shared.u32 [%r6+8], 4;\nbar.sync 0;\nld.shared.u32 %r2, [%r5];\n"
                   "add.u32 %r2, %r1, %r2;\nsub.u32 %r2, %r2, 4;\n"),
           same);
}

/* ---- Local, constant and global memory ----------------------------------------------- */

static void local_arrays_have_addresses_of_32_and_64_bits(void **state)
{
    (void)state;
    expect(SYMBOLS(".local .align 8 .b8 pad[8];\n.local .align 4 .b8 __local_depot0[32];\n"
                   "mov.u32 %r5, __local_depot0+4;\nst.local.u32 [%r5+4], %r1;\n"
                   "ld.local.u32 %r2, [__local_depot0+8];\n"),
           same);
    expect(SYMBOLS(".local .align 8 .b8 pad[8];\n.local .align 4 .b8 __local_depot0[32];\n"
                   "mov.b64 %d4, __local_depot0+12;\ncvta.local.u64 %d5, %d4;\n"
                   "st.u32 [%d5+-4], %r1;\nmov.u32 %r5, __local_depot0;\n"
                   "ld.local.u32 %r2, [%r5+8];\n"),
           same);
}

/* The depot of a function that is called lies behind the caller's. */
static void local_arrays_of_functions_have_addresses_of_their_own(void **state)
{
    (void)state;
    expect(HEADER ".func (.reg .b32 o) f(.reg .b32 i)\n{\n.reg .b32 %r<3>;\n"
                  ".local .align 4 .b8 __local_depot1[16];\n.shared .align 4 .b8 s[4];\n"
                  "mov.u32 %r1, __local_depot1+8;\nst.local.u32 [%r1], i;\n"
                  "mov.u32 %r2, s;\nst.shared.u32 [%r2], i;\n"
                  "ld.local.u32 o, [__local_depot1+8];\n}\n" ENTRY
                  ".local .align 4 .b8 __local_depot0[16];\nmov.u32 %r5, __local_depot0+8;\n"
                  "st.local.u32 [%r5], 77;\ncall (%r6), f, (%r1);\nld.local.u32 %r7, [%r5];\n"
                  "add.u32 %r2, %r6, %r7;\nsub.u32 %r2, %r2, 77;\n" STORE END,
           same);
}

static uint32_t constant(uint32_t t)
{
    return 105u + (t & 7u);
}
static uint32_t global(uint32_t t)
{
    return 503u + (t & 3u);
}

static void constants_and_globals_have_addresses(void **state)
{
    (void)state;
    expect(SYMBOLS("mov.u32 %r5, c;\nand.b32 %r6, %r1, 7;\nmad.lo.u32 %r5, %r6, 4, %r5;\n"
                   "ld.const.u32 %r2, [%r5];\n"),
           constant);
    expect(SYMBOLS("mov.u64 %d4, c+4;\nand.b32 %r6, %r1, 7;\nmul.wide.u32 %d5, %r6, 4;\n"
                   "add.u64 %d4, %d4, %d5;\nld.const.u32 %r2, [%d4+-4];\n"),
           constant);
    expect(SYMBOLS("mov.u64 %d4, table+8;\nand.b32 %r6, %r1, 3;\nmul.wide.u32 %d5, %r6, 4;\n"
                   "add.u64 %d4, %d4, %d5;\nld.global.u32 %r2, [%d4+-8];\n"),
           global);
    expect(SYMBOLS("mov.u64 _, table;\nsub.u64 %d4, %d3, %d1;\ncvt.u32.u64 %r2, %d4;\n"
                   "shr.u32 %r2, %r2, 2;\n"),
           same);
    expect(SYMBOLS(".global .u32 mine;\nmov.u64 %d4, mine;\nmov.u64 %d5, table;\n"
                   "sub.u64 %d4, %d4, %d5;\ncvt.u32.u64 %r2, %d4;\nsub.u32 %r2, %r2, 16;\n"
                   "add.u32 %r2, %r2, %r1;\n"),
           same);
}

/* All of device memory that these tests have lies below 4 GiB. */
static void a_global_address_in_32_bits_is_the_whole_address_or_a_fault(void **state)
{
    struct bench b;
    (void)state;
    expect(SYMBOLS("mov.u32 %r5, table+4;\ncvt.u64.u32 %d4, %r5;\nand.b32 %r6, %r1, 3;\n"
                   "mul.wide.u32 %d5, %r6, 4;\nadd.u64 %d4, %d4, %d5;\n"
                   "ld.global.u32 %r2, [%d4+-4];\n"),
           global);
    bench_open(&b, SYMBOLS("setp.eq.u32 %p1, %r1, 5;\n@%p1 mov.u32 %r2, table+4;\n"), 32u);
    b.launch.global_base = UINT64_C(0x100000000);
    assert_false(bench_try(&b, 0u));
    assert_string_equal(fault_text(&b.fault),
                        "k: CTA (0,0,0), thread (5,0,0): test.ptx:25: the global "
                        "address 0x100000010 in 32 bits; mov.u64 has room for it");
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_variables_have_addresses_of_32_and_64_bits),
        cmocka_unit_test(offsets_are_added_to_addresses),
        cmocka_unit_test(local_arrays_have_addresses_of_32_and_64_bits),
        cmocka_unit_test(local_arrays_of_functions_have_addresses_of_their_own),
        cmocka_unit_test(constants_and_globals_have_addresses),
        cmocka_unit_test(a_global_address_in_32_bits_is_the_whole_address_or_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
