/*
 * unit_paths - which inputs of a unit reach which outputs in their own cycle, for tests: seen
 * in many evaluations, and compared with the paths of its table.
 */

#ifndef UNIT_PATHS_H
#define UNIT_PATHS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/unit.h"

enum { PATH_ROWS = 192, PATH_CONSTANTS = 16, PATH_IN = 1024, PATH_OUT = 1024 };

struct unit_paths {
    struct unit unit; /* of which there is only the description */
    struct unit_port ports[PATH_ROWS];
    bool seen[PATH_ROWS][PATH_ROWS]; /* input, output */
    void *next;                      /* scratch */
};

void open_paths(struct unit_paths *paths, const struct unit_type *type, const void *config);

/* What becomes of the outputs when one input after the other is as in `other`. */
void note_paths(struct unit_paths *paths, const void *model, const void *in, const void *other);
bool has_path(const struct unit_type *type, const char *in, const char *out);

/* Each path of the table was seen, and no other. */
void close_paths(struct unit_paths *paths);

#endif
