/* laperm_set_driver - entries of few thread blocks, in numbers that go up and down, and memory
 * that keeps what was spilled to it. */

#include "base/random_bits.h"
#include "base/stimulus_driver.h"
#include "units/laperm_set.h"

/* ---- Legal traffic --------------------------------------------------------------------- */

/* Mostly few, so that heads come and go. */
static uint32_t few_tbs(const struct laperm_set *unit, uint32_t drawn, uint64_t *random)
{
    const uint32_t most = UINT32_MAX >> (32u - unit->config.tb_w);
    const uint32_t few = most < 3u ? most : 3u;

    return random_below(random, 64u) == 0u ? drawn : 1u + random_below(random, few);
}

/* A level of which memory has an entry, if there is one. */
static uint32_t level_in_memory(const struct laperm_set *unit, uint64_t *random)
{
    const uint32_t n = unit->config.n_level;
    uint32_t level = random_below(random, n);

    for (uint32_t k = 1u; k < n && unit->q.spill[level] == 0u; k++) {
        level = (level + 1u) % n;
    }
    return level;
}

/* For a while the set fills, and for a while it empties: by what was put last in one place. */
static bool fills(const struct laperm_set *unit)
{
    const uint32_t middle = unit->config.n_entry / 2u;

    return (unit->mem.array_stamp[middle] ^ unit->mem.array_payload[middle]) % 2u == 0u;
}

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct laperm_set *const unit = any_unit;
    struct laperm_set_in *const in = any_in;
    struct laperm_set_out out;
    struct laperm_set_next next;

    laperm_set_eval(unit, in, &out, &next);
    in->insert_tbs = few_tbs(unit, in->insert_tbs, random);
    in->insert_level %= unit->config.n_level;
    in->insert_back = in->insert_back && unit->q.asked;
    if (in->insert_back) {
        in->insert_level = level_in_memory(unit, random);
    }
    /* A launch that cannot go on chip goes to memory. */
    in->spill_level = in->insert_level;
    in->spill_valid = in->insert_valid && !in->insert_back
                      && bits_has(out.spills, in->insert_level)
                      && random_below(random, 4u) == 0u;
    in->ask = in->ask && out.want;
    in->draw = in->draw && out.offer && (!fills(unit) || random_below(random, 8u) == 0u);
}

/* ---- Filled from the lowest level to the highest, and from the highest to the lowest ------
 */

static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    const struct laperm_set *const unit = any_unit;
    struct laperm_set_in *const in = any_in;
    const uint32_t n = unit->config.n_level;
    const uint64_t length = 8u * (uint64_t)unit->config.n_entry + 64u;
    const uint64_t round = cycle / length;
    const uint64_t at = cycle % length;
    const bool empties = at >= length / 2u;

    in->insert_valid = !empties || round % 2u == 1u;
    in->insert_level = (uint32_t)(round < 2u ? at * n / length : n - 1u - at * n / length);
    if (round >= 4u) { /* the highest levels among many of the lowest */
        in->insert_level = at % 8u == 7u ? n - 1u : at % 16u == 3u ? n / 2u : 0u;
    }
    in->insert_payload = cycle & (UINT64_MAX >> (64u - unit->config.payload_w));
    in->insert_kernel = (uint32_t)(cycle % unit->config.n_kernel);
    in->insert_tbs = 1u;
    in->insert_stamp = (uint32_t)(cycle & (UINT32_MAX >> (32u - unit->config.stamp_w)));
    in->insert_back = unit->q.asked;
    if (unit->q.asked) {
        in->insert_level = n - 1u;
        while (in->insert_level > 0u && unit->q.spill[in->insert_level] == 0u) {
            in->insert_level--;
        }
    }
    in->spill_valid = !empties && unit->q.chip == unit->config.n_entry && at % 4u == 0u;
    in->spill_level = in->insert_level;
    in->ask = at % 3u == 0u;
    in->draw = empties || (round >= 4u && at % 4u == 0u);
    return round < 6u;
}

const struct driver laperm_set_driver = { "laperm_set", legal, directed };
