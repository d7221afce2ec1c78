/* ptx_decode - opcode words to an instruction; see ptx_syntax.h and ptx_opcode.h. */

#include <stdio.h>
#include <string.h>

#include "ptx/read/ptx_opcode.h"
#include "ptx/read/ptx_syntax.h"

/* ---- An opcode with its words -------------------------------------------------------- */

/* The opcode as written. */
const char *ptx_written(const struct ptx_opcode *o, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%.40s", o->name);

    for (uint32_t i = 0u; i < o->b->n_word && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%.30s", o->b->words[i]);
    }
    return text;
}

void ptx_add_text(char *text, size_t size, const char *word)
{
    const size_t used = strlen(text);

    snprintf(text + used, size - used, "%s%s", used == 0u ? "" : " ", word);
}

bool ptx_refuse_opcode(const struct ptx_opcode *o, const char *what, const char *allowed)
{
    char text[256];

    return ptx_fail(o->b, o->line, "%s: %s; allowed: %s", ptx_written(o, text, sizeof text),
                    what, allowed[0] == '\0' ? "none" : allowed);
}

static bool refuse_word(const struct ptx_opcode *o, const char *word)
{
    char allowed[1024] = "";
    char what[80];

    for (uint32_t i = 0u; i < ptx_word_count; i++) {
        if ((ptx_words[i].of & o->kind) != 0u) {
            ptx_add_text(allowed, sizeof allowed, ptx_words[i].text);
        }
    }
    snprintf(what, sizeof what, "%.40s is not supported here", word);
    return ptx_refuse_opcode(o, what, allowed);
}

static bool set_once(const struct ptx_opcode *o, uint8_t *field, uint16_t value,
                     const char *word)
{
    char what[80];

    if (*field != 0u) {
        snprintf(what, sizeof what, "%.40s is one too many", word);
        return ptx_refuse_opcode(o, what, "one of its kind");
    }
    *field = (uint8_t)value;
    return true;
}

static bool take_known(struct ptx_opcode *o, const struct ptx_word_row *word)
{
    struct ptx_inst *const inst = o->inst;

    switch (word->kind) {
    case WORD_MODE:
        if (inst->mode == MODE_WARP_SYNC && word->value == MODE_SYNC) {
            return true;
        }
        return set_once(o, &inst->mode, word->value, word->text);
    case WORD_ROUND:
        return set_once(o, &inst->round, word->value, word->text);
    case WORD_COMPARE:
        return set_once(o, &inst->compare, word->value, word->text);
    case WORD_BOOL:
        return set_once(o, &inst->boolean, word->value, word->text);
    case WORD_FLAG:
        inst->flags |= word->value;
        return true;
    case WORD_VECTOR:
        inst->vector = (uint8_t)word->value;
        return true;
    case WORD_MEMBERS:
        o->members = true;
        return true;
    case WORD_HINT:
        break;
    }
    return true;
}

/* bar.warp.sync, bar.red.popc: two words, one mode. True if this is one of them. */
static bool take_barrier(struct ptx_opcode *o, const char *word)
{
    static const struct {
        const char *word;
        uint8_t mode;
    } reductions[] = { { ".and", MODE_RED_AND },
                       { ".or", MODE_RED_OR },
                       { ".popc", MODE_RED_POPC } };

    if (strcmp(word, ".warp") == 0 && o->inst->mode == MODE_NONE) {
        o->inst->mode = MODE_WARP_SYNC;
        return true;
    }
    if (strcmp(word, ".red") == 0) {
        o->reduction = true;
        return true;
    }
    for (uint32_t i = 0u; o->reduction && i < 3u; i++) {
        if (strcmp(word, reductions[i].word) == 0 && o->inst->mode == MODE_NONE) {
            o->inst->mode = reductions[i].mode;
            return true;
        }
    }
    return false;
}

