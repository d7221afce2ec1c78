/*
 * ring - a bounded queue of records from one thread to one other, or to several that take turns
 * (workers.c). It never waits: who finds it full or empty decides what to do. The producer's
 * records become visible some at a time.
 */

#ifndef RING_H
#define RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RING_BATCH = 64, RING_LINE = 64 };

/* Each of them begins a cache line: who writes it is another. */
struct ring {
    _Alignas(RING_LINE) _Atomic uint64_t tail; /* how many the consumer may take */
    _Alignas(RING_LINE) _Atomic uint64_t head; /* how many it has taken */
    char *records;
    size_t bytes;  /* of one */
    uint64_t most; /* records; a power of two */
    /* The producer's own: */
    _Alignas(RING_LINE) uint64_t pushed;
    uint64_t released; /* as it has last seen it */
};

/* most: records, a power of two. Their `bytes` are set, a multiple of any type's alignment.
 * False if there is no memory. */
bool ring_open(struct ring *ring, uint64_t most);
void ring_close(struct ring *ring);

/* ---- The producer -------------------------------------------------------------------- */

/* The place of the next record, which may be written until it is pushed; NULL if it is full. */
static inline void *ring_place(struct ring *ring)
{
    if (ring->pushed - ring->released == ring->most) {
        ring->released = atomic_load(&ring->head);
        if (ring->pushed - ring->released == ring->most) {
            return NULL;
        }
    }
    return ring->records + (ring->pushed & (ring->most - 1u)) * ring->bytes;
}

static inline void ring_publish(struct ring *ring)
{
    atomic_store(&ring->tail, ring->pushed);
}

/* True if what was pushed should be published now. */
static inline bool ring_push(struct ring *ring)
{
    return ++ring->pushed % RING_BATCH == 0u;
}

/* ---- The consumer -------------------------------------------------------------------- */

static inline uint64_t ring_ready(struct ring *ring)
{
    return atomic_load(&ring->tail) - atomic_load_explicit(&ring->head, memory_order_relaxed);
}

/* A quarter is free, once all that was pushed is published. A producer that has slept for it
 * finds enough to do before it sleeps again. */
static inline bool ring_roomy(struct ring *ring)
{
    return ring_ready(ring) <= ring->most - ring->most / 4u;
}

/* Of those that are ready, number i. */
static inline const void *ring_at(struct ring *ring, uint64_t i)
{
    const uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);

    return ring->records + ((head + i) & (ring->most - 1u)) * ring->bytes;
}

static inline void ring_release(struct ring *ring, uint64_t n)
{
    atomic_fetch_add(&ring->head, n);
}

#endif
