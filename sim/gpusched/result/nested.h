/* nested - kernels of the host and kernels that kernels have launched, each together: how often
 * their reads hit, and how many CTAs of the latter ran on the SM of their direct parent. */

#ifndef NESTED_H
#define NESTED_H

#include <jansson.h>
#include <stdio.h>

#include "gpu/gpu.h"

/* NULL, and nothing, if no kernel has launched one. stats: what gpu_stats has just given. */
json_t *nested_json(const struct gpu *gpu, const struct gpu_stats *stats);
void nested_print(const struct gpu *gpu, const struct gpu_stats *stats, FILE *to);

#endif
