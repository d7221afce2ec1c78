/* work_distributor_driver - legal traffic for the work distributor, and grids of every policy
 * with and without credits. */

#include "base/stimulus_driver.h"
#include "units/drivers/dispatch_driver.h"
#include "units/work_distributor.h"

/* ---- Legal traffic ------------------------------------------------------------------- */

/* A grid, mostly with the paper's levels. */
static void legal_launch(const struct work_distributor *unit, struct work_distributor_in *in,
                         uint64_t *random)
{
    const struct work_distributor_config *const config = &unit->config;

    in->launch_ctas = some_ctas(&unit->scheduler.config, in->launch_ctas, random);
    in->launch_block %= 3u;
    if (random_below(random, 4u) != 0u) {
        in->launch_active = random_below(random, 4u) % (1u << config->level_w);
        in->launch_loose = random_below(random, 3u) % (1u << config->level_w);
    }
    in->launch_sms = some_sms(&unit->scheduler.config, in->launch_sms, random);
}

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct work_distributor *const unit = any_unit;
    struct work_distributor_in *const in = any_in;

    in->kernel = some_slot(&unit->scheduler, in->kernel, random);
    in->launch_kernel %= unit->config.n_kernel;
    legal_launch(unit, in, random);
    /* A slot in use is launched anew only when it is empty; now and then its SMs change. */
    const bool ready = bits_has(unit->scheduler.q.ready, in->launch_kernel);
    in->launch_keep = ready && random_below(random, 4u) == 0u;
    if (ready && !in->launch_keep && !is_empty(&unit->scheduler, in->launch_kernel)) {
        in->launch_valid = false;
    }
}

/* ---- A grid of each policy, block and level, on SMs that mostly have room ------------ */

static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    enum { POLICIES = 4, BLOCKS = 3, ACTIVES = 3 };
    const struct work_distributor *const unit = any_unit;
    struct work_distributor_in *const in = any_in;
    const uint32_t ctas = layers(&unit->scheduler.config);
    const uint64_t latency =
        (3u + (uint64_t)unit->config.cta_w) * (2u + unit->config.n_cluster);
    const uint64_t length = latency + 3u * (uint64_t)ctas;
    const uint32_t grid = (uint32_t)(cycle / length);

    in->launch_valid = cycle % length == 0u;
    in->launch_ctas = ctas;
    in->launch_policy = grid % POLICIES;
    in->launch_block = grid / POLICIES % BLOCKS;
    in->launch_active = grid / (POLICIES * BLOCKS) % (1u << unit->config.level_w);
    in->launch_kernel = (grid + grid / POLICIES) % unit->config.n_kernel;
    in->launch_sms = bits_below(unit->config.n_sm);
    in->kernel = in->launch_kernel;
    in->room = bits_below(unit->config.n_sm);
    bits_remove(&in->room, (uint32_t)(cycle / 4u % (unit->config.n_sm + 1u)));
    in->limit = bits_below(unit->config.n_sm);
    in->dispatch_ready = cycle % 5u != 0u;
    return grid < POLICIES * BLOCKS * ACTIVES;
}

const struct driver work_distributor_driver = { "work_distributor", legal, directed };
