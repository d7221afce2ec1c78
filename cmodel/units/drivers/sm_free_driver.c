/* sm_free_driver - kernels that are launched, whose CTAs start where they fit, and end. */

#include "base/random_bits.h"
#include "base/stimulus_driver.h"
#include "units/sm_free.h"

static uint32_t most(uint32_t width)
{
    return (1u << width) - 1u;
}

/* Each SM has these, in every cycle: a driver remembers nothing. */
static void whole(const struct sm_free *unit, struct sm_free_in *in)
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

static bool fits(const struct sm_free *unit, uint32_t sm, uint32_t slot)
{
    const struct sm_free_state *const q = &unit->q;

    return q->registers[sm] >= q->need_registers[slot] && q->shared[sm] >= q->need_shared[slot]
           && q->warps[sm] >= q->need_warps[slot] && q->ctas[sm] != 0u;
}

/* A CTA of the slot may be on the SM: what is taken is as much as it needs. */
static bool may_be_there(const struct sm_free *unit, const struct sm_free_in *in, uint32_t sm,
                         uint32_t slot)
{
    const struct sm_free_state *const q = &unit->q;

    return q->registers[sm] + q->need_registers[slot] <= in->have_registers
           && q->shared[sm] + q->need_shared[slot] <= in->have_shared
           && q->warps[sm] + q->need_warps[slot] <= in->have_warps
           && q->ctas[sm] < in->have_ctas;
}

/* ---- Legal traffic ------------------------------------------------------------------- */

/* Where it fits; now and then anywhere, also on an SM that there is not. */
static void legal_start(const struct sm_free *unit, struct sm_free_in *in, uint64_t *random)
{
    if (random_below(random, 400u) == 0u) {
        return;
    }
    in->started_sm = random_below(random, unit->config.n_sm);
    in->started_kernel = random_below(random, unit->config.n_kernel);
    in->started =
        random_below(random, 4u) != 0u && fits(unit, in->started_sm, in->started_kernel);
}

/* Of each SM as often as one starts there, for a while; then seldom, so that SMs fill up. */
static void legal_ends(const struct sm_free *unit, struct sm_free_in *in, uint64_t *random)
{
    const uint32_t every = unit->config.n_sm * (1u + unit->q.need_warps[0] % 4u);

    for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
        const uint32_t slot = random_below(random, unit->config.n_kernel);
        bits_remove(&in->ended, sm);
        in->ended_kernel[sm] = slot;
        if (random_below(random, every) == 0u && may_be_there(unit, in, sm, slot)) {
            bits_add(&in->ended, sm);
        }
    }
}

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct sm_free *const unit = any_unit;
    struct sm_free_in *const in = any_in;

    whole(unit, in);
    in->launch_valid = in->launch_valid && random_below(random, 20u) == 0u;
    if (random_below(random, 8u) != 0u) { /* or needs that no SM may have */
        in->launch_registers = part(unit->config.register_w, in->launch_registers);
        in->launch_shared = part(unit->config.shared_w, in->launch_shared);
        in->launch_warps = part(unit->config.warp_w, in->launch_warps);
    }
    legal_start(unit, in, random);
    legal_ends(unit, in, random);
}

/* ---- Each slot is launched, fills all SMs, and ends ---------------------------------- */

static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    const struct sm_free *const unit = any_unit;
    struct sm_free_in *const in = any_in;
    const uint64_t fill =
        UINT64_C(8) * unit->config.n_sm; /* of a CTA that needs an eighth of an SM */
    const uint64_t phase = fill + 12u;
    const uint32_t slot = (uint32_t)(cycle / phase);
    const uint64_t at = cycle % phase;

    if (slot >= unit->config.n_kernel) {
        return false;
    }
    whole(unit, in);
    in->launch_valid = at == 1u;
    in->kernel = in->launch_kernel = in->started_kernel = slot;
    in->launch_registers = part(unit->config.register_w, slot);
    in->launch_shared = part(unit->config.shared_w, slot + 1u);
    in->launch_warps = part(unit->config.warp_w, slot + 2u);
    in->started_sm = (uint32_t)(at % unit->config.n_sm);
    in->started = at >= 2u && at < fill + 2u && fits(unit, in->started_sm, slot);
    in->ended = (struct bits){ { 0u } };
    for (uint32_t sm = 0u; sm < unit->config.n_sm && at >= fill + 2u; sm++) {
        in->ended_kernel[sm] = slot;
        if (may_be_there(unit, in, sm, slot)) {
            bits_add(&in->ended, sm);
        }
    }
    return true;
}

const struct driver sm_free_driver = { "sm_free", legal, directed };
