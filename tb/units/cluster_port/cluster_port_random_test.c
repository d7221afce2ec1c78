/*
 * The cluster port's golden model under the stimulus of the lockstep, legal and illegal, beside
 * the definition of cluster_port_oracle.h; and that this stimulus does all that a port can
 * meet, at every class of sizes.
 */

#include "cluster_port_oracle.h"
#include "tb/base/unit_events.h"

#include <stdio.h>

enum { CYCLES = SANITIZED ? 20000 : 160000, ENOUGH = SANITIZED ? 0 : 5 };

/* What a request meets, before it does. */
static void count_request(const struct cluster_port_oracle *oracle,
                          const struct cluster_port_in *in, struct events *events)
{
    const struct icc_oracle *const table = &oracle->table;
    const uint64_t line = in->request_line;
    const bool valid = in->request_valid;
    const bool global = valid && !in->request_alone;
    const bool read = global && !in->request_write;
    const bool write = global && in->request_write;
    const bool kept = coalesced_cache_oracle_has(&oracle->cache, line);
    const bool hit = read && kept && in->keep;
    const bool entry = icc_oracle_has_entry(table, line);
    const bool open = entry && !icc_oracle_is_closed(table, line);
    const bool full = icc_oracle_n_used(table) == table->config.n_entry;
    const bool there = in->request_sm < table->config.n_sm;
    const bool joins = read && !hit && open && in->merge && there;
    const bool answered = in->reply_valid && in->reply_tracked && in->reply_line == line;
    const bool waits = (icc_oracle_waiting(table, line) >> in->request_sm & 1u) != 0u;
    const bool n = table->config.n_sm > 1u;
    const bool more = (UINT64_C(1) << table->config.line_w) > table->config.n_entry;
    const bool odd = (table->config.n_sm & (table->config.n_sm - 1u)) != 0u || !n;

    tally(events, "no request", true, !valid);
    tally(events, "request waits for the network", true,
          valid && !in->request_ready && !hit && !joins);
    tally(events, "hit with LRU", n, hit && !in->fifo);
    tally(events, "hit with FIFO", n, hit && in->fifo);
    tally(events, "hit without merge", n, hit && !in->merge);
    tally(events, "hit without the network", n, hit && !in->request_ready);
    tally(events, "hit of another SM than the first", n, hit && in->request_sm > 0u);
    tally(events, "read of a kept line without keep", n, read && kept && !in->keep);
    tally(events, "write to a kept line", n, write && kept && in->keep);
    tally(events, "write to a kept line, without the network", n,
          write && kept && in->keep && !in->request_ready);
    tally(events, "write to a kept line, without merge", n,
          write && kept && in->keep && !in->merge);
    tally(events, "write to a kept line without keep", n, write && kept && !in->keep);
    tally(events, "read of other spaces, of a kept line", n,
          valid && in->request_alone && !in->request_write && kept && in->keep);
    tally(events, "write to other spaces, to a kept line", n,
          valid && in->request_alone && in->request_write && kept && in->keep);
    tally(events, "read of other spaces, whose line has an open entry", true,
          valid && in->request_alone && !in->request_write && open && in->merge);
    tally(events, "write to other spaces, whose line has an open entry", true,
          valid && in->request_alone && in->request_write && open && in->merge);
    tally(events, "take", true,
          read && !hit && !entry && !full && in->merge && in->request_ready && there);
    tally(events, "take without keep", true,
          read && !entry && !full && in->merge && in->request_ready && there && !in->keep);
    tally(events, "pass for want of merge", true,
          read && !hit && !entry && !full && !in->merge && in->request_ready && there);
    tally(events, "pass an open entry for want of merge", true,
          read && !hit && open && !in->merge && there);
    tally(events, "pass a full table", more,
          read && !hit && !entry && full && in->merge && in->request_ready && there);
    tally(events, "pass a closed entry", true, read && !hit && entry && !open && in->merge);
    tally(events, "pass for want of such an SM", odd, read && !hit && open && !there);
    tally(events, "join", n, joins && !answered && !waits);
    tally(events, "join without the network", true, joins && !in->request_ready);
    tally(events, "join in the cycle of the answer", n, joins && answered && !waits);
    tally(events, "write to an open entry", true, write && open && in->merge && !answered);
    tally(events, "write to an open entry without merge", table->config.n_entry > 1u,
          write && open && !in->merge);
    tally(events, "write in the cycle of the answer", true,
          write && open && in->merge && answered);
}

static void count_reply(const struct cluster_port_oracle *oracle,
                        const struct cluster_port_in *in, const struct cluster_port_out *out,
                        struct events *events)
{
    const struct icc_oracle *const table = &oracle->table;
    const struct coalesced_cache_oracle *const cache = &oracle->cache;
    const uint64_t line = in->reply_line;
    const bool entry = icc_oracle_has_entry(table, line);
    const bool open = entry && !icc_oracle_is_closed(table, line);
    const uint64_t sms = icc_oracle_waiting(table, line);
    const bool several = (sms & (sms - 1u)) != 0u;
    const bool answers = in->reply_valid && in->reply_tracked && entry;
    const bool full = cache->n == cache->config.n_line;
    const bool n = table->config.n_sm > 1u;
    const bool more = (UINT64_C(1) << table->config.line_w) > cache->config.n_line;

