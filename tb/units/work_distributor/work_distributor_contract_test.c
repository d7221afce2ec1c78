/*
 * Tests of the work distributor's golden model against its header: illegal stimulus, who
 * watches the parts, and what every unit promises. Its composition is tested in
 * work_distributor_random_test.c, what comes of it in work_distributor_test.c.
 */

#include "tb/base/unit_paths.h"
#include "work_distributor_cycle.h"

static const struct work_distributor_config odd_size = { 5u, 3u, 3u, 6u, 2u };

/* ---- Illegal stimulus ---------------------------------------------------------------- */

static const struct grid good_grid = { 9u, { { 0x1Fu } }, CTA_DISTRIBUTED, 1u, true };

static void check_all(const struct work_distributor *expected,
                      const struct work_distributor *got)
{
    check_group(&work_distributor_type, &got->config, UNIT_REG, &expected->q, &got->q);
    check_group(&work_distributor_type, &got->config, UNIT_MEM, &expected->mem, &got->mem);
}

/* These inputs raise the flag for one cycle, and load p_A and p_L, which only a launch uses. */
static void check_refused(struct work_distributor *unit, struct work_distributor_in in)
{
    static struct work_distributor expected;

    expected = *unit;
    expected.q.active = in.launch_active;
    expected.q.loose = in.launch_loose;
    expected.scheduler.q.launch_error = true;
    assert_false(run_cycle(unit, in).launch_error);
    check_all(&expected, unit);
    assert_true(run_cycle(unit, (struct work_distributor_in){ 0 }).launch_error);
    expected.scheduler.q.launch_error = false;
    check_all(&expected, unit);
}

static void an_illegal_launch_is_flagged_and_leaves_every_kernel(void **state)
{
    (void)state;
    struct work bad[] = { { good_grid, 1, 0 }, { good_grid, 2, 1 }, { good_grid, 0, 3 } };
    static struct work_distributor unit;

    bad[0].grid.ctas = 0u;
    bad[1].grid.sms = set_of(0u);
    bad[2].grid.block = 3u;
    for (uint32_t active = 0u; active < 2u; active++) {
        make_distributor(&unit, odd_size);
        start(&unit, 1u, (struct work){ good_grid, active, 1u });
        for (uint32_t i = 0u; i < 3u; i++) {
            for (uint32_t slot = 0u; slot < 4u; slot++) {
                check_refused(&unit, start_of(slot, bad[i]));
            }
        }
        check_refused(&unit, start_of(3u, (struct work){ good_grid, 3u, 3u }));
        check_refused(&unit, change_of(0u, good_grid.sms, 1u, 0u));
        check_refused(&unit, change_of(1u, set_of(0u), 1u - active, 0u));
        assert_int_equal(bits_has(unit.q.credited, 1u), active);
        assert_true(request_once(&unit, request_of(1u, good_grid.sms)).dispatch_valid);
        assert_false(request_once(&unit, request_of(0u, good_grid.sms)).dispatch_valid);
        assert_false(request_once(&unit, request_of(3u, good_grid.sms)).dispatch_valid);
    }
}

static void a_launch_in_waiting_leaves_the_levels_of_the_one_under_way(void **state)
{
    (void)state;
    static struct work_distributor unit;

    make_distributor(&unit, odd_size);
    (void)run_cycle(&unit, start_of(0u, (struct work){ good_grid, 1u, 2u }));
    while (unit.scheduler.q.busy) {
        assert_false(
            run_cycle(&unit, start_of(1u, (struct work){ good_grid, 0u, 3u })).launch_ready);
        assert_int_equal(unit.q.active, 1);
        assert_int_equal(unit.q.loose, 2);
    }
    assert_true(bits_has(unit.q.credited, 0u));
    assert_int_equal(claso_band(&unit.credits, 0u, 0u), 3);
}

/* ---- Who watches --------------------------------------------------------------------- */

struct seen {
    uint32_t scheduler, credits;
    const struct work_distributor *unit;
    struct cta_scheduler_next scheduler_next;
    struct claso_next credits_next;
    bool refuses; /* the credits' masks are replaced by none */
};

