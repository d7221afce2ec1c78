/*
 * cta_scheduler_cycle - what the tests of the CTA scheduler and of the work distributor share:
 * grids, a scheduler and its cycles, the choices of a pool and of an SM, comparison of units,
 * and random stimulus.
 */

#ifndef CTA_SCHEDULER_CYCLE_H
#define CTA_SCHEDULER_CYCLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/random_bits.h"
#include "tb/base/unit_check.h"
#include "units/cta_scheduler.h"

/* ---- Grids, and SMs in clusters ------------------------------------------------------ */

/* What is launched; block as in launch_block. */
struct grid {
    uint32_t ctas;
    struct bits sms;
    uint32_t policy;
    uint32_t block;
    bool steal;
};

uint32_t cluster_size(const struct cta_scheduler_config *config);
uint32_t cluster_of(const struct cta_scheduler_config *config, uint32_t sm);

/* The SMs of a cluster that are in the set. */
struct bits sms_of_cluster(const struct cta_scheduler_config *config, struct bits set,
                           uint32_t cluster);
struct bits set_of(uint32_t numbers);

/* ---- Cycles -------------------------------------------------------------------------- */

/* The config in the order of the table: n_sm, n_cluster, n_kernel, cta_w. */
void make(struct cta_scheduler *unit, struct cta_scheduler_config config);

/* One whole cycle: evaluate, then clock. Returns the outputs. */
struct cta_scheduler_out cycle(struct cta_scheduler *unit, struct cta_scheduler_in in);

/* Any of these SMs may get CTAs of the slot. */
struct cta_scheduler_in ask_of(uint32_t slot, struct bits sms);

/* Three cycles: these inputs, and two in which nobody asks. Returns the outputs of the third,
 * which has what the inputs led to. */
struct cta_scheduler_out ask_once(struct cta_scheduler *unit, struct cta_scheduler_in in);

/* The outputs of a cycle that looks at a slot; no clock edge. */
struct cta_scheduler_out glance(const struct cta_scheduler *unit, uint32_t slot);

/* What it would do if these SMs asked; the unit stays as it is. */
struct cta_scheduler_out look(const struct cta_scheduler *unit, uint32_t slot, struct bits sms);
struct cta_scheduler_in launch_of(uint32_t slot, struct grid grid);

/* The slot goes on over these SMs. */
struct cta_scheduler_in keep_of(uint32_t slot, struct bits sms);

/* Cycles from the one that takes a launch to the first in which its slot is ready. */
uint32_t latency(const struct cta_scheduler *unit, bool keep);
void run_launch(struct cta_scheduler *unit, struct cta_scheduler_in in);
void start_launch(struct cta_scheduler *unit, uint32_t slot, struct grid grid);

/* Element of next, left and homeless. */
uint32_t pool_at(const struct cta_scheduler *unit, uint32_t slot, uint32_t pool);

/* ---- The choice of a pool ------------------------------------------------------------ */

/* The pool that a cluster draws on, or n_cluster. */
uint32_t drawn_pool(uint32_t n_cluster, uint32_t cluster, const uint64_t *left,
                    const uint64_t *homeless, bool steal);

/* ---- The choice of an SM, as the smallest of some numbers ---------------------------- */

/* Where a slot's searches start. */
struct pointers {
    uint32_t turn;
    uint32_t cluster_turn;
    uint32_t rank[cta_scheduler_max_n_cluster];
};

struct pointers pointers_of(const struct cta_scheduler *unit, uint32_t slot);
void set_pointers(struct cta_scheduler *unit, uint32_t slot, const struct pointers *pointers);

/* SMs of a cluster, 1 if it has none. */
uint32_t seats_of(const struct cta_scheduler_config *config, uint32_t cluster);

/* How far place is behind start, in a circle of n places. */
uint32_t behind(uint32_t place, uint32_t start, uint32_t n);

/* Place of an SM in the order of policies 0 and 1: how many SMs are before it. */
uint32_t place_of(const struct cta_scheduler_config *config, uint32_t policy, uint32_t sm);

/* The chosen candidate, or n_sm. */
uint32_t chosen(const struct cta_scheduler_config *config, const struct pointers *pointers,
                uint32_t policy, struct bits candidates);

/* The pointers after a dispatch to an SM. */
void move_pointers(const struct cta_scheduler_config *config, struct pointers *pointers,
                   uint32_t policy, uint32_t sm);

/* ---- Small sizes --------------------------------------------------------------------- */

/* All sizes with so many SMs; most leave clusters with fewer SMs than others, or none. */
static const struct cta_scheduler_config small_sizes[] = {
    { 1, 1, 1, 4 }, { 1, 3, 1, 4 }, { 2, 1, 1, 4 }, { 2, 2, 1, 4 }, { 3, 1, 1, 4 },
    { 3, 2, 1, 4 }, { 3, 7, 1, 4 }, { 4, 2, 1, 4 }, { 4, 3, 1, 4 }, { 5, 2, 1, 4 },
    { 5, 3, 1, 4 }, { 5, 4, 1, 4 }, { 6, 4, 1, 4 },
};

enum { SMALL_SIZES = sizeof small_sizes / sizeof small_sizes[0] };

/* Launches every grid of a policy with up to so many CTAs over every set, and checks it. */
void for_every_set(struct cta_scheduler *unit,
                   void (*check)(struct cta_scheduler *unit, struct grid grid), uint32_t policy,
                   uint32_t most);

/* ---- Comparison, of any unit --------------------------------------------------------- */

void check_out(const struct cta_scheduler *unit, const struct cta_scheduler_out *expected,
               const struct cta_scheduler_out *got);

/* Every register and every word of memory. */
void check_same(const struct cta_scheduler *expected, const struct cta_scheduler *got);

/* ---- Random stimulus ----------------------------------------------------------------- */

/* Any set, from the empty to the full one. */
struct bits some_sms(uint64_t *random, uint32_t n_sm);
struct grid some_legal_grid(uint64_t *random, const struct cta_scheduler_config *config);

/* Inputs of every kind. Most ask for a kernel that is ready, if there is one. */
struct cta_scheduler_in some_inputs(uint64_t *random, const struct cta_scheduler *unit);

#endif
