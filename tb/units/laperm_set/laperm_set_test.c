/*
 * Tests of a set of LaPerm's queues: every short sequence of launches and draws on sets of a
 * few entries, beside a list; and inputs that the contract ignores. Random traffic is in the
 * tests of laperm.
 */

#include <stdio.h>

#include "tb/units/laperm/laperm_oracle.h"

enum { ENTRIES = 5, LENGTH = SANITIZED ? 5 : 7 };

static const struct laperm_set_config config = { ENTRIES, 2u, 8u, 4u, 4u, 8u, 2u };

/* ---- Every sequence -------------------------------------------------------------------- */

struct pair {
    struct laperm_set unit;
    struct laperm_oracle_set list;
    uint32_t launched;
    uint32_t moved;    /* cycles in which an entry moved */
    uint32_t overtook; /* launches that became the head while others moved for them */
};

static void check(const struct laperm_set_out *out, const struct laperm_oracle_set *list)
{
    assert_int_equal(out->idle, list->insertion == LAPERM_NOTHING);
    assert_int_equal(out->some, laperm_oracle_waits(list, 2u));
    assert_int_equal(out->here, list->here);
    assert_int_equal(out->offer, laperm_oracle_offers(list));
    assert_int_equal(out->steady, laperm_oracle_steady(list));
    if (list->here) {
        assert_int_equal(out->level, list->list[0].level);
        assert_int_equal(out->payload, list->list[0].payload);
        assert_int_equal(out->tb, list->list[0].next);
        assert_int_equal(out->last, list->list[0].next + 1u == list->list[0].tbs);
    }
}

/* A set at rest stays as it is until something is inserted. */
static void check_rest(struct pair *pair, uint32_t insert, const struct laperm_set_next *next)
{
    const bool waits = laperm_set_waits(&pair->unit);

    assert_int_equal(waits, laperm_oracle_has(&pair->list, 2u));
    if (!waits && laperm_set_rests(&pair->unit) && insert == 0u) {
        assert_memory_equal(&next->q, &pair->unit.q, sizeof next->q);
        assert_int_equal(next->array_payload.n, 0u);
    }
}

/* A cycle; insert: 0 nothing, otherwise 1 and a level. */
static void cycle(struct pair *pair, uint32_t insert, bool draw)
{
    static struct laperm_set_next next;
    struct laperm_set_out out;
    const struct laperm_set_in in = {
        .insert_valid = insert != 0u,
        .insert_level = insert - (insert != 0u),
        .insert_payload = pair->launched + 1u,
        .insert_tbs = 1u + pair->launched % 2u,
        .draw = draw,
    };
    struct laperm_oracle_act act = { .draws = draw && laperm_oracle_offers(&pair->list) };

    act.comes =
        in.insert_valid && pair->list.insertion == LAPERM_NOTHING && pair->list.held < ENTRIES;
    act.entry = (struct laperm_oracle_entry){ .payload = in.insert_payload,
                                              .tbs = in.insert_tbs,
                                              .level = in.insert_level };
    laperm_set_eval(&pair->unit, &in, &out, &next);
    check(&out, &pair->list);
    check_rest(pair, insert, &next);
    pair->moved += laperm_set_meets(&pair->unit) >> LAPERM_SET_MOVED & 1u;
    pair->overtook += laperm_set_meets(&pair->unit) >> LAPERM_SET_OVERTOOK & 1u;
    laperm_set_tick(&pair->unit, &next);
    laperm_oracle_edge(&pair->list, &act);
    pair->launched += act.comes;
}

static void open_pair(struct pair *pair)
{
    memset(pair, 0, sizeof *pair);
    assert_int_equal(laperm_set_init(&pair->unit, &config), laperm_set_ok);
}

struct totals {
    uint32_t sequences, moved, overtook;
};

static void every_sequence(const struct pair *from, uint32_t length, struct totals *totals)
{
    if (length == 0u) {
        totals->sequences++;
        totals->moved += from->moved != 0u;
        totals->overtook += from->overtook != 0u;
        return;
    }
    for (uint32_t k = 0u; k < 6u; k++) {
        struct pair pair = *from;
        cycle(&pair, k % 3u, k >= 3u);
        every_sequence(&pair, length - 1u, totals);
    }
}

