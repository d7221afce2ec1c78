/*
 * unit_check - what the tests of units share: comparison, a cycle that failed shown port by
 * port, and the states that a small unit can reach.
 */

#ifndef UNIT_CHECK_H
#define UNIT_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/random_bits.h"
#include "base/unit.h"
#include "tb/base/sanitized.h"
#include "tb/base/seed.h"

/* ---- A cycle that failed ------------------------------------------------------------- */

/* The rows of a unit of these parameters. */
struct unit_rows {
    struct unit_port port[192];
    struct unit unit;
};

void rows_of(struct unit_rows *rows, const struct unit_type *type, const void *config);

/* Fails if a unit's ports, registers or memories are not those that are expected. */
void check_group(const struct unit_type *type, const void *config, enum unit_group group,
                 const void *expected, const void *got);

/* Fails, and shows the cycle, unless the unit's outputs are those that are expected. */
void check_outputs(const struct unit_type *type, const void *config, const void *in,
                   const void *expected, const void *got);

/* ---- The states that a unit can reach ------------------------------------------------ */

/*
 * States found so far, each once: a key that tells it from others, and what is needed to go on
 * from it. Both are plain bytes; those between the fields of a struct are to be 0.
 */
struct states {
    size_t key_size;
    size_t node_size;
    uint32_t n;
    uint32_t room;
    unsigned char *keys;
    unsigned char *nodes;
    uint32_t n_slot; /* a power of two, more than twice n */
    uint32_t *slot;  /* 1 + a state, or 0 */
};

struct states states_open(size_t key_size, size_t node_size);
void states_close(struct states *states);

/* Adds a state, unless it is known. */
void states_add(struct states *states, const void *key, const void *node);
const void *states_node(const struct states *states, uint32_t i);

/* Takes the next of n values of a mixed-radix number: each input of a unit by its number. */
uint64_t digit(uint64_t *number, uint64_t n);

#endif
