/* ring - the memory of a queue; see ring.h. */

#include "lockstep/shadow/ring.h"

#include <stdlib.h>

bool ring_open(struct ring *ring, size_t bytes)
{
    ring->bytes = bytes;
    ring->records = calloc(RING_RECORDS, bytes);
    return ring->records != NULL;
}

void ring_close(struct ring *ring)
{
    free(ring->records);
}
