/* derive - what the cycle loop needs of a configuration, computed once. */

#ifndef DERIVE_H
#define DERIVE_H

#include <stdint.h>

struct gpu;

/* From g->config, which is possible. */
void gpu_derive(struct gpu *g);
/* The farthest that anything wakes ahead, in core cycles. */
uint64_t gpu_horizon(const struct gpu *g);

#endif
