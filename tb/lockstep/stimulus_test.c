/*
 * Tests of the random stimulus: it reproduces, keeps handshakes, and reaches what it is
 * for. A stimulus that never makes a unit do its work would let every defect pass.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lockstep/stimulus.h"
#include "units/claso.h"

static struct unit *open_claso(void)
{
    static const char *const params[] = { NULL };
    struct fault fault;
    struct unit *const unit = unit_open("claso", params, &fault);

    assert_non_null(unit);
    return unit;
}

static void the_first_cycle_is_a_reset(void **state)
{
    (void)state;
    static const char *const kinds[] = { "idle",    "bursty",   "pressed",
                                         "illegal", "directed", "mixed" };
    struct unit *const unit = open_claso();

    for (size_t i = 0u; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct stimulus *const stimulus = stimulus_open(unit, kinds[i], 1u);
        assert_non_null(stimulus);
        assert_true(stimulus_next(stimulus));
        stimulus_close(stimulus);
    }
    assert_null(stimulus_open(unit, "busy", 1u));
    unit_close(unit);
}

/* True if two seeds give the same inputs for a while. */
static bool same(uint64_t a, uint64_t b)
{
    struct unit *const unit[2] = { open_claso(), open_claso() };
    struct stimulus *const stimulus[2] = { stimulus_open(unit[0], "mixed", a),
                                           stimulus_open(unit[1], "mixed", b) };
    struct unit_difference found;
    bool equal = true;

    for (int cycle = 0; cycle < 20000 && equal; cycle++) {
        bool reset[2];
        for (int i = 0; i < 2; i++) {
            reset[i] = stimulus_next(stimulus[i]);
            unit_eval(unit[i]);
            unit_edge(unit[i], reset[i]);
        }
        equal = reset[0] == reset[1]
                && unit_compare(unit[0], UNIT_IN, unit[0]->in, unit[1]->in, &found, 1u) == 0u;
    }
    for (int i = 0; i < 2; i++) {
        stimulus_close(stimulus[i]);
        unit_close(unit[i]);
    }
    return equal;
}

static void a_seed_gives_the_same_inputs_again_and_another_others(void **state)
{
    (void)state;
    assert_true(same(3u, 3u));
    assert_false(same(3u, 4u));
    assert_true(same(0u, 0u));
    assert_false(same(0u, UINT64_MAX));
}

static void an_offer_stands_until_it_is_taken_unless_illegal(void **state)
{
    (void)state;
    static const char *const kinds[] = { "bursty", "pressed", "illegal" };

    for (size_t i = 0u; i < 3u; i++) {
        struct unit *const unit = open_claso();
        struct stimulus *const stimulus = stimulus_open(unit, kinds[i], 9u);
        struct claso_in last = { 0 };
        bool waits = false;
        uint32_t broken = 0u;

        for (int cycle = 0; cycle < 20000; cycle++) {
            const bool reset = stimulus_next(stimulus);
            const struct claso_in *const in = unit->in;
            broken += waits
                      && (!in->launch_valid || in->launch_ctas != last.launch_ctas
                          || in->launch_kernel != last.launch_kernel
                          || in->launch_active != last.launch_active
                          || in->launch_loose != last.launch_loose
                          || !bits_equal(in->launch_cores, last.launch_cores));
            unit_eval(unit);
            waits = in->launch_valid && !((struct claso_out *)unit->out)->launch_ready;
            last = *in;
            unit_edge(unit, reset);
        }
        assert_int_equal(broken > 0u, strcmp(kinds[i], "illegal") == 0);
        stimulus_close(stimulus);
        unit_close(unit);
    }
}

/* How often what a unit is for happened. */
struct counts {
    uint32_t launches, bad_launches, relaunches, waits;
    uint32_t ones, bad_consumes, band, drained, resets;
};

static void count_consume(const struct claso *unit, const struct claso_in *in,
                          const struct claso_out *out, struct counts *counts)
{
    if (!in->consume_valid) {
        return;
    }
    const bool known =
        in->consume_core < unit->config.n_core && in->kernel < unit->config.n_kernel;
    const bool one = known && bits_has(out->allow, in->consume_core);

    counts->ones += one;
    counts->bad_consumes += !one;
    counts->band +=
        one
        && claso_local(unit, in->kernel, in->consume_core) <= claso_band(unit, in->kernel, 0u);
}

static void count(const struct claso *unit, const struct claso_in *in,
                  const struct claso_out *out, const struct claso_next *next,
                  struct counts *counts)
{
    const bool taken = in->launch_valid && out->launch_ready;

    counts->bad_launches += next->q.launch_error;
    counts->launches += taken && !next->q.launch_error;
    counts->relaunches +=
        taken && !next->q.launch_error && bits_has(unit->q.valid, in->launch_kernel);
    counts->waits += in->launch_valid && !out->launch_ready;
    counts->drained += in->kernel < unit->config.n_kernel && bits_has(unit->q.valid, in->kernel)
                       && !bits_any(out->allow);
    count_consume(unit, in, out, counts);
}

