/* vectors_format - what the writer and the reader of vectors agree on. */

#ifndef VECTORS_FORMAT_H
#define VECTORS_FORMAT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/unit.h"

#define VECTORS_FIRST_LINE "gpusched-vectors 1\n"

static inline uint32_t vectors_checksum(uint32_t sum, const char *text)
{
    return (uint32_t)crc32(sum, (const unsigned char *)text, (unsigned)strlen(text));
}

/* Of a group without ports there is one, which is 0: benches read three numbers a line. */
static inline size_t vectors_digits(const struct unit *unit, enum unit_group group)
{
    const uint32_t bits = unit->image_bits[group];
    return bits == 0u ? 1u : (bits + 3u) / 4u;
}

/* Long enough for any line of the file, and its end. */
static inline size_t vectors_line_size(const struct unit *unit)
{
    size_t size = 256u;
    for (enum unit_group g = UNIT_IN; g < UNIT_IMAGES; g++) {
        size += vectors_digits(unit, g) + 1u;
    }
    return size;
}

/* Words for the largest group. */
static inline uint32_t *vectors_new_image(const struct unit *unit)
{
    return calloc(vectors_line_size(unit) / 8u + 1u, sizeof(uint32_t));
}

/* The line of the header that describes a port. */
static inline int vectors_port_line(const struct unit_port *port, char *line, size_t size)
{
    static const char *const group_name[UNIT_IMAGES] = { "in", "out", "reg" };

    char name[UNIT_PORT_NAME];

    return snprintf(line, size, "%s %s %u %u %u\n", group_name[port->group],
                    unit_port_name(port, name), port->width, port->count, port->bit);
}

#endif
