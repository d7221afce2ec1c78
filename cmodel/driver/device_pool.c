/* device_pool - see device_pool.h. */

#include "driver/device_pool.h"

#include <stdlib.h>

enum { LEAST = 6, CHUNK = 16 }; /* log2 of bytes: of a block, of a chunk of several */

struct pool_chunk {
    struct pool_chunk *next;
    uint64_t base;
    uint32_t class; /* log2 of the bytes of a block */
    uint32_t n;
    struct pool_block block[];
};

static uint32_t class_of(uint64_t bytes)
{
    uint32_t class = LEAST;

    while (bytes > UINT64_C(1) << class) {
        class ++;
    }
    return class;
}

/* More free blocks of a class. */
static bool add_chunk(struct device_pool *pool, struct device_memory *memory, uint32_t class,
                      bool *lacks)
{
    const uint32_t n = class < CHUNK ? 1u << (CHUNK - class) : 1u;
    struct pool_chunk *const chunk = calloc(1u, sizeof *chunk + n * sizeof chunk->block[0]);

    if (chunk == NULL) {
        *lacks = true;
        return false;
    }
    chunk->base = device_alloc(memory, (uint64_t)n << class);
    if (chunk->base == 0u) {
        *lacks = device_has_room(memory, (uint64_t)n << class);
        free(chunk);
        return false;
    }
    chunk->class = class;
    chunk->n = n;
    chunk->next = pool->chunk;
    pool->chunk = chunk;
    for (uint32_t k = n; k-- > 0u;) {
        chunk->block[k] =
            (struct pool_block){ .next = pool->free[class],
                                 .address = chunk->base + ((uint64_t)k << class) };
        pool->free[class] = &chunk->block[k];
    }
    return true;
}

struct pool_block *pool_take(struct device_pool *pool, struct device_memory *memory,
                             uint64_t bytes, bool *lacks)
{
    *lacks = false;
    if (bytes > UINT64_C(1) << (POOL_CLASSES - 1)) {
        return NULL;
    }
    const uint32_t class = class_of(bytes);
    const uint64_t size = UINT64_C(1) << class;

    if (size > pool->limit - pool->taken
        || (pool->free[class] == NULL && !add_chunk(pool, memory, class, lacks))) {
        return NULL;
    }
    struct pool_block *const block = pool->free[class];
    pool->free[class] = block->next;
    pool->taken += size;
    *block = (struct pool_block){ .address = block->address, .bytes = bytes };
    return block;
}

struct pool_block *pool_find(struct device_pool *pool, uint64_t address)
{
    for (struct pool_chunk **at = &pool->chunk; *at != NULL; at = &(*at)->next) {
        struct pool_chunk *const chunk = *at;
        const uint64_t offset = address - chunk->base;
        if (offset >> chunk->class < chunk->n) {
            struct pool_block *const block = &chunk->block[offset >> chunk->class];
            *at = chunk->next;
            chunk->next = pool->chunk;
            pool->chunk = chunk;
            return block->address == address && block->bytes != 0u ? block : NULL;
        }
    }
    return NULL;
}

void pool_give(struct device_pool *pool, struct pool_block *block)
{
    const uint32_t class = class_of(block->bytes);

    pool->taken -= UINT64_C(1) << class;
    block->bytes = 0u;
    block->next = pool->free[class];
    pool->free[class] = block;
}

bool pool_has(const struct device_pool *pool, uint64_t address)
{
    for (const struct pool_chunk *chunk = pool->chunk; chunk != NULL; chunk = chunk->next) {
        if ((address - chunk->base) >> chunk->class < chunk->n) {
            return true;
        }
    }
    return false;
}

void pool_close(struct device_pool *pool)
{
    while (pool->chunk != NULL) {
        struct pool_chunk *const next = pool->chunk->next;
        free(pool->chunk);
        pool->chunk = next;
    }
}
