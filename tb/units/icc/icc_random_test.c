/*
 * The merge table's golden model under the stimulus of the lockstep, legal and illegal, beside
 * the definition over events of icc_oracle.h; and that this stimulus does all that a table can
 * meet, at every class of sizes.
 */

#include "icc_oracle.h"
#include "tb/base/unit_events.h"

#include <stdio.h>

enum { CYCLES = SANITIZED ? 20000 : 160000, ENOUGH = SANITIZED ? 0 : 5 };

/* What happens in a cycle, before it does. */
static void count_request(const struct icc_oracle *oracle, const struct icc_in *in,
                          struct events *events)
{
    const struct icc_config *const config = &oracle->config;
    const uint64_t line = in->request_line;
    const bool acts = in->request_valid && !in->request_alone && !in->request_hit;
    const bool here = icc_oracle_has_entry(oracle, line);
    const bool closed = here && icc_oracle_is_closed(oracle, line);
    const bool full = icc_oracle_n_used(oracle) == config->n_entry;
    const bool read = acts && !in->request_write && in->request_sm < config->n_sm;
    const bool alike = in->reply_valid && in->reply_line == line;
    const bool answered = alike && in->reply_tracked;
    const bool waits = here && (icc_oracle_waiting(oracle, line) >> in->request_sm & 1u) != 0u;
    const bool many = config->n_sm > 1u;
    const bool more =
        (UINT64_C(1) << config->line_w) > config->n_entry; /* lines than entries */
    const bool odd = (config->n_sm & (config->n_sm - 1u)) != 0u || !many;

    tally(events, "no request", true, !in->request_valid);
    tally(events, "take", true, read && !here && !full && in->request_ready);
    tally(events, "take while an answer comes", config->n_entry > 1u,
          read && !here && !full && in->request_ready && in->reply_valid && in->reply_tracked
              && !alike && icc_oracle_has_entry(oracle, in->reply_line));
    tally(events, "wait for the network", true, read && !here && !full && !in->request_ready);
    tally(events, "pass a full table", more, read && !here && full && in->request_ready);
    tally(events, "pass a full table while an answer frees an entry", more,
          read && !here && full && in->request_ready && in->reply_valid && in->reply_tracked
              && icc_oracle_has_entry(oracle, in->reply_line));
    tally(events, "join", many, read && here && !closed && !answered && !waits);
    tally(events, "join again", true, read && here && !closed && waits);
    tally(events, "join without the network", true,
          read && here && !closed && !in->request_ready);
    tally(events, "join in the cycle of the answer", many,
          read && here && !closed && answered && !waits);
    tally(events, "pass a closed entry", true, read && closed);
    tally(events, "pass a closed entry in the cycle of its answer", true,
          read && closed && answered);
    tally(events, "write to an open entry", true,
          acts && in->request_write && here && !closed && !answered);
    tally(events, "write of an SM that there is not to an open entry", odd,
          acts && in->request_write && in->request_sm >= config->n_sm && here && !closed);
    tally(events, "write to a closed entry", true, acts && in->request_write && closed);
    tally(events, "write without the network", true,
          acts && in->request_write && here && !closed && !in->request_ready);
    tally(events, "write in the cycle of the answer", true,
          acts && in->request_write && here && !closed && answered);
    tally(events, "write to a line without an entry", more, acts && in->request_write && !here);
    tally(events, "read of other spaces, whose line has an open entry", true,
          in->request_valid && in->request_alone && !in->request_write && here && !closed);
    tally(events, "write to other spaces, whose line has an open entry", true,
          in->request_valid && in->request_alone && in->request_write && here && !closed);
    tally(events, "read that hit, whose line has an open entry", true,
          in->request_valid && in->request_hit && !in->request_write && here && !closed);
    tally(events, "read of an SM that there is not, whose line has an open entry", odd,
          acts && !in->request_write && in->request_sm >= config->n_sm && here && !closed);
    tally(events, "read of an SM that there is not, without an entry", odd && more,
          acts && !in->request_write && in->request_sm >= config->n_sm && !here && !full
              && in->request_ready);
}

static void count_reply(const struct icc_oracle *oracle, const struct icc_in *in,
                        struct events *events)
{
    const uint64_t line = in->reply_line;
    const bool here = icc_oracle_has_entry(oracle, line);
    const bool closed = here && icc_oracle_is_closed(oracle, line);
    const bool answers = in->reply_valid && in->reply_tracked && here;
    const uint64_t sms = icc_oracle_waiting(oracle, line);
    const bool several = (sms & (sms - 1u)) != 0u;
    const bool many = oracle->config.n_sm > 1u;
    const uint32_t used = icc_oracle_n_used(oracle);

