/* perf_sat_cycle - see perf_sat_cycle.h. */

#include "tb/units/perf_sat/perf_sat_cycle.h"

struct perf_sat perf_sat_of(uint32_t cta_w, uint32_t count_w)
{
    const struct perf_sat_config config = { cta_w, count_w };
    struct perf_sat unit;

    assert_int_equal(perf_sat_init(&unit, &config), perf_sat_ok);
    return unit;
}

struct perf_sat_out perf_sat_cycle(struct perf_sat *unit, const struct perf_sat_in *in)
{
    struct perf_sat_out out;
    struct perf_sat_next next;

    perf_sat_eval(unit, in, &out, &next);
    perf_sat_tick(unit, &next);
    return out;
}

struct perf_sat_out perf_sat_shown(const struct perf_sat *unit)
{
    const struct perf_sat_in none = { .restart = false };
    struct perf_sat_out out;
    struct perf_sat_next next;

    perf_sat_eval(unit, &none, &out, &next);
    return out;
}

void perf_sat_cycles(struct perf_sat *unit, const struct perf_sat_in *in, uint32_t n)
{
    for (uint32_t i = 0u; i < n; i++) {
        (void)perf_sat_cycle(unit, in);
    }
}

void perf_sat_restart(struct perf_sat *unit, uint32_t n_max)
{
    (void)perf_sat_cycle(unit, &(struct perf_sat_in){ .restart = true, .n_max = n_max });
}

void perf_sat_begin(struct perf_sat *unit, uint32_t n_max, uint32_t one_tb)
{
    perf_sat_restart(unit, n_max);
    (void)perf_sat_cycle(unit, &(struct perf_sat_in){ .started = true });
    perf_sat_cycles(unit, &(struct perf_sat_in){ .restart = false }, one_tb - 2u);
    (void)perf_sat_cycle(unit, &(struct perf_sat_in){ .ended = 1u });
}
