/* ptx_operand - operands of an instruction, as the table's letters ask; see ptx_table.h. */

#include "ptx/read/ptx_operand.h"

#include <string.h>

bool ptx_refuse_operand(const struct ptx_operands *o, const char *what, const char *name,
                        const char *allowed)
{
    return ptx_fail(o->b, o->node->inst.line, "%s: %s%s%.80s; allowed: %s", o->text, what,
                    name == NULL ? "" : " ", name == NULL ? "" : name, allowed);
}

/* ---- Types of operands --------------------------------------------------------------- */

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

bool ptx_check_width(const struct ptx_operands *o, const struct ptx_symbol *reg,
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

/* ---- What is written ----------------------------------------------------------------- */

static bool write_register(const struct ptx_operands *o, struct ptx_operand *dst,
                           const char *name, enum ptx_type type, bool wider)
{
    if (strcmp(name, "_") == 0) {
        *dst = (struct ptx_operand){ .kind = OPERAND_SINK, .reg = PTX_NO_REGISTER };
        return true;
    }
    const struct ptx_symbol *const s = ptx_find(o->b, name);
    if (s == NULL || s->kind != SYMBOL_REGISTER) {
        return ptx_refuse_operand(o, "no register", name, "declared registers");
    }
    *dst = (struct ptx_operand){ .kind = OPERAND_REGISTER, .reg = (uint16_t)s->number };
    return ptx_check_width(o, s, type, wider);
}

static bool write_list(struct ptx_operands *o, enum ptx_type type, uint32_t count, bool wider)
{
    struct ptx_inst *const inst = &o->node->inst;
    uint32_t n = 0u;

    for (const struct ptx_term *t = o->term->list; t != NULL; t = t->next, n++) {
        if (n == count || t->kind != TERM_NAME) {
            return ptx_refuse_operand(o, "other elements", NULL,
                                      "registers, or _, as many as the vector has");
        }
        if (!write_register(o, &inst->dst[n], t->name, type, wider)) {
            return false;
        }
    }
    inst->n_dst = (uint8_t)n;
    return n == count
           || ptx_refuse_operand(o, "too few elements", NULL, "as many as the vector has");
}

static bool write_one(struct ptx_operands *o, char letter, bool pair)
{
    struct ptx_inst *const inst = &o->node->inst;
    const struct ptx_term *const t = o->term;
    const enum ptx_type type = type_of(inst, letter);
    const bool wider = letter == 'd';

    if (letter == 'd' && t->kind == TERM_LIST) {
        return inst->vector > 1u ? write_list(o, type, inst->vector, true)
                                 : ptx_refuse_operand(o, "a vector", NULL, "one register");
    }
    if (inst->vector > 1u) {
        return ptx_refuse_operand(o, "one register", NULL,
                                  "{ } with as many as the vector has");
    }
    if (t->negate || t->value.bits != 0u
        || (t->kind != TERM_NAME && !(pair && t->kind == TERM_PAIR))) {
        return ptx_refuse_operand(o, "no register to write", NULL,
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

/* ---- What is read -------------------------------------------------------------------- */

static bool read_one(struct ptx_operands *o, char letter)
{
    struct ptx_inst *const inst = &o->node->inst;
    struct ptx_operand *const src = &inst->src[inst->n_src];
    uint32_t n = 0u;

    if (letter == 'a') {
        inst->n_src++;
        return ptx_read_address(o, src, o->term);
    }
    const enum ptx_type type = type_of(inst, letter);
    if (letter == 'd' && inst->vector > 1u) {
        if (o->term->kind != TERM_LIST) {
            return ptx_refuse_operand(o, "one register", NULL,
                                      "{ } with as many as the vector has");
        }
        for (const struct ptx_term *t = o->term->list; t != NULL; t = t->next, n++) {
            if (n == inst->vector) {
                return ptx_refuse_operand(o, "too many elements", NULL,
                                          "as many as the vector has");
            }
            if (!ptx_read_value(o, &inst->src[inst->n_src++], t, letter, type)) {
                return false;
            }
        }
        return n == inst->vector
               || ptx_refuse_operand(o, "too few elements", NULL, "as many as the vector has");
    }
    inst->n_src++;
    if (!ptx_read_value(o, src, o->term, letter, type)) {
        return false;
    }
    inst->lut = letter == 'l' ? (uint8_t)src->value : inst->lut;
    return true;
}

/* ---- mov of vectors ------------------------------------------------------------------ */

static bool move_vector(struct ptx_operands *o)
{
    struct ptx_inst *const inst = &o->node->inst;
    const struct ptx_term *const to = o->term;
    const struct ptx_term *const from = to->next;
    const bool unpack = to->kind == TERM_LIST;
    const uint32_t n = ptx_terms(unpack ? to->list : from->list);
    const uint32_t bytes = ptx_type_bytes(inst->type);

    if (inst->type < PTX_B16 || inst->type > PTX_B64 || (unpack && from->kind == TERM_LIST)
        || from->next != NULL || (n != 2u && n != 4u) || bytes / n == 0u) {
        return ptx_refuse_operand(o, "another vector", NULL,
                                  "2 or 4 registers that make up one of type .b16 .b32 .b64");
    }
    const enum ptx_type part = bytes / n == 1u ? PTX_B8 : bytes / n == 2u ? PTX_B16 : PTX_B32;
    inst->vector = (uint8_t)n;
    inst->n_src = 1u;
    if (unpack) {
        return write_list(o, part, n, false)
               && ptx_read_value(o, &inst->src[0], from, 't', inst->type);
    }
    if (to->kind != TERM_NAME || to->negate || to->value.bits != 0u) {
        return ptx_refuse_operand(o, "no register to write", NULL, "a register");
    }
    inst->n_dst = 1u;
    inst->n_src = (uint8_t)n;
    const struct ptx_term *t = from->list;
    for (uint32_t i = 0u; i < n; i++, t = t->next) {
        if (!ptx_read_value(o, &inst->src[i], t, 't', part)) {
            return false;
        }
    }
    return write_register(o, &inst->dst[0], to->name, inst->type, false);
}

/* ---- All ----------------------------------------------------------------------------- */

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

static bool read_all(struct ptx_operands *o, const char *signature, bool all)
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
    struct ptx_operands o = { .b = b, .node = node, .text = text, .term = terms };
    const uint32_t given = ptx_terms(terms);
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
