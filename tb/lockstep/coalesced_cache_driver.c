/* coalesced_cache_driver - lookups of lines that are there, or were, and inserts of lines
 * that are not. */

#include "coalesced_cache.h"
#include "driver.h"
#include "random_bits.h"

/* Line k: different ones for different k, as far as there are so many. */
static uint64_t line_of(const struct coalesced_cache *unit, uint64_t k)
{
    return k * UINT64_C(0x9E3779B97F4A7C15) & (UINT64_MAX >> (64u - unit->config.line_w));
}

/* ---- Legal traffic --------------------------------------------------------- */

/* One of somewhat more than there are ways, or one that differs from another in one bit. */
static uint64_t few_lines(const struct coalesced_cache *unit, uint64_t *random)
{
    if (random_below(random, 4u) == 0u) {
        return UINT64_C(1) << random_below(random, unit->config.line_w);
    }
    return line_of(unit, random_below(random, unit->config.n_line + 4u));
}

static bool is_here(const struct coalesced_cache *unit, uint64_t line)
{
    for (uint32_t way = 0u; way < unit->config.n_line; way++) {
        if (bits_has(unit->q.valid, way) && unit->mem.tag[way] == line) {
            return true;
        }
    }
    return false;
}

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct coalesced_cache *const unit = any_unit;
    struct coalesced_cache_in *const in = any_in;
    const uint32_t way = random_below(random, unit->config.n_line);

    /* Mostly reads; half of the lookups find a line. */
    in->lookup_line = few_lines(unit, random);
    if (bits_has(unit->q.valid, way) && random_below(random, 2u) == 0u) {
        in->lookup_line = unit->mem.tag[way];
    }
    in->lookup_write = in->lookup_write && random_below(random, 4u) == 0u;

    /* What is here is not inserted, unless it goes in this cycle. */
    const bool goes = in->lookup_valid && in->lookup_write;
    in->insert_line =
        random_below(random, 4u) == 0u ? in->lookup_line : few_lines(unit, random);
    if (is_here(unit, in->insert_line) && !(goes && in->insert_line == in->lookup_line)) {
        in->insert_valid = false;
    }
    in->flush = in->flush && random_below(random, 64u) == 0u;
}

/* ---- A cache that fills, is read, written, filled again, and read --------------- */

static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    enum { FILL, READ, WRITE, MORE, LAST, PHASES, ROUNDS = 8 };
    const struct coalesced_cache *const unit = any_unit;
    struct coalesced_cache_in *const in = any_in;
    const uint64_t length = unit->config.n_line + 2u;
    const uint64_t round = cycle / (length * PHASES);
    const uint64_t phase = cycle / length % PHASES;
    const uint64_t k = cycle % length;

    in->insert_valid = phase == FILL || (phase == MORE && k % 2u == 0u);
    in->insert_line = line_of(unit, (phase == FILL ? k : length + k) + round);
    in->lookup_valid = phase != FILL && (phase != WRITE || k % 3u == 0u);
    in->lookup_line = line_of(unit, k * (round + 1u) % length + round);
    in->lookup_write = phase == WRITE;
    in->fifo = round % 2u == 1u;
    in->flush = phase == LAST && k == length - 1u && round % 4u == 3u;
    return round < ROUNDS;
}

const struct driver coalesced_cache_driver = { "coalesced_cache", legal, directed };
