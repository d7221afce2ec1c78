/*
 * Tests of units whose port table lacks a kind of row, through all the machinery that a unit
 * goes through in C: it is opened, runs with stimulus, is compared, and its vectors are
 * written, read and replayed. The program has these units only; their tables are in
 * tb/base/rows.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/unit.h"
#include "lockstep/lockstep.h"
#include "lockstep/stimulus.h"
#include "lockstep/vectors.h"

/* ---- The units ----------------------------------------------------------------------- */

#define UNIT bare
#include "base/unit_declare.h"
#define UNIT no_param
#include "base/unit_declare.h"
#define UNIT no_const
#include "base/unit_declare.h"
#define UNIT no_in
#include "base/unit_declare.h"
#define UNIT no_out
#include "base/unit_declare.h"
#define UNIT no_reg
#include "base/unit_declare.h"
#define UNIT only_mem
#include "base/unit_declare.h"
#define UNIT tallies
#include "base/unit_declare.h"
#define UNIT team
#include "base/unit_declare.h"
#define UNIT ahead
#include "base/unit_declare.h"

void bare_eval(const struct bare *unit, const struct bare_in *in, struct bare_out *out,
               struct bare_next *next)
{
    (void)in;
    (void)out;
    bare_hold(unit, next);
}

void no_param_eval(const struct no_param *unit, const struct no_param_in *in,
                   struct no_param_out *out, struct no_param_next *next)
{
    no_param_hold(unit, next);
    out->last = unit->q.last;
    out->same = in->number == unit->q.last;
    next->q.last = in->number;
    UNIT_WRITE(&next->seen, in->number, 1u);
}

void no_const_eval(const struct no_const *unit, const struct no_const_in *in,
                   struct no_const_out *out, struct no_const_next *next)
{
    no_const_hold(unit, next);
    out->last = unit->q.last;
    next->q.last = in->number;
}

void no_in_eval(const struct no_in *unit, const struct no_in_in *in, struct no_in_out *out,
                struct no_in_next *next)
{
    (void)in;
    no_in_hold(unit, next);
    out->count = unit->q.count;
    next->q.count = (unit->q.count + 1u) & (UINT32_MAX >> (32u - unit->config.width));
}

void no_out_eval(const struct no_out *unit, const struct no_out_in *in, struct no_out_out *out,
                 struct no_out_next *next)
{
    (void)out;
    no_out_hold(unit, next);
    for (uint32_t k = 0u; k < unit->config.n; k++) {
        if (bits_has(in->some, k)) {
            bits_add(&next->q.all, k);
        }
    }
}

void no_reg_eval(const struct no_reg *unit, const struct no_reg_in *in, struct no_reg_out *out,
                 struct no_reg_next *next)
{
    no_reg_hold(unit, next);
    out->any = bits_any(in->some);
}

void only_mem_eval(const struct only_mem *unit, const struct only_mem_in *in,
                   struct only_mem_out *out, struct only_mem_next *next)
{
    uint32_t word = 0u; /* the first whose counts are those of the last one */

    (void)in;
    (void)out;
    only_mem_hold(unit, next);
    while (word < 2u && unit->mem.count[2u * word] != unit->mem.count[4]) {
        word++;
    }
    UNIT_WRITE(&next->count, 2u * word, (unit->mem.count[2u * word] + 1u) & 0xfffu);
    UNIT_WRITE(&next->count, 2u * word + 1u, (unit->mem.count[2u * word + 1u] - 1u) & 0xfffu);
    UNIT_WRITE(&next->flag, (uint32_t)(unit->mem.count[0] % 5u), word % 2u);
}

void tallies_eval(const struct tallies *unit, const struct tallies_in *in,
                  struct tallies_out *out, struct tallies_next *next)
{
    tallies_hold(unit, next);
    out->zero = unit->q.count[0] == 0u;
    next->q.added = in->add < unit->config.n;
    if (next->q.added) {
        next->q.count[in->add] = (unit->q.count[in->add] + 1u) & 0xfu;
        UNIT_WRITE(&next->seen, in->add, 1u);
    }
}

void tallies_count(const struct tallies *unit, const struct tallies_in *in,
                   const struct tallies_out *out, struct tallies_events *events)
{
    (void)out;
    events->wasted += in->add >= unit->config.n;
}

/* The spare has nothing to count. */
void team_eval_watched(const struct team *unit, const struct team_in *in, struct team_out *out,
                       struct team_next *next, const struct unit_watch *watch)
{
    struct tallies_out shown;