static bool take_word(struct ptx_opcode *o, const char *word)
{
    const enum ptx_type type = ptx_find_type(word);
    uint8_t space;

    if (type != PTX_NONE) {
        if (o->n_type == 2u) {
            return ptx_refuse_opcode(o, "too many types", "two");
        }
        *(o->n_type++ == 0u ? &o->inst->type : &o->inst->source_type) = (uint8_t)type;
        return true;
    }
    if (ptx_find_space(word, &space)
        && (o->kind & (MEMORY | ATOMIC | PREFETCH | ADDRESS)) != 0u) {
        if (o->spaced) {
            return ptx_refuse_opcode(o, "two state spaces", "one");
        }
        o->spaced = true;
        o->inst->space = space;
        return true;
    }
    if (o->kind == BARRIER && take_barrier(o, word)) {
        return true;
    }
    for (uint32_t i = 0u; i < ptx_word_count; i++) {
        if ((ptx_words[i].of & o->kind) != 0u && strcmp(ptx_words[i].text, word) == 0) {
            return take_known(o, &ptx_words[i]);
        }
    }
    return refuse_word(o, word);
}

/* ---- Instructions -------------------------------------------------------------------- */

static bool find_op(const struct ptx_opcode *o, uint8_t *op)
{
    static const char *const names[] = {
#define PTX_NAME(identifier, name) name,
        PTX_OPS(PTX_NAME)
#undef PTX_NAME
    };
    char allowed[1024] = "";

    for (uint32_t i = 0u; i < PTX_OP_COUNT; i++) {
        if (strcmp(names[i], o->name) == 0) {
            *op = (uint8_t)i;
            return true;
        }
        ptx_add_text(allowed, sizeof allowed, names[i]);
    }
    *op = PTX_BAR;
    return strcmp(o->name, "barrier") == 0
           || ptx_refuse_opcode(o, "an unsupported instruction", allowed);
}

static bool decode(struct ptx_opcode *o)
{
    struct ptx_inst *const inst = o->inst;

    if (!find_op(o, &inst->op)) {
        return false;
    }
    inst->vector = 1u;
    o->kind = ptx_kind_of(inst->op);
    for (uint32_t i = 0u; i < o->b->n_word; i++) {
        if (!take_word(o, o->b->words[i])) {
            return false;
        }
    }
    return ptx_check_space(o) && ptx_check_memory(o);
}

static bool take_guard(struct ptx_build *b, struct ptx_guard guard, uint32_t line,
                       struct ptx_inst *inst)
{
    inst->guard = PTX_NO_REGISTER;
    inst->guard_negate = guard.negate;
    inst->line = line;
    if (guard.name == NULL) {
        return true;
    }
    const struct ptx_symbol *const s = ptx_find(b, guard.name);
    if (s == NULL || s->kind != SYMBOL_REGISTER || s->type != PTX_PRED) {
        return ptx_fail(b, line, "@%.80s is no predicate; allowed: registers of type .pred",
                        guard.name);
    }
    inst->guard = (uint16_t)s->number;
    return !b->failed;
}

static struct ptx_node *new_node(struct ptx_build *b)
{
    if (b->n_inst >= PTX_MAX_INSTS) {
        ptx_fail(b, b->line, "too many instructions; allowed: %d", PTX_MAX_INSTS);
        return NULL;
    }
    b->n_inst++;
    PTX_PUSH(b->arena, &b->routine->node, (struct ptx_node){ .scope = b->scope });
    return &b->routine->node.at[b->routine->node.count - 1u];
}

/* A label, or the name of .branchtargets, is the last operand. */
static bool take_label(const struct ptx_opcode *o, struct ptx_node *node,
                       const struct ptx_term *term)
{
    if (term == NULL || term->next != NULL || term->kind != TERM_NAME || term->negate
        || term->value.bits != 0u) {
        return node->inst.op == PTX_BRA
                   ? ptx_refuse_opcode(o, "no label", "one label")
                   : ptx_refuse_opcode(o, "no targets", "an index, the name of .branchtargets");
    }
    node->label = term->name;
    return true;
}

