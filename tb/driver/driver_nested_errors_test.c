/* Tests of the errors of kernels that launch kernels: what the thread that launches is told,
 * and the limits of nesting, pending launches and instructions, in each way of running. */

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
        assert_non_null(strstr(gsp_message(f.context), "1000 warp instructions, its limit"));
        gsp_close(f.context);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
