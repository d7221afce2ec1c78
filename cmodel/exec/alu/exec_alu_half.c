/*
 * exec_alu_half - f16, and f16x2: two of them in a register; see exec_alu.h.
 *
 * Computed in double and rounded once: a product of two f16 is exact, and wherever a sum with
 * a third is not, it is nowhere near a tie of f16.
 */

#include <math.h>

#include "exec/alu/exec_alu_round.h"

/* On the bits of an f16; operations of fewer sources ignore the others. */
typedef uint32_t half_function(uint32_t a, uint32_t b, uint32_t c);

static uint32_t round_half(double x)
{
    return (uint32_t)alu_narrow(&alu_half, ROUND_RN, x);
}
static bool is_nan(uint32_t x)
{
    return (x & 0x7fffu) > 0x7c00u;
}
static int32_t order(uint32_t x)
{
    return (x & 0x8000u) != 0u ? -(int32_t)(x & 0x7fffu) - 1 : (int32_t)x;
}

#define HALF(name, expression)                               \
    static uint32_t name(uint32_t x, uint32_t y, uint32_t z) \
    {                                                        \
        const double a = alu_from_half(x);                   \
        const double b = alu_from_half(y);                   \
        const double c = alu_from_half(z);                   \
        (void)b, (void)c;                                    \
        return round_half(expression);                       \
    }
HALF(add, a + b)
HALF(sub, a - b)
HALF(mul, a *b)
HALF(fma_half, a *b + c)
HALF(ex2, exp2(a))
HALF(tanh_half, tanh(a))

static uint32_t absolute(uint32_t a, uint32_t b, uint32_t c)
{
    (void)b, (void)c;
    return a & 0x7fffu;
}
static uint32_t negate(uint32_t a, uint32_t b, uint32_t c)
{
    (void)b, (void)c;
    return a ^ 0x8000u;
}
/* Of a number and a NaN the number. */
static uint32_t lesser(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    const uint32_t other = is_nan(b) ? 0x7fffu : b;
    return is_nan(a) ? other : is_nan(b) || order(a) < order(b) ? a : b;
}
static uint32_t greater(uint32_t a, uint32_t b, uint32_t c)
{
    (void)c;
    const uint32_t other = is_nan(b) ? 0x7fffu : b;
    return is_nan(a) ? other : is_nan(b) || order(a) > order(b) ? a : b;
}

static uint32_t flush(const struct ptx_inst *i, uint32_t x)
{
    return (i->flags & FLAG_FTZ) != 0u && (x & 0x7c00u) == 0u ? x & 0x8000u : x;
}
static uint32_t saturate(const struct ptx_inst *i, uint32_t x)
{
    const uint32_t positive = x > 0x7c00u ? 0u : x;
    return (i->flags & FLAG_SAT) == 0u ? x : positive > 0x3c00u ? 0x3c00u : positive;
}

static uint32_t one(const struct ptx_inst *i, half_function *f, const uint32_t x[3],
                    uint32_t shift)
{
    uint32_t part[3];
    for (uint32_t k = 0u; k < 3u; k++) {
        part[k] = flush(i, x[k] >> shift & 0xffffu);
    }
    return flush(i, saturate(i, f(part[0], part[1], part[2]))) << shift;
}

static inline void run(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes,
                       uint32_t sources, half_function *f)
{
    uint32_t out[WARP_SIZE];
    const uint32_t *row[3];
    for (uint32_t k = 0u; k < 3u; k++) {
        row[k] = exec_source(w, &i->src[k < sources ? k : 0u]);
    }
    for (uint32_t l = 0u; l < WARP_SIZE; l++) {
        const uint32_t x[3] = { row[0][l], row[1][l], row[2][l] };
        out[l] = one(i, f, x, 0u) | (i->type == PTX_F16X2 ? one(i, f, x, 16u) : 0u);
    }
    alu_store_word(exec_destination(w, &i->dst[0]), out, lanes);
}

#define RUN(name, sources)                                                                \
    static void run_##name(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes) \
    {                                                                                     \
        run(w, i, lanes, sources, name);                                                  \
    }
RUN(add, 2u)
RUN(sub, 2u)
RUN(mul, 2u)
RUN(fma_half, 3u)
RUN(absolute, 1u)
RUN(negate, 1u)
RUN(lesser, 2u)
RUN(greater, 2u)
RUN(ex2, 1u)
RUN(tanh_half, 1u)

enum { NEVER = 1 << ROUND_NONE, NEAREST = 1 << ROUND_RN, APPROXIMATE = 1 << ROUND_APPROX };
static const struct {
    uint8_t op;
    uint16_t rounds, flags;
    exec_handler *handler;
} halves[] = {
    { PTX_ADD, NEVER | NEAREST, FLAG_FTZ | FLAG_SAT, run_add },
    { PTX_SUB, NEVER | NEAREST, FLAG_FTZ | FLAG_SAT, run_sub },
    { PTX_MUL, NEVER | NEAREST, FLAG_FTZ | FLAG_SAT, run_mul },
    { PTX_FMA, NEAREST, FLAG_FTZ | FLAG_SAT, run_fma_half },
    { PTX_ABS, NEVER, FLAG_FTZ, run_absolute },
    { PTX_NEG, NEVER, FLAG_FTZ, run_negate },
    { PTX_MIN, NEVER, FLAG_FTZ, run_lesser },
    { PTX_MAX, NEVER, FLAG_FTZ, run_greater },
    { PTX_EX2, APPROXIMATE, 0u, run_ex2 },
    { PTX_TANH, APPROXIMATE, 0u, run_tanh_half },
};

exec_handler *exec_alu_half(const struct ptx_inst *i, const char **why)
{
    *why =
        "allowed: of .f16 .f16x2: add, sub, mul with .rn or none, fma.rn, all with .ftz .sat; "
        "abs, neg, min, max with .ftz; ex2.approx, tanh.approx";
    for (size_t k = 0u; k < sizeof halves / sizeof halves[0]; k++) {
        if (halves[k].op == i->op) {
            return (halves[k].rounds >> i->round & 1) == 0 || i->mode != MODE_NONE
                           || (i->flags & ~halves[k].flags) != 0
                       ? NULL
                       : halves[k].handler;
        }
    }
    return NULL;
}
