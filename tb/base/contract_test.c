/*
 * Tests of what the lockstep asks a golden model: events are counted, and a wrong quiet or
 * advance is found. The program has one unit, whose table is in tb/base/rows, and which can be
 * wrong in several ways.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "base/unit.h"
#include "lockstep/contract.h"
#include "lockstep/stimulus.h"

/* ---- The unit ------------------------------------------------------------------------ */

#define UNIT promise
#include "base/unit_declare.h"

enum mistake {
    NONE,
    QUIET_FORGETS_CLEAR,
    QUIET_FORGETS_THE_MEMORY,
    ADVANCE_FORGETS_TO_WRAP,
    ADVANCE_TAKES_ONE_EDGE_FOR_NONE,
    ADVANCE_FORGETS_THE_MEMORY,
    MISTAKES
};
static enum mistake mistake;

static uint32_t most(const struct promise *unit)
{
    return (1u << unit->config.count_w) - 1u;
}

void promise_eval(const struct promise *unit, const struct promise_in *in,
                  struct promise_out *out, struct promise_next *next)
{
    promise_hold(unit, next);
    out->count = unit->q.count;
    next->q.count = in->clear ? 0u : (unit->q.count + in->add) & most(unit);
    UNIT_WRITE(&next->last, 0u, in->add);
}

bool promise_quiet(const struct promise *unit, const struct promise_in *in)
{
    return !in->add && (!in->clear || unit->q.count == 0u || mistake == QUIET_FORGETS_CLEAR)
           && (unit->mem.last[0] == 0u || mistake == QUIET_FORGETS_THE_MEMORY);
}

void promise_advance(struct promise *unit, const struct promise_in *in, uint64_t n)
{
    if (n == 0u && mistake != ADVANCE_TAKES_ONE_EDGE_FOR_NONE) {
        return;
    }
    const uint64_t sum = unit->q.count + (in->add ? n : 0u);

    unit->q.count =
        (uint32_t)(in->clear ? 0u
                             : sum & (mistake == ADVANCE_FORGETS_TO_WRAP ? 0xffu : most(unit)));
    if (mistake != ADVANCE_FORGETS_THE_MEMORY) {
        unit->mem.last[0] = in->add;
    }
}

void promise_count(const struct promise *unit, const struct promise_in *in,
                   const struct promise_out *out, struct promise_events *events)
{
    events->wrapped += in->add && !in->clear && out->count == most(unit);
    events->long_one += out->count > 20u;
}

#define UNIT_OWN_COUNT
#define UNIT promise
#include "base/unit_define.h"

/* In place of the project's. */
const struct unit_type *const unit_types[] = { &promise_type, NULL };

/* ---- Running ------------------------------------------------------------------------- */

static struct unit *open_unit(const char *params)
{
    struct fault fault;
    struct unit *const unit = unit_open_text("promise", params, &fault);

    assert_non_null(unit);
    return unit;
}

/* What stdout says while a contract is asked goes here. */
struct said {
    FILE *to;
    int before; /* stdout */
    char text[4096];
};

static void listen(struct said *said)
{
    fflush(stdout);
    said->to = tmpfile();
    said->before = dup(STDOUT_FILENO);
    assert_true(said->to != NULL && said->before >= 0);
    assert_true(dup2(fileno(said->to), STDOUT_FILENO) >= 0);
}

static void stop_listening(struct said *said)
{
    fflush(stdout);
    assert_true(dup2(said->before, STDOUT_FILENO) >= 0);
    close(said->before);
    rewind(said->to);
    said->text[fread(said->text, 1u, sizeof said->text - 1u, said->to)] = '\0';
    fclose(said->to);
}

/* False, with what was said, if a promise was broken. */
static bool run(struct unit *unit, struct contract *contract, uint64_t cycles)
{
    struct stimulus *const stimulus = stimulus_open(unit, "mixed", 3u);
    bool kept = true;

    for (uint64_t cycle = 0u; kept && cycle < cycles; cycle++) {
        const bool reset = stimulus_next(stimulus);
        unit_eval(unit);
        kept = reset || contract_cycle(contract, cycle);
        unit_edge(unit, reset);
    }
    stimulus_close(stimulus);
    return kept;
}

