/* laperm_driver - parents that launch children, and memory that gives back what was asked for.
 */

#include "base/random_bits.h"
#include "base/stimulus_driver.h"
#include "units/laperm.h"

/* ---- Memory ---------------------------------------------------------------------------- */

/* An SM whose entry has been asked for and is on its way, from `first` on; n_sm: there is none.
 */
static uint32_t on_its_way(const struct laperm *unit, uint32_t first)
{
    const uint32_t n = unit->config.n_sm;

    for (uint32_t k = 0u; k < n; k++) {
        const uint32_t sm = (first + k) % n;
        const bool stands = unit->q.ask_valid && unit->q.ask_sm == sm;
        const bool waits = unit->q.back_valid && unit->q.back_sm == sm;
        if (unit->set[sm].q.asked && !stands && !waits) {
            return sm;
        }
    }
    return n;
}

/* The highest level that memory has an entry of, 1 to L. */
static uint32_t level_in_memory(const struct laperm *unit, uint32_t sm)
{
    uint32_t level = unit->config.n_level;

    while (level > 1u && unit->set[sm].q.spill[level - 1u] == 0u) {
        level--;
    }
    return level;
}

static void give_back(const struct laperm *unit, struct laperm_in *in, uint32_t first,
                      uint32_t tbs)
{
    const uint32_t sm = on_its_way(unit, first);

    in->back_valid = in->back_valid && sm < unit->config.n_sm && !unit->q.back_valid;
    in->back_sm = sm < unit->config.n_sm ? sm : 0u;
    in->back_level = level_in_memory(unit, in->back_sm);
    in->back_kernel %= unit->config.n_kernel;
    in->back_tbs = tbs;
}

/* ---- Legal traffic --------------------------------------------------------------------- */

/* Mostly few, so that heads come and go. */
static uint32_t few_tbs(const struct laperm *unit, uint32_t drawn, uint64_t *random)
{
    const uint32_t most = UINT32_MAX >> (32u - unit->config.tb_w);
    const uint32_t few = most < 3u ? most : 3u;

    return drawn != 0u && random_below(random, 128u) == 0u ? drawn
                                                           : 1u + random_below(random, few);
}

/* For a while the sets fill, for a while they empty, and for a while launches of the highest
 * level find many of the lowest: by what was put last in one place. */
enum phase { FILLS, EMPTIES, MIXES, PHASES };

static enum phase phase_of(const struct laperm *unit)
{
    const struct laperm_set *const set = &unit->set[0];
    const uint32_t middle = set->config.n_entry / 2u;

    return (enum phase)((set->mem.array_stamp[middle] + set->mem.array_payload[middle])
                        % PHASES);
}

/* They are drawn while entries move, and from a set that is nearly full. */
static void mix(const struct laperm *unit, struct laperm_in *in, uint64_t *random)
{
    const struct laperm_set *const set = &unit->set[in->launch_sm];
    const uint32_t top = unit->config.n_level - 1u;
    const bool moves = set->q.state == LAPERM_SET_MOVE || set->q.state == LAPERM_SET_CLOSE;
    const bool draws = moves || set->q.chip + 2u > set->config.n_entry;

    in->launch_host = false;
    in->launch_parent =
        random_below(random, 4u) == 0u ? top - top / 2u * (in->launch_tbs & 1u) : 0u;
    in->launch_tbs = 1u;
    in->room = in->limit = in->credit = bits_below(draws ? unit->config.n_sm : 0u);
    in->dispatch_ready = true;
}

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct laperm *const unit = any_unit;
    struct laperm_in *const in = any_in;
    const uint32_t n = unit->config.n_sm;
    const bool narrow = random_below(random, 4u) != 0u;

    in->mode = random_below(random, 2000u) == 0u ? in->mode : unit->q.mode;
    in->launch_host = in->launch_host && random_below(random, 8u) == 0u;
    in->launch_sm = narrow ? random_below(random, n < 2u ? n : 2u) : in->launch_sm % n;
    in->launch_parent %= unit->config.n_level + 1u;
    in->launch_kernel %= unit->config.n_kernel;
    in->launch_tbs = few_tbs(unit, in->launch_tbs, random);
    give_back(unit, in, random_below(random, n), few_tbs(unit, in->back_tbs, random));
    if (phase_of(unit) == MIXES) {
        in->launch_sm = 0u;
        mix(unit, in, random);
    } else if (phase_of(unit) == EMPTIES) {
        in->launch_valid = in->launch_valid && random_below(random, 16u) == 0u;
        in->room = in->credit = bits_below(n);
        in->limit = bits_below(n);
    }
}

/* ---- In each mode the sets fill, spill and empty ----------------------------------------- */

static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    const struct laperm *const unit = any_unit;
    struct laperm_in *const in = any_in;
    const uint32_t n = unit->config.n_sm;
    const uint64_t fill = 12u * (uint64_t)unit->config.n_entry + 64u;
    const uint64_t length = fill + (2u * (uint64_t)unit->config.n_entry + 8u) * (n + 4u);
    const uint64_t round = cycle / length;
    const uint64_t at = cycle % length;

    in->mode = (uint32_t)(round % 4u);
    in->launch_valid = at < fill || at % 64u == 3u;
    in->launch_host = at % 32u == 0u;
    in->launch_sm = (uint32_t)(at % 3u % n);
    in->launch_parent = at % 8u < 2u ? (uint32_t)(at / 8u % (unit->config.n_level + 1u)) : 0u;
    in->launch_kernel = (uint32_t)(at % unit->config.n_kernel);
    in->launch_tbs = 1u;
    in->launch_payload = at & (UINT64_MAX >> (64u - unit->config.payload_w));
    in->spill_ready = at % 2u == 0u;
    in->ask_ready = true;
    in->back_valid = true;
    give_back(unit, in, 0u, 1u);
    if (at >= fill || (round >= 4u && at % 16u == 0u)) {
        in->room = bits_below(n);
        in->limit = bits_below(n);
    }
    in->credit = bits_below(at % 7u == 0u ? 0u : n);
    in->dispatch_ready = at % 5u != 0u;
    return round < 8u;
}

const struct driver laperm_driver = { "laperm", legal, directed };