/* From a set that has so many of the high level and of the low one, by bits. */
static void every_sequence_of_launches_and_draws_keeps_the_order_of_levels(void **state)
{
    (void)state;
    struct totals totals = { 0u, 0u, 0u };
    static struct pair pair;

    for (uint32_t high = 0u; high <= 2u; high++) {
        open_pair(&pair);
        for (uint32_t k = 0u; k < high + 2u; k++) {
            while (pair.list.insertion != LAPERM_NOTHING) {
                cycle(&pair, 0u, false);
            }
            cycle(&pair, k < high ? 2u : 1u, false);
        }
        for (uint32_t k = 0u; k < 8u; k++) {
            cycle(&pair, 0u, false);
        }
        every_sequence(&pair, LENGTH, &totals);
    }
    printf("%" PRIu32 " sequences, of which %" PRIu32 " move entries, and %" PRIu32
           " have a launch that overtakes\n",
           totals.sequences, totals.moved, totals.overtook);
    assert_in_range(totals.moved, 100, UINT32_MAX);
}

/* ---- What is ignored ------------------------------------------------------------------- */

static struct laperm_set set;

static void step(struct laperm_set_in in)
{
    static struct laperm_set_next next;
    struct laperm_set_out out;

    laperm_set_eval(&set, &in, &out, &next);
    laperm_set_tick(&set, &next);
}

static void check_ignored(struct laperm_set_in in)
{
    static struct laperm_set_next with, without;
    const struct laperm_set_in nothing = { .draw = false };
    struct laperm_set_out out;

    laperm_set_eval(&set, &in, &out, &with);
    laperm_set_eval(&set, &nothing, &out, &without);
    assert_memory_equal(&with.q, &without.q, sizeof with.q);
    assert_int_equal(with.array_payload.n, without.array_payload.n);
}

static const struct laperm_set_in launch = { .insert_valid = true,
                                             .insert_payload = 3u,
                                             .insert_tbs = 1u };

static void what_the_contract_does_not_allow_changes_nothing(void **state)
{
    (void)state;
    struct laperm_set_in back = launch;

    back.insert_back = true;
    assert_int_equal(laperm_set_init(&set, &config), laperm_set_ok);
    check_ignored((struct laperm_set_in){ .draw = true });
    check_ignored((struct laperm_set_in){ .ask = true });
    check_ignored(back); /* without having been asked for */
    step(launch);
    check_ignored(launch); /* while one is inserted */
    for (uint32_t k = 1u; k < ENTRIES; k++) {
        step((struct laperm_set_in){ .draw = false });
        step(launch);
    }
    step((struct laperm_set_in){ .draw = false });
    assert_int_equal(set.q.chip, ENTRIES);
    check_ignored(launch); /* without a place */
    for (uint32_t k = 0u; k < 3u; k++) {
        step((struct laperm_set_in){ .spill_valid = true, .spill_level = 1u });
    }
    check_ignored((struct laperm_set_in){ .spill_valid = true, .spill_level = 1u }); /* stuck */
    check_ignored((struct laperm_set_in){ .ask = true }); /* without a place */
    step((struct laperm_set_in){ .draw = true });
    step((struct laperm_set_in){ .ask = true });
    assert_true(set.q.asked);
    check_ignored((struct laperm_set_in){ .ask = true });
    back.insert_level = 0u;
    check_ignored(back); /* of a level that memory has none of */
    back.insert_level = 1u;
    step(back);
    assert_int_equal(set.q.spill[1], 2u);
    assert_int_equal(set.q.chip, ENTRIES);
}

/* The last place is for an entry that is wanted, which is older. */
static void the_last_place_is_for_an_entry_in_memory(void **state)
{
    (void)state;
    struct laperm_set_out out;
    struct laperm_set_next next;
    const struct laperm_set_in nothing = { .draw = false };

    assert_int_equal(laperm_set_init(&set, &config), laperm_set_ok);
    step((struct laperm_set_in){ .spill_valid = true, .spill_level = 1u });
    for (uint32_t k = 1u; k < ENTRIES; k++) {
        step(launch);
        step(nothing);
    }
    laperm_set_eval(&set, &nothing, &out, &next);
    assert_int_equal(set.q.chip, ENTRIES - 1);
    assert_true(out.want);
    assert_int_equal(out.want_level, 1u);
    assert_int_equal(bits_count(out.spills, 2u), 2u);
}

static void without_inputs_nothing_changes_after_a_reset(void **state)
{
    (void)state;
    assert_int_equal(laperm_set_init(&set, &config), laperm_set_ok);
    const struct laperm_set_state reset = set.q;
    assert_false(laperm_set_waits(&set));
    step((struct laperm_set_in){ .draw = false });
    assert_memory_equal(&reset, &set.q, sizeof reset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sequence_of_launches_and_draws_keeps_the_order_of_levels),
        cmocka_unit_test(what_the_contract_does_not_allow_changes_nothing),
        cmocka_unit_test(the_last_place_is_for_an_entry_in_memory),
        cmocka_unit_test(without_inputs_nothing_changes_after_a_reset),
    };
    return cmocka_run_group_tests_name("laperm_set", tests, NULL, NULL);
}
