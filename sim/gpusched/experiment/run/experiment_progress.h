/* experiment_progress - how far an experiment is: a line on a terminal, elsewhere a new line
 * now and then. */

#ifndef EXPERIMENT_PROGRESS_H
#define EXPERIMENT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct runs_progress {
    uint32_t all; /* runs */
    uint32_t done;
    uint32_t failed;
    uint32_t aborted;
    uint32_t now; /* of them, ended in this process */
    bool quiet;
    bool terminal;
    bool shown;
    double started;
    double last;
};

/* After `all` and what is done already have been counted. */
void progress_begin(struct runs_progress *progress, bool quiet);
/* Cheap, unless it is time to show something. */
void progress_line(struct runs_progress *progress, uint32_t running);
void progress_end(struct runs_progress *progress);

#endif
