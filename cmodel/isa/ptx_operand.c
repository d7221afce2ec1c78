/* ptx_operand - operands of an instruction, as the table's letters ask; see ptx_table.h. */

#include <string.h>

#include "ptx_syntax.h"

struct operands {
    struct ptx_build *b;
    struct ptx_node *node;
    const char *text; /* the opcode as written */
    const struct ptx_term *term;
};

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

static bool refuse(const struct operands *o, const char *what, const char *name,
                   const char *allowed)
{
    return ptx_fail(o->b, o->node->inst.line, "%s: %s%s%.80s; allowed: %s", o->text, what,
                    name == NULL ? "" : " ", name == NULL ? "" : name, allowed);
}

/* ---- Types of operands ---------------------------------------------------------------------
 */

static enum ptx_type second_type(const struct ptx_inst *inst)
{
    return inst->source_type == PTX_NONE ? inst->type : inst->source_type;
}

static enum ptx_type type_of(const struct ptx_inst *inst, char letter)
{
    switch (letter) {
    case 's':
    case 'c':
        return second_type(inst);
    case 'u':
        return PTX_U32;
    case 'x':
        return PTX_U64;
    case 'p':
        return PTX_PRED;
    case 'l':
        return PTX_U8;
    case 'w':
        /* One type further is twice as wide. */
        return inst->mode == MODE_WIDE ? (enum ptx_type)(inst->type + 1) : inst->type;
    default:
        return inst->type;
    }
}

static bool check_width(const struct operands *o, const struct ptx_symbol *reg,
                        enum ptx_type type, bool wider)
{
    const uint32_t want = ptx_type_bytes(type);
    const uint32_t have = ptx_type_bytes(reg->type);

    if ((type == PTX_PRED) != (reg->type == PTX_PRED) || have < want
        || (have > want && !wider)) {
        return ptx_fail(o->b, o->node->inst.line, "%s: %.80s is .%s; allowed: .%s%s", o->text,
                        reg->name, ptx_type_name(reg->type), ptx_type_name(type),
                        wider ? " and wider" : " and others of its width");
    }
    return true;
}

/* ---- What is written
 * --------------------------------------------------------------------------- */

static bool write_register(const struct operands *o, struct ptx_operand *dst, const char *name,
                           enum ptx_type type, bool wider)
{
    if (strcmp(name, "_") == 0) {
        *dst = (struct ptx_operand){ .kind = OPERAND_SINK, .reg = PTX_NO_REGISTER };
        return true;
    }
    const struct ptx_symbol *const s = ptx_find(o->b, name);
    if (s == NULL || s->kind != SYMBOL_REGISTER) {
        return refuse(o, "no register", name, "declared registers");
    }
    *dst = (struct ptx_operand){ .kind = OPERAND_REGISTER, .reg = (uint16_t)s->number };
    return check_width(o, s, type, wider);
}

static bool write_list(struct operands *o, enum ptx_type type, uint32_t count, bool wider)
{
    struct ptx_inst *const inst = &o->node->inst;
    uint32_t n = 0u;

    for (const struct ptx_term *t = o->term->list; t != NULL; t = t->next, n++) {
        if (n == count || t->kind != TERM_NAME) {
            return refuse(o, "other elements", NULL,
                          "registers, or _, as many as the vector has");
        }
        if (!write_register(o, &inst->dst[n], t->name, type, wider)) {
            return false;
        }
    }
    inst->n_dst = (uint8_t)n;
    return n == count || refuse(o, "too few elements", NULL, "as many as the vector has");
}

static bool write_one(struct operands *o, char letter, bool pair)
{
    struct ptx_inst *const inst = &o->node->inst;
    const struct ptx_term *const t = o->term;
    const enum ptx_type type = type_of(inst, letter);
    const bool wider = letter == 'd';

    if (letter == 'd' && t->kind == TERM_LIST) {
        return inst->vector > 1u ? write_list(o, type, inst->vector, true)
                                 : refuse(o, "a vector", NULL, "one register");
    }
    if (inst->vector > 1u) {
        return refuse(o, "one register", NULL, "{ } with as many as the vector has");
    }
    if (t->negate || t->value.bits != 0u
        || (t->kind != TERM_NAME && !(pair && t->kind == TERM_PAIR))) {
        return refuse(o, "no register to write", NULL,
                      pair ? "a register, or p|q" : "a register");
    }
    inst->n_dst = 1u;
    if (!write_register(o, &inst->dst[0], t->name, type, wider)) {
        return false;
    }
    if (t->kind == TERM_PAIR) {
        inst->n_dst = 2u;
        return write_register(o, &inst->dst[1], t->other, PTX_PRED, false);
    }
    return true;
}

/* ---- What is read
 * ------------------------------------------------------------------------------ */

/* A special register of another width than the move's is converted. */
static bool read_special(struct operands *o, struct ptx_operand *src, uint32_t special,
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
    return refuse(o, "another width than that of", special_names[special], "its own");
}

