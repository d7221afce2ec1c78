/* Tests of what the host's copies leave in the L2 (l2.host_writes): a kernel then reads a word
 * of each line. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

#include "driver/driver.h"

enum { LINE = 128, LINES = 96, THREADS = 32 };

/* Thread i reads a word at 128 i: that at 0, 32, 64 or 96 of its line. */
static const char text[] =
    ".version 6.3\n.target sm_35\n.address_size 64\n"
    ".visible .entry touch(.param .u64 from, .param .u64 to)\n{\n"
    "    .reg .b32 %r<6>;\n    .reg .b64 %rd<6>;\n"
    "    ld.param.u64 %rd1, [from];\n    ld.param.u64 %rd2, [to];\n"
    "    mov.u32 %r1, %ctaid.x;\n    mov.u32 %r2, %ntid.x;\n    mov.u32 %r3, %tid.x;\n"
    "    mad.lo.s32 %r4, %r1, %r2, %r3;\n    mul.wide.s32 %rd3, %r4, 128;\n"
    "    add.s64 %rd4, %rd1, %rd3;\n    and.b32 %r4, %r4, 3;\n"
    "    mul.wide.s32 %rd3, %r4, 32;\n    add.s64 %rd4, %rd4, %rd3;\n"
    "    ld.global.u32 %r5, [%rd4];\n"
    "    st.global.u32 [%rd2], %r5;\n    ret;\n}\n";

struct fixture {
    struct gpu_config config;
    struct gsp_context *context;
    struct gsp_module *module;
    gsp_pointer words, out; /* LINES lines; a word */
    uint64_t hits, reads;   /* of the L2, of DRAM: so far */
};

/* An L2 of so many lines, in 3 slices and sets of 4. */
static void open_context(struct fixture *f, bool host_writes, uint32_t lines, uint32_t sector)
{
    *f = (struct fixture){ .config = gpu_config_standard() };
    f->config.sm.count = 6u;
    f->config.cluster.count = 2u;
    f->config.icache.bytes = 0u; /* code would come through the L2 too */
    f->config.l2.slices = 3u;
    f->config.l2.ways = 4u;
    f->config.l2.bytes = lines / 3u * LINE;
    f->config.l2.sector = sector;
    f->config.l2.host_writes = host_writes;
    assert_int_equal(gsp_open(&f->context, &(struct gsp_options){ .config = &f->config }),
                     GSP_OK);
    assert_int_equal(
        gsp_module_load_text(f->context, "touch", text, sizeof text - 1u, &f->module), GSP_OK);
    assert_int_equal(gsp_malloc(f->context, &f->words, LINES * LINE), GSP_OK);
    assert_int_equal(gsp_malloc(f->context, &f->out, LINE), GSP_OK);
}

static void copy_in(struct fixture *f, uint32_t lines)
{
    void *const zeros = calloc(lines, LINE);

    assert_non_null(zeros);
    assert_int_equal(gsp_copy_in(f->context, f->words, zeros, (size_t)lines * LINE), GSP_OK);
    free(zeros);
}

/* Reads lines first .. first + n - 1, of which so many are there: the others come from DRAM. */
static void touch(struct fixture *f, uint32_t first, uint32_t n, uint64_t there)
{
    gsp_pointer from = f->words + (gsp_pointer)first * LINE;
    void *args[] = { &from, &f->out };
    const struct gpu_stats *stats;
    uint64_t hits = 0u, reads = 0u;

    assert_int_equal(gsp_launch(f->context, &(struct gsp_launch){ .module = f->module,
                                                                  .kernel = "touch",
                                                                  .grid = { .x = n / THREADS },
                                                                  .block = { .x = THREADS },
                                                                  .args = args }),
                     GSP_OK);
    if (gsp_synchronize(f->context) != GSP_OK) {
        fail_msg("%s", gsp_message(f->context));
    }
    stats = gpu_stats(gsp_gpu(f->context));
    for (uint32_t i = 0u; i < f->config.l2.slices; i++) {
        hits += stats->l2[i].hit;
        reads += stats->dram[i].read;
    }
    /* and the line of the parameters: from DRAM at most once, then for each CTA from the L2 */
    assert_in_range(hits - f->hits, there, there + n / THREADS);
    assert_in_range(reads - f->reads, n - there, n - there + 1u);
    f->hits = hits;
    f->reads = reads;
}

static void close_context(struct fixture *f)
{
    gsp_close(f->context);
}

static void without_the_key_copies_leave_nothing(void **state)
{
    struct fixture f;

    (void)state;
    open_context(&f, false, 192u, 0u);
    copy_in(&f, LINES);
    touch(&f, 0u, LINES, 0u);
    close_context(&f);
}

static void what_is_copied_is_there(void **state)
{
    struct fixture f;

    (void)state;
    for (uint32_t sector = 0u; sector <= 32u; sector += 32u) {
        open_context(&f, true, 192u, sector);
        touch(&f, 0u, 32u, 0u); /* nobody has copied anything yet */
        copy_in(&f, 64u);
        touch(&f, 0u, 64u, 64u);
        touch(&f, 64u, 32u, 0u);
        close_context(&f);
    }
}

static void what_is_set_is_there(void **state)
{
    struct fixture f;

    (void)state;
    open_context(&f, true, 192u, 0u);
    assert_int_equal(gsp_set(f.context, f.words, 7, LINES * LINE), GSP_OK);
    touch(&f, 0u, LINES, LINES);
    close_context(&f);
}

/* A byte brings its line, and the last byte of a copy too. */
static void parts_of_lines_count_as_lines(void **state)
{
    struct fixture f;

    (void)state;
    open_context(&f, true, 192u, 0u);
    assert_int_equal(gsp_set(f.context, f.words + LINE - 1u, 7, 2u), GSP_OK);
    assert_int_equal(gsp_set(f.context, f.words + 31u * LINE, 7, 1u), GSP_OK);
    touch(&f, 0u, 32u, 3u);
    close_context(&f);
}

/* Of a copy that is larger than the L2 the last part is there, and what was there before is
 * not. */
static void the_last_lines_of_a_large_copy_are_there(void **state)
{
    struct fixture f;

    (void)state;
    open_context(&f, true, 48u, 0u);
    copy_in(&f, LINES);
    touch(&f, LINES - 32u, 32u, 32u);
    touch(&f, 0u, 32u, 0u);
    close_context(&f);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_the_key_copies_leave_nothing),
        cmocka_unit_test(what_is_copied_is_there),
        cmocka_unit_test(what_is_set_is_there),
        cmocka_unit_test(parts_of_lines_count_as_lines),
        cmocka_unit_test(the_last_lines_of_a_large_copy_are_there),
    };

    return cmocka_run_group_tests_name("driver_copies", tests, NULL, NULL);
}
