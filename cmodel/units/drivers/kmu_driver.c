/* kmu_driver - kernels that come while the distributor has no entry, and go while it has; and a
 * memory that answers what it is asked, with any link. */

#include "base/random_bits.h"
#include "base/stimulus_driver.h"
#include "units/kmu.h"

static bool has_kernels(const struct kmu *unit, uint32_t queue)
{
    const uint32_t n_level = unit->config.n_level;

    if (queue == 0u) {
        return unit->q.first_waits;
    }
    return (unit->q.waits[(queue - 1u) / n_level] >> (queue - 1u) % n_level & 1u) != 0u;
}

/* Kernels of a queue between two of its counts, which wrap. */
static uint32_t between(const struct kmu *unit, uint64_t first, uint64_t behind)
{
    return (uint32_t)(behind - first) % (UINT32_C(2) << unit->config.handle_w);
}

/* Reads of a queue that memory has taken and not answered. */
static uint32_t asked(const struct kmu *unit, uint32_t queue)
{
    const struct kmu_state *const q = &unit->q;
    const uint32_t most = UINT32_C(1) << unit->config.near_w;

    if (!has_kernels(unit, queue)) {
        return 0u;
    }
    const uint32_t waits = between(unit, unit->mem.taken[queue], unit->mem.put[queue]);
    const uint32_t near = waits < most ? waits : most;
    const bool in_register =
        q->link_valid && q->link_queue == queue && (!q->link_write || q->again);
    return near - between(unit, unit->mem.taken[queue], unit->mem.come[queue]) - in_register;
}

/* The first queue, from one on, of which memory can answer a read. */
static bool next_asked(const struct kmu *unit, uint32_t from, uint32_t *queue)
{
    const uint32_t n = unit->config.n_sm * unit->config.n_level + 1u;

    for (uint32_t k = 0u; k < n && unit->q.reads != 0u; k++) {
        *queue = (from + k) % n;
        if (asked(unit, *queue) != 0u) {
            return true;
        }
    }
    return false;
}

/* ---- Legal traffic --------------------------------------------------------------------- */

/* For a while queues fill, and for a while they empty. */
static bool fills(const struct kmu *unit)
{
    return unit->mem.put[0] / 16u % 2u == 0u;
}

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct kmu *const unit = any_unit;
    struct kmu_in *const in = any_in;

    in->arrive_sm %= unit->config.n_sm;
    in->arrive_valid = in->arrive_valid && (fills(unit) || random_below(random, 16u) == 0u);
    in->room = in->room && (!fills(unit) || random_below(random, 8u) == 0u);
    in->answer_valid =
        in->answer_valid && next_asked(unit, random_below(random, 1024u), &in->answer_queue);
}

/* ---- All queues are filled and emptied, with each mode; then one again and again --------- */

/* Kernels come before those in front have come from memory. */
static void about_near(const struct kmu *unit, struct kmu_in *in, uint64_t at)
{
    in->arrive_valid = at % 128u < 96u;
    in->arrive_host = true;
    in->link_ready = true;
    in->answer_valid = at % 16u == 15u && next_asked(unit, 0u, &in->answer_queue);
    in->room = at % 128u >= 64u;
    in->grant_ready = true;
}

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

    if (round == 5u) {
        about_near(unit, in, at);
        return true;
    }
    in->mode = (uint32_t)(round % 4u);
    in->arrive_valid = !empties || round == 4u;
    in->arrive_host = number % (n + 1u) == n;
    in->arrive_sm = in->arrive_host ? 0u : (uint32_t)(number % (n + 1u));
    in->arrive_parent = (uint32_t)(number / (n + 1u) % (unit->config.n_level + 1u));
    in->arrive_handle = (uint32_t)(number & (UINT32_MAX >> (32u - unit->config.handle_w)));
    in->link_ready = round != 3u || at % 3u == 0u;
    in->answer_valid = cycle % 2u == 0u && next_asked(unit, (uint32_t)at, &in->answer_queue);
    in->answer_data = unit->q.new_link;
    in->room = empties || round == 4u;
    in->grant_ready = true;
    return round < 5u;
}

const struct driver kmu_driver = { "kmu", legal, directed };
