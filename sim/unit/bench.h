/* bench - the Verilog bench of a unit, written from its port table. */

#ifndef BENCH_H
#define BENCH_H

#include "base/unit.h"

/*
 * <unit>_tb in Verilog-2005: connects the module to tb/conformance/replay.v. It has the unit's
 * parameters, so that one text is right for any size; the unit's own are only their defaults.
 */
void bench_print(const struct unit *unit);

#endif
