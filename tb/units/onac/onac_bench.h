/*
 * onac_bench - the detector with its core status table, in front of cores that issue by a curve
 * of IPCs, drain at random and complete CTAs. What the detector promises in every cycle is
 * checked.
 */

#ifndef ONAC_BENCH_H
#define ONAC_BENCH_H

#include "tb/units/onac/onac_oracle.h"
#include "units/core_status.h"

enum {
    ONAC_UNIT = 64,   /* of an IPC of a curve: so many are one instruction per cycle */
    ONAC_CYCLES = 128 /* cycles of each window, a multiple of that */
};

struct onac_bench {
    struct onac unit;
    struct core_status table;
    struct onac_out out; /* of the last cycle */
    struct onac_curve curve;
    struct onac_walk walk;               /* what has been sampled */
    uint32_t in_flight[onac_max_n_core]; /* cycles until a core that stands still is empty */
    struct bits stopped;                 /* cores that do not issue */
    uint64_t random, in_window, issued_part; /* part: of an instruction */
    uint32_t latency;                        /* cycles since the last window closed */
    uint32_t longest;                        /* the most of them until write */
    bool stuck, exhausted;                   /* no CTA completes; no CTA is left */
};

void onac_bench_open(struct onac_bench *b, uint32_t n_core, uint64_t seed);
/* A kernel begins. */
void onac_bench_restart(struct onac_bench *b, struct onac_in in);
/* A cycle. */
void onac_bench_cycle(struct onac_bench *b);
/* Runs until the detection has ended. */
void onac_bench_run(struct onac_bench *b);

#endif
