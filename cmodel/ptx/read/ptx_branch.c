/*
 * ptx_branch - bra and brx.idx of a copy of a function; see ptx_inline.h.
 *
 * brx.idx is written out: a check of the index, then a tree of comparisons and branches, so
 * that the lanes of all targets meet where those of ordinary branches would.
 */

#include "ptx/read/ptx_inline.h"

bool ptx_jump(struct ptx_writer *w, struct ptx_frame *frame, struct ptx_inst inst,
              uint32_t node)
{
    inst.op = PTX_BRA;
    if (ptx_emit(w, inst) == NULL) {
        return false;
    }
    PTX_PUSH(w->b->arena, &frame->jump, (struct ptx_jump_to){ w->inst.count - 1u, node });
    return true;
}

static const struct ptx_symbol *find_from(const struct ptx_build *b,
                                          const struct ptx_scope *scope, const char *name)
{
    const struct ptx_symbol *symbol = NULL;

    for (; symbol == NULL && scope != NULL; scope = scope->outer) {
        symbol = ptx_find_in(b, name, scope);
    }
    return symbol;
}

static const struct ptx_symbol *find_label(struct ptx_build *b, const struct ptx_scope *scope,
                                           const char *name, uint32_t line)
{
    const struct ptx_symbol *const label = find_from(b, scope, name);

    if (label == NULL || label->kind != SYMBOL_LABEL) {
        ptx_fail(b, line, "bra: no label %.80s; allowed: labels of its function", name);
        return NULL;
    }
    return label;
}

/* ---- brx.idx ------------------------------------------------------------------------- */

/* One that is being written out. */
struct indexed {
    struct ptx_writer *w;
    struct ptx_frame *frame;
    struct ptx_operand index;
    uint32_t *node; /* of each target */
    uint32_t line;
    uint16_t predicate;
};

static struct ptx_inst plain(const struct indexed *x, enum ptx_op op)
{
    return (struct ptx_inst){ .op = (uint8_t)op,
                              .type = PTX_U32,
                              .source_type = PTX_U32,
                              .guard = PTX_NO_REGISTER,
                              .vector = 1u,
                              .n_src = 2u,
                              .src[0] = x->index,
                              .line = x->line };
}

static struct ptx_operand number(uint32_t value)
{
    return (struct ptx_operand){ .kind = OPERAND_IMMEDIATE,
                                 .reg = PTX_NO_REGISTER,
                                 .value = value };
}

static struct ptx_inst branch(const struct indexed *x, bool guarded)
{
    return (struct ptx_inst){ .op = PTX_BRA,
                              .guard = guarded ? x->predicate : PTX_NO_REGISTER,
                              .line = x->line };
}

/* To targets first..end-1; the index is one of theirs. Each call halves them.
 * NOLINTBEGIN(misc-no-recursion) */
static bool write_tree(const struct indexed *x, uint32_t first, uint32_t end)
{
    struct ptx_writer *const w = x->w;
    const uint32_t middle = first + (end - first) / 2u;
    struct ptx_inst compare = plain(x, PTX_SETP);

    if (end - first == 1u) {
        return ptx_jump(w, x->frame, branch(x, false), x->node[first]);
    }
    compare.compare = CMP_GE;
    compare.n_dst = 1u;
    compare.dst[0] = (struct ptx_operand){ .kind = OPERAND_REGISTER, .reg = x->predicate };
    compare.src[1] = number(middle);
    if (ptx_emit(w, compare) == NULL) {
        return false;
    }
    if (end - middle == 1u) {
        return ptx_jump(w, x->frame, branch(x, true), x->node[middle])
               && write_tree(x, first, middle);
    }
    const uint32_t to_upper = w->inst.count;
    if (ptx_emit(w, branch(x, true)) == NULL || !write_tree(x, first, middle)) {
        return false;
    }
    w->inst.at[to_upper].target = w->inst.count;
    return write_tree(x, middle, end);
}
/* NOLINTEND(misc-no-recursion) */

static bool find_targets(struct indexed *x, const struct ptx_targets *targets)
{
    struct ptx_build *const b = x->w->b;
    uint32_t n = 0u;

    x->node = ptx_alloc(b->arena, targets->count * sizeof *x->node);
    for (const struct ptx_term *t = targets->label; t != NULL; t = t->next) {
        const struct ptx_symbol *const label =
            find_label(b, targets->scope, t->name, targets->line);
        if (label == NULL) {
            return false;
        }
        x->node[n++] = label->number;
    }
    return true;
}

static bool write_indexed(struct ptx_writer *w, struct ptx_frame *frame,
                          const struct ptx_node *node, struct ptx_inst inst)
{
    struct indexed x = { .w = w, .frame = frame, .index = inst.src[0], .line = inst.line };
    const struct ptx_symbol *const list = find_from(w->b, node->scope, node->label);
    const uint32_t next = (uint32_t)(node - frame->routine->node.at) + 1u;

    if (list == NULL || list->kind != SYMBOL_TARGETS) {
        return ptx_fail(w->b, inst.line,
                        "brx.idx: no .branchtargets %.80s; allowed: those of its function",
                        node->label);
    }
    if (!find_targets(&x, list->targets)) {
        return false;
    }
    if (inst.guard != PTX_NO_REGISTER) {
        inst.guard_negate = !inst.guard_negate;
        inst.n_src = 0u;
        if (!ptx_jump(w, frame, inst, next)) {
            return false;
        }
    }
    struct ptx_inst check = plain(&x, PTX_BRX);
    check.src[1] = number(list->targets->count);
    x.predicate = (uint16_t)ptx_temporary(w, PTX_PRED);
    return ptx_emit(w, check) != NULL && write_tree(&x, 0u, list->targets->count);
}

/* ---- Both ---------------------------------------------------------------------------- */

bool ptx_write_branch(struct ptx_writer *w, struct ptx_frame *frame,
                      const struct ptx_node *node, struct ptx_inst inst)
{
    if (inst.op == PTX_BRX) {
        return write_indexed(w, frame, node, inst);
    }
    const struct ptx_symbol *const label =
        find_label(w->b, node->scope, node->label, inst.line);
    return label != NULL && ptx_jump(w, frame, inst, label->number);
}
