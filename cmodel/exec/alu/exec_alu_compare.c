/* exec_alu_compare - comparisons to predicates and to registers; see exec_alu.h. */

#include "exec/alu/exec_alu_round.h"

/* ---- Comparisons of rows ------------------------------------------------------------- */

/* A bit for each lane in which it holds. */
typedef uint32_t comparison(const void *row_a, const void *row_b);

#define COMPARE(name, T, expression)                               \
    static uint32_t name(const void *row_a, const void *row_b)     \
    {                                                              \
        uint32_t bits = 0u;                                        \
        for (uint32_t l = 0u; l < WARP_SIZE; l++) {                \
            const C_##T a = READ_##T(((const ROW_##T *)row_a)[l]); \
            const C_##T b = READ_##T(((const ROW_##T *)row_b)[l]); \
            bits |= (expression) ? exec_alu_bit[l] : 0u;           \
        }                                                          \
        return bits;                                               \
    }
#define ORDERED(T)             \
    COMPARE(eq_##T, T, a == b) \
    COMPARE(ne_##T, T, a != b) \
    COMPARE(lt_##T, T, a < b)  \
    COMPARE(le_##T, T, a <= b) \
    COMPARE(gt_##T, T, a > b)  \
    COMPARE(ge_##T, T, a >= b)
/* With a NaN, ne is false and the unordered ones are true. */
#define FLOATING(T)                        \
    COMPARE(eq_##T, T, a == b)             \
    COMPARE(ne_##T, T, a<b || a> b)        \
    COMPARE(lt_##T, T, a < b)              \
    COMPARE(le_##T, T, a <= b)             \
    COMPARE(gt_##T, T, a > b)              \
    COMPARE(ge_##T, T, a >= b)             \
    COMPARE(equ_##T, T, !(a < b || a > b)) \
    COMPARE(neu_##T, T, !(a == b))         \
    COMPARE(ltu_##T, T, !(a >= b))         \
    COMPARE(leu_##T, T, !(a > b))          \
    COMPARE(gtu_##T, T, !(a <= b))         \
    COMPARE(geu_##T, T, !(a < b))          \
    COMPARE(num_##T, T, a == a && b == b)  \
    COMPARE(nan_##T, T, a != a || b != b)

#define ROW_U16      uint32_t
#define C_U16        uint16_t
#define READ_U16(x)  (uint16_t)(x)
#define ROW_S16      uint32_t
#define C_S16        int16_t
#define READ_S16(x)  (int16_t)(x)
#define ROW_U32      uint32_t
#define C_U32        uint32_t
#define READ_U32(x)  (x)
#define ROW_S32      uint32_t
#define C_S32        int32_t
#define READ_S32(x)  (int32_t)(x)
#define ROW_U64      uint64_t
#define C_U64        uint64_t
#define READ_U64(x)  (x)
#define ROW_S64      uint64_t
#define C_S64        int64_t
#define READ_S64(x)  (int64_t)(x)
#define ROW_F32      uint32_t
#define C_F32        float
#define READ_F32(x)  alu_float(x)
#define ROW_F32F     uint32_t
#define C_F32F       float
#define READ_F32F(x) alu_float(alu_flush(x))
#define ROW_F64      uint64_t
#define C_F64        double
#define READ_F64(x)  alu_double(x)
#define ROW_F16      uint32_t
#define C_F16        double
#define READ_F16(x)  alu_from_half((x)&0xffffu)
#define ROW_F16F     uint32_t
#define C_F16F       double
#define READ_F16F(x) alu_from_half(((x)&0x7c00u) == 0u ? (x)&0x8000u : (x)&0xffffu)
ORDERED(U16)
ORDERED(S16)
ORDERED(U32)
ORDERED(S32)
ORDERED(U64)
ORDERED(S64)
FLOATING(F32)
FLOATING(F32F)
FLOATING(F64)
FLOATING(F16)
FLOATING(F16F)

enum { COMPARISONS = CMP_NAN + 1 };
#define EQUAL(T) [CMP_EQ] = eq_##T, [CMP_NE] = ne_##T
#define SIGNED(T) \
    EQUAL(T), [CMP_LT] = lt_##T, [CMP_LE] = le_##T, [CMP_GT] = gt_##T, [CMP_GE] = ge_##T
#define UNSIGNED(T) \
    SIGNED(T), [CMP_LO] = lt_##T, [CMP_LS] = le_##T, [CMP_HI] = gt_##T, [CMP_HS] = ge_##T
#define FLOATS(T)                                                             \
    SIGNED(T), [CMP_EQU] = equ_##T, [CMP_NEU] = neu_##T, [CMP_LTU] = ltu_##T, \
               [CMP_LEU] = leu_##T, [CMP_GTU] = gtu_##T, [CMP_GEU] = geu_##T, \
               [CMP_NUM] = num_##T, [CMP_NAN] = nan_##T
static comparison *const plain[ALU_TYPES][COMPARISONS] = {
    [PTX_B16] = { EQUAL(U16) },    [PTX_B32] = { EQUAL(U32) },    [PTX_B64] = { EQUAL(U64) },
    [PTX_U16] = { UNSIGNED(U16) }, [PTX_U32] = { UNSIGNED(U32) }, [PTX_U64] = { UNSIGNED(U64) },
    [PTX_S16] = { SIGNED(S16) },   [PTX_S32] = { SIGNED(S32) },   [PTX_S64] = { SIGNED(S64) },
    [PTX_F32] = { FLOATS(F32) },   [PTX_F64] = { FLOATS(F64) },   [PTX_F16] = { FLOATS(F16) },
    [PTX_F16X2] = { FLOATS(F16) },
};
static comparison *const flushing[ALU_TYPES][COMPARISONS] = {
    [PTX_F32] = { FLOATS(F32F) },
    [PTX_F16] = { FLOATS(F16F) },
    [PTX_F16X2] = { FLOATS(F16F) },
};

static comparison *comparison_of(const struct ptx_inst *i)
{
    const uint32_t type = i->op == PTX_SET ? i->source_type : i->type;
    return (i->flags & FLAG_FTZ) != 0u ? flushing[type][i->compare] : plain[type][i->compare];
}

/* ---- Handlers ------------------------------------------------------------------------ */

static uint32_t combine(const struct exec_warp *w, const struct ptx_inst *i, uint32_t bits)
{
    switch (i->boolean) {
    case BOOL_AND:
        return bits & exec_predicate(w, &i->src[2]);
    case BOOL_OR:
        return bits | exec_predicate(w, &i->src[2]);
    case BOOL_XOR:
        return bits ^ exec_predicate(w, &i->src[2]);
    default:
        return bits;
    }
}

/* The second predicate is that of the opposite comparison. */
static void setp(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    const uint32_t bits =
        comparison_of(i)(exec_source(w, &i->src[0]), exec_source(w, &i->src[1]));
    const uint32_t first = combine(w, i, bits), second = combine(w, i, ~bits);
    alu_store_bits(w, &i->dst[0], first, lanes);
    alu_store_bits(w, &i->dst[1], second, lanes);
}

/* Of the upper halves of two rows. */
static uint32_t compare_high(const struct exec_warp *w, const struct ptx_inst *i)
{
    const uint32_t *const row_a = exec_source(w, &i->src[0]);
    const uint32_t *const row_b = exec_source(w, &i->src[1]);
    uint32_t a[WARP_SIZE], b[WARP_SIZE];
    for (uint32_t l = 0u; l < WARP_SIZE; l++) {
        a[l] = row_a[l] >> 16;
        b[l] = row_b[l] >> 16;
    }
    return comparison_of(i)(a, b);
}

/* The first predicate is of the lower halves, the second of the upper. */
static void setp_pair(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    const uint32_t low =
        comparison_of(i)(exec_source(w, &i->src[0]), exec_source(w, &i->src[1]));
    const uint32_t first = combine(w, i, low), second = combine(w, i, compare_high(w, i));
    alu_store_bits(w, &i->dst[0], first, lanes);
    alu_store_bits(w, &i->dst[1], second, lanes);
}

/* What is true in a register, or in half of it: 1.0, or all ones. */
static uint32_t truth(uint32_t type, bool pair)
{
    switch (type) {
    case PTX_F32:
        return 0x3f800000u;
    case PTX_F16:
    case PTX_F16X2:
        return 0x3c00u;
    case PTX_U16:
        return 0xffffu;
    default:
        return pair ? 0xffffu : UINT32_MAX;
    }
}

static void set(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    const bool pair = i->source_type == PTX_F16X2;
    const uint32_t bits =
        combine(w, i, comparison_of(i)(exec_source(w, &i->src[0]), exec_source(w, &i->src[1])));
    const uint32_t high = pair ? combine(w, i, compare_high(w, i)) : 0u;
    const uint32_t yes = truth(i->type, pair);
    uint32_t out[WARP_SIZE];
    for (uint32_t l = 0u; l < WARP_SIZE; l++) {
        out[l] = ((bits & exec_alu_bit[l]) != 0u ? yes : 0u)
                 | ((high & exec_alu_bit[l]) != 0u ? yes << 16 : 0u);
    }
    if (i->dst[0].kind == OPERAND_REGISTER) {
        alu_store_word(exec_destination(w, &i->dst[0]), out, lanes);
    }
}

static bool set_fits(const struct ptx_inst *i)
{
    switch (i->type) {
    case PTX_U32:
    case PTX_S32:
        return true;
    case PTX_F32:
        return !alu_is_half(i->source_type);
    case PTX_F16X2:
        return i->source_type == PTX_F16X2;
    case PTX_F16:
    case PTX_U16:
    case PTX_S16:
        return i->source_type == PTX_F16;
    default:
        return false;
    }
}

exec_handler *exec_alu_compare(const struct ptx_inst *i, const char **why)
{
    *why = "allowed: eq ne of .b16 .b32 .b64, and lt le gt ge of numbers; lo ls hi hs of "
           "unsigned; equ neu ltu leu gtu geu num nan of floats; .ftz of .f32 .f16 .f16x2; set "
           "to .u32 .s32 .f32, of .f16 also to .u16 .s16 .f16, of .f16x2 to .f16x2 .u32 .s32";
    const uint32_t type = i->op == PTX_SET ? i->source_type : i->type;
    if ((i->flags & ~FLAG_FTZ) != 0u || i->compare >= COMPARISONS || comparison_of(i) == NULL) {
        return NULL;
    }
    if (i->op == PTX_SET) {
        return set_fits(i) ? set : NULL;
    }
    return type == PTX_F16X2 ? setp_pair : setp;
}
