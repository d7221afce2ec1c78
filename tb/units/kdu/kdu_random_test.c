/*
 * The kernel distributor unit under the stimulus of the lockstep, legal and illegal, beside the
 * oracle; and that this stimulus meets all that the unit can meet.
 */

#include <stdio.h>

#include "tb/base/unit_events.h"
#include "tb/units/kdu/kdu_oracle.h"

enum { CYCLES = SANITIZED ? 10000 : 60000 };

static struct kdu_oracle oracle;

static void run(const struct kdu_config *config, uint64_t seed, struct kdu_events *events)
{
    struct fault fault;
    struct unit *const any = unit_open_config("kdu", config, &fault);
    assert_non_null(any);
    struct traffic traffic = traffic_open(any, CYCLES, seed);
    struct kdu_out expected;

    kdu_oracle_open(&oracle, config);
    for (uint32_t i = 0u; i < CYCLES; i++) {
        const bool reset = traffic_next(&traffic, &(struct tied){ NULL, false });
        kdu_oracle_show(&oracle, &expected);
        unit_eval(any);
        check_outputs(&kdu_type, config, any->in, &expected, any->out);
        kdu_count(any->model, any->in, any->out, events);
        unit_edge(any, reset);
        if (reset) {
            kdu_oracle_open(&oracle, config);
        } else {
            kdu_oracle_edge(&oracle, any->in);
        }
    }
    stimulus_close(traffic.stimulus);
    unit_close(any);
}

static void under_random_traffic_it_does_what_the_page_says(void **state)
{
    (void)state;
    static const struct kdu_config configs[] = {
        { 1u, 1u, 1u, 1u, 1u },   { 5u, 3u, 3u, 4u, 2u },     { 3u, 7u, 2u, 3u, 3u },
        { 12u, 1u, 33u, 2u, 1u }, { 32u, 13u, 64u, 20u, 1u }, { 32u, 32u, 64u, 32u, 3u },
    };
    const uint64_t seed = printed_seed();
    struct kdu_events events = { 0u };

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        run(&configs[i], seed + i, &events);
    }
    const uint64_t met[] = { events.full,    events.refused,  events.joined,   events.unknown,
                             events.crowded, events.late,     events.rescued,  events.twins,
                             events.strays,  events.too_many, events.given_up, events.kept,
                             events.busy };
    for (size_t e = 0u; e < sizeof met / sizeof met[0] && !SANITIZED; e++) {
        printf("event %zu: %" PRIu64 " times\n", e, met[e]);
        assert_in_range(met[e], 20, UINT64_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(under_random_traffic_it_does_what_the_page_says),
    };
    return cmocka_run_group_tests_name("kdu_random", tests, NULL, NULL);
}
