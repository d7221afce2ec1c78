/* bench - Verilog benches of a unit, written from its port table. */

#ifndef BENCH_H
#define BENCH_H

#include "base/unit.h"

/*
 * <unit>_tb in Verilog-2005: connects the module to tb/conformance/replay.v. It has the unit's
 * parameters, so that one text is right for any size; the unit's own are only their defaults.
 */
void bench_print(const struct unit *unit);

/* The same with replay_transactions.v, for files of transactions. */
void bench_print_transactions(const struct unit *unit);

/* <unit>_dpi_tb in SystemVerilog: random inputs for the module and, by DPI, for the golden
 * model. */
void bench_print_dpi(const struct unit *unit);

/* The instance u_dut of the module, with every port on a net of its own name. */
void bench_instance(const struct unit *unit);

/* For these: an expression of the table in Verilog; the bits of a port; one argument of its
 * shape. */
void bench_expression(const char *text);
void bench_bits(const struct unit_port *port);
void bench_argument(const struct unit_port *port, uint32_t k);

/* Bits of an element of a port or register, and how many elements it has. */
void bench_width(const struct unit_port *port);
void bench_count(const struct unit_port *port);

/* The part of <unit>_tb that names what differs, when the replayer says that something does. */
void bench_print_names(const struct unit *unit);

/* A module to begin with: parameters, ports, registers with their reset; outputs are 0. */
void skeleton_print(const struct unit *unit);

#endif
