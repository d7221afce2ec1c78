/*
 * sm_room - which SMs have room for a block of CTAs of the kernel whose CTAs are issued.
 *
 * Golden model of sm_room.v, whose header repeats the sections below. Fields and their
 * meaning: sm_room_ports.def; types and functions: unit.h.
 *
 * Contract
 *   Room       of each SM is that of its sm_contexts, and depends on no other SM.
 *   Launch     a table holds what a CTA of each slot needs. A launch writes the slot's row, and
 *              in the next cycle all SMs begin a recount.
 *   Start      at most one SM gets CTAs in a cycle, a block of them; any number of SMs see
 *              CTAs end, and those of one SM that end in a cycle are of one slot.
 *   Order      the slot is launched before its number is at kernel. A launch in its own cycle
 *              is in no room yet.
 *   Illegal    a launch of a slot there is not, and a start on an SM there is not, are ignored.
 *              All else is as in sm_contexts.
 *
 * Reset
 *   All registers are 0: all SMs are empty, and none has room before the first launch.
 *
 * Source
 *   Those of sm_contexts. The slides and the status blocks of the dissertation, section 5.4,
 *   keep what a CTA needs with its kernel, as the table here does.
 *
 * Deviations
 *   - Those of its parts.
 */

#ifndef SM_ROOM_H
#define SM_ROOM_H

#include "units/sm_contexts.h"

#define UNIT sm_room
#include "base/unit_declare.h"

#endif
