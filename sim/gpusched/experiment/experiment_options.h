/* experiment_options - the command line of `gpusched experiment`. */

#ifndef EXPERIMENT_OPTIONS_H
#define EXPERIMENT_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

#include "gpusched/experiment/grid/experiment_share.h"
#include "gpusched/experiment/run/experiment_runs.h"

struct experiment_options {
    const char *file;
    const char *folder;
    const char *csv;   /* "" is stdout; NULL: none */
    const char *table; /* of this figure; NULL: the experiment's first */
    const char *rtl_file;
    const char *check; /* a database; NULL: none */
    const char *build; /* digest of the program that must run; NULL: any */
    bool dry_run, no_run, want_table;
    bool merge;
    char **databases; /* to merge */
    uint32_t n_database;
    bool slurm, cancel;
    const char *partition; /* of Slurm; NULL: its default */
    uint32_t nodes;        /* that may work at a time; 0: all */
    struct experiment_share share;
    struct runs_options runs; /* jobs 0: not given */
};

/* For the help. */
extern const struct argp experiment_argp;

/* Exits with status 2 and one message if there is something wrong. */
void experiment_options_parse(struct experiment_options *options, int argc, char **argv);

#endif
