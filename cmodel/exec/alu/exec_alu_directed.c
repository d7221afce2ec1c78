/*
 * exec_alu_directed - f32 and f64 rounded towards zero, down and up; see exec_alu.h.
 *
 * The host's rounding is set for a loop over the lanes and set back to nearest behind it. The
 * compiler knows nothing of that: what the loop reads and writes is therefore pinned between
 * the two by saying that memory changes at both.
 */

#include <fenv.h>
#include <math.h>

#include "exec/alu/exec_alu.h"

static void round_to(enum ptx_round round)
{
    const int mode = round == ROUND_RZ   ? FE_TOWARDZERO
                     : round == ROUND_RM ? FE_DOWNWARD
                     : round == ROUND_RP ? FE_UPWARD
                                         : FE_TONEAREST;
    (void)fesetround(mode);
}

/* Flags are looked at lane by lane here: directed rounding is rare. */
static inline float read_F32(const struct ptx_inst *i, const void *row, uint32_t l)
{
    const uint32_t x = ((const uint32_t *)row)[l];
    return alu_float((i->flags & FLAG_FTZ) != 0u ? alu_flush(x) : x);
}
static inline double read_F64(const struct ptx_inst *i, const void *row, uint32_t l)
{
    (void)i;
    return alu_double(((const uint64_t *)row)[l]);
}
static inline void write_F32(const struct ptx_inst *i, uint32_t *out, float x)
{
    const uint32_t bits = alu_float_bits(x);
    const uint32_t in_range =
        (i->flags & FLAG_SAT) != 0u ? alu_saturate(bits) : alu_canonical(bits);
    *out = (i->flags & FLAG_FTZ) != 0u ? alu_flush(in_range) : in_range;
}
static inline void write_F64(const struct ptx_inst *i, uint64_t *out, double x)
{
    (void)i;
    *out = alu_double_bits(x);
}

#define DIRECTED(name, T, n, expression)                                                  \
    static void name##_##T(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes) \
    {                                                                                     \
        ALU_ROW_##T out[WARP_SIZE];                                                       \
        const void *const row_a = exec_source(w, &i->src[0]);                             \
        const void *const row_b = exec_source(w, &i->src[(n) > 1 ? 1 : 0]);               \
        const void *const row_c = exec_source(w, &i->src[(n) > 2 ? 2 : 0]);               \
        round_to(i->round);                                                               \
        __asm__ volatile("" : : "r"(out) : "memory");                                     \
        for (uint32_t l = 0u; l < WARP_SIZE; l++) {                                       \
            const ALU_C_##T a = read_##T(i, row_a, l), b = read_##T(i, row_b, l);         \
            const ALU_C_##T c = read_##T(i, row_c, l);                                    \
            (void)b, (void)c;                                                             \
            write_##T(i, &out[l], expression);                                            \
        }                                                                                 \
        __asm__ volatile("" : : "r"(out) : "memory");                                     \
        round_to(ROUND_RN);                                                               \
        ALU_STORE_OF(ALU_ROW_##T)(exec_destination(w, &i->dst[0]), out, lanes);           \
    }
DIRECTED(add, F32, 2, a + b)
DIRECTED(sub, F32, 2, a - b)
DIRECTED(mul, F32, 2, a *b)
DIRECTED(div, F32, 2, a / b)
DIRECTED(fma, F32, 3, fmaf(a, b, c))
DIRECTED(rcp, F32, 1, 1.0f / a)
DIRECTED(sqrt, F32, 1, sqrtf(a))
DIRECTED(add, F64, 2, alu_choose_nan(a + b, a, b, b))
DIRECTED(sub, F64, 2, alu_choose_nan(a - b, a, b, b))
DIRECTED(mul, F64, 2, alu_choose_nan(a *b, a, b, b))
DIRECTED(div, F64, 2, alu_choose_nan(a / b, a, b, b))
DIRECTED(fma, F64, 3, alu_choose_nan(fma(a, b, c), a, b, c))
DIRECTED(rcp, F64, 1, alu_choose_nan(1.0 / a, a, a, a))
DIRECTED(sqrt, F64, 1, alu_choose_nan(sqrt(a), a, a, a))

static const struct {
    uint8_t op;
    bool saturates;
    exec_handler *single, *large;
} directed[] = {
    { PTX_ADD, true, add_F32, add_F64 },  { PTX_SUB, true, sub_F32, sub_F64 },
    { PTX_MUL, true, mul_F32, mul_F64 },  { PTX_FMA, true, fma_F32, fma_F64 },
    { PTX_MAD, true, fma_F32, fma_F64 },  { PTX_DIV, false, div_F32, div_F64 },
    { PTX_RCP, false, rcp_F32, rcp_F64 }, { PTX_SQRT, false, sqrt_F32, sqrt_F64 },
};

exec_handler *exec_alu_directed(const struct ptx_inst *i, const char **why)
{
    *why =
        "allowed: .rz .rm .rp of add, sub, mul, fma, mad, div, rcp, sqrt of .f32 .f64; .ftz of "
        ".f32, and .sat but for div, rcp, sqrt";
    for (size_t k = 0u; k < sizeof directed / sizeof directed[0]; k++) {
        if (directed[k].op == i->op) {
            const uint32_t flags = (directed[k].saturates ? FLAG_SAT : 0u) | FLAG_FTZ;
            const uint32_t allowed = i->type == PTX_F32 ? flags : 0u;
            return (i->flags & ~allowed) != 0u || i->mode != MODE_NONE ? NULL
                   : i->type == PTX_F32                                ? directed[k].single
                                                                       : directed[k].large;
        }
    }
    return NULL;
}
