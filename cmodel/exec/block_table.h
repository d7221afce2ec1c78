/*
 * block_table - a hash table of blocks of memory, each with an owner. It grows out of a budget
 * of bytes, which several tables may share.
 */

#ifndef BLOCK_TABLE_H
#define BLOCK_TABLE_H

#include <stdbool.h>
#include <stdint.h>

struct block_entry {
    uint32_t block; /* 0: none */
    uint32_t owner;
};
struct block_table {
    struct block_entry *entry; /* a power of two; NULL: there is none yet */
    uint32_t n;                /* blocks */
    uint32_t bits;             /* log2 of the room */
};

/* Begins as zeros. The entry of the block, which is not 0; a new one has owner 0. NULL: the
 * budget does not allow it, or there is no memory. */
struct block_entry *block_table_put(struct block_table *table, uint32_t block,
                                    uint64_t *budget);
bool block_table_has(const struct block_table *table, uint32_t block);
/* How many blocks of one are in the other. */
uint32_t block_table_shared(const struct block_table *one, const struct block_table *other);
/* It is empty, and its bytes are in the budget again. */
void block_table_clear(struct block_table *table, uint64_t *budget);

#endif
