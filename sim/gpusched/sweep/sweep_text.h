/* sweep_text - what a sweep says: the answer in a sentence, and a row for each count. */

#ifndef SWEEP_TEXT_H
#define SWEEP_TEXT_H

#include <stdio.h>

#include "gpusched/sweep/sweep.h"

/* "hotspot small on m2090: the optimum is 3 CTAs per SM ..." */
void sweep_print_answer(const struct sweep *sweep, const struct sweep_curve *curve, FILE *to);
/* "C-strong"; "none" if the curve has no type. */
const char *sweep_type_name(enum sweep_type type);
void sweep_print_table(const struct sweep_curve *curve, FILE *to);

#endif
