/*
 * ptx_inline - an entry with its calls written out: instructions of the functions it calls are
 * copied, with registers of their own; parameters become moves, or local memory where their
 * bytes are reached in several ways.
 */

#include "ptx/read/ptx_inline.h"

#include <stdlib.h>

/* ---- Variables ----------------------------------------------------------------------- */

static bool write_param(struct ptx_writer *w, struct ptx_frame *frame,
                        const struct ptx_node *node, struct ptx_inst inst)
{
    struct ptx_operand *const o = &inst.src[node->object_src];
    const struct ptx_object *const object = node->object;

    if (object->formal && frame->routine->entry) {
        if (inst.op == PTX_ST) {
            return ptx_fail(w->b, inst.line,
                            "st.param to %.80s of an entry; allowed: to parameters of calls",
                            object->variable.name);
        }
        o->value += object->variable.address;
        return ptx_emit(w, inst) != NULL;
    }
    struct ptx_place *const place = ptx_place_of(frame, object);
    if (place->in_memory) {
        inst.space = SPACE_LOCAL;
        o->value += place->address;
        return ptx_emit(w, inst) != NULL;
    }
    return ptx_write_slots(w, place, &inst);
}

static bool write_variable(struct ptx_writer *w, struct ptx_frame *frame,
                           const struct ptx_node *node, struct ptx_inst inst)
{
    struct ptx_operand *const o = &inst.src[node->object_src];
    struct ptx_object *const object = node->object;

    switch (object->variable.space) {
    case SPACE_PARAM:
        return write_param(w, frame, node, inst);
    case SPACE_LOCAL:
        o->value += ptx_place_of(frame, object)->address;
        break;
    case SPACE_SHARED:
        if (object->entry != w->mark) {
            object->entry = w->mark;
            PTX_PUSH_POINTER(w->b->arena, &w->used, object);
        }
        PTX_PUSH(w->b->arena, &w->shared,
                 (struct ptx_shared_use){ w->inst.count, node->object_src, object });
        break;
    default:
        if (object->external) {
            return ptx_fail(w->b, inst.line,
                            "%.80s is .extern; allowed: variables of this file, and .extern "
                            ".shared",
                            object->variable.name);
        }
        o->value += object->variable.address;
        break;
    }
    return ptx_emit(w, inst) != NULL;
}

static bool write_node(struct ptx_writer *w, struct ptx_frame *frame, uint32_t index)
{
    const struct ptx_node *const node = &frame->routine->node.at[index];
    struct ptx_inst inst = ptx_renamed(frame, &node->inst);
    const uint32_t end = frame->routine->node.count;

    if (node->call != NULL) {
        return ptx_write_call(w, frame, node);
    }
    if (inst.op == PTX_BRA || inst.op == PTX_BRX) {
        return ptx_write_branch(w, frame, node, inst);
    }
    if (inst.op == PTX_RET && !frame->routine->entry) {
        const bool last = index + 1u == end && inst.guard == PTX_NO_REGISTER;
        return last || ptx_jump(w, frame, inst, end);
    }
    if (node->entry != NULL
        && !ptx_entry_address(w->b, node->entry, inst.line, &inst.src[0].value)) {
        return false;
    }
    if (node->object != NULL) {
        return write_variable(w, frame, node, inst);
    }
    if (inst.space == SPACE_PARAM && !frame->routine->entry) {
        inst.space = SPACE_LOCAL; /* where a parameter is whose address is taken */
    }
    return ptx_emit(w, inst) != NULL;
}

bool ptx_write_routine(struct ptx_writer *w, struct ptx_frame *frame)
{
    const uint32_t n = frame->routine->node.count;
    uint32_t *const start = ptx_alloc(w->b->arena, (n + 1u) * sizeof *start);

    frame->routine->active = true;
    for (uint32_t i = 0u; i < n; i++) {
        start[i] = w->inst.count;
        if (!write_node(w, frame, i)) {
            return false;
        }
    }
    start[n] = w->inst.count;
    for (uint32_t i = 0u; i < frame->jump.count; i++) {
        w->inst.at[frame->jump.at[i].inst].target = start[frame->jump.at[i].node];
    }
    frame->routine->active = false;
    return true;
}

/* ---- Entries ------------------------------------------------------------------------- */

static uint64_t round_up(uint64_t value, uint64_t align)
{
    return (value + align - 1u) / align * align;
}

