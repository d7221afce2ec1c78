/* Tests of the driver: memory, modules and launches, with timing and without. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "driver/driver.h"
#include "tb/base/sanitized.h"

/* y[i] = a x[i] + y[i] + offset, as a C++ compiler names it; a kernel that adds to a global
 * variable; and one that writes where it is told. */
static const char text[] =
    ".version 6.3\n.target sm_35\n.address_size 64\n"
    ".visible .const .align 4 .b8 offset[4];\n"
    ".visible .global .align 4 .u32 counter = 5;\n"
    ".visible .global .align 8 .u64 pointer = generic(counter);\n"
    ".visible .entry _Z5saxpyfPKfPfi(.param .f32 a, .param .u64 x, .param .u64 y,\n"
    "    .param .u32 n)\n{\n"
    "    .reg .pred %p<2>;\n    .reg .f32 %f<6>;\n    .reg .b32 %r<6>;\n    .reg .b64 %rd<6>;\n"
    "    ld.param.f32 %f1, [a];\n    ld.param.u64 %rd1, [x];\n    ld.param.u64 %rd2, [y];\n"
    "    ld.param.u32 %r1, [n];\n"
    "    mov.u32 %r2, %ctaid.x;\n    mov.u32 %r3, %ntid.x;\n    mov.u32 %r4, %tid.x;\n"
    "    mad.lo.s32 %r5, %r2, %r3, %r4;\n"
    "    setp.ge.s32 %p1, %r5, %r1;\n    @%p1 bra DONE;\n"
    "    mul.wide.s32 %rd3, %r5, 4;\n    add.s64 %rd4, %rd1, %rd3;\n"
    "    add.s64 %rd5, %rd2, %rd3;\n"
    "    ld.global.f32 %f2, [%rd4];\n    ld.global.f32 %f3, [%rd5];\n"
    "    fma.rn.f32 %f4, %f1, %f2, %f3;\n"
    "    ld.const.f32 %f5, [offset];\n    add.f32 %f4, %f4, %f5;\n"
    "    st.global.f32 [%rd5], %f4;\n"
    "DONE:\n    ret;\n}\n"
    ".visible .entry count()\n{\n    .reg .b32 %r<2>;\n"
    "    atom.global.add.u32 %r1, [counter], 1;\n    ret;\n}\n"
    ".visible .entry poke(.param .u64 where)\n{\n    .reg .b32 %r<2>;\n    .reg .b64 %rd<2>;\n"
    "    ld.param.u64 %rd1, [where];\n    mov.u32 %r1, 7;\n    st.global.u32 [%rd1], %r1;\n"
    "    ret;\n}\n";

struct fixture {
    struct gpu_config config;
    struct gsp_context *context;
    struct gsp_module *module;
    uint32_t launched;
};

static void launched(void *self, const struct kernel_shape *shape, uint32_t stream,
                     const struct gpu_child *child)
{
    struct fixture *const fixture = self;

    assert_non_null(shape->name);
    assert_int_equal(stream, 0);
    assert_null(child);
    fixture->launched++;
}

static void load(struct fixture *fixture)
{
    char path[] = "/tmp/driver_test_XXXXXX";
    const int file = mkstemp(path);

    assert_true(file >= 0);
    assert_int_equal(write(file, text, sizeof text - 1u), sizeof text - 1u);
    close(file);
    const enum gsp_status status = gsp_module_load(fixture->context, path, &fixture->module);
    unlink(path);
    if (status != GSP_OK) {
        print_error("%s\n", gsp_message(fixture->context));
    }
    assert_int_equal(status, GSP_OK);
}

static void open_limited(struct fixture *fixture, bool timed, uint64_t limit)
{
    *fixture = (struct fixture){ .config = gpu_config_standard() };
    fixture->config.sm.count = 6u;
    fixture->config.cluster.count = 2u;
    fixture->config.l2.slices = 3u;
    const struct gsp_options options = { .config = timed ? &fixture->config : NULL,
                                         .launched = launched,
                                         .launched_self = fixture,
                                         .limit = limit };
    assert_int_equal(gsp_open(&fixture->context, &options), GSP_OK);
    assert_int_equal(gsp_gpu(fixture->context) != NULL, timed);
    load(fixture);
}

static void open_context(struct fixture *fixture, bool timed)
{
    open_limited(fixture, timed, 0u);
}

