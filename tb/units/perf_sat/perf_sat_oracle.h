/*
 * perf_sat_oracle - Perf-Sat by docs/units/perf_sat.md alone, as a definition over the samples
 * since the restart: they are all kept, and the walk over them is gone through from its
 * beginning whenever a new one is there. Its states, N0, the stored count and the number of
 * toggles are those of the page.
 */

#ifndef PERF_SAT_ORACLE_H
#define PERF_SAT_ORACLE_H

#include "tb/base/unit_check.h"
#include "units/perf_sat.h"

enum { PERF_SAT_SAMPLES = 3 * 32 + 8 };

struct perf_sat_sample {
    uint32_t stalled;
    bool votes_two;
};

/* Where a walk over samples comes to. */
struct perf_sat_walk {
    uint32_t n;
    enum perf_sat_state_name state;
    bool done;
};

struct perf_sat_oracle {
    struct perf_sat_config config;
    uint32_t n_max, n_more;
    bool fixed;        /* nothing is detected */
    bool started;      /* the first CTA has come */
    bool ended;        /* and left */
    uint64_t one_tb;   /* cycles, as far as they are known */
    uint64_t cycles;   /* of the running period */
    uint64_t stalled;  /* and stalled ones */
    uint32_t settling; /* CTAs that have to end first */
    bool judged;
    struct perf_sat_walk walk; /* so far */
    uint32_t n_samples;
    struct perf_sat_sample sample[PERF_SAT_SAMPLES];
};

/* A GPU without a kernel. */
void perf_sat_oracle_reset(struct perf_sat_oracle *oracle);

/* The walk over n samples of a kernel that detects. */
struct perf_sat_walk perf_sat_oracle_walk(uint32_t n_max, const struct perf_sat_sample *sample,
                                          uint32_t n);

/* A cycle of the oracle and of the unit, whose outputs are compared; they are returned. */
struct perf_sat_out perf_sat_oracle_beside(struct perf_sat_oracle *oracle,
                                           struct perf_sat *unit, const struct perf_sat_in *in);

#endif
