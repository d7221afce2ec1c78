/* Tests of kernels that launch kernels: what CUDA promises of order and errors, without timing,
 * with it, and with it in other ways of running. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/places.h"
#include "driver/driver.h"

enum { WORDS = 512 };

/* How the kernels are run. */
struct way {
    const char *name;
    bool timed;
    unsigned mode;
    uint32_t sms, kernels, latency;
};
static const struct way ways[] = {
    { "without timing", false, 0u, 0u, 0u, 0u },
    { "on one SM, a kernel at a time", true, 0u, 1u, 1u, 0u },
    { "on four SMs", true, 0u, 4u, 32u, 0u },
    { "with latencies", true, 0u, 4u, 32u, 5000u },
    { "by the slow paths", true, GPU_NAIVE, 4u, 32u, 0u },
    { "with wakes at random", true, GPU_FUZZ, 4u, 32u, 0u },
};
enum { WAYS = sizeof ways / sizeof ways[0] };

struct fixture {
    struct gpu_config config;
    struct gsp_context *context;
    struct gsp_module *module;
    gsp_pointer data;
    int32_t word[WORDS];
};

static void open_with(struct fixture *f, const struct way *way, enum bind_mode mode)
{
    char path[4096];

    *f = (struct fixture){ .config = gpu_config_standard() };
    f->config.sm.count = way->sms;
    f->config.cluster.count = 1u;
    f->config.dispatch.kernels = way->kernels;
    f->config.laperm.mode = mode;
    f->config.cdp.group_latency = f->config.cdp.group_lane_latency = 0u;
    f->config.cdp.launch_latency = way->latency;
    f->config.cdp.lane_latency = way->latency / 10u;
    const struct gsp_options options = { .config = way->timed ? &f->config : NULL,
                                         .mode = way->mode };
    assert_int_equal(gsp_open(&f->context, &options), GSP_OK);
    (void)snprintf(path, sizeof path, "%.4000s/nested.ptx", places_made());
    if (gsp_module_load(f->context, path, &f->module) != GSP_OK) {
        fail_msg("%s", gsp_message(f->context));
    }
    assert_int_equal(gsp_malloc(f->context, &f->data, sizeof f->word), GSP_OK);
}

static void open_way(struct fixture *f, const struct way *way)
{
    open_with(f, way, BIND_OFF);
}

static void put(struct fixture *f)
{
    assert_int_equal(gsp_copy_in(f->context, f->data, f->word, sizeof f->word), GSP_OK);
}

static enum gsp_status launch(struct fixture *f, const char *kernel, uint32_t ctas,
                              uint32_t threads, void **args)
{
    return gsp_launch(f->context, &(struct gsp_launch){ .module = f->module,
                                                        .kernel = kernel,
                                                        .grid = { .x = ctas },
                                                        .block = { .x = threads },
                                                        .args = args });
}

static void run(struct fixture *f, const char *kernel, uint32_t ctas, uint32_t threads,
                void **args)
{
    assert_int_equal(launch(f, kernel, ctas, threads, args), GSP_OK);
}

static void get(struct fixture *f)
{
    if (gsp_copy_out(f->context, f->word, f->data, sizeof f->word) != GSP_OK) {
        fail_msg("%s", gsp_message(f->context));
    }
}

/* Runs a kernel of one argument, or two, whose first is the data. */
static void once(struct fixture *f, const struct way *way, const char *kernel, uint32_t ctas,
                 uint32_t threads, int32_t argument)
{
    print_message("%s %s\n", kernel, way->name);
    put(f);
    run(f, kernel, ctas, threads, (void *[]){ &f->data, &argument });
    get(f);
}

#define EACH_WAY(f, way)                                                                 \
    for (const struct way *way = ways; way < ways + WAYS; gsp_close((f).context), way++) \
        if (open_way(&(f), way), true)

/* ---- Order --------------------------------------------------------------------------- */

static void a_tree_of_launches_runs_once(void **state)
{
    struct fixture f;

    (void)state;
    EACH_WAY(f, way)
    {
        once(&f, way, "tree", 1u, 3u, 3);
        const int32_t expected[] = { 81, 27, 9, 3 };
        assert_memory_equal(f.word, expected, sizeof expected);
        if (way->timed) {
            assert_int_equal(gpu_stats(gsp_gpu(f.context))->n_kernel, 1 + 3 + 9 + 27);
        }
    }
}

static int32_t stepped(int32_t x, int32_t n)
{
    for (int32_t i = 1; i <= n; i++) {
        x = x * 3 + i;
    }
    return x;
}