static enum gsp_status launch(struct fixture *fixture, const char *kernel, uint32_t ctas,
                              uint32_t threads, void **args)
{
    return gsp_launch(fixture->context, &(struct gsp_launch){ .module = fixture->module,
                                                              .kernel = kernel,
                                                              .grid = { .x = ctas },
                                                              .block = { .x = threads },
                                                              .args = args });
}

/* ---- Kernels ------------------------------------------------------------------------- */

static void run_saxpy(struct fixture *fixture)
{
    enum { N = 1000 };
    float x[N], y[N], got[N];
    float a = 2.0f, offset = 0.5f;
    int32_t n = N;
    gsp_pointer dx, dy, constant;
    size_t bytes;

    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = (float)(3 * i);
    }
    assert_int_equal(gsp_malloc(fixture->context, &dx, sizeof x), GSP_OK);
    assert_int_equal(gsp_malloc(fixture->context, &dy, sizeof y), GSP_OK);
    assert_int_equal(gsp_copy_in(fixture->context, dx, x, sizeof x), GSP_OK);
    assert_int_equal(gsp_copy_in(fixture->context, dy, y, sizeof y), GSP_OK);
    assert_int_equal(gsp_symbol(fixture->context, fixture->module, "offset", &constant, &bytes),
                     GSP_OK);
    assert_int_equal(bytes, sizeof offset);
    assert_int_equal(gsp_copy_in(fixture->context, constant, &offset, bytes), GSP_OK);
    assert_int_equal(launch(fixture, "saxpy", 4u, 256u, (void *[]){ &a, &dx, &dy, &n }),
                     GSP_OK);
    assert_int_equal(
        launch(fixture, "_Z5saxpyfPKfPfi", 8u, 128u, (void *[]){ &a, &dx, &dy, &n }), GSP_OK);
    assert_int_equal(gsp_copy_out(fixture->context, got, dy, sizeof got), GSP_OK);
    for (int i = 0; i < N; i++) {
        assert_true(got[i] == (float)(7 * i) + 1.0f);
    }
    assert_int_equal(gsp_free(fixture->context, dx), GSP_OK);
}

static void kernels_compute_without_timing(void **state)
{
    struct fixture fixture;

    (void)state;
    open_context(&fixture, false);
    run_saxpy(&fixture);
    assert_true(gsp_instructions(fixture.context) > 0u);
    gsp_close(fixture.context);
}

static void timing_changes_no_result_and_no_count(void **state)
{
    struct fixture timed, plain;

    (void)state;
    open_context(&timed, true);
    open_context(&plain, false);
    run_saxpy(&timed);
    run_saxpy(&plain);
    assert_int_equal(timed.launched, 2);
    assert_int_equal(plain.launched, 2);
    assert_int_equal(gsp_instructions(timed.context), gsp_instructions(plain.context));
    const struct gpu_stats *const stats = gpu_stats(gsp_gpu(timed.context));
    assert_int_equal(stats->n_kernel, 2);
    assert_string_equal(stats->kernel[0].name, "_Z5saxpyfPKfPfi");
    assert_int_equal(stats->kernel[1].ctas, 8);
    assert_true(stats->kernel[1].first_cta >= stats->kernel[0].ended);
    gsp_close(timed.context);
    gsp_close(plain.context);
}

static void variables_begin_with_their_values_and_last(void **state)
{
    struct fixture fixture;
    gsp_pointer counter, pointer, inside = 0u;
    size_t bytes;
    uint32_t value = 0u;

    (void)state;
    open_context(&fixture, true);
    assert_int_equal(gsp_symbol(fixture.context, fixture.module, "counter", &counter, &bytes),
                     GSP_OK);
    assert_int_equal(bytes, 4);
    assert_int_equal(gsp_copy_out(fixture.context, &value, counter, 4u), GSP_OK);
    assert_int_equal(value, 5);
    assert_int_equal(launch(&fixture, "count", 3u, 64u, NULL), GSP_OK);
    assert_int_equal(launch(&fixture, "count", 1u, 1u, NULL), GSP_OK);
    assert_int_equal(gsp_copy_out(fixture.context, &value, counter, 4u), GSP_OK);
    assert_int_equal(value, 5 + 3 * 64 + 1);
    assert_int_equal(gsp_symbol(fixture.context, fixture.module, "pointer", &pointer, &bytes),
                     GSP_OK);
    assert_int_equal(gsp_copy_out(fixture.context, &inside, pointer, sizeof inside), GSP_OK);
    assert_int_equal(inside, counter);
    assert_int_equal(gsp_symbol(fixture.context, fixture.module, "none", &counter, &bytes),
                     GSP_INVALID);
    gsp_close(fixture.context);
}

