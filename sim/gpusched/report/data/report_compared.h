/* report_compared - how much of RTL was compared with its models. */

#ifndef REPORT_COMPARED_H
#define REPORT_COMPARED_H

#include "gpusched/report/data/report_data.h"

/* Clock cycles in which RTL was compared with the models beside a run, and how often they
 * differed; 0 without RTL. */
struct report_compared {
    uint64_t cycles, differences;
};
struct report_compared report_compared_of(const struct report_run *run);
/* Of all runs. */
struct report_compared report_compared_all(const struct report_data *data);

#endif
