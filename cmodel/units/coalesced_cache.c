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

static uint32_t way_at(const uint32_t *places, uint32_t place)
{
    uint32_t way = 0u;

    while (places[way] != place) {
        way++;
    }
    return way;
}

/* The ways stand in a row: this one goes to its front or its end, the others stay in their
 * order. */
static void move(uint32_t *places, uint32_t n, uint32_t way, bool front)
{
    uint32_t row[coalesced_cache_max_n_line];
    uint32_t place = front ? 1u : 0u;

    for (uint32_t k = 0u; k < n; k++) {
        row[places[k]] = k;
    }
    for (uint32_t k = 0u; k < n; k++) {
        if (row[k] != way) {
            places[row[k]] = place++;
        }
    }
    places[way] = front ? 0u : n - 1u;
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
        move(next->q.place, n, way, false);
        return;
    }
    out->lookup_hit = true;
    out->lookup_way = way;
    if (!in->fifo) {
        move(next->q.place, n, way, true);
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
    const uint32_t way = here < n ? here : way_at(next->q.place, n - 1u);
    out->insert_way = way;
    bits_add(&next->q.valid, way);
    move(next->q.place, n, way, true);
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
    for (uint32_t way = 0u; way < unit->config.n_line; way++) {
        unit->q.place[way] = way;
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
