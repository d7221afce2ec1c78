/* Tests of calls of the device runtime as PTX writes them: addresses of kernels, both
 * interfaces, the spellings of names, and what is illegal. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "driver/driver.h"

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
#define KERNEL(name, ...)                                           \
    ".visible .entry " name "(.param .u64 data, .param .u64 n) {\n" \
    ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<16>;\n"        \
    ".local .align 8 .b8 out[8];\n"                                 \
    "ld.param.u64 %d1, [data]; ld.param.u64 %d2, [n];\n" __VA_ARGS__ "\nret;\n}\n"
/* Adds n to a word of the data. */
#define ADD(name, word) \
    KERNEL(name, "cvt.u32.u64 %r1, %d2; red.global.add.u32 [%d1+" word "], %r1;")

#define BUFFER_OLD \
    ".extern .func (.param .b64 b) cudaGetParameterBuffer (.param .b64 a, .param .b64 s);\n"
#define LAUNCH_OLD                                                                    \
    ".extern .func (.param .b32 e) cudaLaunchDevice (.param .b64 f, .param .b64 b,\n" \
    ".param .align 4 .b8 grid[12], .param .align 4 .b8 block[12], .param .b32 s,\n"   \
    ".param .b64 t);\n"
#define OLD BUFFER_OLD LAUNCH_OLD
/* The kernel whose address is in %d3, with both parameters; %r8 is the launch's result. */
#define LAUNCH_V1                                                                 \
    "{ .param .b64 b; .param .align 4 .b8 g[12]; .param .b64 f; .param .b64 t;\n" \
    ".param .b32 s; .param .b32 e;\n"                                             \
    "call (%d4), cudaGetParameterBuffer, (8, 16);\n"                              \
    "st.u64 [%d4], %d1; st.u64 [%d4+8], %d2;\n"                                   \
    "st.param.b64 [b], %d4; st.param.b64 [f], %d3; st.param.b64 [t], 0;\n"        \
    "st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;\n"        \
    "st.param.b32 [s], 0;\n"                                                      \
    "call.uni (e), cudaLaunchDevice, (f, b, g, g, s, t); ld.param.b32 %r8, [e]; }\n"

struct fixture {
    struct gpu_config config;
    struct gsp_context *context;
    gsp_pointer data;
    int32_t word[64];
};

static void open_runtime(struct fixture *f, bool timed)
{
    *f = (struct fixture){ .config = gpu_config_standard() };
    f->config.sm.count = 2u;
    f->config.cluster.count = 1u;
    const struct gsp_options options = { .config = timed ? &f->config : NULL };
    assert_int_equal(gsp_open(&f->context, &options), GSP_OK);
    assert_int_equal(gsp_malloc(f->context, &f->data, sizeof f->word), GSP_OK);
}

static struct gsp_module *load(struct fixture *f, const char *text)
{
    struct gsp_module *module = NULL;

    if (gsp_module_load_text(f->context, "test.ptx", text, strlen(text), &module) != GSP_OK) {
        fail_msg("%s", gsp_message(f->context));
    }
    return module;
}

static enum gsp_status run(struct fixture *f, struct gsp_module *module, const char *kernel,
                           uint32_t threads, uint64_t n)
{
    const struct gsp_launch launch = { .module = module,
                                       .kernel = kernel,
                                       .block = { .x = threads },
                                       .args = (void *[]){ &f->data, &n } };

    assert_int_equal(gsp_launch(f->context, &launch), GSP_OK);
    return gsp_synchronize(f->context);
}

static void runs(struct fixture *f, struct gsp_module *module, const char *kernel,
                 uint32_t threads, uint64_t n)
{
    if (run(f, module, kernel, threads, n) != GSP_OK) {
        fail_msg("%s", gsp_message(f->context));
    }
    assert_int_equal(gsp_copy_out(f->context, f->word, f->data, sizeof f->word), GSP_OK);
}

/* The kernel ends the run with these words. */
static void is_illegal(const char *text, const char *words)
{
    struct fixture f;

    open_runtime(&f, false);
    assert_int_equal(run(&f, load(&f, text), "k", 1u, 1u), GSP_ILLEGAL);
    if (strstr(gsp_message(f.context), words) == NULL) {
        fail_msg("%s\nwithout: %s", gsp_message(f.context), words);
    }
    assert_non_null(
        strstr(gsp_message(f.context), "k: CTA (0,0,0), thread (0,0,0): test.ptx:"));
    gsp_close(f.context);
}

