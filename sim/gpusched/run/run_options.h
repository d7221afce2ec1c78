/* run_options - the command line of `gpusched run`. */

#ifndef RUN_OPTIONS_H
#define RUN_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "gpusched/run/machine_options.h"
#include "gpusched/run/rtl_peer.h"
#include "gpusched/workload/workload.h"

struct run_options {
    struct machine_options machine;
    struct workload_choice workload;
    bool functional; /* without timing */
    bool alone;      /* each of several workloads also runs alone */
    bool record;     /* gpusched record: a unit's vectors */
    struct rtl_options rtl;
    const char *folder; /* NULL: no files */
    uint64_t interval;  /* cycles between samples */
    bool timeline;
    bool series;
    bool series_sm;
    bool quiet;
    unsigned mode; /* enum gpu_mode */
};

/* Of the two commands, for their help. */
extern const struct argp run_argp, record_argp;

/* Exits with status 2 and one message if there is something wrong. record: the command line is
 * that of `gpusched record`. */
void run_options_parse(struct run_options *options, bool record, int argc, char **argv);

#endif
