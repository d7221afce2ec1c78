/*
 * rtl_theirs - another's Verilog of a unit: its module is checked against the port table, and
 * compiled to a library that rtl.h loads. Its registers may be others than the table's.
 */

#ifndef RTL_THEIRS_H
#define RTL_THEIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/unit.h"

enum { RTL_THEIRS_FILES = 64 };

struct rtl_theirs {
    const char *files[RTL_THEIRS_FILES]; /* Verilog; one of them has the unit's module */
    uint32_t n_file;
    const char *folders[RTL_THEIRS_FILES]; /* where else modules and included files are */
    uint32_t n_folder;
    const char *library; /* to be made */
    bool ports_only;     /* registers of the table's names are not compared either */
};

/*
 * Builds the library for a unit's parameters. False, with the reasons on stderr, a line each,
 * and no file made: a program is missing, Verilator cannot read the files, a parameter of the
 * unit is not one of the module, or a port is missing, too much, or not as in the port table.
 */
bool rtl_theirs_build(const struct unit *unit, const struct rtl_theirs *theirs);

#endif
