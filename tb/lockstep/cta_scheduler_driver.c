/* cta_scheduler_driver - legal traffic for the CTA scheduler, and grids of every policy. */

#include "cta_scheduler.h"
#include "driver.h"
#include "random_bits.h"

/* ---- Legal traffic --------------------------------------------------------- */

/* Mostly grids that are soon dispatched, at times any number the inputs made. */
static uint32_t legal_ctas(const struct cta_scheduler *unit, uint32_t drawn, uint64_t *random)
{
    const uint64_t most = (UINT64_C(1) << unit->config.cta_w) - 1u;
    const uint64_t few = 8u * (uint64_t)unit->config.n_sm;

    if (random_below(random, 8u) != 0u) {
        return 1u + random_below(random, few < most ? few : most);
    }
    return drawn == 0u ? 1u : drawn;
}

/* A slot of which nothing is left to dispatch. */
static bool is_empty(const struct cta_scheduler *unit, uint32_t kernel)
{
    const uint32_t n = unit->config.n_cluster;

    for (uint32_t pool = 0u; pool < n; pool++) {
        if (unit->mem.left[kernel * n + pool] != 0u) {
            return false;
        }
    }
    return true;
}

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct cta_scheduler *const unit = any_unit;
    struct cta_scheduler_in *const in = any_in;

    in->kernel %= unit->config.n_kernel;
    in->launch_kernel %= unit->config.n_kernel;
    in->launch_ctas = legal_ctas(unit, in->launch_ctas, random);
    in->launch_block %= 3u;
    if (random_below(random, 4u) != 0u) { /* mostly nearly all SMs */
        in->launch_sms = bits_below(unit->config.n_sm);
        for (uint32_t n = random_below(random, 4u); n > 0u; n--) {
            bits_remove(&in->launch_sms, random_below(random, unit->config.n_sm));
        }
    }
    if (!bits_any(in->launch_sms)) {
        bits_add(&in->launch_sms, random_below(random, unit->config.n_sm));
    }
    /* A slot in use is launched anew only when it is empty; now and then its SMs change. */
    const bool ready = bits_has(unit->q.ready, in->launch_kernel);
    in->launch_keep = ready && random_below(random, 4u) == 0u;
    if (ready && !in->launch_keep && !is_empty(unit, in->launch_kernel)) {
        in->launch_valid = false;
    }
}

/* ---- A grid of each policy and block, on SMs that take their time ----------------- */

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

static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    enum { POLICIES = 4, BLOCKS = 3, STEALS = 2 };
    const struct cta_scheduler *const unit = any_unit;
    struct cta_scheduler_in *const in = any_in;
    const uint64_t most = (UINT64_C(1) << unit->config.cta_w) - 1u;
    const uint64_t ctas = 5u * (uint64_t)unit->config.n_sm + 3u;
    const uint64_t latency = 3u + unit->config.cta_w + unit->config.n_cluster;
    const uint64_t length = latency + 8u * (ctas < most ? ctas : most) + 40u;
    const uint32_t grid = (uint32_t)(cycle / length);

    in->launch_valid = cycle % length == 0u;
    in->launch_ctas = (uint32_t)(ctas < most ? ctas : most);
    in->launch_policy = grid % POLICIES;
    in->launch_block = grid / POLICIES % BLOCKS;
    in->launch_steal = grid / (POLICIES * BLOCKS) % STEALS;
    in->launch_kernel = grid % unit->config.n_kernel;
    in->launch_sms = bits_below(unit->config.n_sm);
    in->pool_ready = cycle % 3u != 0u;
    in->kernel = in->launch_kernel;
    in->room = cycle % length < latency + unit->config.n_sm ? bits_below(unit->config.n_sm)
                                                            : some_room(unit, cycle);
    in->limit = bits_below(unit->config.n_sm);
    in->dispatch_ready = cycle % 5u != 0u;
    return grid < POLICIES * BLOCKS * STEALS;
}

const struct driver cta_scheduler_driver = { "cta_scheduler", legal, directed };
