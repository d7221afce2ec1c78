/* dyncta_oracle - DYNCTA by docs/units/dyncta.md; see dyncta_oracle.h. */

#include "tb/units/dyncta/dyncta_oracle.h"

void dyncta_oracle_reset(struct dyncta_oracle *oracle)
{
    *oracle = (struct dyncta_oracle){ .config = oracle->config };
}

/* A sum that a register of the unit's width can show. */
static uint64_t as_read(const struct dyncta_oracle *oracle, uint64_t sum)
{
    const uint64_t most = (UINT64_C(1) << oracle->config.count_w) - 1u;

    return sum < most ? sum : most;
}

/* Between 1 and Nmax. */
static uint32_t between(const struct dyncta_oracle *oracle, int64_t limit)
{
    const int64_t most = oracle->n_max;

    if (limit < 1) {
        limit = 1;
    }
    return (uint32_t)(limit > most ? most : limit);
}

static int64_t step(uint64_t c_idle, uint64_t c_mem, const struct dyncta_in *in)
{
    const bool too_idle = c_idle > in->t_idle;
    const bool too_few = c_mem < in->t_mem_low;
    const bool too_many = c_mem > in->t_mem_high;

    return too_idle || too_few ? 1 : too_many ? -1 : 0;
}

static void cycle(struct dyncta_oracle *oracle, const struct dyncta_in *in)
{
    struct dyncta_reading *const now = &oracle->now;
    struct dyncta_reading *const began = &oracle->began;

    oracle->judged = false;
    if (in->restart) {
        oracle->n_max = in->n_max;
        oracle->limit = in->n_max / 2u + in->n_max % 2u;
        *began = *now;
        return;
    }
    if (in->paused) {
        return;
    }
    if (now->cycles - began->cycles >= in->period) {
        const int64_t move = step(as_read(oracle, now->idle - began->idle),
                                  as_read(oracle, now->memory - began->memory), in);
        oracle->limit = between(oracle, (int64_t)oracle->limit + move);
        oracle->judged = true;
        *began = *now;
    }
    now->cycles++;
    now->idle += in->idle;
    now->memory += in->memory;
}

struct dyncta_out dyncta_oracle_beside(struct dyncta_oracle *oracle, struct dyncta *unit,
                                       const struct dyncta_in *in)
{
    const struct dyncta_out expected = { oracle->limit, oracle->judged };
    struct dyncta_out out;
    struct dyncta_next next;

    dyncta_eval(unit, in, &out, &next);
    check_outputs(&dyncta_type, &unit->config, in, &expected, &out);
    dyncta_tick(unit, &next);
    cycle(oracle, in);
    return out;
}
