/* ring - the memory of a queue; see ring.h. */

#include "lockstep/shadow/ring.h"

#include <stdlib.h>

bool ring_open(struct ring *ring, uint64_t most)
{
    ring->most = most;
    ring->records = calloc(most, ring->bytes);
    return ring->records != NULL;
}

void ring_close(struct ring *ring)
{
    free(ring->records);
}