bool ptx_instruction(struct ptx_build *b, struct ptx_guard guard, struct ptx_token name,
                     const struct ptx_term *terms)
{
    char text[256];
    struct ptx_node *const node = new_node(b);
    if (node == NULL) {
        return false;
    }
    struct ptx_opcode o = { .b = b, .inst = &node->inst, .name = name.text, .line = name.line };

    if (!take_guard(b, guard, name.line, &node->inst) || !decode(&o)) {
        return false;
    }
    if (node->inst.op == PTX_BRA) {
        return take_label(&o, node, terms);
    }
    struct ptx_term index;
    if (node->inst.op == PTX_BRX) {
        const struct ptx_term *const last = terms == NULL ? NULL : terms->next;
        if (!take_label(&o, node, last) || terms == NULL) {
            return false;
        }
        index = *terms;
        index.next = NULL;
        terms = &index;
    }
    const struct ptx_rule *const rule = ptx_find_rule(&o);
    if (rule == NULL || !ptx_check_flags(&o)
        || !ptx_operands(b, node, rule->operands, ptx_written(&o, text, sizeof text), terms)) {
        return false;
    }
    const bool given = node->inst.src[node->inst.op == PTX_SHFL ? 3 : 1].kind != OPERAND_NONE;
    if ((node->inst.op == PTX_SHFL || node->inst.op == PTX_VOTE) && given != o.members) {
        return ptx_refuse_opcode(&o, o.members ? "no mask of lanes" : "a mask of lanes",
                                 "a mask with .sync, none without");
    }
    if (node->inst.source_type == PTX_NONE) {
        node->inst.source_type = node->inst.type;
    }
    return true;
}

bool ptx_call(struct ptx_build *b, struct ptx_guard guard, struct ptx_token call,
              struct ptx_call what)
{
    struct ptx_node *const node = new_node(b);
    if (node == NULL) {
        return false;
    }
    struct ptx_opcode o = { .b = b, .inst = &node->inst, .name = call.text, .line = call.line };

    if (!take_guard(b, guard, call.line, &node->inst) || !decode(&o)) {
        return false;
    }
    node->call = ptx_alloc(b->arena, sizeof *node->call);
    *node->call = what;
    /* A register of a range may be named here alone. */
    for (const struct ptx_term *t = what.arguments; t != NULL; t = t->next) {
        (void)(t->kind == TERM_NAME ? ptx_find(b, t->name) : NULL);
    }
    for (const struct ptx_term *t = what.results; t != NULL; t = t->next) {
        (void)(t->kind == TERM_NAME ? ptx_find(b, t->name) : NULL);
    }
    return !b->failed;
}

bool ptx_label(struct ptx_build *b, struct ptx_token name)
{
    struct ptx_symbol *const s = ptx_define(b, name.text, name.line, SYMBOL_LABEL);

    if (s == NULL) {
        return false;
    }
    s->number = b->routine->node.count;
    return true;
}

bool ptx_branch_targets(struct ptx_build *b, struct ptx_token name,
                        const struct ptx_term *labels)
{
    struct ptx_symbol *const s = ptx_define(b, name.text, name.line, SYMBOL_TARGETS);
    struct ptx_targets *const targets = ptx_alloc(b->arena, sizeof *targets);

    if (s == NULL) {
        return false;
    }
    *targets = (struct ptx_targets){ .label = labels, .line = name.line, .scope = b->scope };
    for (; labels != NULL; labels = labels->next) {
        targets->count++;
    }
    s->targets = targets;
    return true;
}

bool ptx_word(struct ptx_build *b, struct ptx_token word)
{
    if (b->n_word == PTX_MAX_WORDS) {
        return ptx_fail(b, word.line, "too many words at %.40s; allowed: %d", word.text,
                        PTX_MAX_WORDS);
    }
    b->words[b->n_word++] = word.text;
    return true;
}
