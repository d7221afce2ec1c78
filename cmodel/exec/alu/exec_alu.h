/*
 * exec_alu - loops over the 32 lanes of a warp, for the handlers in exec_alu*.c.
 *
 * A handler computes all lanes into a row of its own and then writes those that execute: so the
 * loops have no branches, a destination may be one of the sources, and compilers vectorise
 * them.
 *
 *   exec_alu_integer.c   add to max           exec_alu_carry.c    with carry in or out
 *   exec_alu_bits.c      logic and fields     exec_alu_shift.c    shifts, prmt, dp4a, fns
 *   exec_alu_float.c     f32 and f64          exec_alu_directed.c the same in rz, rm, rp
 *   exec_alu_approx.c    approximations       exec_alu_half.c     f16 and f16x2
 *   exec_alu_compare.c   setp, set, selp      exec_alu_move.c     mov, cvta, predicates
 *   exec_alu_cvt.c       conversions          exec_alu_round.h    exact rounding
 */

#ifndef EXEC_ALU_H
#define EXEC_ALU_H

#include <string.h>

#include "exec/exec_warp.h"

/* A group's handler for an instruction, NULL with the reason if there is none. */
typedef exec_handler *exec_alu_group(const struct ptx_inst *i, const char **why);
exec_alu_group exec_alu_integer, exec_alu_carry, exec_alu_bits, exec_alu_shift, exec_alu_float,
    exec_alu_directed, exec_alu_approx, exec_alu_half, exec_alu_compare, exec_alu_select,
    exec_alu_move, exec_alu_cvt;

/* Writes the lanes of a row that are in `lanes`. */
void exec_alu_blend_word(uint32_t *to, const uint32_t *from, uint32_t lanes);
void exec_alu_blend_long(uint64_t *to, const uint64_t *from, uint32_t lanes);

/* 1 << lane, as a row: no variable shift is needed in vectors. */
extern const uint32_t exec_alu_bit[WARP_SIZE];

static inline void alu_store_word(void *to, const uint32_t *from, uint32_t lanes)
{
    if (lanes == UINT32_MAX) {
        memcpy(to, from, WARP_SIZE * sizeof *from);
    } else {
        exec_alu_blend_word(to, from, lanes);
    }
}
static inline void alu_store_long(void *to, const uint64_t *from, uint32_t lanes)
{
    if (lanes == UINT32_MAX) {
        memcpy(to, from, WARP_SIZE * sizeof *from);
    } else {
        exec_alu_blend_long(to, from, lanes);
    }
}
/* A predicate's word; none is written to _ or where there is no operand. */
static inline void alu_store_bits(struct exec_warp *w, const struct ptx_operand *o,
                                  uint32_t bits, uint32_t lanes)
{
    if (o->kind == OPERAND_REGISTER) {
        uint32_t *const to = exec_destination(w, o);
        *to = (*to & ~lanes) | (bits & lanes);
    }
}

/* ---- Bits of floats ------------------------------------------------------------------ */

static inline float alu_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline uint32_t alu_float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static inline double alu_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline uint64_t alu_double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#define ALU_NAN32      0x7fffffffu /* the only NaN that f32 operations return */
#define ALU_INFINITY32 0x7f800000u
#define ALU_SIGN32     0x80000000u
#define ALU_NAN64      UINT64_C(0xfff8000000000000) /* of no operand */
#define ALU_INFINITY64 UINT64_C(0x7ff0000000000000)
#define ALU_SIGN64     UINT64_C(0x8000000000000000)

static inline bool alu_is_nan32(uint32_t x)
{
    return (x & ~ALU_SIGN32) > ALU_INFINITY32;
}
static inline bool alu_is_nan64(uint64_t x)
{
    return (x & ~ALU_SIGN64) > ALU_INFINITY64;
}
static inline uint32_t alu_canonical(uint32_t x)
{
    return alu_is_nan32(x) ? ALU_NAN32 : x;
}
/* .ftz: a subnormal becomes zero and keeps its sign. */
static inline uint32_t alu_flush(uint32_t x)
{
    return (x & ALU_INFINITY32) == 0u ? x & ALU_SIGN32 : x;
}
/* .sat: to 0...1; NaN and -0 become 0. Bits of positive floats are in the order of the floats.
 */
static inline uint32_t alu_saturate(uint32_t x)
{
    const uint32_t positive = x > ALU_INFINITY32 ? 0u : x;
    return positive > 0x3f800000u ? 0x3f800000u : positive;
}
/* A NaN of an f64 operation: the first operand that is one, made quiet. x86 would choose by the
 * encoding that the compiler chose. */
static inline double alu_choose_nan(double result, double a, double b, double c)
{
    const uint64_t quiet = UINT64_C(0x0008000000000000);
    const uint64_t third = c != c ? alu_double_bits(c) | quiet : ALU_NAN64;
    const uint64_t second = b != b ? alu_double_bits(b) | quiet : third;
    const uint64_t first = a != a ? alu_double_bits(a) | quiet : second;
    return result != result ? alu_double(first) : result;
}

/* ---- Types of a loop's values -------------------------------------------------------- */

/* For each: the row's words, the value, and how one becomes the other. F32F flushes subnormals,
 * F32S saturates, F32FS both. B16 to B64 are bits, of whatever type. */
