/*
 * series - a row of a CSV file for each sampling interval, of the whole GPU or of each SM.
 * docs/results-format.md says what the columns are. Rates of nothing are left empty.
 */

#ifndef SERIES_H
#define SERIES_H

#include <stdio.h>

#include "gpusched/result/interval.h"

void series_header(FILE *to);
void series_row(FILE *to, const struct interval *interval);

void series_sm_header(FILE *to);
void series_sm_rows(FILE *to, const struct interval *interval);

#endif
