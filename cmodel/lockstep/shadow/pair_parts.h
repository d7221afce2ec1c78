/*
 * pair_parts - the parts of a golden twin that is a composition, as they are evaluated in it,
 * for a comparison with the parts in its RTL. A part has a unit, of which the structs of inputs
 * and outputs show those of the part; an array of parts has none, and is not shown.
 */

#ifndef PAIR_PARTS_H
#define PAIR_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/unit.h"
#include "lockstep/rtl.h"
#include "lockstep/shadow/fields.h"

struct pair_part {
    uint32_t number; /* among the composition's parts */
    struct fields inputs, outputs;
    size_t at; /* of its outputs in those that are given */
};

struct pair_parts {
    struct pair_part *part;
    struct rtl_part *shown; /* of each, what the RTL is compared with */
    uint32_t n;
    struct unit_watch watch; /* keeps what is evaluated */
};

/* Adds to out_bytes the room for outputs of parts. parts must stay where it is. False if there
 * is no memory; pair_parts_close is due in any case. */
bool pair_parts_open(struct pair_parts *parts, const struct unit *unit, size_t *out_bytes);
void pair_parts_close(struct pair_parts *parts);

/* Copies a part's outputs to those that are given; number: among the composition's parts. */
void pair_parts_give(const struct pair_parts *parts, uint32_t number, void *given,
                     const void *out);
/* The outputs of parts that were given are those of the twin's. */
bool pair_parts_agree(const struct pair_parts *parts, const void *given);
/* Where they are not: up to max differences. */
uint32_t pair_parts_compare(const struct pair_parts *parts, const void *given,
                            struct unit_difference *differences, uint32_t max);

#endif
