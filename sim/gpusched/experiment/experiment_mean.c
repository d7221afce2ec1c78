/* experiment_mean - geometric means; see experiment_mean.h. */

#include "gpusched/experiment/experiment_mean.h"

#include <math.h>
#include <stdbool.h>

static bool row_counts(const double *row, uint32_t columns)
{
    uint32_t column = 0u;

    while (column < columns && row[column] > 0.0) {
        column++;
    }
    return column == columns;
}

uint32_t geometric_means(const double *values, uint32_t rows, uint32_t columns, double *means)
{
    uint32_t counted = 0u;

    for (uint32_t row = 0u; row < rows; row++) {
        counted += row_counts(values + (uint64_t)row * columns, columns);
    }
    for (uint32_t column = 0u; column < columns; column++) {
        double sum = 0.0;
        for (uint32_t row = 0u; row < rows; row++) {
            const double *const first = values + (uint64_t)row * columns;
            sum += row_counts(first, columns) ? log(first[column]) : 0.0;
        }
        means[column] = counted > 0u ? exp(sum / counted) : (double)NAN;
    }
    return counted;
}
