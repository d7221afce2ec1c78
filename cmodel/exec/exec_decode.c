/* exec_decode - instructions to steps: what can be known before execution. */

#include <stdio.h>
#include <stdlib.h>

#include "exec/exec_run.h"

static bool is_wide(const struct ptx_function *f, const struct ptx_operand *o,
                    enum ptx_type type)
{
    return o->kind == OPERAND_REGISTER ? f->reg[o->reg].class == CLASS_64
                                       : ptx_type_bytes(type) == 8u;
}

static bool is_signed(enum ptx_type type)
{
    return type == PTX_S8 || type == PTX_S16 || type == PTX_S32;
}

/* ---- Memory -------------------------------------------------------------------------- */

static exec_action *memory_action(const struct ptx_inst *i, const char **why)
{
    const bool fixed = i->space == SPACE_CONST || i->space == SPACE_PARAM;
    switch (i->op) {
    case PTX_LD:
    case PTX_LDU:
        return exec_load;
    case PTX_ST:
        *why = "a store to memory that is only read; allowed: global, shared, local, generic";
        return fixed ? NULL : exec_store;
    default:
        *why = "allowed: global, shared, generic; add, min, max, inc, dec, and, or, xor, exch, "
               "cas of 32 or 64 bits; cas of b16; add and exch of f32 or f64";
        return fixed || i->space == SPACE_LOCAL || !exec_atomic_supported(i) ? NULL
                                                                             : exec_atomic;
    }
}

bool exec_decode_memory(struct exec_step *s, const struct ptx_function *f, const char **why)
{
    const struct ptx_inst *const i = s->inst;
    const struct ptx_operand *const address = &i->src[0];
    const bool in_register = address->reg != PTX_NO_REGISTER;
    const uint32_t vector = i->vector > 1u ? i->vector : 1u;
    const uint32_t bytes = ptx_type_bytes(i->type);
    if (bytes == 0u || bytes * vector > 32u || (vector & (vector - 1u)) != 0u) {
        *why = "allowed: 1, 2 or 4 elements of 1, 2, 4 or 8 bytes";
        return false;
    }
    s->kind = STEP_ACTION;
    s->action = memory_action(i, why);
    s->bytes = (uint8_t)bytes;
    s->total = (uint8_t)(bytes * vector);
    s->sign = is_signed(i->type);
    s->wide_address = !in_register || f->reg[address->reg].class == CLASS_64;
    s->global_symbol =
        !in_register && address->kind == OPERAND_ADDRESS && i->space == SPACE_GLOBAL;
    for (uint32_t k = 0u; k < vector; k++) {
        const struct ptx_operand *const o = i->op == PTX_ST ? &i->src[k + 1u] : &i->dst[k];
        s->wide = (uint8_t)(s->wide | (is_wide(f, o, i->type) ? 1u << k : 0u));
    }
    return s->action != NULL;
}

/* ---- All others ---------------------------------------------------------------------- */

static bool reads_clock(const struct ptx_inst *i)
{
    const struct ptx_operand *const o = &i->src[0];
    return i->n_src > 0u && o->kind == OPERAND_SPECIAL
           && (o->reg == SREG_CLOCK || o->reg == SREG_CLOCK64 || o->reg == SREG_GLOBALTIMER);
}

/* The address of a global variable or an entry: known only at the launch. cvta does not change
 * it. */
static bool names_symbol(const struct ptx_inst *i)
{
    return (i->op == PTX_MOV || i->op == PTX_CVTA)
           && (i->space == SPACE_GLOBAL || i->space == SPACE_ENTRY)
           && i->src[0].kind == OPERAND_ADDRESS && i->src[0].reg == PTX_NO_REGISTER;
}

static bool trap(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                 uint32_t lanes)
{
    return exec_fault(r, w, s, lanes, "trap");
}

/* In front of the branches of brx.idx. */
static bool check_index(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                        uint32_t lanes)
{
    const uint32_t *const index = exec_source(&w->w, &s->inst->src[0]);
    const uint32_t n = (uint32_t)s->inst->src[1].value;
    EACH_LANE(lane, lanes)
    {
        if (index[lane] >= n) {
            return exec_fault(r, w, s, 1u << lane,
                              "brx.idx with index %u, which has no target; the last is %u",
                              index[lane], n - 1u);
        }
    }
    return true;
}

static bool is_word(enum ptx_type type)
{
    return ptx_type_bytes(type) == 4u;
}

static bool act(struct exec_step *s, exec_action *action)
{
    s->kind = STEP_ACTION;
    s->action = action;
    return true;
}

/* cvt may read the low part of a wider register, as in cvt.s64.s32 %rd, %rd. Rows have the
 * width of the register: the part is taken out first, then converted. */
static void convert_low_part(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    const uint64_t *const wide = exec_source(w, &i->src[0]);
    uint32_t low[WARP_SIZE];
    const char *why = NULL;
    struct ptx_inst narrow = *i;
    struct exec_warp part = *w;
    for (uint32_t l = 0u; l < WARP_SIZE; l++) {
        low[l] = (uint32_t)wide[l];
    }
    part.constant_rows = (const uint8_t *)low;
    narrow.src[0].constant = true;
    narrow.src[0].row = 0u;
    exec_alu_handler(&narrow, &why)(&part, &narrow, lanes);
}

