/*
 * report_block - a part of an experiment that is shown together: one GPU and, but for one, one
 * value of each axis. Rows are workloads, and with a sweep, workloads x the values of a numeric
 * axis. Columns are variants, or, if there is only one, the values of the last other axis.
 */

#ifndef REPORT_BLOCK_H
#define REPORT_BLOCK_H

#include "gpusched/report/data/report_data.h"

enum { BLOCK_LABEL = 640, NO_DIMENSION = 0 };

struct block_text {
    char text[BLOCK_LABEL];
};

struct report_block {
    const struct report_data *data;
    uint32_t at[EXPERIMENT_DIMENSIONS]; /* where it stands in all other dimensions */
    uint32_t across;                    /* dimension of the columns */
    uint32_t sweep;                     /* dimension of a numeric axis, or NO_DIMENSION */
    uint32_t workloads, steps;          /* rows = workloads * steps; 1 step without sweep */
    uint32_t rows, columns;
    int32_t baseline; /* a column; -1: none */
};

/* The first block, and the next one: false after the last. */
struct report_block report_block_first(const struct report_data *data);
bool report_block_next(struct report_block *block);

const struct report_run *report_block_run(const struct report_block *block, uint32_t row,
                                          uint32_t column);
/* "hotspot small" or, with a sweep, "hotspot small, ctas 2" */
void report_block_row(const struct report_block *block, uint32_t row, char label[BLOCK_LABEL]);
/* Without the sweep's value: of all rows of this workload. */
void report_block_workload(const struct report_block *block, uint32_t workload,
                           char label[BLOCK_LABEL]);
/* A variant, or "ctas 2". */
struct block_text report_block_column(const struct report_block *block, uint32_t column);
/* "ctas 2, warps 8": of axes that are neither rows nor columns. "" if there are none. */
void report_block_place(const struct report_block *block, char label[BLOCK_LABEL]);

/* A sweep's value of a row. */
double report_block_step(const struct report_block *block, uint32_t step);

/* A value; relative to the baseline's, and for cycles the baseline's to it: speedup, which is
 * that of the time where core clocks differ. NAN if there is none. */
double report_block_value(const struct report_block *block, enum report_value value,
                          uint32_t row, uint32_t column);
double report_block_ratio(const struct report_block *block, enum report_value value,
                          uint32_t row, uint32_t column);
/* All of these, row by row; to be freed. NULL without memory. */
double *report_block_ratios(const struct report_block *block, enum report_value value);
/* The core clock of the row's baseline / the own, by which cycles are of one clock; 1 without a
 * baseline, and where a clock is not known. */
double report_block_clock_scale(const struct report_block *block, uint32_t row,
                                uint32_t column);
/* Do core clocks differ: with a baseline in a row, otherwise anywhere? Then cycles are not
 * time. */
bool report_block_clocks_differ(const struct report_block *block);
/* Is there such a value in any run? */
bool report_block_has(const struct report_block *block, enum report_value value);

/* What a note says of values that have no median: " Of the first seed."; "" without seeds. */
const char *report_block_of_seed(const struct report_block *block);

/* Of long sweeps charts of bars show some rows only. */
bool report_block_shown(const struct report_block *block, uint32_t row);
uint32_t report_block_shown_steps(const struct report_block *block);

#endif
