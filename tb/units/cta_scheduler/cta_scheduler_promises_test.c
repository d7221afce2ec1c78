/*
 * Tests that the CTA scheduler's golden model keeps what every unit promises: parameters,
 * reset, evaluation, paths, and slots that leave each other alone; at the largest sizes as
 * well.
 */

#include "cta_scheduler_cycle.h"
#include "tb/base/unit_paths.h"

static const struct cta_scheduler_config odd_size = { 5u, 3u, 3u, 6u };

static void init_rejects_a_bad_parameter_and_leaves_the_unit(void **state)
{
    (void)state;
    static struct cta_scheduler unit;
    static struct cta_scheduler before;

    for (uint32_t i = 0u; i < cta_scheduler_type.n_param; i++) {
        const struct unit_param *const param = &cta_scheduler_type.params[i];
        const uint32_t bad[] = { 0u, param->highest + 1u, UINT32_MAX };
        for (size_t k = 0u; k < sizeof bad / sizeof bad[0]; k++) {
            struct cta_scheduler_config config = odd_size;
            memcpy((char *)&config + param->offset, &bad[k], sizeof bad[k]);
            make(&unit, odd_size);
            start_launch(&unit, 1u,
                         (struct grid){ 9u, bits_below(5u), CTA_DISTRIBUTED, 1u, false });
            memcpy(&before, &unit, sizeof unit);
            assert_int_equal(cta_scheduler_init(&unit, &config),
                             cta_scheduler_bad_n_sm + (int)i);
            assert_memory_equal(&unit, &before, sizeof unit);
        }
    }
}

static void init_accepts_the_lowest_and_the_highest_parameters_and_clears_all(void **state)
{
    (void)state;
    static const struct cta_scheduler_config configs[] = {
        { 1, 1, 1, 1 }, { 192, 64, 32, 32 }, { 1, 64, 32, 32 }, { 192, 1, 1, 1 }
    };
    static struct cta_scheduler unit;
    static const struct cta_scheduler zeros;

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        memset(&unit, 0x55, sizeof unit);
        make(&unit, configs[i]);
        assert_memory_equal(&unit.config, &configs[i], sizeof configs[i]);
        assert_memory_equal(&unit.q, &zeros.q, sizeof unit.q);
        assert_memory_equal(&unit.mem, &zeros.mem, sizeof unit.mem);
    }
}

static void reset_clears_the_registers_and_leaves_the_memories(void **state)
{
    (void)state;
    static struct cta_scheduler unit;
    static struct cta_scheduler expected;
    uint64_t random = printed_seed();
    uint32_t busy = 0u;

    make(&unit, odd_size);
    for (uint32_t i = 0u; i < 6000u; i++) {
        (void)cycle(&unit, some_inputs(&random, &unit));
        if (one_in(&random, 30u)) {
            busy += unit.q.busy;
            expected = unit;
            memset(&expected.q, 0, sizeof expected.q);
            cta_scheduler_reset(&unit);
            check_same(&expected, &unit);
            assert_false(look(&unit, 0u, bits_below(5u)).dispatch_valid);
            assert_true(look(&unit, 0u, bits_below(5u)).launch_ready);
        }
    }
    assert_in_range(busy, 10, 6000); /* in the middle of a launch as well */
}

static void eval_is_pure(void **state)
{
    (void)state;
    static struct cta_scheduler unit;
    static struct cta_scheduler other;
    static struct cta_scheduler_next next[2];
    struct cta_scheduler_out out[2];
    uint64_t random = printed_seed();

    make(&unit, odd_size);
    for (uint32_t i = 0u; i < 5000u; i++) {
        const struct cta_scheduler_in in = some_inputs(&random, &unit);
        memcpy(&other, &unit, sizeof unit);
        for (int k = 0; k < 2; k++) { /* over different leavings */
            memset(&out[k], k, sizeof out[k]);
            memset(&next[k], k, sizeof next[k]);
            cta_scheduler_eval(&unit, &in, &out[k], &next[k]);
        }
        assert_memory_equal(&unit, &other, sizeof unit);
        check_out(&unit, &out[0], &out[1]);
        cta_scheduler_tick(&unit, &next[0]);
        cta_scheduler_tick(&other, &next[1]);
        check_same(&unit, &other);
    }
}

static void inputs_reach_exactly_the_outputs_of_the_table(void **state)
{
    (void)state;
    static struct cta_scheduler unit;
    static struct unit_paths paths;
    uint64_t random = printed_seed();

    make(&unit, odd_size);
    open_paths(&paths, &cta_scheduler_type, &unit.config);
    for (uint32_t i = 0u; i < 8000u; i++) {
        const struct cta_scheduler_in in = some_inputs(&random, &unit);
        const struct cta_scheduler_in other = some_inputs(&random, &unit);
        note_paths(&paths, &unit, &in, &other);
        (void)cycle(&unit, in);
    }
    close_paths(&paths);
}

static void a_dispatch_stands_until_it_is_taken(void **state)
{
    (void)state;
    static struct cta_scheduler unit;
    static struct cta_scheduler before;
    struct cta_scheduler_in in = ask_of(0u, bits_below(5u));

    make(&unit, odd_size);
    start_launch(&unit, 0u, (struct grid){ 9u, bits_below(5u), CTA_DISTRIBUTED, 1u, false });
    in.dispatch_ready = false;
    (void)cycle(&unit, in);
    (void)cycle(&unit, in);
    before = unit;
    for (uint32_t i = 0u; i < 10u; i++) {
        const struct cta_scheduler_out out = cycle(&unit, in);
        assert_true(out.dispatch_valid);
        assert_int_equal(out.dispatch_sm, 0);
        assert_int_equal(out.dispatch_cta, 0);
        assert_int_equal(out.dispatch_count, 2);
        check_same(&before, &unit);
    }
}

