/*
 * DYNCTA's golden model beside dyncta_oracle.h: every sequence of a few periods at small sizes,
 * and the stimulus of the lockstep.
 */

#include <stdio.h>

#include "tb/base/unit_events.h"
#include "tb/units/dyncta/dyncta_oracle.h"

/* ---- Every sequence ---------------------------------------------------------------------- */

enum { PERIOD = 3, PERIODS = 6, LOW = 4, HIGH = 6, IDLE = 5 };

struct pair {
    struct dyncta unit;
    struct dyncta_oracle oracle;
};

static void one(struct pair *pair, struct dyncta_in in)
{
    in.period = PERIOD;
    in.t_idle = IDLE;
    in.t_mem_low = LOW;
    in.t_mem_high = HIGH;
    (void)dyncta_oracle_beside(&pair->oracle, &pair->unit, &in);
}

/* Sums of a period on both sides of each threshold, and on it. */
static uint32_t every_walk(const struct pair *from, uint32_t periods)
{
    static const uint32_t memory[] = { LOW - 1, LOW, HIGH, HIGH + 1 };
    static const uint32_t idle[] = { IDLE, IDLE + 1 };
    uint32_t walks = 0u;

    if (periods == 0u) {
        return 1u;
    }
    for (uint32_t k = 0u; k < 8u; k++) {
        struct pair pair = *from;
        const uint32_t m = memory[k % 4u];
        const uint32_t n = idle[k / 4u];
        one(&pair, (struct dyncta_in){ .memory = m / 2u, .idle = n / 2u });
        one(&pair, (struct dyncta_in){ .memory = m - m / 2u, .idle = n - n / 2u });
        one(&pair, (struct dyncta_in){ .memory = 0u });
        walks += every_walk(&pair, periods - 1u);
    }
    return walks;
}

static void every_sequence_of_periods_walks_as_the_page_says(void **state)
{
    (void)state;
    const struct dyncta_config config = { 3u, 5u };
    const uint32_t periods = SANITIZED ? 4u : PERIODS;

    for (uint32_t n_max = 0u; n_max <= 4u; n_max++) {
        struct pair pair = { .oracle = { .config = config } };
        assert_int_equal(dyncta_init(&pair.unit, &config), dyncta_ok);
        dyncta_oracle_reset(&pair.oracle);
        one(&pair, (struct dyncta_in){ .restart = true, .n_max = n_max });
        const uint32_t walks = every_walk(&pair, periods);
        assert_int_equal(walks, 1u << 3u * periods);
        printf("Nmax %" PRIu32 ": %" PRIu32 " walks of %" PRIu32 " periods\n", n_max, walks,
               periods);
    }
}

/* ---- The stimulus of the lockstep -------------------------------------------------------- */

enum { CYCLES = SANITIZED ? 20000 : 300000 };

static void run(const struct dyncta_config *config, uint64_t seed)
{
    struct fault fault;
    struct unit *const any = unit_open_config("dyncta", config, &fault);
    assert_non_null(any);
    struct traffic traffic = traffic_open(any, CYCLES, seed);
    struct dyncta_oracle oracle = { .config = *config };

    dyncta_oracle_reset(&oracle);
    for (uint32_t i = 0u; i < CYCLES; i++) {
        const bool reset = traffic_next(&traffic, &(struct tied){ NULL, false });
        unit_eval(any);
        if (reset) {
            unit_edge(any, true);
            dyncta_oracle_reset(&oracle);
        } else {
            (void)dyncta_oracle_beside(&oracle, any->model, any->in);
        }
    }
    stimulus_close(traffic.stimulus);
    unit_close(any);
}

static void under_random_traffic_it_does_what_the_page_says(void **state)
{
    (void)state;
    static const struct dyncta_config configs[] = {
        { 1u, 1u }, { 3u, 2u }, { 2u, 5u }, { 3u, 7u }, { 4u, 11u }, { 5u, 32u }, { 6u, 32u },
    };
    const uint64_t seed = printed_seed();

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        run(&configs[i], seed + i);
    }
}

/* ---- Sums -------------------------------------------------------------------------------- */

static void cycles_within_a_period_may_come_as_a_sum(void **state)
{
    (void)state;
    const struct dyncta_config config = { 3u, 8u };
    struct dyncta unit;
    struct dyncta_in in = { .restart = true, .n_max = 6u };
    uint64_t random = printed_seed();

    assert_int_equal(dyncta_init(&unit, &config), dyncta_ok);
    dyncta_advance(&unit, &in, 1u);
    in = (struct dyncta_in){
        .period = 100u, .t_idle = 90u, .t_mem_low = 50u, .t_mem_high = 99u
    };
    for (uint32_t i = 0u; i < 5000u; i++) {
        struct dyncta summed = unit;
        const uint64_t left = in.period - unit.q.elapsed;
        const uint64_t n = random_below(&random, 60u) % (left + 1u);
        uint64_t idle = 0u;
        uint64_t memory = 0u;
        in.paused = random_below(&random, 5u) == 0u;
        for (uint64_t k = 0u; k < n; k++) {
            in.idle = random_below(&random, 5u);
            in.memory = random_below(&random, 5u);
            idle += in.idle;
            memory += in.memory;
            dyncta_advance(&unit, &in, 1u);
        }
        dyncta_advance_sum(&summed, &in, n, idle, memory);
        assert_memory_equal(&summed.q, &unit.q, sizeof unit.q);
        dyncta_advance(&unit, &in, 1u); /* which may judge */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sequence_of_periods_walks_as_the_page_says),
        cmocka_unit_test(under_random_traffic_it_does_what_the_page_says),
        cmocka_unit_test(cycles_within_a_period_may_come_as_a_sum),
    };
    return cmocka_run_group_tests_name("dyncta_random", tests, NULL, NULL);
}
