/* ptx_call - calls written out: arguments, the function, results; see ptx_inline.h. */

#include "ptx/read/ptx_inline.h"
#include "ptx/read/ptx_syntax.h"

/* ---- Arguments and results ----------------------------------------------------------- */

/* The operand that an argument is in the caller, as a value of `type`. */
static bool argument_value(struct ptx_writer *w, const struct ptx_frame *caller,
                           const struct ptx_node *node, const struct ptx_term *term,
                           enum ptx_type type, struct ptx_operand *value)
{
    const char *const name = term->kind == TERM_NAME ? term->name : "a number";

    *value = (struct ptx_operand){ .kind = OPERAND_IMMEDIATE, .reg = PTX_NO_REGISTER };
    if (term->kind == TERM_NUMBER && ptx_as_type(term->value, type, &value->value)) {
        return true;
    }
    const struct ptx_symbol *const s =
        term->kind == TERM_NAME ? ptx_visible(w->b, node, name) : NULL;
    if (s == NULL || s->kind != SYMBOL_REGISTER) {
        return ptx_fail(w->b, node->inst.line,
                        "call %.80s: %.80s as a parameter; allowed: registers, numbers, and "
                        ".param variables of the calling function",
                        node->call->name, name);
    }
    *value = (struct ptx_operand){ .kind = OPERAND_REGISTER,
                                   .reg = (uint16_t)(s->number + caller->first_register) };
    if (ptx_type_bytes(s->type) != ptx_type_bytes(type)) {
        return ptx_fail(w->b, node->inst.line, "call %.80s: %.80s is .%s; allowed: .%s",
                        node->call->name, name, ptx_type_name(s->type), ptx_type_name(type));
    }
    return true;
}

/* The load or store of a parameter in memory, or the move of one in a register. */
static bool transfer(struct ptx_writer *w, const struct ptx_inst *inst, struct ptx_place *place,
                     const struct ptx_object *formal, struct ptx_operand value, bool store)
{
    const enum ptx_type type = formal->variable.type;
    struct ptx_inst access = { .op = store ? PTX_ST : PTX_LD,
                               .type = (uint8_t)type,
                               .source_type = (uint8_t)type,
                               .space = SPACE_LOCAL,
                               .guard = PTX_NO_REGISTER,
                               .vector = 1u,
                               .n_dst = store ? 0u : 1u,
                               .n_src = store ? 2u : 1u,
                               .line = inst->line };

    access.dst[0] = store ? access.dst[0] : value;
    access.src[0] = (struct ptx_operand){ .kind = OPERAND_ADDRESS, .reg = PTX_NO_REGISTER };
    access.src[1] = store ? value : access.src[1];
    if (!place->in_memory) {
        return ptx_write_slots(w, place, &access);
    }
    access.src[0].value = place->address;
    return ptx_emit(w, access) != NULL;
}

/* Where a formal parameter or result is: a variable of the caller, or a place of its own if
 * the call gives a register or number. */
static struct ptx_place *bind(struct ptx_writer *w, const struct ptx_frame *caller,
                              struct ptx_frame *inner, const struct ptx_node *node,
                              const struct ptx_object *formal, const struct ptx_term *term)
{
    const struct ptx_object *const object = ptx_param_of(w->b, node, term);
    const struct ptx_variable *const v = &formal->variable;

    if (object != NULL && formal->reg == PTX_NO_REGISTER) {
        if (object->variable.bytes < v->bytes) {
            ptx_fail(w->b, node->inst.line, "call %.80s: %.80s has %llu bytes; allowed: %llu",
                     node->call->name, object->variable.name,
                     (unsigned long long)object->variable.bytes, (unsigned long long)v->bytes);
            return NULL;
        }
        return caller->object[object->index];
    }
    struct ptx_place *const place = ptx_alloc(w->b->arena, sizeof *place);
    if (formal->reg != PTX_NO_REGISTER) {
        return place;
    }
    if (v->bytes != ptx_type_bytes(v->type)) {
        ptx_fail(w->b, node->inst.line, "call %.80s: a value for %.80s; allowed: a .param",
                 node->call->name, v->name);
        return NULL;
    }
    ptx_add_accesses(w->b, place, formal);
    ptx_add_slot(w->b, place, (struct ptx_access){ 0u, ptx_type_bytes(v->type) });
    return !place->in_memory || ptx_allot(w, inner, place, v) ? place : NULL;
}

static bool give_argument(struct ptx_writer *w, const struct ptx_frame *caller,
                          struct ptx_frame *inner, const struct ptx_node *node, uint32_t i,
                          const struct ptx_term *term)
{
    const struct ptx_object *const formal = inner->routine->param.at[i];
    const enum ptx_type type = formal->variable.type;
    struct ptx_inst inst = node->inst;
    struct ptx_operand value;

    inst.guard = PTX_NO_REGISTER;
    inner->param[i] = bind(w, caller, inner, node, formal, term);
    if (inner->param[i] == NULL) {
        return false;
    }
    if (formal->reg == PTX_NO_REGISTER && ptx_param_of(w->b, node, term) != NULL) {
        return true;
    }
    if (!argument_value(w, caller, node, term, type, &value)) {
        return false;
    }
    return formal->reg != PTX_NO_REGISTER
               ? ptx_move(w, &inst, formal->reg + inner->first_register, value, type)
               : transfer(w, &inst, inner->param[i], formal, value, true);
}