static bool reads_low_part(const struct ptx_function *f, const struct ptx_inst *i)
{
    return i->op == PTX_CVT && i->src[0].kind == OPERAND_REGISTER
           && f->reg[i->src[0].reg].class == CLASS_64 && ptx_type_bytes(i->source_type) < 8u;
}
/* The upper part of a wider register would have to be made up. */
static bool writes_low_part(const struct ptx_function *f, const struct ptx_inst *i)
{
    return i->op == PTX_CVT && i->dst[0].kind == OPERAND_REGISTER
           && f->reg[i->dst[0].reg].class == CLASS_64 && ptx_type_bytes(i->type) < 8u;
}

static bool set_handler(struct exec_step *s, const struct ptx_function *f, const char **why)
{
    if (names_symbol(s->inst)) {
        return act(s, exec_symbol);
    }
    if (writes_low_part(f, s->inst)) {
        *why = "cvt to a register of the type's width";
        return false;
    }
    s->kind = reads_clock(s->inst) ? STEP_CLOCK : STEP_ALU;
    s->handler = exec_alu_handler(s->inst, why);
    if (s->handler != NULL && reads_low_part(f, s->inst)) {
        s->handler = convert_low_part;
    }
    return s->handler != NULL;
}

static bool set_kind(struct exec_step *s, enum step_kind kind)
{
    s->kind = (uint8_t)kind;
    return true;
}

static bool decode(struct exec_step *s, const struct ptx_function *f, const char **why)
{
    switch (s->inst->op) {
    case PTX_BRA:
        return set_kind(s, STEP_BRANCH);
    case PTX_RET:
    case PTX_EXIT:
        return set_kind(s, STEP_EXIT);
    case PTX_BAR:
        return set_kind(s, s->inst->mode == MODE_WARP_SYNC ? STEP_NOTHING : STEP_BARRIER);
    case PTX_BRKPT:
    case PTX_FENCE:
    case PTX_MEMBAR:
    case PTX_NANOSLEEP:
    case PTX_PMEVENT:
    case PTX_PREFETCH:
    case PTX_PREFETCHU:
        return set_kind(s, STEP_NOTHING);
    case PTX_TRAP:
        return act(s, trap);
    case PTX_BRX:
        return act(s, check_index);
    case PTX_SHFL:
        *why = "allowed: shfl of 32 bits";
        return act(s, exec_shfl) && is_word(s->inst->type);
    case PTX_VOTE:
        return act(s, exec_vote);
    case PTX_MATCH:
        return act(s, exec_match);
    case PTX_ACTIVEMASK:
        return act(s, exec_activemask);
    case PTX_LD:
    case PTX_LDU:
    case PTX_ST:
    case PTX_ATOM:
    case PTX_RED:
        return exec_decode_memory(s, f, why);
    case PTX_CALL:
        return act(s, exec_call_runtime);
    default:
        return set_handler(s, f, why);
    }
}

/* What others may wait for, or see the time of. Constants, parameters and local memory are
 * nobody else's. */
static bool is_ordered(const struct exec_step *s)
{
    const struct ptx_inst *const i = s->inst;
    const bool seen =
        i->space == SPACE_GLOBAL || i->space == SPACE_SHARED || i->space == SPACE_GENERIC;
    switch (i->op) {
    case PTX_ATOM:
    case PTX_RED:
    case PTX_CALL:
    case PTX_FENCE:
    case PTX_MEMBAR:
        return true;
    case PTX_LD:
    case PTX_LDU:
    case PTX_ST:
        return seen && (i->flags & (FLAG_VOLATILE | FLAG_ORDERED)) != 0u;
    default:
        return s->kind == STEP_CLOCK;
    }
}

static void set_guard(struct exec_step *s, const struct ptx_function *f)
{
    if (s->inst->guard != PTX_NO_REGISTER) {
        s->guarded = true;
        s->guard_row = f->reg[s->inst->guard].offset;
        s->guard_flip = s->inst->guard_negate ? UINT32_MAX : 0u;
    }
}

bool exec_decode(struct exec_program *p, const struct ptx_module *module,
                 const struct ptx_function *f, struct fault *fault)
{
    p->function = f;
    p->step = calloc(f->n_inst + 1u, sizeof *p->step);
    if (p->step == NULL) {
        return fault_surroundings(fault, "%s: no memory for its %u instructions", f->name,
                                  f->n_inst);
    }
    for (uint32_t k = 0u; k < f->n_inst; k++) {
        struct exec_step *const s = &p->step[k];
        const char *why = "not supported";
        s->inst = &f->inst[k];
        s->timing = f->inst[k].timing;
        set_guard(s, f);
        if (!decode(s, f, &why)) {
            return fault_at(fault, module->file, s->inst->line, "%s: %s", f->name, why);
        }
        s->ordered = is_ordered(s);
        s->fence = (s->inst->op == PTX_FENCE || s->inst->op == PTX_MEMBAR)
                   && (s->inst->flags & FLAG_CTA) == 0u;
    }
    const uint32_t last = f->n_inst > 0u ? f->n_inst - 1u : 0u;
    p->end = (struct ptx_inst){ .op = PTX_EXIT,
                                .guard = PTX_NO_REGISTER,
                                .line = f->n_inst > 0u ? f->inst[last].line : f->line,
                                .timing = { .op = OP_EXIT, .pc = last } };
    p->step[f->n_inst] =
        (struct exec_step){ .inst = &p->end, .timing = p->end.timing, .kind = STEP_EXIT };
    return true;
}
