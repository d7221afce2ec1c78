/* carveouts - the sizes that the shared memory of an SM may have where it shares one memory
 * with the L1 (l1.carveouts). */

#ifndef CARVEOUTS_H
#define CARVEOUTS_H

#include "gpu/config/gpu_config.h"

/* The smallest that has so many bytes; the largest if none has. Not with CARVEOUTS_NONE. */
uint32_t carveout_of(enum l1_carveouts list, uint64_t shared);
/* The largest; 0 with CARVEOUTS_NONE. */
uint32_t carveout_most(enum l1_carveouts list);

#endif