static bool take_result(struct ptx_writer *w, const struct ptx_frame *caller,
                        const struct ptx_frame *inner, const struct ptx_node *node, uint32_t i,
                        const struct ptx_term *term)
{
    const struct ptx_object *const formal = inner->routine->result.at[i];
    const enum ptx_type type = formal->variable.type;
    struct ptx_inst inst = node->inst;
    struct ptx_operand to;

    inst.guard = PTX_NO_REGISTER;
    if ((formal->reg == PTX_NO_REGISTER && ptx_param_of(w->b, node, term) != NULL)
        || (term->kind == TERM_NAME && term->name[0] == '_' && term->name[1] == '\0')) {
        return true;
    }
    if (!argument_value(w, caller, node, term, type, &to)) {
        return false;
    }
    if (to.kind != OPERAND_REGISTER) {
        return ptx_fail(w->b, inst.line, "call %.80s: a number as a result; allowed: registers",
                        node->call->name);
    }
    if (formal->reg == PTX_NO_REGISTER) {
        return transfer(w, &inst, inner->result[i], formal, to, false);
    }
    const struct ptx_operand from = { .kind = OPERAND_REGISTER,
                                      .reg = (uint16_t)(formal->reg + inner->first_register) };
    return ptx_move(w, &inst, to.reg, from, type);
}

/* ---- Calls --------------------------------------------------------------------------- */

static bool check_call(struct ptx_writer *w, const struct ptx_frame *frame,
                       const struct ptx_node *node, const struct ptx_routine *callee)
{
    const char *const name = node->call->name;
    const uint32_t line = node->inst.line;
    char allowed[1024];
    uint32_t function;

    if (callee == NULL || callee->entry
        || (!callee->defined && !ptx_find_runtime(callee->name, &function))) {
        return ptx_fail(w->b, line, "call of %.80s, which is %s; allowed: %s", name,
                        callee == NULL  ? "no function"
                        : callee->entry ? "an entry"
                                        : "not defined here",
                        ptx_runtime_allowed(name, allowed, sizeof allowed));
    }
    if (callee->active || frame->depth >= PTX_MAX_DEPTH) {
        return ptx_fail(w->b, line,
                        "call of %.80s: %s; allowed: calls without recursion, %d deep", name,
                        callee->active ? "recursion" : "too deep", PTX_MAX_DEPTH);
    }
    const uint32_t results = ptx_terms(node->call->results);
    const uint32_t arguments = ptx_terms(node->call->arguments);
    if (results != callee->result.count || arguments != callee->param.count) {
        ptx_fail(w->b, line, "call of %.80s with %u results, %u parameters; allowed: %u, %u",
                 name, results, arguments, callee->result.count, callee->param.count);
        return false;
    }
    return true;
}

static bool give_all(struct ptx_writer *w, const struct ptx_frame *caller,
                     struct ptx_frame *inner, const struct ptx_node *node)
{
    const struct ptx_term *term = node->call->arguments;

    for (uint32_t i = 0u; term != NULL; i++, term = term->next) {
        if (!give_argument(w, caller, inner, node, i, term)) {
            return false;
        }
    }
    term = node->call->results;
    for (uint32_t i = 0u; term != NULL; i++, term = term->next) {
        inner->result[i] = bind(w, caller, inner, node, inner->routine->result.at[i], term);
        if (inner->result[i] == NULL) {
            return false;
        }
    }
    return true;
}

bool ptx_write_call(struct ptx_writer *w, struct ptx_frame *frame, const struct ptx_node *node)
{
    struct ptx_routine *const callee = ptx_callee_of(w->b, node);
    struct ptx_frame inner = { .routine = callee, .depth = frame->depth + 1u };
    struct ptx_inst skip = ptx_renamed(frame, &node->inst);
    const uint32_t next = (uint32_t)(node - frame->routine->node.at) + 1u;

    skip.guard_negate = !skip.guard_negate;
    if (!check_call(w, frame, node, callee)
        || (skip.guard != PTX_NO_REGISTER && !ptx_jump(w, frame, skip, next))
        || !ptx_open_frame(w, &inner, frame->end) || !give_all(w, frame, &inner, node)
        || !(callee->defined ? ptx_write_routine(w, &inner)
                             : ptx_write_runtime(w, &inner, node->inst.line))) {
        return false;
    }
    const struct ptx_term *term = node->call->results;
    for (uint32_t i = 0u; term != NULL; i++, term = term->next) {
        if (!take_result(w, frame, &inner, node, i, term)) {
            return false;
        }
    }
    return true;
}
