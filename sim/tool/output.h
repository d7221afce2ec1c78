/*
 * output - the files of a run. They get their names at the end, all or none; a folder that was
 * made for them goes if there are none.
 */

#ifndef OUTPUT_H
#define OUTPUT_H

#include "base/fault.h"
#include "base/output_file.h"

enum { OUTPUT_FILES = 8, OUTPUT_PATH = 4096, OUTPUT_NAME = 128 };

struct output {
    char folder[OUTPUT_PATH];
    bool made; /* the folder was not there */
    unsigned n;
    struct output_file files[OUTPUT_FILES];
};

/* Makes the folder if it is not there, though not its parents. Returns false with a
 * fault. */
bool output_open(struct output *output, const char *folder, struct fault *fault);

/* A new file, to be written and not closed; NULL with a fault. name: below OUTPUT_NAME. */
FILE *output_file(struct output *output, const char *name, struct fault *fault);

/* Closes the files and names them. A file of `may_be_old` (ends with NULL) that an earlier
 * run left and this one did not write is removed: it would belong to other results. Returns
 * false with a fault, and leaves nothing, if one could not be written. */
bool output_commit(struct output *output, const char *const *may_be_old, struct fault *fault);

/* Removes what has been written. */
void output_abandon(struct output *output);

#endif
