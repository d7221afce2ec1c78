/* exec_alu_move - moves, vectors, predicates and addresses; see exec_alu.h. */

#include "exec/alu/exec_alu.h"

/* ---- Moves --------------------------------------------------------------------------- */

static void mov_word(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    uint32_t *const to = exec_destination(w, &i->dst[0]);
    const uint32_t *const from = exec_source(w, &i->src[0]);
    if (lanes == UINT32_MAX) {
        memmove(to, from, WARP_SIZE * sizeof *to);
    } else {
        exec_alu_blend_word(to, from, lanes);
    }
}

static void mov_long(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    uint64_t *const to = exec_destination(w, &i->dst[0]);
    const uint64_t *const from = exec_source(w, &i->src[0]);
    if (lanes == UINT32_MAX) {
        memmove(to, from, WARP_SIZE * sizeof *to);
    } else {
        exec_alu_blend_long(to, from, lanes);
    }
}

/* A vector's first element is the lowest part of the whole. */
static void pack(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    const bool is_long = ptx_type_bytes(i->type) == 8u;
    const uint32_t bits = 8u * ptx_type_bytes(i->type) / i->vector;
    uint64_t out[WARP_SIZE] = { 0 };
    for (uint32_t k = 0u; k < i->vector; k++) {
        const uint32_t *const from = exec_source(w, &i->src[k]);
        for (uint32_t l = 0u; l < WARP_SIZE; l++) {
            out[l] |= (from[l] & UINT64_MAX >> (64u - bits)) << bits * k;
        }
    }
    if (is_long) {
        alu_store_long(exec_destination(w, &i->dst[0]), out, lanes);
        return;
    }
    uint32_t words[WARP_SIZE];
    for (uint32_t l = 0u; l < WARP_SIZE; l++) {
        words[l] = (uint32_t)out[l];
    }
    alu_store_word(exec_destination(w, &i->dst[0]), words, lanes);
}

static void unpack(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    const bool is_long = ptx_type_bytes(i->type) == 8u;
    const uint32_t bits = 8u * ptx_type_bytes(i->type) / i->vector;
    const void *const from = exec_source(w, &i->src[0]);
    uint64_t whole[WARP_SIZE]; /* a part may be written to where the whole is */
    uint32_t part[WARP_SIZE];
    for (uint32_t l = 0u; l < WARP_SIZE; l++) {
        whole[l] = is_long ? ((const uint64_t *)from)[l] : ((const uint32_t *)from)[l];
    }
    for (uint32_t k = 0u; k < i->vector; k++) {
        for (uint32_t l = 0u; l < WARP_SIZE; l++) {
            part[l] = (uint32_t)(whole[l] >> bits * k & UINT64_MAX >> (64u - bits));
        }
        if (i->dst[k].kind == OPERAND_REGISTER) {
            alu_store_word(exec_destination(w, &i->dst[k]), part, lanes);
        }
    }
}

static exec_handler *mov(const struct ptx_inst *i)
{
    const uint32_t bytes = ptx_type_bytes(i->type);
    if (i->vector <= 1u) {
        return bytes == 8u ? mov_long : bytes != 0u ? mov_word : NULL;
    }
    const bool parts = i->type >= PTX_B16 && i->type <= PTX_B64
                       && (i->vector == 2u || i->vector == 4u) && bytes >= i->vector;
    return !parts ? NULL : i->n_src > 1u ? pack : unpack;
}

/* ---- Predicates ---------------------------------------------------------------------- */

#define PREDICATE(name, expression)                                                 \
    static void name(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes) \
    {                                                                               \
        const uint32_t a = exec_predicate(w, &i->src[0]);                           \
        const uint32_t b = exec_predicate(w, &i->src[1]);                           \
        (void)b;                                                                    \
        alu_store_bits(w, &i->dst[0], expression, lanes);                           \
    }
PREDICATE(and_predicate, a &b)
PREDICATE(or_predicate, a | b)
PREDICATE(xor_predicate, a ^ b)
PREDICATE(not_predicate, ~a)
PREDICATE(mov_predicate, a)

static exec_handler *predicate(const struct ptx_inst *i)
{
    switch (i->op) {
    case PTX_AND:
        return and_predicate;
    case PTX_OR:
        return or_predicate;
    case PTX_XOR:
        return xor_predicate;
    case PTX_NOT:
        return not_predicate;
    case PTX_MOV:
        return mov_predicate;
    default:
        return NULL;
    }
}

/* ---- Addresses ----------------------------------------------------------------------- */

ALU_1(shared_to_generic, U64, U64, a + PTX_SHARED_BASE)
ALU_1(generic_to_shared, U64, U64, a - PTX_SHARED_BASE)
ALU_1(local_to_generic, U64, U64, a + PTX_LOCAL_BASE)
ALU_1(generic_to_local, U64, U64, a - PTX_LOCAL_BASE)
ALU_1(const_to_generic, U64, U64, a + PTX_CONST_BASE)
ALU_1(generic_to_const, U64, U64, a - PTX_CONST_BASE)

static exec_handler *cvta(const struct ptx_inst *i)
{
    const bool to = (i->flags & FLAG_TO) != 0u;
    if (ptx_type_bytes(i->type) != 8u) {
        return NULL;
    }
    switch (i->space) {
    case SPACE_SHARED:
        return to ? generic_to_shared : shared_to_generic;
    case SPACE_LOCAL:
        return to ? generic_to_local : local_to_generic;
    case SPACE_CONST:
        return to ? generic_to_const : const_to_generic;
    case SPACE_GLOBAL:
        return mov_long;
    default:
        return NULL;
    }
}

static void isspacep(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    const uint64_t *const from = exec_source(w, &i->src[0]);
    uint32_t bits = 0u;
    for (uint32_t l = 0u; l < WARP_SIZE; l++) {
        uint64_t address = from[l];
        bits |= exec_window(&address) == i->space ? exec_alu_bit[l] : 0u;
    }
    alu_store_bits(w, &i->dst[0], bits, lanes);
}

exec_handler *exec_alu_move(const struct ptx_inst *i, const char **why)
{
    *why = "allowed: mov of any type, or of 2 or 4 parts of .b16 .b32 .b64; cvta of 64 bits; "
           "isspacep.global, .shared, .local, .const";
    if (i->op == PTX_CVTA) {
        return cvta(i);
    }
    if (i->op == PTX_ISSPACEP) {
        return i->space >= SPACE_GLOBAL && i->space <= SPACE_LOCAL ? isspacep : NULL;
    }
    return i->type == PTX_PRED ? predicate(i) : mov(i);
}