static bool add_access(struct operands *o, struct ptx_object *object, uint64_t offset,
                       uint32_t bytes)
{
    for (uint32_t i = 0u; i < object->access.count; i++) {
        if (object->access.at[i].offset == offset && object->access.at[i].bytes == bytes) {
            return true;
        }
    }
    if (offset > object->variable.bytes || bytes > object->variable.bytes - offset) {
        return refuse(o, "outside of", object->variable.name, "addresses within a parameter");
    }
    if (object->access.count >= PTX_MAX_ACCESSES) {
        object->in_memory = true;
        return true;
    }
    PTX_PUSH(o->b->arena, &object->access, (struct ptx_access){ offset, bytes });
    return true;
}

static bool read_variable(struct operands *o, struct ptx_operand *src,
                          struct ptx_object *object, struct ptx_number offset)
{
    struct ptx_inst *const inst = &o->node->inst;
    const struct ptx_variable *const v = &object->variable;

    if (offset.kind > NUMBER_UNSIGNED) {
        return refuse(o, "a float added to", v->name, "integers");
    }
    *src = (struct ptx_operand){ .kind = OPERAND_ADDRESS,
                                 .reg = PTX_NO_REGISTER,
                                 .value = offset.bits };
    if (inst->space != v->space && inst->space != SPACE_GENERIC) {
        return refuse(o, "another space than that of", v->name, "the space it is declared in");
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

static bool read_number(struct operands *o, struct ptx_operand *src, struct ptx_number number,
                        enum ptx_type type)
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

static bool read_name(struct operands *o, struct ptx_operand *src, const struct ptx_term *t,
                      enum ptx_type type, bool wider)
{
    const struct ptx_symbol *const s = ptx_find(o->b, t->name);

    if (s != NULL && s->kind == SYMBOL_VARIABLE && takes_address(&o->node->inst, type)) {
        return read_variable(o, src, s->object, t->value);
    }
    if (t->value.bits != 0u) {
        return refuse(o, "a sum with", t->name, "names of variables in mov and cvta");
    }
    if (s != NULL && s->kind == SYMBOL_REGISTER) {
        *src = (struct ptx_operand){ .kind = OPERAND_REGISTER,
                                     .negate = t->negate,
                                     .reg = (uint16_t)s->number };
        return check_width(o, s, type, wider);
    }
    for (uint32_t i = 0u; s == NULL && i < SREG_COUNT; i++) {
        if (strcmp(t->name, special_names[i]) == 0) {
            return read_special(o, src, i, type, wider);
        }
    }
    return refuse(
        o, s == NULL ? "nothing is called" : "no value:", t->name,
        "registers, special registers, numbers, and variables in mov.u32 and mov.u64");
}

static bool read_value(struct operands *o, struct ptx_operand *src, const struct ptx_term *t,
                       char letter, enum ptx_type type)
{
    const bool wider = letter == 'd' || letter == 'c';

    if (t->negate && letter != 'p') {
        return refuse(o, "a negated", t->name, "! before predicates of setp, selp, vote, bar");
    }
    if (t->kind == TERM_NUMBER) {
        return read_number(o, src, t->value, type);
    }
    if (t->kind == TERM_NAME && letter != 'l') {
        return read_name(o, src, t, type, wider);
    }
    return refuse(o, "an operand of another kind", NULL,
                  letter == 'l' ? "a number" : "a register or a number");
}

static bool read_address(struct operands *o, struct ptx_operand *src, const struct ptx_term *t)
{
    const struct ptx_inst *const inst = &o->node->inst;

    if (t->kind != TERM_ADDRESS || t->value.kind > NUMBER_UNSIGNED) {
        return refuse(o, "no address", NULL, "[register], [register+4], [variable+4], [4]");
    }
    *src = (struct ptx_operand){ .kind = OPERAND_ADDRESS,
                                 .reg = PTX_NO_REGISTER,
                                 .value = t->value.bits };
    if (t->name == NULL) {
        return true;
    }
    const struct ptx_symbol *const s = ptx_find(o->b, t->name);
    if (s != NULL && s->kind == SYMBOL_VARIABLE) {
        return read_variable(o, src, s->object, t->value);
    }
    if (s == NULL || s->kind != SYMBOL_REGISTER) {
        return refuse(o, "no address:", t->name, "registers and variables");
    }
    src->reg = (uint16_t)s->number;
    const uint32_t bytes = ptx_type_bytes(s->type);
    const bool narrow =
        bytes == 4u && inst->space != SPACE_GENERIC && inst->space != SPACE_GLOBAL;
    return bytes == 8u || narrow
           || refuse(o, "an address in", t->name,
                     "64-bit registers, and 32-bit ones in .shared .local .const .param");
}

static bool read_one(struct operands *o, char letter)
{
    struct ptx_inst *const inst = &o->node->inst;
    struct ptx_operand *const src = &inst->src[inst->n_src];
    uint32_t n = 0u;

    if (letter == 'a') {
        inst->n_src++;
        return read_address(o, src, o->term);
    }
    const enum ptx_type type = type_of(inst, letter);
    if (letter == 'd' && inst->vector > 1u) {
        if (o->term->kind != TERM_LIST) {
            return refuse(o, "one register", NULL, "{ } with as many as the vector has");
        }
        for (const struct ptx_term *t = o->term->list; t != NULL; t = t->next, n++) {
            if (n == inst->vector) {
                return refuse(o, "too many elements", NULL, "as many as the vector has");
            }
            if (!read_value(o, &inst->src[inst->n_src++], t, letter, type)) {
                return false;
            }
        }
        return n == inst->vector
               || refuse(o, "too few elements", NULL, "as many as the vector has");
    }
    inst->n_src++;
    if (!read_value(o, src, o->term, letter, type)) {
        return false;
    }
    inst->lut = letter == 'l' ? (uint8_t)src->value : inst->lut;
    return true;
}

/* ---- mov of vectors
 * ------------------------------------------------------------------------------ */

static uint32_t length_of(const struct ptx_term *list)
{
    uint32_t n = 0u;

    for (; list != NULL; list = list->next) {
        n++;
    }
    return n;
}

static bool move_vector(struct operands *o)
{
    struct ptx_inst *const inst = &o->node->inst;
    const struct ptx_term *const to = o->term;
    const struct ptx_term *const from = to->next;
    const bool unpack = to->kind == TERM_LIST;
    const uint32_t n = length_of(unpack ? to->list : from->list);
    const uint32_t bytes = ptx_type_bytes(inst->type);

    if (inst->type < PTX_B16 || inst->type > PTX_B64 || (unpack && from->kind == TERM_LIST)
        || from->next != NULL || (n != 2u && n != 4u) || bytes / n == 0u) {
        return refuse(o, "another vector", NULL,
                      "2 or 4 registers that make up one of type .b16 .b32 .b64");
    }
    const enum ptx_type part = bytes / n == 1u ? PTX_B8 : bytes / n == 2u ? PTX_B16 : PTX_B32;
    inst->vector = (uint8_t)n;
    inst->n_src = 1u;
    if (unpack) {
        return write_list(o, part, n, false)
               && read_value(o, &inst->src[0], from, 't', inst->type);
    }
    if (to->kind != TERM_NAME || to->negate || to->value.bits != 0u) {
        return refuse(o, "no register to write", NULL, "a register");
    }
    inst->n_dst = 1u;
    inst->n_src = (uint8_t)n;
    const struct ptx_term *t = from->list;
    for (uint32_t i = 0u; i < n; i++, t = t->next) {
        if (!read_value(o, &inst->src[i], t, 't', part)) {
            return false;
        }
    }
    return write_register(o, &inst->dst[0], to->name, inst->type, false);
}

/* ---- All
 * -------------------------------------------------------------------------------------------
 */

static uint32_t count_letters(const char *signature, bool with_optional)
{
    uint32_t n = 0u;

    for (const char *c = signature; *c != '\0'; c++) {
        if (*c == '|' || (*c == '?' && !with_optional)) {
            c++; /* and what follows it */
        } else {
            n += *c != '=' && *c != '?';
        }
    }
    return n;
}

static bool read_all(struct operands *o, const char *signature, bool all)
{
    for (const char *c = signature; *c != '\0'; c++) {
        if (*c == '?') {
            c++;
            if (!all) {
                o->node->inst.n_src++;
                continue;
            }
        }
        if (!read_one(o, *c)) {
            return false;
        }
        o->term = o->term->next;
    }
    /* One that is missing at the end does not count. */
    struct ptx_inst *const inst = &o->node->inst;
    if (inst->n_src > 0u && inst->src[inst->n_src - 1u].kind == OPERAND_NONE) {
        inst->n_src--;
    }
    return true;
}

bool ptx_operands(struct ptx_build *b, struct ptx_node *node, const char *signature,
                  const char *text, const struct ptx_term *terms)
{
    struct operands o = { .b = b, .node = node, .text = text, .term = terms };
    const uint32_t given = length_of(terms);
    const uint32_t least = count_letters(signature, false);
    const uint32_t most = count_letters(signature, true);

    if (given != least && given != most) {
        return ptx_fail(b, node->inst.line, "%s: %u operands; allowed: %u%s%.0u", text, given,
                        least, least == most ? "" : " or ", least == most ? 0u : most);
    }
    if (node->inst.op == PTX_MOV
        && (terms->kind == TERM_LIST || terms->next->kind == TERM_LIST)) {
        return move_vector(&o);
    }
    if (signature[0] != '=') {
        if (!write_one(&o, signature[0], signature[1] == '|')) {
            return false;
        }
        o.term = o.term->next;
    }
    return read_all(&o, strchr(signature, '=') + 1, given == most) && !b->failed;
}
