/* experiment_mean - geometric means of a table's columns, all of the same rows. */

#ifndef EXPERIMENT_MEAN_H
#define EXPERIMENT_MEAN_H

#include <stdint.h>

/* values: row by row, NAN where there is none. Counted are rows in which all columns have a
 * value above 0; returns how many. means: one a column, NAN if no row counts. */
uint32_t geometric_means(const double *values, uint32_t rows, uint32_t columns, double *means);

#endif
