/* experiment_report - what an experiment's runs came to: CSV, a table, a list. The order is
 * that of the grid, whatever the order in which runs ended. */

#ifndef EXPERIMENT_REPORT_H
#define EXPERIMENT_REPORT_H

#include <stdio.h>

#include "base/fault.h"
#include "gpusched/experiment/store/experiment_store.h"

/* What the database has of all runs; a database that is NULL has nothing. */
struct report {
    struct experiment_grid *grid;
    const struct experiment_figures *figures;
    struct report_row {
        enum experiment_status status;
        char *error;    /* NULL if none */
        json_t *values; /* of the figures */
    } * rows;
};

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
