/* summary_kernels - the table of kernels in a run's summary. */

#ifndef SUMMARY_KERNELS_H
#define SUMMARY_KERNELS_H

#include <stdio.h>

#include "gpusched/result/by_kernel.h"

/* What belongs to each kernel, and to none: nothing if there is no memory for it. */
void summary_kernels(const struct kernel_row *rows, uint32_t n, FILE *to);
/* What throttles have found for each kernel: nothing without any. */
void summary_throttles(const struct kernel_row *rows, uint32_t n, FILE *to);

#endif
