/*
 * sm_free - what each SM has left, and which have room for a CTA of any kernel.
 *
 * Golden model of sm_free.v, whose header repeats the sections below. Fields and their
 * meaning: sm_free_ports.def; types and functions: unit.h.
 *
 * Contract
 *   Begin      in the first cycle after a reset each SM has left what it has. That cycle's
 *              CTAs are ignored.
 *   Left       from then on a CTA that starts takes what one of its slot needs, of registers,
 *              shared memory, warps and CTA slots, one of which each takes. A CTA that ends
 *              gives it back. Both count from the next cycle on. At most one SM gets a CTA in
 *              a cycle, and of each SM one may end.
 *   Launch     a table holds what a CTA of each slot needs. A launch writes the slot's row,
 *              which counts from the next cycle on.
 *   Room       SM s has left what a CTA of kernel needs. It shows none in the cycle in which a
 *              CTA starts on it, of whatever slot.
 *   Illegal    for a kernel that is no slot there is no room. A launch of no slot, a CTA of no
 *              slot, and a start on an SM that there is not are ignored. A CTA that starts
 *              without room, or ends without having started, counts all the same, modulo
 *              2^W of each count: starts and ends in equal numbers bring it back to what it
 *              was. So a slot is launched again only when its CTAs have ended.
 *
 * Reset
 *   All registers are 0: no SM has room. Outputs do not depend on rst_i.
 *
 * Source
 *   Wang and others, "LaPerm: Locality Aware Scheduler for Dynamic Parallelism on GPUs", ISCA
 *   2016, IV.C: a thread block goes to the SMX that is visited if that has the resources for
 *   it, and all stages take one cycle. Awatramani, "Workload-aware scheduling techniques for
 *   general purpose applications on graphics processing units", dissertation, section 2.2.2:
 *   which resources.
 *
 * Deviations
 *   - The sources name the check and not the hardware. sm_room counts a kernel's contexts, and
 *     needs cycles to turn to another kernel. Here any kernel is compared at once, at the cost
 *     of an adder and a comparator for each resource of an SM.
 *   - Threads are counted in whole warps, as in sm_room.
 */

#ifndef SM_FREE_H
#define SM_FREE_H

#define UNIT sm_free
#include "base/unit_declare.h"

/* One of the SMs has room for a CTA of one of the slots, bit by bit. */
bool sm_free_any(const struct sm_free *unit, struct bits sms, struct bits slots);

#endif
