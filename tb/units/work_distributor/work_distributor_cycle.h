/*
 * work_distributor_cycle - what the tests of the work distributor share: a distributor and its
 * cycles, launches with credits, SMs that ask until nothing comes, and random stimulus.
 */

#ifndef WORK_DISTRIBUTOR_CYCLE_H
#define WORK_DISTRIBUTOR_CYCLE_H

#include "tb/units/cta_placement.h"
#include "tb/units/cta_scheduler/cta_scheduler_cycle.h"
#include "units/work_distributor.h"

/* A grid, with p_A and p_L. */
struct work {
    struct grid grid;
    uint32_t active;
    uint32_t loose;
};

/* The config in the order of the table: n_sm, n_cluster, n_kernel, cta_w, level_w. */
void make_distributor(struct work_distributor *unit, struct work_distributor_config config);

/* One whole cycle: evaluate, then clock. The credits are never asked for what they refuse. */
struct work_distributor_out run_cycle(struct work_distributor *unit,
                                      struct work_distributor_in in);

/* Three cycles: these inputs, and two in which nobody asks. Returns the outputs of the third,
 * which has what the inputs led to. */
struct work_distributor_out request_once(struct work_distributor *unit,
                                         struct work_distributor_in in);

/* Any of these SMs may get CTAs of the slot. */
struct work_distributor_in request_of(uint32_t slot, struct bits sms);
struct work_distributor_in start_of(uint32_t slot, struct work work);

/* The slot goes on over these SMs, with these levels. */
struct work_distributor_in change_of(uint32_t slot, struct bits sms, uint32_t active,
                                     uint32_t loose);

/* From the launch until the slot and its credits are ready. */
void run_start(struct work_distributor *unit, struct work_distributor_in in);
void start(struct work_distributor *unit, uint32_t slot, struct work work);

/* SMs of the set with room ask, until nothing comes or so many CTAs are placed in all. */
void serve(struct work_distributor *unit, struct placement *placement, uint32_t slot,
           struct bits sms, uint32_t block, uint32_t most);

/* C_p of an SM. */
uint64_t credit_of(const struct work_distributor *unit, uint32_t slot, uint32_t sm);

/* The scheduler's inputs of every kind, and levels: often none, or small. */
struct work_distributor_in some_work(uint64_t *random, const struct work_distributor *unit);

#endif
