/* block_table - open addressing, at most half full; see block_table.h. */

#include "exec/block_table.h"

#include <stdlib.h>

enum { FEWEST = 4, MOST = 31 }; /* log2 of entries */

static uint64_t bytes(const struct block_table *table)
{
    return table->entry == NULL ? 0u : sizeof *table->entry << table->bits;
}

/* Where the block is, or would be. */
static struct block_entry *place(const struct block_table *table, uint32_t block)
{
    const uint32_t mask = (UINT32_C(1) << table->bits) - 1u;
    uint32_t at = block * UINT32_C(0x9e3779b1) >> (32u - table->bits);

    while (table->entry[at].block != 0u && table->entry[at].block != block) {
        at = (at + 1u) & mask;
    }
    return &table->entry[at];
}

static bool grow(struct block_table *table, uint64_t *budget)
{
    struct block_table more = { .n = table->n,
                                .bits = table->entry == NULL ? FEWEST : table->bits + 1u };
    const uint64_t needed = sizeof *more.entry << more.bits;

    if (needed > *budget || more.bits > MOST) {
        return false;
    }
    more.entry = calloc((size_t)1u << more.bits, sizeof *more.entry);
    if (more.entry == NULL) {
        return false;
    }
    for (uint64_t k = 0u; k < bytes(table) / sizeof *table->entry; k++) {
        if (table->entry[k].block != 0u) {
            *place(&more, table->entry[k].block) = table->entry[k];
        }
    }
    *budget -= needed;
    *budget += bytes(table);
    free(table->entry);
    *table = more;
    return true;
}

struct block_entry *block_table_put(struct block_table *table, uint32_t block, uint64_t *budget)
{
    struct block_entry *entry = table->entry == NULL ? NULL : place(table, block);

    if (entry != NULL && entry->block == block) {
        return entry;
    }
    if (entry == NULL || (uint64_t)table->n + 1u > UINT64_C(1) << (table->bits - 1u)) {
        if (!grow(table, budget)) {
            return NULL;
        }
        entry = place(table, block);
    }
    *entry = (struct block_entry){ .block = block };
    table->n++;
    return entry;
}

bool block_table_has(const struct block_table *table, uint32_t block)
{
    return table->entry != NULL && place(table, block)->block == block;
}

uint32_t block_table_shared(const struct block_table *one, const struct block_table *other)
{
    uint32_t n = 0u;

    for (uint64_t k = 0u; k < bytes(one) / sizeof *one->entry; k++) {
        n += one->entry[k].block != 0u && block_table_has(other, one->entry[k].block);
    }
    return n;
}

void block_table_clear(struct block_table *table, uint64_t *budget)
{
    *budget += bytes(table);
    free(table->entry);
    *table = (struct block_table){ .n = 0u };
}
