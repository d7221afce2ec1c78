/*
 * ptx_rows - where the executor finds each operand, and what the timing model is told of each
 * instruction.
 */

#include <string.h>

#include "ptx/analyse/ptx_analysis.h"
#include "ptx/read/ptx_build.h"

enum { LANES = WARP_SIZE };

/* ---- Classes ------------------------------------------------------------------------- */

enum ptx_class ptx_type_class(enum ptx_type type)
{
    return type == PTX_PRED             ? CLASS_PREDICATE
           : ptx_type_bytes(type) == 8u ? CLASS_64
                                        : CLASS_32;
}

/* Sources that are not of the instruction's type: amounts, positions, predicates. */
static bool odd_source(const struct ptx_inst *i, uint32_t k, enum ptx_class *class)
{
    switch (i->op) {
    case PTX_SHL:
    case PTX_SHR:
    case PTX_BFE:
        *class = CLASS_32;
        return k >= 1u;
    case PTX_BFI:
    case PTX_SHF:
        *class = CLASS_32;
        return k >= 2u;
    case PTX_SETP:
    case PTX_SET:
    case PTX_SELP:
        *class = CLASS_PREDICATE;
        return k == 2u;
    case PTX_VOTE:
        *class = k == 0u ? CLASS_PREDICATE : CLASS_32;
        return true;
    case PTX_MATCH:
        *class = CLASS_32;
        return k == 1u;
    case PTX_MAD:
    case PTX_MADC:
        *class = CLASS_64;
        return i->mode == MODE_WIDE && k == 2u && ptx_type_bytes(i->type) == 4u;
    case PTX_BAR:
        *class = CLASS_32;
        return true;
    default:
        return false;
    }
}

enum ptx_class ptx_source_class(const struct ptx_inst *i, uint32_t k)
{
    enum ptx_class class;
    if (odd_source(i, k, &class)) {
        return class;
    }
    if (i->op == PTX_CVTA || i->op == PTX_ISSPACEP) {
        return CLASS_64;
    }
    const bool by_source =
        i->op == PTX_CVT || i->op == PTX_SET || (i->op == PTX_SLCT && k == 2u);
    enum ptx_type type = by_source ? i->source_type : i->type;
    if (i->op == PTX_MOV && i->n_src > 1u) { /* a pack's elements */
        return ptx_type_bytes(type) / i->n_src == 8u ? CLASS_64 : CLASS_32;
    }
    return ptx_type_class(type);
}

/* ---- Constant rows ------------------------------------------------------------------- */

struct constants {
    uint32_t n, size; /* size of the table, a power of two */
    uint32_t bytes;
    struct constant {
        uint64_t value;
        uint32_t row;
        uint8_t class;
        bool used;
    } * table;
};

static uint32_t row_bytes(enum ptx_class class)
{
    return class == CLASS_64 ? 8u * LANES : 4u * LANES;
}

static uint32_t constant_row(struct constants *c, enum ptx_class class, uint64_t value)
{
    value = class == CLASS_64 ? value : value & UINT32_MAX;
    uint64_t h = (value ^ (uint64_t) class << 61) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t k = (uint32_t)(h >> 32) & (c->size - 1u);
    while (c->table[k].used && (c->table[k].value != value || c->table[k].class != class)) {
        k = (k + 1u) & (c->size - 1u);
    }
    if (!c->table[k].used) {
        c->table[k] = (struct constant){ value, c->bytes, (uint8_t) class, true };
        c->bytes += row_bytes(class);
    }
    return c->table[k].row;
}

static bool fill_constants(struct ptx_module *module, struct ptx_function *f,
                           const struct constants *c)
{
    f->constant_bytes = c->bytes;
    f->constant_rows = ptx_alloc(module->arena, c->bytes + 64u);
    if (f->constant_rows == NULL) {
        return false;
    }
    for (uint32_t k = 0u; k < c->size; k++) {
        const struct constant *const one = &c->table[k];
        for (uint32_t lane = 0u; one->used && lane < LANES; lane++) {
            const uint32_t word = one->class == CLASS_PREDICATE && (one->value & 1u) != 0u
                                      ? UINT32_MAX
                                      : (uint32_t)one->value;
            if (one->class == CLASS_64) {
                memcpy(f->constant_rows + one->row + (size_t)8u * lane, &one->value, 8u);
            } else {
                memcpy(f->constant_rows + one->row + (size_t)4u * lane, &word, 4u);
            }
        }
    }
    return true;
}

/* ---- Operands ------------------------------------------------------------------------ */

static bool is_address(const struct ptx_inst *i, uint32_t k)
{
    return k == 0u
           && (i->op == PTX_LD || i->op == PTX_LDU || i->op == PTX_ST || i->op == PTX_ATOM
               || i->op == PTX_RED || i->op == PTX_PREFETCH || i->op == PTX_PREFETCHU);
}

