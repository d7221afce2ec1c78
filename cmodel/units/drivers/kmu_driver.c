/* kmu_driver - kernels that come while the distributor has no entry, and go while it has; and a
 * memory that answers what it is asked, with any link. */

#include "base/random_bits.h"
#include "base/stimulus_driver.h"
#include "units/kmu.h"

/* A read has been taken and not answered. */
static bool is_asked(const struct kmu *unit)
{
    return unit->q.reading && (!unit->q.link_valid || unit->q.link_write);
}

/* ---- Legal traffic --------------------------------------------------------------------- */

/* For a while queues fill, and for a while they empty: by a link that seldom changes. */
static bool fills(const struct kmu *unit)
{
    return (unit->mem.head[0] ^ unit->mem.tail[0]) % 2u == 0u;
}

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct kmu *const unit = any_unit;
    struct kmu_in *const in = any_in;

    in->arrive_sm %= unit->config.n_sm;
    in->arrive_valid = in->arrive_valid && (fills(unit) || random_below(random, 16u) == 0u);
    in->room = in->room && (!fills(unit) || random_below(random, 8u) == 0u);
    in->answer_valid = in->answer_valid && is_asked(unit);
}

/* ---- All queues are filled and emptied, with each mode ---------------------------------- */

static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    const struct kmu *const unit = any_unit;
    struct kmu_in *const in = any_in;
    const uint32_t n = unit->config.n_sm;
    const uint64_t length = 32u * (uint64_t)n * unit->config.n_level + 128u;
    const uint64_t round = cycle / length;
    const uint64_t at = cycle % length;
    const uint64_t number = at / 4u; /* an arrival takes 4 cycles */
    const bool empties = at >= length / 2u;

    in->mode = (uint32_t)(round % 4u);
    in->arrive_valid = !empties || round == 4u;
    in->arrive_host = number % (n + 1u) == n;
    in->arrive_sm = in->arrive_host ? 0u : (uint32_t)(number % (n + 1u));
    in->arrive_parent = (uint32_t)(number / (n + 1u) % (unit->config.n_level + 1u));
    in->arrive_handle = (uint32_t)(number & (UINT32_MAX >> (32u - unit->config.handle_w)));
    in->link_ready = round != 3u || at % 3u == 0u;
    in->answer_valid = is_asked(unit);
    in->answer_data = unit->q.new_link;
    in->room = empties || round == 4u;
    in->grant_ready = true;
    return round < 5u;
}

const struct driver kmu_driver = { "kmu", legal, directed };
