/*
 * exec_warp - a warp in execution, and how its operands are reached; shared by exec*.c.
 *
 * Rows: CLASS_32 is uint32_t[32], CLASS_64 is uint64_t[32], CLASS_PREDICATE is one uint32_t
 * with a bit a lane. Values of 8 and 16 bits are kept zero-extended (unsigned, bits, f16) or
 * sign-extended (signed) to 32 bits when written by their type; readers take the low bits.
 */

#ifndef EXEC_WARP_H
#define EXEC_WARP_H

#include "exec/exec.h"

struct exec_warp {
    uint8_t *rows; /* function->row_bytes, 64-byte aligned */
    const uint8_t *constant_rows;
    uint32_t carry;  /* CC.CF, a bit a lane */
    uint32_t active; /* lanes that execute now, guard not yet applied */
};

static inline const void *exec_source(const struct exec_warp *w, const struct ptx_operand *o)
{
    return (o->constant ? w->constant_rows : w->rows) + o->row;
}
static inline void *exec_destination(struct exec_warp *w, const struct ptx_operand *o)
{
    return w->rows + o->row;
}
/* A predicate source with its negation; all ones for OPERAND_NONE. */
static inline uint32_t exec_predicate(const struct exec_warp *w, const struct ptx_operand *o)
{
    if (o->kind == OPERAND_NONE) {
        return UINT32_MAX;
    }
    const uint32_t bits = *(const uint32_t *)exec_source(w, o);
    return o->negate ? ~bits : bits;
}

/* The space in which a generic address lies; the address becomes one in that space. */
static inline enum ptx_space exec_window(uint64_t *address)
{
    const struct {
        uint64_t base;
        enum ptx_space space;
    } windows[] = { { PTX_SHARED_BASE, SPACE_SHARED },
                    { PTX_LOCAL_BASE, SPACE_LOCAL },
                    { PTX_CONST_BASE, SPACE_CONST } };
    for (uint32_t k = 0u; k < sizeof windows / sizeof windows[0]; k++) {
        if (*address - windows[k].base < PTX_WINDOW) {
            *address -= windows[k].base;
            return windows[k].space;
        }
    }
    return SPACE_GLOBAL;
}

/* Executes an instruction that has no effect but on registers, for the lanes of `lanes`. */
typedef void exec_handler(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes);

/* The handler of an arithmetic, logic, comparison, conversion or move instruction; NULL if it
 * is no such instruction, or one with types or modifiers that PTX does not have or we do not
 * support: then *why says what is supported. exec_alu*.c */
exec_handler *exec_alu_handler(const struct ptx_inst *i, const char **why);

#endif
