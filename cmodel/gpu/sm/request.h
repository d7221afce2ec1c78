/* request - how a cache of an SM asks for a line that it does not have: the load/store unit's
 * caches and that of instructions alike. */

#ifndef REQUEST_H
#define REQUEST_H

#include "gpu/mem/cache.h"
#include "gpu/sm/sm_parts.h"

HOT void send(struct gpu *g, struct sm *m, struct packet p, struct share *of, uint64_t t)
{
    p.of = of;
    p.sm = (uint16_t)m->id;
    queue_push(&m->miss_queue, p);
    g->cluster[m->cluster].asking |= BIT(m->in_cluster);
    g->inflight++;
    wake_cluster(g, m->cluster, t + 1u);
}

/* The cache that a read goes to. */
HOT enum cache_path path_of(const struct ldst_entry *e)
{
    return e->op == OP_LOAD ? PATH_L1 : e->op == OP_CONSTANT ? PATH_CONSTANT : PATH_TEXTURE;
}

/* What the cache asks the L2 for. Its line may be a part of one of the L2. */
HOT uint32_t sectors_of(const struct gpu *g, const struct cache *c, uint32_t line,
                        uint32_t missing)
{
    if (c->shift == 0u) {
        return missing;
    }
    const uint32_t part = (uint32_t)(line & (BIT(c->shift) - 1u));
    const uint32_t quarters = c->shift < 2u ? 3u : 1u;
    return g->sectors_of[quarters << (4u * part >> c->shift)];
}

/* Constants have a second level, which keeps lines of the L2. Has it this one? Then it comes.
 */
COLD static bool second_level(const struct gpu *g, struct sm *m, uint32_t line, uint32_t mshr,
                              uint64_t t)
{
    if (m->l15.ways == 0u || cache_misses(&m->l15, line, 15u) != 0u) {
        return false;
    }
    event_push(m, t, g->config.constant.l15_latency, EVENT_CONSTANT, mshr);
    return true;
}
HOT bool whole_line(const struct sm *m, uint32_t path)
{
    return UNLIKELY(path == PATH_CONSTANT) && m->l15.ways != 0u;
}

/* A read of these quarters of a line, which are missing: it joins an MSHR, or takes one and
 * sends p. Returns LDST_BUSY and the MSHR, or what there is no room in. */
HOT uint32_t read_missing(struct gpu *g, struct sm *m, uint32_t line, uint32_t missing,
                          struct packet p, struct share *of, uint32_t *id, uint64_t t)
{
    const uint32_t path = p.path;
    struct cache *const c = &m->cache[path];
    *id = mshr_find(&c->mshr, line, missing);
    if (*id != NO_MSHR) {
        if (c->mshr.n[*id] == c->merges || c->mshr.written[*id]) {
            return LDST_MERGE;
        }
        c->merge++;
        of->merge[path]++;
        return LDST_BUSY;
    }
    if (c->mshr.n_free == 0u) {
        return LDST_MSHR;
    }
    if (queue_full(&m->miss_queue)) {
        return LDST_QUEUE;
    }
    *id = mshr_take(&c->mshr, line, missing, t);
    c->mshr.busy[*id] = busy_before(m, t, g->each);
    c->miss++;
    of->miss[path]++;
    p.line = c->first + (line >> c->shift);
    if (UNLIKELY(path == PATH_CONSTANT) && second_level(g, m, p.line, *id, t)) {
        return LDST_BUSY;
    }
    p.part = (uint8_t)(line & (BIT(c->shift) - 1u));
    p.type = READ;
    p.size = SIZE_READ;
    p.sectors = whole_line(m, path) ? 15u : sectors_of(g, c, line, missing) & 15u;
    send(g, m, p, of, t);
    return LDST_BUSY;
}

#endif
