/* onac_driver - kernels whose IPC grows with the cores up to a number, and then no more. */

#include "base/random_bits.h"
#include "base/stimulus_driver.h"
#include "units/onac.h"

/* Instructions of a core in the window: four a cycle, but no more than so many of all cores. */
static uint32_t sample_of(const struct onac *unit, uint64_t most_of_all)
{
    const uint64_t n = unit->q.number;
    const uint64_t of_all = 4u * n < most_of_all ? 4u * n : most_of_all;

    return (uint32_t)(unit->q.cycles * of_all / n)
           & (UINT32_MAX >> (32u - unit->config.count_w));
}

static struct bits all_cores(const struct onac *unit)
{
    return bits_below(unit->config.n_core);
}

/* ---- Random ---------------------------------------------------------------------------- */

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct onac *const unit = any_unit;
    struct onac_in *const in = any_in;
    const uint32_t n = unit->config.n_core, busy = 64u * (n + 64u);
    const bool idle = unit->q.state == ONAC_IDLE;

    in->restart = random_below(random, idle ? 16u : busy) == 0u;
    if (random_below(random, 8u) != 0u) {
        in->mode = 1u + random_below(random, 2u);
        in->quota = random_below(random, in->quota < 16u ? in->quota + 1u : 16u);
        in->limit = random_below(random, 4u) == 0u ? in->limit % 3u : in->limit;
    }
    in->exhausted = random_below(random, busy) == 0u;
    in->completed =
        random_below(random, 2u) == 0u ? 0u : random_below(random, unit->q.number + 1u);
    if (random_below(random, 4u) != 0u) {
        in->acks = all_cores(unit);
        in->answers = all_cores(unit);
    }
    if (random_below(random, 64u) != 0u) { /* by a number that stays for the kernel */
        const uint32_t noise = random_below(random, 32u) == 0u;
        in->sample = sample_of(unit, 1u + unit->q.limit * 7u % (4u * n) + noise);
    }
}

/* ---- A kernel for each, which is left alone until it has a result ------------------------ */

static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    enum { ROUNDS = 6 };
    const struct onac *const unit = any_unit;
    struct onac_in *const in = any_in;
    const uint64_t n = unit->config.n_core, sample = n + 256u; /* cycles of one, at most */
    const uint64_t length = 16u * sample, last = 2u * length + n * sample;
    const uint64_t round = cycle < 5u * length ? cycle / length : ROUNDS - 1u;
    const uint64_t at = cycle - round * length;

    in->restart = at == 0u;
    in->mode = round == 1u || round >= 4u ? ONAC_MODE_SEQ_DET : ONAC_MODE_ONAC;
    in->quota = 1u;
    in->limit = round == 3u ? 1u : 16u;
    in->creep = round == 2u;
    in->started = at > 3u;
    in->exhausted = round == 0u && at == length - 1u;
    in->acks = all_cores(unit);
    in->answers = all_cores(unit);
    in->completed = round == 3u && unit->q.all_known ? 0u : unit->q.number;
    in->sample = sample_of(unit, round == 5u ? 1u : 1u + n * (1u + round) / 2u);
    if (round == 2u && unit->q.number > 1u && unit->q.all_known) { /* it does not grow */
        in->sample = 0u;
    }
    return cycle < 5u * length + last;
}

const struct driver onac_driver = { "onac", legal, directed };
