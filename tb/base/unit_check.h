/*
 * unit_check - what the tests of units share: a seed that is printed, a cycle that failed shown
 * port by port, and the states that a small unit can reach.
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
#include "sanitized.h"

/* The start of the random numbers: SEED of the environment, or 1. Printed, to repeat a run. */
static inline uint64_t printed_seed(void)
{
    const char *const text = getenv("SEED");
    const uint64_t seed = text != NULL ? strtoull(text, NULL, 0) : 1u;

    print_message("SEED=%" PRIu64 "\n", seed);
    return seed;
}

static inline bool one_in(uint64_t *random, uint32_t n)
{
    return random_below(random, n) == 0u;
}

/* ---- A cycle that failed ------------------------------------------------------------- */

/* The rows of a unit of these parameters. */
struct unit_rows {
    struct unit_port port[64];
    struct unit unit;
};

static inline void rows_of(struct unit_rows *rows, const struct unit_type *type,
                           const void *config)
{
    struct unit_const constants[16];

    assert_in_range(type->n_port, 1, sizeof rows->port / sizeof rows->port[0]);
    assert_in_range(type->n_const, 0, sizeof constants / sizeof constants[0]);
    type->describe(config, constants, rows->port);
    rows->unit = (struct unit){ .type = type, .ports = rows->port };
}

/* "request_line_i 3, request_write_i 1": what is not 0. */
static inline void print_group(const struct unit_rows *rows, enum unit_group group,
                               const void *from, const char *title)
{
    char name[UNIT_PORT_NAME];

    print_message("%s:", title);
    for (uint32_t i = 0u; i < rows->unit.type->n_port; i++) {
        const struct unit_port *const port = &rows->port[i];
        for (uint32_t k = 0u; port->group == group && k < port->count * port->words; k++) {
            const uint64_t value = unit_get(port, from, k);
            if (value != 0u) {
                print_message(" %s[%u]=%" PRIu64, unit_port_name(port, name), k, value);
            }
        }
    }
    print_message("\n");
}

/* Fails, and shows the cycle, unless the unit's outputs are those that are expected. */
static inline void check_outputs(const struct unit_type *type, const void *config,
                                 const void *in, const void *expected, const void *got)
{
    struct unit_rows rows;
    struct unit_difference found;
    char name[UNIT_PORT_NAME];

    rows_of(&rows, type, config);
    if (unit_compare(&rows.unit, UNIT_OUT, expected, got, &found, 1u) != 0u) {
        for (uint32_t i = 0u; i < type->n_param; i++) {
            uint32_t value;
            memcpy(&value, (const char *)config + type->params[i].offset, sizeof value);
            print_message("%s=%" PRIu32 " ", type->params[i].name, value);
        }
        print_group(&rows, UNIT_IN, in, "\ninputs");
        print_group(&rows, UNIT_OUT, expected, "expected");
        print_group(&rows, UNIT_OUT, got, "got");
        fail_msg("%s[%" PRIu32 "] is %" PRIu64 ", not %" PRIu64,
                 unit_port_name(found.port, name), found.element, found.got, found.expected);
    }
}

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

static inline struct states states_open(size_t key_size, size_t node_size)
{
    return (struct states){ .key_size = key_size, .node_size = node_size };
}

static inline void states_close(struct states *states)
{
    free(states->keys);
    free(states->nodes);
    free(states->slot);
    *states = (struct states){ .n = 0u };
}

static inline uint32_t *states_slot(const struct states *states, const void *key)
{
    const unsigned char *const bytes = key;
    uint64_t hash = UINT64_C(0xCBF29CE484222325); /* FNV-1a */

    for (size_t i = 0u; i < states->key_size; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001B3);
    }
    uint32_t at = (uint32_t)(hash ^ hash >> 32) & (states->n_slot - 1u);
    while (states->slot[at] != 0u
           && memcmp(states->keys + (states->slot[at] - 1u) * states->key_size, key,
                     states->key_size)
                  != 0) {
        at = (at + 1u) & (states->n_slot - 1u);
    }
    return &states->slot[at];
}

static inline void states_grow(struct states *states)
{
    states->room = states->room == 0u ? 64u : 2u * states->room;
    states->n_slot = 4u * states->room;
    states->keys = realloc(states->keys, states->room * states->key_size);
    states->nodes = realloc(states->nodes, states->room * states->node_size);
    free(states->slot);
    states->slot = calloc(states->n_slot, sizeof *states->slot);
    assert_true(states->keys != NULL && states->nodes != NULL && states->slot != NULL);
    for (uint32_t i = 0u; i < states->n; i++) {
        *states_slot(states, states->keys + i * states->key_size) = i + 1u;
    }
}

/* Adds a state, unless it is known. */
static inline void states_add(struct states *states, const void *key, const void *node)
{
    if (states->n == states->room) {
        states_grow(states);
    }
    uint32_t *const slot = states_slot(states, key);
    if (*slot == 0u) {
        memcpy(states->keys + states->n * states->key_size, key, states->key_size);
        memcpy(states->nodes + states->n * states->node_size, node, states->node_size);
        *slot = ++states->n;
    }
}

static inline const void *states_node(const struct states *states, uint32_t i)
{
    return states->nodes + i * states->node_size;
}

/* Takes the next of n values of a mixed-radix number: each input of a unit by its number. */
static inline uint64_t digit(uint64_t *number, uint64_t n)
{
    const uint64_t value = *number % n;

    *number /= n;
    return value;
}

#endif
