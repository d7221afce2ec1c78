/* coalesced_cache_driver - lookups of lines that are there, or were, and inserts of lines
 * that are not. */

#include "base/stimulus_driver.h"
#include "units/coalesced_cache.h"
#include "units/drivers/driver_lines.h"

/* ---- Legal traffic ------------------------------------------------------------------- */

/* One of somewhat more than there are ways, one that differs from another in one bit, or one of
 * many more. */
static uint64_t few_lines(const struct coalesced_cache *unit, uint64_t *random)
{
    const uint32_t line_w = unit->config.line_w;
    const uint32_t n = unit->config.n_line;

    switch (random_below(random, 4u)) {
    case 0u:
        return driver_one_bit(line_w, random);
    case 1u:
        return driver_line(line_w, random_below(random, 8u * (uint64_t)n));
    default:
        return driver_line(line_w, random_below(random, n + UINT64_C(4)));
    }
}

static bool is_here(const struct coalesced_cache *unit, uint64_t line)
{
    for (uint32_t way = 0u; way < unit->config.n_line; way++) {
        if (unit->mem.tag[way] == line && bits_has(unit->q.valid, way)) {
            return true;
        }
    }
    return false;
}

static uint32_t at_place(const struct coalesced_cache *unit, uint32_t place)
{
    uint32_t way = 0u;

    while (unit->q.place[way] != place) {
        way++;
    }
    return way;
}

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct coalesced_cache *const unit = any_unit;
    struct coalesced_cache_in *const in = any_in;
    const uint32_t n = unit->config.n_line;
    const uint32_t places = random_below(random, 2u) == 0u ? n : 1u; /* any, or the end */
    const uint32_t way = at_place(unit, n - 1u - random_below(random, places));

    /* Mostly reads; half of the lookups find a line, many of them the one that goes next. */
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
    in->flush = in->flush && random_below(random, 64u + 4u * n) == 0u;
}

/* ---- A cache that fills, is read, written, filled again, and read -------------------- */

static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    enum { FILL, READ, WRITE, MORE, LAST, PHASES, ROUNDS = 8 };
    const struct coalesced_cache *const unit = any_unit;
    struct coalesced_cache_in *const in = any_in;
    const uint32_t line_w = unit->config.line_w;
    const uint64_t length = unit->config.n_line + 2u;
    const uint64_t round = cycle / (length * PHASES);
    const uint64_t phase = cycle / length % PHASES;
    const uint64_t k = cycle % length;

    in->insert_valid = phase == FILL || (phase == MORE && k % 2u == 0u);
    in->insert_line = driver_line(line_w, (phase == FILL ? k : length + k) + round);
    in->lookup_valid = phase != FILL && (phase != WRITE || k % 3u == 0u);
    in->lookup_line = driver_line(line_w, k * (round + 1u) % length + round);
    in->lookup_write = phase == WRITE;
    in->fifo = round % 2u == 1u;
    in->flush = phase == LAST && k == length - 1u && round % 4u == 3u;
    return round < ROUNDS;
}

const struct driver coalesced_cache_driver = { "coalesced_cache", legal, directed };
