/*
 * experiment_store_merge - the results of one database, put into another one. A run that both
 * have with the same bytes is accepted once; the time that it took and the build that made it
 * may differ. What was aborted is no result: it gives way to one, and is taken only where
 * nothing is known of the run.
 */

#ifndef EXPERIMENT_STORE_MERGE_H
#define EXPERIMENT_STORE_MERGE_H

#include <stdio.h>

#include "gpusched/experiment/store/experiment_store.h"

enum merge_replace {
    MERGE_REPLACE_NOTHING, /* a run with other bytes is a conflict */
    MERGE_REPLACE_OLDER /* unless it had failed, or another build made it: the new one stays */
};

struct merge_counts {
    uint32_t taken;     /* results that are new here */
    uint32_t same;      /* that were here with the same bytes */
    uint32_t conflicts; /* that were here with others */
};

/* A database to merge from, opened to read. NULL with a fault: it is none of ours, or of
 * another version. */
struct store *store_merge_open(const char *path, struct fault *fault);

/* Merges are one transaction: all that was merged since it began is kept, or nothing. */
bool store_merge_begin(struct store *into);
bool store_merge_end(struct store *into, bool keep);

/* Adds to the counts. Each conflict is a line on `to`: the run and both files. Returns false if
 * a database does not answer; store_fault(into) says why. */
bool store_merge(struct store *into, struct store *from,
                 const struct experiment_figures *figures, enum merge_replace replace,
                 struct merge_counts *counts, FILE *to);

#endif
