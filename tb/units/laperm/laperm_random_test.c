/*
 * LaPerm's golden model under the stimulus of the lockstep, legal and illegal, beside the lists
 * of laperm_oracle.h; that this stimulus meets what a set can meet, at every class of sizes;
 * and that an empty unit is quiet, in every mode.
 */

#include <stdio.h>

#include "laperm_bench.h"
#include "laperm_oracle.h"
#include "tb/base/unit_events.h"

enum { CYCLES = SANITIZED ? 6000 : 60000 };

static struct laperm_oracle oracle;

/* What is asked of the unit before its cycle is what the cycle shows, and what the lists have.
 */
static void check_asked(const struct laperm *unit, const struct laperm_out *out)
{
    uint32_t slot = UINT32_MAX;

    assert_int_equal(laperm_candidate(unit, &slot), out->look);
    if (out->look) {
        assert_int_equal(slot, out->kernel);
    }
    for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
        const bool has = laperm_oracle_has(&oracle.set[sm], unit->config.n_level);
        assert_int_equal(laperm_waits(unit, sm), has);
        assert_true(has || !bits_has(out->waiting, sm));
    }
}

/* The registers of the unit and of its parts. */
struct registers {
    struct laperm_state q;
    struct laperm_set_state parents, set[laperm_max_n_sm];
};

static void registers_of(const struct laperm *unit, struct registers *registers)
{
    memset(registers, 0, sizeof *registers);
    registers->q = unit->q;
    registers->parents = unit->parents.q;
    for (uint32_t sm = 0u; sm < unit->n_set; sm++) {
        registers->set[sm] = unit->set[sm].q;
    }
}

/* A cycle beside the oracle, which changes nothing if the unit is quiet. */
static uint32_t cycle(struct unit *any)
{
    static struct registers before, after;
    struct laperm *const unit = any->model;
    const bool quiet = laperm_quiet(unit, any->in);

    check_asked(unit, any->out);
    if (quiet) {
        registers_of(unit, &before);
    }
    (void)laperm_oracle_beside(&oracle, unit, any->in);
    if (quiet) {
        registers_of(unit, &after);
        assert_memory_equal(&before, &after, sizeof before);
    }
    return quiet;
}

static void run(const struct laperm_config *config, uint64_t seed, uint32_t *met)
{
    struct fault fault;
    struct unit *const any = unit_open_config("laperm", config, &fault);
    assert_non_null(any);
    struct traffic traffic = traffic_open(any, CYCLES, seed);

    uint32_t quiet = 0u;

    laperm_oracle_open(&oracle, config);
    printf("%" PRIu32 " SMs of %" PRIu32 " entries\n", config->n_sm, config->n_entry);
    for (uint32_t i = 0u; i < CYCLES; i++) {
        const bool reset = traffic_next(&traffic, &(struct tied){ NULL, false });
        const struct laperm *const unit = any->model;
        unit_eval(any);
        for (uint32_t sm = 0u; sm < config->n_sm && !reset; sm++) {
            const uint32_t now = laperm_set_meets(&unit->set[sm]);
            for (uint32_t e = 0u; e < LAPERM_SET_EVENTS; e++) {
                met[e] += now >> e & 1u;
            }
        }
        if (reset) {
            unit_edge(any, true);
            laperm_oracle_reset(&oracle);
        } else {
            quiet += cycle(any);
        }
    }
    printf("quiet in %" PRIu32 " cycles\n", quiet);
    assert_in_range(quiet, 20, UINT32_MAX);
    stimulus_close(traffic.stimulus);
    unit_close(any);
    laperm_oracle_close(&oracle);
}

static void under_random_traffic_it_does_what_the_page_says(void **state)
{
    (void)state;
    static const struct laperm_config configs[] = {
        { 1u, 1u, 1u, 1u, 1u, 1u, 1u, 2u, 1u },
        { 1u, 7u, 2u, 3u, 8u, 4u, 3u, 5u, 3u },
        { 2u, 2u, 2u, 2u, 8u, 3u, 2u, 8u, 2u },
        { 3u, 5u, 2u, 3u, 9u, 3u, 3u, 6u, 2u },
        { 4u, 13u, 3u, 1u, 33u, 5u, 4u, 9u, 3u },
        { 7u, 1u, 1u, 2u, 5u, 2u, 2u, 4u, 4u },
        { 13u, 16u, 32u, 4u, 64u, 32u, 20u, 24u, 16u },
        { 32u, 3u, 9u, 8u, 64u, 32u, 32u, 28u, 32u },
        { 2u, 24u, 5u, 3u, 12u, 9u, 4u, 12u, 5u },
        { 2u, 128u, 32u, 4u, 64u, 32u, 20u, 24u, 16u },
    };
    const uint64_t seed = printed_seed();
    uint32_t met[LAPERM_SET_EVENTS] = { 0u };

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        run(&configs[i], seed + i, met);
    }
    for (uint32_t e = 0u; e < LAPERM_SET_EVENTS && !SANITIZED; e++) {
        printf("event %" PRIu32 " of a set: %" PRIu32 " times\n", e, met[e]);
        assert_in_range(met[e], 20, UINT32_MAX);
    }
}

static struct laperm_bench bench;

static void cycles_until_quiet(void)
{
    uint32_t cycles = 0u;

    while (!laperm_quiet(&bench.unit, &bench.in)) {
        laperm_bench_cycle(&bench);
        assert_in_range(++cycles, 1, 20);
    }
}

static void an_empty_unit_is_quiet_and_one_that_holds_an_entry_is_not(void **state)
{
    (void)state;
    const struct laperm_config config = { 3u, 2u, 2u, 2u, 64u, 32u, 20u, 24u, 16u };

    for (uint32_t mode = LAPERM_RR; mode <= LAPERM_ADAPTIVE_BIND; mode++) {
        laperm_bench_open(&bench, &config, mode, 8u);
        laperm_bench_cycle(&bench); /* in which the mode comes */
        assert_true(laperm_quiet(&bench.unit, &bench.in));
        bench.in.mode = (mode + 1u) % 4u;
        assert_false(laperm_quiet(&bench.unit, &bench.in));
        laperm_bench_host(&bench, 'P', 2u);
        for (uint32_t k = 0u; k < 4u; k++) { /* two of them go to memory */
            laperm_bench_child(&bench, 1u, 0u, (char)('A' + k), 1u);
        }
        for (uint32_t sm = 0u; sm < 3u; sm++) {
            assert_int_equal(laperm_waits(&bench.unit, sm), sm == 1u);
        }
        bench.in.room = bits_below(3u);
        while (bench.dispatched < 6u) {
            /* While it waits for memory alone, only one that visits SMs changes. */
            assert_false(mode >= LAPERM_SMX_BIND && laperm_quiet(&bench.unit, &bench.in));
            laperm_bench_cycle(&bench);
        }
        cycles_until_quiet();
        assert_false(laperm_waits(&bench.unit, 1u));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(under_random_traffic_it_does_what_the_page_says),
        cmocka_unit_test(an_empty_unit_is_quiet_and_one_that_holds_an_entry_is_not),
    };
    return cmocka_run_group_tests_name("laperm_random", tests, NULL, NULL);
}