/* A slot's words of memory are alike. */
static void check_slot(const struct cta_scheduler *a, const struct cta_scheduler *b,
                       uint32_t slot)
{
    const uint32_t at = pool_at(a, slot, 0u);
    const size_t size = a->config.n_cluster * sizeof a->mem.left[0];

    assert_memory_equal(&a->mem.left[at], &b->mem.left[at], size);
    assert_memory_equal(&a->mem.next[at], &b->mem.next[at], size);
    assert_memory_equal(&a->mem.homeless[at], &b->mem.homeless[at], size);
    assert_int_equal(a->mem.policy[slot], b->mem.policy[slot]);
    assert_int_equal(a->mem.block[slot], b->mem.block[slot]);
    assert_int_equal(a->mem.steal[slot], b->mem.steal[slot]);
    const struct pointers p = pointers_of(a, slot), q = pointers_of(b, slot);
    assert_memory_equal(&p, &q, sizeof p);
}

/* Of both units when i is a multiple of 40: the same launch of slot 1; else other slots'. */
static void launch_some(struct cta_scheduler *alone, struct cta_scheduler *shared, uint32_t i,
                        uint64_t *random)
{
    const struct grid grid = some_legal_grid(random, &alone->config);

    if (i % 80u == 40u && i > 80u) {
        run_launch(alone, keep_of(1u, grid.sms));
        run_launch(shared, keep_of(1u, grid.sms));
    } else if (i % 40u == 0u) {
        start_launch(alone, 1u, grid);
        start_launch(shared, 1u, grid);
    } else if (i % 20u == 10u) {
        start_launch(shared, i % 40u == 10u ? 0u : 2u, grid);
    }
}

/* The same is done to slot 1 of both units, and all else to `shared` alone. */
static void kernel_slots_share_nothing(void **state)
{
    (void)state;
    static struct cta_scheduler alone;
    static struct cta_scheduler shared;
    uint64_t random = printed_seed();

    make(&alone, odd_size);
    make(&shared, odd_size);
    for (uint32_t i = 0u; i < 8000u; i++) {
        launch_some(&alone, &shared, i, &random);
        (void)ask_once(&shared, ask_of(i % 2u * 2u, some_sms(&random, 5u)));
        (void)ask_once(&shared, ask_of(3u, some_sms(&random, 5u)));

        const struct cta_scheduler_in in = ask_of(1u, some_sms(&random, 5u));
        const struct cta_scheduler_out expected = ask_once(&alone, in);
        const struct cta_scheduler_out got = ask_once(&shared, in);
        check_out(&alone, &expected, &got);
        check_slot(&alone, &shared, 1u);
    }
}

/* 2^32 - 1 CTAs over 192 SMs, in the last of 32 slots: the last CTAs are those they should be.
 */
static void the_largest_grid_on_the_largest_unit_ends_as_it_should(void **state)
{
    (void)state;
    static struct cta_scheduler unit;
    const uint32_t last = 31u * 64u + 63u;
    const uint64_t share = UINT32_MAX / 64u; /* and one more for all but pool 63 */

    make(&unit, (struct cta_scheduler_config){ 192u, 64u, 32u, 32u });
    start_launch(&unit, 31u,
                 (struct grid){ UINT32_MAX, bits_below(192u), CTA_DISTRIBUTED, 2u, false });
    assert_int_equal(unit.mem.left[last], share);
    assert_int_equal(unit.mem.next[last], UINT32_MAX - share);
    assert_int_equal(unit.mem.left[last - 63u], share + 1u);
    unit.mem.next[last] += share - 7u;
    unit.mem.left[last] = 7u;

    const struct bits cluster = sms_of_cluster(&unit.config, bits_below(192u), 63u);
    const struct cta_scheduler_out whole = ask_once(&unit, ask_of(31u, cluster));
    const struct cta_scheduler_out tail = ask_once(&unit, ask_of(31u, cluster));
    assert_int_equal(whole.dispatch_sm, 189);
    assert_int_equal(whole.dispatch_cta, UINT32_MAX - 7u);
    assert_int_equal(whole.dispatch_count, 4);
    assert_int_equal(tail.dispatch_sm, 190);
    assert_int_equal(tail.dispatch_cta, UINT32_MAX - 3u);
    assert_int_equal(tail.dispatch_count, 3);
    assert_false(ask_once(&unit, ask_of(31u, cluster)).dispatch_valid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(init_rejects_a_bad_parameter_and_leaves_the_unit),
        cmocka_unit_test(init_accepts_the_lowest_and_the_highest_parameters_and_clears_all),
        cmocka_unit_test(reset_clears_the_registers_and_leaves_the_memories),
        cmocka_unit_test(eval_is_pure),
        cmocka_unit_test(inputs_reach_exactly_the_outputs_of_the_table),
        cmocka_unit_test(a_dispatch_stands_until_it_is_taken),
        cmocka_unit_test(kernel_slots_share_nothing),
        cmocka_unit_test(the_largest_grid_on_the_largest_unit_ends_as_it_should),
    };
    return cmocka_run_group_tests_name("cta_scheduler promises", tests, NULL, NULL);
}