static void place(struct ptx_function *f, struct ptx_inst *i, struct ptx_operand *o, uint32_t k,
                  struct constants *c)
{
    if (is_address(i, k) && o->reg == PTX_NO_REGISTER) { /* its value is added when it runs */
        o->constant = true;
        o->row = constant_row(c, CLASS_64, 0u);
        return;
    }
    switch (o->kind) {
    case OPERAND_REGISTER:
        o->row = f->reg[o->reg].offset;
        break;
    case OPERAND_SPECIAL:
        if (f->special_row[o->reg] == UINT32_MAX) {
            const bool wide = o->reg == SREG_CLOCK64 || o->reg == SREG_GLOBALTIMER;
            f->special_row[o->reg] = f->row_bytes;
            f->row_bytes += row_bytes(wide ? CLASS_64 : CLASS_32);
        }
        o->row = f->special_row[o->reg];
        break;
    case OPERAND_ADDRESS:
        if (o->reg != PTX_NO_REGISTER) {
            o->row = f->reg[o->reg].offset;
            break;
        }
        o->constant = true;
        o->row = constant_row(c, ptx_source_class(i, k), o->value);
        break;
    case OPERAND_IMMEDIATE:
        o->constant = true;
        o->row = constant_row(c, ptx_source_class(i, k), o->value);
        break;
    default:
        break;
    }
}

static void register_rows(struct ptx_function *f, const struct ptx_places *places)
{
    const uint32_t bytes[] = { 4u, row_bytes(CLASS_32), row_bytes(CLASS_64) };
    const uint32_t first_32 = places->n[CLASS_64] * bytes[CLASS_64];
    const uint32_t first_predicate = first_32 + places->n[CLASS_32] * bytes[CLASS_32];
    const uint32_t first[] = { first_predicate, first_32, 0u };
    for (uint32_t r = 0u; r < f->n_register; r++) {
        struct ptx_register *const reg = &f->reg[r];
        reg->class = (uint8_t)ptx_type_class(reg->type);
        const uint32_t row = places->row[r] == PTX_NOT_LIVE ? 0u : places->row[r];
        reg->offset = first[reg->class] + row * bytes[reg->class];
    }
    /* At least a row behind the last, for registers that nobody uses. */
    f->row_bytes = first_predicate + 4u * places->n[CLASS_PREDICATE] + row_bytes(CLASS_64);
    f->row_bytes = (f->row_bytes + 63u) / 64u * 64u;
    memset(f->special_row, 0xff, sizeof f->special_row);
}

/* ---- Timing templates ---------------------------------------------------------------- */

static enum op_class memory_class(const struct ptx_inst *i)
{
    const bool atomic = i->op == PTX_ATOM || i->op == PTX_RED;
    switch (i->space) {
    case SPACE_SHARED:
        return OP_SHARED;
    case SPACE_CONST:
    case SPACE_PARAM:
        return OP_CONSTANT;
    default:
        return atomic                       ? OP_ATOMIC
               : i->op == PTX_ST            ? OP_STORE
               : (i->flags & FLAG_NC) != 0u ? OP_TEXTURE
                                            : OP_LOAD;
    }
}

static enum op_class float_class(const struct ptx_inst *i)
{
    const bool set = i->op == PTX_SET;
    switch (set ? i->source_type : i->type) {
    case PTX_F64:
        return OP_FP64;
    case PTX_F32:
    case PTX_F16:
    case PTX_F16X2:
        return OP_FP32;
    default:
        return OP_INTEGER;
    }
}

/* Divisions and square roots, which GPUs run as sequences, count as one instruction of the
 * special-function pipe, or of the FP64 pipe. */
static enum op_class op_class_of(const struct ptx_inst *i)
{
    switch (i->op) {
    case PTX_LD:
    case PTX_LDU:
    case PTX_ST:
    case PTX_ATOM:
    case PTX_RED:
        return memory_class(i);
    case PTX_BRA:
    case PTX_RET:
    case PTX_CALL:
    case PTX_TRAP:
        return OP_BRANCH;
    case PTX_EXIT:
        return OP_EXIT;
    case PTX_BAR:
        return i->mode == MODE_WARP_SYNC ? OP_INTEGER : OP_BARRIER;
    case PTX_SHFL:
        return OP_SHARED;
    case PTX_DIV:
    case PTX_REM:
    case PTX_RCP:
    case PTX_SQRT:
    case PTX_RSQRT:
    case PTX_SIN:
    case PTX_COS:
    case PTX_LG2:
    case PTX_EX2:
    case PTX_TANH:
        return i->type == PTX_F64 ? OP_FP64 : OP_SFU;
    case PTX_ADD:
    case PTX_SUB:
    case PTX_MUL:
    case PTX_MAD:
    case PTX_FMA:
    case PTX_MIN:
    case PTX_MAX:
    case PTX_SETP:
    case PTX_SET:
    case PTX_ABS:
    case PTX_NEG:
    case PTX_TESTP:
    case PTX_COPYSIGN:
        return float_class(i);
    default:
        return OP_INTEGER;
    }
}

static bool is_real(uint32_t type)
{
    return type == PTX_F64 || type == PTX_F32 || type == PTX_F16 || type == PTX_F16X2;
}

