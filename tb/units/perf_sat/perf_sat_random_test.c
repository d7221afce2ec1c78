/*
 * Perf-Sat's golden model beside the definition over samples of perf_sat_oracle.h: every
 * sequence of samples that are better or not at small sizes, and the stimulus of the lockstep.
 */

#include <stdio.h>

#include "tb/base/unit_events.h"
#include "tb/units/perf_sat/perf_sat_oracle.h"

/* ---- Every sequence ---------------------------------------------------------------------- */

enum { MIDDLE = 40 };

struct pair {
    struct perf_sat unit;
    struct perf_sat_oracle oracle;
    uint32_t samples;
};

struct search {
    bool votes_two;
    uint32_t walks, longest;
};

static void one(struct pair *pair, struct perf_sat_in in, const struct search *search)
{
    in.votes_two = search->votes_two;
    (void)perf_sat_oracle_beside(&pair->oracle, &pair->unit, &in);
}

/* A period with this sample; it is judged with the first cycle of the next. */
static void period(struct pair *pair, uint32_t sample, const struct search *search)
{
    const uint32_t now = pair->unit.q.elapsed;

    for (uint32_t i = now; i < pair->unit.q.period; i++) {
        const uint32_t stalled = sample < 7u ? sample : 7u;
        one(pair, (struct perf_sat_in){ .stalled = stalled }, search);
        sample -= stalled;
    }
    assert_int_equal(sample, 0u);
    one(pair, (struct perf_sat_in){ .stalled = 0u }, search);
    pair->samples++;
}

/* From here on, with each kind of sample; those that are not better are equal or worse. */
static void every_walk(const struct pair *from, struct search *search)
{
    if (from->oracle.walk.done) {
        search->walks++;
        search->longest = from->samples > search->longest ? from->samples : search->longest;
        return;
    }
    const uint32_t stored = from->unit.q.prev;
    const uint32_t samples[] = { stored - 1u, stored + from->samples % 2u };
    for (uint32_t k = 0u; k < 2u; k++) {
        struct pair pair = *from;
        period(&pair, from->samples == 0u ? MIDDLE : samples[k], search);
        every_walk(&pair, search);
    }
}

static struct search search_of(uint32_t n_max, bool votes_two)
{
    const struct perf_sat_config config = { 3u, 32u };
    struct search search = { votes_two, 0u, 0u };
    struct pair pair = { .samples = 0u };

    assert_int_equal(perf_sat_init(&pair.unit, &config), perf_sat_ok);
    pair.oracle.config = config;
    perf_sat_oracle_reset(&pair.oracle);
    one(&pair, (struct perf_sat_in){ .restart = true, .n_max = n_max }, &search);
    one(&pair, (struct perf_sat_in){ .started = true }, &search);
    for (uint32_t i = 2u; i * n_max < 16u; i++) { /* a period has room for each sample */
        one(&pair, (struct perf_sat_in){ .hold = false }, &search);
    }
    one(&pair, (struct perf_sat_in){ .ended = 1u }, &search);
    every_walk(&pair, &search);
    return search;
}

static void every_sequence_of_samples_ends_where_the_page_says_and_in_time(void **state)
{
    (void)state;
    for (uint32_t n_max = 1u; n_max <= (SANITIZED ? 4u : 6u); n_max++) {
        for (uint32_t two = 0u; two < 2u; two++) {
            const struct search search = search_of(n_max, two != 0u);
            const uint32_t bound = 3u * ((n_max + 1u) / 2u) + (two != 0u ? 7u : 4u);
            if (n_max > 1u) {
                assert_int_equal(search.longest, bound - (n_max == 2u));
            } else {
                assert_int_equal(search.longest, 0u);
            }
            printf("Nmax %" PRIu32 ", votes %" PRIu32 ": %" PRIu32 " walks of at most %" PRIu32
                   " samples\n",
                   n_max, two + 1u, search.walks, search.longest);
        }
    }
}

/* ---- The stimulus of the lockstep -------------------------------------------------------- */

enum { CYCLES = SANITIZED ? 20000 : 300000 };

static void run(const struct perf_sat_config *config, uint64_t seed)
{
    struct fault fault;
    struct unit *const any = unit_open_config("perf_sat", config, &fault);
    assert_non_null(any);
    struct traffic traffic = traffic_open(any, CYCLES, seed);
    struct perf_sat_oracle oracle = { .config = *config };

    perf_sat_oracle_reset(&oracle);
    for (uint32_t i = 0u; i < CYCLES; i++) {
        const bool reset = traffic_next(&traffic, &(struct tied){ NULL, false });
        unit_eval(any);
        if (reset) {
            unit_edge(any, true);
            perf_sat_oracle_reset(&oracle);
        } else {
            (void)perf_sat_oracle_beside(&oracle, any->model, any->in);
        }
    }
    stimulus_close(traffic.stimulus);
    unit_close(any);
}

static void under_random_traffic_it_does_what_the_page_says(void **state)
{
    (void)state;
    static const struct perf_sat_config configs[] = {
        { 1u, 1u }, { 3u, 2u }, { 2u, 5u }, { 3u, 7u }, { 4u, 11u }, { 5u, 32u }, { 6u, 32u },
    };
    const uint64_t seed = printed_seed();

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        run(&configs[i], seed + i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sequence_of_samples_ends_where_the_page_says_and_in_time),
        cmocka_unit_test(under_random_traffic_it_does_what_the_page_says),
    };
    return cmocka_run_group_tests_name("perf_sat_random", tests, NULL, NULL);
}
