/* ptx_emit - instructions of an entry as it is written out, and of a copy of a function. */

#include "ptx/read/ptx_inline.h"

struct ptx_inst *ptx_emit(struct ptx_writer *w, struct ptx_inst inst)
{
    struct ptx_build *const b = w->b;

    if (++b->n_written > PTX_MAX_WRITTEN || w->inst.count >= PTX_MAX_INSTS) {
        ptx_fail(b, inst.line, "too many instructions in %.80s with its calls; allowed: %d",
                 w->entry->name, PTX_MAX_INSTS);
        return NULL;
    }
    if (inst.vector == 0u) {
        inst.vector = 1u;
    }
    PTX_PUSH(b->arena, &w->inst, inst);
    return &w->inst.at[w->inst.count - 1u];
}

uint32_t ptx_temporary(struct ptx_writer *w, enum ptx_type type)
{
    return ptx_new_register(w->b, w->registers, "%slot", type);
}

static void rename_operand(const struct ptx_frame *frame, struct ptx_operand *o)
{
    if ((o->kind == OPERAND_REGISTER || o->kind == OPERAND_ADDRESS)
        && o->reg != PTX_NO_REGISTER) {
        o->reg = (uint16_t)(o->reg + frame->first_register);
    }
}

struct ptx_inst ptx_renamed(const struct ptx_frame *frame, const struct ptx_inst *inst)
{
    struct ptx_inst copy = *inst;

    if (copy.guard != PTX_NO_REGISTER) {
        copy.guard = (uint16_t)(copy.guard + frame->first_register);
    }
    for (uint32_t i = 0u; i < PTX_MAX_VECTOR; i++) {
        rename_operand(frame, &copy.dst[i]);
    }
    for (uint32_t i = 0u; i < PTX_MAX_SOURCES; i++) {
        rename_operand(frame, &copy.src[i]);
    }
    return copy;
}
