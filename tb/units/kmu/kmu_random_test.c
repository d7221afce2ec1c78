/*
 * The kernel management unit under random arrivals, a memory that is slow now and then, and a
 * distributor that fills and empties; every cycle beside the oracle. And that this meets all
 * that the unit can meet.
 */

#include <stdio.h>

#include "tb/units/kmu/kmu_bench.h"

enum { CYCLES = SANITIZED ? 20000 : 100000 };

static struct kmu_bench bench;
static void draw_arrival(bool fills, uint64_t *random)
{
    const struct kmu_config *const config = &bench.unit.config;

    if (bench.in.arrive_valid && !bench.out.arrive_ready) {
        return; /* it stands */
    }
    bench.in.arrive_valid = random_below(random, fills ? 4u : 24u) == 0u;
    bench.in.arrive_handle = random_below(random, UINT32_C(1) << config->handle_w);
    bench.in.arrive_host = random_below(random, 4u) == 0u;
    bench.in.arrive_sm = random_below(random, config->n_sm);
    if (random_below(random, 64u) == 0u) {
        bench.in.arrive_sm = random_below(random, UINT32_C(1) << index_width(config->n_sm));
    }
    bench.in.arrive_parent =
        random_below(random, UINT32_C(1) << index_width(config->n_level + 1u));
    if (random_below(random, 512u) == 0u) {
        bench.in.mode = random_below(random, 4u);
    }
}

static void draw(uint64_t cycle, uint64_t *random)
{
    const struct kmu_config *const config = &bench.unit.config;
    const uint64_t period = cycle / 16384u % 2u == 0u ? 4096u : 128u;
    const bool fills = cycle / period % 2u == 0u;

    draw_arrival(fills, random);
    bench.in.room = random_below(random, fills ? 16u : 2u) == 0u;
    bench.in.link_ready = random_below(random, cycle / 1024u % 3u + 1u) == 0u;
    bench.in.grant_ready = random_below(random, 3u) != 0u;
    bench.latency = 1u + random_below(random, random_below(random, 4u) == 0u ? 60u : 4u);
    if (!bench.in.answer_valid) { /* one without a read, or of a queue that there is not */
        const uint32_t queues = config->n_sm * config->n_level + 1u;
        bench.in.answer_queue = random_below(random, UINT32_C(1) << index_width(queues));
        bench.in.answer_data = bench.in.arrive_handle;
        bench.in.answer_valid = random_below(random, 64u) == 0u
                                && (bench.n_read == 0u || bench.in.answer_queue >= queues);
    }
}

static void run(const struct kmu_config *config, uint64_t seed, struct kmu_events *events)
{
    uint32_t most = 0u;

    kmu_bench_open(&bench, config, (uint32_t)seed % 4u);
    bench.out.arrive_ready = true;
    for (uint32_t i = 0u; i < CYCLES; i++) {
        draw(i, &seed);
        struct kmu_out out;
        static struct kmu_next next;
        kmu_eval(&bench.unit, &bench.in, &out, &next);
        kmu_count(&bench.unit, &bench.in, &out, events);
        kmu_bench_cycle(&bench);
        most = bench.oracle.n > most ? bench.oracle.n : most;
    }
    printf("%" PRIu32 " sets of %" PRIu32 " levels: %" PRIu32 " granted, at most %" PRIu32
           " waited\n",
           config->n_sm, config->n_level, bench.n_grant, most);
    assert_in_range(bench.n_grant, CYCLES / 200, UINT32_MAX);
}

static void under_random_traffic_it_does_what_the_page_says(void **state)
{
    (void)state;
    static const struct kmu_config configs[] = {
        { 1u, 1u, 2u, 1u }, { 3u, 3u, 3u, 1u },   { 5u, 1u, 5u, 2u },   { 1u, 8u, 7u, 3u },
        { 7u, 2u, 9u, 2u }, { 13u, 4u, 16u, 3u }, { 32u, 8u, 20u, 3u },
    };
    const uint64_t seed = printed_seed();
    struct kmu_events events = { 0u };

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        run(&configs[i], seed + i, &events);
    }
    const uint64_t met[] = { events.refused,  events.clamped, events.linked,  events.again,
                             events.followed, events.stalled, events.crossed, events.missed,
                             events.emptied,  events.deeper,  events.strays,  events.turned };
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
    return cmocka_run_group_tests_name("kmu_random", tests, NULL, NULL);
}
