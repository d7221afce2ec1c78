/* host_json - host.json: what a run cost here and how it was made, which result.json must not
 * say. */

#ifndef HOST_JSON_H
#define HOST_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "gpu/gpu.h"

struct host {
    int argc; /* the command line */
    char **argv;
    const char *gpu;     /* as --gpu names it; NULL: not given */
    unsigned mode;       /* enum gpu_mode */
    double wall_seconds; /* of gpu_run */
    double cpu_seconds;
};

/* CPU seconds of this process so far. */
double host_cpu_seconds(void);

bool host_json_write(const struct host *host, const struct gpu_stats *stats, FILE *to);

#endif