    team_hold(unit, next);
    team_eval_spare(unit, &(struct tallies_in){ unit->spare.config.n }, &shown, next, watch);
    *out = (struct team_out){ .zero = { { 0u } } };
    for (uint32_t i = 0u; i < unit->n_member; i++) {
        tallies_eval(&unit->member[i], &(struct tallies_in){ in->add[i] }, &shown,
                     &next->member[i]);
        if (shown.zero) {
            bits_add(&out->zero, i);
        }
    }
}

bool team_quiet(const struct team *unit, const struct team_in *in)
{
    bool quiet = true;

    for (uint32_t i = 0u; i < unit->n_member; i++) {
        quiet = quiet && in->add[i] >= unit->config.n && !unit->member[i].q.added;
    }
    return quiet;
}

void team_count(const struct team *unit, const struct team_in *in, const struct team_out *out,
                struct team_events *events)
{
    (void)out;
    for (uint32_t i = 0u; i < unit->n_member; i++) {
        tallies_count(&unit->member[i], &(struct tallies_in){ in->add[i] }, NULL,
                      &events->member);
    }
}

void ahead_eval(const struct ahead *unit, const struct ahead_in *in, struct ahead_out *out,
                struct ahead_next *next)
{
    ahead_hold(unit, next);
    out->last = unit->q.last;
    next->q.last = in->number;
}

#define UNIT bare
#include "base/unit_define.h"
#define UNIT no_param
#include "base/unit_define.h"
#define UNIT no_const
#include "base/unit_define.h"
#define UNIT no_in
#include "base/unit_define.h"
#define UNIT no_out
#include "base/unit_define.h"
#define UNIT no_reg
#include "base/unit_define.h"
#define UNIT only_mem
#include "base/unit_define.h"
#define UNIT_OWN_COUNT
#define UNIT tallies
#include "base/unit_define.h"
#define UNIT ahead
#include "base/unit_define.h"
#define UNIT_OWN_COUNT
#define UNIT_COMPOSITION
#define UNIT team
#include "base/unit_define.h"

/* In place of the project's. */
const struct unit_type *const unit_types[] = {
    &bare_type,     &no_param_type, &no_const_type, &no_in_type, &no_out_type, &no_reg_type,
    &only_mem_type, &tallies_type,  &team_type,     &ahead_type, NULL
};

/* ---- Opening ------------------------------------------------------------------------- */

static struct unit *open_unit(const struct unit_type *type)
{
    struct fault fault;
    struct unit *const unit = unit_open_text(type->name, "", &fault);

    if (unit == NULL) {
        fail_msg("%s", fault_text(&fault));
    }
    return unit;
}

static void the_description_has_the_rows_of_the_table(void **state)
{
    (void)state;
    static const uint32_t rows[][3] = { /* parameters, constants, ports */
                                        { 0, 0, 0 },  { 0, 1, 5 }, { 1, 0, 3 }, { 1, 0, 2 },
                                        { 1, 0, 2 },  { 1, 0, 2 }, { 0, 0, 2 }, { 1, 0, 5 },
                                        { 2, 1, 11 }, { 1, 0, 3 }
    };

    for (uint32_t i = 0u; unit_types[i] != NULL; i++) {
        const struct unit_type *const type = unit_types[i];
        struct unit *const unit = open_unit(type);
        assert_int_equal(type->n_param, rows[i][0]);
        assert_int_equal(type->n_const, rows[i][1]);
        assert_int_equal(unit->n_port, rows[i][2]);
        for (uint32_t k = 0u; k < unit->n_port; k++) {
            assert_non_null(unit->ports[k].name);
            assert_in_range(unit->ports[k].width, 1u, 64u);
        }
        unit_close(unit);
    }
}

static void a_parameter_that_a_unit_lacks_is_refused(void **state)
{
    (void)state;
    struct fault fault;

    assert_null(unit_open_text("only_mem", "WIDTH=3", &fault));
    assert_string_equal(fault_text(&fault), "only_mem has no parameter WIDTH=3; it has none");
    assert_null(unit_open_text("no_const", "WIDTH=33", &fault));
}

/* ---- Running ------------------------------------------------------------------------- */

static void cycle(struct unit *unit, struct stimulus *stimulus)
{
    const bool reset = stimulus_next(stimulus);

    unit_eval(unit);
    unit_edge(unit, reset);
}

