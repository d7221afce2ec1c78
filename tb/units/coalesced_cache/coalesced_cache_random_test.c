/*
 * The coalesced cache's golden model under the stimulus of the lockstep, legal and illegal,
 * beside the list of kept lines and times of coalesced_cache_oracle.h; and that this stimulus
 * does all that a cache can meet, at every class of sizes.
 */

#include "coalesced_cache_oracle.h"
#include "tb/base/unit_events.h"

#include <stdio.h>

enum { CYCLES = SANITIZED ? 20000 : 160000, ENOUGH = SANITIZED ? 0 : 10 };

/* What happens in a cycle, before it does. */
static void count(const struct coalesced_cache_oracle *oracle,
                  const struct coalesced_cache_in *in, struct events *events)
{
    const struct coalesced_cache_config *const config = &oracle->config;
    const uint32_t last = coalesced_cache_oracle_oldest(oracle);
    const uint32_t found = coalesced_cache_oracle_find(oracle, in->lookup_line);
    const bool here = found < oracle->n;
    const bool at_end = here && oracle->kept[found].way == last;
    const bool read = in->lookup_valid && !in->lookup_write;
    const bool write = in->lookup_valid && in->lookup_write;
    const bool new_line =
        in->insert_valid && !coalesced_cache_oracle_has(oracle, in->insert_line);
    const bool alike = in->insert_valid && in->insert_line == in->lookup_line;
    const bool full = oracle->n == config->n_line;
    const bool several = config->n_line > 1u;
    const bool more = (UINT64_C(1) << config->line_w) > config->n_line; /* lines than ways */

    tally(events, "hit with LRU", true, read && here && !in->fifo);
    tally(events, "hit with FIFO", true, read && here && in->fifo);
    tally(events, "hit of a line with the highest bit", true,
          read && here && in->lookup_line >> (config->line_w - 1u) != 0u);
    tally(events, "hit of a line without it", true,
          read && here && in->lookup_line >> (config->line_w - 1u) == 0u);
    tally(events, "hit of the way that goes next", true, read && at_end && !in->fifo && full);
    tally(events, "the same while a line comes", more,
          read && at_end && !in->fifo && full && new_line);
    tally(events, "the same with FIFO", more, read && at_end && in->fifo && full && new_line);
    tally(events, "miss", more, read && !here);
    tally(events, "miss in the cycle in which the line comes", more, read && !here && alike);
    tally(events, "no lookup of a line that is here", true, !in->lookup_valid && here);
    tally(events, "write of a line that is here", true, write && here);
    tally(events, "write of a line that is here, and comes", true, write && here && alike);
    tally(events, "write of a line that is here while another comes", more,
          write && here && new_line);
    tally(events, "write of a line that is not here", more, write && !here);
    tally(events, "write of a line not in front of all others that go", several,
          write && here && !at_end);
    tally(events, "insert into a way without a line", true, new_line && !full);
    tally(events, "insert in place of another line", more, new_line && full);
    tally(events, "insert in place of another line, with FIFO", more,
          new_line && full && in->fifo);
    tally(events, "insert of a line that is here", true, in->insert_valid && !new_line);
    tally(events, "no insert", true, !in->insert_valid);
    tally(events, "flush with lines", true, in->flush && oracle->n > 0u);
    tally(events, "flush while a line comes", true, in->flush && in->insert_valid);
    tally(events, "full cache", true, full);
    tally(events, "empty cache", true, oracle->n == 0u);
}

static void run(const void *config, const struct tied *tied, uint32_t cycles, uint64_t seed,
                struct events *events)
{
    static struct coalesced_cache_oracle oracle;
    struct fault fault;
    struct unit *const any = unit_open_config("coalesced_cache", config, &fault);
    assert_non_null(any);
    struct traffic traffic = traffic_open(any, cycles, seed);
    struct coalesced_cache *const unit = any->model;
    const struct coalesced_cache_in *const in = any->in;
    const uint32_t n = unit->config.n_line;
    uint32_t replaced[coalesced_cache_max_n_line] = { 0u };
    uint32_t hit[coalesced_cache_max_n_line] = { 0u };

    oracle = (struct coalesced_cache_oracle){ .config = unit->config };
    coalesced_cache_oracle_reset(&oracle);
    for (uint32_t i = 0u; i < cycles; i++) {
        const bool reset = traffic_next(&traffic, tied);
        unit_eval(any);
        if (reset) {
            unit_edge(any, true);
            coalesced_cache_oracle_reset(&oracle);
            continue;
        }
        events_cycle(events);
        count(&oracle, in, events);
        const bool full = oracle.n == n;
        const struct coalesced_cache_out out = coalesced_cache_oracle_beside(&oracle, unit, in);
        replaced[out.insert_way] += in->insert_valid && full;
        hit[out.lookup_way] += out.lookup_hit;
        if (i % 32u == 0u || n < 8u) {
            coalesced_cache_oracle_check(&oracle, unit);
        }
    }
    tally(events, "each way replaced", (UINT64_C(1) << unit->config.line_w) > n, false);
    events->event[events->n - 1u].count = least(replaced, n);
    tally(events, "each way hit", true, false);
    events->event[events->n - 1u].count = least(hit, n);
    stimulus_close(traffic.stimulus);
    unit_close(any);
}

static void under_random_traffic_the_cache_does_what_the_page_says(void **state)
{
    (void)state;
    static const struct coalesced_cache_config configs[] = {
        { 1u, 1u },   { 2u, 33u },  { 3u, 2u },   { 5u, 4u },  { 8u, 45u },  { 9u, 5u },
        { 16u, 32u }, { 24u, 41u }, { 33u, 12u }, { 48u, 7u }, { 64u, 45u }, { 64u, 6u },
    };
    const uint64_t seed = printed_seed();
    uint32_t missing = 0u;

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        struct events events = { .n = 0u };
        char title[64];
        snprintf(title, sizeof title, "%" PRIu32 " ways, %" PRIu32 " bits", configs[i].n_line,
                 configs[i].line_w);
        run(&configs[i], &(struct tied){ NULL, false }, CYCLES, seed, &events);
        missing += events_check(&events, title, ENOUGH);
    }
    assert_int_equal(missing, 0u);
}

static void with_any_input_at_rest_something_does_not_happen(void **state)
{
    (void)state;
    static const struct coalesced_cache_config config = { 5u, 4u };

    every_input_is_needed(&coalesced_cache_type, &config, CYCLES / 4u, printed_seed(), 2u, run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(under_random_traffic_the_cache_does_what_the_page_says),
        cmocka_unit_test(with_any_input_at_rest_something_does_not_happen),
    };
    return cmocka_run_group_tests_name("coalesced_cache_random", tests, NULL, NULL);
}