/* ---- Tests --------------------------------------------------------------------------- */

static void a_model_that_keeps_its_promises_passes(void **state)
{
    (void)state;
    struct unit *const unit = open_unit("");
    struct contract *const contract = contract_open(unit, 1u);
    const struct contract *const all[] = { contract };
    struct said said;

    mistake = NONE;
    listen(&said);
    const bool kept = run(unit, contract, 50000u);
    const bool met = contract_print(all, 1u, true);
    stop_listening(&said);
    assert_true(kept && met);
    assert_non_null(strstr(said.text, "\nmet    long_one"));
    assert_non_null(strstr(said.text, "\nkept   quiet"));
    assert_non_null(strstr(said.text, "\nkept   advance"));
    contract_close(contract);
    unit_close(unit);
}

static void each_wrong_promise_is_found_and_named(void **state)
{
    (void)state;
    for (int m = NONE + 1; m < MISTAKES; m++) {
        struct unit *const unit = open_unit("");
        struct contract *const contract = contract_open(unit, 1u);
        struct said said;

        mistake = (enum mistake)m;
        listen(&said);
        const bool kept = run(unit, contract, 50000u);
        stop_listening(&said);
        if (kept) {
            fail_msg("mistake %d is not found", m);
        }
        assert_non_null(strstr(said.text, "BROKEN PROMISE promise COUNT_W=5"));
        assert_non_null(
            strstr(said.text, m < ADVANCE_FORGETS_TO_WRAP ? "quiet says" : "advance makes"));
        assert_non_null(strstr(said.text, "_q"));
        contract_close(contract);
        unit_close(unit);
    }
    mistake = NONE;
}

static void an_event_must_be_met_at_one_of_the_sizes(void **state)
{
    (void)state;
    static const char *const sizes[] = { "COUNT_W=1", "COUNT_W=4", "COUNT_W=5" };
    struct unit *unit[3];
    struct contract *contract[3];
    const struct contract *all[3];
    struct said said;

    listen(&said);
    for (int i = 0; i < 3; i++) {
        unit[i] = open_unit(sizes[i]);
        contract[i] = contract_open(unit[i], 1u);
        all[i] = contract[i];
        assert_true(run(unit[i], contract[i], 20000u));
    }
    const bool two = contract_print(all, 2u, true); /* which cannot count so far */
    const bool allowed = contract_print(all, 2u, false);
    const bool three = contract_print(all, 3u, true);
    stop_listening(&said);
    assert_false(two);
    assert_true(allowed);
    assert_true(three);
    assert_non_null(strstr(said.text, "NEVER met"));
    assert_non_null(strstr(said.text, "at 1 of 3 sizes: counts above 20"));
    for (int i = 0; i < 3; i++) {
        contract_close(contract[i]);
        unit_close(unit[i]);
    }
}

static void a_promise_must_be_asked_for(void **state)
{
    (void)state;
    struct unit *const unit = open_unit("");
    struct contract *const contract = contract_open(unit, 1u);
    const struct contract *const all[] = { contract };
    struct said said;

    listen(&said);
    const bool none = contract_print(all, 1u, true);
    stop_listening(&said);
    assert_false(none);
    assert_non_null(strstr(said.text, "NEVER kept   quiet"));
    assert_non_null(strstr(said.text, "NEVER kept   advance"));
    contract_close(contract);
    unit_close(unit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_that_keeps_its_promises_passes),
        cmocka_unit_test(each_wrong_promise_is_found_and_named),
        cmocka_unit_test(an_event_must_be_met_at_one_of_the_sizes),
        cmocka_unit_test(a_promise_must_be_asked_for),
    };
    return cmocka_run_group_tests_name("contract", tests, NULL, NULL);
}
