/* exec_alu_float - f32 and f64 to nearest, and what needs no rounding; see exec_alu.h. */

#include <math.h>

#include "exec/alu/exec_alu.h"

/* ---- Arithmetic ---------------------------------------------------------------------- */

#define NEAREST_32(op, n, T, ...) ALU_DEFINE(op##_##T, n, T, T, T, T, __VA_ARGS__)
#define NEAREST(op, n, ...)              \
    NEAREST_32(op, n, F32, __VA_ARGS__)  \
    NEAREST_32(op, n, F32F, __VA_ARGS__) \
    NEAREST_32(op, n, F32S, __VA_ARGS__) \
    NEAREST_32(op, n, F32FS, __VA_ARGS__)
NEAREST(add, 2, a + b)
NEAREST(sub, 2, a - b)
NEAREST(mul, 2, a *b)
NEAREST(fma, 3, fmaf(a, b, c))
NEAREST_32(div, 2, F32, a / b)
NEAREST_32(div, 2, F32F, a / b)
NEAREST_32(rcp, 1, F32, 1.0f / a)
NEAREST_32(rcp, 1, F32F, 1.0f / a)
NEAREST_32(sqrt, 1, F32, sqrtf(a))
NEAREST_32(sqrt, 1, F32F, sqrtf(a))

ALU_2(add_F64, F64, F64, F64, alu_choose_nan(a + b, a, b, b))
ALU_2(sub_F64, F64, F64, F64, alu_choose_nan(a - b, a, b, b))
ALU_2(mul_F64, F64, F64, F64, alu_choose_nan(a *b, a, b, b))
ALU_2(div_F64, F64, F64, F64, alu_choose_nan(a / b, a, b, b))
ALU_3(fma_F64, F64, F64, F64, F64, alu_choose_nan(fma(a, b, c), a, b, c))
ALU_1(rcp_F64, F64, F64, alu_choose_nan(1.0 / a, a, a, a))
ALU_1(sqrt_F64, F64, F64, alu_choose_nan(sqrt(a), a, a, a))

/* The same with the instruction for it, where there is one: the library's function is called
 * lane by lane. Tests leave it out. */
#if defined __x86_64__ && !defined EXEC_NO_FMA
#define FUSED       __attribute__((target("avx2,fma")))
#define WITH_FMA(x) x
FUSED ALU_DEFINE(fused_F32, 3, F32, F32, F32, F32, __builtin_fmaf(a, b, c)) FUSED
    ALU_DEFINE(fused_F32F, 3, F32F, F32F, F32F, F32F, __builtin_fmaf(a, b, c)) FUSED
    ALU_DEFINE(fused_F32S, 3, F32S, F32S, F32S, F32S, __builtin_fmaf(a, b, c)) FUSED
    ALU_DEFINE(fused_F32FS, 3, F32FS, F32FS, F32FS, F32FS, __builtin_fmaf(a, b, c)) FUSED
    ALU_DEFINE(fused_F64, 3, F64, F64, F64, F64,
               alu_choose_nan(__builtin_fma(a, b, c), a, b, c))
#endif

/* ---- Signs and order, on bits -------------------------------------------------------- */

