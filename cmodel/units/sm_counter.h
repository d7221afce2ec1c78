/*
 * sm_counter - what one SM has done, counted: cycles of its warp schedulers by class,
 * instructions issued, CTAs started and ended.
 *
 * Golden model of sm_counter.v, whose header repeats the sections below. Fields and their
 * meaning: sm_counter_ports.def; types and functions: unit.h.
 *
 * Contract
 *   Count      in each cycle cycles[c - 1] grows by the number of schedulers whose cycle is c,
 *              for c from 1 to 7, and the other counts by issued, started and ended. A
 *              scheduler whose cycle is 0 counts nowhere.
 *   Classes    1 active, 2 idle, 3 scoreboard stall ALU, 4 scoreboard stall memory, 5 pipeline
 *              stall ALU, 6 pipeline stall memory, 7 paused. The SM decides: one class per
 *              scheduler and cycle.
 *   Clear      the counts begin again with what this cycle counts. The outputs of the same
 *              cycle still show all before it. So a cycle belongs to one period exactly, if
 *              whoever clears reads in the cycle in which it clears.
 *   Wrap       a count that is full begins again at 0. The difference of two readings is right
 *              if less than 2^count_w was counted between them. With 32 bits and four
 *              schedulers that takes 2^30 cycles.
 *   Illegal    there is no illegal stimulus. More than two instructions per scheduler are
 *              counted as they come.
 *
 * Reset
 *   Every count is 0. Outputs do not depend on rst_i, and nothing is counted while it is high.
 *
 * Source
 *   Awatramani, "Workload-aware scheduling techniques for general purpose applications on
 *   graphics processing units", dissertation, section 4.3.1.3, names the classes.
 *
 * Deviations
 *   - The source counts cycles of a core. Here each scheduler of the SM counts by itself, and
 *     their cycles are added; those who read compare sums only.
 *   - The source does not say what a full counter does. Built: it wraps. A saturated count
 *     would be wrong for all who read it until somebody clears it, and several may read.
 *   - Instructions and CTAs are ours: other limiters need them.
 */

#ifndef SM_COUNTER_H
#define SM_COUNTER_H

#define UNIT sm_counter
#include "base/unit_declare.h"

/* What a scheduler does in a cycle: the values of input cycle. Class c is cycles[c - 1]. */
enum sm_cycle {
    SM_CYCLE_UNCOUNTED,
    SM_CYCLE_ACTIVE,
    SM_CYCLE_IDLE,
    SM_CYCLE_SCOREBOARD_ALU,
    SM_CYCLE_SCOREBOARD_MEMORY,
    SM_CYCLE_PIPELINE_ALU,
    SM_CYCLE_PIPELINE_MEMORY,
    SM_CYCLE_PAUSED,
    SM_CYCLES
};

#ifdef __cplusplus
extern "C" {
#endif

/* The inputs and outputs of an array of counters, those of the first one first. */
struct sm_counter_array_in {
    const uint32_t *cycle, *issued, *started, *ended;
    struct bits clear;
};
struct sm_counter_array_out {
    uint32_t *cycles, *instructions, *starts, *ends;
};

/* sm_counter_eval of n counters with the same parameters. What is written overlaps with nothing
 * else. */
void sm_counter_eval_array(const struct sm_counter *unit, uint32_t n,
                           const struct sm_counter_array_in *in,
                           const struct sm_counter_array_out *out,
                           struct sm_counter_next *next);

#ifdef __cplusplus
}
#endif

#endif
