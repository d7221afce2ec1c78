/* blocks - queues and MSHRs get their memory before the first cycle. */

#include "gpu/base/blocks.h"

#include <stdlib.h>
#include <string.h>

bool queue_open(struct queue *q, uint32_t capacity)
{
    uint32_t slots = 1u;
    while (slots < capacity) {
        slots *= 2u;
    }
    *q = (struct queue){ .capacity = capacity, .mask = slots - 1u };
    q->slot = calloc(slots, sizeof *q->slot);
    return q->slot != NULL;
}

bool mshrs_open(struct mshrs *m, uint32_t n)
{
    m->free = calloc(n, sizeof *m->free);
    m->line = calloc(n, sizeof *m->line);
    m->sectors = calloc(n, sizeof *m->sectors);
    m->next = calloc(n, sizeof *m->next);
    m->n = calloc(n, sizeof *m->n);
    m->written = calloc(n, sizeof *m->written);
    m->since = calloc(n, sizeof *m->since);
    m->busy = calloc(n, sizeof *m->busy);
    if (m->free == NULL || m->line == NULL || m->sectors == NULL || m->next == NULL
        || m->n == NULL || m->written == NULL || m->since == NULL || m->busy == NULL) {
        return false;
    }
    for (uint32_t i = 0u; i < n; i++) {
        m->free[i] = (uint16_t)(n - 1u - i);
    }
    m->n_free = n;
    memset(m->bucket, 0xff, sizeof m->bucket);
    return true;
}

void mshrs_close(struct mshrs *m)
{
    free(m->free);
    free(m->line);
    free(m->sectors);
    free(m->next);
    free(m->n);
    free(m->written);
    free(m->since);
    free(m->busy);
}
