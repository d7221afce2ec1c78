/* sweep_figures - what a sweep's database keeps of each run by name. */

#ifndef SWEEP_FIGURES_H
#define SWEEP_FIGURES_H

#include "gpusched/result/counts.h"

enum sweep_figure {
    FIGURE_CYCLES,
    FIGURE_IPC,
    FIGURE_SECONDS,
    FIGURE_LATENCY,
    FIGURE_MISS,       /* cycles of all misses, */
    FIGURE_OVERLAPPED, /* and those with arithmetic in flight */
    FIGURE_GATED,
    FIGURE_CLASS,
    FIGURE_ENERGY = FIGURE_CLASS + SCHEDULER_CLASSES,
    FIGURE_STATIC, /* three parts */
    SWEEP_FIGURES = FIGURE_STATIC + 3
};

extern const char *const sweep_figures[SWEEP_FIGURES];

#endif
