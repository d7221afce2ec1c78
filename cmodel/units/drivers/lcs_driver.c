/* lcs_driver - kernels whose CTAs start, issue and end, again and again. */

#include <assert.h>

#include "base/random_bits.h"
#include "base/stimulus_driver.h"
#include "units/lcs.h"

/* ---- Legal traffic ------------------------------------------------------------------- */

/* Now and then a slot's CTA starts or ends; seldom one that has none, or has one already. */
static void legal_ctas(const struct lcs *unit, struct lcs_in *in, uint64_t *random)
{
    const uint32_t n = unit->config.n_slot;

    in->started = in->ended = (struct bits){ { 0u } };
    for (uint32_t slot = 0u; slot < n; slot++) {
        const bool there = bits_has(unit->q.started, slot);
        if (random_below(random, there ? 200u : 12u) == 0u) {
            bits_add(&in->started, slot);
        }
        if (random_below(random, there ? 40u * n : 100u) == 0u) {
            bits_add(&in->ended, slot);
        }
    }
    if (random_below(random, 400u) == 0u) {
        in->ended = unit->q.started;
    }
}

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct lcs *const unit = any_unit;
    struct lcs_in *const in = any_in;
    const uint32_t every[] = { 300u, 60u, 6u, 1u }; /* by phase */

    in->restart = random_below(random, every[unit->q.phase]) == 0u || unit->q.n_max == 0u;
    if (random_below(random, 8u) != 0u) {
        in->n_max = 1u + random_below(random, unit->config.n_slot);
    }
    legal_ctas(unit, in, random);
    for (uint32_t k = 0u; k < unit->config.n_scheduler; k++) {
        const bool old = random_below(random, 3u) != 0u; /* greedy: the lowest issue more */
        in->issued_slot[k] = old ? in->issued_slot[k] / 2u : in->issued_slot[k];
    }
}

/* ---- Kernels of each Tmax, with each rounding: CTA s issues every s + 1 cycles -------- */

static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    const struct lcs *const unit = any_unit;
    struct lcs_in *const in = any_in;
    const uint32_t n = unit->config.n_slot;
    const uint64_t kernel_cycles = 4u * n + 40u; /* with Throttle */
    const uint64_t kernel = cycle / kernel_cycles;
    const uint32_t at = (uint32_t)(cycle % kernel_cycles);

    if (kernel >= 3u * (uint64_t)n) {
        return false;
    }
    const uint32_t n_max = 1u + (uint32_t)kernel / 3u;
    assert(n_max > 0u);
    in->restart = at == 0u;
    in->n_max = n_max;
    in->rounding = (uint32_t)kernel % 3u;
    if (at < in->n_max) {
        bits_add(&in->started, at);
    }
    for (uint32_t k = 0u; k < unit->config.n_scheduler; k++) {
        in->issued_slot[k] = (at + k) % n_max;
        in->issued[k] = at % (in->issued_slot[k] + 1u) == 0u ? 1u + k % 2u : 0u;
    }
    if (at == 2u * n + 4u) {
        bits_add(&in->ended, (uint32_t)kernel / 3u / 2u);
    }
    return true;
}

const struct driver lcs_driver = { "lcs", legal, directed };
