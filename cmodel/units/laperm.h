/*
 * laperm - the scheduler of LaPerm: which thread block goes to which SM next, of parents and of
 * the kernels and groups that they launch.
 *
 * Golden model of laperm.v, whose header repeats the sections below. Fields and their meaning:
 * laperm_ports.def; types and functions: unit.h.
 *
 * Contract
 *   Queue 0 has the kernels of the host, and each SM a set of queues, laperm_set, with what the
 *   thread blocks on it have launched. An entry is drawn from until its last thread block.
 *
 *   Launch     by the host: to queue 0. By a thread block: to the set of its SM, one level
 *              above its own, or of level L if that is L. With mode 0 all levels are 1. It
 *              waits while an insertion goes on in its set, or while an entry from memory waits
 *              for this set; in queue 0 also while that is full. What cannot go on chip
 *              (spills, in laperm_set) goes to memory, and waits only for the spill before it.
 *   Stamp      of a launch: the number of those before it since nothing waited in any set. It
 *              stops at the highest number: the order of those that have it is that of SMs.
 *   Memory     takes spills, and keeps a queue for each SM and level, first come, first out. A
 *              request stands until it is taken; the sets that want an entry take turns. None
 *              comes up while a spill waits. What comes back is inserted before launches that
 *              wait for the same set.
 *   Bind       modes 2 and 3 visit an SM in each cycle, in turn, if anything waits and no
 *              dispatch waits. The candidate is, 1, the head of the SM's set; 2, if the set is
 *              empty, that of queue 0; 3, if that is empty too, with mode 3, that of the SM's
 *              backup. If the recorded one is empty or there is none, the first set after the
 *              SM's that is not empty is recorded. A head that is not offered is no candidate,
 *              and the visit is lost.
 *   RR         mode 0: the oldest head of all.
 *   TB-Pri     mode 1: of the highest level, the oldest. Queue 0 is level 0. With both there is
 *              a candidate only if all sets and queue 0 are steady.
 *   Fit        the candidate's kernel is shown, and its room and limit are taken in the same
 *              cycle. With modes 2 and 3 it goes to the SM that is visited, or nothing does.
 *              With modes 0 and 1 it goes to the first SM that can take it after the last one
 *              they picked. An SM to which a dispatch shows takes no other in this cycle. One
 *              of queue 0 goes only to an SM with credit; those of the sets need none.
 *   Dispatch   shows from the next cycle on until it is taken. Its thread block has left its
 *              entry by then. Nothing else is picked before the cycle in which it is taken.
 *   Illegal    a launch of no thread blocks, of slot n_kernel and up, or by a thread block on
 *              SM n_sm and up is refused: launch_error. What comes back to a set for which
 *              nothing was asked, or of a level of which memory has none, is dropped; level 0
 *              counts as 1. A mode may change at any time: levels stay what they were.
 *
 * Reset
 *   Nothing waits, no SM has a backup, and SM 0 is visited first. All other registers are 0.
 *   Outputs do not depend on rst_i, and nothing is taken while it is high.
 *
 * Source
 *   Wang and others, "LaPerm: Locality Aware Scheduler for Dynamic Parallelism on GPUs", ISCA
 *   2016, III and IV.
 *
 * Deviations
 *   - Fig 6, the flow chart, is not in the text. Built: the first backup is the first set that
 *     is not empty after the SM's own, and it is recorded when it is chosen.
 *   - The source has one queue per priority for TB-Pri. Built: the sets, and stamps.
 *   - The source does not say what happens if a candidate does not fit. Built: nothing passes
 *     it.
 */

#ifndef LAPERM_H
#define LAPERM_H

#include "units/laperm_set.h"

#define UNIT laperm
#include "base/unit_declare.h"

/* The slot of the candidate in this cycle, which no input reaches; false if there is none. */
bool laperm_candidate(const struct laperm *unit, uint32_t *slot);
/* With these inputs nothing but the turn of visits and their records changes, ever. */
bool laperm_rests(const struct laperm *unit, const struct laperm_in *in);
/* Entries of the SM's set are on chip, on the way there, or in memory. */
bool laperm_waits(const struct laperm *unit, uint32_t sm);

enum laperm_mode { LAPERM_RR, LAPERM_TB_PRI, LAPERM_SMX_BIND, LAPERM_ADAPTIVE_BIND };

#endif
