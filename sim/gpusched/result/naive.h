/* naive - the names of the fast paths that enum gpu_mode switches off, and of its check. */

#ifndef NAIVE_H
#define NAIVE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/fault.h"

/* Reads "all", or names with commas between, into bits of enum gpu_mode. Returns false with a
 * fault. */
bool naive_parse(const char *list, unsigned *mode, struct fault *fault);

/* The name of a number from 0; "all" is the last. NULL beyond it. */
const char *naive_name(size_t number);

/* The names in a mode, as an array. */
json_t *naive_json(unsigned mode);

#endif
