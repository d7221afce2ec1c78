/* summary - a run's statistics for a person to read, at most 96 columns wide. */

#ifndef SUMMARY_H
#define SUMMARY_H

#include <stdio.h>

#include "gpusched/result/result_json.h"

/* gpu: the configuration's name. Bars are drawn if the terminal's characters allow. */
void summary_print(const struct result *result, const char *gpu, FILE *to);

#endif
