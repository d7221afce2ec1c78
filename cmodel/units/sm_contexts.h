/*
 * sm_contexts - how many more CTAs of a kernel one SM can take: what it has left of registers,
 * shared memory, warps and CTA slots, counted in contexts.
 *
 * Golden model of sm_contexts.v, whose header repeats the sections below. Fields and their
 * meaning: sm_contexts_ports.def; types and functions: unit.h.
 *
 * Contract
 *   Residents  for each slot of a kernel the SM counts its CTAs: those that start are added,
 *              those that end are taken off. Nothing else says what the SM holds.
 *   Contexts   are counted for one slot, kernel. When the count is done they are the most CTAs
 *              of kernel that fit beside those resident: in registers, shared memory, warps and
 *              CTA slots. Before that they are fewer.
 *   Room       the contexts, with CTAs of kernel that end in this cycle and without those that
 *              start, are a block's or more. No room is shown in the cycle of a recount, of a
 *              change of kernel, or of a start of another slot's CTAs.
 *   Own CTAs   that start and end change kernel's contexts by as many.
 *   Recount    begins with recount, with another kernel, with a start or an end of another
 *              slot's CTAs, with a start of more CTAs than contexts, and with a start or an end
 *              during a recount. Until it is done there is no room. First what resident CTAs
 *              need is taken off what the SM has, a CTA a cycle, and one cycle more for each
 *              slot that has some. Then contexts are counted, one a cycle.
 *   Illegal    kernel is no slot: no room, and it changes nothing. CTAs that start are ignored,
 *              all of them, if the counter cannot hold them or their slot is none. So are CTAs
 *              that end, if fewer are resident. CTAs that need more than the SM has count as
 *              others do, and there are no contexts until enough of them have ended. Needs or
 *              haves that change without recount: contexts may be wrong until the next one.
 *
 * Reset
 *   All registers are 0: the SM is empty, and has no contexts before the first recount.
 *
 * Source
 *   Awatramani, "Workload-aware scheduling techniques for general purpose applications on
 *   graphics processing units", dissertation, section 2.2.2: a CTA goes to an SM that has
 *   registers, shared memory, threads and CTA slots for it. Wang and others, "Intra-Cluster
 *   Coalescing and Distributed-Block Scheduling to Reduce GPU NoC Pressure", IEEE Transactions
 *   on Computers 2019, section 5: a block of two goes out when two contexts are free.
 *
 * Deviations
 *   - The sources name the check and not the hardware. A comparison of what is free with what
 *     a block needs would be an adder and a comparator in series, four times over. Here a
 *     kernel's contexts are counted one by one, with one subtraction per resource and cycle,
 *     and CTAs of that kernel then come and go in units of contexts.
 *   - Threads are counted in whole warps, of which an SM has a limited number for two reasons,
 *     its warp slots and its threads. Whoever drives the unit gives the smaller one.
 */

#ifndef SM_CONTEXTS_H
#define SM_CONTEXTS_H

#define UNIT sm_contexts
#include "base/unit_declare.h"

#endif
