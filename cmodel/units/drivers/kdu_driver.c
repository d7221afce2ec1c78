/* kdu_driver - kernels of a few thread blocks and of a few configurations, groups that join
 * them, and thread blocks that end where there are some. */

#include "base/random_bits.h"
#include "base/stimulus_driver.h"
#include "units/kdu.h"

/* ---- Legal traffic --------------------------------------------------------------------- */

/* Mostly few, so that entries come and go. */
static uint32_t few_tbs(const struct kdu *unit, uint32_t drawn, uint64_t *random)
{
    const uint32_t most = UINT32_MAX >> (32u - unit->config.tb_w);
    const uint32_t few = most < 6u ? most : 6u;

    return random_below(random, 16u) == 0u && drawn != 0u ? drawn
                                                          : 1u + random_below(random, few);
}

/* Thread blocks of an entry end while it has some that have not been told. */
static void legal_ends(const struct kdu *unit, struct kdu_in *in, uint64_t *random)
{
    const uint32_t most = (1u << unit->config.ended_w) - 1u;
    const uint32_t slot = random_below(random, unit->config.n_kernel);
    uint32_t left = unit->q.count[slot] - unit->q.ending[slot];

    for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
        const uint32_t can = left < most ? left : most;
        in->ended_kernel[sm] = slot;
        in->ended[sm] = random_below(random, 3u) == 0u ? random_below(random, can + 1u) : 0u;
        left -= in->ended[sm];
    }
}

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct kdu *const unit = any_unit;
    struct kdu_in *const in = any_in;
    const uint32_t slot = random_below(random, unit->config.n_kernel);

    in->admit_tbs = few_tbs(unit, in->admit_tbs, random);
    in->admit_tag &= 3u;
    in->group_tbs = few_tbs(unit, in->group_tbs, random);
    in->group_tag &= 3u;
    legal_ends(unit, in, random);
    in->give_up_valid = in->give_up_valid && random_below(random, 8u) == 0u;
    in->give_up_kernel = slot;
    in->give_up_tbs = unit->q.count[slot];
}

/* ---- The table is filled, groups join each entry, and all thread blocks end -------------- */

static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    const struct kdu *const unit = any_unit;
    struct kdu_in *const in = any_in;
    const uint64_t n = unit->config.n_kernel;
    const uint64_t length = 8u * n + 32u;
    const uint64_t round = cycle / length;
    const uint64_t at = cycle % length;
    const uint32_t slot = (uint32_t)(at / 4u % n);
    const uint32_t most = UINT32_MAX >> (32u - unit->config.tb_w);

    in->admit_valid = at < n + 2u;
    in->admit_tag = at & (UINT64_MAX >> (64u - unit->config.tag_w));
    in->admit_tbs = round == 2u ? most : 1u;
    in->group_valid = at >= n && at < 6u * n;
    in->group_tag = slot & (UINT64_MAX >> (64u - unit->config.tag_w));
    in->group_tbs = 1u;
    for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
        in->ended_kernel[sm] = slot;
        in->ended[sm] = (at >= 4u * n || (round == 1u && at >= n && at % 4u == 1u)) && sm < 2u;
    }
    in->give_up_valid = at >= 7u * n;
    in->give_up_kernel = slot;
    in->give_up_tbs = unit->q.count[slot];
    return round < 4u;
}

const struct driver kdu_driver = { "kdu", legal, directed };
