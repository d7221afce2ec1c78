/* l2_lines - which lines a slice of the L2 has, and what of them is there or dirty. */

#ifndef L2_LINES_H
#define L2_LINES_H

#include "gpu/mem/cache.h"

enum { PENDING = 1, DIRTY = 2 };

/* A line that no tag can hold would be waited for without an end. */
_Static_assert((uint64_t)LINES << 2 <= UINT32_MAX && SWAP_LINE + SWAP_LINES <= LINES
                   && CODE_LINE + CODE_MOST <= RECORD_LINE
                   && RECORD_LINE + RECORDS <= SWAP_LINE,
               "each line has a tag, and each kind of them its own");

HOT uint32_t *l2_set(const struct gpu *g, const struct slice *s, uint32_t line)
{
    const uint32_t set = modulo(line_in_slice(g, line), g->l2_sets);
    return s->tag + (size_t)set * g->config.l2.ways;
}
HOT uint32_t l2_way(const struct gpu *g, const uint32_t *set, uint32_t line)
{
    uint32_t way = 0u;
    while (way < g->config.l2.ways && set[way] >> 2 != line + 1u) {
        way++;
    }
    return way;
}
/* Of a way: the quarters that are there, and the dirty ones. */
HOT uint8_t *l2_part(const struct slice *s, const uint32_t *set, uint32_t way)
{
    return &s->part[(size_t)(set - s->tag) + way];
}
/* A line is used, or a new one, of which nothing is there, takes the place of another. */
HOT void l2_front(struct slice *s, uint32_t *set, uint32_t way, uint32_t key, bool is_new)
{
    to_front(set, way, key);
    if (UNLIKELY(s->part != NULL)) {
        uint8_t *const part = l2_part(s, set, 0u);
        const uint8_t first = is_new ? 0u : part[way];
        memmove(part + 1, part, way);
        part[0] = first;
    }
}
/* These quarters of a line have been written. */
HOT void l2_dirty(struct slice *s, uint32_t *set, uint32_t way, uint32_t quarters)
{
    set[way] |= DIRTY;
    if (UNLIKELY(s->part != NULL)) {
        *l2_part(s, set, way) |= (uint8_t)quarters;
    }
}
/* Which of these quarters of a line are not there. */
HOT uint32_t l2_lacks(const struct slice *s, const uint32_t *set, uint32_t way,
                      uint32_t quarters)
{
    if (UNLIKELY(s->part != NULL)) {
        return quarters & ~((uint32_t)*l2_part(s, set, way) >> 4);
    }
    return (set[way] & PENDING) != 0u ? quarters : 0u;
}
/* The same of a line that need not be there. */
HOT uint32_t l2_absent(const struct gpu *g, const struct slice *s, const uint32_t *set,
                       uint32_t way, uint32_t quarters)
{
    return way == g->config.l2.ways ? quarters : l2_lacks(s, set, way, quarters);
}
/* The least recently used line that is not pending; ways if all are. */
HOT uint32_t l2_victim(const struct gpu *g, const uint32_t *set)
{
    for (uint32_t way = g->config.l2.ways; way != 0u; way--) {
        if ((set[way - 1u] & PENDING) == 0u) {
            return way - 1u;
        }
    }
    return g->config.l2.ways;
}

#endif
