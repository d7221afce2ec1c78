/* report - a difference between model and RTL, for a person to read. */

#ifndef REPORT_H
#define REPORT_H

#include <stdio.h>

#include "base/unit.h"

enum { REPORT_DIFFERENCES = 16 };

/* The table of what differs: port[element], expected and got. Of a memory, port[word][element].
 */
void report_differences(FILE *to, const struct unit_difference *differences, uint32_t n);

/* The names of the inputs, then the inputs of a cycle, as lines of one table. */
void report_input_names(FILE *to, const struct unit *unit);
void report_inputs(FILE *to, const struct unit *unit, uint64_t cycle, bool reset);

#endif