/* Of arithmetic; PTX's mad of real numbers is its fma. */
static enum operation_kind kind_of(const struct ptx_inst *i, enum op_class class)
{
    switch (i->op) {
    case PTX_ADD:
    case PTX_ADDC:
    case PTX_SUB:
    case PTX_SUBC:
    case PTX_SAD:
        return KIND_PLAIN;
    case PTX_MUL:
    case PTX_MUL24:
        return class == OP_INTEGER ? KIND_MULTIPLY : KIND_PLAIN;
    case PTX_MAD:
    case PTX_MAD24:
    case PTX_MADC:
    case PTX_DP2A:
    case PTX_DP4A:
    case PTX_FMA:
        return class == OP_INTEGER ? KIND_MULTIPLY_ADD : KIND_FUSED;
    case PTX_MIN:
    case PTX_MAX:
        return KIND_MIN_MAX;
    case PTX_CVT:
        return is_real(i->type) || is_real(i->source_type) ? KIND_CONVERT : KIND_SIMPLE;
    case PTX_DIV:
    case PTX_REM:
        return is_real(i->type) ? KIND_DIVIDE : KIND_INTEGER_DIVIDE;
    case PTX_RCP:
    case PTX_SQRT:
    case PTX_RSQRT:
        return class == OP_FP64 ? KIND_DIVIDE : KIND_PLAIN;
    default:
        return class == OP_INTEGER || class == OP_FP32 || class == OP_FP64 ? KIND_SIMPLE
                                                                           : KIND_PLAIN;
    }
}

/* Numbers of a stream's registers: 32-bit rows, then 64-bit rows, then predicates. More rows
 * than numbers share them. */
struct numbering {
    const struct ptx_places *places;
    uint32_t first[CLASS_64 + 1];
};

static uint8_t number_of(const struct ptx_function *f, const struct numbering *n, uint32_t reg)
{
    const uint32_t row = n->places->row[reg] == PTX_NOT_LIVE ? 0u : n->places->row[reg];
    const uint32_t number = n->first[f->reg[reg].class] + row;
    return (uint8_t)(REGISTER_FIRST + number % (REGISTER_LAST + 1u - REGISTER_FIRST));
}

static void add_source(struct instruction *t, uint8_t number)
{
    for (uint32_t k = 0u; k < 4u; k++) {
        if (t->src[k] == number) {
            return;
        }
        if (t->src[k] == REGISTER_NONE) {
            t->src[k] = number;
            return;
        }
    }
}

static void time_instruction(const struct ptx_function *f, struct ptx_inst *i, uint32_t k,
                             const struct numbering *n)
{
    struct instruction *const t = &i->timing;
    const enum op_class class = op_class_of(i);
    *t = (struct instruction){ .op = (uint8_t) class,
                               .flags = (uint8_t)kind_of(i, class),
                               .pc = k };
    if (i->guard != PTX_NO_REGISTER) {
        add_source(t, number_of(f, n, i->guard));
    }
    for (uint32_t s = 0u; s < i->n_src; s++) {
        const struct ptx_operand *const o = &i->src[s];
        if ((o->kind == OPERAND_REGISTER || o->kind == OPERAND_ADDRESS)
            && o->reg != PTX_NO_REGISTER) {
            add_source(t, number_of(f, n, o->reg));
        }
    }
    uint32_t written = 0u;
    for (uint32_t d = 0u; d < i->n_dst; d++) {
        if (i->dst[d].kind == OPERAND_REGISTER) {
            const uint32_t reg = i->dst[d].reg;
            t->dst = t->dst == REGISTER_NONE ? number_of(f, n, reg) : t->dst;
            written++;
        }
    }
    const bool vector = (i->op == PTX_LD || i->op == PTX_LDU) && i->vector > 1u;
    const uint32_t room = 256u - t->dst;
    t->n_dst = t->dst == REGISTER_NONE ? 0u : (uint8_t)(vector ? written : 1u);
    t->n_dst = t->n_dst > 8u ? 8u : t->n_dst;
    t->n_dst = t->n_dst > room ? (uint8_t)room : t->n_dst;
}

bool ptx_rows(struct ptx_module *module, struct ptx_function *f,
              const struct ptx_places *places, struct ptx_scratch *scratch)
{
    struct constants c = { .size = 256u };
    while (c.size < 16u * f->n_inst) { /* most instructions have two sources, none above nine */
        c.size *= 2u;
    }
    c.table = ptx_scratch(scratch, c.size, sizeof *c.table);
    if (scratch->failed) {
        return false;
    }
    const uint32_t words = places->n[CLASS_32], longs = places->n[CLASS_64];
    const struct numbering n = { places, { words + longs, 0u, words } };
    register_rows(f, places);
    for (uint32_t k = 0u; k < f->n_inst; k++) {
        struct ptx_inst *const i = &f->inst[k];
        for (uint32_t d = 0u; d < i->n_dst; d++) {
            place(f, i, &i->dst[d], d, &c);
        }
        for (uint32_t s = 0u; s < i->n_src; s++) {
            place(f, i, &i->src[s], s, &c);
        }
        time_instruction(f, i, k, &n);
    }
    f->row_bytes = (f->row_bytes + 63u) / 64u * 64u;
    return fill_constants(module, f, &c);
}
