/* compare_databases - the runs that two databases of experiments share, as pairs. */

#ifndef COMPARE_DATABASES_H
#define COMPARE_DATABASES_H

#include "base/fault.h"
#include "gpusched/compare/comparison.h"

struct compared_databases {
    uint32_t only[2]; /* runs of A alone, and of B */
    uint32_t unknown; /* runs of both that are not done in both */
    uint32_t broken;  /* results that are not as they were written, and not used */
};

/* Adds a pair for each run that is done in both: the same GPU, workload, size, variant and
 * values of axes. Returns false with a fault of one line. */
bool compare_databases(struct comparison *comparison, const char *const paths[2],
                       struct compared_databases *found, struct fault *fault);

#endif