static void groups_join_where_laperm_dispatches_and_are_kernels_elsewhere(void **state)
{
    static const char *const kernels[] = { "tree", "group_tree" };
    struct fixture f;

    (void)state;
    for (uint32_t groups = 0u; groups < 2u; groups++) {
        for (uint32_t mode = 0u; mode < 3u; mode++) { /* no timing, no LaPerm, LaPerm */
            open_with(&f, &ways[mode == 0u ? 0u : 2u], mode == 2u ? BIND_ADAPTIVE : BIND_OFF);
            once(&f, &ways[0], kernels[groups], 1u, 4u, 2);
            assert_int_equal(f.word[2], 4);
            assert_int_equal(f.word[1], 16);
            assert_int_equal(f.word[0], 64);
            uint32_t joined = 0u;
            for (uint32_t k = 1u; mode > 0u && k < 1u + 4u + 16u; k++) {
                joined += gpu_stats(gsp_gpu(f.context))->kernel[k].joined;
            }
            /* Some come when their parent is over, and no other is like them. */
            assert_int_equal(joined != 0u, groups == 1u && mode == 2u);
            gsp_close(f.context);
        }
    }
}

static void launches_of_a_cta_run_in_their_order(void **state)
{
    struct fixture f;

    (void)state;
    EACH_WAY(f, way)
    {
        for (int32_t i = 0; i < 5; i++) {
            f.word[i] = i;
        }
        once(&f, way, "in_order", 5u, 32u, 9);
        for (int32_t i = 0; i < 5; i++) {
            assert_int_equal(f.word[i], stepped(i, 9));
        }
    }
}

static void an_event_makes_one_stream_wait_for_another(void **state)
{
    struct fixture f;

    (void)state;
    EACH_WAY(f, way)
    {
        f.word[0] = 4;
        f.word[1] = -1;
        f.word[2] = 5;
        once(&f, way, "with_event", 1u, 1u, 0);
        assert_int_equal(f.word[0], 10 * (7 * (2 * 4 + 1)) + 3 * 5 + 1);
        assert_int_equal(f.word[1], 0);
        f.word[0] = 4;
        f.word[2] = 5;
        once(&f, way, "with_late_event", 1u, 1u, 0);
        assert_int_equal(f.word[0], 10 * (3 * 4 + 1) + 2 * 5 + 1);
    }
}

static void tail_launches_follow_all_else_each_with_its_own(void **state)
{
    struct fixture f;

    (void)state;
    EACH_WAY(f, way)
    {
        f.word[0] = 4;
        once(&f, way, "tails", 1u, 1u, 0);
        assert_int_equal(f.word[0], (((4 + 1) * 5 + 1) * 2 + 3) * 10);
        f.word[0] = 4;
        once(&f, way, "tail_of_child", 1u, 1u, 0);
        assert_int_equal(f.word[0], ((4 * 5 + 1) * 2 + 3) * 10);
    }
}

static void the_next_kernel_of_the_host_sees_what_children_have_done(void **state)
{
    struct fixture f;
    int32_t n = 5;
    gsp_pointer sum;

    (void)state;
    EACH_WAY(f, way)
    {
        sum = f.data + 4u * 100u;
        memset(f.word, 0, sizeof f.word);
        put(&f);
        run(&f, "in_order", 5u, 1u, (void *[]){ &f.data, &n });
        run(&f, "add_up", 1u, 1u, (void *[]){ &sum, &f.data, &n });
        get(&f);
        assert_int_equal(f.word[100], 5 * stepped(0, 5));
    }
}

/* ---- Lanes and parameters ------------------------------------------------------------ */

static void each_lane_launches_for_itself(void **state)
{
    struct fixture f;

    (void)state;
    EACH_WAY(f, way)
    {
        memset(f.word, 0, sizeof f.word);
        once(&f, way, "apart", 1u, 32u, 0);
        for (int32_t i = 0; i < 32; i++) {
            const int32_t rounds = i / 4;
            const int32_t expected = i % 4 == 0   ? rounds * (rounds + 1)
                                     : i % 4 == 1 ? 48
                                     : i % 4 == 2 ? i
                                                  : -1;
            assert_int_equal(f.word[i], expected + (i >= 16 ? 1 : 0));
        }
    }
}

