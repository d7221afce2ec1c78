/* ports - the port table of a unit, printed for its readers. */

#ifndef PORTS_H
#define PORTS_H

#include "base/unit.h"

/*
 * Prints the table in a format: text, markdown, rtl (as tb/drift reads it from the
 * module), paths (the input-to-output paths, likewise), module (to begin with), bench (that
 * replays vectors), systemverilog (imports of the DPI functions), dpi-bench (that calls them),
 * defines (compiler options with the parameters) or file (the name of files of these
 * parameters). False if there is no such format.
 */
bool ports_print(const struct unit *unit, const char *format);

extern const char ports_formats[];

#endif