    tally(events, "no answer", true, !in->reply_valid);
    tally(events, "answer for one SM", true, answers && !several && !closed);
    tally(events, "answer for several SMs", many, answers && several && !closed);
    tally(events, "answer of a closed entry, for several SMs", many,
          answers && several && closed);
    tally(events, "untracked answer whose line has an entry", true,
          in->reply_valid && !in->reply_tracked && here);
    tally(events, "untracked answer to an SM that is not the first", many,
          in->reply_valid && !in->reply_tracked && in->reply_sm > 0u
              && in->reply_sm < oracle->config.n_sm);
    tally(events, "untracked answer to an SM that there is not",
          (oracle->config.n_sm & (oracle->config.n_sm - 1u)) != 0u || !many,
          in->reply_valid && !in->reply_tracked && in->reply_sm >= oracle->config.n_sm);
    tally(events, "untracked answer to the first SM", true,
          in->reply_valid && !in->reply_tracked && in->reply_sm == 0u);
    tally(events, "untracked answer whose line has none", true,
          in->reply_valid && !in->reply_tracked && !here);
    tally(events, "tracked answer whose line has no entry", true,
          in->reply_valid && in->reply_tracked && !here);
    tally(events, "flush with entries", true, in->flush && used > 0u);
    tally(events, "flush with an answer", true, in->flush && answers);
    tally(events, "full table", true, used == oracle->config.n_entry);
    tally(events, "empty table", true, used == 0u);
}

static void run(const void *config, const struct tied *tied, uint32_t cycles, uint64_t seed,
                struct events *events)
{
    static struct icc_oracle oracle;
    struct fault fault;
    struct unit *const any = unit_open_config("icc", config, &fault);
    assert_non_null(any);
    struct traffic traffic = traffic_open(any, cycles, seed);
    struct icc *const unit = any->model;
    const struct icc_in *const in = any->in;
    uint32_t taken[icc_max_n_entry] = { 0u };

    oracle = (struct icc_oracle){ .config = unit->config };
    for (uint32_t i = 0u; i < cycles; i++) {
        const bool reset = traffic_next(&traffic, tied);
        const uint32_t lowest = icc_oracle_lowest(&oracle);
        unit_eval(any);
        if (reset) {
            unit_edge(any, true);
            icc_oracle_reset(&oracle);
            continue;
        }
        events_cycle(events);
        count_request(&oracle, in, events);
        count_reply(&oracle, in, events);
        taken[lowest < unit->config.n_entry ? lowest : 0u] +=
            icc_oracle_beside(&oracle, unit, in).request_track;
        if (i % 32u == 0u || unit->config.n_entry < 8u) {
            icc_oracle_check(&oracle, unit);
        }
    }
    tally(events, "each entry taken", true, false);
    events->event[events->n - 1u].count = least(taken, unit->config.n_entry);
    stimulus_close(traffic.stimulus);
    unit_close(any);
}

static void under_random_traffic_the_table_does_what_the_page_says(void **state)
{
    (void)state;
    static const struct icc_config configs[] = {
        { 1u, 1u, 1u },     { 2u, 3u, 2u },    { 5u, 3u, 7u },    { 12u, 7u, 33u },
        { 33u, 10u, 45u },  { 40u, 4u, 41u },  { 48u, 5u, 41u },  { 60u, 6u, 41u },
        { 64u, 12u, 7u },   { 96u, 10u, 41u }, { 129u, 16u, 9u }, { 160u, 5u, 41u },
        { 160u, 16u, 45u },
    };
    const uint64_t seed = printed_seed();
    uint32_t missing = 0u;

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        struct events events = { .n = 0u };
        char title[64];
        snprintf(title, sizeof title, "%" PRIu32 " entries, %" PRIu32 " SMs, %" PRIu32 " bits",
                 configs[i].n_entry, configs[i].n_sm, configs[i].line_w);
        run(&configs[i], &(struct tied){ NULL, false }, CYCLES, seed, &events);
        missing += events_check(&events, title, ENOUGH);
    }
    assert_int_equal(missing, 0u);
}

static void with_any_input_at_rest_something_does_not_happen(void **state)
{
    (void)state;
    static const struct icc_config config = { 5u, 3u, 7u };

    every_input_is_needed(&icc_type, &config, CYCLES / 4u, printed_seed(), 2u, run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(under_random_traffic_the_table_does_what_the_page_says),
        cmocka_unit_test(with_any_input_at_rest_something_does_not_happen),
    };
    return cmocka_run_group_tests_name("icc_random", tests, NULL, NULL);
}
