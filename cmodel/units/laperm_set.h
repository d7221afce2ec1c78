/*
 * laperm_set - the priority queues of one SM: entries on chip, in the order of their levels,
 * and numbers of those in memory.
 *
 * Golden model of laperm_set.v, whose header repeats the sections below. Fields and their
 * meaning: laperm_set_ports.def; types and functions: unit.h.
 *
 * Contract
 *   An entry is a device kernel or a group of thread blocks. It has a level; the highest goes
 *   first, and of one level what was inserted first.
 *
 *   Chip       at most n_entry entries: a head in registers, and behind it an array, in the
 *              order of levels. Pointers split the array into sections, one for each level.
 *   Head       the first entry, and its next thread block. draw takes that, if offer. With the
 *              last one the entry is gone. After two cycles without a head the next is here.
 *   Insertion  one at a time. An entry that is taken in cycle t starts in t + 1, or once there
 *              is a head or the array is empty. Before a head of a lower level it becomes the
 *              head, and that goes back to the array, with its next thread block; the head is
 *              not offered in this cycle. Behind all entries, or before all of the array, it is
 *              in its place in the next cycle. Otherwise all entries of lower levels move back
 *              by a place, one in each cycle in which no head is loaded. So an insertion takes
 *              at most n_entry cycles and those.
 *   Meanwhile  the head is drawn from, and loaded. If all entries before the one that is
 *              inserted are gone it becomes the head at once, and the hole behind it is closed:
 *              what is left to move, moves; or is loaded from the other side.
 *   Memory     spill counts the entries of each level there. A launch of a level of which
 *              memory has some goes there too: spills. So does any while the chip has no place
 *              but for an entry that is wanted. While there is a place on chip and no entry has
 *              been asked for, the highest level in memory is wanted. ask keeps the place. What
 *              comes back is inserted as a launch is.
 *   Empty      a set has none on chip, none in memory and none on the way from there: not some.
 *              A launch that is being inserted does not count before its end.
 *   Illegal    changes nothing: what is inserted while not idle, or without a place, or comes
 *              back without having been asked for, or of a level that memory has none of; a
 *              draw without an offer; an ask without a want; what is spilled to a level that is
 *              stuck, which holds 2^spill_w - 1.
 *
 * Reset
 *   All registers are 0: the set is empty. The array keeps what it holds. Outputs do not depend
 *   on rst_i, and nothing is taken while it is high.
 *
 * Source
 *   Wang and others, "LaPerm: Locality Aware Scheduler for Dynamic Parallelism on GPUs", ISCA
 *   2016, IV.B and IV.E: 128 entries of 24 bytes for each SM, L - 1 pointers, a search of up to
 *   128 cycles.
 *
 * Deviations
 *   - The source searches the queue for the place of a new entry and does not say how the place
 *     is made. Built: all lower entries move, and the search is their number.
 *   - The source does not say when an entry comes back from memory. Built: when there is a
 *     place, one at a time.
 */

#ifndef LAPERM_SET_H
#define LAPERM_SET_H

#define UNIT laperm_set
#include "base/unit_declare.h"

/* Values of register state. */
enum laperm_set_state_number {
    LAPERM_SET_IDLE,
    LAPERM_SET_START,
    LAPERM_SET_MOVE,
    LAPERM_SET_CLOSE
};

/* Rare events of a cycle. */
enum laperm_set_event {
    LAPERM_SET_PUSHED,    /* a head gives way to a launch of higher priority */
    LAPERM_SET_MOVED,     /* an entry moves back by a place */
    LAPERM_SET_FRONT,     /* a launch goes before all entries but the head */
    LAPERM_SET_OVERTOOK,  /* a launch becomes the head while others move for it */
    LAPERM_SET_DRAINED,   /* an entry is loaded from before a hole that is being closed */
    LAPERM_SET_CAME_BACK, /* an entry from memory is inserted */
    LAPERM_SET_EVENTS
};

#ifdef __cplusplus
extern "C" {
#endif

/* Bit e: event e. */
uint32_t laperm_set_meets(const struct laperm_set *unit);

/* Its outputs, which depend on no input. */
void laperm_set_show(const struct laperm_set *unit, struct laperm_set_out *out);

/* Entries are on chip, on the way there, or in memory. */
bool laperm_set_waits(const struct laperm_set *unit);
/* It has a place for an entry from memory, and has not asked for one. */
bool laperm_set_wants(const struct laperm_set *unit);
/* Without inputs no edge changes it. */
bool laperm_set_rests(const struct laperm_set *unit);

#ifdef __cplusplus
}
#endif

#endif
