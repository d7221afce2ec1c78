/*
 * laperm_oracle - LaPerm's scheduler by docs/units/laperm.md and docs/units/laperm_set.md
 * alone: a set is a list of entries in the order in which they go, without array, places and
 * pointers. Which head goes first is found by looking at all of them.
 */

#ifndef LAPERM_ORACLE_H
#define LAPERM_ORACLE_H

#include "tb/base/unit_check.h"
#include "units/laperm.h"

struct laperm_oracle_entry {
    uint64_t payload, tbs;
    uint32_t level, kernel, next, stamp;
};

/* The queues of an SM, or queue 0. */
struct laperm_oracle_set {
    uint32_t n; /* entries that have their place; the first is the head if it is here */
    struct laperm_oracle_entry list[laperm_max_n_entry + 1];
    bool here;
    bool fetched; /* the head will be here in the next cycle */
    bool changed; /* the head came or went at the last edge */
    enum { LAPERM_NOTHING, LAPERM_COMES, LAPERM_MOVES, LAPERM_CLOSES } insertion;
    struct laperm_oracle_entry newcomer;
    bool returns;                        /* from memory */
    uint32_t to_move;                    /* entries that have not moved yet */
    bool on_the_way;                     /* one is read */
    uint32_t held;                       /* places on chip that are taken or kept */
    uint64_t memory[laperm_max_n_level]; /* entries there, by level */
    bool promised;
};

struct laperm_oracle {
    struct laperm_config config;
    struct unit *rows;                                 /* of the port table, for comparison */
    struct laperm_oracle_set set[laperm_max_n_sm + 1]; /* the last of n_sm + 1 is queue 0 */
    uint32_t mode, visit, last_picked, last_asked, stamp;
    bool picked, asked_once, error;
    uint32_t backup[laperm_max_n_sm]; /* n_sm: none */
    struct laperm_out shown;          /* dispatch, spill and ask, as they show */
    bool back;
    uint32_t back_sm;
    struct laperm_oracle_entry back_entry;
};

void laperm_oracle_open(struct laperm_oracle *oracle, const struct laperm_config *config);
void laperm_oracle_close(struct laperm_oracle *oracle);
void laperm_oracle_reset(struct laperm_oracle *oracle);

/* A cycle of the oracle and of the unit, whose outputs are compared. */
struct laperm_out laperm_oracle_beside(struct laperm_oracle *oracle, struct laperm *unit,
                                       const struct laperm_in *in);

/* ---- Of a set -------------------------------------------------------------------------- */

bool laperm_oracle_waits(const struct laperm_oracle_set *set, uint32_t n_level);
bool laperm_oracle_offers(const struct laperm_oracle_set *set);
bool laperm_oracle_steady(const struct laperm_oracle_set *set);
/* Entries are on chip, on the way there or in memory. */
bool laperm_oracle_has(const struct laperm_oracle_set *set, uint32_t n_level);
uint32_t laperm_oracle_highest(const struct laperm_oracle_set *set, uint32_t n_level);

/* What is done to it in a cycle, and the edge. */
struct laperm_oracle_act {
    bool draws, asks, comes, returns, spills;
    uint32_t spill_level;
    struct laperm_oracle_entry entry;
};
void laperm_oracle_edge(struct laperm_oracle_set *set, const struct laperm_oracle_act *act);

#endif
