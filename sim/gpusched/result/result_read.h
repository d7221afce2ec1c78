/* result_read - what `gpusched run -o FOLDER` has written, read again. */

#ifndef RESULT_READ_H
#define RESULT_READ_H

#include <jansson.h>
#include <stdbool.h>

#include "base/fault.h"

enum { RESULT_PATH = 4096 };

/* Is this a run's folder, or the result.json in one? Only the name and the kind of the file are
 * looked at. */
bool result_named(const char *path);

/* FOLDER/NAME of the folder, or of the file in it, that was given. Returns false with a fault
 * if that is too long. */
bool result_place(const char *given, const char *name, char path[RESULT_PATH],
                  struct fault *fault);

/* The result of a folder or of its result.json; to be dereferenced. NULL with a fault of one
 * line: it is not there, is no JSON, or no result of a run. */
json_t *result_read(const char *given, struct fault *fault);

/* An object in a file beside it whose `format` is this; NULL without a fault if there is no
 * such file. */
json_t *result_read_beside(const char *given, const char *name, const char *format,
                           struct fault *fault);

/* "hotspot small" */
enum { RESULT_TITLE = 512 };
struct result_title {
    char text[RESULT_TITLE];
};
struct result_title result_title(const json_t *result);

#endif
