/* report_seeds - the runs of an ensemble become one: the medians of its seeds. */

#ifndef REPORT_SEEDS_H
#define REPORT_SEEDS_H

#include "gpusched/report/data/report_data.h"

/* Of data whose runs are read, and whose lengths are not known yet. The first run of each
 * ensemble stays, with the medians, and what was compared in all of them; if one is not done,
 * that is the ensemble's status. Kernels and the limit are those of the first run. Returns
 * false if the runs are no whole ensembles, and without memory. */
bool report_seeds_join(struct report_data *data, uint32_t seeds);

#endif
