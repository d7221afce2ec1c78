/*
 * ptx_operand - an operand that is checked against its instruction: what ptx_operand.c and
 * ptx_source.c share.
 */

#ifndef PTX_OPERAND_H
#define PTX_OPERAND_H

#include "ptx/read/ptx_build.h"

struct ptx_operands {
    struct ptx_build *b;
    struct ptx_node *node;
    const char *text; /* the opcode as written */
    const struct ptx_term *term;
};

/* False, with a fault. */
bool ptx_refuse_operand(const struct ptx_operands *o, const char *what, const char *name,
                        const char *allowed);
/* Has a register the width of its type? With `wider`, at least. */
bool ptx_check_width(const struct ptx_operands *o, const struct ptx_symbol *reg,
                     enum ptx_type type, bool wider);

/* ptx_source.c: a value, or an address in [ ]. */
bool ptx_read_value(struct ptx_operands *o, struct ptx_operand *src, const struct ptx_term *t,
                    char letter, enum ptx_type type);
bool ptx_read_address(struct ptx_operands *o, struct ptx_operand *src,
                      const struct ptx_term *t);

#endif
