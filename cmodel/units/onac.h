/*
 * onac - finds at run time how many cores a kernel needs: ONAC, which estimates the number, and
 * Seq-Det, which takes cores away one by one.
 *
 * Golden model of onac.v, whose header repeats the sections below. Fields and their meaning:
 * onac_ports.def; types and functions: unit.h.
 *
 * Contract
 *   Sample     the chip's IPC with the first `number` cores running: the sum of their samples
 *              times 2^half_w, by the cycles of the window, rounded down. It stops at the
 *              highest number of count_w bits.
 *   Near       a number of cores will do if 50 times its IPC is at least 49 times that of all.
 *   ONAC       samples all cores; then core 0 alone. Where the line through the origin and this
 *              sample reaches 98 % of the IPC of all, rounded up, is the first estimate. Each
 *              estimate is sampled. If it will do, it is the result. If not, the next one is
 *              where the line through the last two samples reaches 98 %, rounded up: it is at
 *              least one core more. One that is all cores or more is the result without a
 *              sample. An IPC that has not grown gives all cores; with creep, one core more,
 *              unless core 0 alone has an IPC of 0.
 *   Seq-Det    samples all cores, then one core less each time, as long as they will do. The
 *              result is the last number that does.
 *   One core   where there is only one, is the result of its own sample.
 *   Result     done, and number. Until a kernel has one, active is all cores, and paused those
 *              from `number` on. Then active is the first `number` cores, and none is paused.
 *   Order      of a sample: write, with the sets that it needs; the acks of all paused cores;
 *              request, until all that run have answered; the window. The first sample of a
 *              kernel needs neither acks nor answers: its window opens when the kernel has
 *              started.
 *   Samples    are cleared in every cycle in which acks, or the start, are waited for. That of
 *              core c is read in cycle c of the sum. In every state whose length is known, read
 *              counts its cycles, as far as it has bits for them; in all others it is 0.
 *   Window     opens in the cycle after the last answer. It closes with the cycle after that in
 *              which the CTAs completed in it come to quota times number.
 *   Abort      the detection ends with all cores, active and not paused, and aborted, if the
 *              kernel is exhausted; or if a window is longer than limit times that of all cores
 *              or than 2^count_w - 1 cycles, whether or not its CTAs have completed by then.
 *   Restart    a kernel begins, whatever goes on: all cores are active, and none is paused.
 *              Mode, quota, limit and creep are those of this cycle. It comes before all else.
 *   Illegal    there is no illegal stimulus. Mode 3 is as 0: no detection. A quota of 0 gives
 *              windows of one cycle.
 *
 * Reset
 *   No detection goes on, and all cores run: number is n_core, and all other registers are 0.
 *   Outputs do not depend on rst_i, and nothing is taken while it is high.
 *
 * Source
 *   Awatramani, "Workload-aware scheduling techniques for general purpose applications on
 *   graphics processing units", dissertation, section 4.4.
 *
 * Deviations
 *   - The source does not say how an estimate is rounded. Rounded down it may stay where it is.
 *     Built: up.
 *   - The source compares every estimate. Built: one that is all cores is the result at once.
 *     Its sample could miss the 2 % by noise for ever.
 *   - The source un-pauses the estimate less 1. That is right for the first one. Built: the
 *     cores that run are always the first.
 *   - The source does not say what happens if the IPC does not grow, if the kernel ends before
 *     the detection, or if a window never closes since its CTAs wait for those of paused cores.
 *   - Its samples are a core's IPC, and their window is four waves of CTAs. Built: one window
 *     for all cores, which counts their CTAs, and one division.
 *   - Seq-Det compares with 98 % of the IPC of all cores, as ONAC. With samples of two numbers
 *     of cores alone it would stop at the first.
 */

#ifndef ONAC_H
#define ONAC_H

#define UNIT onac
#include "base/unit_declare.h"

enum onac_mode { ONAC_MODE_OFF, ONAC_MODE_ONAC, ONAC_MODE_SEQ_DET };

/* Values of register state. */
enum onac_state_number {
    ONAC_IDLE,
    ONAC_TARGET,
    ONAC_PAUSE,
    ONAC_REQUEST,
    ONAC_WINDOW,
    ONAC_SUM,
    ONAC_DIVIDE,
    ONAC_TEST,
    ONAC_ESTIMATE
};

#ifdef __cplusplus
extern "C" {
#endif

/* Cycles for which an open window stays open if no CTA completes, before it is aborted; 0 if it
 * closes now. */
uint64_t onac_patience(const struct onac_config *config, const struct onac_state *q);

#ifdef __cplusplus
}
#endif

#endif
