/* cta_scheduler_driver - legal traffic for the CTA scheduler, and grids of every policy. */

#include "base/stimulus_driver.h"
#include "units/drivers/dispatch_driver.h"

/* ---- Legal traffic ------------------------------------------------------------------- */

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct cta_scheduler *const unit = any_unit;
    struct cta_scheduler_in *const in = any_in;

    in->kernel = some_slot(unit, in->kernel, random);
    in->dispatch_withdraw = random_below(random, 16u) == 0u;
    in->launch_kernel %= unit->config.n_kernel;
    in->launch_ctas = some_ctas(&unit->config, in->launch_ctas, random);
    in->launch_block %= 3u;
    in->launch_sms = some_sms(&unit->config, in->launch_sms, random);
    /* A slot in use is launched anew only when it is empty; now and then its SMs change. */
    const bool ready = bits_has(unit->q.ready, in->launch_kernel);
    in->launch_keep = ready && random_below(random, 4u) == 0u;
    if (ready && !in->launch_keep && !is_empty(unit, in->launch_kernel)) {
        in->launch_valid = false;
    }
}

/* ---- A grid of each policy and block, on SMs that take their time -------------------- */

/* CTAs stay for a while: an SM has room in one of four cycles, each at other times. */
static struct bits some_room(const struct cta_scheduler *unit, uint64_t cycle)
{
    struct bits room = { { 0u } };

    for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
        if ((cycle / 2u + (uint64_t)sm * (sm + 3u)) % 4u == 0u) {
            bits_add(&room, sm);
        }
    }
    return room;
}

/* Then, in the place of a grid of each block, one whose pools begin just below 2^16 and its
 * multiples. */
static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    enum { POLICIES = 4, BLOCKS = 3, STEALS = 2, PLAIN = POLICIES * BLOCKS * STEALS };
    const struct cta_scheduler *const unit = any_unit;
    struct cta_scheduler_in *const in = any_in;
    const uint32_t ctas = layers(&unit->config), wide = wide_grid(&unit->config, 65533u);
    const uint64_t latency = 3u + unit->config.cta_w + unit->config.n_cluster;
    const uint64_t length = latency + 8u * (uint64_t)ctas + 40u;
    const uint32_t grid = (uint32_t)(cycle / length);

    in->launch_valid = cycle % length == 0u;
    in->launch_ctas = grid >= PLAIN && wide != 0u ? wide : ctas;
    in->launch_policy = grid < PLAIN ? grid % POLICIES : CTA_DISTRIBUTED;
    in->launch_block = grid < PLAIN ? grid / POLICIES % BLOCKS : grid - PLAIN;
    in->launch_steal = grid / (POLICIES * BLOCKS) % STEALS;
    in->launch_kernel = (grid + grid / POLICIES) % unit->config.n_kernel;
    in->launch_sms = bits_below(unit->config.n_sm);
    in->pool_ready = cycle % 3u != 0u;
    in->kernel = in->launch_kernel;
    in->room = cycle % length < latency + unit->config.n_sm ? bits_below(unit->config.n_sm)
                                                            : some_room(unit, cycle);
    in->limit = bits_below(unit->config.n_sm);
    in->dispatch_ready = cycle % 5u != 0u;
    in->dispatch_withdraw = false;
    return grid < PLAIN + BLOCKS;
}

const struct driver cta_scheduler_driver = { "cta_scheduler", legal, directed };
