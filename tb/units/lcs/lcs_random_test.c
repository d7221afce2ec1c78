/*
 * The golden model under the stimulus of the lockstep, legal and illegal, beside the definition
 * of lcs_oracle.h; and that this stimulus does all that an SM can meet, at every class of
 * sizes.
 */

#include "lcs_oracle.h"
#include "tb/base/unit_events.h"

#include <stdio.h>

enum { CYCLES = SANITIZED ? 20000 : 160000, ENOUGH = SANITIZED ? 0 : 5 };

/* CTAs of the kernel that end. */
static uint32_t n_ends(const struct lcs_oracle *oracle, const struct lcs_in *in)
{
    uint32_t n = 0u;

    for (uint32_t slot = 0u; slot < oracle->config.n_slot; slot++) {
        n += oracle->has_cta[slot] && bits_has(in->ended, slot);
    }
    return n;
}

static uint32_t n_issued(const struct lcs_oracle *oracle, const struct lcs_in *in, bool own)
{
    uint32_t n = 0u;

    for (uint32_t k = 0u; k < oracle->config.n_scheduler; k++) {
        const uint32_t slot = in->issued_slot[k];
        const bool is_own = slot < oracle->config.n_slot && oracle->has_cta[slot];
        n += is_own == own && in->issued[k] != 0u;
    }
    return n;
}

/* What happens in a cycle, before it does. */
static void count_monitor(const struct lcs_oracle *oracle, const struct lcs_in *in,
                          struct events *events)
{
    const bool monitors = !oracle->has_ended && !in->restart;
    const uint32_t ends = n_ends(oracle, in);
    const bool many = oracle->config.n_slot > 1u;
    const bool shorter = oracle->config.count_w < 12u;

    tally(events, "issue", true, monitors && n_issued(oracle, in, true) != 0u);
    tally(events, "no issue", true, monitors && in->issued[0] == 0u);
    tally(events, "issue of two schedulers", oracle->config.n_scheduler > 1u,
          monitors && n_issued(oracle, in, true) > 1u);
    tally(events, "issue of the last slot", true,
          monitors && in->issued[0] != 0u && in->issued_slot[0] == oracle->config.n_slot - 1u
              && oracle->has_cta[in->issued_slot[0]]);
    tally(events, "issue of a slot without a CTA of the kernel", true,
          monitors && n_issued(oracle, in, false) != 0u);
    tally(events, "issue when counting has stopped", shorter,
          monitors && n_issued(oracle, in, true) != 0u
              && oracle->total >= UINT64_C(1) << (oracle->config.count_w - 2u));
    tally(events, "no start", true, monitors && !bits_any(in->started));
    tally(events, "first end", true, monitors && ends == 1u);
    tally(events, "several first ends", many, monitors && ends > 1u);
    tally(events, "first end with a start", true,
          monitors && ends != 0u && bits_any(in->started));
    tally(events, "first end with an issue", true,
          monitors && ends != 0u && n_issued(oracle, in, true) != 0u);
    tally(events, "end of another CTA", true, monitors && ends == 0u && bits_any(in->ended));
    tally(events, "restart with a start", true, in->restart && bits_any(in->started));
    tally(events, "restart with a first end", true,
          !oracle->has_ended && in->restart && ends != 0u);
    tally(events, "Tmax of 0", true, in->restart && in->n_max == 0u);
    tally(events, "Tmax of more than there is", many,
          in->restart && in->n_max > oracle->config.n_slot);
}

static void count_throttle(const struct lcs_oracle *oracle, const struct lcs_in *in,
                           const struct lcs_out *out, struct events *events)
{
    const uint64_t n = oracle->n_max;
    const bool many = oracle->config.n_slot > 1u;
    const bool throttles = out->phase == 1u;
    const bool last = throttles && !in->restart && out->limit == lcs_oracle_steps(oracle);
    const bool exact = oracle->first != 0u && oracle->total % oracle->first == 0u;
    const bool above = oracle->total > oracle->first * n;

    tally(events, "restart in Throttle", true, throttles && in->restart);
    tally(events, "restart in Lazy", true, out->phase == 2u && in->restart);
    tally(events, "rounded down", many, last && in->rounding == 0u && !exact && !above);
    tally(events, "rounded up", many, last && in->rounding == 1u && !exact && !above);
    tally(events, "rounded up, and one more", many,
          last && in->rounding >= 2u && !exact && !above && out->limit < n);
    tally(events, "nothing to round", many, last && exact && !above);
    tally(events, "more than Tmax", true, last && above);
    tally(events, "nothing of the first counted", true, last && oracle->first == 0u);
    tally(events, "an end in Lazy", true, out->phase == 2u && n_ends(oracle, in) != 0u);
}

static void run(const void *config, const struct tied *tied, uint32_t cycles, uint64_t seed,
                struct events *events)
{
    struct lcs_oracle oracle;
    struct fault fault;
    struct unit *const any = unit_open_config("lcs", config, &fault);
    assert_non_null(any);
    struct traffic traffic = traffic_open(any, cycles, seed);
    struct lcs *const unit = any->model;
    const struct lcs_in *const in = any->in;

