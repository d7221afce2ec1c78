/* footprints - shared footprints (exec_footprint.h) as JSON, and in words. */

#ifndef FOOTPRINTS_H
#define FOOTPRINTS_H

#include <jansson.h>
#include <stdio.h>

#include "exec/exec_footprint.h"

json_t *footprints_json(const struct exec_footprint *footprint);
void footprints_print(const struct exec_footprint *footprint, FILE *to);

#endif
