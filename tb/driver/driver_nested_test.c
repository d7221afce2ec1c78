/* Tests of kernels that launch kernels: what CUDA promises of order, memory and waiting,
 * without timing, with it, and with it in other ways of running. Errors are in
 * driver_nested_errors_test.c. */

#include <string.h>

#include "tb/driver/driver_nested.h"

/* ---- Order --------------------------------------------------------------------------- */

static void a_tree_of_launches_runs_once(void **state)
{
    struct fixture f;

    (void)state;
    EACH_WAY(f, way)
    {
        nested_once(&f, way, "tree", 1u, 3u, 3);
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
            nested_open_with(&f, &nested_ways[mode == 0u ? 0u : 2u],
                             mode == 2u ? BIND_ADAPTIVE : BIND_OFF);
            nested_once(&f, &nested_ways[0], kernels[groups], 1u, 4u, 2);
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
        nested_once(&f, way, "in_order", 5u, 32u, 9);
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
        nested_once(&f, way, "with_event", 1u, 1u, 0);
        assert_int_equal(f.word[0], 10 * (7 * (2 * 4 + 1)) + 3 * 5 + 1);
        assert_int_equal(f.word[1], 0);
        f.word[0] = 4;
        f.word[2] = 5;
        nested_once(&f, way, "with_late_event", 1u, 1u, 0);
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
        nested_once(&f, way, "tails", 1u, 1u, 0);
        assert_int_equal(f.word[0], (((4 + 1) * 5 + 1) * 2 + 3) * 10);
        f.word[0] = 4;
        nested_once(&f, way, "tail_of_child", 1u, 1u, 0);
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
        nested_put(&f);
        nested_run(&f, "in_order", 5u, 1u, (void *[]){ &f.data, &n });
        nested_run(&f, "add_up", 1u, 1u, (void *[]){ &sum, &f.data, &n });
        nested_get(&f);
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
        nested_once(&f, way, "apart", 1u, 32u, 0);
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
        nested_once(&f, way, "by_value", 1u, 2u, 0);
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
        nested_put(&f);
        nested_run(&f, "copies", 1u, 1u, (void *[]){ &f.data, &from });
        nested_get(&f);
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
        nested_once(&f, way, "heap", 1u, 1u, 0);
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
        nested_once(&f, way, "wait_twice", 1u, 1u, 0);
        assert_int_equal(f.word[1], 2 * (5 * 4 + 1));
        nested_once(&f, way, "wait_deep", 1u, 1u, 0);
        assert_int_equal(f.word[0], 0);
        nested_once(&f, way, "wait_deep", 1u, 1u, 1);
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
        nested_open(&f, &way);
        nested_once(&f, &way, "in_order", 1u, 1u, 2);
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
            nested_open(&f, &nested_ways[i]);
            nested_once(&f, &nested_ways[i], kernels[k], 1u, k == 0u || k == 3u ? 32u : 1u,
                        k == 0u ? 1 : 0);
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
        cmocka_unit_test(operations_of_a_stream_are_in_its_order),
        cmocka_unit_test(kernels_have_a_heap),
        cmocka_unit_test(a_parent_may_wait_for_its_children),
        cmocka_unit_test(a_child_arrives_when_its_latency_is_over),
        cmocka_unit_test(other_ways_of_running_take_the_same_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