    oracle.config = unit->config;
    lcs_oracle_reset(&oracle);
    for (uint32_t i = 0u; i < cycles; i++) {
        const bool reset = traffic_next(&traffic, tied);
        unit_eval(any);
        if (reset) {
            unit_edge(any, true);
            lcs_oracle_reset(&oracle);
            continue;
        }
        events_cycle(events);
        count_monitor(&oracle, in, events);
        count_throttle(&oracle, in, any->out, events);
        (void)lcs_oracle_beside(&oracle, unit, in);
    }
    stimulus_close(traffic.stimulus);
    unit_close(any);
}

static void under_random_traffic_the_unit_does_what_the_page_says(void **state)
{
    (void)state;
    static const struct lcs_config configs[] = {
        { 1u, 1u, 6u },   { 2u, 2u, 9u },   { 5u, 3u, 7u },   { 8u, 2u, 32u },
        { 16u, 2u, 10u }, { 24u, 4u, 20u }, { 32u, 4u, 32u }, { 32u, 4u, 8u },
    };
    const uint64_t seed = printed_seed();
    uint32_t missing = 0u;

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        struct events events = { .n = 0u };
        char title[64];
        snprintf(title, sizeof title,
                 "%" PRIu32 " slots, %" PRIu32 " schedulers, %" PRIu32 " bits",
                 configs[i].n_slot, configs[i].n_scheduler, configs[i].count_w);
        run(&configs[i], &(struct tied){ NULL, false }, CYCLES, seed, &events);
        missing += events_check(&events, title, ENOUGH);
    }
    assert_int_equal(missing, 0u);
}

static void with_any_input_at_rest_something_does_not_happen(void **state)
{
    (void)state;
    static const struct lcs_config config = { 5u, 3u, 7u };

    every_input_is_needed(&lcs_type, &config, CYCLES / 4u, printed_seed(), 2u, run);
}

/* ---- Sums ---------------------------------------------------------------------------- */

/* A cycle that issues, at most as long as there is room; what it issues is added to the slots'.
 */
static void issue_some(struct lcs *unit, uint64_t *random, uint32_t *issued)
{
    struct lcs_in in = { .rounding = 1u };
    struct lcs_out out;
    struct lcs_next next;

    for (uint32_t k = 0u; k < unit->config.n_scheduler; k++) {
        in.issued[k] = random_below(random, 3u);
        in.issued_slot[k] = random_below(random, unit->config.n_slot);
        issued[in.issued_slot[k]] += in.issued[k];
    }
    lcs_eval(unit, &in, &out, &next);
    lcs_tick(unit, &next);
}

/* Starts, an end, or a restart, which comes to both. */
static void happen(struct lcs *unit, struct lcs *summed, uint64_t *random)
{
    struct lcs_in in = { .rounding = 1u, .n_max = 4u };
    struct lcs_out out;
    struct lcs_next next;

    in.restart = unit->q.n_max == 0u || random_below(random, 8u) == 0u;
    in.started.word[0] = random_below(random, 64u);
    in.ended.word[0] = random_below(random, 20u) == 0u ? 1u << random_below(random, 6u) : 0u;
    lcs_eval(unit, &in, &out, &next);
    lcs_tick(unit, &next);
    lcs_eval(summed, &in, &out, &next);
    lcs_tick(summed, &next);
}

static void instructions_of_many_cycles_may_come_as_a_sum(void **state)
{
    (void)state;
    static const struct lcs_config config = { 6u, 2u, 9u };
    uint64_t random = printed_seed();
    struct lcs unit, summed;
    uint32_t stopped = 0u;

    assert_int_equal(lcs_init(&unit, &config), lcs_ok);
    summed = unit;
    for (uint32_t i = 0u; i < 20000u; i++) {
        uint32_t issued[lcs_max_n_slot] = { 0u };
        happen(&unit, &summed, &random);
        const uint32_t room = lcs_room(&unit); /* the last cycle may go beyond it */
        const uint32_t most = room == 0u ? 9u : 1u + (room - 1u) / 4u;
        const bool rests = unit.q.phase != 1u; /* Throttle goes on by itself */
        for (uint32_t n = rests ? random_below(&random, most + 1u) : 0u; n != 0u; n--) {
            issue_some(&unit, &random, issued);
        }
        stopped += unit.q.phase == 0u && lcs_room(&unit) == 0u;
        lcs_count_sum(&summed, issued);
        assert_memory_equal(&summed.q, &unit.q, sizeof unit.q);
    }
    assert_true(stopped > 100u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(under_random_traffic_the_unit_does_what_the_page_says),
        cmocka_unit_test(instructions_of_many_cycles_may_come_as_a_sum),
        cmocka_unit_test(with_any_input_at_rest_something_does_not_happen),
    };
    return cmocka_run_group_tests_name("lcs_random", tests, NULL, NULL);
}
