/* coalesced_cache - tags and order of the lines kept in a cluster; see coalesced_cache.h. */

#define UNIT_OWN_RESET
#include "units/coalesced_cache.h"

/* ---- Ways ---------------------------------------------------------------------------- */

/* The valid way of a line, n_line if it is not here. Tags are compared first: they rarely
 * agree. */
static uint32_t find(const struct coalesced_cache *unit, struct bits valid, uint64_t line)
{
    const uint32_t n = unit->config.n_line;
    uint32_t way = 0u;

    while (way < n && !(unit->mem.tag[way] == line && bits_has(valid, way))) {
        way++;
    }
    return way;
}

static uint32_t place_of(const uint32_t *order, uint32_t way)
{
    uint32_t place = 0u;

    while (order[place] != way) {
        place++;
    }
    return place;
}

static void move_to_front(uint32_t *order, uint32_t way)
{
    for (uint32_t place = place_of(order, way); place > 0u; place--) {
        order[place] = order[place - 1u];
    }
    order[0] = way;
}

static void move_to_end(uint32_t *order, uint32_t way, uint32_t n)
{
    for (uint32_t place = place_of(order, way); place + 1u < n; place++) {
        order[place] = order[place + 1u];
    }
    order[n - 1u] = way;
}

/* ---- Lookup and insert --------------------------------------------------------------- */

static void lookup(const struct coalesced_cache *unit, const struct coalesced_cache_in *in,
                   struct coalesced_cache_out *out, struct coalesced_cache_next *next)
{
    const uint32_t n = unit->config.n_line;
    const uint32_t way = find(unit, unit->q.valid, in->lookup_line);

    if (!in->lookup_valid || way == n) {
        return;
    }
    if (in->lookup_write) {
        bits_remove(&next->q.valid, way);
        move_to_end(next->q.order, way, n);
        return;
    }
    out->lookup_hit = true;
    out->lookup_way = way;
    if (!in->fifo) {
        move_to_front(next->q.order, way);
    }
}

/* After the lookup: next has what that has done. */
static void insert(const struct coalesced_cache *unit, const struct coalesced_cache_in *in,
                   struct coalesced_cache_out *out, struct coalesced_cache_next *next)
{
    const uint32_t n = unit->config.n_line;

    if (!in->insert_valid) {
        return;
    }
    const uint32_t here = find(unit, next->q.valid, in->insert_line);
    const uint32_t way = here < n ? here : next->q.order[n - 1u];
    out->insert_way = way;
    bits_add(&next->q.valid, way);
    move_to_front(next->q.order, way);
    UNIT_WRITE(&next->tag, way, in->insert_line);
}

void coalesced_cache_eval(const struct coalesced_cache *unit,
                          const struct coalesced_cache_in *in, struct coalesced_cache_out *out,
                          struct coalesced_cache_next *next)
{
    *out = (struct coalesced_cache_out){ .lookup_hit = false };
    coalesced_cache_hold(unit, next);
    lookup(unit, in, out, next);
    insert(unit, in, out, next);
    if (in->flush) {
        next->q.valid = (struct bits){ { 0u } };
    }
}

void coalesced_cache_reset(struct coalesced_cache *unit)
{
    unit->q = (struct coalesced_cache_state){ .valid = { { 0u } } };
    for (uint32_t place = 0u; place < unit->config.n_line; place++) {
        unit->q.order[place] = place;
    }
}

/* A lookup that misses would be quiet too, but to know it takes the lookup. */
bool coalesced_cache_quiet(const struct coalesced_cache *unit,
                           const struct coalesced_cache_in *in)
{
    (void)unit;
    return !in->lookup_valid && !in->insert_valid && !in->flush;
}

void coalesced_cache_count(const struct coalesced_cache *unit,
                           const struct coalesced_cache_in *in,
                           const struct coalesced_cache_out *out,
                           struct coalesced_cache_events *events)
{
    const uint32_t n = unit->config.n_line;
    const bool writes = in->lookup_valid && in->lookup_write;
    const uint64_t old = unit->mem.tag[out->insert_way];

    events->written += writes && find(unit, unit->q.valid, in->lookup_line) < n;
    events->replaced += in->insert_valid && bits_has(unit->q.valid, out->insert_way)
                        && old != in->insert_line && !(writes && old == in->lookup_line);
}

#define UNIT_OWN_COUNT
#define UNIT coalesced_cache
#include "base/unit_define.h"