#define ALU_ROW_U8       uint32_t
#define ALU_C_U8         uint8_t
#define ALU_READ_U8(x)   (uint8_t)(x)
#define ALU_WRITE_U8(x)  (uint32_t)(uint8_t)(x)
#define ALU_ROW_S8       uint32_t
#define ALU_C_S8         int8_t
#define ALU_READ_S8(x)   (int8_t)(x)
#define ALU_WRITE_S8(x)  (uint32_t)(int32_t)(int8_t)(x)
#define ALU_ROW_U16      uint32_t
#define ALU_C_U16        uint16_t
#define ALU_READ_U16(x)  (uint16_t)(x)
#define ALU_WRITE_U16(x) (uint32_t)(uint16_t)(x)
#define ALU_ROW_S16      uint32_t
#define ALU_C_S16        int16_t
#define ALU_READ_S16(x)  (int16_t)(x)
#define ALU_WRITE_S16(x) (uint32_t)(int32_t)(int16_t)(x)
#define ALU_ROW_U32      uint32_t
#define ALU_C_U32        uint32_t
#define ALU_READ_U32(x)  (x)
#define ALU_WRITE_U32(x) (uint32_t)(x)
#define ALU_ROW_S32      uint32_t
#define ALU_C_S32        int32_t
#define ALU_READ_S32(x)  (int32_t)(x)
#define ALU_WRITE_S32(x) (uint32_t)(x)
#define ALU_ROW_U64      uint64_t
#define ALU_C_U64        uint64_t
#define ALU_READ_U64(x)  (x)
#define ALU_WRITE_U64(x) (uint64_t)(x)
#define ALU_ROW_S64      uint64_t
#define ALU_C_S64        int64_t
#define ALU_READ_S64(x)  (int64_t)(x)
#define ALU_WRITE_S64(x) (uint64_t)(x)

#define ALU_ROW_F32        uint32_t
#define ALU_C_F32          float
#define ALU_READ_F32(x)    alu_float(x)
#define ALU_WRITE_F32(x)   alu_canonical(alu_float_bits(x))
#define ALU_ROW_F32F       uint32_t
#define ALU_C_F32F         float
#define ALU_READ_F32F(x)   alu_float(alu_flush(x))
#define ALU_WRITE_F32F(x)  alu_flush(alu_canonical(alu_float_bits(x)))
#define ALU_ROW_F32S       uint32_t
#define ALU_C_F32S         float
#define ALU_READ_F32S(x)   alu_float(x)
#define ALU_WRITE_F32S(x)  alu_saturate(alu_float_bits(x))
#define ALU_ROW_F32FS      uint32_t
#define ALU_C_F32FS        float
#define ALU_READ_F32FS(x)  alu_float(alu_flush(x))
#define ALU_WRITE_F32FS(x) alu_flush(alu_saturate(alu_float_bits(x)))
#define ALU_ROW_F64        uint64_t
#define ALU_C_F64          double
#define ALU_READ_F64(x)    alu_double(x)
#define ALU_WRITE_F64(x)   alu_double_bits(x)

#define ALU_STORE_uint32_t alu_store_word
#define ALU_STORE_uint64_t alu_store_long
#define ALU_PASTE(a, b)    a##b
#define ALU_STORE_OF(row)  ALU_PASTE(ALU_STORE_, row)

/* ---- Loops --------------------------------------------------------------------------- */

/* A handler whose result, of type D, is the expression given last of its n sources' values a, b
 * and c, of types A, B and C. */
#define ALU_DEFINE(name, n, D, A, B, C, ...)                                        \
    static void name(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes) \
    {                                                                               \
        ALU_ROW_##D out[WARP_SIZE];                                                 \
        const ALU_ROW_##A *const row_a = exec_source(w, &i->src[0]);                \
        const ALU_ROW_##B *const row_b = exec_source(w, &i->src[(n) > 1 ? 1 : 0]);  \
        const ALU_ROW_##C *const row_c = exec_source(w, &i->src[(n) > 2 ? 2 : 0]);  \
        for (uint32_t l = 0u; l < WARP_SIZE; l++) {                                 \
            const ALU_C_##A a = ALU_READ_##A(row_a[l]);                             \
            const ALU_C_##B b = ALU_READ_##B(row_b[l]);                             \
            const ALU_C_##C c = ALU_READ_##C(row_c[l]);                             \
            (void)b, (void)c;                                                       \
            out[l] = ALU_WRITE_##D(__VA_ARGS__);                                    \
        }                                                                           \
        ALU_STORE_OF(ALU_ROW_##D)(exec_destination(w, &i->dst[0]), out, lanes);     \
    }
#define ALU_1(name, D, A, ...)       ALU_DEFINE(name, 1, D, A, A, A, __VA_ARGS__)
#define ALU_2(name, D, A, B, ...)    ALU_DEFINE(name, 2, D, A, B, A, __VA_ARGS__)
#define ALU_3(name, D, A, B, C, ...) ALU_DEFINE(name, 3, D, A, B, C, __VA_ARGS__)

enum { ALU_TYPES = PTX_PRED + 1 };

static inline bool alu_is_float(uint32_t type)
{
    return type == PTX_F32 || type == PTX_F64;
}
static inline bool alu_is_half(uint32_t type)
{
    return type == PTX_F16 || type == PTX_F16X2;
}
static inline bool alu_is_signed(uint32_t type)
{
    return type >= PTX_S8 && type <= PTX_S64;
}
static inline bool alu_is_directed(const struct ptx_inst *i)
{
    return i->round == ROUND_RZ || i->round == ROUND_RM || i->round == ROUND_RP;
}

#endif