/* Differences between two units in a group. */
static uint32_t differences(const struct unit *a, const struct unit *b, enum unit_group group)
{
    struct unit_difference found[4];
    const void *const of_a[UNIT_GROUPS] = { a->in, a->out, unit_state(a), unit_memory(a) };
    const void *const of_b[UNIT_GROUPS] = { b->in, b->out, unit_state(b), unit_memory(b) };

    return unit_compare(a, group, of_a[group], of_b[group], found, 4u);
}

static void two_of_a_kind_run_alike_under_every_stimulus(void **state)
{
    (void)state;
    static const char *const kinds[] = { "idle",    "bursty",   "pressed",
                                         "illegal", "directed", "mixed" };

    for (uint32_t i = 0u; unit_types[i] != NULL; i++) {
        for (size_t k = 0u; k < sizeof kinds / sizeof kinds[0]; k++) {
            struct unit *const unit[2] = { open_unit(unit_types[i]), open_unit(unit_types[i]) };
            struct stimulus *const stimulus[2] = { stimulus_open(unit[0], kinds[k], 5u),
                                                   stimulus_open(unit[1], kinds[k], 5u) };
            for (int n = 0; n < 3000; n++) {
                cycle(unit[0], stimulus[0]);
                cycle(unit[1], stimulus[1]);
                for (enum unit_group g = UNIT_IN; g < UNIT_GROUPS; g++) {
                    assert_int_equal(differences(unit[0], unit[1], g), 0u);
                }
            }
            assert_int_equal(stimulus_counts(stimulus[0]).resets,
                             stimulus_counts(stimulus[1]).resets);
            for (int u = 0; u < 2; u++) {
                stimulus_close(stimulus[u]);
                unit_close(unit[u]);
            }
        }
    }
}

static void every_port_is_compared(void **state)
{
    (void)state;
    for (uint32_t i = 0u; unit_types[i] != NULL; i++) {
        struct unit *const unit[2] = { open_unit(unit_types[i]), open_unit(unit_types[i]) };
        for (uint32_t p = 0u; p < unit[0]->n_port; p++) {
            const struct unit_port *const port = &unit[0]->ports[p];
            const uint32_t last = port->count * port->words - 1u;
            void *const group[UNIT_GROUPS] = { unit[0]->in, unit[0]->out,
                                               (char *)unit[0]->model + unit_types[i]->state_at,
                                               (char *)unit[0]->model
                                                   + unit_types[i]->memory_at };
            const uint64_t before = unit_get(port, group[port->group], last);
            unit_set(port, group[port->group], last, before ^ 1u);
            assert_int_equal(differences(unit[0], unit[1], port->group), 1u);
            unit_set(port, group[port->group], last, before);
        }
        unit_close(unit[0]);
        unit_close(unit[1]);
    }
}

static void what_an_edge_does_is_done(void **state)
{
    (void)state;
    struct unit *const counter = open_unit(&no_in_type);
    struct unit *const memories = open_unit(&only_mem_type);

    for (uint64_t n = 0u; n < 300u; n++) {
        unit_eval(counter);
        assert_int_equal(((struct no_in_out *)counter->out)->count, n % 128u);
        unit_edge(counter, false);
        unit_eval(memories);
        unit_edge(memories, n == 299u); /* a reset leaves memories */
    }
    const struct only_mem *const only = memories->model;
    assert_int_equal(only->mem.count[0] + only->mem.count[2] + only->mem.count[4], 299u);
    assert_int_equal((only->mem.count[0] + only->mem.count[1]) & 0xfffu, 0u);
    unit_close(counter);
    unit_close(memories);
}

/* ---- Registers that only the RTL has ------------------------------------------------- */

static void derived_registers_are_described_behind_what_is_compared(void **state)
{
    (void)state;
    struct unit *const unit = open_unit(&ahead_type);

    assert_int_equal(unit->n_port, 3u);
    assert_int_equal(ahead_type.n_derived, 2u);
    assert_string_equal(unit->ports[3].name, "zero");
    assert_int_equal(unit_port_bits(&unit->ports[3]), 1u);
    assert_string_equal(unit->ports[4].name, "halves");
    assert_int_equal(unit_port_bits(&unit->ports[4]), 12u);
    assert_int_equal(unit->image_bits[UNIT_REG], 6u);
    unit_close(unit);
}

/* ---- Arrays of parts ----------------------------------------------------------------- */