/* ---- Addresses of kernels ------------------------------------------------------------ */

static void tables_of_kernels_are_launched_through(void **state)
{
    static const char text[] = HEAD OLD
        ".visible .entry first(.param .u64 data, .param .u64 n);\n"
        ".visible .entry second(.param .u64 data, .param .u64 n);\n"
        ".global .align 8 .u64 table[2] = {second, first};\n" KERNEL(
            "k", "mov.u32 %r1, %tid.x; mul.wide.u32 %d5, %r1, 8; mov.u64 %d6, table;\n"
                 "add.u64 %d6, %d6, %d5; ld.global.u64 %d3, [%d6];\n"
                 "add.u64 %d2, %d2, %d5;\n" LAUNCH_V1) ADD("first", "0") ADD("second", "4");
    struct fixture f;

    (void)state;
    for (uint32_t timed = 0u; timed < 2u; timed++) {
        open_runtime(&f, timed != 0u);
        /* The second module's kernels have addresses of their own. */
        (void)load(&f, HEAD ADD("other", "8"));
        runs(&f, load(&f, text), "k", 2u, 100u);
        assert_int_equal(f.word[0], 108);
        assert_int_equal(f.word[1], 100);
        assert_int_equal(f.word[2], 0);
        gsp_close(f.context);
    }
}

static void an_address_of_a_kernel_may_go_to_another_module(void **state)
{
    struct fixture f;

    (void)state;
    for (uint32_t timed = 0u; timed < 2u; timed++) {
        open_runtime(&f, timed != 0u);
        (void)load(&f, HEAD ADD("other", "8"));
        struct gsp_module *const gives =
            load(&f, HEAD ADD("child", "12")
                         KERNEL("give", "mov.u64 %d3, child; st.global.u64 [%d1+64], %d3;"));
        struct gsp_module *const takes =
            load(&f, HEAD OLD KERNEL("k", "ld.global.u64 %d3, [%d1+64];\n" LAUNCH_V1));
        runs(&f, gives, "give", 1u, 0u);
        runs(&f, takes, "k", 1u, 7u);
        assert_int_equal(f.word[3], 7);
        gsp_close(f.context);
    }
}

static void nothing_lies_at_the_address_of_a_kernel(void **state)
{
    (void)state;
    is_illegal(HEAD KERNEL("k", "mov.u64 %d3, k; ld.u32 %r1, [%d3];"),
               "illegal load of 4 bytes at global address 0x400000000000000: addresses of "
               "kernels are only launched");
    is_illegal(HEAD KERNEL("k", "mov.u64 %d3, k; st.global.u64 [%d3], %d3;"), "illegal store");
    is_illegal(HEAD KERNEL("k", "mov.u64 %d3, k; atom.add.u32 %r1, [%d3], 1;"),
               "illegal atomic");
}

static void what_is_no_kernel_is_not_launched(void **state)
{
    static const char text[] = HEAD OLD KERNEL(
        "k", "mov.u64 %d3, k; add.u64 %d3, %d3, %d2;\n" LAUNCH_V1 "st.global.u32 [%d1], %r8;");
    struct fixture f;

    (void)state;
    for (uint64_t n = 8u; n <= 16u; n += 8u) {
        open_runtime(&f, false);
        runs(&f, load(&f, text), "k", 1u, n);
        assert_int_equal(f.word[0], 98);
        gsp_close(f.context);
    }
}

/* ---- Calls --------------------------------------------------------------------------- */

