/*
 * nested - what is said of kernels that kernels have launched: how often their reads and those
 * of the host's kernels hit, how many of their CTAs ran on the SM of their direct parent, how
 * full the queues of LaPerm's units were, and shared footprints (exec_footprint.h).
 */

#ifndef NESTED_H
#define NESTED_H

#include <jansson.h>
#include <stdio.h>

#include "exec/exec_footprint.h"
#include "gpu/gpu.h"

/* NULL, and nothing, if no kernel has launched one. stats: what gpu_stats has just given. */
json_t *nested_json(const struct gpu *gpu, const struct gpu_stats *stats);
void nested_print(const struct gpu *gpu, const struct gpu_stats *stats, FILE *to);

json_t *footprints_json(const struct exec_footprint *footprint);
void footprints_print(const struct exec_footprint *footprint, FILE *to);

#endif
