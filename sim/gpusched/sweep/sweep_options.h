/* sweep_options - the command line of `gpusched sweep`. */

#ifndef SWEEP_OPTIONS_H
#define SWEEP_OPTIONS_H

#include <argp.h>

#include "gpusched/experiment/run/experiment_runs.h"
#include "gpusched/run/machine_options.h"
#include "gpusched/sweep/sweep_curve.h"
#include "gpusched/workload/workload.h"

struct sweep_options {
    struct machine_options machine;
    struct workload_choice workload;
    enum sweep_over over;
    uint32_t from, to; /* counts; 0: from 1, to the most */
    const char *folder;
    struct runs_options runs;
};

/* For the help. */
extern const struct argp sweep_argp;

/* Exits with status 2 and one message if there is something wrong. */
void sweep_options_parse(struct sweep_options *options, int argc, char **argv);

#endif
