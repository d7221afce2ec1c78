/* core_status - active, paused and sample of each core; see core_status.h. */

#define UNIT_OWN_RESET
#include "units/core_status.h"

#include <string.h>

void core_status_reset(struct core_status *unit)
{
    unit->q = (struct core_status_state){ .active = bits_below(unit->config.n_core) };
}

static uint32_t most(const struct core_status *unit)
{
    return UINT32_MAX >> (32u - unit->config.sample_w);
}

static bool is_open(const struct core_status *unit, uint32_t core)
{
    return bits_has(unit->q.active, core) && !bits_has(unit->q.paused, core);
}

static struct bits open_cores(const struct core_status *unit)
{
    struct bits open = bits_and(unit->q.active, bits_below(unit->config.n_core));

    for (uint32_t word = 0u; word < BITS_MAX / 64u; word++) {
        open.word[word] &= ~unit->q.paused.word[word];
    }
    return open;
}

/* The sample after n cycles in each of which so much is issued; rule O-2. */
static uint32_t later(const struct core_status *unit, uint32_t sample, uint32_t issued,
                      uint64_t n)
{
    const uint64_t room = most(unit) - sample;

    if (issued == 0u || n == 0u) {
        return sample;
    }
    return n > room / issued ? most(unit) : sample + issued * (uint32_t)n;
}

/* open: the cores that are sampled. */
static void count_samples(const struct core_status *unit, const struct core_status_in *in,
                          uint64_t n, const struct bits *open, uint32_t *samples)
{
    const uint32_t n_core = unit->config.n_core;

    if (in->clear) {
        memset(samples, 0, n_core * sizeof *samples);
        return;
    }
    for (uint32_t core = 0u; in->window && core < n_core; core++) {
        if (in->issued[core] != 0u && bits_has(*open, core)) {
            samples[core] = later(unit, samples[core], in->issued[core], n);
        }
    }
}

static uint32_t sample_of(const struct core_status *unit, uint32_t core)
{
    return core < unit->config.n_core ? unit->q.samples[core] : 0u;
}

void core_status_eval(const struct core_status *unit, const struct core_status_in *in,
                      struct core_status_out *out, struct core_status_next *next)
{
    core_status_hold(unit, next);
    out->active = unit->q.active;
    out->paused = unit->q.paused;
    out->open = open_cores(unit);
    out->sample = unit->q.sample;
    if (in->write) {
        next->q.active = in->write_active;
        next->q.paused = in->write_paused;
    }
    next->q.sample = sample_of(unit, in->read);
    count_samples(unit, in, 1u, &out->open, next->q.samples);
}

/* ---- Many cycles --------------------------------------------------------------------- */

static bool counts(const struct core_status *unit, const struct core_status_in *in)
{
    bool any = false;

    for (uint32_t core = 0u; core < unit->config.n_core; core++) {
        any = any || (in->clear && unit->q.samples[core] != 0u)
              || (!in->clear && in->window && is_open(unit, core) && in->issued[core] != 0u
                  && unit->q.samples[core] != most(unit));
    }
    return any;
}

static bool writes(const struct core_status *unit, const struct core_status_in *in)
{
    return in->write
           && (!bits_equal(unit->q.active, in->write_active)
               || !bits_equal(unit->q.paused, in->write_paused));
}

bool core_status_quiet(const struct core_status *unit, const struct core_status_in *in)
{
    return !writes(unit, in) && !counts(unit, in)
           && unit->q.sample == sample_of(unit, in->read);
}

/* The first edge writes. Of the others all but the last count alike, and the sample read is the
 * one before the last. */
void core_status_advance(struct core_status *unit, const struct core_status_in *in, uint64_t n)
{
    struct core_status_out out;
    struct core_status_next next;

    if (n > 2u) {
        core_status_eval(unit, in, &out, &next);
        core_status_tick(unit, &next);
        const struct bits open = open_cores(unit);
        count_samples(unit, in, n - 2u, &open, unit->q.samples);
        n = 1u;
    }
    while (n-- > 0u) {
        core_status_eval(unit, in, &out, &next);
        core_status_tick(unit, &next);
    }
}

/* ---- Events -------------------------------------------------------------------------- */

void core_status_count(const struct core_status *unit, const struct core_status_in *in,
                       const struct core_status_out *out, struct core_status_events *events)
{
    for (uint32_t core = 0u; core < unit->config.n_core; core++) {
        const bool counted = in->window && !in->clear && in->issued[core] != 0u;
        events->saturated += counted && bits_has(out->open, core)
                             && in->issued[core] > most(unit) - unit->q.samples[core];
        events->left_out += counted && !bits_has(out->open, core);
    }
}

#define UNIT_OWN_COUNT
#define UNIT core_status
#include "base/unit_define.h"
