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
HOT uint32_t mshr_find(struct mshrs *m, uint32_t line)
{
    uint32_t id = *mshr_bucket(m, line);
    while (id != NO_MSHR && m->line[id] != line) {
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
HOT uint16_t mshr_take(struct mshrs *m, uint32_t line, uint64_t t)
{
    const uint16_t id = mshr_take_unlisted(m, t);
    uint16_t *const bucket = mshr_bucket(m, line);
    m->line[id] = line;
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
HOT void mshr_give(struct mshrs *m, uint32_t id)
{
    m->free[m->n_free++] = (uint16_t)id;
}

/* ---- Tags of an SM's cache ----------------------------------------------------------- */

HOT uint32_t *cache_set(const struct cache *c, uint32_t line)
{
    return c->tag + (size_t)modulo(line, c->sets) * c->ways;
}
/* Where in its set a key is; ways if it is not. */
HOT uint32_t way_of(const uint32_t *set, uint32_t ways, uint32_t key)
{
    uint32_t way = 0u;
    while (way < ways && set[way] != key) {
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
/* Without use of the line. */
HOT bool cache_has(const struct cache *c, uint32_t line)
{
    return way_of(cache_set(c, line), c->ways, line + 1u) != c->ways;
}
HOT bool cache_hit(struct cache *c, uint32_t line)
{
    uint32_t *const set = cache_set(c, line);
    if (set[0] == line + 1u) {
        return true;
    }
    const uint32_t way = way_of(set, c->ways, line + 1u);
    if (way == c->ways) {
        return false;
    }
    to_front(set, way, line + 1u);
    return true;
}
HOT void cache_fill(struct cache *c, uint32_t line)
{
    if (c->ways != 0u) {
        to_front(cache_set(c, line), c->ways - 1u, line + 1u);
    }
}
/* A write passes: a hit is used, or the line is dropped. What is on its way may be older than
 * the write: nobody joins it any more, and it is not kept. */
HOT void cache_write(struct cache *c, uint32_t line, bool evict)
{
    const uint32_t id = mshr_find(&c->mshr, line);
    if (id != NO_MSHR) {
        c->mshr.written[id] = true;
    }
    if (!evict) {
        (void)cache_hit(c, line);
        return;
    }
    uint32_t *const set = cache_set(c, line);
    uint32_t way = way_of(set, c->ways, line + 1u);
    if (way != c->ways) {
        for (; way + 1u < c->ways; way++) {
            set[way] = set[way + 1u];
        }
        set[way] = 0u;
    }
}

#endif
