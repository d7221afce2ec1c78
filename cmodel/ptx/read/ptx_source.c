/* ptx_source - operands that are read: registers, numbers, variables, addresses; see
 * ptx_operand.h. */

#include <string.h>

#include "ptx/read/ptx_operand.h"
#include "ptx/read/ptx_syntax.h"

static const char *const special_names[SREG_COUNT] = {
    "%tid.x",
    "%tid.y",
    "%tid.z",
    "%ntid.x",
    "%ntid.y",
    "%ntid.z",
    "%ctaid.x",
    "%ctaid.y",
    "%ctaid.z",
    "%nctaid.x",
    "%nctaid.y",
    "%nctaid.z",
    "%laneid",
    "%warpid",
    "%nwarpid",
    "%smid",
    "%nsmid",
    "%gridid",
    "%lanemask_eq",
    "%lanemask_le",
    "%lanemask_lt",
    "%lanemask_ge",
    "%lanemask_gt",
    "%clock",
    "%clock64",
    "%globaltimer",
    "%dynamic_smem_size",
    "%total_smem_size",
};

/* ---- Values -------------------------------------------------------------------------- */

/* A special register of another width than the move's is converted. */
static bool read_special(struct ptx_operands *o, struct ptx_operand *src, uint32_t special,
                         enum ptx_type type, bool wider)
{
    struct ptx_inst *const inst = &o->node->inst;
    const uint32_t bytes = special == SREG_CLOCK64 || special == SREG_GLOBALTIMER ? 8u : 4u;
    const uint32_t want = ptx_type_bytes(type);

    *src = (struct ptx_operand){ .kind = OPERAND_SPECIAL, .reg = (uint16_t)special };
    if (want == bytes || (wider && want < bytes && want != 0u)) {
        return true;
    }
    if (inst->op == PTX_MOV && want >= 2u && type != PTX_F16X2 && type != PTX_F32
        && type != PTX_F64) {
        inst->op = PTX_CVT;
        inst->type = want == 2u ? PTX_U16 : want == 4u ? PTX_U32 : PTX_U64;
        inst->source_type = bytes == 8u ? PTX_U64 : PTX_U32;
        return true;
    }
    return ptx_refuse_operand(o, "another width than that of", special_names[special],
                              "its own");
}

static bool add_access(struct ptx_operands *o, struct ptx_object *object, uint64_t offset,
                       uint32_t bytes)
{
    for (uint32_t i = 0u; i < object->access.count; i++) {
        if (object->access.at[i].offset == offset && object->access.at[i].bytes == bytes) {
            return true;
        }
    }
    if (offset > object->variable.bytes || bytes > object->variable.bytes - offset) {
        return ptx_refuse_operand(o, "outside of", object->variable.name,
                                  "addresses within a parameter");
    }
    if (object->access.count >= PTX_MAX_ACCESSES) {
        object->in_memory = true;
        return true;
    }
    PTX_PUSH(o->b->arena, &object->access, (struct ptx_access){ offset, bytes });
    return true;
}

static bool read_variable(struct ptx_operands *o, struct ptx_operand *src,
                          struct ptx_object *object, struct ptx_number offset)
{
    struct ptx_inst *const inst = &o->node->inst;
    const struct ptx_variable *const v = &object->variable;

    if (offset.kind > NUMBER_UNSIGNED) {
        return ptx_refuse_operand(o, "a float added to", v->name, "integers");
    }
    *src = (struct ptx_operand){ .kind = OPERAND_ADDRESS,
                                 .reg = PTX_NO_REGISTER,
                                 .value = offset.bits };
    if (inst->space != v->space && inst->space != SPACE_GENERIC) {
        return ptx_refuse_operand(o, "another space than that of", v->name,
                                  "the space it is declared in");
    }
    /* A name of a variable is an address in its own space. */
    inst->space = v->space;
    o->node->object = object;
    o->node->object_src = (uint32_t)(src - inst->src);
    if (v->space == SPACE_PARAM && inst->op == PTX_MOV) {
        object->in_memory = true;
    }
    for (uint32_t i = 0u; v->space == SPACE_PARAM && inst->op != PTX_MOV && i < inst->vector;
         i++) {
        const uint32_t bytes = ptx_type_bytes(inst->type);
        if (!add_access(o, object, offset.bits + (uint64_t)i * bytes, bytes)) {
            return false;
        }
    }
    return true;
}

static bool read_number(struct ptx_operands *o, struct ptx_operand *src,
                        struct ptx_number number, enum ptx_type type)
{
    *src = (struct ptx_operand){ .kind = OPERAND_IMMEDIATE, .reg = PTX_NO_REGISTER };
    if (!ptx_as_type(number, type, &src->value)) {
        return ptx_fail(o->b, o->node->inst.line,
                        "%s: a number of another kind; allowed for "
                        ".%s: %s",
                        o->text, ptx_type_name(type),
                        number.kind > NUMBER_UNSIGNED ? "integers" : "0f..., 0d..., 1.5");
    }
    return true;
}

