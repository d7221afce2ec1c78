/* unit_values - values of ports: single, as vectors of bits, compared; see unit.h. */

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/unit.h"

const char *unit_suffix(const struct unit_port *port)
{
    static const char *const suffix[UNIT_GROUPS] = { "_i", "_o", "_q", "_q" };
    return suffix[port->group];
}

char *unit_port_name(const struct unit_port *port, char text[UNIT_PORT_NAME])
{
    if (port->part == NULL) {
        snprintf(text, UNIT_PORT_NAME, "%s%s", port->name, unit_suffix(port));
    } else if (port->elements > 0u) {
        snprintf(text, UNIT_PORT_NAME, "g_%s[%" PRIu32 "].u_%s.%s%s", port->part, port->element,
                 port->part, port->name, unit_suffix(port));
    } else {
        snprintf(text, UNIT_PORT_NAME, "u_%s.%s%s", port->part, port->name, unit_suffix(port));
    }
    return text;
}

/* ---- Elements ------------------------------------------------------------------------ */

uint64_t unit_get(const struct unit_port *port, const void *group, uint32_t k)
{
    const void *const field = (const char *)group + port->offset;

    assert(k < port->count * port->words);
    switch (port->shape) {
    case UNIT_FLAG:
        return *(const bool *)field;
    case UNIT_SET:
        return bits_has(*(const struct bits *)field, k);
    case UNIT_NUM:
    case UNIT_ARRAY:
        return ((const uint32_t *)field)[k];
    case UNIT_LONG:
    case UNIT_MEMORY:
        return ((const uint64_t *)field)[k];
    }
    return 0u;
}

void unit_set(const struct unit_port *port, void *group, uint32_t k, uint64_t value)
{
    void *const field = (char *)group + port->offset;

    assert(k < port->count * port->words);
    switch (port->shape) {
    case UNIT_FLAG:
        *(bool *)field = value != 0u;
        return;
    case UNIT_SET:
        bits_remove(field, k);
        if (value != 0u) {
            bits_add(field, k);
        }
        return;
    case UNIT_NUM:
    case UNIT_ARRAY:
        ((uint32_t *)field)[k] = (uint32_t)value;
        return;
    case UNIT_LONG:
    case UNIT_MEMORY:
        ((uint64_t *)field)[k] = value;
        return;
    }
}

struct unit_write_list unit_writes(const struct unit_port *port, const void *next)
{
    const UNIT_WRITES(1) *const list = (const void *)((const char *)next + port->writes_at);
    return (struct unit_write_list){ list->n, list->write };
}

/* ---- Vectors of bits ----------------------------------------------------------------- */

uint64_t unit_get_bits(const uint32_t *words, uint32_t bit, uint32_t n)
{
    const uint32_t *const word = words + bit / 32u;
    const uint32_t shift = bit % 32u;
    uint64_t value = *word >> shift;

    if (shift + n > 32u) {
        value |= (uint64_t)word[1] << (32u - shift);
    }
    if (shift + n > 64u) {
        value |= (uint64_t)word[2] << (64u - shift);
    }
    return value & (UINT64_MAX >> (64u - n));
}

void unit_set_bits(uint32_t *words, uint32_t bit, uint32_t n, uint64_t value)
{
    while (n > 0u) {
        uint32_t *const word = words + bit / 32u;
        const uint32_t shift = bit % 32u;
        const uint32_t piece = n < 32u - shift ? n : 32u - shift;
        const uint32_t mask = (uint32_t)((UINT64_C(1) << piece) - 1u) << shift;

        *word = (*word & ~mask) | ((uint32_t)(value << shift) & mask);
        value >>= piece;
        bit += piece;
        n -= piece;
    }
}

/* 32-bit piece i of a set, or what of it is below n. */
static uint32_t set_piece(struct bits set, uint32_t i, uint32_t n)
{
    const uint32_t piece = (uint32_t)(set.word[i / 2u] >> (i % 2u * 32u));
    const uint32_t left = n - 32u * i;
    return left < 32u ? piece & ((1u << left) - 1u) : piece;
}