static int in_file_order(const void *one, const void *other)
{
    const struct ptx_object *const *const a = one;
    const struct ptx_object *const *const b = other;

    return ((*a)->index > (*b)->index) - ((*a)->index < (*b)->index);
}

static bool lay_out_shared(struct ptx_writer *w, struct ptx_function *f)
{
    enum { DYNAMIC_ALIGN = 16 };
    struct ptx_build *const b = w->b;
    uint64_t bytes = 0u;

    if (w->used.count > 0u) {
        qsort(w->used.at, w->used.count, sizeof(void *), in_file_order);
    }
    /* Those with a size, in the order of the file; then those of the launch, all at one place.
     */
    for (uint32_t pass = 0u; pass < 2u; pass++) {
        for (uint32_t i = 0u; i < w->used.count; i++) {
            struct ptx_variable *const v = &w->used.at[i]->variable;
            if ((v->bytes == 0u) != (pass == 1u)) {
                continue;
            }
            bytes = round_up(bytes,
                             pass == 1u && v->align < DYNAMIC_ALIGN ? DYNAMIC_ALIGN : v->align);
            v->address = bytes;
            bytes += v->bytes;
            if (bytes > PTX_WINDOW) {
                return ptx_fail(b, v->line, "too much shared memory; allowed: %llu bytes",
                                (unsigned long long)PTX_WINDOW);
            }
        }
    }
    /* The last rounding may have moved the launch's variables apart. */
    for (uint32_t i = 0u; i < w->shared.count; i++) {
        const struct ptx_shared_use *const use = &w->shared.at[i];
        const struct ptx_variable *const v = &use->object->variable;
        w->inst.at[use->inst].src[use->src].value += v->bytes == 0u ? bytes : v->address;
    }
    f->shared_bytes = (uint32_t)bytes;
    return true;
}

static void lay_out_params(struct ptx_build *b, const struct ptx_routine *entry,
                           struct ptx_function *f)
{
    uint64_t bytes = 0u;

    f->n_param = entry->param.count;
    f->param = ptx_alloc(b->arena, (f->n_param + 1u) * sizeof *f->param);
    for (uint32_t i = 0u; i < f->n_param; i++) {
        struct ptx_variable *const v = &entry->param.at[i]->variable;
        v->address = round_up(bytes, v->align);
        bytes = v->address + v->bytes;
        f->param[i] = *v;
    }
    f->param_bytes = (uint32_t)bytes;
}

/* The last instruction ends the thread, and a jump to the end finds one. */
static bool end_entry(struct ptx_writer *w)
{
    bool needed = w->inst.count == 0u;

    for (uint32_t i = 0u; i < w->inst.count && !needed; i++) {
        needed = w->inst.at[i].op == PTX_BRA && w->inst.at[i].target == w->inst.count;
    }
    if (!needed) {
        const struct ptx_inst *const last = &w->inst.at[w->inst.count - 1u];
        needed =
            (last->op != PTX_RET && last->op != PTX_EXIT) || last->guard != PTX_NO_REGISTER;
    }
    return !needed
           || ptx_emit(w, (struct ptx_inst){ .op = PTX_RET,
                                             .guard = PTX_NO_REGISTER,
                                             .line = w->entry->line })
                  != NULL;
}

bool ptx_write_out(struct ptx_build *b, struct ptx_routine *entry,
                   struct ptx_function *function)
{
    struct ptx_routine registers = { .entry = true };
    struct ptx_writer w = {
        .b = b, .entry = entry, .registers = &registers, .mark = ++b->n_mark
    };
    struct ptx_frame frame = { .routine = entry };

    *function = (struct ptx_function){ .name = entry->name,
                                       .entry = true,
                                       .line = entry->line,
                                       .max_threads = entry->max_threads };
    lay_out_params(b, entry, function);
    if (function->param_bytes > 65536u) {
        return ptx_fail(b, entry->line, "too many bytes of parameters; allowed: 65536");
    }
    if (!ptx_open_frame(&w, &frame, 0u) || !ptx_write_routine(&w, &frame) || !end_entry(&w)
        || !lay_out_shared(&w, function)) {
        return false;
    }
    function->reg = registers.reg.at;
    function->n_register = registers.reg.count;
    function->inst = w.inst.at;
    function->n_inst = w.inst.count;
    function->local_bytes = (uint32_t)round_up(w.local_bytes, 16u);
    return !b->failed;
}
