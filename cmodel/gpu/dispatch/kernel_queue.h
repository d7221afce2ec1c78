/*
 * kernel_queue - kernels that wait, the one with the least key first; and the last kernel of
 * each stream. What a launch costs does not grow with the launches before it, but for a
 * logarithm.
 */

#ifndef KERNEL_QUEUE_H
#define KERNEL_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#define NO_KERNEL UINT32_MAX

/* A binary heap. All zeros is an empty one. */
struct kernel_queue {
    struct queued {
        uint64_t key;
        uint32_t kernel; /* among equal keys the lower comes first */
    } * heap;
    uint32_t count, room;
};
/* Room for `count` kernels; false if there is no memory. */
bool queue_reserve(struct kernel_queue *q, uint32_t count);
void queue_put(struct kernel_queue *q, uint64_t key, uint32_t kernel);
/* Takes the first; there must be one. */
uint32_t queue_take(struct kernel_queue *q);

/* A hash of streams. All zeros is an empty one. */
struct stream_tails {
    struct tail {
        uint32_t stream, kernel;
        bool used;
    } * table;
    uint32_t count, room; /* a power of two, at least twice the streams */
};
/* Where the number of the stream's last kernel is kept; NULL if there is no memory. NO_KERNEL:
 * the stream is new. Valid until the next call. */
uint32_t *stream_tail(struct stream_tails *t, uint32_t stream);

#endif