#define SIGNS(op, n, expression_32, expression_64)                                          \
    ALU_DEFINE(op##_F32, n, U32, U32, U32, U32, expression_32(a, b))                        \
    ALU_DEFINE(op##_F32F, n, U32, U32, U32, U32, expression_32(alu_flush(a), alu_flush(b))) \
    ALU_DEFINE(op##_F64, n, U64, U64, U64, U64, expression_64(a, b))

#define ABS_32(a, b)  ((a) & ~ALU_SIGN32)
#define ABS_64(a, b)  ((a) & ~ALU_SIGN64)
#define NEG_32(a, b)  ((a) ^ ALU_SIGN32)
#define NEG_64(a, b)  ((a) ^ ALU_SIGN64)
#define COPY_32(a, b) (((a)&ALU_SIGN32) | ((b) & ~ALU_SIGN32))
#define COPY_64(a, b) (((a)&ALU_SIGN64) | ((b) & ~ALU_SIGN64))
        SIGNS(abs, 1, ABS_32, ABS_64) SIGNS(neg, 1, NEG_32, NEG_64)
            ALU_2(copysign_F32, U32, U32, U32, COPY_32(a, b))
                ALU_2(copysign_F64, U64, U64, U64, COPY_64(a, b))

    /* Bits of floats as integers of the same order: -0 is below 0. */
    static inline int32_t order_32(uint32_t x)
{
    return (int32_t)((x & ALU_SIGN32) != 0u ? x ^ ~ALU_SIGN32 : x);
}
static inline int64_t order_64(uint64_t x)
{
    return (int64_t)((x & ALU_SIGN64) != 0u ? x ^ ~ALU_SIGN64 : x);
}
/* Of a number and a NaN the number; of two NaNs one. */
static inline uint32_t lesser_32(uint32_t a, uint32_t b)
{
    const uint32_t least = order_32(a) < order_32(b) ? a : b;
    return alu_is_nan32(a) ? alu_canonical(b) : alu_is_nan32(b) ? a : least;
}
static inline uint32_t greater_32(uint32_t a, uint32_t b)
{
    const uint32_t most = order_32(a) > order_32(b) ? a : b;
    return alu_is_nan32(a) ? alu_canonical(b) : alu_is_nan32(b) ? a : most;
}
static inline uint64_t either_64(uint64_t a, uint64_t b, uint64_t chosen)
{
    const uint64_t quiet = UINT64_C(0x0008000000000000);
    return !alu_is_nan64(a) ? (alu_is_nan64(b) ? a : chosen) : alu_is_nan64(b) ? a | quiet : b;
}
static inline uint64_t lesser_64(uint64_t a, uint64_t b)
{
    return either_64(a, b, order_64(a) < order_64(b) ? a : b);
}
static inline uint64_t greater_64(uint64_t a, uint64_t b)
{
    return either_64(a, b, order_64(a) > order_64(b) ? a : b);
}
SIGNS(min, 2, lesser_32, lesser_64)
SIGNS(max, 2, greater_32, greater_64)

/* ---- Choice -------------------------------------------------------------------------- */

/* By .ftz and .sat for f32; f64. */
struct choice {
    uint8_t op;
    exec_handler *single[4], *large;
};
#define ALL(op)   { op##_F32, op##_F32F, op##_F32S, op##_F32FS }, op##_F64
#define EXACT(op) { op##_F32, op##_F32F }, op##_F64
static const struct choice nearest[] = {
    { PTX_ADD, ALL(add) },   { PTX_SUB, ALL(sub) },     { PTX_MUL, ALL(mul) },
    { PTX_FMA, ALL(fma) },   { PTX_MAD, ALL(fma) },     { PTX_DIV, EXACT(div) },
    { PTX_RCP, EXACT(rcp) }, { PTX_SQRT, EXACT(sqrt) },
};
static const struct choice unrounded[] = {
    { PTX_ABS, EXACT(abs) },
    { PTX_NEG, EXACT(neg) },
    { PTX_MIN, EXACT(min) },
    { PTX_MAX, EXACT(max) },
    { PTX_COPYSIGN, { copysign_F32 }, copysign_F64 },
};
#ifdef WITH_FMA
static const struct choice fused = { PTX_FMA, ALL(fused) };
#endif

static exec_handler *choose(const struct choice *c, const struct ptx_inst *i)
{
    if ((i->flags & ~(FLAG_FTZ | FLAG_SAT)) != 0u) {
        return NULL;
    }
    if (i->type == PTX_F64) {
        return i->flags == 0u ? c->large : NULL;
    }
    return i->type == PTX_F32 ? c->single[i->flags] : NULL;
}

static exec_handler *find(const struct choice *list, size_t count, const struct ptx_inst *i)
{
    for (size_t k = 0u; k < count; k++) {
        if (list[k].op == i->op) {
            return choose(&list[k], i);
        }
    }
    return NULL;
}

exec_handler *exec_alu_float(const struct ptx_inst *i, const char **why)
{
    *why =
        "allowed: .f32 .f64; of .f32 .ftz, and .sat for add, sub, mul, fma, mad; rounding .rn "
        ".rz .rm .rp, needed for fma, mad, div, rcp, sqrt; none for abs, neg, min, max, "
        "copysign";
    const bool whole = i->round == ROUND_NONE;
    if (i->mode != MODE_NONE || (!whole && i->round != ROUND_RN)) {
        return NULL;
    }
#ifdef WITH_FMA
    if ((i->op == PTX_FMA || i->op == PTX_MAD) && !whole && __builtin_cpu_supports("fma")
        && __builtin_cpu_supports("avx2")) {
        return choose(&fused, i);
    }
#endif
    const bool implied = i->op == PTX_ADD || i->op == PTX_SUB || i->op == PTX_MUL;
    return whole && !implied ? find(unrounded, sizeof unrounded / sizeof unrounded[0], i)
                             : find(nearest, sizeof nearest / sizeof nearest[0], i);
}
