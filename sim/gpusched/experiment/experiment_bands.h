/*
 * experiment_bands - a table of ensembles: of each cell the median of its runs and their band
 * (experiment_band.h), relative to the median of the row's baseline if there is one, and below
 * the rows their geometric mean. Runs without seeds are ensembles of one.
 */

#ifndef EXPERIMENT_BANDS_H
#define EXPERIMENT_BANDS_H

#include "gpusched/experiment/experiment_band.h"

struct bands {
    uint32_t rows, columns, seeds;
    int32_t baseline;   /* a column; -1: values stand as they are */
    bool inverse;       /* a ratio is the baseline's value / the value, a speedup */
    double *values;     /* of each cell's runs, which follow each other; NAN: there is none */
    struct band *bands; /* of the cells, then of the means; NAN where a run has no value */
    double *means;
    uint32_t counted; /* rows that the means are of: those that have all values */
};

/* Takes memory for what is set: the first five. False without. To be freed either way. */
bool bands_open(struct bands *bands);
void bands_free(struct bands *bands);

/* Of the values, which are no longer what they were then. A mean is that of the cells above it;
 * its band is that of the means of each seed. */
void bands_find(struct bands *bands);

/* A cell's; the means are the row after the last. */
const struct band *bands_at(const struct bands *bands, uint32_t row, uint32_t column);
/* Whether the cell cannot be told from the row's baseline. */
bool bands_is_noise(const struct bands *bands, uint32_t row, uint32_t column);

#endif
