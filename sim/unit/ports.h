/* ports - the port table of a unit, printed for its readers. */

#ifndef PORTS_H
#define PORTS_H

#include "base/unit.h"

enum ports_format {
    PORTS_TEXT,
    PORTS_MARKDOWN,
    PORTS_RTL,           /* as tb/drift reads it from the module */
    PORTS_PATHS,         /* the input-to-output paths, likewise */
    PORTS_DERIVED,       /* registers of the RTL alone, likewise */
    PORTS_DEFINES,       /* compiler options with the parameters */
    PORTS_SYSTEMVERILOG, /* imports of the DPI functions */
    PORTS_FILE,          /* the name of files of these parameters */
    PORTS_BENCH,         /* that replays vectors */
    PORTS_TRANSACTIONS,  /* that replays transactions */
    PORTS_DPI_BENCH,     /* that calls the DPI functions */
    PORTS_MODULE,        /* to begin with */
    PORTS_FORMATS
};

/* The names, for a message. */
extern const char ports_formats[];

/* False if there is no format of this name. */
bool ports_format_of(const char *name, enum ports_format *format);

/* Prints the table. */
void ports_print(const struct unit *unit, enum ports_format format);

#endif