/* The name is known with each prefix, and with the ending of another default stream. */
static void each_spelling_of_a_name_is_the_same_function(void **state)
{
    static const char *const names[] = { "cudaPeekAtLastError", "__cudaCDP2PeekAtLastError",
                                         "cudaPeekAtLastError_ptsz",
                                         "__cudaCDP2PeekAtLastError_ptsz" };
    static const char begin[] = ".visible .entry k(.param .u64 data, .param .u64 n) {\n"
                                ".reg .b32 %r1; .reg .b64 %d1; ld.param.u64 %d1, [data];\n"
                                "call (%r1), ";
    static const char end[] = ", (); st.global.u32 [%d1], %r1; ret; }\n";
    struct fixture f;
    char text[1024];

    (void)state;
    for (uint32_t i = 0u; i < 4u; i++) {
        (void)snprintf(text, sizeof text, "%s.extern .func (.param .b32 e) %s ();\n%s%s%s",
                       HEAD, names[i], begin, names[i], end);
        open_runtime(&f, false);
        f.word[0] = 9;
        assert_int_equal(gsp_copy_in(f.context, f.data, f.word, sizeof f.word), GSP_OK);
        runs(&f, load(&f, text), "k", 1u, 0u);
        assert_int_equal(f.word[0], 0);
        gsp_close(f.context);
    }
}

/* A buffer that is too small, a second launch of one, and one of another kernel's. */
static void wrong_parameters_are_an_error_of_the_thread(void **state)
{
    static const char text[] =
        HEAD OLD KERNEL("k", "mov.u64 %d3, k; { .param .align 4 .b8 g[12]; .param .b64 z;\n"
                             ".param .b64 f; .param .b64 b; .param .b32 s;\n"
                             "call (%d4), cudaGetParameterBuffer, (8, 8);\n"
                             "st.param.b32 [g], 1; st.param.b32 [g+4], 1;\n"
                             "st.param.b32 [g+8], 1; st.param.b32 [s], 0;\n"
                             "st.param.b64 [f], %d3; st.param.b64 [b], %d4;\n"
                             "st.param.b64 [z], 0;\n"
                             "call (%r1), cudaLaunchDevice, (f, b, g, g, s, z);\n"
                             "call (%r2), cudaLaunchDevice, (f, b, g, g, s, z);\n"
                             "call (%r3), cudaLaunchDevice, (f, %d1, g, g, s, z);\n"
                             "call (%d5), cudaGetParameterBuffer, (3, 8); }\n"
                             "cvt.u32.u64 %r4, %d5; st.global.u32 [%d1], %r1;\n"
                             "st.global.u32 [%d1+4], %r2; st.global.u32 [%d1+8], %r3;\n"
                             "st.global.u32 [%d1+12], %r4;");
    struct fixture f;

    (void)state;
    open_runtime(&f, false);
    runs(&f, load(&f, text), "k", 1u, 0u);
    for (uint32_t i = 0u; i < 3u; i++) {
        assert_int_equal(f.word[i], 1);
    }
    assert_int_equal(f.word[3], 0);
    gsp_close(f.context);
}

/* A buffer belongs to the grid that has asked for it: its child is refused, and the grid may
 * still use it, or leave it. */
static void a_buffer_is_not_for_another_grid(void **state)
{
    static const char text[] = HEAD OLD ADD("add", "4")
        KERNEL("c", "mov.u64 %d3, add; { .param .align 4 .b8 g[12]; .param .b64 z;\n"
                    ".param .b64 f; .param .b64 b; .param .b32 s;\n"
                    "st.param.b32 [g], 1; st.param.b32 [g+4], 1;\n"
                    "st.param.b32 [g+8], 1; st.param.b32 [s], 0;\n"
                    "st.param.b64 [f], %d3; st.param.b64 [b], %d2; st.param.b64 [z], 0;\n"
                    "call (%r1), cudaLaunchDevice, (f, b, g, g, s, z); }\n"
                    "st.global.u32 [%d1], %r1;")
            KERNEL("k", "call (%d5), cudaGetParameterBuffer, (8, 16);\n"
                        "mov.u64 %d2, %d5; mov.u64 %d3, c;\n" LAUNCH_V1);
    struct fixture f;

    (void)state;
    open_runtime(&f, false);
    runs(&f, load(&f, text), "k", 2u, 0u);
    assert_int_equal(f.word[0], 1);
    assert_int_equal(f.word[1], 0);
    gsp_close(f.context);
}