static void an_array_of_parts_has_as_many_as_the_parameters_say(void **state)
{
    (void)state;
    static const char *const names[] = {
        "add_i",
        "zero_o",
        "g_member[0].u_member.count_q",
        "g_member[1].u_member.count_q",
        "g_member[0].u_member.added_q",
        "g_member[1].u_member.added_q",
        "g_member[0].u_member.seen_q",
        "g_member[1].u_member.seen_q",
        "u_spare.count_q",
        "u_spare.added_q",
        "u_spare.seen_q",
    };
    char name[UNIT_PORT_NAME];
    struct fault fault;
    struct unit *const two = open_unit(&team_type);
    struct unit *const six = unit_open_text("team", "N_TEAM=6 N=5", &fault);

    assert_non_null(six);
    assert_int_equal(six->n_port, 2u + 3u * 6u + 3u);
    assert_int_equal(((const struct team *)six->model)->n_member, 6u);
    for (uint32_t i = 0u; i < two->n_port; i++) {
        assert_string_equal(unit_port_name(&two->ports[i], name), names[i]);
    }
    unit_close(two);
    unit_close(six);
}

static void elements_of_an_array_of_parts_count_and_are_reset_each_by_itself(void **state)
{
    (void)state;
    struct unit *const unit = open_unit(&team_type);
    struct team_in *const in = unit->in;
    const struct team *const team = unit->model;
    struct team_events events = { .member = { 0u } };

    in->add[0] = 2u;
    in->add[1] = 7u; /* is not there */
    for (uint32_t n = 1u; n < 20u; n++) {
        unit_eval(unit);
        assert_false(team_type.holds(unit->model, unit->next));
        team_type.count(unit->model, unit->in, unit->out, &events);
        unit_edge(unit, false);
        assert_int_equal(team->member[0].q.count[2], n % 16u);
        assert_int_equal(team->member[1].q.count[2], 0u);
        assert_int_equal(unit_get(&unit->ports[2], unit_state(unit), 2u), n % 16u);
        assert_int_equal(unit_get(&unit->ports[6], unit_memory(unit), 2u), 1u);
        assert_int_equal(unit_get(&unit->ports[7], unit_memory(unit), 2u), 0u);
    }
    const struct unit_event event = unit_event(&team_type, 0u);
    assert_string_equal(event.part, "member");
    assert_int_equal(unit_event_met(&event, &events), 19u);
    unit_edge(unit, true);
    assert_int_equal(team->member[0].q.count[2], 0u);
    assert_int_equal(team->member[0].mem.seen[2], 1u);
    in->add[0] = 7u;
    unit_eval(unit);
    assert_true(team_type.holds(unit->model, unit->next));
    assert_true(team_type.quiet(unit->model, unit->in));
    unit_close(unit);
}

/* ---- Vectors ------------------------------------------------------------------------- */

static void vectors_are_written_read_and_replayed(void **state)
{
    (void)state;
    char file[] = "/tmp/rows_test_XXXXXX";
    const int made = mkstemp(file);

    assert_true(made >= 0);
    close(made);
    for (uint32_t i = 0u; unit_types[i] != NULL; i++) {
        struct unit *const unit = open_unit(unit_types[i]);
        struct stimulus *const stimulus = stimulus_open(unit, "mixed", 3u);
        struct vector_writer *const writer = vector_writer_open(unit, file);
        assert_non_null(writer);
        for (int n = 0; n < 2500; n++) {
            const bool reset = stimulus_next(stimulus);
            unit_eval(unit);
            vector_write(writer, reset);
            unit_edge(unit, reset);
        }
        assert_true(vector_writer_close(writer));
        stimulus_close(stimulus);
        unit_close(unit);
        const struct replay_options options = { .vectors = file, .model_only = true };
        assert_int_equal(lockstep_replay(&options), 0);
    }
    remove(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_description_has_the_rows_of_the_table),
        cmocka_unit_test(a_parameter_that_a_unit_lacks_is_refused),
        cmocka_unit_test(two_of_a_kind_run_alike_under_every_stimulus),
        cmocka_unit_test(every_port_is_compared),
        cmocka_unit_test(what_an_edge_does_is_done),
        cmocka_unit_test(derived_registers_are_described_behind_what_is_compared),
        cmocka_unit_test(an_array_of_parts_has_as_many_as_the_parameters_say),
        cmocka_unit_test(elements_of_an_array_of_parts_count_and_are_reset_each_by_itself),
        cmocka_unit_test(vectors_are_written_read_and_replayed),
    };
    return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
