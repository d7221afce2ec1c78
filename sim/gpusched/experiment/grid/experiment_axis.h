/*
 * experiment_axis - the axes of an experiment. Those with a key set it; the others give names
 * their values: with the axis `ctas`, "sweep-{ctas}.yaml" is a file for each of its values.
 */

#ifndef EXPERIMENT_AXIS_H
#define EXPERIMENT_AXIS_H

#include "gpusched/experiment/grid/experiment.h"

enum experiment_dimension {
    DIMENSION_GPU,
    DIMENSION_WORKLOAD,
    DIMENSION_VARIANT,
    DIMENSION_AXIS, /* the first of them */
    EXPERIMENT_DIMENSIONS = DIMENSION_AXIS + EXPERIMENT_AXES
};

/* The value of an axis at a place in all dimensions. */
const char *experiment_axis_value(const struct experiment *experiment, uint32_t axis,
                                  const uint32_t *at);

/* Puts values in place of the names in braces. Returns false with the tree's fault. */
bool experiment_axis_names(struct experiment *experiment, const uint32_t *at,
                           const struct experiment_word *word, const char *place,
                           char to[EXPERIMENT_PATH]);

/* Does every axis change something, and something of its own? Returns false with the tree's
 * fault. */
bool experiment_axes_check(struct experiment *experiment);

#endif
