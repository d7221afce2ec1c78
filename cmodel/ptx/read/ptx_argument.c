/* ptx_argument - parameters of calls as registers or local memory; see ptx_inline.h. */

#include "ptx/read/ptx_inline.h"

/* ---- Places -------------------------------------------------------------------------- */

struct ptx_place *ptx_place_of(const struct ptx_frame *frame, const struct ptx_object *object)
{
    if (!object->formal) {
        return frame->object[object->index];
    }
    const bool is_param = object->index < frame->routine->param.count
                          && frame->routine->param.at[object->index] == object;
    return is_param ? frame->param[object->index] : frame->result[object->index];
}

void ptx_add_slot(struct ptx_build *b, struct ptx_place *place, struct ptx_access access)
{
    for (uint32_t i = 0u; i < place->slot.count; i++) {
        const struct ptx_slot *const s = &place->slot.at[i];
        if (s->offset == access.offset && s->bytes == access.bytes) {
            return;
        }
        if (s->offset < access.offset + access.bytes && access.offset < s->offset + s->bytes) {
            place->in_memory = true; /* its bytes are reached in two ways */
        }
    }
    if (place->slot.count == PTX_MAX_ACCESSES) {
        place->in_memory = true;
        return;
    }
    PTX_PUSH(b->arena, &place->slot,
             (struct ptx_slot){ access.offset, access.bytes, PTX_NO_REGISTER });
}

void ptx_add_accesses(struct ptx_build *b, struct ptx_place *place,
                      const struct ptx_object *object)
{
    place->in_memory = place->in_memory || object->in_memory;
    for (uint32_t i = 0u; i < object->access.count; i++) {
        ptx_add_slot(b, place, object->access.at[i]);
    }
}

/* A local address in the frame. */
bool ptx_allot(struct ptx_writer *w, struct ptx_frame *frame, struct ptx_place *place,
               const struct ptx_variable *v)
{
    place->address = (frame->end + v->align - 1u) / v->align * v->align;
    frame->end = place->address + v->bytes;
    w->local_bytes = frame->end > w->local_bytes ? frame->end : w->local_bytes;
    return frame->end <= PTX_WINDOW
           || ptx_fail(w->b, v->line, "too much local memory; allowed: %llu bytes of a thread",
                       (unsigned long long)PTX_WINDOW);
}

struct ptx_routine *ptx_callee_of(struct ptx_build *b, const struct ptx_node *node)
{
    const struct ptx_scope *scope = node->scope;

    while (scope->outer != NULL) {
        scope = scope->outer;
    }
    const struct ptx_symbol *const s = ptx_find_in(b, node->call->name, scope);
    return s != NULL && s->kind == SYMBOL_FUNCTION ? s->routine : NULL;
}

struct ptx_symbol *ptx_visible(struct ptx_build *b, const struct ptx_node *node,
                               const char *name)
{
    struct ptx_scope *const scope = b->scope;

    b->scope = node->scope;
    struct ptx_symbol *const s = ptx_find(b, name);
    b->scope = scope;
    return s;
}

/* The parameter that an argument names, or NULL. */
struct ptx_object *ptx_param_of(struct ptx_build *b, const struct ptx_node *node,
                                const struct ptx_term *term)
{
    if (term->kind != TERM_NAME) {
        return NULL;
    }
    const struct ptx_symbol *const s = ptx_visible(b, node, term->name);
    const bool is_param = s != NULL && s->kind == SYMBOL_VARIABLE
                          && s->object->variable.space == SPACE_PARAM && !s->object->formal;
    return is_param ? s->object : NULL;
}

/* What a call's function does with the parameters that the call gives it. */
static void add_callee(struct ptx_writer *w, struct ptx_frame *frame,
                       const struct ptx_node *node)
{
    const struct ptx_routine *const callee = ptx_callee_of(w->b, node);
    if (callee == NULL) {
        return;
    }
    const struct ptx_term *term = node->call->arguments;
    for (uint32_t i = 0u; term != NULL && i < callee->param.count; i++, term = term->next) {
        const struct ptx_object *const object = ptx_param_of(w->b, node, term);
        if (object != NULL) {
            ptx_add_accesses(w->b, frame->object[object->index], callee->param.at[i]);
        }
    }
    term = node->call->results;
    for (uint32_t i = 0u; term != NULL && i < callee->result.count; i++, term = term->next) {
        const struct ptx_object *const object = ptx_param_of(w->b, node, term);
        if (object != NULL) {
            ptx_add_accesses(w->b, frame->object[object->index], callee->result.at[i]);
        }
    }
}

/* ---- Copies of a function ------------------------------------------------------------ */

static bool copy_registers(struct ptx_writer *w, struct ptx_frame *frame)
{
    const struct ptx_routine *const r = frame->routine;

    frame->first_register = w->registers->reg.count;
    for (uint32_t i = 0u; i < r->reg.count; i++) {
        ptx_new_register(w->b, w->registers, r->reg.at[i].name, r->reg.at[i].type);
    }
    return !w->b->failed;
}

static bool place_objects(struct ptx_writer *w, struct ptx_frame *frame)
{
    const struct ptx_routine *const r = frame->routine;
    struct ptx_build *const b = w->b;

    frame->object =
        ptx_alloc(b->arena, ((size_t)r->object.count + 1u) * sizeof(struct ptx_place *));
    for (uint32_t i = 0u; i < r->object.count; i++) {
        frame->object[i] = ptx_alloc(b->arena, sizeof *frame->object[i]);
        frame->object[i]->in_memory = r->object.at[i]->variable.space == SPACE_LOCAL;
        ptx_add_accesses(b, frame->object[i], r->object.at[i]);
    }
    for (uint32_t i = 0u; i < r->node.count; i++) {
        if (r->node.at[i].call != NULL) {
            add_callee(w, frame, &r->node.at[i]);
        }
    }
    for (uint32_t i = 0u; i < r->object.count; i++) {
        if (frame->object[i]->in_memory
            && !ptx_allot(w, frame, frame->object[i], &r->object.at[i]->variable)) {
            return false;
        }
    }
    return true;
}