static void see_scheduler(struct seen *seen, const struct cta_scheduler *unit,
                          const struct cta_scheduler_in *in,
                          const struct cta_scheduler_out *out,
                          const struct cta_scheduler_next *next)
{
    struct cta_scheduler_out expected;
    static struct cta_scheduler_next scratch;

    assert_ptr_equal(unit, &seen->unit->scheduler);
    cta_scheduler_eval(unit, in, &expected, &scratch);
    check_out(unit, &expected, out);
    seen->scheduler++;
    seen->scheduler_next = *next;
}

static void see_credits(struct seen *seen, const struct claso *unit, const struct claso_in *in,
                        struct claso_out *out, const struct claso_next *next)
{
    struct claso_out expected;
    static struct claso_next scratch;

    assert_ptr_equal(unit, &seen->unit->credits);
    claso_eval(unit, in, &expected, &scratch);
    check_group(&claso_type, &unit->config, UNIT_OUT, &expected, out);
    if (seen->refuses) {
        out->allow = set_of(0u);
    }
    seen->credits++;
    seen->credits_next = *next;
}

static void see(void *self, uint32_t part, const void *unit, const void *in, void *out,
                const void *next)
{
    if (part == work_distributor_part_scheduler) {
        see_scheduler(self, unit, in, out, next);
    } else {
        assert_int_equal(part, work_distributor_part_credits);
        see_credits(self, unit, in, out, next);
    }
}

static void a_watch_is_told_of_every_evaluation_and_the_last_is_what_the_edge_does(void **state)
{
    (void)state;
    static struct work_distributor unit;
    static struct work_distributor seen_unit;
    static struct work_distributor_next next;
    static struct seen seen;
    const struct unit_watch watch = { &seen, see };
    uint64_t random = printed_seed();

    make_distributor(&unit, odd_size);
    seen.unit = &unit;
    for (uint32_t i = 0u; i < 3000u; i++) {
        const struct work_distributor_in in = some_work(&random, &unit);
        struct work_distributor_out plain, out;
        work_distributor_eval(&unit, &in, &plain, &next);
        seen.scheduler = seen.credits = 0u;
        work_distributor_eval_watched(&unit, &in, &out, &next, &watch);
        check_group(&work_distributor_type, &unit.config, UNIT_OUT, &plain, &out);
        assert_int_equal(seen.scheduler, 2);
        assert_in_range(seen.credits, 1, 2);
        seen_unit = unit;
        cta_scheduler_tick(&seen_unit.scheduler, &seen.scheduler_next);
        claso_tick(&seen_unit.credits, &seen.credits_next);
        work_distributor_tick(&unit, &next);
        seen_unit.q = unit.q;
        check_all(&seen_unit, &unit);
    }
}

static void what_a_watch_puts_in_place_of_outputs_is_gone_on_with(void **state)
{
    (void)state;
    static struct work_distributor unit;
    static struct work_distributor_next next;
    static struct seen seen = { .refuses = true };
    const struct unit_watch watch = { &seen, see };
    struct work_distributor_out out;

    make_distributor(&unit, odd_size);
    seen.unit = &unit;
    start(&unit, 0u, (struct work){ good_grid, 1u, 0u });
    const struct work_distributor_in in = request_of(0u, good_grid.sms);
    work_distributor_eval_watched(&unit, &in, &out, &next, &watch);
    assert_false(bits_any(next.scheduler.q.candidates));
    work_distributor_eval_watched(&unit, &in, &out, &next, NULL);
    assert_true(bits_any(next.scheduler.q.candidates));
}

/* ---- What every unit promises -------------------------------------------------------- */

static void init_rejects_a_bad_parameter_and_leaves_the_unit(void **state)
{
    (void)state;
    static struct work_distributor unit;
    static struct work_distributor before;

    for (uint32_t i = 0u; i < work_distributor_type.n_param; i++) {
        const struct unit_param *const param = &work_distributor_type.params[i];
        const uint32_t bad[] = { 0u, param->highest + 1u, UINT32_MAX };
        for (size_t k = 0u; k < sizeof bad / sizeof bad[0]; k++) {
            struct work_distributor_config config = odd_size;
            memcpy((char *)&config + param->offset, &bad[k], sizeof bad[k]);
            make_distributor(&unit, odd_size);
            start(&unit, 1u, (struct work){ good_grid, 1u, 0u });
            memcpy(&before, &unit, sizeof unit);
            assert_int_equal(work_distributor_init(&unit, &config),
                             work_distributor_bad_n_sm + (int)i);
            assert_memory_equal(&unit, &before, sizeof unit);
        }
    }
}

