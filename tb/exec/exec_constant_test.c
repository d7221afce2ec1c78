/* Tests of constants at generic addresses: how they are formed, recognised, read and timed, and
 * the accesses that are refused. */

#include "exec_kernel.h"

/* 20 bytes lie in front; the bank has 88. */
#define CONSTANTS      ".const .align 4 .b8 odd[20];\n.const .align 4 .b8 c[68];\n"
#define CONSTANT(...)  HEADER CONSTANTS ENTRY __VA_ARGS__ STORE END
#define EACH_WORD(...) CONSTANT("and.b64 %d5, %d2, 63;\n" __VA_ARGS__)

static void fill(struct bench *b)
{
    for (uint32_t k = 0u; k < 22u; k++) {
        const uint32_t word = 1000u + k;
        memcpy(b->constants + (size_t)4u * k, &word, sizeof word);
    }
}

/* Thread t reads word t modulo 16 of the variable. */
static void expect_words(const char *text)
{
    struct bench b;
    bench_open(&b, text, 64u);
    fill(&b);
    bench_run(&b);
    for (uint32_t t = 0u; t < 64u; t++) {
        if (b.word[t] != 1005u + t % 16u) {
            fail_msg("thread %u: %u of\n%s", t, b.word[t], text);
        }
    }
    bench_close(&b);
}

/* ---- Addresses ----------------------------------------------------------------------- */

static void constants_are_read_at_generic_addresses(void **state)
{
    (void)state;
    expect_words(EACH_WORD("mov.u64 %d4, c;\ncvta.const.u64 %d4, %d4;\n"
                           "add.u64 %d4, %d4, %d5;\nld.u32 %r2, [%d4];\n"));
    expect_words(EACH_WORD("cvta.const.u64 %d4, c+4;\nadd.u64 %d4, %d4, %d5;\n"
                           "ld.u32 %r2, [%d4+-4];\n"));
    expect_words(EACH_WORD("cvta.const.u64 %d4, c;\nadd.u64 %d4, %d4, %d5;\n"
                           "ld.u8 %r3, [%d4+1];\nld.u8 %r2, [%d4];\nshl.b32 %r3, %r3, 8;\n"
                           "or.b32 %r2, %r2, %r3;\n"));
    /* Two words at a multiple of 8: of odd words the first, of even ones the second. */
    expect_words(EACH_WORD("cvta.const.u64 %d4, c-4;\nadd.u64 %d5, %d5, 4;\n"
                           "and.b64 %d6, %d5, 120;\nadd.u64 %d4, %d4, %d6;\n"
                           "ld.v2.u32 {%r3, %r4}, [%d4];\nand.b32 %r5, %r1, 1;\n"
                           "setp.eq.u32 %p1, %r5, 1;\nselp.u32 %r2, %r3, %r4, %p1;\n"));
}

static void a_generic_address_becomes_one_of_constant_memory_again(void **state)
{
    (void)state;
    expect_words(EACH_WORD("cvta.const.u64 %d4, c;\nadd.u64 %d4, %d4, %d5;\n"
                           "cvta.to.const.u64 %d4, %d4;\nld.const.u32 %r2, [%d4];\n"));
}

/* A third of the lanes each in constant, shared and global memory. */
static void lanes_may_be_in_constant_and_in_other_memory(void **state)
{
    struct bench b;
    (void)state;
    bench_open(&b,
               HEADER CONSTANTS ENTRY
               ".shared .align 4 .b8 s[256];\ncvta.const.u64 %d4, c;\n"
               "cvta.shared.u64 %d5, s;\nadd.u64 %d6, %d5, %d2;\nadd.u32 %r3, %r1, 500;\n"
               "st.u32 [%d6], %r3;\nadd.u64 %d7, %d3, 1024;\nand.b64 %d8, %d2, 63;\n"
               "add.u64 %d4, %d4, %d8;\nrem.u32 %r4, %r1, 3;\nsetp.eq.u32 %p1, %r4, 0;\n"
               "setp.eq.u32 %p2, %r4, 1;\nselp.b64 %d9, %d4, %d6, %p1;\n"
               "selp.b64 %d9, %d7, %d9, %p2;\nld.u32 %r2, [%d9];\n" STORE END,
               64u);
    fill(&b);
    for (uint32_t t = 0u; t < 64u; t++) {
        b.word[256u + t] = 9000u + t;
    }
    bench_run(&b);
    for (uint32_t t = 0u; t < 64u; t++) {
        const uint32_t expected[] = { 1005u + t % 16u, 9000u + t, 500u + t };
        assert_int_equal(b.word[t], expected[t % 3u]);
    }
    bench_close(&b);
}

