/* claso_driver - legal traffic for CLASO, and the paper's case study. */

#include "base/random_bits.h"
#include "base/stimulus_driver.h"
#include "units/claso.h"

/* ---- Legal traffic ------------------------------------------------------------------- */

/* Mostly grids that are soon issued, at times any number the inputs made. */
static uint32_t legal_ctas(const struct claso *unit, uint32_t drawn, uint64_t *random)
{
    const uint64_t most = (UINT64_C(1) << unit->config.cta_w) - 1u;
    const uint64_t few = 4u * (uint64_t)unit->config.n_core;

    if (random_below(random, 8u) != 0u) {
        return 1u + random_below(random, few < most ? few : most);
    }
    return drawn == 0u ? 1u : drawn;
}

static void legal_launch(const struct claso *unit, struct claso_in *in, uint64_t *random)
{
    const struct claso_config *const config = &unit->config;

    in->launch_kernel %= config->n_kernel;
    in->launch_ctas = legal_ctas(unit, in->launch_ctas, random);
    if (random_below(random, 4u) != 0u) { /* the paper's levels */
        in->launch_active = random_below(random, 4u) % ((1u << config->level_w) - 1u) + 1u;
        in->launch_loose = random_below(random, 3u) % (1u << config->level_w);
    }
    if (in->launch_active == 0u) {
        in->launch_active = 1u;
    }
    if (!bits_any(in->launch_cores)) {
        in->launch_cores = bits_below(config->n_core);
    }
    in->launch_split = in->launch_split && config->n_pool > 1u;
    in->launch_pool %= config->n_pool;
    if (in->launch_split) { /* over cores that the pool has */
        const uint32_t pool_core = (config->n_core + config->n_pool - 1u) / config->n_pool;
        in->launch_pool %= (config->n_core + pool_core - 1u) / pool_core;
        bits_add(&in->launch_cores, in->launch_pool * pool_core);
    }
    /* Now and then a slot in use is allocated anew; mostly its credits are used up. The pools
     * of a split one are often launched one after the other. */
    if (bits_has(unit->q.valid, in->launch_kernel)
        && random_below(random, in->launch_split ? 4u : 64u) != 0u) {
        in->launch_valid = false;
    }
}

/* The first number in a set at or after k, wrapping; the set is not empty. */
static uint32_t next_in(struct bits set, uint32_t k, uint32_t n)
{
    while (!bits_has(set, k)) {
        k = k + 1u < n ? k + 1u : 0u;
    }
    return k;
}

static void legal_consume(const struct claso *unit, struct claso_in *in)
{
    struct claso_out out;
    struct claso_next next;

    const struct claso_in look = { .kernel = in->consume_kernel };
    claso_eval(unit, &look, &out, &next);
    if (bits_any(out.allow)) {
        in->consume_core =
            next_in(out.allow, in->consume_core % unit->config.n_core, unit->config.n_core);
    } else {
        in->consume_valid = false;
    }
}

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct claso *const unit = any_unit;
    struct claso_in *const in = any_in;

    in->kernel %= unit->config.n_kernel;
    in->consume_kernel %= unit->config.n_kernel;
    if (in->launch_valid) {
        legal_launch(unit, in, random);
    }
    if (in->consume_valid) {
        legal_consume(unit, in);
    }
}

/* ---- The case study of section 3.2, for any number of cores -------------------------- */

/*
 * A launch of 4 n_core + 1 CTAs with p_A = 1, p_L = 0: 17 CTAs on the paper's four
 * cores. Three layers are issued round-robin; then the last core asks until it is
 * refused, the first core does, and then all others, as in Fig 10.
 */
static void case_study(const struct claso *unit, struct claso_in *in, uint64_t cycle)
{
    const uint32_t n_core = unit->config.n_core;
    const uint64_t most = (UINT64_C(1) << unit->config.cta_w) - 1u;
    const uint64_t start = (unit->config.cta_w + 1u) / 2u + 5u;
    const uint64_t fill = start + 3u * (uint64_t)n_core;

    if (cycle < start) {
        const uint64_t ctas = 4u * (uint64_t)n_core + 1u;
        in->launch_valid = cycle == 0u;
        in->launch_ctas = (uint32_t)(ctas < most ? ctas : most);
        in->launch_cores = bits_below(n_core);
        in->launch_active = 1u;
        return;
    }
    in->consume_valid = true;
    if (cycle < fill) {
        in->consume_core = (uint32_t)((cycle - start) % n_core);
    } else {
        const uint32_t turn = (uint32_t)((cycle - fill) / 3u); /* three requests a core */
        in->consume_core = turn == 0u ? n_core - 1u : turn - 1u;
    }
}

/* The same in each slot, one after the other. */
static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    const struct claso *const unit = any_unit;
    struct claso_in *const in = any_in;
    const uint64_t length =
        (unit->config.cta_w + 1u) / 2u + 5u + 6u * (uint64_t)unit->config.n_core;

    in->kernel = in->consume_kernel = in->launch_kernel =
        (uint32_t)(cycle / length % unit->config.n_kernel);
    case_study(unit, in, cycle % length);
    return cycle < length * unit->config.n_kernel;
}

const struct driver claso_driver = { "claso", legal, directed };
