/* Tests of the errors of kernels that launch kernels: what the thread that launches is told,
 * and the limits of nesting, pending launches and instructions, in each way of running. */

#include <stdio.h>
#include <string.h>

#include "tb/driver/driver_nested.h"

static void errors_belong_to_the_thread_that_made_them(void **state)
{
    struct fixture f;
    const int32_t expected[] = { 0, 9, 9, 9, 9, 400, 9, 9, 9, 9, 0 };

    (void)state;
    EACH_WAY(f, way)
    {
        memset(f.word, 0, sizeof f.word);
        nested_once(&f, way, "refused", 1u, 32u, 0);
        for (int32_t i = 0; i < 32; i++) {
            const int32_t error = i <= 10 ? expected[i] : 0;
            assert_int_equal(f.word[i], 1001 * error);
            assert_int_equal(f.word[32 + i], 0);
        }
        assert_int_equal(f.word[64], 22 + 64); /* one of them has 64 threads */
    }
}

static void nesting_ends_with_an_error_at_level_24(void **state)
{
    struct fixture f;

    (void)state;
    EACH_WAY(f, way)
    {
        memset(f.word, 0, sizeof f.word);
        nested_once(&f, way, "nest", 1u, 1u, 0);
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
        nested_once(&f, way, "again", 1u, 1u, 2500);
        assert_int_equal(f.word[0], 2501);
        f.word[0] = 0;
        nested_once(&f, way, "far", 1u, 1u, 30);
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
        nested_once(&f, way, "many", 4u, 256u, 3);
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
    for (const struct way *way = nested_ways; way < nested_ways + 3; way++) {
        nested_open(&f, way);
        gsp_close(f.context);
        const struct gsp_options options = { .config = way->timed ? &f.config : NULL,
                                             .limit = 1000u };
        int32_t left = 1 << 30;
        assert_int_equal(gsp_open(&f.context, &options), GSP_OK);
        nested_load(&f);
        nested_run(&f, "again", 1u, 1u, (void *[]){ &f.data, &left });
        assert_int_equal(gsp_synchronize(f.context), GSP_ILLEGAL);
        assert_non_null(strstr(gsp_message(f.context), "1000 warp instructions, their limit"));
        gsp_close(f.context);
    }
}

/* Runs kernels one after the other, of the host, with this limit. Returns the status, and in
 * *executed how many instructions that were. */
static enum gsp_status limited(const struct way *way, const char *kernel, int32_t argument,
                               uint32_t times, uint64_t limit, uint64_t *executed,
                               const char *says)
{
    struct fixture f;
    enum gsp_status status;

    nested_open(&f, way);
    gsp_close(f.context);
    const struct gsp_options options = { .config = way->timed ? &f.config : NULL,
                                         .mode = way->mode,
                                         .limit = limit };
    assert_int_equal(gsp_open(&f.context, &options), GSP_OK);
    nested_load(&f);
    nested_put(&f);
    for (uint32_t k = 0u; k < times; k++) {
        nested_run(&f, kernel, 1u, 4u, (void *[]){ &f.data, &argument });
    }
    status = gsp_synchronize(f.context);
    *executed = gsp_instructions(f.context);
    if (status != GSP_OK && strstr(gsp_message(f.context), says) == NULL) {
        fail_msg("%s %s: %s", kernel, way->name, gsp_message(f.context));
    }
    gsp_close(f.context);
    return status;
}

/* The kernels of a tree count together; each launch of the host has a tree of its own, and they
 * may run side by side. 4 threads with 3 levels below them: 85 kernels. */
static void a_tree_meets_the_limit_with_all_its_kernels(void **state)
{
    static const char *const trees[] = { "tree", "group_tree" };
    uint64_t all, executed;
    char says[128];

    (void)state;
    for (uint32_t k = 0u; k < WAYS * 2u; k++) {
        const struct way *const way = &nested_ways[k / 2u];
        const char *const tree = trees[k % 2u];
        assert_int_equal(limited(way, tree, 3, 1u, 0u, &all, ""), GSP_OK);
        assert_int_equal(limited(way, tree, 3, 1u, all, &executed, ""), GSP_OK);
        assert_int_equal(executed, all);
        assert_int_equal(limited(way, tree, 3, 3u, all, &executed, ""), GSP_OK);
        assert_int_equal(executed, 3u * all);
        (void)snprintf(says, sizeof says,
                       "%s of the host and all that it has led to (launches: 84) have executed "
                       "%llu warp instructions, their limit",
                       tree, (unsigned long long)all - 1u);
        assert_int_equal(limited(way, tree, 3, 1u, all - 1u, &executed, says), GSP_ILLEGAL);
        assert_int_equal(executed, all - 1u);
    }
}

/* More launches than could ever be executed. */
static void a_tree_without_end_meets_the_limit(void **state)
{
    uint64_t executed;

    (void)state;
    for (const struct way *way = nested_ways; way < nested_ways + WAYS; way++) {
        assert_int_equal(limited(way, "tree", 23, 1u, 20000u, &executed,
                                 "have executed 20000 warp instructions, their limit"),
                         GSP_ILLEGAL);
        assert_int_equal(executed, 20000u);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_belong_to_the_thread_that_made_them),
        cmocka_unit_test(nesting_ends_with_an_error_at_level_24),
        cmocka_unit_test(a_tail_launch_is_no_nesting),
        cmocka_unit_test(launches_beyond_the_pending_ones_are_refused),
        cmocka_unit_test(tail_launches_without_end_meet_the_limit_of_instructions),
        cmocka_unit_test(a_tree_meets_the_limit_with_all_its_kernels),
        cmocka_unit_test(a_tree_without_end_meets_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
