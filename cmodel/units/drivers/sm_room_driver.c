/* sm_room_driver - kernels that are launched, get CTAs where there is room, and end. */

#include "base/random_bits.h"
#include "base/stimulus_driver.h"
#include "units/sm_room.h"

static uint32_t most(uint32_t width)
{
    return (1u << width) - 1u;
}

static void whole(const struct sm_room *unit, struct sm_room_in *in)
{
    in->have_registers = most(unit->config.register_w);
    in->have_shared = most(unit->config.shared_w);
    in->have_warps = most(unit->config.warp_w);
    in->have_ctas = most(unit->config.cta_w) / 2u + 1u;
}

/* An eighth to a half of what an SM has. */
static uint32_t part(uint32_t width, uint32_t drawn)
{
    return most(width) >> (1u + drawn % 3u);
}

/* ---- Legal traffic ------------------------------------------------------------------- */

/* Mostly on an SM that has room; now and then on any, also on one that there is not. */
static void legal_start(const struct sm_room *unit, struct sm_room_in *in, uint64_t *random)
{
    const uint32_t sm = random_below(random, unit->config.n_sm);
    const struct sm_contexts_state *const q = &unit->contexts[sm].q;
    const bool fits =
        !q->begin && !q->walk && q->kernel == in->kernel && q->contexts >= in->block;

    if (random_below(random, 200u) == 0u) {
        return;
    }
    in->started_sm = sm;
    in->started_kernel = in->kernel;
    in->started = fits ? in->block : 0u;
}

/* Of each SM seldom, so that counts come to their end. */
static void legal_ends(const struct sm_room *unit, struct sm_room_in *in, uint64_t *random)
{
    const uint32_t every = 2u * most(unit->config.cta_w);

    for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
        const struct sm_contexts_state *const q = &unit->contexts[sm].q;
        const uint32_t slot = random_below(random, unit->config.n_kernel);
        const uint32_t there = q->resident[slot];
        if (random_below(random, 400u) != 0u) {
            const bool ends = there != 0u && random_below(random, every) < (q->walk ? 1u : 4u);
            in->ended_kernel[sm] = slot;
            in->ended[sm] = ends ? 1u + in->ended[sm] % (there < 3u ? there : 3u) : 0u;
        }
    }
}

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct sm_room *const unit = any_unit;
    struct sm_room_in *const in = any_in;

    whole(unit, in);
    in->launch_valid = in->launch_valid && random_below(random, 100u) == 0u;
    if (random_below(random, 8u) != 0u) { /* or needs that no SM may have */
        in->launch_registers = part(unit->config.register_w, in->launch_registers);
        in->launch_shared = part(unit->config.shared_w, in->launch_shared);
        in->launch_warps = part(unit->config.warp_w, in->launch_warps);
    }
    in->kernel = random_below(random, 100u) == 0u ? in->kernel : unit->contexts[0].q.kernel;
    in->block = random_below(random, 50u) == 0u ? in->block : 1u << (in->kernel % 3u);
    legal_start(unit, in, random);
    legal_ends(unit, in, random);
}

/* ---- Each slot is launched, fills all SMs, and ends ---------------------------------- */

static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    const struct sm_room *const unit = any_unit;
    struct sm_room_in *const in = any_in;
    const uint64_t phase = most(unit->config.cta_w) + unit->config.n_sm + 8u;
    const uint32_t slot = (uint32_t)(cycle / (3u * phase));
    const uint64_t at = cycle % (3u * phase);
    const uint32_t sm = (uint32_t)(at % unit->config.n_sm);

    if (slot >= unit->config.n_kernel) {
        return false;
    }
    whole(unit, in);
    in->launch_valid = at == 0u;
    in->kernel = in->launch_kernel = in->started_kernel = slot;
    in->launch_registers = part(unit->config.register_w, slot);
    in->launch_shared = part(unit->config.shared_w, slot + 1u);
    in->launch_warps = part(unit->config.warp_w, slot + 2u);
    in->block = 1u;
    if (at >= phase && at < 2u * phase) {
        in->started_sm = sm;
        in->started = unit->contexts[sm].q.contexts != 0u;
    }
    for (uint32_t s = 0u; s < unit->config.n_sm; s++) {
        in->ended_kernel[s] = slot;
        in->ended[s] = at >= 2u * phase && unit->contexts[s].q.resident[slot] != 0u;
    }
    return true;
}

const struct driver sm_room_driver = { "sm_room", legal, directed };
