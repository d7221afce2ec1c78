/* dyncta_driver - periods that end, and thresholds that are reached. */

#include "base/random_bits.h"
#include "base/stimulus_driver.h"
#include "units/dyncta.h"

static uint32_t at_most(uint32_t value, uint32_t bits)
{
    const uint32_t most = UINT32_MAX >> (32u - bits);

    return value < most ? value : most;
}

/* ---- Legal traffic --------------------------------------------------------------------- */

/* What a period is likely to sum up to, or any number. */
static uint32_t threshold(const struct dyncta *unit, uint32_t any, uint64_t *random)
{
    return random_below(random, 16u) == 0u
               ? any
               : at_most((uint32_t)random_below(random, 48u), unit->config.count_w);
}

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct dyncta *const unit = any_unit;
    struct dyncta_in *const in = any_in;

    in->restart = in->restart && random_below(random, 100u) == 0u;
    in->paused = in->paused && random_below(random, 4u) == 0u;
    if (random_below(random, 1000u) != 0u) { /* or all of it */
        in->period = at_most(in->period % 13u, unit->config.count_w);
    }
    in->t_idle = threshold(unit, in->t_idle, random);
    in->t_mem_low = threshold(unit, in->t_mem_low, random);
    in->t_mem_high = threshold(unit, in->t_mem_high, random);
}

/* ---- Up to the most CTAs, down to 1, and back ------------------------------------------ */

/* An SM that waits for memory falls, one that does not rises, and so does one that is idle. */
static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    enum { PERIOD = 5, PERIODS = 70, KERNELS = 8 };
    const struct dyncta *const unit = any_unit;
    struct dyncta_in *const in = any_in;
    const uint64_t length = 1u + 3u * PERIODS * PERIOD;
    const uint64_t at = cycle % length;
    const uint32_t walk = (uint32_t)(at / ((uint64_t)PERIODS * PERIOD));
    const uint32_t kernel = (uint32_t)(cycle / length);

    in->restart = at == 0u;
    in->n_max = at_most(63u - kernel * 9u, unit->config.cta_w);
    in->period = at_most(PERIOD, unit->config.count_w);
    in->t_idle = at_most(10u, unit->config.count_w);
    in->t_mem_low = at_most(5u, unit->config.count_w) - kernel % 2u;
    in->t_mem_high = at_most(5u, unit->config.count_w) - kernel % 2u;
    in->memory = walk == 1u ? 2u : walk == 0u ? 0u : 4u;
    in->idle = walk == 2u ? 3u : 1u;
    in->paused = at % 29u == 17u;
    return kernel < KERNELS;
}

const struct driver dyncta_driver = { "dyncta", legal, directed };