/* ---- Errors -------------------------------------------------------------------------- */

static void wrong_arguments_do_nothing_and_are_forgiven(void **state)
{
    struct fixture fixture;
    gsp_pointer pointer;
    uint32_t bytes[2];
    uint32_t n = 2u;
    uint8_t data[16] = { 0u };

    (void)state;
    open_context(&fixture, false);
    assert_int_equal(gsp_malloc(fixture.context, &pointer, 0u), GSP_INVALID);
    assert_int_equal(gsp_malloc(fixture.context, &pointer, 16u), GSP_OK);
    assert_int_equal(gsp_copy_in(fixture.context, pointer + 8u, data, 16u), GSP_INVALID);
    assert_non_null(strstr(gsp_message(fixture.context), "16 bytes"));
    assert_int_equal(gsp_copy_out(fixture.context, data, 64u, 4u), GSP_INVALID);
    assert_int_equal(gsp_free(fixture.context, pointer + 4u), GSP_INVALID);
    assert_int_equal(launch(&fixture, "sax", 1u, 1u, NULL), GSP_INVALID);
    assert_non_null(strstr(gsp_message(fixture.context), "poke"));
    assert_int_equal(launch(&fixture, "count", 1u, 1025u, NULL), GSP_INVALID);
    assert_int_equal(gsp_parameters(fixture.context, fixture.module, "saxpy", bytes, &n),
                     GSP_OK);
    assert_int_equal(n, 4);
    assert_int_equal(bytes[0], 4);
    assert_int_equal(bytes[1], 8);
    assert_int_equal(gsp_set(fixture.context, pointer, 3, 16u), GSP_OK);
    assert_int_equal(gsp_copy_out(fixture.context, data, pointer, 16u), GSP_OK);
    assert_int_equal(data[15], 3);
    gsp_close(fixture.context);
}

static void variables_of_a_module_are_not_freed(void **state)
{
    struct fixture fixture;
    gsp_pointer at;
    size_t bytes;

    (void)state;
    open_context(&fixture, false);
    for (uint32_t i = 0u; i < 2u; i++) {
        assert_int_equal(gsp_symbol(fixture.context, fixture.module,
                                    i == 0u ? "offset" : "counter", &at, &bytes),
                         GSP_OK);
        assert_int_equal(gsp_free(fixture.context, at), GSP_INVALID);
        assert_non_null(strstr(gsp_message(fixture.context), "variables of a module"));
        assert_int_equal(gsp_set(fixture.context, at, 0, bytes), GSP_OK);
    }
    run_saxpy(&fixture);
    gsp_close(fixture.context);
}

/* Three CTAs of `count`, of two warps that execute two warp instructions. */
static void a_kernel_ends_at_the_limit(void **state)
{
    static const struct {
        uint64_t limit;
        enum gsp_status status;
    } runs[] = { { 0u, GSP_OK }, { 11u, GSP_ILLEGAL }, { 12u, GSP_OK } };

    (void)state;
    for (uint32_t i = 0u; i < 6u; i++) {
        struct fixture fixture;
        open_limited(&fixture, i % 2u != 0u, runs[i / 2u].limit);
        assert_int_equal(launch(&fixture, "count", 3u, 64u, NULL), GSP_OK);
        assert_int_equal(gsp_synchronize(fixture.context), runs[i / 2u].status);
        assert_int_equal(strstr(gsp_message(fixture.context), "11 warp instructions") != NULL,
                         runs[i / 2u].status == GSP_ILLEGAL);
        gsp_close(fixture.context);
    }
}

static void an_illegal_access_ends_all(bool timed)
{
    struct fixture fixture;
    gsp_pointer pointer, past;

    open_context(&fixture, timed);
    assert_int_equal(gsp_malloc(fixture.context, &pointer, 100u), GSP_OK);
    past = pointer + 100u;
    assert_int_equal(launch(&fixture, "poke", 1u, 1u, (void *[]){ &past }), GSP_OK);
    assert_int_equal(launch(&fixture, "count", 2u, 32u, NULL), GSP_OK);
    assert_int_equal(gsp_synchronize(fixture.context), GSP_ILLEGAL);
    assert_non_null(strstr(gsp_message(fixture.context), "poke"));
    assert_int_equal(gsp_malloc(fixture.context, &pointer, 4u), GSP_ILLEGAL);
    assert_int_equal(gsp_synchronize(fixture.context), GSP_ILLEGAL);
    gsp_close(fixture.context);
}

