/* Tests of sm_monitor's golden model: each SM is counted as a counter of its own counts it. */

#include "tb/base/unit_check.h"
#include "units/sm_monitor.h"

enum { CLASSES = SM_CYCLES - 1 };

/* Of all SMs; too large for the stack of some systems. */
struct bench {
    struct sm_monitor unit;
    struct sm_counter alone[sm_monitor_max_n_sm]; /* SM s, by itself */
    struct sm_monitor_in in;
    struct sm_monitor_out out;
    struct sm_monitor_next next;
};

static struct bench *bench_of(struct sm_monitor_config config)
{
    struct bench *const bench = calloc(1u, sizeof *bench);
    const struct sm_counter_config one = { config.n_scheduler, config.count_w };

    assert_non_null(bench);
    assert_int_equal(sm_monitor_init(&bench->unit, &config), sm_monitor_ok);
    for (uint32_t sm = 0u; sm < config.n_sm; sm++) {
        assert_int_equal(sm_counter_init(&bench->alone[sm], &one), sm_counter_ok);
    }
    return bench;
}

static void cycle(struct bench *bench)
{
    sm_monitor_eval(&bench->unit, &bench->in, &bench->out, &bench->next);
    sm_monitor_tick(&bench->unit, &bench->next);
}

/* What the counter of an SM would get, and its cycle by itself. */
static struct sm_counter_out cycle_alone(struct bench *bench, uint32_t sm)
{
    const uint32_t n = bench->unit.config.n_scheduler;
    struct sm_counter_in in = {
        .issued = bench->in.issued[sm],
        .started = bench->in.started[sm],
        .ended = bench->in.ended[sm],
        .clear = bits_has(bench->in.clear, sm),
    };
    struct sm_counter_out out;
    struct sm_counter_next next;

    for (uint32_t k = 0u; k < n; k++) {
        in.cycle[k] = bench->in.cycle[sm * n + k];
    }
    sm_counter_eval(&bench->alone[sm], &in, &out, &next);
    sm_counter_tick(&bench->alone[sm], &next);
    return out;
}

static void draw(struct bench *bench, uint64_t *random)
{
    const struct sm_monitor_config *const config = &bench->unit.config;

    bench->in.clear = (struct bits){ { 0u } };
    for (uint32_t i = 0u; i < config->n_sm * config->n_scheduler; i++) {
        bench->in.cycle[i] = random_below(random, SM_CYCLES);
    }
    for (uint32_t sm = 0u; sm < config->n_sm; sm++) {
        bench->in.issued[sm] = random_below(random, 2u * config->n_scheduler + 1u);
        bench->in.started[sm] = random_below(random, 8u);
        bench->in.ended[sm] = random_below(random, 8u);
        if (random_below(random, 40u) == 0u) {
            bits_add(&bench->in.clear, sm);
        }
    }
}

static void each_sm_is_counted_as_by_a_counter_of_its_own(void **state)
{
    (void)state;
    static const struct sm_monitor_config sizes[] = {
        { 1u, 1u, 1u }, { 5u, 3u, 6u }, { 67u, 1u, 3u }, { 15u, 2u, 32u }, { 192u, 4u, 32u }
    };
    uint64_t random = printed_seed();

    for (size_t i = 0u; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct bench *const bench = bench_of(sizes[i]);
        for (int n = 0; n < 500; n++) {
            draw(bench, &random);
            cycle(bench);
            for (uint32_t sm = 0u; sm < sizes[i].n_sm; sm++) {
                const struct sm_counter_out one = cycle_alone(bench, sm);
                assert_memory_equal(&bench->out.cycles[CLASSES * sm], one.cycles,
                                    sizeof one.cycles);
                assert_int_equal(bench->out.instructions[sm], one.instructions);
                assert_int_equal(bench->out.starts[sm], one.starts);
                assert_int_equal(bench->out.ends[sm], one.ends);
            }
        }
        free(bench);
    }
}

static void an_sm_that_is_cleared_leaves_the_others_alone(void **state)
{
    (void)state;
    struct bench *const bench = bench_of((struct sm_monitor_config){ 192u, 1u, 32u });

    for (uint32_t sm = 0u; sm < 192u; sm++) {
        bench->in.cycle[sm] = SM_CYCLE_IDLE;
    }
    for (int n = 0; n < 9; n++) {
        cycle(bench);
    }
    bits_add(&bench->in.clear, 130u);
    cycle(bench);
    cycle(bench);
    for (uint32_t sm = 0u; sm < 192u; sm++) {
        assert_int_equal(bench->out.cycles[CLASSES * sm + SM_CYCLE_IDLE - 1u],
                         sm == 130u ? 1u : 10u);
    }
    free(bench);
}

static void it_is_quiet_while_no_sm_counts(void **state)
{
    (void)state;
    struct bench *const bench = bench_of((struct sm_monitor_config){ 70u, 2u, 32u });

    assert_true(sm_monitor_quiet(&bench->unit, &bench->in));
    bench->in.cycle[2u * 69u + 1u] = SM_CYCLE_PAUSED;
    assert_false(sm_monitor_quiet(&bench->unit, &bench->in));
    bench->in.cycle[2u * 69u + 1u] = SM_CYCLE_UNCOUNTED;
    bits_add(&bench->in.clear, 69u);
    assert_false(sm_monitor_quiet(&bench->unit, &bench->in));
    free(bench);
}

static void a_long_sleep_is_counted_at_once(void **state)
{
    (void)state;
    struct bench *const bench = bench_of((struct sm_monitor_config){ 3u, 2u, 32u });

    bench->in.cycle[2] = SM_CYCLE_SCOREBOARD_MEMORY;
    bench->in.cycle[3] = SM_CYCLE_SCOREBOARD_MEMORY;
    bench->in.cycle[4] = SM_CYCLE_IDLE;
    sm_monitor_advance(&bench->unit, &bench->in, 1000000u);
    cycle(bench);
    assert_int_equal(bench->out.cycles[CLASSES + SM_CYCLE_SCOREBOARD_MEMORY - 1], 2000000u);
    assert_int_equal(bench->out.cycles[2 * CLASSES + SM_CYCLE_IDLE - 1], 1000000u);
    assert_int_equal(bench->out.cycles[SM_CYCLE_IDLE - 1], 0u);
    free(bench);
}

static void a_reset_clears_every_sm(void **state)
{
    (void)state;
    struct bench *const bench = bench_of((struct sm_monitor_config){ 67u, 2u, 32u });
    uint64_t random = 3u;

    draw(bench, &random);
    cycle(bench);
    sm_monitor_reset(&bench->unit);
    cycle(bench);
    for (uint32_t i = 0u; i < 67u * CLASSES; i++) {
        assert_int_equal(bench->out.cycles[i], 0u);
    }
    for (uint32_t sm = 0u; sm < 67u; sm++) {
        assert_int_equal(
            bench->out.instructions[sm] + bench->out.starts[sm] + bench->out.ends[sm], 0u);
    }
    free(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sm_is_counted_as_by_a_counter_of_its_own),
        cmocka_unit_test(an_sm_that_is_cleared_leaves_the_others_alone),
        cmocka_unit_test(it_is_quiet_while_no_sm_counts),
        cmocka_unit_test(a_long_sleep_is_counted_at_once),
        cmocka_unit_test(a_reset_clears_every_sm),
    };
    return cmocka_run_group_tests_name("sm_monitor", tests, NULL, NULL);
}
