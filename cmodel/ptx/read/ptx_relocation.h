/*
 * ptx_relocation - where a module's first values hold addresses of global variables and of
 * entries. Those, like all such addresses in a module, count from 0: whoever places the
 * variables, or numbers the entries, at a base adds it to each of these 64-bit words, and to
 * the operands of kind OPERAND_ADDRESS without a register whose instruction's space is
 * SPACE_GLOBAL, or SPACE_ENTRY.
 */

#ifndef PTX_RELOCATION_H
#define PTX_RELOCATION_H

#include "ptx/ptx.h"

struct ptx_relocation {
    const struct ptx_variable *in; /* has the word, at this offset */
    uint64_t offset;
    bool entry; /* the address of one */
};
/* In the order of the file. */
const struct ptx_relocation *ptx_relocations(const struct ptx_module *module, uint32_t *count);

#endif
