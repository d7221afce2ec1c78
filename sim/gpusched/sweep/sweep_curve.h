/*
 * sweep_curve - what the runs of a sweep come to: the optimum, and over CTAs the type of the
 * workload (thesis 4.3.1, 4.4). docs/sweep.md states the rules.
 */

#ifndef SWEEP_CURVE_H
#define SWEEP_CURVE_H

#include <stdbool.h>
#include <stdint.h>

#include "gpusched/result/counts.h"

enum { SWEEP_IDLE_CLASS = 5 }; /* of the scheduler classes */

enum sweep_over { SWEEP_OVER_NOTHING, SWEEP_OVER_CTAS, SWEEP_OVER_CORES };

/* A run. */
struct sweep_point {
    uint32_t count; /* CTAs that an SM may hold, or SMs */
    double cycles, ipc, seconds;
    double classes[SCHEDULER_CLASSES]; /* scheduler cycles of SMs that are not gated */
    double latency;                    /* NAN: no read missed */
    double overlapped;                 /* of it, with arithmetic in flight */
    double joules, static_joules;
};

struct sweep_curve {
    enum sweep_over over;
    uint32_t n; /* at least 1, by count, which rises by 1 */
    struct sweep_point *point;
    uint32_t most; /* Nmax, or all SMs: the last count unless --to is lower */
};

enum sweep_type {
    SWEEP_C_STRONG,
    SWEEP_C_WEAK,
    SWEEP_MEM,
    SWEEP_ONE_COUNT, /* no type from here on: there is no curve, */
    SWEEP_SOME,      /* not all counts have been run, */
    SWEEP_FEW,       /* no SM ever has more CTAs than the optimum, */
    SWEEP_IDLE,      /* time is won up to Nmax, but not from stalls, */
    SWEEP_AGAIN      /* or past the optimum a count adds 2 % after all */
};

/* The number of the point that is the optimum: over CTAs the smallest count after which the
 * next adds less than 2 % of speed, over cores the smallest within 2 % of the last. */
uint32_t sweep_optimum(const struct sweep_curve *curve);
/* The number of the first point from which on nothing changes: no SM ever has more CTAs. */
uint32_t sweep_reached(const struct sweep_curve *curve);
/* Over CTAs. */
enum sweep_type sweep_type_of(const struct sweep_curve *curve);

/* Of a point: all scheduler cycles, those stalled, and speed relative to the last point. */
double sweep_scheduler_cycles(const struct sweep_point *point);
double sweep_stalled(const struct sweep_point *point);
double sweep_speed(const struct sweep_curve *curve, uint32_t i);

#endif
