/*
 * laperm_bench - a GPU around LaPerm's scheduler that runs in rounds: SMs of some places, and a
 * memory that keeps what is spilled. Each entry has a letter and a first number, and so each of
 * its thread blocks a name: C2.
 */

#ifndef LAPERM_BENCH_H
#define LAPERM_BENCH_H

#include "tb/base/unit_check.h"
#include "units/laperm.h"

enum {
    LAPERM_BENCH_SMS = 16,
    LAPERM_BENCH_CHILDREN = 4,
    LAPERM_BENCH_MEMORY = 512,
    LAPERM_BENCH_TEXT = 512
};

/* What a thread block launches. */
struct laperm_child {
    char parent;
    uint32_t number; /* the thread block that launches is this one of the parent letter */
    char letter;
    uint32_t first, tbs;
};

struct laperm_spilled {
    uint32_t sm, level, tbs, stamp;
    uint64_t payload;
    bool taken;
};

struct laperm_bench {
    struct laperm unit;
    struct laperm_in in; /* of the next cycle; what the bench sets is written over */
    struct laperm_out out;
    uint32_t mode, places; /* of an SM */
    bool frozen;           /* no SM is visited */
    struct bits broke;     /* SMs without credit */
    uint32_t used[LAPERM_BENCH_SMS];
    struct laperm_child child[LAPERM_BENCH_CHILDREN];
    uint32_t n_child;
    struct laperm_in pending[LAPERM_BENCH_SMS]; /* launches of the round */
    uint32_t n_pending;
    struct laperm_spilled memory[LAPERM_BENCH_MEMORY];
    uint32_t n_spilled;
    struct laperm_out last[LAPERM_BENCH_SMS]; /* the dispatch to each SM in this round */
    bool got[LAPERM_BENCH_SMS];
    uint32_t dispatched;
};

void laperm_bench_open(struct laperm_bench *bench, const struct laperm_config *config,
                       uint32_t mode, uint32_t places);

/* One cycle with the inputs that have been set; memory answers, and dispatches are taken. */
void laperm_bench_cycle(struct laperm_bench *bench);

/* Launches an entry, and waits until it is in its place. */
struct laperm_in laperm_bench_entry(char letter, uint32_t first, uint32_t tbs);
void laperm_bench_launch(struct laperm_bench *bench, struct laperm_in launch);
void laperm_bench_host(struct laperm_bench *bench, char letter, uint32_t tbs);
void laperm_bench_child(struct laperm_bench *bench, uint32_t sm, uint32_t parent_level,
                        char letter, uint32_t tbs);

/* All thread blocks end, what they have launched comes, and one pass over all SMs is made: each
 * gets at most one. Appends "P0 P1 - P2" and " | ". */
void laperm_bench_round(struct laperm_bench *bench, char *text);

#endif
