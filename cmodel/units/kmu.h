/*
 * kmu - the kernel management unit: kernels that wait for an entry of the distributor, in lists
 * in memory.
 *
 * Golden model of kmu.v, whose header repeats the sections below. Fields and their meaning:
 * kmu_ports.def; types and functions: unit.h.
 *
 * Contract
 *   Queues     queue 0, and of each SM a set of L queues, one for each level. A kernel is
 *              known by its handle, and has a link in memory. A queue is a list: the unit has
 *              the link of its first kernel, the handle of its last one, and their number;
 *              memory has for each handle the link of the kernel behind it.
 *   Arrival    one at a time. The host's kernels go to queue 0. With mode 0 (RR) all others do
 *              too; with mode 1 (TB-Pri) they go to set 0; with modes 2 and 3 to the set of the
 *              SM, where the direct parent runs. There they go to the level above the parent's,
 *              at most L. A grant has the SM and the level, whichever queue it comes from.
 *   Pick       with room, if no grant stands and no link is on its way. Sets that have kernels
 *              take turns. From the highest level on the search takes a cycle for each level,
 *              and the first kernel of the first queue that has one is picked. Queue 0 has its
 *              turn when no set has a kernel. So with mode 0 all kernels go first come, first
 *              served; with mode 1 by level, and of one level first come, first served.
 *   Memory     a kernel that comes behind others is written to the link of the last one. When
 *              one is picked from in front of others its link is read. Memory does what it is
 *              asked in order, and answers a read in a later cycle. The kernels of the other
 *              queues are not picked meanwhile, and arrivals go on.
 *   Grant      shows from the cycle after the pick on, until it is taken. By then the handle
 *              may come again.
 *   Turns      an arrival goes before a pick; after it a pick goes before the next arrival.
 *   Mode       may change at any time. Kernels that wait stay where they are; those of sets go
 *              before those of queue 0.
 *   Illegal    a kernel of SM n_sm and up is refused, and one that comes to a queue of
 *              2^handle_w: arrive_error shows for a cycle, before the next arrival is taken. An
 *              answer without a read is ignored. That a handle waits already cannot be seen:
 *              what is granted from the queues that have it, and in which order, is not
 *              defined. But from each queue as many kernels are granted as have come to it, and
 *              other queues keep theirs.
 *
 * Reset
 *   All registers are 0: no kernel waits. The memories keep what they hold. Outputs do not
 *   depend on rst_i, and nothing is taken while it is high.
 *
 * Source
 *   Wang and others, "LaPerm: Locality Aware Scheduler for Dynamic Parallelism on GPUs", ISCA
 *   2016, II.C, IV.A, IV.B and IV.E.
 *
 * Deviations
 *   - The source does not say how queues in memory are kept. Built: lists.
 *   - The source has no time for the host's kernels beside bound ones. Built: they come last,
 *     as with TB-Pri.
 *   - The source has one queue for each level with TB-Pri. Built: those of set 0.
 */

#ifndef KMU_H
#define KMU_H

#define UNIT kmu
#include "base/unit_declare.h"

enum kmu_mode { KMU_RR, KMU_TB_PRI, KMU_SMX_BIND, KMU_ADAPTIVE_BIND };

/* Values of register state. */
enum kmu_state_number { KMU_TAKE, KMU_LOOK, KMU_FIND, KMU_ACT };

#endif
