/*
 * lcs - lazy CTA scheduling: how many CTAs of a kernel an SM should hold.
 *
 * Golden model of lcs.v, whose header repeats the sections below. Fields and their
 * meaning: lcs_ports.def; types and functions: unit.h.
 *
 * Contract
 *   Restart    begins Monitor for a kernel, in any phase, with Tmax = n_max. In its cycle all
 *              other inputs but started and, for hold, ended have no effect.
 *   Monitor    limit is Tmax. A slot in which a CTA starts is the kernel's from then on, and
 *              its count begins at 0; other slots' instructions are not counted. A cycle's
 *              instructions come after its starts of earlier cycles, and before its ends.
 *   First      the first end of a CTA in a slot of the kernel ends Monitor; of several in one
 *              cycle, that in the lowest slot counts. The starts of its cycle change no output.
 *   Throttle   the first CTA's count is taken from the total, once a cycle, until nothing of it
 *              is left, or it has been taken Tmax times: Tnew rounded up. In one cycle more
 *              rounding 0 takes 1 off if the last was more than was left, and rounding 2 adds
 *              1, but to no more than Tmax.
 *   Lazy       limit is Tnew until the next restart.
 *   Hold       from the cycle of the first end to the end of Throttle: at most Tmax + 2 cycles.
 *   Counting   stops for the kernel when the total has come to a quarter of what count_w bits
 *              hold, so no count ever wraps. A first CTA of which nothing was counted makes
 *              Tnew Tmax; and if nothing was counted at all, 1.
 *   Illegal    n_max of 0 is taken as 1, and of more than n_slot as n_slot; rounding 3 as 2. A
 *              start in a slot of the kernel before its end begins its count again, and leaves
 *              the total. Instructions of a slot there is not are not counted. Before the first
 *              restart Tmax is 0, and so is limit.
 *
 * Reset
 *   All registers are 0: Monitor of no kernel, whose Tmax is 0.
 *
 * Source
 *   Lee et al., slides on lazy CTA scheduling: "Three phases of Lazy CTA Scheduling".
 *   Awatramani's dissertation, sections 4.3.4.2 and 4.4.5.1, reads the same paper.
 *
 * Deviations
 *   - Tnew is rounded up, as in the slides' example of 10 / 4 = 3. The dissertation has the
 *     brackets of rounding down, and the slides a modification whose brackets are lost: the
 *     input rounding has all three.
 *   - Tnew is not above Tmax, which a short first CTA would make it. It is never below 1, as
 *     the total has the first CTA's instructions in it.
 *   - The slot of the first CTA that ends is filled again when Tnew is known: no source says.
 *   - How the division is done no source says: by subtraction, at most Tmax of them.
 */

#ifndef LCS_H
#define LCS_H

#define UNIT lcs
#include "base/unit_declare.h"

/* Cycles in which nothing but instructions comes to it, so many of each slot's CTA over all of
 * them. It must have room before the last of them. */
void lcs_count_sum(struct lcs *unit, const uint32_t *issued);
/* Instructions after which it stops counting; 0: it counts none. */
uint32_t lcs_room(const struct lcs *unit);

#endif
