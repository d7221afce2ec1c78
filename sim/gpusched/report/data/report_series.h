/* report_series - series.csv of a run, as numbers. */

#ifndef REPORT_SERIES_H
#define REPORT_SERIES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/fault.h"

enum { SERIES_COLUMNS = 32, SERIES_NAME = 32 };

struct report_series {
    char names[SERIES_COLUMNS][SERIES_NAME];
    uint32_t columns, rows;
    double *values; /* row by row; NAN where there is none */
};

/* Returns false with a fault that names the line. */
bool report_series_read(struct report_series *series, FILE *from, const char *path,
                        struct fault *fault);
void report_series_free(struct report_series *series);

/* A column's number, or -1. */
int report_series_column(const struct report_series *series, const char *name);
double report_series_value(const struct report_series *series, uint32_t row, int column);

#endif
