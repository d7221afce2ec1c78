/*
 * kmu - the kernel management unit: kernels that wait for an entry of the distributor, in
 * queues that go on in memory.
 *
 * Golden model of kmu.v, whose header repeats the sections below. Fields and their meaning:
 * kmu_ports.def; types and functions: unit.h.
 *
 * Contract
 *   Queues     queue 0, and of each SM a set of L queues, one for each level. A kernel is
 *              known by its handle, level and SM: its link. The kernels of a queue have
 *              numbers, in the order of arrival, that wrap. The first 2^near_w are on chip, or
 *              on their way there from memory. The others are in memory, which has for each
 *              queue a link for each number: a ring. Of each queue the unit counts the kernels
 *              that have been put, that have come on chip, and that have been picked.
 *   Arrival    one at a time. The host's kernels go to queue 0. With mode 0 (RR) all others do
 *              too; with mode 1 (TB-Pri) they go to set 0; with modes 2 and 3 to the set of the
 *              SM, where the direct parent runs. There they go to the level above the parent's,
 *              at most L. A grant has the SM and the level, whichever queue it comes from.
 *   Pick       with room, if no grant stands. Sets that have kernels take turns. From the
 *              highest level on the search takes a cycle for each level, and the first kernel
 *              of the first queue that has one is picked. Queue 0 has its turn when no set has
 *              a kernel. So with mode 0 all kernels go first come, first served; with mode 1 by
 *              level, and of one level first come, first served. A pick that finds the first
 *              kernel of the queue on its way picks none: the set has had its turn, and the
 *              next pick begins when memory has answered.
 *   Memory     a kernel that comes is put on chip if its queue has less than 2^near_w kernels,
 *              and none of them is on its way. Otherwise its link is written to memory, and
 *              read at once if there are less than 2^near_w in front of it. A pick from a queue
 *              of more than 2^near_w kernels reads the link of the first that is in memory
 *              only. Memory does what it is asked for a queue in order, and answers a read in a
 *              later cycle. Arrivals and picks go on meanwhile.
 *   Grant      shows from the cycle after the pick on, until it is taken. By then the handle
 *              may come again.
 *   Turns      an arrival goes before a pick; after it a pick goes before the next arrival.
 *   Mode       may change at any time. Kernels that wait stay where they are; those of sets go
 *              before those of queue 0.
 *   Illegal    a kernel of SM n_sm and up is refused, and one that comes to a queue of
 *              2^handle_w: arrive_error shows for a cycle, before the next arrival is taken.
 *              An answer is ignored if no read has been taken and not answered, and one of
 *              queue n_queue and up. If memory answers a queue that has not asked, or with
 *              another link than was written, what is granted, and when, is not defined.
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
 *   - The source has queues in memory, and does not say how they are read. Built: rings, of
 *     which the unit has the first kernels on chip, and reads ahead. With one kernel on chip
 *     kernels of a queue would go one in each latency of memory.
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
