/* report_text - an experiment's main figures as a table for the terminal. */

#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <stdio.h>

#include "gpusched/report/data/report_data.h"

/* Cycles, and relative to the baseline speedup, traffic and energy; what the lockstep compared.
 * A table for each GPU and place in the axes. */
void report_text(FILE *to, const struct report_data *data);

#endif
