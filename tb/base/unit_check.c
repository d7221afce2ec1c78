/* unit_check - what the tests of units share; see unit_check.h. */

#include "tb/base/unit_check.h"

/* ---- A cycle that failed ------------------------------------------------------------- */

void rows_of(struct unit_rows *rows, const struct unit_type *type, const void *config)
{
    struct unit_const constants[16];

    assert_in_range(type->max_port, 1, sizeof rows->port / sizeof rows->port[0]);
    assert_in_range(type->n_const, 0, sizeof constants / sizeof constants[0]);
    const uint32_t n = type->describe(config, constants, rows->port);
    rows->unit = (struct unit){ .type = type, .ports = rows->port, .n_port = n };
}

void check_group(const struct unit_type *type, const void *config, enum unit_group group,
                 const void *expected, const void *got)
{
    struct unit_rows rows;
    struct unit_difference found;

    rows_of(&rows, type, config);
    if (unit_compare(&rows.unit, group, expected, got, &found, 1u) != 0u) {
        fail_msg("%s[%" PRIu32 "] is %" PRIu64 ", not %" PRIu64, found.port->name,
                 found.element, found.got, found.expected);
    }
}

/* "request_line_i 3, request_write_i 1": what is not 0. */
static void print_group(const struct unit_rows *rows, enum unit_group group, const void *from,
                        const char *title)
{
    char name[UNIT_PORT_NAME];

    print_message("%s:", title);
    for (uint32_t i = 0u; i < rows->unit.n_port; i++) {
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

void check_outputs(const struct unit_type *type, const void *config, const void *in,
                   const void *expected, const void *got)
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

struct states states_open(size_t key_size, size_t node_size)
{
    return (struct states){ .key_size = key_size, .node_size = node_size };
}

void states_close(struct states *states)
{
    free(states->keys);
    free(states->nodes);
    free(states->slot);
    *states = (struct states){ .n = 0u };
}

static uint32_t *states_slot(const struct states *states, const void *key)
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

static void states_grow(struct states *states)
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

void states_add(struct states *states, const void *key, const void *node)
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

const void *states_node(const struct states *states, uint32_t i)
{
    return states->nodes + i * states->node_size;
}

uint64_t digit(uint64_t *number, uint64_t n)
{
    const uint64_t value = *number % n;

    *number /= n;
    return value;
}
