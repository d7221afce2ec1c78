/*
 * core_status - the core status table: of each core whether it is active, whether it is paused,
 * and a sample of its instructions.
 *
 * Golden model of core_status.v, whose header repeats the sections below. Fields and their
 * meaning: core_status_ports.def; types and functions: unit.h.
 *
 * Contract
 *   Core       CTAs go to cores that are active and not paused: open. An active core keeps its
 *              CTAs while it is paused; one that is not active takes no more.
 *   Write      write replaces both sets; they show in the next cycle.
 *   Sample     in a cycle with window high, the sample of each open core grows by what the core
 *              issues. It stops at the highest number. Cores that are not open keep theirs.
 *   Clear      makes all samples 0. What is issued in the same cycle is not counted.
 *   Read       sample shows in the next cycle what core `read` has in this one. A core that
 *              is not there has 0.
 *   Illegal    there is no illegal stimulus.
 *
 * Reset
 *   All cores are active, and none is paused. Samples are 0. Outputs do not depend on rst_i,
 *   and nothing is counted while it is high.
 *
 * Source
 *   Awatramani, "Workload-aware scheduling techniques for general purpose applications on
 *   graphics processing units", dissertation, section 4.4.2.3, Core Status Table.
 *
 * Deviations
 *   - The source has the core measure its IPC and the table record it. Built: the table counts
 *     the core's instructions, and onac divides their sum once. The source gives no format.
 *   - The other fields of the source's table, of which it says only that they are there, are
 *     those of the work distributor.
 */

#ifndef CORE_STATUS_H
#define CORE_STATUS_H

#define UNIT core_status
#include "base/unit_declare.h"

#endif