static void pack_at(const struct unit_port *port, const void *group, uint32_t *words,
                    uint32_t bit)
{
    const void *const field = (const char *)group + port->offset;

    assert(port->shape != UNIT_MEMORY);
    if (port->shape == UNIT_SET) {
        const struct bits set = *(const struct bits *)field;
        for (uint32_t i = 0u; 32u * i < port->count; i++) {
            const uint32_t left = port->count - 32u * i;
            unit_set_bits(words, bit + 32u * i, left < 32u ? left : 32u,
                          set_piece(set, i, port->count));
        }
        return;
    }
    for (uint32_t k = 0u; k < port->count; k++) {
        unit_set_bits(words, bit + k * port->width, port->width, unit_get(port, group, k));
    }
}

static void unpack_at(const struct unit_port *port, const uint32_t *words, uint32_t bit,
                      void *group)
{
    void *const field = (char *)group + port->offset;

    assert(port->shape != UNIT_MEMORY);
    if (port->shape == UNIT_SET) {
        struct bits set = { { 0u, 0u } };
        for (uint32_t i = 0u; 32u * i < port->count; i++) {
            const uint32_t left = port->count - 32u * i;
            set.word[i / 2u] |= unit_get_bits(words, bit + 32u * i, left < 32u ? left : 32u)
                                << (i % 2u * 32u);
        }
        *(struct bits *)field = set;
        return;
    }
    for (uint32_t k = 0u; k < port->count; k++) {
        unit_set(port, group, k, unit_get_bits(words, bit + k * port->width, port->width));
    }
}

static void pack_array(const struct unit_port *port, const uint32_t *field, uint32_t *words)
{
    const uint64_t mask = (UINT64_C(1) << port->width) - 1u;
    uint64_t held = 0u;
    uint32_t bits = 0u;

    for (uint32_t k = 0u; k < port->count; k++) {
        held |= (field[k] & mask) << bits;
        bits += port->width;
        if (bits >= 32u) {
            *words++ = (uint32_t)held;
            held >>= 32u;
            bits -= 32u;
        }
    }
    if (bits != 0u) {
        *words = (uint32_t)held;
    }
}

void unit_pack(const struct unit_port *port, const void *group, uint32_t *words)
{
    if (port->shape == UNIT_ARRAY) { /* the widest by far */
        const void *const field = (const char *)group + port->offset;
        pack_array(port, field, words);
        return;
    }
    words[unit_words(unit_port_bits(port)) - 1u] = 0u;
    pack_at(port, group, words, 0u);
}

void unit_unpack(const struct unit_port *port, const uint32_t *words, void *group)
{
    unpack_at(port, words, 0u, group);
}

void unit_pack_group(const struct unit *unit, enum unit_group group, const void *from,
                     uint32_t *image)
{
    memset(image, 0, unit_words(unit->image_bits[group]) * sizeof *image);
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        if (unit->ports[i].group == group) {
            pack_at(&unit->ports[i], from, image, unit->ports[i].bit);
        }
    }
}

void unit_unpack_group(const struct unit *unit, enum unit_group group, const uint32_t *image,
                       void *to)
{
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        if (unit->ports[i].group == group) {
            unpack_at(&unit->ports[i], image, unit->ports[i].bit, to);
        }
    }
}

/* ---- Comparison ---------------------------------------------------------------------- */

static uint32_t compare_port(const struct unit_port *port, const void *expected,
                             const void *got, struct unit_difference *differences, uint32_t max)
{
    uint32_t n = 0u;

    for (uint32_t k = 0u; n < max && k < port->count * port->words; k++) {
        const uint64_t want = unit_get(port, expected, k);
        const uint64_t have = unit_get(port, got, k);
        if (want != have) {
            differences[n++] = (struct unit_difference){ port, k, want, have };
        }
    }
    return n;
}

uint32_t unit_compare(const struct unit *unit, enum unit_group group, const void *expected,
                      const void *got, struct unit_difference *differences, uint32_t max)
{
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < unit->n_port; i++) {
        if (unit->ports[i].group == group) {
            n += compare_port(&unit->ports[i], expected, got, differences + n, max - n);
        }
    }
    return n;
}
