/*
 * experiment_seeds - an ensemble: with `seeds: 8` each run of an experiment is repeated with
 * the seeds 0 to 7 of its jitter. The seeds are an axis of the grid, the last one, so that the
 * runs of an ensemble follow each other; reports show them as one value and a band.
 */

#ifndef EXPERIMENT_SEEDS_H
#define EXPERIMENT_SEEDS_H

#include "gpusched/experiment/grid/experiment.h"

/* Fewer than six runs have no band of 95 %: see experiment_band.h. */
enum { SEEDS_FEWEST = 6, SEEDS_MOST = EXPERIMENT_SEEDS };

/* Adds the axis; node: of the key `seeds`, NULL if it is not given. Returns false with the
 * tree's fault. */
bool experiment_seeds_read(struct experiment *experiment, const yaml_node_t *node);
/* How many runs an ensemble has: 1 without seeds. */
uint32_t experiment_seeds(const struct experiment *experiment);
/* The axes that the file has, without the seeds. */
uint32_t experiment_own_axes(const struct experiment *experiment);

#endif
