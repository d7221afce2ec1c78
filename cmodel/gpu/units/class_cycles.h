/*
 * class_cycles - what glue tells a unit of the classes of an SM's cycles. Private to the GPU.
 *
 * Where g->sockets.sums, a unit has a cycle when something else happens to it. In between only
 * the number of cycles of each class counts, which its SM keeps anyway.
 */

#ifndef CLASS_CYCLES_H
#define CLASS_CYCLES_H

#include "gpu/wake.h"

/* Schedulers of SM i whose cycle is of one of the classes from first to last. */
uint32_t class_schedulers(const struct gpu *g, uint32_t i, uint32_t first, uint32_t last);

/* So many of them, summed over the cycles before this one that *told does not have; then it
 * has them. */
uint64_t class_cycles(const struct gpu *g, uint32_t i, uint32_t first, uint32_t last,
                      uint64_t *told);

#endif
