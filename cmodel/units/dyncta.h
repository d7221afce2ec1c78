/*
 * dyncta - how many CTAs an SM may have, by how often it is idle and how often it waits for
 * memory: one more or one less after each period, for as long as a kernel runs.
 *
 * Golden model of dyncta.v, whose header repeats the sections below. Fields and their
 * meaning: dyncta_ports.def; types and functions: unit.h.
 *
 * Contract
 *   Restart    n_max is the new Nmax, and limit is ceil(Nmax/2) from the next cycle on. A
 *              period begins with that cycle. All else in the cycle of a restart is ignored.
 *   Period     `period` cycles. C_idle and C_mem are the sums of `idle` and `memory` over them.
 *              A period is judged in the first cycle after it that is not paused, which is the
 *              first cycle of the next period. limit shows the decision, and judged is high, in
 *              the cycle after that.
 *   Judgement  C_idle > t_idle: N + 1. Otherwise C_mem < t_mem_low: N + 1. Otherwise C_mem >
 *              t_mem_high: N - 1. Otherwise N stays. At Nmax, and at 1, it stays in any case.
 *              period and the three thresholds are those of the cycle that judges.
 *   Paused     a paused cycle without a restart changes nothing but judged, which falls.
 *   Promises   limit is from 1 to n_max after a restart with n_max > 0. It changes only with a
 *              restart, or by one with a judgement. Judgements never end.
 *   Full       the three counts stop at their highest number.
 *   Illegal    with n_max = 0 limit is 0. With t_mem_low > t_mem_high the limit rises where
 *              both would hold. With a period of 0 each cycle judges the one before it, and the
 *              first one an empty period. If `period` becomes less than what has passed of the
 *              running one, that ends.
 *
 * Reset
 *   All registers are 0: limit is 0 until a restart. Outputs do not depend on rst_i.
 *
 * Source
 *   DYNCTA, as Awatramani retells it in "Workload-aware scheduling techniques for general
 *   purpose applications on graphics processing units", dissertation, sections 4.3.4.2 and
 *   4.4.5.1.
 *
 * Deviations
 *   - The start is printed as Nmax between signs of rounding up, which have nothing to round.
 *     Built: half of Nmax.
 *   - 4.3.4.2 has one threshold of C_mem, 4.4.5.1 a range. Built: the range. With one
 *     threshold, t_mem_low = t_mem_high, the limit stays only after periods with exactly that
 *     C_mem.
 *   - The source gives no period and no thresholds; they are inputs.
 *   - The source counts cycles of a core. Here the cycles of its warp schedulers are added.
 *   - The source does not say where the walk ends at the bounds, and nothing of kernels that
 *     follow each other and of paused SMs. CTAs above the limit run to their end.
 */

#ifndef DYNCTA_H
#define DYNCTA_H

#define UNIT dyncta
#include "base/unit_declare.h"

/* n edges as by dyncta_advance, within a period and without a restart; over all of them so many
 * scheduler cycles were idle, or waited for memory, whatever in->idle and in->memory are. */
void dyncta_advance_sum(struct dyncta *unit, const struct dyncta_in *in, uint64_t n,
                        uint64_t idle, uint64_t memory);

#endif