static void an_illegal_access_ends_all_without_timing(void **state)
{
    (void)state;
    an_illegal_access_ends_all(false);
}

static void an_illegal_access_ends_all_with_timing(void **state)
{
    (void)state;
    an_illegal_access_ends_all(true);
}

static void a_module_that_is_not_there_is_named(void **state)
{
    struct gsp_context *context;
    struct gsp_module *module;

    (void)state;
    assert_int_equal(gsp_open(&context, &(struct gsp_options){ .config = NULL }), GSP_OK);
    assert_int_equal(gsp_module_load(context, "/nowhere/none.ptx", &module), GSP_MODULE);
    assert_non_null(strstr(gsp_message(context), "/nowhere/none.ptx"));
    gsp_close(context);
}

static void a_wrong_argument_of_a_copy_changes_nothing_but_waits(void **state)
{
    struct fixture fixture;
    char byte = 5;

    (void)state;
    open_context(&fixture, false);
    const struct gsp_launch launch = { .module = fixture.module, .kernel = "count" };
    assert_int_equal(gsp_launch(fixture.context, &launch), GSP_OK);
    assert_int_equal(gsp_instructions(fixture.context), 0u);
    assert_int_equal(gsp_copy_out(fixture.context, &byte, 16u, 1u), GSP_INVALID);
    assert_int_equal(byte, 5);
    assert_int_equal(gsp_instructions(fixture.context), 2u);
    assert_int_equal(gsp_synchronize(fixture.context), GSP_OK);
    gsp_close(fixture.context);
}

static void nothing_can_be_done_with_an_impossible_gpu(void **state)
{
    struct gpu_config config = gpu_config_standard();
    struct gsp_context *context;
    gsp_pointer pointer;

    (void)state;
    config.icc.lines = 24u; /* without entries */
    assert_int_equal(gsp_open(&context, &(struct gsp_options){ .config = &config }),
                     GSP_INVALID);
    assert_int_equal(gsp_malloc(context, &pointer, 64u), GSP_INVALID);
    assert_int_equal(gsp_synchronize(context), GSP_INVALID);
    gsp_close(context);
}

/* Whose memory it is that is missing: a device that is full is the kernel's affair. */
static void a_full_device_and_a_host_without_memory_are_told_apart(void **state)
{
    (void)state;
    struct gsp_context *context;
    gsp_pointer pointer = 1u;

    assert_int_equal(gsp_open(&context, &(struct gsp_options){ .memory = 1u << 20 }), GSP_OK);
    assert_int_equal(gsp_malloc(context, &pointer, (1u << 20) + 1u), GSP_MEMORY);
    assert_string_equal(gsp_message(context), "no room for 1048577 bytes of device memory");
    assert_int_equal(gsp_fault(context)->kind, FAULT_INPUT);
    assert_int_equal(pointer, 0u);
    gsp_close(context);
    if (SANITIZED) {
        return; /* the sanitizer needs more addresses than can be left */
    }
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(gsp_open(&context, &(struct gsp_options){ .memory = 0u }), GSP_OK);
    const struct rlimit little = { UINT64_C(1) << 30, before.rlim_max };
    assert_int_equal(setrlimit(RLIMIT_AS, &little), 0);
    const enum gsp_status status = gsp_malloc(context, &pointer, UINT64_C(1) << 32);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(status, GSP_MEMORY);
    assert_string_equal(gsp_message(context),
                        "no memory for 4294967296 bytes of device memory");
    assert_int_equal(gsp_fault(context)->kind, FAULT_SURROUNDINGS);
    gsp_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_compute_without_timing),
        cmocka_unit_test(timing_changes_no_result_and_no_count),
        cmocka_unit_test(variables_begin_with_their_values_and_last),
        cmocka_unit_test(wrong_arguments_do_nothing_and_are_forgiven),
        cmocka_unit_test(variables_of_a_module_are_not_freed),
        cmocka_unit_test(a_kernel_ends_at_the_limit),
        cmocka_unit_test(an_illegal_access_ends_all_without_timing),
        cmocka_unit_test(an_illegal_access_ends_all_with_timing),
        cmocka_unit_test(a_module_that_is_not_there_is_named),
        cmocka_unit_test(a_wrong_argument_of_a_copy_changes_nothing_but_waits),
        cmocka_unit_test(nothing_can_be_done_with_an_impossible_gpu),
        cmocka_unit_test(a_full_device_and_a_host_without_memory_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
