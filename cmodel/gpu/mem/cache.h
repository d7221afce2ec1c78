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
HOT uint64_t *written_of(const struct cache *c, const uint32_t *set)
{
    return &c->written[(size_t)(set - c->tag) / c->ways];
}
/* The same in a cache, whose ways know which of them are to be written back. */
HOT void cache_front(const struct cache *c, uint32_t *set, uint32_t way, uint32_t key)
{
    if (UNLIKELY(c->written != NULL)) {
        uint64_t *const w = written_of(c, set);
        const uint64_t moved = (UINT64_C(2) << way) - 1u;
        *w = (*w & ~moved) | ((*w << 1 | (*w >> way & 1u)) & moved);
    }
    to_front(set, way, key);
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
        cache_front(c, set, way, set[way]);
    }
    return missing;
}
/* Whose place a line takes that comes: the oldest's of those that need not be written back;
 * ways if there is none. */
HOT uint32_t way_to_take(const struct cache *c, const uint32_t *set)
{
    uint32_t way = c->ways - 1u;
    if (UNLIKELY(c->written != NULL)) {
        const uint64_t written = *written_of(c, set);
        while (way != c->ways && (written >> way & 1u) != 0u) {
            way = way == 0u ? c->ways : way - 1u;
        }
    }
    return way;
}
/* It is not kept if all lines of its set are to be written back. */
HOT void cache_fill(struct cache *c, uint32_t line, uint32_t quarters)
{
    if (c->ways == 0u) {
        return;
    }
    uint32_t *const set = cache_set(c, line);
    uint32_t way = c->ways, key = line << 4 | quarters;
    if (c->sectored) {
        way = way_of(c, set, line);
        key |= way != c->ways ? set[way] & 15u : 0u;
    }
    way = way != c->ways ? way : way_to_take(c, set);
    if (way != c->ways) {
        cache_front(c, set, way, key);
    }
}
HOT void cache_drop(struct cache *c, uint32_t line)
{
    uint32_t *const set = cache_set(c, line);
    uint32_t way = way_of(c, set, line);
    if (way != c->ways) {
        if (UNLIKELY(c->written != NULL)) {
            uint64_t *const w = written_of(c, set);
            const uint64_t before = BIT(way) - 1u;
            *w = (*w & before) | (*w >> 1 & ~before);
        }
        for (; way + 1u < c->ways; way++) {
            set[way] = set[way + 1u];
        }
        set[way] = 0u;
    }
}
/* A write of local memory of these quarters stays, if all are there. */
HOT bool cache_write_stays(struct cache *c, uint32_t line, uint32_t quarters)
{
    if (c->written == NULL || cache_misses(c, line, quarters) != 0u) {
        return false;
    }
    *written_of(c, cache_set(c, line)) |= 1u;
    return true;
}
/* The key of the line that is to be written back before this one can be asked for: it is the
 * oldest of its set, and this one has no place there, nor is it on its way. 0: there is none.
 */
HOT uint32_t cache_in_the_way(struct cache *c, uint32_t line, uint32_t quarters)
{
    const uint32_t *const set = cache_set(c, line);
    const bool last = (*written_of(c, set) >> (c->ways - 1u) & 1u) != 0u;
    return last && way_of(c, set, line) == c->ways
                   && mshr_find(&c->mshr, line, quarters) == NO_MSHR
               ? set[c->ways - 1u]
               : 0u;
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
