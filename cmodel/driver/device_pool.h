/*
 * device_pool - blocks of device memory for kernels that run: parameters of launches, and the
 * heap of malloc. Blocks have sizes of powers of two, and come from chunks that are allocated
 * when they are needed and kept.
 */

#ifndef DEVICE_POOL_H
#define DEVICE_POOL_H

#include "exec/device_memory.h"

struct driver_launch;
struct ptx_function;
struct gsp_module;

struct pool_block {
    struct pool_block *next, *before; /* free; or its owner's */
    uint64_t address;
    uint64_t bytes; /* asked for; 0: it is free */
    /* Of parameters: of which launch, and by whom. */
    const struct driver_launch *by;
    const struct gsp_module *module;
    const struct ptx_function *function; /* NULL: the launch will say */
    uint32_t grid[3], block[3], shared;
};

enum { POOL_CLASSES = 40 };
struct pool_chunk;
struct device_pool {
    struct pool_chunk *chunk; /* the one that was found last is the first */
    struct pool_block *free[POOL_CLASSES];
    uint64_t taken, limit; /* bytes of blocks */
};

/* A block of at least so many bytes; NULL if there is no room, or if the host has no memory,
 * which *lacks then says. */
struct pool_block *pool_take(struct device_pool *pool, struct device_memory *memory,
                             uint64_t bytes, bool *lacks);
/* The block in use that begins at the address; NULL if there is none. */
struct pool_block *pool_find(struct device_pool *pool, uint64_t address);
void pool_give(struct device_pool *pool, struct pool_block *block);
/* Is the address one of a chunk? */
bool pool_has(const struct device_pool *pool, uint64_t address);
void pool_close(struct device_pool *pool);

#endif