    tally(events, "no answer", true, !in->reply_valid);
    tally(events, "answer that is kept", n, out->reply_keep);
    tally(events, "answer that is kept in place of another line", n && more,
          out->reply_keep && full && !coalesced_cache_oracle_has(cache, line));
    tally(events, "the same with FIFO", n && more,
          out->reply_keep && full && in->fifo && !coalesced_cache_oracle_has(cache, line));
    tally(events, "answer that is kept while another line hits", n && more,
          out->reply_keep && out->request_hit && in->request_line != line);
    tally(events, "answer for several SMs without keep", n,
          answers && open && several && !in->keep);
    tally(events, "answer without merge", true, answers && !in->merge);
    tally(events, "answer of a closed entry, for several SMs", n, answers && !open && several);
    tally(events, "answer for one SM", true, answers && open && !several);
    tally(events, "untracked answer whose line has an entry", true,
          in->reply_valid && !in->reply_tracked && entry);
    tally(events, "untracked answer to the first SM", true,
          in->reply_valid && !in->reply_tracked && in->reply_sm == 0u);
    tally(events, "untracked answer to another SM", n,
          in->reply_valid && !in->reply_tracked && in->reply_sm > 0u
              && in->reply_sm < table->config.n_sm);
    tally(events, "flush with entries", true, in->flush && icc_oracle_n_used(table) > 0u);
    tally(events, "flush with lines", n, in->flush && cache->n > 0u);
    tally(events, "flush with an answer that is kept", n, in->flush && out->reply_keep);
}

/* At will: merge and keep change at any time, which the driver never does. */
static void run_with(const void *config, const struct tied *tied, uint32_t cycles,
                     uint64_t seed, bool at_will, struct events *events)
{
    static struct cluster_port_oracle oracle;
    struct fault fault;
    struct unit *const any = unit_open_config("cluster_port", config, &fault);
    assert_non_null(any);
    struct traffic traffic = traffic_open(any, cycles, seed);
    struct cluster_port *const unit = any->model;
    struct cluster_port_in *const in = any->in;
    uint64_t random = seed;
    uint32_t full_table = 0u, full_cache = 0u;

    cluster_port_oracle_open(&oracle, &unit->config);
    for (uint32_t i = 0u; i < cycles; i++) {
        const bool reset = traffic_next(&traffic, tied);
        in->merge = at_will ? !one_in(&random, 4u) : in->merge;
        in->keep = at_will ? !one_in(&random, 4u) : in->keep;
        unit_eval(any);
        if (reset) {
            unit_edge(any, true);
            cluster_port_oracle_reset(&oracle);
            continue;
        }
        events_cycle(events);
        count_request(&oracle, in, events);
        count_reply(&oracle, in, any->out, events);
        (void)cluster_port_oracle_beside(&oracle, unit, in);
        full_table += icc_oracle_n_used(&oracle.table) == unit->config.n_entry;
        full_cache += oracle.cache.n == unit->config.n_line;
        if (i % 32u == 0u) {
            cluster_port_oracle_check(&oracle, unit);
        }
    }
    tally(events, "full table", true, false);
    events->event[events->n - 1u].count = full_table;
    tally(events, "full cache", unit->config.n_sm > 1u, false);
    events->event[events->n - 1u].count = full_cache;
    stimulus_close(traffic.stimulus);
    unit_close(any);
}

static void run(const void *config, const struct tied *tied, uint32_t cycles, uint64_t seed,
                struct events *events)
{
    run_with(config, tied, cycles, seed, false, events);
}

static void under_random_traffic_the_port_does_what_the_page_says(void **state)
{
    (void)state;
    static const struct cluster_port_config configs[] = {
        { 1u, 1u, 1u, 1u },     { 2u, 2u, 2u, 3u },      { 5u, 3u, 3u, 5u },
        { 3u, 9u, 2u, 33u },    { 40u, 24u, 4u, 41u },   { 48u, 24u, 5u, 41u },
        { 60u, 24u, 6u, 41u },  { 33u, 64u, 12u, 10u },  { 96u, 24u, 10u, 41u },
        { 160u, 33u, 5u, 41u }, { 160u, 64u, 16u, 45u },
    };
    const uint64_t seed = printed_seed();
    uint32_t missing = 0u;

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        struct events events = { .n = 0u };
        struct events ignored = { .n = 0u };
        const struct tied none = { NULL, false };
        char title[96];
        snprintf(title, sizeof title,
                 "%" PRIu32 " entries, %" PRIu32 " ways, %" PRIu32 " SMs, %" PRIu32 " bits",
                 configs[i].n_entry, configs[i].n_line, configs[i].n_sm, configs[i].line_w);
        run(&configs[i], &none, CYCLES, seed, &events);
        missing += events_check(&events, title, ENOUGH);
        run_with(&configs[i], &none, CYCLES / 4u, seed, true, &ignored);
    }
    assert_int_equal(missing, 0u);
}

static void with_any_input_at_rest_something_does_not_happen(void **state)
{
    (void)state;
    static const struct cluster_port_config config = { 5u, 3u, 3u, 5u };

    every_input_is_needed(&cluster_port_type, &config, CYCLES / 4u, printed_seed(), 2u, run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(under_random_traffic_the_port_does_what_the_page_says),
        cmocka_unit_test(with_any_input_at_rest_something_does_not_happen),
    };
    return cmocka_run_group_tests_name("cluster_port_random", tests, NULL, NULL);
}