static void parameters_lie_as_the_child_reads_them(void **state)
{
    struct fixture f;
    double out[10];

    (void)state;
    EACH_WAY(f, way)
    {
        once(&f, way, "by_value", 1u, 2u, 0);
        memcpy(out, f.word, sizeof out);
        for (int32_t i = 0; i < 2; i++) {
            assert_true(out[5 * i] == 'a' + i);
            assert_true(out[5 * i + 1] == i + 0.5 * i - i);
            assert_true(out[5 * i + 2] == 0.25 + 3.0 * i);
            assert_true(out[5 * i + 3] == i);
            assert_true(out[5 * i + 4] == (double)((INT64_C(1) << 40) + i));
        }
    }
}

/* ---- Errors -------------------------------------------------------------------------- */

static void errors_belong_to_the_thread_that_made_them(void **state)
{
    struct fixture f;
    const int32_t expected[] = { 0, 9, 9, 9, 9, 400 };

    (void)state;
    EACH_WAY(f, way)
    {
        memset(f.word, 0, sizeof f.word);
        once(&f, way, "refused", 1u, 32u, 0);
        for (int32_t i = 0; i < 32; i++) {
            const int32_t error = i < 6 ? expected[i] : 0;
            assert_int_equal(f.word[i], 1001 * error);
            assert_int_equal(f.word[32 + i], 0);
        }
        assert_int_equal(f.word[64], 27);
    }
}

static void nesting_ends_with_an_error_at_level_24(void **state)
{
    struct fixture f;

    (void)state;
    EACH_WAY(f, way)
    {
        memset(f.word, 0, sizeof f.word);
        once(&f, way, "nest", 1u, 1u, 0);
        assert_int_equal(f.word[0], 65);
        assert_int_equal(f.word[1], 24);
    }
}

static void a_tail_launch_is_no_nesting(void **state)
{
    struct fixture f;

    (void)state;
    EACH_WAY(f, way)
    {
        f.word[0] = 0;
        once(&f, way, "again", 1u, 1u, 2500);
        assert_int_equal(f.word[0], 2501);
        f.word[0] = 0;
        once(&f, way, "far", 1u, 1u, 30);
        assert_int_equal(f.word[0], 1);
    }
}

/* 2,048 may be pending; what is refused says so. */
static void launches_beyond_the_pending_ones_are_refused(void **state)
{
    struct fixture f;

    (void)state;
    EACH_WAY(f, way)
    {
        memset(f.word, 0, sizeof f.word);
        once(&f, way, "many", 4u, 256u, 3);
        assert_int_equal(f.word[0] + f.word[1], 4 * 256 * 3);
        if (!way->timed) {
            assert_int_equal(f.word[0], 2048);
        }
        assert_in_range(f.word[0], 2048, 3071);
    }
}

static void tail_launches_without_end_meet_the_limit_of_instructions(void **state)
{
    struct fixture f;

    (void)state;
    for (const struct way *way = ways; way < ways + 3; way++) {
        open_way(&f, way);
        gsp_close(f.context);
        const struct gsp_options options = { .config = way->timed ? &f.config : NULL,
                                             .limit = 1000u };
        char path[4096];
        int32_t left = 1 << 30;
        assert_int_equal(gsp_open(&f.context, &options), GSP_OK);
        (void)snprintf(path, sizeof path, "%.4000s/nested.ptx", places_made());
        assert_int_equal(gsp_module_load(f.context, path, &f.module), GSP_OK);
        assert_int_equal(gsp_malloc(f.context, &f.data, sizeof f.word), GSP_OK);
        run(&f, "again", 1u, 1u, (void *[]){ &f.data, &left });
        assert_int_equal(gsp_synchronize(f.context), GSP_ILLEGAL);
        assert_non_null(strstr(gsp_message(f.context), "1000 warp instructions, its limit"));
        gsp_close(f.context);
    }
}

/* ---- Memory -------------------------------------------------------------------------- */

static void operations_of_a_stream_are_in_its_order(void **state)
{
    struct fixture f;

    (void)state;
    EACH_WAY(f, way)
    {
        gsp_pointer from = f.data + 4u * 200u;
        for (int32_t i = 0; i < 32; i++) {
            f.word[200 + i] = i;
        }
        put(&f);
        run(&f, "copies", 1u, 1u, (void *[]){ &f.data, &from });
        get(&f);
        for (int32_t i = 0; i < 96; i++) {
            assert_int_equal(f.word[i], i < 64 ? 3 * (i % 32) : 0x01010101);
        }
    }
}