static void isspacep_tells_constant_memory_from_others(void **state)
{
    struct bench b;
    (void)state;
    bench_once(&b,
               CONSTANT(".local .align 4 .b8 l[4];\ncvta.const.u64 %d4, c;\n"
                        "cvta.local.u64 %d5, l;\nisspacep.const %p1, %d4;\n"
                        "isspacep.const %p2, %d5;\nisspacep.const %p3, %d1;\n"
                        "isspacep.global %p4, %d4;\nisspacep.shared %p5, %d4;\n"
                        "isspacep.local %p6, %d4;\nisspacep.global %p7, %d1;\n"
                        "selp.u32 %r2, 1, 0, %p1;\n@%p2 add.u32 %r2, %r2, 2;\n"
                        "@%p3 add.u32 %r2, %r2, 4;\n@%p4 add.u32 %r2, %r2, 8;\n"
                        "@%p5 add.u32 %r2, %r2, 16;\n@%p6 add.u32 %r2, %r2, 32;\n"
                        "@%p7 add.u32 %r2, %r2, 64;\n"),
               32u);
    assert_int_equal(b.word[0], 65u);
    bench_close(&b);
}

/* ---- First values -------------------------------------------------------------------- */

static void a_first_value_may_be_the_generic_address_of_a_constant(void **state)
{
    static const char text[] =
        HEADER CONSTANTS ".global .align 8 .u64 p[2] = {generic(c), generic(c)+8};\n"
                         ".const .align 8 .u64 q = c;\n.visible .entry k() { ret; }\n";
    struct fault fault;
    uint64_t address[2];
    (void)state;
    struct ptx_module *const module = ptx_load_text("test.ptx", text, strlen(text), &fault);
    if (module == NULL) {
        fail_msg("%s", fault_text(&fault));
        return;
    }
    memcpy(address, module->variable[2].init, sizeof address);
    assert_true(address[0] == PTX_CONST_BASE + 20u);
    assert_true(address[1] == PTX_CONST_BASE + 28u);
    memcpy(address, module->variable[3].init, sizeof address[0]);
    assert_true(address[0] == 20u);
    ptx_free(module);
}

static void constants_fit_in_their_window(void **state)
{
    static const char text[] =
        HEADER ".const .b8 a[16777216];\n.const .b8 b[1];\n.visible .entry k() { ret; }\n";
    struct fault fault;
    (void)state;
    assert_null(ptx_load_text("test.ptx", text, strlen(text), &fault));
    assert_string_equal(fault_text(&fault),
                        "test.ptx:5: too many bytes of variables; allowed: 16777216");
}

/* ---- What the timing model is told --------------------------------------------------- */

static void a_generic_load_of_constants_goes_through_their_cache(void **state)
{
    struct bench b;
    const uint32_t *access = NULL;
    (void)state;
    bench_open(&b,
               EACH_WORD("cvta.const.u64 %d4, c;\nadd.u64 %d4, %d4, %d5;\n"
                         "ld.u32 %r2, [%d4];\n"),
               32u);
    bench_run(&b);
    /* The first constant record is that of the parameter. */
    const struct instruction *const i = record_of(&b, 0u, OP_CONSTANT, 1u, &access);
    assert_non_null(access);
    assert_int_equal(i->accesses, 2u); /* bytes 20 to 83, in lines of 64 */
    assert_int_equal(access_line(access[0]), 0x01000000u / 64u);
    assert_int_equal(access_quarters(access[0]), 14u);
    assert_int_equal(access_line(access[1]), 0x01000000u / 64u + 1u);
    assert_int_equal(access_quarters(access[1]), 3u);
    bench_close(&b);
}

