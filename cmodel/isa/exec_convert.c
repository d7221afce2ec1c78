/*
 * exec_convert - cvt between integers of 8 to 64 bits and floating point. To an integer it
 * clamps, and NaN becomes 0. Compiled with -frounding-math.
 */

#include <fenv.h>
#include <math.h>

#include "exec_lanes.h"

/* What a cvt converts between. */
struct ends {
    uint32_t from_bits, to_bits;
    bool from_signed, to_signed, from_long, to_long, ftz, saturate;
};

static bool is_signed_type(uint32_t type)
{
    return type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}
static bool is_float_type(uint32_t type)
{
    return type == PTX_F16 || type == PTX_F32 || type == PTX_F64;
}

static struct ends ends_of(const struct ptx_inst *i)
{
    return (struct ends){ .from_bits = 8u * ptx_type_bytes(i->source_type),
                          .to_bits = 8u * ptx_type_bytes(i->type),
                          .from_signed = is_signed_type(i->source_type),
                          .to_signed = is_signed_type(i->type),
                          .from_long = is_long(i->source_type),
                          .to_long = is_long(i->type),
                          .ftz = (i->flags & FLAG_FTZ) != 0u,
                          .saturate = (i->flags & FLAG_SAT) != 0u };
}

/* ---- Integers -------------------------------------------------------------------------------
 */

/* The low bits of x, extended to 64. */
static inline uint64_t extended(uint64_t x, uint32_t bits, bool is_signed)
{
    const uint32_t up = 64u - bits;
    return is_signed ? (uint64_t)((int64_t)(x << up) >> up) : x << up >> up;
}
static uint64_t greatest(const struct ends *e)
{
    return UINT64_MAX >> (64u - e->to_bits) >> (e->to_signed ? 1u : 0u);
}
static inline uint64_t clamped(uint64_t x, const struct ends *e)
{
    const uint64_t most = greatest(e);
    if (e->from_signed && (int64_t)x < 0) {
        const uint64_t least = e->to_signed ? ~most : 0u;
        return (int64_t)x < (int64_t)least ? least : x;
    }
    return x > most ? most : x;
}
static inline uint64_t integer_at(const struct exec_warp *w, const struct ptx_inst *i,
                                  const struct ends *e, uint32_t l)
{
    const uint64_t x = e->from_long ? SOURCE(row64, 0)[l] : SOURCE(row32, 0)[l];
    return extended(x, e->from_bits, e->from_signed);
}
static inline void put_integer(struct exec_warp *w, const struct ptx_inst *i,
                               const struct ends *e, uint32_t l, uint64_t value)
{
    if (e->to_long) {
        RESULT(row64, 0)[l] = value;
    } else {
        RESULT(row32, 0)[l] = (uint32_t)value;
    }
}
HANDLER(integer_to_integer)
{
    const struct ends e = ends_of(i);
    for (uint32_t l = 0u; l < LANES; l++) {
        const uint64_t x = integer_at(w, i, &e, l);
        const uint64_t clamp = e.saturate ? clamped(x, &e) : x;
        if (ON(l)) {
            put_integer(w, i, &e, l, extended(clamp, e.to_bits, e.to_signed));
        }
    }
}
ALU1(u32_to_u64, row32, row64, x)
ALU1(s32_to_s64, row32, row64, (int64_t)(int32_t)x)
ALU1(b64_to_b32, row64, row32, x)

/* ---- Floating point
 * ---------------------------------------------------------------------------- */

static double float_at(const struct exec_warp *w, const struct ptx_inst *i,
                       const struct ends *e, uint32_t l)
{
    if (i->source_type == PTX_F64) {
        return SOURCE(row_double, 0)[l];
    }
    if (i->source_type == PTX_F16) {
        return half_to_double(SOURCE(row32, 0)[l] & 0xffffu);
    }
    const float x = SOURCE(row_float, 0)[l];
    return (double)(e->ftz && fabsf(x) < 0x1p-126f ? copysignf(0.0f, x) : x);
}

/* Rounds to single precision in the host's mode where that is the result's type. */
static void put_float(struct exec_warp *w, const struct ptx_inst *i, const struct ends *e,
                      uint32_t l, double value)
{
    if (e->saturate) {
        value = value > 0.0 ? (value < 1.0 ? value : 1.0) : 0.0;
    }
    if (i->type == PTX_F64) {
        RESULT(row_double, 0)[l] = value;
    } else if (i->type == PTX_F16) {
        RESULT(row32, 0)[l] = double_to_half(value);
    } else if (value != value) {
        RESULT(row32, 0)[l] = 0x7fffffffu;
    } else {
        const volatile double exact = value;
        const float rounded = (float)exact;
        const bool flushed = e->ftz && fabsf(rounded) < 0x1p-126f;
        RESULT(row_float, 0)[l] = flushed ? copysignf(0.0f, rounded) : rounded;
    }
}

