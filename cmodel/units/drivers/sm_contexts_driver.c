/* sm_contexts_driver - needs that stay, CTAs that start where there is room, and end. */

#include "base/random_bits.h"
#include "base/stimulus_driver.h"
#include "units/sm_contexts.h"

static uint32_t most(uint32_t width)
{
    return (1u << width) - 1u;
}

/* What a slot's CTAs need: some of the whole, another part for each slot; now and then none. */
static uint32_t need_of(uint32_t width, uint32_t slot, uint32_t resource)
{
    const uint32_t hash = (slot * 4u + resource + 1u) * 2654435761u;
    const uint32_t part = most(width) >> (1u + (hash >> 30) + resource % 2u);

    return (hash >> 26 & 7u) == 0u ? 0u : part / 2u + (hash >> 8) % (part / 2u + 1u) + 1u;
}

static void steady(const struct sm_contexts *unit, struct sm_contexts_in *in)
{
    const struct sm_contexts_config *const config = &unit->config;

    for (uint32_t k = 0u; k < config->n_kernel; k++) {
        in->need_registers[k] = need_of(config->register_w, k, 0u);
        in->need_shared[k] = need_of(config->shared_w, k, 1u);
        in->need_warps[k] = need_of(config->warp_w, k, 2u);
    }
    in->have_registers = most(config->register_w);
    in->have_shared = most(config->shared_w);
    in->have_warps = most(config->warp_w);
    in->have_ctas = most(config->cta_w) / 2u + 1u;
}

/* ---- Legal traffic ------------------------------------------------------------------- */

/* A slot that has CTAs, if there is one: the next after any. */
static uint32_t some_resident(const struct sm_contexts *unit, uint64_t *random)
{
    const uint32_t n = unit->config.n_kernel;
    uint32_t slot = random_below(random, n);

    for (uint32_t i = 1u; i < n && unit->q.resident[slot] == 0u; i++) {
        slot = (slot + 1u) % n;
    }
    return slot;
}

/* Mostly a block where there is room; now and then CTAs without any, or of any slot. */
static void legal_start(const struct sm_contexts *unit, struct sm_contexts_in *in,
                        uint64_t *random)
{
    const bool fits = !unit->q.begin && !unit->q.walk && unit->q.contexts >= in->block;

    in->started_kernel = unit->q.kernel;
    if (fits && random_below(random, 3u) == 0u) {
        in->started = in->block;
    } else if (random_below(random, 96u) == 0u) {
        in->started %= 5u;
        in->started_kernel = random_below(random, unit->config.n_kernel);
    } else {
        in->started = 0u;
    }
}

static void legal_end(const struct sm_contexts *unit, struct sm_contexts_in *in,
                      uint64_t *random)
{
    const uint32_t slot =
        random_below(random, 2u) == 0u ? unit->q.kernel : some_resident(unit, random);
    const uint32_t there = unit->q.resident[slot];

    if (random_below(random, 200u) == 0u) {
        return; /* any number, of any slot */
    }
    in->ended_kernel = slot;
    in->ended = there == 0u ? 0u : 1u + in->ended % (there < 3u ? there : 3u);
}

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct sm_contexts *const unit = any_unit;
    struct sm_contexts_in *const in = any_in;

    if (random_below(random, 100u) != 0u) {
        steady(unit, in);
    }
    in->kernel = random_below(random, 80u) == 0u ? in->kernel : unit->q.kernel;
    in->block = random_below(random, 40u) == 0u ? in->block : 1u << (unit->q.kernel % 3u);
    in->recount = in->recount && random_below(random, 60u) == 0u;
    legal_start(unit, in, random);
    legal_end(unit, in, random);
    /* A walk is seldom disturbed, so that it comes to its end. */
    if (random_below(random, unit->q.walk ? 2u * most(unit->config.cta_w) : 4u) != 0u) {
        in->ended = 0u;
        in->started = unit->q.walk ? 0u : in->started;
    }
}

/* ---- Each slot's contexts are counted, taken and given back -------------------------- */

static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    const struct sm_contexts *const unit = any_unit;
    struct sm_contexts_in *const in = any_in;
    const uint64_t phase = most(unit->config.cta_w) + 5u;
    const uint32_t slot = (uint32_t)(cycle / (4u * phase));
    const uint64_t at = cycle % (4u * phase);

    if (slot >= unit->config.n_kernel) {
        return false;
    }
    steady(unit, in);
    in->kernel = in->started_kernel = in->ended_kernel = slot;
    in->block = 1u;
    in->recount = at == 0u || at == 2u * phase; /* of an empty SM, and of a full one */
    if (at >= phase && at < 2u * phase) {
        in->started = unit->q.contexts != 0u;
    }
    if (at >= 3u * phase) {
        in->ended = unit->q.resident[slot] != 0u;
    }
    return true;
}

const struct driver sm_contexts_driver = { "sm_contexts", legal, directed };