/* ---- What is refused ----------------------------------------------------------------- */

#define AT "k: CTA (0,0,0), thread (3,0,0): test.ptx:20: "
/* Thread 3 alone, at an address that is some bytes off the variable's. */
#define OFF(offset, ...) \
    CONSTANT("setp.eq.u32 %p1, %r1, 3;\ncvta.const.u64 %d4, c+" offset ";\n@%p1 " __VA_ARGS__)

static void accesses_outside_of_the_constants_are_refused(void **state)
{
    (void)state;
    bench_refuses(OFF("68", "ld.u32 %r2, [%d4];\n"), 32u,
                  AT "illegal load of 4 bytes at constant address 0x58: there are 88 bytes");
    bench_refuses(OFF("68", "ld.v2.u32 {%r2, %r3}, [%d4];\n"), 32u,
                  AT "illegal load of 8 bytes at constant address 0x58: there are 88 bytes");
    bench_refuses(OFF("2", "ld.u32 %r2, [%d4];\n"), 32u,
                  AT "misaligned load of 4 bytes at constant address 0x16: there are 88 bytes");
    bench_refuses(OFF("16777195", "ld.u8 %r2, [%d4];\n"), 32u,
                  AT "illegal load of 1 bytes at constant address 0xffffff: there are 88 "
                     "bytes");
    bench_refuses(OFF("16777196", "ld.u8 %r2, [%d4];\n"), 32u,
                  AT "illegal load of 1 bytes at global address 0x300000001000000: "
                     "216172781862109184 bytes past the end of the 16384 allocated at "
                     "0x10000000");
    bench_refuses(OFF("-24", "ld.u32 %r2, [%d4];\n"), 32u,
                  AT "illegal load of 4 bytes at global address 0x2fffffffffffffc: "
                     "216172781845331964 bytes past the end of the 16384 allocated at "
                     "0x10000000");
}

static void constants_are_never_written(void **state)
{
    (void)state;
    bench_refuses(OFF("8", "st.u32 [%d4], %r1;\n"), 32u,
                  AT "illegal store of 4 bytes at constant address 0x1c: constants are only "
                     "read");
    bench_refuses(OFF("8", "atom.add.u32 %r2, [%d4], 1;\n"), 32u,
                  AT "illegal atomic of 4 bytes at constant address 0x1c: constants are only "
                     "read");
    bench_refuses(OFF("8", "red.add.u32 [%d4], 1;\n"), 32u,
                  AT "illegal atomic of 4 bytes at constant address 0x1c: constants are only "
                     "read");
    /* The other lanes' stores are legal: the fault is still the one lane's. */
    bench_refuses(CONSTANT("setp.eq.u32 %p1, %r1, 3;\ncvta.const.u64 %d4, c;\n"
                           "@!%p1 mov.u64 %d4, %d3;\nst.u32 [%d4], %r1;\n"),
                  32u,
                  "k: CTA (0,0,0), thread (3,0,0): test.ptx:21: illegal store of 4 bytes at "
                  "constant address 0x14: constants are only read");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_read_at_generic_addresses),
        cmocka_unit_test(a_generic_address_becomes_one_of_constant_memory_again),
        cmocka_unit_test(lanes_may_be_in_constant_and_in_other_memory),
        cmocka_unit_test(isspacep_tells_constant_memory_from_others),
        cmocka_unit_test(a_first_value_may_be_the_generic_address_of_a_constant),
        cmocka_unit_test(constants_fit_in_their_window),
        cmocka_unit_test(a_generic_load_of_constants_goes_through_their_cache),
        cmocka_unit_test(accesses_outside_of_the_constants_are_refused),
        cmocka_unit_test(constants_are_never_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