static void its_parts_have_its_parameters_and_start_cleared(void **state)
{
    (void)state;
    static const struct work_distributor_config config = { 192, 64, 32, 32, 8 };
    static const struct cta_scheduler_config scheduler = { 192, 64, 32, 32 };
    static const struct claso_config credits = { 192, 64, 32, 32, 8 };
    static struct work_distributor unit;
    static struct work_distributor zeros;

    memset(&unit, 0x55, sizeof unit);
    make_distributor(&unit, config);
    assert_memory_equal(&unit.config, &config, sizeof config);
    assert_memory_equal(&unit.scheduler.config, &scheduler, sizeof scheduler);
    assert_memory_equal(&unit.credits.config, &credits, sizeof credits);
    check_all(&zeros, &unit);
}

static void eval_is_pure_and_inputs_reach_the_outputs_of_the_table(void **state)
{
    (void)state;
    static struct work_distributor unit;
    static struct work_distributor before;
    static struct work_distributor_next next[2];
    static struct unit_paths paths;
    struct work_distributor_out out[2];
    uint64_t random = printed_seed();

    make_distributor(&unit, odd_size);
    open_paths(&paths, &work_distributor_type, &unit.config);
    for (uint32_t i = 0u; i < 6000u; i++) {
        const struct work_distributor_in in = some_work(&random, &unit);
        const struct work_distributor_in other = some_work(&random, &unit);
        memcpy(&before, &unit, sizeof unit);
        note_paths(&paths, &unit, &in, &other);
        for (int k = 0; k < 2; k++) { /* over different leavings */
            memset(&out[k], k, sizeof out[k]);
            memset(&next[k], k, sizeof next[k]);
            work_distributor_eval(&unit, &in, &out[k], &next[k]);
        }
        assert_memory_equal(&unit, &before, sizeof unit);
        check_group(&work_distributor_type, &unit.config, UNIT_OUT, &out[0], &out[1]);
        work_distributor_tick(&unit, &next[0]);
        work_distributor_tick(&before, &next[1]);
        check_all(&unit, &before);
    }
    close_paths(&paths);
}

static void reset_clears_all_registers_and_leaves_the_memories(void **state)
{
    (void)state;
    static struct work_distributor unit;
    static struct work_distributor expected;
    uint64_t random = printed_seed();

    make_distributor(&unit, odd_size);
    for (uint32_t i = 0u; i < 6000u; i++) {
        (void)run_cycle(&unit, some_work(&random, &unit));
        if (one_in(&random, 40u)) {
            expected = unit;
            memset(&expected.q, 0, sizeof expected.q);
            memset(&expected.scheduler.q, 0, sizeof expected.scheduler.q);
            memset(&expected.credits.q, 0, sizeof expected.credits.q);
            work_distributor_reset(&unit);
            check_all(&expected, &unit);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_illegal_launch_is_flagged_and_leaves_every_kernel),
        cmocka_unit_test(a_launch_in_waiting_leaves_the_levels_of_the_one_under_way),
        cmocka_unit_test(
            a_watch_is_told_of_every_evaluation_and_the_last_is_what_the_edge_does),
        cmocka_unit_test(what_a_watch_puts_in_place_of_outputs_is_gone_on_with),
        cmocka_unit_test(init_rejects_a_bad_parameter_and_leaves_the_unit),
        cmocka_unit_test(its_parts_have_its_parameters_and_start_cleared),
        cmocka_unit_test(eval_is_pure_and_inputs_reach_the_outputs_of_the_table),
        cmocka_unit_test(reset_clears_all_registers_and_leaves_the_memories),
    };
    return cmocka_run_group_tests_name("work_distributor contract", tests, NULL, NULL);
}
