/* perf_sat_cycle - what the tests of Perf-Sat share: cycles of its golden model. */

#ifndef PERF_SAT_CYCLE_H
#define PERF_SAT_CYCLE_H

#include "tb/base/unit_check.h"
#include "units/perf_sat.h"

struct perf_sat perf_sat_of(uint32_t cta_w, uint32_t count_w);

/* One cycle; what it showed. And many. */
struct perf_sat_out perf_sat_cycle(struct perf_sat *unit, const struct perf_sat_in *in);
void perf_sat_cycles(struct perf_sat *unit, const struct perf_sat_in *in, uint32_t n);

/* What the next cycle shows. */
struct perf_sat_out perf_sat_shown(const struct perf_sat *unit);

void perf_sat_restart(struct perf_sat *unit, uint32_t n_max);
/* A kernel whose first CTA is on the SM for so many cycles. */
void perf_sat_begin(struct perf_sat *unit, uint32_t n_max, uint32_t one_tb);

#endif
