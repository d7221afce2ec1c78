/* compare_text - a comparison for a person to read: the answer, the keys, the counts. */

#ifndef COMPARE_TEXT_H
#define COMPARE_TEXT_H

#include <stdio.h>

#include "gpusched/compare/comparison.h"

/* names: of A and B. all: counts that are equal as well, and no limit. Sorts the counts. */
void compare_text(FILE *to, struct comparison *comparison, const char *const names[2],
                  bool all);

#endif
