/*
 * LaPerm's golden model under the stimulus of the lockstep, legal and illegal, beside the lists
 * of laperm_oracle.h; and that this stimulus meets what a set can meet, at every class of
 * sizes.
 */

#include <stdio.h>

#include "laperm_oracle.h"
#include "tb/base/unit_events.h"

enum { CYCLES = SANITIZED ? 6000 : 60000 };

static struct laperm_oracle oracle;

static void run(const struct laperm_config *config, uint64_t seed, uint32_t *met)
{
    struct fault fault;
    struct unit *const any = unit_open_config("laperm", config, &fault);
    assert_non_null(any);
    struct traffic traffic = traffic_open(any, CYCLES, seed);

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
            (void)laperm_oracle_beside(&oracle, any->model, any->in);
        }
    }
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(under_random_traffic_it_does_what_the_page_says),
    };
    return cmocka_run_group_tests_name("laperm_random", tests, NULL, NULL);
}
