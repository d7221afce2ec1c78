/*
 * fields - where a unit's struct of inputs or outputs has values, and not what lies between its
 * fields.
 */

#ifndef FIELDS_H
#define FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/unit.h"

struct fields_bytes {
    size_t at, n;
};

/* What has values; and what is copied, which may have some of what lies between, too: most of
 * the struct's room is for a larger unit. */
struct fields {
    struct fields_bytes *bytes, *copied;
    uint32_t n, n_copied;
};

/* Those of UNIT_IN or UNIT_OUT. False if there is no memory; fields_free is due in any case. */
bool fields_find(struct fields *fields, const struct unit *unit, enum unit_group group);
void fields_free(struct fields *fields);

/* Copies a struct of the group. */
void fields_copy(const struct fields *fields, void *to, const void *from);
/* True for two structs of the group with equal fields. */
bool fields_equal(const struct fields *fields, const void *a, const void *b);

#endif