static void mixed_stimulus_makes_claso_do_all_it_can(void **state)
{
    (void)state;
    struct unit *const unit = open_claso();
    struct stimulus *const stimulus = stimulus_open(unit, "mixed", 1u);
    struct counts counts = { 0 };

    for (int cycle = 0; cycle < 100000; cycle++) {
        const bool reset = stimulus_next(stimulus);
        unit_eval(unit);
        counts.resets += reset;
        if (!reset) {
            count(unit->model, unit->in, unit->out, unit->next, &counts);
        }
        unit_edge(unit, reset);
    }
    print_message("launches %u, refused %u, of slots in use %u, waiting %u; consumed %u, "
                  "refused %u, with a global %u, drained %u; resets %u\n",
                  counts.launches, counts.bad_launches, counts.relaunches, counts.waits,
                  counts.ones, counts.bad_consumes, counts.band, counts.drained, counts.resets);
    const uint32_t *const each = (const uint32_t *)&counts;
    for (size_t i = 0u; i < sizeof counts / sizeof *each; i++) {
        assert_in_range(each[i], 50, 100000);
    }
    stimulus_close(stimulus);
    unit_close(unit);
}

/* ---- Resets, and sequences that are not cut off -------------------------------------- */

/* The highest value of each parameter of a unit. */
static void largest_of(const struct unit_type *type, char params[UNIT_TITLE])
{
    char name[UNIT_NAME_SIZE];
    size_t at = 0u;

    for (uint32_t i = 0u; i < type->n_param; i++) {
        at += (size_t)snprintf(params + at, UNIT_TITLE - at, "%s=%u ",
                               unit_upper(type->params[i].name, name), type->params[i].highest);
    }
}

/* Runs a unit with these parameters; the counts of these cycles. */
static struct stimulus_counts counts_of(const struct unit_type *type, const char *params,
                                        const char *kind, uint64_t stretch, uint32_t cycles)
{
    struct fault fault;
    struct unit *const unit = unit_open_text(type->name, params, &fault);
    assert_non_null(unit);
    struct stimulus *const stimulus = stimulus_open(unit, kind, 2u);
    assert_non_null(stimulus);
    stimulus_stretch(stimulus, stretch);
    for (uint32_t cycle = 0u; cycle < cycles; cycle++) {
        const bool reset = stimulus_next(stimulus);
        unit_eval(unit);
        unit_edge(unit, reset);
    }
    const struct stimulus_counts counts = stimulus_counts(stimulus);
    stimulus_close(stimulus);
    unit_close(unit);
    return counts;
}

static void every_units_sequence_comes_to_its_end_at_the_largest_size(void **state)
{
    (void)state;
    for (const struct unit_type *const *type = unit_types; *type != NULL; type++) {
        char largest[UNIT_TITLE] = "";
        largest_of(*type, largest);
        const struct stimulus_counts counts =
            counts_of(*type, largest, "directed", 0u, 400000u);
        print_message("%s: %u times\n", (*type)->name, (unsigned)counts.directed);
        assert_in_range(counts.directed, 1u, 400000u);
        assert_in_range(counts.resets, counts.directed, counts.directed + 1u);
    }
}

static void mixed_stimulus_runs_a_sequence_to_its_end_and_other_kinds_mostly(void **state)
{
    (void)state;
    const struct stimulus_counts counts = counts_of(unit_types[0], "", "mixed", 0u, 60000u);

    assert_in_range(counts.directed, 1u, 600u);
    assert_in_range(counts.resets, 40u, 700u);
}

static void resets_by_chance_come_once_in_a_thousand_cycles(void **state)
{
    (void)state;
    const struct stimulus_counts counts = counts_of(unit_types[0], "", "bursty", 0u, 50000u);

    assert_in_range(counts.resets, 25u, 100u);
    assert_in_range(counts.longest, 1500u, 20000u);
    assert_int_equal(counts.directed, 0u);
}

static void in_long_stretches_resets_come_that_many_cycles_apart(void **state)
{
    (void)state;
    const struct stimulus_counts bursty =
        counts_of(unit_types[0], "", "bursty", 10000u, 50001u);
    assert_int_equal(bursty.resets, 6u);
    assert_int_equal(bursty.longest, 9999u);

    const struct stimulus_counts mixed = counts_of(unit_types[0], "", "mixed", 10000u, 50001u);
    assert_int_equal(mixed.resets, 6u);
    assert_int_equal(mixed.longest, 9999u);
    assert_int_equal(mixed.directed, 2u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_cycle_is_a_reset),
        cmocka_unit_test(a_seed_gives_the_same_inputs_again_and_another_others),
        cmocka_unit_test(an_offer_stands_until_it_is_taken_unless_illegal),
        cmocka_unit_test(mixed_stimulus_makes_claso_do_all_it_can),
        cmocka_unit_test(every_units_sequence_comes_to_its_end_at_the_largest_size),
        cmocka_unit_test(mixed_stimulus_runs_a_sequence_to_its_end_and_other_kinds_mostly),
        cmocka_unit_test(resets_by_chance_come_once_in_a_thousand_cycles),
        cmocka_unit_test(in_long_stretches_resets_come_that_many_cycles_apart),
    };
    return cmocka_run_group_tests_name("stimulus", tests, NULL, NULL);
}