/* To single precision at once: by way of double it would be rounded twice. */
static float single_of(uint64_t x, bool is_signed)
{
    const volatile uint64_t value = x;
    return is_signed ? (float)(int64_t)value : (float)value;
}
static double double_of(uint64_t x, bool is_signed)
{
    const volatile uint64_t value = x;
    return is_signed ? (double)(int64_t)value : (double)value;
}
HANDLER(integer_to_float)
{
    const struct ends e = ends_of(i);
    const int before = fegetround();
    (void)fesetround(host_rounding(i->round));
    for (uint32_t l = 0u; l < LANES; l++) {
        const uint64_t x = integer_at(w, i, &e, l);
        if (ON(l)) {
            put_float(w, i, &e, l,
                      i->type == PTX_F32 ? (double)single_of(x, e.from_signed)
                                         : double_of(x, e.from_signed));
        }
    }
    (void)fesetround(before);
}
ALU1(s32_to_f32, row32, row_float, (float)(int32_t)x)
ALU1(s32_to_f64, row32, row_double, (double)(int32_t)x)
ALU1(f32_to_f64, row_float, row_double, (double)x)

/* Rounded to a whole number as the instruction says. */
static double whole(double x, uint32_t round)
{
    switch (round) {
    case ROUND_RNI:
        return rint(x);
    case ROUND_RMI:
        return floor(x);
    case ROUND_RPI:
        return ceil(x);
    case ROUND_RZI:
        return trunc(x);
    default:
        return x;
    }
}
static uint64_t integer_of(double x, const struct ends *e)
{
    const double above = ldexp(1.0, (int)(e->to_bits - (e->to_signed ? 1u : 0u)));
    if (x != x) {
        return 0u;
    }
    if (x >= above) {
        return greatest(e);
    }
    if (x < (e->to_signed ? -above : 0.0)) {
        return e->to_signed ? ~greatest(e) : 0u;
    }
    return e->to_signed ? (uint64_t)(int64_t)x : (uint64_t)x;
}
HANDLER(float_to_integer)
{
    const struct ends e = ends_of(i);
    for (uint32_t l = 0u; l < LANES; l++) {
        if (ON(l)) {
            put_integer(w, i, &e, l, integer_of(whole(float_at(w, i, &e, l), i->round), &e));
        }
    }
}
HANDLER(float_to_float)
{
    const struct ends e = ends_of(i);
    const int before = fegetround();
    const bool to_float = i->round >= ROUND_RN && i->round <= ROUND_RP;
    (void)fesetround(to_float ? host_rounding(i->round) : before);
    for (uint32_t l = 0u; l < LANES; l++) {
        if (ON(l)) {
            put_float(w, i, &e, l, whole(float_at(w, i, &e, l), i->round));
        }
    }
    (void)fesetround(before);
}

/* ---- Choice
 * -------------------------------------------------------------------------------------- */

/* The most frequent ones, vectorised. */
static exec_handler *frequent(const struct ptx_inst *i)
{
    const uint32_t from = i->source_type, to = i->type;
    const bool plain = i->flags == 0u, nearest = host_rounding(i->round) == FE_TONEAREST;
    if (!plain || !nearest) {
        return NULL;
    }
    if (from == PTX_U32 && (to == PTX_U64 || to == PTX_S64)) {
        return u32_to_u64;
    }
    if (from == PTX_S32) {
        return to == PTX_S64 || to == PTX_U64 ? s32_to_s64
               : to == PTX_F32                ? s32_to_f32
               : to == PTX_F64                ? s32_to_f64
                                              : NULL;
    }
    if ((from == PTX_U64 || from == PTX_S64) && (to == PTX_U32 || to == PTX_S32)) {
        return b64_to_b32;
    }
    return from == PTX_F32 && to == PTX_F64 && i->round == ROUND_NONE ? f32_to_f64 : NULL;
}

exec_handler *alu_convert(const struct ptx_inst *i)
{
    exec_handler *const handler = frequent(i);
    const bool from_float = is_float_type(i->source_type), to_float = is_float_type(i->type);
    if (handler != NULL) {
        return handler;
    }
    return from_float ? (to_float ? float_to_float : float_to_integer)
           : to_float ? integer_to_float
                      : integer_to_integer;
}
