/*
 * gpu_way - a load's way to the memory and back in closed form: sums of the configured
 * latencies, in whole cycles of the domains that it passes. Times are core cycles.
 */

#ifndef GPU_WAY_H
#define GPU_WAY_H

#include "gpu/config/gpu_config.h"

enum level { L1_HIT, L2_HIT, ROW_HIT, ROW_CLOSED, ROW_OTHER };

/* A chase begins: with refreshes, no row of its bank is open, and none has been. */
void way_begin(const struct gpu_config *c);

/* The first warp's first instruction issues. */
uint64_t way_start(const struct gpu_config *c);
/* A load that issues in cycle t: when its dependent does. */
uint64_t way_hop(const struct gpu_config *c, uint64_t t, enum level level);

/* A request of `payload` bytes that is in the SM's miss queue in cycle t, for an answer of
 * `line` bytes: when that is in the SM. */
uint64_t way_answered(const struct gpu_config *c, uint64_t t, enum level level,
                      uint32_t payload, uint32_t line);
/* A packet that may enter the crossbar in cycle t: when it is on the other side. */
uint64_t way_across(const struct gpu_config *c, uint64_t t, uint32_t payload);
uint32_t way_flits(const struct gpu_config *c, uint32_t payload);

#endif
