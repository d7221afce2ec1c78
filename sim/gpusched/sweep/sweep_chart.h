/* sweep_chart - a sweep as a picture: the curve, and below it where the schedulers' cycles went
 * (thesis, Fig 4.3); over cores latency, power and energy as well (Figs 4.8 to 4.10). */

#ifndef SWEEP_CHART_H
#define SWEEP_CHART_H

#include <stdio.h>

#include "gpusched/sweep/sweep_kernels.h"

/* An SVG file. Returns nothing: the caller checks what has been written. */
void sweep_chart(const struct sweep *sweep, const struct sweep_curve *curve,
                 const struct sweep_kernels *kernels, FILE *to);

#endif
