/* progress - a line on a terminal that says how far a long run is; nothing elsewhere. */

#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool on;
    bool shown;
    double started; /* seconds of the host */
    double last;
    uint64_t ctas; /* of all kernels */
    uint64_t done;
};

/* Seconds since some time in the past. */
double host_seconds(void);

/* wanted: if stderr is a terminal. */
void progress_open(struct progress *progress, bool wanted, uint64_t ctas);
/* Cheap, unless it is time to show something. */
void progress_show(struct progress *progress, uint64_t cycle);
void progress_close(struct progress *progress);

#endif
