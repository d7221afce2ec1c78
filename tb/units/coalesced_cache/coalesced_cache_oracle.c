/* coalesced_cache_oracle - the coalesced cache by docs/units/coalesced_cache; see
 * coalesced_cache_oracle.h. */

#include "tb/units/coalesced_cache/coalesced_cache_oracle.h"

void coalesced_cache_oracle_reset(struct coalesced_cache_oracle *oracle)
{
    oracle->n = 0u;
    oracle->now = 0;
    for (uint32_t way = 0u; way < oracle->config.n_line; way++) {
        oracle->used[way] = -(int64_t)way;
    }
}

uint32_t coalesced_cache_oracle_find(const struct coalesced_cache_oracle *oracle, uint64_t line)
{
    uint32_t i = 0u;

    while (i < oracle->n && oracle->kept[i].line != line) {
        i++;
    }
    return i;
}

bool coalesced_cache_oracle_has(const struct coalesced_cache_oracle *oracle, uint64_t line)
{
    return coalesced_cache_oracle_find(oracle, line) < oracle->n;
}

uint32_t coalesced_cache_oracle_oldest(const struct coalesced_cache_oracle *oracle)
{
    uint32_t oldest = 0u;

    for (uint32_t way = 1u; way < oracle->config.n_line; way++) {
        oldest = oracle->used[way] < oracle->used[oldest] ? way : oldest;
    }
    return oldest;
}

static void coalesced_cache_oracle_lookup(struct coalesced_cache_oracle *oracle,
                                          const struct coalesced_cache_in *in,
                                          struct coalesced_cache_out *out)
{
    const uint32_t i = coalesced_cache_oracle_find(oracle, in->lookup_line);

    if (!in->lookup_valid || i == oracle->n) {
        return;
    }
    const uint32_t way = oracle->kept[i].way;
    if (in->lookup_write) { /* the next to go: as if it had been used before all others */
        oracle->used[way] = oracle->used[coalesced_cache_oracle_oldest(oracle)] - 1;
        oracle->kept[i] = oracle->kept[--oracle->n];
    } else {
        out->lookup_hit = true;
        out->lookup_way = way;
        oracle->used[way] = in->fifo ? oracle->used[way] : ++oracle->now;
    }
}

static void coalesced_cache_oracle_insert(struct coalesced_cache_oracle *oracle,
                                          const struct coalesced_cache_in *in,
                                          struct coalesced_cache_out *out)
{
    if (!in->insert_valid) {
        return;
    }
    const uint32_t here = coalesced_cache_oracle_find(oracle, in->insert_line);
    const uint32_t way =
        here < oracle->n ? oracle->kept[here].way : coalesced_cache_oracle_oldest(oracle);

    for (uint32_t i = 0u; i < oracle->n; i++) {
        if (oracle->kept[i].way == way) { /* what was there goes */
            oracle->kept[i] = oracle->kept[--oracle->n];
            break;
        }
    }
    oracle->kept[oracle->n++] = (struct kept_line){ in->insert_line, way };
    oracle->used[way] = ++oracle->now;
    out->insert_way = way;
}

struct coalesced_cache_out coalesced_cache_oracle_cycle(struct coalesced_cache_oracle *oracle,
                                                        const struct coalesced_cache_in *in)
{
    struct coalesced_cache_out out = { .lookup_hit = false };

    coalesced_cache_oracle_lookup(oracle, in, &out);
    coalesced_cache_oracle_insert(oracle, in, &out);
    oracle->n = in->flush ? 0u : oracle->n;
    return out;
}

/* ---- Comparison ---------------------------------------------------------------------- */

static bool coalesced_cache_same_outputs(const struct coalesced_cache_out *a,
                                         const struct coalesced_cache_out *b)
{
    return a->lookup_hit == b->lookup_hit && a->lookup_way == b->lookup_way
           && a->insert_way == b->insert_way;
}

void coalesced_cache_oracle_check(const struct coalesced_cache_oracle *oracle,
                                  const struct coalesced_cache *unit)
{
    const uint32_t n = oracle->config.n_line;

    assert_int_equal(bits_count(unit->q.valid, n), oracle->n);
    for (uint32_t i = 0u; i < oracle->n; i++) {
        assert_true(bits_has(unit->q.valid, oracle->kept[i].way));
        assert_int_equal(unit->mem.tag[oracle->kept[i].way], oracle->kept[i].line);
    }
    for (uint32_t way = 0u; way < n; way++) {
        uint32_t later = 0u;
        for (uint32_t other = 0u; other < n; other++) {
            later += oracle->used[other] > oracle->used[way];
        }
        assert_int_equal(unit->q.place[way], later);
    }
}

struct coalesced_cache_out coalesced_cache_oracle_beside(struct coalesced_cache_oracle *oracle,
                                                         struct coalesced_cache *unit,
                                                         const struct coalesced_cache_in *in)
{
    const struct coalesced_cache_out expected = coalesced_cache_oracle_cycle(oracle, in);
    struct coalesced_cache_out out;
    struct coalesced_cache_next next;

    coalesced_cache_eval(unit, in, &out, &next);
    if (!coalesced_cache_same_outputs(&expected, &out)) {
        check_outputs(&coalesced_cache_type, &unit->config, in, &expected, &out);
    }
    coalesced_cache_tick(unit, &next);
    return out;
}
