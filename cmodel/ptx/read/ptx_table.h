/*
 * ptx_table - what each PTX operation allows: one row for each set of types that share
 * modes, roundings and operands. An instruction that fits no row is refused.
 */

#ifndef PTX_TABLE_H
#define PTX_TABLE_H

#include "ptx/ptx.h"

/*
 * Operands: what is written, '=', what is read. A letter each:
 *   t  a register of `type`, or for a source also an immediate
 *   s  the same of the second type      w  of twice the width if .wide
 *   u  of 32 bits                       x  of 64 bits
 *   d  as t; the register may be wider, and a list if .v2 or .v4 (ld, st)
 *   c  as s; the register may be wider (cvt)
 *   o  as t, or _                       p  a predicate; !p for a source
 *   a  an address                       l  8 bits: a table
 * ?  before one that may be missing; |  before a predicate after a second |.
 */
struct ptx_rule {
    uint8_t op;
    uint16_t flags;          /* that may be given */
    uint32_t types, sources; /* bits of enum ptx_type; PTX_NONE: none is written */
    uint32_t rounds;         /* bits of enum ptx_round */
    uint64_t modes;          /* bits of enum ptx_mode */
    const char *operands;
};
extern const struct ptx_rule ptx_rules[];
extern const uint32_t ptx_rule_count;

#endif