bool ptx_open_frame(struct ptx_writer *w, struct ptx_frame *frame, uint64_t base)
{
    const struct ptx_routine *const r = frame->routine;
    struct ptx_build *const b = w->b;
    const uint64_t cost =
        UINT64_C(1) + r->object.count + r->param.count + r->result.count + r->node.count / 4u;

    if (b->n_written + cost > PTX_MAX_WRITTEN) {
        return ptx_fail(b, r->line, "too many calls in %.80s; allowed: %d instructions",
                        w->entry->name, PTX_MAX_INSTS);
    }
    b->n_written += (uint32_t)cost;
    frame->base = frame->end = (base + 15u) & ~UINT64_C(15);
    frame->param =
        ptx_alloc(b->arena, ((size_t)r->param.count + 1u) * sizeof(struct ptx_place *));
    frame->result =
        ptx_alloc(b->arena, ((size_t)r->result.count + 1u) * sizeof(struct ptx_place *));
    return copy_registers(w, frame) && place_objects(w, frame);
}

/* ---- Moves --------------------------------------------------------------------------- */

static enum ptx_type unsigned_of(uint32_t bytes)
{
    return bytes == 8u ? PTX_U64 : bytes == 4u ? PTX_U32 : bytes == 2u ? PTX_U16 : PTX_U8;
}

static enum ptx_type signed_of(uint32_t bytes)
{
    return bytes == 8u ? PTX_S64 : bytes == 4u ? PTX_S32 : bytes == 2u ? PTX_S16 : PTX_S8;
}

static enum ptx_type bits_of(uint32_t bytes)
{
    return bytes == 8u ? PTX_B64 : bytes == 4u ? PTX_B32 : PTX_B16;
}

uint32_t ptx_slot_register(struct ptx_writer *w, struct ptx_place *place, uint64_t offset,
                           uint32_t bytes)
{
    for (uint32_t i = 0u; i < place->slot.count; i++) {
        struct ptx_slot *const s = &place->slot.at[i];
        if (s->offset == offset && s->bytes == bytes) {
            if (s->reg == PTX_NO_REGISTER) {
                s->reg = ptx_temporary(w, bits_of(bytes));
            }
            return s->reg;
        }
    }
    ptx_fail(w->b, w->entry->line, "a parameter with no such bytes");
    return PTX_NO_REGISTER;
}

/* to = from, of which `type` is what counts; inst has guard and line. */
bool ptx_move(struct ptx_writer *w, const struct ptx_inst *inst, uint32_t to,
              struct ptx_operand from, enum ptx_type type)
{
    if (to == PTX_NO_REGISTER) {
        return false;
    }
    const struct ptx_register *const reg = w->registers->reg.at;
    const uint32_t bytes = ptx_type_bytes(type);
    /* 8 bits are computed in 16. */
    const uint32_t to_bytes =
        ptx_type_bytes(reg[to].type) == 1u ? 2u : ptx_type_bytes(reg[to].type);
    const uint32_t from_bytes =
        from.kind == OPERAND_REGISTER ? ptx_type_bytes(reg[from.reg].type) : to_bytes;
    struct ptx_inst made = { .op = PTX_MOV,
                             .type = (uint8_t)bits_of(to_bytes),
                             .n_dst = 1u,
                             .n_src = 1u,
                             .guard = inst->guard,
                             .guard_negate = inst->guard_negate,
                             .line = inst->line };

    if (to_bytes == 0u || bytes == 0u || from_bytes == 0u) {
        made.type = PTX_PRED;
        if (to_bytes != from_bytes) {
            return ptx_fail(w->b, inst->line,
                            "a predicate for another value; allowed: the same type");
        }
    } else if (from.kind == OPERAND_REGISTER && (to_bytes > bytes || from_bytes > to_bytes)) {
        const bool is_signed = type >= PTX_S8 && type <= PTX_S64;
        const uint32_t source = bytes < from_bytes || from_bytes == 1u ? bytes : from_bytes;
        made.op = PTX_CVT;
        made.type = (uint8_t)(is_signed ? signed_of(to_bytes) : unsigned_of(to_bytes));
        made.source_type = (uint8_t)(is_signed ? signed_of(source) : unsigned_of(source));
    }
    made.source_type = made.op == PTX_CVT ? made.source_type : made.type;
    made.dst[0] = (struct ptx_operand){ .kind = OPERAND_REGISTER, .reg = (uint16_t)to };
    made.src[0] = from;
    return ptx_emit(w, made) != NULL;
}

bool ptx_write_slots(struct ptx_writer *w, struct ptx_place *place, const struct ptx_inst *inst)
{
    const bool store = inst->op == PTX_ST;
    const uint32_t bytes = ptx_type_bytes(inst->type);
    const uint64_t offset = inst->src[0].value;

    for (uint32_t i = 0u; i < inst->vector; i++) {
        const uint32_t slot = ptx_slot_register(w, place, offset + (uint64_t)i * bytes, bytes);
        const struct ptx_operand reg = { .kind = OPERAND_REGISTER, .reg = (uint16_t)slot };
        if (slot == PTX_NO_REGISTER) {
            return false;
        }
        if (store ? !ptx_move(w, inst, slot, inst->src[1u + i], inst->type)
                  : inst->dst[i].kind == OPERAND_REGISTER
                        && !ptx_move(w, inst, inst->dst[i].reg, reg, inst->type)) {
            return false;
        }
    }
    return true;
}