/* Addresses are of 64 bits; all but those of global variables also fit in 32. */
static bool takes_address(const struct ptx_inst *inst, enum ptx_type type)
{
    const uint32_t bytes = ptx_type_bytes(type);
    const bool whole = type >= PTX_B8 && type <= PTX_S64;

    return whole && inst->vector == 1u
           && (inst->op == PTX_MOV ? bytes >= 4u : inst->op == PTX_CVTA && bytes == 8u);
}

/* The address of an entry, which has 64 bits. */
static bool is_entry(const struct ptx_operands *o, const struct ptx_symbol *s,
                     enum ptx_type type)
{
    const struct ptx_inst *const inst = &o->node->inst;

    return s->kind == SYMBOL_FUNCTION && s->routine->entry && inst->op == PTX_MOV
           && takes_address(inst, type) && ptx_type_bytes(type) == 8u;
}

static bool read_name(struct ptx_operands *o, struct ptx_operand *src, const struct ptx_term *t,
                      enum ptx_type type, bool wider)
{
    const struct ptx_symbol *const s = ptx_find(o->b, t->name);

    if (s != NULL && s->kind == SYMBOL_VARIABLE && takes_address(&o->node->inst, type)) {
        return read_variable(o, src, s->object, t->value);
    }
    if (t->value.bits != 0u) {
        return ptx_refuse_operand(o, "a sum with", t->name,
                                  "names of variables in mov and cvta");
    }
    if (s != NULL && s->kind == SYMBOL_REGISTER) {
        *src = (struct ptx_operand){ .kind = OPERAND_REGISTER,
                                     .negate = t->negate,
                                     .reg = (uint16_t)s->number };
        return ptx_check_width(o, s, type, wider);
    }
    if (s != NULL && is_entry(o, s, type)) {
        *src = (struct ptx_operand){ .kind = OPERAND_ADDRESS, .reg = PTX_NO_REGISTER };
        o->node->inst.space = SPACE_ENTRY;
        o->node->entry = s;
        return true;
    }
    for (uint32_t i = 0u; s == NULL && i < SREG_COUNT; i++) {
        if (strcmp(t->name, special_names[i]) == 0) {
            return read_special(o, src, i, type, wider);
        }
    }
    return ptx_refuse_operand(o, s == NULL ? "nothing is called" : "no value:", t->name,
                              "registers, special registers, numbers, variables in mov.u32 and "
                              "mov.u64, and entries in "
                              "mov.u64");
}

bool ptx_read_value(struct ptx_operands *o, struct ptx_operand *src, const struct ptx_term *t,
                    char letter, enum ptx_type type)
{
    const bool wider = letter == 'd' || letter == 'c';

    if (t->negate && letter != 'p') {
        return ptx_refuse_operand(o, "a negated", t->name,
                                  "! before predicates of setp, selp, vote, bar");
    }
    if (t->kind == TERM_NUMBER) {
        return read_number(o, src, t->value, type);
    }
    if (t->kind == TERM_NAME && letter != 'l') {
        return read_name(o, src, t, type, wider);
    }
    return ptx_refuse_operand(o, "an operand of another kind", NULL,
                              letter == 'l' ? "a number" : "a register or a number");
}

bool ptx_read_address(struct ptx_operands *o, struct ptx_operand *src, const struct ptx_term *t)
{
    const struct ptx_inst *const inst = &o->node->inst;

    if (t->kind != TERM_ADDRESS || t->value.kind > NUMBER_UNSIGNED) {
        return ptx_refuse_operand(o, "no address", NULL,
                                  "[register], [register+4], [variable+4], [4]");
    }
    *src = (struct ptx_operand){ .kind = OPERAND_ADDRESS,
                                 .reg = PTX_NO_REGISTER,
                                 .value = t->value.bits };
    if (t->name == NULL) {
        src->kind = OPERAND_IMMEDIATE; /* not counted from where variables are */
        return true;
    }
    const struct ptx_symbol *const s = ptx_find(o->b, t->name);
    if (s != NULL && s->kind == SYMBOL_VARIABLE) {
        return read_variable(o, src, s->object, t->value);
    }
    if (s == NULL || s->kind != SYMBOL_REGISTER) {
        return ptx_refuse_operand(o, "no address:", t->name, "registers and variables");
    }
    src->reg = (uint16_t)s->number;
    const uint32_t bytes = ptx_type_bytes(s->type);
    const bool narrow =
        bytes == 4u && inst->space != SPACE_GENERIC && inst->space != SPACE_GLOBAL;
    return bytes == 8u || narrow
           || ptx_refuse_operand(
               o, "an address in", t->name,
               "64-bit registers, and 32-bit ones in .shared .local .const .param");
}