/* An argument whose address is taken is in memory; the others are in registers. */
static void arguments_in_memory_are_read_from_there(void **state)
{
    static const char text[] =
        HEAD ".extern .func (.param .b64 p) malloc (.param .b64 n);\n"
             ".extern .func free (.param .b64 p);\n" KERNEL(
                 "k", "{ .param .b64 n; .param .b64 p; mov.u64 %d4, n; st.param.b32 [n], 64;\n"
                      "st.param.b32 [n+4], 0; call (p), malloc, (n); ld.param.b64 %d5, [p]; }\n"
                      "st.u32 [%d5+60], 17; ld.u32 %r1, [%d5+60]; st.global.u32 [%d1], %r1;\n"
                      "{ .param .b64 p; st.param.b64 [p], %d5; call free, (p); }");
    struct fixture f;

    (void)state;
    open_runtime(&f, false);
    runs(&f, load(&f, text), "k", 1u, 0u);
    assert_int_equal(f.word[0], 17);
    gsp_close(f.context);
}

static void illegal_calls_say_where_and_which_function(void **state)
{
    (void)state;
    is_illegal(HEAD ".extern .func free (.param .b64 p);\n" KERNEL("k", "call free, (%d1);"),
               "free: 0x10000000 has not been allocated by malloc, or has been freed");
    is_illegal(HEAD ".extern .func (.param .b32 e) cudaGetDevice (.param .b64 p);\n" KERNEL(
                   "k", "mov.u64 %d3, 4; call (%r1), cudaGetDevice, (%d3);"),
               "cudaGetDevice: the address 0x4 for its result");
    is_illegal(HEAD ".extern .func (.param .b32 e) __cudaCDP2MemsetAsync (.param .b64 p,\n"
                    ".param .b32 v, .param .b64 n, .param .b64 s);\n" KERNEL(
                        "k", "call (%r1), __cudaCDP2MemsetAsync, (%d1, 0, 257, 0);"),
               "cudaMemsetAsync: bytes at 0x10000000 are not within one allocation");
}

static void what_kernels_allocate_the_host_does_not_free(void **state)
{
    static const char text[] =
        HEAD ".extern .func (.param .b64 p) malloc (.param .b64 n);\n" KERNEL(
            "k", "call (%d3), malloc, (100); st.global.u64 [%d1], %d3;");
    struct fixture f;
    gsp_pointer given;

    (void)state;
    open_runtime(&f, false);
    runs(&f, load(&f, text), "k", 1u, 0u);
    memcpy(&given, f.word, sizeof given);
    assert_int_equal(gsp_free(f.context, given), GSP_INVALID);
    assert_non_null(strstr(gsp_message(f.context), "belongs to kernels"));
    gsp_close(f.context);
}

static void queries_answer_from_the_configuration(void **state)
{
    static const char text[] = HEAD
        ".extern .func (.param .b32 e) cudaDeviceGetAttribute (.param .b64 p,\n"
        ".param .b32 a, .param .b32 d);\n"
        ".extern .func (.param .b32 e) cudaDeviceGetLimit (.param .b64 p, .param .b32 "
        "l);\n" KERNEL(
            "k", "call (%r1), cudaDeviceGetAttribute, (%d1, 16, 0);\n"
                 "add.u64 %d3, %d1, 4; call (%r2), cudaDeviceGetAttribute, (%d3, 9999, 0);\n"
                 "st.global.u32 [%d1+8], %r2; add.u64 %d3, %d1, 16;\n"
                 "call (%r3), cudaDeviceGetLimit, (%d3, 4);");
    struct fixture f;

    (void)state;
    open_runtime(&f, true);
    runs(&f, load(&f, text), "k", 1u, 0u);
    assert_int_equal(f.word[0], 2);
    assert_int_equal(f.word[1], 0);
    assert_int_equal(f.word[2], 1);
    assert_int_equal(f.word[4], 2048);
    gsp_close(f.context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_of_kernels_are_launched_through),
        cmocka_unit_test(an_address_of_a_kernel_may_go_to_another_module),
        cmocka_unit_test(nothing_lies_at_the_address_of_a_kernel),
        cmocka_unit_test(what_is_no_kernel_is_not_launched),
        cmocka_unit_test(each_spelling_of_a_name_is_the_same_function),
        cmocka_unit_test(wrong_parameters_are_an_error_of_the_thread),
        cmocka_unit_test(a_buffer_is_not_for_another_grid),
        cmocka_unit_test(arguments_in_memory_are_read_from_there),
        cmocka_unit_test(illegal_calls_say_where_and_which_function),
        cmocka_unit_test(what_kernels_allocate_the_host_does_not_free),
        cmocka_unit_test(queries_answer_from_the_configuration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
