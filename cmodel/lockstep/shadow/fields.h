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
    size_t packed; /* where they are in a packed struct */
};

/* What has values; and what is copied, which may have some of what lies between, too: most of
 * the struct's room is for a larger unit. In a packed struct nothing else is. Of arrays of
 * short numbers a packed struct has a byte an element: such structs go from one processor to
 * another, which takes longer than to pack them. */
struct fields {
    struct fields_bytes *bytes, *copied, *shorts; /* n of shorts: elements */
    uint32_t n, n_copied, n_short;
    size_t packed; /* bytes of it */
};

/* Those of UNIT_IN or UNIT_OUT. False if there is no memory; fields_free is due in any case. */
bool fields_find(struct fields *fields, const struct unit *unit, enum unit_group group);
void fields_free(struct fields *fields);

/* Copies a struct of the group. */
void fields_copy(const struct fields *fields, void *to, const void *from);
/* The same, to and from a packed one. */
void fields_pack(const struct fields *fields, void *packed, const void *from);
void fields_unpack(const struct fields *fields, void *to, const void *packed);
/* True for a packed struct and another with equal fields. */
bool fields_equal(const struct fields *fields, const void *packed, const void *with);
/* Finds up to max differences of packed outputs from the unit's, in the order of its table.
 * Returns how many; for lack of memory none. */
uint32_t fields_compare(const struct fields *fields, const struct unit *unit,
                        const void *packed, struct unit_difference *differences, uint32_t max);

#endif
