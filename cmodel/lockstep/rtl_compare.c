/* rtl_compare - the values of RTL as structs, and where they differ from the model's, for a
 * report; see rtl.h. */

#include <stdlib.h>
#include <string.h>

#include "lockstep/rtl_parts.h"

/* A row's value, into the struct of its group. */
static void read_row(const struct rtl *rtl, const struct row *row, void *group)
{
    const struct unit_port *const port = row->port;
    const uint32_t per_piece = port->count * port->words / row->net.pieces;

    for (uint32_t k = 0u; k < row->net.pieces; k++) {
        memset(rtl->words, 0, unit_words(piece_bits(port)) * sizeof *rtl->words);
        memcpy(rtl->words, (const char *)row->net.at + k * row->net.bytes, row->net.bytes);
        for (uint32_t e = 0u; e < per_piece; e++) {
            unit_set(port, group, k * per_piece + e,
                     unit_get_bits(rtl->words, e * port->width, port->width));
        }
    }
}

void rtl_outputs(const struct rtl *rtl, void *out)
{
    for (uint32_t i = 0u; i < rtl->unit->n_port; i++) {
        if (rtl->rows[i].port->group == UNIT_OUT) {
            read_row(rtl, &rtl->rows[i], out);
        }
    }
}

/* The row of a part's port, by its name in the unit. */
static const struct unit_port *port_of_part(const struct rtl *rtl, const char *part,
                                            const struct unit_port *port)
{
    const struct unit_port *found = rtl->part_ports;

    while (strcmp(found->part, part) != 0 || found->group != port->group
           || strcmp(found->name, port->name) != 0) {
        found++;
    }
    return found;
}

/* The inputs or outputs of a part. */
static uint32_t compare_part(const struct rtl *rtl, const struct rtl_part *part,
                             enum unit_group group, struct unit_difference *differences,
                             uint32_t max)
{
    const struct unit *const unit = part->unit;
    const void *const expected = group == UNIT_IN ? unit->in : unit->out;
    void *const got = calloc(1u, unit->type->group_size[group]);
    uint32_t n = 0u;

    for (uint32_t i = rtl->unit->n_port; got != NULL && i < rtl->n_row; i++) {
        const struct row *const row = &rtl->rows[i];
        if (row->group == expected) {
            read_row(rtl, row, got);
        }
    }
    if (got != NULL) {
        n = unit_compare(unit, group, expected, got, differences, max);
    }
    for (uint32_t i = 0u; i < n && i < max; i++) {
        differences[i].port = port_of_part(rtl, part->name, differences[i].port);
    }
    free(got);
    return n;
}

uint32_t rtl_compare(const struct rtl *rtl, struct unit_difference *differences, uint32_t max)
{
    const struct unit *const unit = rtl->unit;
    const void *const expected[UNIT_GROUPS] = { NULL, unit->out, unit_state(unit),
                                                unit_memory(unit) };
    uint32_t n = 0u;

    for (enum unit_group g = UNIT_OUT; g < UNIT_GROUPS; g++) {
        void *const got = malloc(unit->type->group_size[g]);
        if (got != NULL) {
            memcpy(got, expected[g], unit->type->group_size[g]); /* what is not compared */
        }
        for (uint32_t i = 0u; got != NULL && i < unit->n_port; i++) {
            if (rtl->rows[i].port->group == g && rtl->rows[i].net.pieces != 0u) {
                read_row(rtl, &rtl->rows[i], got);
            }
        }
        if (got != NULL) {
            n += unit_compare(unit, g, expected[g], got, differences + n, max - n);
        }
        free(got);
    }
    for (uint32_t i = 0u; i < rtl->n_part && n < max; i++) {
        n += compare_part(rtl, &rtl->parts[i], UNIT_IN, differences + n, max - n);
        if (n < max) {
            n += compare_part(rtl, &rtl->parts[i], UNIT_OUT, differences + n, max - n);
        }
    }
    return n;
}
