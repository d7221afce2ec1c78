/* kernel_queue - see kernel_queue.h. */

#include "gpu/dispatch/kernel_queue.h"

#include <stdlib.h>

/* ---- Queue --------------------------------------------------------------------------- */

bool queue_reserve(struct kernel_queue *q, uint32_t count)
{
    if (count <= q->room) {
        return true;
    }
    struct queued *const heap = realloc(q->heap, count * sizeof *heap);
    if (heap == NULL) {
        return false;
    }
    q->heap = heap;
    q->room = count;
    return true;
}

static bool before(const struct queued *a, const struct queued *b)
{
    return a->key != b->key ? a->key < b->key : a->kernel < b->kernel;
}

void queue_put(struct kernel_queue *q, uint64_t key, uint32_t kernel)
{
    const struct queued one = { key, kernel };
    uint32_t at = q->count++;
    while (at > 0u && before(&one, &q->heap[(at - 1u) / 2u])) {
        q->heap[at] = q->heap[(at - 1u) / 2u];
        at = (at - 1u) / 2u;
    }
    q->heap[at] = one;
}

uint32_t queue_take(struct kernel_queue *q)
{
    const uint32_t first = q->heap[0].kernel;
    const struct queued last = q->heap[--q->count];
    uint32_t at = 0u;
    for (uint32_t child = 1u; child < q->count; child = 2u * at + 1u) {
        if (child + 1u < q->count && before(&q->heap[child + 1u], &q->heap[child])) {
            child++;
        }
        if (!before(&q->heap[child], &last)) {
            break;
        }
        q->heap[at] = q->heap[child];
        at = child;
    }
    q->heap[at] = last;
    return first;
}

/* ---- Streams ------------------------------------------------------------------------- */

static struct tail *place_of(const struct stream_tails *t, uint32_t stream)
{
    uint32_t at = (stream * 2654435761u) & (t->room - 1u);
    while (t->table[at].used && t->table[at].stream != stream) {
        at = (at + 1u) & (t->room - 1u);
    }
    return &t->table[at];
}

static bool grow(struct stream_tails *t)
{
    const struct stream_tails old = *t;
    const uint32_t room = old.room == 0u ? 16u : 2u * old.room;
    struct tail *const table = calloc(room, sizeof *table);
    if (table == NULL) {
        return false;
    }
    t->table = table;
    t->room = room;
    for (uint32_t k = 0u; k < old.room; k++) {
        if (old.table[k].used) {
            *place_of(t, old.table[k].stream) = old.table[k];
        }
    }
    free(old.table);
    return true;
}

uint32_t *stream_tail(struct stream_tails *t, uint32_t stream)
{
    if (2u * (t->count + 1u) > t->room && !grow(t)) {
        return NULL;
    }
    struct tail *const tail = place_of(t, stream);
    if (!tail->used) {
        *tail = (struct tail){ .stream = stream, .kernel = NO_KERNEL, .used = true };
        t->count++;
    }
    return &tail->kernel;
}
