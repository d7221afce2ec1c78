/* exec_alu_select - selections, and tests of floats; see exec_alu.h. */

#include "exec/alu/exec_alu.h"

/* ---- Selections ---------------------------------------------------------------------- */

#define SELECT(name, row)                                                           \
    static void name(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes) \
    {                                                                               \
        const uint32_t bits = exec_predicate(w, &i->src[2]);                        \
        const row *const a = exec_source(w, &i->src[0]);                            \
        const row *const b = exec_source(w, &i->src[1]);                            \
        row out[WARP_SIZE];                                                         \
        for (uint32_t l = 0u; l < WARP_SIZE; l++) {                                 \
            const row first = a[l], second = b[l];                                  \
            out[l] = (bits & exec_alu_bit[l]) != 0u ? first : second;               \
        }                                                                           \
        ALU_STORE_OF(row)(exec_destination(w, &i->dst[0]), out, lanes);             \
    }
SELECT(selp_word, uint32_t)
SELECT(selp_long, uint64_t)

/* By the sign of c; -0 is not negative, and a NaN selects b. */
ALU_3(slct_word_S32, U32, U32, U32, S32, c >= 0 ? a : b)
ALU_3(slct_long_S32, U64, U64, U64, S32, c >= 0 ? a : b)
ALU_3(slct_word_F32, U32, U32, U32, F32, c >= 0.0f ? a : b)
ALU_3(slct_long_F32, U64, U64, U64, F32, c >= 0.0f ? a : b)
ALU_3(slct_word_F32F, U32, U32, U32, F32F, c >= 0.0f ? a : b)
ALU_3(slct_long_F32F, U64, U64, U64, F32F, c >= 0.0f ? a : b)

static exec_handler *slct(const struct ptx_inst *i, bool is_long)
{
    if (i->source_type == PTX_S32) {
        return i->flags != 0u ? NULL : is_long ? slct_long_S32 : slct_word_S32;
    }
    if (i->source_type != PTX_F32 || (i->flags & ~FLAG_FTZ) != 0u) {
        return NULL;
    }
    return i->flags != 0u ? (is_long ? slct_long_F32F : slct_word_F32F)
                          : (is_long ? slct_long_F32 : slct_word_F32);
}

/* ---- Tests --------------------------------------------------------------------------- */

/* `x` without its sign; `normal` the least normal number. */
static inline bool is_of_kind(uint32_t mode, uint64_t x, uint64_t normal, uint64_t infinity)
{
    switch (mode) {
    case MODE_FINITE:
        return x < infinity;
    case MODE_INFINITE:
        return x == infinity;
    case MODE_NUMBER:
        return x <= infinity;
    case MODE_NOTANUMBER:
        return x > infinity;
    case MODE_NORMAL:
        return x >= normal && x < infinity;
    default:
        return x != 0u && x < normal;
    }
}

static void testp(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    const bool is_long = i->type == PTX_F64;
    const void *const row = exec_source(w, &i->src[0]);
    uint32_t bits = 0u;
    for (uint32_t l = 0u; l < WARP_SIZE; l++) {
        const bool is = is_long ? is_of_kind(i->mode, ((const uint64_t *)row)[l] & ~ALU_SIGN64,
                                             UINT64_C(1) << 52, ALU_INFINITY64)
                                : is_of_kind(i->mode, ((const uint32_t *)row)[l] & ~ALU_SIGN32,
                                             UINT64_C(1) << 23, ALU_INFINITY32);
        bits |= is ? exec_alu_bit[l] : 0u;
    }
    alu_store_bits(w, &i->dst[0], bits, lanes);
}

/* ---- Choice -------------------------------------------------------------------------- */

exec_handler *exec_alu_select(const struct ptx_inst *i, const char **why)
{
    *why =
        "allowed: selp, slct of 16, 32 and 64 bits; slct by .s32 or .f32, .ftz of the latter; "
        "testp of .f32 .f64";
    const uint32_t bytes = ptx_type_bytes(i->type);
    if (i->op == PTX_TESTP) {
        return alu_is_float(i->type) && i->mode >= MODE_FINITE && i->mode <= MODE_SUBNORMAL
                   ? testp
                   : NULL;
    }
    if (bytes < 2u) {
        return NULL;
    }
    if (i->op == PTX_SLCT) {
        return slct(i, bytes == 8u);
    }
    return i->flags != 0u ? NULL : bytes == 8u ? selp_long : selp_word;
}
