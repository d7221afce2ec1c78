/*
 * expression - expressions of port tables, in Verilog: names are upper-case, and those of a
 * part's table have a prefix, such as TABLE_.
 */

#ifndef EXPRESSION_H
#define EXPRESSION_H

#include <string.h>

#include "base/unit.h"

/* A piece of a row's text. */
struct piece {
    const char *text;
    size_t n;
};

static inline struct piece piece_of(const char *text)
{
    return (struct piece){ text, strlen(text) };
}

/* Argument k of a text such as "ARRAY(w, n, max)". */
struct piece expression_argument(const char *text, uint32_t k);

/* Takes the next of a part's parameters, ".n_core = n_sm, .n_pool = ...". False at the end. */
bool expression_parameter(const char **params, struct piece *name, struct piece *value);

/* These print: a name; a C expression in parameters and constants; the same, in brackets if it
 * is more than a name or a number; the bits of a port. */
void expression_name(struct piece name, const char *prefix);
void expression_print(struct piece text, const char *prefix);
void expression_operand(struct piece text, const char *prefix);
void expression_bits(const struct unit_port *port, const char *prefix);

#endif
