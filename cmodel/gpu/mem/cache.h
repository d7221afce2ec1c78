/* cache - tags in true LRU order, and MSHRs found by line. */

#ifndef CACHE_H
#define CACHE_H

#include <string.h>

#include "gpu/machine.h"

/* ---- MSHRs --------------------------------------------------------------------------- */

HOT uint16_t *mshr_bucket(struct mshrs *m, uint32_t line)
{
    return &m->bucket[(line ^ line >> 6) % MSHR_HASH];
}
/* One to which these quarters of the line come. */
HOT uint32_t mshr_find(struct mshrs *m, uint32_t line, uint32_t quarters)
{
    uint32_t id = *mshr_bucket(m, line);
    while (id != NO_MSHR && (m->line[id] != line || (quarters & ~m->sectors[id]) != 0u)) {
        id = m->next[id];
    }
    return id;
}
/* The one that has asked for these. */
HOT uint32_t mshr_asked(struct mshrs *m, uint32_t line, uint32_t quarters)
{
    uint32_t id = *mshr_bucket(m, line);
    while (id != NO_MSHR && (m->line[id] != line || m->sectors[id] != quarters)) {
        id = m->next[id];
    }
    return id;
}
/* For an answer that names the MSHR itself. */
HOT uint16_t mshr_take_unlisted(struct mshrs *m, uint64_t t)
{
    assert(m->n_free != 0u);
    const uint16_t id = m->free[--m->n_free];
    m->n[id] = 0u;
    m->written[id] = false;
    m->since[id] = t;
    return id;
}
HOT uint16_t mshr_take(struct mshrs *m, uint32_t line, uint32_t quarters, uint64_t t)
{
    const uint16_t id = mshr_take_unlisted(m, t);
    uint16_t *const bucket = mshr_bucket(m, line);
    m->line[id] = line;
    m->sectors[id] = (uint8_t)quarters;
    m->next[id] = *bucket;
    *bucket = id;
    return id;
}
HOT void mshr_unlist(struct mshrs *m, uint32_t id)
{
    uint16_t *place = mshr_bucket(m, m->line[id]);
    while (*place != id) {
        place = &m->next[*place];
    }
    *place = m->next[id];
}
/* What is on its way of the line may be older than a write. */
HOT void mshr_written(struct mshrs *m, uint32_t line)
{
    for (uint32_t id = *mshr_bucket(m, line); id != NO_MSHR; id = m->next[id]) {
        if (m->line[id] == line) {
            m->written[id] = true;
        }
    }
}
HOT void mshr_give(struct mshrs *m, uint32_t id)
{
    m->free[m->n_free++] = (uint16_t)id;
}

/* ---- Tags of an SM's cache ----------------------------------------------------------- */

HOT uint32_t *cache_set(const struct cache *c, uint32_t line)
{
    return c->tag + (size_t)modulo(line, c->sets) * c->ways;
}
/* Where in its set a line is, of which any quarter is there; ways if it is not. */
HOT uint32_t way_of(const struct cache *c, const uint32_t *set, uint32_t line)
{
    const uint32_t whole = line << 4 | 15u;
    uint32_t way = 0u;
    if (UNLIKELY(c->sectored)) {
        while (way < c->ways && (set[way] ^ line << 4) - 1u >= 15u) {
            way++;
        }
        return way;
    }
    while (way < c->ways && set[way] != whole) {
        way++;
    }
    return way;
}
/* Puts key in front of the first `way` of a set. */
HOT void to_front(uint32_t *set, uint32_t way, uint32_t key)
{
    for (; way != 0u; way--) {
        set[way] = set[way - 1u];
    }
    set[0] = key;
}
/* Which of these quarters are not there. Without use of the line. */
HOT uint32_t cache_lacks(const struct cache *c, uint32_t line, uint32_t quarters)
{
    const uint32_t *const set = cache_set(c, line);
    const uint32_t way = way_of(c, set, line);
    return way == c->ways ? quarters : quarters & ~set[way];
}
/* The same; if all are there, they are used. */
HOT uint32_t cache_misses(struct cache *c, uint32_t line, uint32_t quarters)
{
    uint32_t *const set = cache_set(c, line);
    if (set[0] == (line << 4 | 15u)) {
        return 0u;
    }
    const uint32_t way = way_of(c, set, line);
    if (way == c->ways) {
        return quarters;
    }
    const uint32_t missing = quarters & ~set[way];
    if (missing == 0u) {
        to_front(set, way, set[way]);
    }
    return missing;
}
HOT void cache_fill(struct cache *c, uint32_t line, uint32_t quarters)
{
    if (c->ways == 0u) {
        return;
    }
    uint32_t *const set = cache_set(c, line);
    uint32_t way = c->ways - 1u, key = line << 4 | quarters;
    if (c->sectored) {
        const uint32_t there = way_of(c, set, line);
        key |= there != c->ways ? set[there] & 15u : 0u;
        way = there != c->ways ? there : way;
    }
    to_front(set, way, key);
}
HOT void cache_drop(struct cache *c, uint32_t line)
{
    uint32_t *const set = cache_set(c, line);
    uint32_t way = way_of(c, set, line);
    if (way != c->ways) {
        for (; way + 1u < c->ways; way++) {
            set[way] = set[way + 1u];
        }
        set[way] = 0u;
    }
}
/* The sectors of which each quarter has been written are there, without a fetch. */
HOT void cache_keep(struct cache *c, uint32_t line, uint32_t quarters)
{
    const uint32_t rest = 15u & ~quarters;
    const uint32_t whole = rest == 0u ? quarters : quarters & ~(uint32_t)c->wanted[rest];
    if (cache_misses(c, line, whole) != 0u) {
        cache_fill(c, line, whole);
    }
}
/* A write of these quarters passes. What is on its way may be older than the write: nobody
 * joins it any more, and it is not kept. */
HOT void cache_write(struct cache *c, uint32_t line, uint32_t quarters,
                     enum write_policy policy)
{
    mshr_written(&c->mshr, line);
    if (policy == WRITE_EVICT) {
        cache_drop(c, line);
    } else if (policy == WRITE_THROUGH) {
        (void)cache_misses(c, line, 0u);
    } else {
        cache_keep(c, line, quarters);
    }
}

#endif
