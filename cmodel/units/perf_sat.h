/*
 * perf_sat - how many CTAs an SM should have, found while a kernel runs: as many as make its
 * warp schedulers stall least.
 *
 * Golden model of perf_sat.v, whose header repeats the sections below. Fields and their
 * meaning: perf_sat_ports.def; types and functions: unit.h.
 *
 * Contract
 *   Restart    n_max is the new Nmax, and limit is N0 = ceil(Nmax/2) from the next cycle on.
 *              If n_max is 0 or 1, or the kernel is cooperative, limit is n_max, and done is
 *              high. All else in the cycle of a restart is ignored.
 *   Period     One_TB is the number of cycles in which the first CTA is on the SM: from the
 *              first `started` to the first `ended` after it, both included. A period has
 *              One_TB * (n_max + n_more) cycles. The first begins in the cycle after that
 *              `ended`. A cycle with `hold` is in neither number; only the first of One_TB is
 *              in any case.
 *   Sample     the sum of `stalled` over a period. It is judged in the first cycle after the
 *              period that is not on hold, which is the first cycle of the next period. limit,
 *              state and done show the decision, and judged is high, in the cycle after that.
 *   Judgement  A sample is better if it is less than the stored one.
 *              First period: store it; N = N0 + 1, weak-increase, hist = 0.
 *              Weak, while the direction is open. Better with hist = 0: hist = 1. Better with
 *              hist = 1: the direction is decided; store it, strong, advance. Not better: a
 *              toggle; store it, the other of N0 and N0 + 1, the other weak state, hist = 1, or
 *              0 with votes_two.
 *              Strong. Better: store it, advance. Not better: a toggle; weak.
 *              Weak after strong. Better: a toggle; strong. Not better: done with N of the
 *              stored sample.
 *              Advance: N + 1 when increasing, N - 1 when decreasing; at Nmax and at 1 it is
 *              done instead. Toggles are counted from 0 again. The fourth toggle is the end:
 *              with N0 + 1 while the direction is open, else with N of the stored sample.
 *   Settle     after a decrease of N the next period begins in the cycle after the one in which
 *              the last of `settle` CTAs has ended, on hold or not. With 0 periods are back to
 *              back.
 *   Hold       while hold is high before detection is done, no CTA starts or ends and restart
 *              is low, nothing changes but judged, which falls.
 *   Promises   limit is from 1 to n_max after a restart with n_max > 0. Once done is high,
 *              limit and done stay until a restart. Without a change of votes_two at most
 *              3 * N0 + 4 samples are judged, with votes_two 3 * N0 + 7.
 *   Full       period and the sum of stalled cycles stop at their highest number.
 *   Illegal    a CTA that ends before one has started is ignored.
 *
 * Reset
 *   All registers are 0: done is high, and limit 0. Outputs do not depend on rst_i.
 *
 * Source
 *   Awatramani, "Workload-aware scheduling techniques for general purpose applications on
 *   graphics processing units", dissertation, section 4.3.2.
 *
 * Deviations
 *   - The figure of the state machine is lost. The table above follows the text and its
 *     example. "The history bit is reset again", on a sample that contradicts, is built as a
 *     toggle, since the letter never ends for samples that alternate.
 *   - Equal samples: the source has less and more only. Built: equal is not better.
 *   - The limit of toggles is tied to one N: an advance clears it.
 *   - A strong state that has become weak and strong again stays at its N for that sample.
 *   - The source does not say what happens at the bounds, with Nmax = 1, with equal samples,
 *     while an SM is paused, when the grid is exhausted, and to cooperative kernels.
 *   - n_more is ours, for blocks of CTAs that count as one: a period is One_TB times all CTAs
 *     that fit, as in the source.
 *   - settle is ours. The periods of the source are back to back.
 *   - The count of the stored sample is no register: once the direction is decided it is N - 1
 *     when increasing and N + 1 when decreasing.
 */

#ifndef PERF_SAT_H
#define PERF_SAT_H

#define UNIT perf_sat
#include "base/unit_declare.h"

/* n edges as by perf_sat_advance, within a period and without a restart; over all of them so
 * many scheduler cycles stalled, whatever in->stalled is. */
void perf_sat_advance_sum(struct perf_sat *unit, const struct perf_sat_in *in, uint64_t n,
                          uint64_t stalled);

enum perf_sat_phase {
    PERF_SAT_DONE,
    PERF_SAT_WAITING,
    PERF_SAT_MEASURING,
    PERF_SAT_FIRST_PERIOD,
    PERF_SAT_PERIODS
};

/* The output state: 1 if it is strong, 2 if it decreases. */
enum perf_sat_state_name {
    PERF_SAT_WEAK_INCREASE,
    PERF_SAT_STRONG_INCREASE,
    PERF_SAT_WEAK_DECREASE,
    PERF_SAT_STRONG_DECREASE
};

#endif
