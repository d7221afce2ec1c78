/* laperm_oracle_set - a set as a list; see laperm_oracle.h. */

#include "tb/units/laperm/laperm_oracle.h"

/* Entries that are not in the head's registers. */
static uint32_t behind_head(const struct laperm_oracle_set *set)
{
    return set->n - (set->here || set->fetched);
}

static bool misses_head(const struct laperm_oracle_set *set)
{
    return !set->here && !set->fetched && set->n != 0u;
}

static bool is_pushed(const struct laperm_oracle_set *set)
{
    return set->insertion == LAPERM_COMES
           && (!set->here || set->newcomer.level > set->list[0].level);
}

/* The highest level in memory; n_level if it has none. */
uint32_t laperm_oracle_highest(const struct laperm_oracle_set *set, uint32_t n_level)
{
    for (uint32_t level = n_level; level-- > 0u;) {
        if (set->memory[level] != 0u) {
            return level;
        }
    }
    return n_level;
}

bool laperm_oracle_waits(const struct laperm_oracle_set *set, uint32_t n_level)
{
    const bool on_the_way = set->insertion == LAPERM_COMES || set->insertion == LAPERM_MOVES;

    return set->n != 0u || laperm_oracle_highest(set, n_level) < n_level
           || (set->returns && on_the_way);
}

bool laperm_oracle_has(const struct laperm_oracle_set *set, uint32_t n_level)
{
    return set->held != 0u || laperm_oracle_highest(set, n_level) < n_level;
}

bool laperm_oracle_offers(const struct laperm_oracle_set *set)
{
    return set->here && !is_pushed(set);
}

bool laperm_oracle_steady(const struct laperm_oracle_set *set)
{
    return !set->changed && !set->fetched && !misses_head(set) && !is_pushed(set);
}

/* ---- The list -------------------------------------------------------------------------- */

static void put_at(struct laperm_oracle_set *set, uint32_t at, struct laperm_oracle_entry entry)
{
    memmove(&set->list[at + 1u], &set->list[at], (set->n - at) * sizeof set->list[0]);
    set->list[at] = entry;
    set->n++;
}

static void remove_head(struct laperm_oracle_set *set)
{
    set->n--;
    memmove(&set->list[0], &set->list[1], set->n * sizeof set->list[0]);
}

/* Behind all entries of its level and higher ones. */
static uint32_t place_of(const struct laperm_oracle_set *set)
{
    uint32_t at = 0u;

    while (at < set->n && set->list[at].level >= set->newcomer.level) {
        at++;
    }
    return at;
}

/* ---- An edge --------------------------------------------------------------------------- */

static void comes(struct laperm_oracle_set *set, struct laperm_oracle_set *then)
{
    const uint32_t at = place_of(set);

    if (set->fetched || misses_head(set)) {
        return;
    }
    then->insertion = LAPERM_NOTHING;
    if (set->n == 0u || is_pushed(set)) {
        put_at(then, 0u, set->newcomer);
        then->here = then->changed = true;
    } else if (at == set->n || at == 1u) {
        /* A head that goes in this cycle was the first of the list. */
        put_at(then, at - (set->n - then->n), set->newcomer);
    } else {
        then->insertion = LAPERM_MOVES;
        then->to_move = set->n - at;
        then->on_the_way = false;
    }
}

static void moves(const struct laperm_oracle_set *set, struct laperm_oracle_set *then)
{
    then->on_the_way = set->to_move != 0u;
    if (set->to_move != 0u) {
        then->to_move = set->to_move - 1u;
    } else if (!set->on_the_way) {
        then->insertion = LAPERM_NOTHING;
        if (set->insertion == LAPERM_MOVES) {
            put_at(then, place_of(then), set->newcomer);
        }
    }
}

/* The set has entries but no head. */
static void fetches(const struct laperm_oracle_set *set, struct laperm_oracle_set *then)
{
    if (set->insertion == LAPERM_MOVES && place_of(set) == 0u) {
        put_at(then, 0u, set->newcomer);
        then->here = then->changed = true;
        then->insertion = LAPERM_CLOSES;
        return;
    }
    then->fetched = true;
    if (set->insertion == LAPERM_CLOSES) {
        then->to_move = set->to_move - 1u;
    }
}

static void takes(const struct laperm_oracle_set *set, const struct laperm_oracle_act *act,
                  struct laperm_oracle_set *then)
{
    then->insertion = LAPERM_COMES;
    then->newcomer = act->entry;
    then->returns = act->returns;
    if (act->returns) {
        then->promised = false;
        then->memory[act->entry.level]--;
    } else {
        then->held++;
    }
    assert_int_equal(set->insertion, LAPERM_NOTHING);
}

void laperm_oracle_edge(struct laperm_oracle_set *set, const struct laperm_oracle_act *act)
{
    static struct laperm_oracle_set before;

    before = *set;
    set->changed = set->fetched = set->on_the_way = false;
    if (before.fetched) {
        set->here = set->changed = true;
    }
    if (act->draws && ++set->list[0].next == set->list[0].tbs) {
        remove_head(set);
        set->here = false;
        set->changed = true;
        set->held--;
    }
    const bool closes_first = before.insertion == LAPERM_CLOSES && before.to_move == 0u;
    if (misses_head(&before) && !closes_first) {
        fetches(&before, set);
    } else if (before.insertion == LAPERM_MOVES || before.insertion == LAPERM_CLOSES) {
        moves(&before, set);
    }
    if (before.insertion == LAPERM_COMES) {
        comes(&before, set);
    }
    if (act->comes) {
        takes(&before, act, set);
    }
    if (act->asks) {
        set->promised = true;
        set->held++;
    }
    set->memory[act->spill_level] += act->spills;
    assert_true(behind_head(set) <= laperm_max_n_entry);
}
