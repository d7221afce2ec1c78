/*
 * sm_monitor - what every SM has done, counted: one array of counters, always on, for all
 * limiters of CTAs.
 *
 * Golden model of sm_monitor.v, whose header repeats the sections below. Fields and their
 * meaning: sm_monitor_ports.def; types and functions: unit.h. Its parts are units themselves:
 * counter[s] (sm_counter) is SM s.
 *
 * Contract
 *   Count      each SM has a counter, which counts, wraps and is cleared as sm_counter says.
 *              No SM's counts depend on another SM.
 *   Read       all counts of all SMs are outputs, straight from the registers. A limiter is
 *              itself an array with an element per SM, and its periods end on each SM in a
 *              cycle of its own. So it reads its SM's counts in any cycle, and no limiter waits
 *              for another one. A port that shows one SM per cycle would add a selector, and
 *              all but one of the SMs that end a period together would be sampled late.
 *   Illegal    there is no illegal stimulus.
 *
 * Reset
 *   Every count is 0. Outputs do not depend on rst_i, and nothing is counted while it is high.
 *
 * Source
 *   The array is ours; what it counts is that of sm_counter.
 *
 * Deviations
 *   - Those of its parts. In the source each mechanism has counters of its own. Here they
 *     share one set: whoever does not clear takes differences.
 */

#ifndef SM_MONITOR_H
#define SM_MONITOR_H

#include "units/sm_counter.h"

#define UNIT sm_monitor
#include "base/unit_declare.h"

#endif
