/* report_bands - the bands of an experiment's ensembles, as its table has them: of their
 * speedups, or without a baseline of their cycles. */

#ifndef REPORT_BANDS_H
#define REPORT_BANDS_H

#include "gpusched/experiment/experiment_bands.h"
#include "gpusched/report/data/report_block.h"

/* Of the rows of a block, or with `all` of those of this block and all that follow, for whose
 * means they are. False without seeds, or without memory. To be freed either way. */
bool report_bands_open(struct bands *bands, const struct report_block *block, bool all);

#endif
