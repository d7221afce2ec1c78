/*
 * report_many - the database of an experiment of so many runs that a page has no place for
 * each: what came of them, and their cycles by GPU, workload, variant and axis. Nothing of a
 * result is unpacked, and a run takes some tens of bytes. With a baseline a run's value is its
 * speedup over the run that differs from it by the variant alone, otherwise its cycles. Where
 * core clocks of variants differ, a speedup is that of the time: of each GPU and variant the
 * results of one pair of runs are unpacked for their clocks, which are those of all.
 */

#ifndef REPORT_MANY_H
#define REPORT_MANY_H

#include "base/fault.h"
#include "gpusched/experiment/grid/experiment_axis.h"
#include "gpusched/experiment/store/experiment_store.h"

enum {
    REPORT_MANY = 10000, /* runs; a page of more is of this kind */
    MANY_FAILURES = 20   /* that are named */
};

struct many_list {
    char *name; /* of the axis; NULL for GPU, workload and variant */
    char **values;
    uint32_t n;
    uint32_t last; /* place of the last run */
};

/* What some runs have come to. */
struct many_sum {
    uint32_t n;       /* runs with a value */
    double mean;      /* geometric; NAN if there are none */
    double low, high; /* the extremes, and whose they are */
    uint32_t low_run, high_run;
};

struct many_failure {
    uint32_t run;
    enum experiment_status status;
    char *error;
};

struct report_many {
    struct store *store;
    char name[EXPERIMENT_NAME]; /* the database's, without folder and ending */
    char *title;                /* the name if there is none */
    char *file;                 /* the experiment's, as it was given; NULL: not kept */
    char *baseline;             /* NULL if there is none */
    bool other_baseline;        /* not the experiment's */
    uint32_t base;              /* its variant */
    uint32_t n;
    uint32_t count[RUN_STATUSES];
    uint32_t dimensions;
    struct many_list list[EXPERIMENT_DIMENSIONS];
    uint32_t *at;   /* of each run its place in all dimensions */
    double *cycles; /* NAN if there are none */
    double *scales; /* of each GPU and variant: the baseline's core clock / its own */
    uint32_t failures;
    struct many_failure failure[MANY_FAILURES];
};

/* Whether a database has so many runs. Opens it and closes it; false if it cannot be read. */
bool report_is_many(const char *path);

/* baseline: in place of the experiment's; may be NULL. Returns false with a fault. */
bool report_many_open(struct report_many *many, const char *path, const char *baseline,
                      struct fault *fault);
void report_many_free(struct report_many *many);

/* Of the runs at each value of a dimension, by variant: sums[value * variants + variant]. Of
 * the baseline there are none. The array has list[dimension].n * variants elements. */
void report_many_sums(const struct report_many *many, uint32_t dimension,
                      struct many_sum *sums);

#endif