static void kernels_have_a_heap(void **state)
{
    struct fixture f;

    (void)state;
    EACH_WAY(f, way)
    {
        memset(f.word, 0, sizeof f.word);
        once(&f, way, "heap", 1u, 1u, 0);
        assert_int_equal(f.word[0], 3 * 4950);
        assert_int_equal(f.word[1], 0);
        assert_int_equal(f.word[2], 1);
    }
}

/* ---- CUDA before 12 ------------------------------------------------------------------ */

static void a_parent_may_wait_for_its_children(void **state)
{
    struct fixture f;

    (void)state;
    EACH_WAY(f, way)
    {
        f.word[0] = 4;
        once(&f, way, "wait_twice", 1u, 1u, 0);
        assert_int_equal(f.word[1], 2 * (5 * 4 + 1));
        once(&f, way, "wait_deep", 1u, 1u, 0);
        assert_int_equal(f.word[0], 0);
        once(&f, way, "wait_deep", 1u, 1u, 1);
        assert_int_equal(f.word[0], 68);
    }
}

/* ---- Time ---------------------------------------------------------------------------- */

static void a_child_arrives_when_its_latency_is_over(void **state)
{
    struct fixture f;
    uint64_t first[2];

    (void)state;
    for (uint32_t i = 0u; i < 2u; i++) {
        const struct way way = { "", true, 0u, 4u, 32u, i == 0u ? 1000u : 8000u };
        open_way(&f, &way);
        once(&f, &way, "in_order", 1u, 1u, 2);
        const struct gpu_stats *const stats = gpu_stats(gsp_gpu(f.context));
        const struct gpu_kernel_stats *const k = stats->kernel;
        assert_int_equal(stats->n_kernel, 3);
        assert_false(k[0].nested);
        for (uint32_t c = 1u; c < 3u; c++) {
            assert_true(k[c].nested);
            assert_int_equal(k[c].parent, 0);
            assert_int_equal(k[c].depth, 1);
            assert_int_equal(k[c].priority, 1);
            assert_int_equal(k[c].sm, 0);
            assert_true(k[c].launched > k[0].first_cta && k[c].launched < k[0].ended);
        }
        assert_true(k[1].first_cta >= k[1].launched + way.latency + way.latency / 10u
                                          + f.config.dispatch.launch_latency);
        assert_true(k[2].first_cta > k[1].ended + f.config.dispatch.launch_latency);
        first[i] = k[1].first_cta;
        gsp_close(f.context);
    }
    assert_int_equal(first[1] - first[0], 7000 + 700);
}

static void other_ways_of_running_take_the_same_cycles(void **state)
{
    static const char *const kernels[] = { "tree", "tails", "with_event", "apart" };
    struct fixture f;
    uint64_t cycles[WAYS];

    (void)state;
    for (uint32_t k = 0u; k < 4u; k++) {
        for (uint32_t i = 2u; i < WAYS; i++) {
            open_way(&f, &ways[i]);
            once(&f, &ways[i], kernels[k], 1u, k == 0u || k == 3u ? 32u : 1u, k == 0u ? 1 : 0);
            cycles[i] = gpu_cycle(gsp_gpu(f.context));
            gsp_close(f.context);
        }
        assert_int_equal(cycles[4], cycles[2]);
        assert_int_equal(cycles[5], cycles[2]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_of_launches_runs_once),
        cmocka_unit_test(groups_join_where_laperm_dispatches_and_are_kernels_elsewhere),
        cmocka_unit_test(launches_of_a_cta_run_in_their_order),
        cmocka_unit_test(an_event_makes_one_stream_wait_for_another),
        cmocka_unit_test(tail_launches_follow_all_else_each_with_its_own),
        cmocka_unit_test(the_next_kernel_of_the_host_sees_what_children_have_done),
        cmocka_unit_test(each_lane_launches_for_itself),
        cmocka_unit_test(parameters_lie_as_the_child_reads_them),
        cmocka_unit_test(errors_belong_to_the_thread_that_made_them),
        cmocka_unit_test(nesting_ends_with_an_error_at_level_24),
        cmocka_unit_test(a_tail_launch_is_no_nesting),
        cmocka_unit_test(launches_beyond_the_pending_ones_are_refused),
        cmocka_unit_test(tail_launches_without_end_meet_the_limit_of_instructions),
        cmocka_unit_test(operations_of_a_stream_are_in_its_order),
        cmocka_unit_test(kernels_have_a_heap),
        cmocka_unit_test(a_parent_may_wait_for_its_children),
        cmocka_unit_test(a_child_arrives_when_its_latency_is_over),
        cmocka_unit_test(other_ways_of_running_take_the_same_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
