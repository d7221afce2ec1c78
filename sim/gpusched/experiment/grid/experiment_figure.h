/*
 * experiment_figure - values that an experiment keeps of each run. A figure is named as
 * gpusched stats lists it - `ipc`, `sm.no_cta` or, where only one group has such a count,
 * `no_cta` - or by its path in result.json: `energy.total`, `kernels.0.ended`. A count is
 * summed over its members.
 */

#ifndef EXPERIMENT_FIGURE_H
#define EXPERIMENT_FIGURE_H

#include <jansson.h>

#include "base/fault.h"
#include "gpusched/experiment/grid/experiment.h"

struct experiment_figure {
    const char *name; /* the experiment's */
    char path[TREE_TEXT];
};

struct experiment_figures {
    struct experiment_figure *list;
    uint32_t n;
};

/* The experiment's figures, or the usual ones if it names none. Returns false with the tree's
 * fault. */
bool experiment_figures_open(struct experiment_figures *figures, struct experiment *experiment);
void experiment_figures_free(struct experiment_figures *figures);

/* Of a result.json: a number or a text; a truth value is 0 or 1, and what is not there is
 * null. */
json_t *experiment_figure_value(const struct experiment_figure *figure, const json_t *result);

/* Finds a path by a figure's name. Returns false with a fault that begins with the name. */
bool experiment_figure_path(const char *name, char path[TREE_TEXT], struct fault *fault);

#endif
