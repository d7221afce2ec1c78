/* ptx_inline - what ptx_inline.c, ptx_emit.c, ptx_branch.c, ptx_argument.c, ptx_call.c
 * and ptx_runtime.c share. */

#ifndef PTX_INLINE_H
#define PTX_INLINE_H

#include "ptx/read/ptx_build.h"

/* Bytes of a parameter that a register stands for. */
struct ptx_slot {
    uint64_t offset;
    uint32_t bytes, reg; /* PTX_NO_REGISTER: none yet */
};
/* Where a local variable or a parameter is, in one of the copies of its function. */
struct ptx_place {
    bool in_memory;
    uint64_t address;
    PTX_LIST(struct ptx_slot) slot;
};
struct ptx_jump_to {
    uint32_t inst, node;
};
struct ptx_shared_use {
    uint32_t inst, src;
    struct ptx_object *object;
};

/* An entry as it is written. */
struct ptx_writer {
    struct ptx_build *b;
    const struct ptx_routine *entry;
    struct ptx_routine *registers; /* of the entry with all copies */
    uint32_t mark;                 /* of shared variables in use */
    uint64_t local_bytes;
    PTX_LIST(struct ptx_inst) inst;
    PTX_LIST(struct ptx_shared_use) shared;
    PTX_LIST(struct ptx_object *) used; /* shared variables, each once */
};
/* A copy of a function. */
struct ptx_frame {
    struct ptx_routine *routine;
    uint32_t depth, first_register;
    uint64_t base, end;                 /* of its local memory */
    struct ptx_place **object;          /* of the routine's objects */
    struct ptx_place **param, **result; /* of formals; of functions only */
    PTX_LIST(struct ptx_jump_to) jump;
};

/* ptx_emit.c: NULL, or false, with a fault if the entry becomes too large. */
struct ptx_inst *ptx_emit(struct ptx_writer *w, struct ptx_inst inst);
uint32_t ptx_temporary(struct ptx_writer *w, enum ptx_type type);
/* An instruction with the registers of this copy. */
struct ptx_inst ptx_renamed(const struct ptx_frame *frame, const struct ptx_inst *inst);

/* ptx_inline.c */
bool ptx_write_routine(struct ptx_writer *w, struct ptx_frame *frame);

/* ptx_branch.c */
/* A branch to a node of the copy; inst has guard and line. */
bool ptx_jump(struct ptx_writer *w, struct ptx_frame *frame, struct ptx_inst inst,
              uint32_t node);
/* bra and brx. */
bool ptx_write_branch(struct ptx_writer *w, struct ptx_frame *frame,
                      const struct ptx_node *node, struct ptx_inst inst);

/* ptx_argument.c */
bool ptx_open_frame(struct ptx_writer *w, struct ptx_frame *frame, uint64_t base);
struct ptx_place *ptx_place_of(const struct ptx_frame *frame, const struct ptx_object *object);
/* The register of some bytes of a parameter that is in registers; PTX_NO_REGISTER with a fault.
 */
uint32_t ptx_slot_register(struct ptx_writer *w, struct ptx_place *place, uint64_t offset,
                           uint32_t bytes);
/* A load or store of a parameter that is in registers. */
bool ptx_write_slots(struct ptx_writer *w, struct ptx_place *place,
                     const struct ptx_inst *inst);
void ptx_add_slot(struct ptx_build *b, struct ptx_place *place, struct ptx_access access);
void ptx_add_accesses(struct ptx_build *b, struct ptx_place *place,
                      const struct ptx_object *object);
/* A local address in the frame. */
bool ptx_allot(struct ptx_writer *w, struct ptx_frame *frame, struct ptx_place *place,
               const struct ptx_variable *v);
struct ptx_routine *ptx_callee_of(struct ptx_build *b, const struct ptx_node *node);
/* What a name means where the node is. */
struct ptx_symbol *ptx_visible(struct ptx_build *b, const struct ptx_node *node,
                               const char *name);
/* The parameter that an argument names, or NULL. */
struct ptx_object *ptx_param_of(struct ptx_build *b, const struct ptx_node *node,
                                const struct ptx_term *term);
/* to = from, of which `type` is what counts; inst has guard and line. */
bool ptx_move(struct ptx_writer *w, const struct ptx_inst *inst, uint32_t to,
              struct ptx_operand from, enum ptx_type type);

/* ptx_runtime.c */
/* False: it is no function of the device runtime. */
bool ptx_find_runtime(const char *name, uint32_t *function);
/* What may be called, to somebody who has called this. */
const char *ptx_runtime_allowed(const char *name, char *text, size_t size);
/* In place of the body that the frame's routine has not. */
bool ptx_write_runtime(struct ptx_writer *w, struct ptx_frame *frame, uint32_t line);

/* ptx_call.c */
bool ptx_write_call(struct ptx_writer *w, struct ptx_frame *frame, const struct ptx_node *node);

#endif
