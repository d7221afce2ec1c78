/* experiment_report - what an experiment's runs came to: CSV, a table, a list. The order is
 * that of the grid, whatever the order in which runs ended. */

#ifndef EXPERIMENT_REPORT_H
#define EXPERIMENT_REPORT_H

#include <stdio.h>

#include "base/fault.h"
#include "gpusched/experiment/store/experiment_store.h"

/* A figure of a run. A grid has many runs: it is small. */
struct run_value {
    enum { VALUE_IS_NONE, VALUE_IS_WHOLE, VALUE_IS_REAL, VALUE_IS_TEXT } kind;
    union {
        json_int_t whole;
        double real;
        char *text;
    };
};

/* What the database has of all runs; a database that is NULL has nothing. */
struct report {
    struct experiment_grid *grid;
    const struct experiment_figures *figures;
    uint32_t n_value; /* of a run, which it was opened with */
    struct report_row {
        enum experiment_status status;
        char *error;              /* NULL if none */
        struct run_value *values; /* of the figures; NULL if it is not done */
    } * rows;
};

/* A run's value of a figure. */
struct run_value run_value(const struct report *report, uint32_t run, uint32_t figure);
/* As a number; NAN if it is none. */
double run_number(const struct report *report, uint32_t run, uint32_t figure);
/* Runs of a status. */
uint32_t report_count(const struct report *report, enum experiment_status status);

/* Returns false with a fault. */
bool report_open(struct report *report, struct store *store, struct experiment_grid *grid,
                 const struct experiment_figures *figures, struct fault *fault);
void report_free(struct report *report);

/* A line for each run, or with seeds for each ensemble. */
void report_csv(const struct report *report, FILE *to);
/* A text as a cell: quoted where it must be, and no formula for a spreadsheet. */
void report_csv_text(const char *text, FILE *to);
/* For people, without values. */
void report_list(const struct report *report, FILE *to);
/* The runs that failed or were aborted, at most `most` of them. */
void report_failures(const struct report *report, uint32_t most, FILE *to);
/* A figure of all runs: workloads down, variants across. See experiment_table.c. */
void report_table(const struct report *report, uint32_t figure, FILE *to);

#endif
