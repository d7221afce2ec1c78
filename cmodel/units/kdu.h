/*
 * kdu - the kernel distributor unit: the table of resident kernels, and which of them a group
 * of thread blocks joins.
 *
 * Golden model of kdu.v, whose header repeats the sections below. Fields and their meaning:
 * kdu_ports.def; types and functions: unit.h.
 *
 * Contract
 *   Entry      an entry is in use while thread blocks of its kernel, or of groups that have
 *              joined it, have not ended. It is not held for kernels that they have launched.
 *   Admission  a kernel gets the lowest free slot in the cycle in which it is taken.
 *   Group      one at a time. In the cycle in which it is taken, t, its configuration is
 *              compared with those of all entries in use; the lowest slot that has it is found.
 *              The answer comes in t + 2. The group joins if that entry has been in use since,
 *              and its thread blocks can be counted: the count of the entry grows by them.
 *              Otherwise the answer is a miss, and the group is launched as a kernel.
 *   Ended      thread blocks that end in cycle t are taken off the count at the edge of t + 1,
 *              and with the last one the entry is free in t + 2: freed. A group that joins at
 *              that edge counts first, so the entry stays.
 *   Give up    an entry is free in the next cycle, gave_up and not freed, if its count is
 *              give_up_tbs. It stays if thread blocks of it ended in the last cycle, or a group
 *              joins in this one: the count is about to change. Whoever asks may ask again.
 *              Thread blocks that wait are not told to the unit any more when they end.
 *   Illegal    a kernel of no thread blocks is taken and refused: admit_error, and it gets no
 *              entry. A group of none misses. Thread blocks that end of a free slot, or of slot
 *              n_kernel and up, are ignored. If more end than there are the count is 0, and the
 *              entry is free. To give up a free slot, or one that there is not, does nothing.
 *
 * Reset
 *   All registers are 0: all entries are free. The memory keeps what it holds. Outputs do not
 *   depend on rst_i, and nothing is taken while it is high.
 *
 * Source
 *   Wang and others, "LaPerm: Locality Aware Scheduler for Dynamic Parallelism on GPUs", ISCA
 *   2016, II.B and II.C: 32 entries, and groups that are coalesced with a resident kernel of
 * the same configuration.
 *
 * Deviations
 *   - The source does not say what a group does that finds no kernel. Built: a miss, and it is
 *     launched as a kernel.
 *   - The source does not say until when an entry is held. Built: until all thread blocks of
 *     the kernel and its groups have ended; with children, nested launches would fill the table
 *     for good.
 *   - The source does not speak of kernels of which only thread blocks are left that wait for
 *     their children. Built: such a kernel may give its entry up.
 */

#ifndef KDU_H
#define KDU_H

#define UNIT kdu
#include "base/unit_declare.h"

/* Values of register group_state. */
enum kdu_group_state { KDU_IDLE, KDU_FIT, KDU_JOIN };

#endif
