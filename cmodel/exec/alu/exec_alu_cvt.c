/* exec_alu_cvt - conversions between integers and floats; see exec_alu.h. */

#include <math.h>

#include "exec/alu/exec_alu_round.h"

/* ---- Frequent ones ------------------------------------------------------------------- */

#define CONVERT(D, S, ...) ALU_1(cvt_##D##_##S, D, S, __VA_ARGS__)
CONVERT(U64, U32, a)
CONVERT(S64, S32, a)
CONVERT(U32, U64, a)
CONVERT(U32, U32, a)
CONVERT(U32, U16, a)
CONVERT(U16, U32, a)
CONVERT(U32, U8, a)
CONVERT(S32, S16, a)
CONVERT(S32, S8, a)
CONVERT(F32, S32, (float)a)
CONVERT(F32, U32, (float)a)
CONVERT(F64, S32, (double)a)
CONVERT(F64, F32, (double)a)
CONVERT(F32, F64, (float)a)

/* Beyond 2^23 all floats are whole; below, this sum is rounded to whole numbers. */
static inline float nearest_whole(uint32_t x)
{
    const float magnitude = alu_float(x & ~ALU_SIGN32);
    const float whole = magnitude < 0x1p23f ? (magnitude + 0x1p23f) - 0x1p23f : magnitude;
    return alu_float(alu_float_bits(whole) | (x & ALU_SIGN32));
}
ALU_1(cvt_rni_F32_F32, F32, U32, nearest_whole(a))

/* Clamped before it is converted: so no lane traps. */
static inline int32_t toward_zero(float a)
{
    const double x = (double)a;
    const double low = x > -2147483648.0 ? x : -2147483648.0;
    const int32_t whole = (int32_t)(low < 2147483647.0 ? low : 2147483647.0);
    return a != a ? 0 : whole;
}
ALU_1(cvt_rzi_S32_F32, S32, F32, toward_zero(a))

static const struct {
    uint8_t type, source_type, round;
    exec_handler *handler;
} frequent[] = {
    { PTX_U64, PTX_U32, ROUND_NONE, cvt_U64_U32 },
    { PTX_S64, PTX_S32, ROUND_NONE, cvt_S64_S32 },
    { PTX_U64, PTX_S32, ROUND_NONE, cvt_S64_S32 },
    { PTX_S64, PTX_U32, ROUND_NONE, cvt_U64_U32 },
    { PTX_U32, PTX_U64, ROUND_NONE, cvt_U32_U64 },
    { PTX_S32, PTX_S64, ROUND_NONE, cvt_U32_U64 },
    { PTX_S32, PTX_U64, ROUND_NONE, cvt_U32_U64 },
    { PTX_U32, PTX_S64, ROUND_NONE, cvt_U32_U64 },
    { PTX_U32, PTX_S32, ROUND_NONE, cvt_U32_U32 },
    { PTX_S32, PTX_U32, ROUND_NONE, cvt_U32_U32 },
    { PTX_U32, PTX_U16, ROUND_NONE, cvt_U32_U16 },
    { PTX_S32, PTX_U16, ROUND_NONE, cvt_U32_U16 },
    { PTX_U16, PTX_U32, ROUND_NONE, cvt_U16_U32 },
    { PTX_U32, PTX_U8, ROUND_NONE, cvt_U32_U8 },
    { PTX_S32, PTX_S16, ROUND_NONE, cvt_S32_S16 },
    { PTX_S32, PTX_S8, ROUND_NONE, cvt_S32_S8 },
    { PTX_F32, PTX_S32, ROUND_RN, cvt_F32_S32 },
    { PTX_F32, PTX_U32, ROUND_RN, cvt_F32_U32 },
    { PTX_F64, PTX_S32, ROUND_RN, cvt_F64_S32 },
    { PTX_F64, PTX_F32, ROUND_NONE, cvt_F64_F32 },
    { PTX_F32, PTX_F64, ROUND_RN, cvt_F32_F64 },
    { PTX_F32, PTX_F32, ROUND_RNI, cvt_rni_F32_F32 },
    { PTX_S32, PTX_F32, ROUND_RZI, cvt_rzi_S32_F32 },
};

/* ---- All: what is read --------------------------------------------------------------- */

static bool is_real(uint32_t type)
{
    return type == PTX_F16 || alu_is_float(type);
}

/* An integer, extended to 64 bits by its sign. */
static uint64_t read_whole(uint32_t type, const void *row, uint32_t l)
{
    const uint32_t *const words = row;
    const uint64_t *const longs = row;
    switch (type) {
    case PTX_U8:
        return words[l] & 0xffu;
    case PTX_S8:
        return (uint64_t)(int64_t)(int8_t)words[l];
    case PTX_U16:
        return words[l] & 0xffffu;
    case PTX_S16:
        return (uint64_t)(int64_t)(int16_t)words[l];
    case PTX_U32:
        return words[l];
    case PTX_S32:
        return (uint64_t)(int64_t)(int32_t)words[l];
    default:
        return longs[l];
    }
}

/* All floats are doubles, exactly. */
static double read_real(uint32_t type, uint32_t flags, const void *row, uint32_t l)
{
    if (type == PTX_F64) {
        return alu_double(((const uint64_t *)row)[l]);
    }
    const uint32_t x = ((const uint32_t *)row)[l];
    if (type == PTX_F16) {
        return alu_from_half(x & 0xffffu);
    }
    return (double)alu_float((flags & FLAG_FTZ) != 0u ? alu_flush(x) : x);
}

static double to_whole(uint32_t round, double x)
{
    switch (round) {
    case ROUND_RNI:
        return nearbyint(x);
    case ROUND_RZI:
        return trunc(x);
    case ROUND_RMI:
        return floor(x);
    case ROUND_RPI:
        return ceil(x);
    default:
        return x;
    }
}

/* ---- All: what is written ------------------------------------------------------------ */

struct range {
    int64_t least;
    uint64_t most;
};
static struct range range_of(uint32_t type)
{
    const uint32_t bits = 8u * ptx_type_bytes(type);
    const uint64_t ones = UINT64_MAX >> (64u - bits);
    return alu_is_signed(type) ? (struct range){ -(int64_t)(ones >> 1) - 1, ones >> 1 }
                               : (struct range){ 0, ones };
}

static uint64_t clamp_whole(uint32_t type, bool is_signed, uint64_t x)
{
    const struct range r = range_of(type);
    if (is_signed && (int64_t)x < 0) {
        return (int64_t)x < r.least ? (uint64_t)r.least : x;
    }
    return x > r.most ? r.most : x;
}

/* NaN: 0, or the highest bit if either side has 64 bits. */
static uint64_t whole_of_nan(uint32_t type, uint32_t source_type)
{
    const bool large = source_type == PTX_F64 || ptx_type_bytes(type) == 8u;
    return large ? UINT64_C(1) << (8u * ptx_type_bytes(type) - 1u) : 0u;
}

/* Out of range: the nearest in range. */
static uint64_t clamp_real(uint32_t type, uint32_t source_type, double x)
{
    const struct range r = range_of(type);
    if (x != x) {
        return whole_of_nan(type, source_type);
    }
    if (x < (double)r.least) {
        return (uint64_t)r.least;
    }
    /* One more than the most is a power of two, which a double holds. */
    const uint64_t half = (r.most >> 1) + 1u;
    const double above = 2.0 * (double)half; /* NOLINT(bugprone-integer-division): exact */
    if (x >= above) {
        return r.most;
    }
    return x < 0.0 ? (uint64_t)(int64_t)x : (uint64_t)x;
}

static uint64_t write_whole(uint32_t type, uint64_t x)
{
    switch (type) {
    case PTX_U8:
        return x & 0xffu;
    case PTX_S8:
        return (uint64_t)(uint32_t)(int8_t)x;
    case PTX_U16:
        return x & 0xffffu;
    case PTX_S16:
        return (uint64_t)(uint32_t)(int16_t)x;
    default:
        return x;
    }
}

static const struct alu_format *format_of(uint32_t type)
{
    return type == PTX_F16 ? &alu_half : type == PTX_F32 ? &alu_single : &alu_large;
}

/* Bits of a float, saturated and flushed as the flags say. */
static uint64_t finish_real(const struct ptx_inst *i, uint64_t x)
{
    const struct alu_format *const f = format_of(i->type);
    if ((i->flags & FLAG_SAT) != 0u) {
        const uint64_t one = (f->infinity >> f->bits) << (f->bits - 1);
        x = x > f->infinity ? 0u : x > one ? one : x;
    }
    const bool flush = (i->flags & FLAG_FTZ) != 0u && i->type == PTX_F32;
    return flush ? alu_flush((uint32_t)x) : x;
}

static uint64_t whole_to_real(const struct ptx_inst *i, uint64_t x)
{
    const bool negative = alu_is_signed(i->source_type) && (int64_t)x < 0;
    return alu_pack(format_of(i->type), i->round, negative, negative ? 0u - x : x, 0);
}

static uint64_t convert(const struct ptx_inst *i, const void *row, uint32_t l)
{
    if (!is_real(i->source_type)) {
        const uint64_t x = read_whole(i->source_type, row, l);
        if (is_real(i->type)) {
            return finish_real(i, whole_to_real(i, x));
        }
        const bool clamp = (i->flags & FLAG_SAT) != 0u;
        return write_whole(i->type,
                           clamp ? clamp_whole(i->type, alu_is_signed(i->source_type), x) : x);
    }
    const double x = to_whole(i->round, read_real(i->source_type, i->flags, row, l));
    if (!is_real(i->type)) {
        return write_whole(i->type, clamp_real(i->type, i->source_type, x));
    }
    /* f64 keeps a NaN's payload. */
    const bool keep = i->type == PTX_F64 && x != x;
    return finish_real(i, keep ? alu_double_bits(x) | UINT64_C(0x0008000000000000)
                               : alu_narrow(format_of(i->type), i->round, x));
}

static void cvt_word(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    const void *const row = exec_source(w, &i->src[0]);
    uint32_t out[WARP_SIZE];
    for (uint32_t l = 0u; l < WARP_SIZE; l++) {
        out[l] = (uint32_t)convert(i, row, l);
    }
    alu_store_word(exec_destination(w, &i->dst[0]), out, lanes);
}

static void cvt_long(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    const void *const row = exec_source(w, &i->src[0]);
    uint64_t out[WARP_SIZE];
    for (uint32_t l = 0u; l < WARP_SIZE; l++) {
        out[l] = convert(i, row, l);
    }
    alu_store_long(exec_destination(w, &i->dst[0]), out, lanes);
}

/* The first source becomes the upper half. */
ALU_2(cvt_pair, U32, F32, F32,
      alu_narrow(&alu_half, i->round, (double)a) << 16
          | alu_narrow(&alu_half, i->round, (double)b))

/* ---- Choice -------------------------------------------------------------------------- */

static bool is_number(uint32_t type)
{
    return (type >= PTX_U8 && type <= PTX_S64) || is_real(type);
}

/* A rounding wherever something can be lost, and of the kind of the result. */
static bool rounds_well(const struct ptx_inst *i)
{
    const bool to_float = i->round >= ROUND_RN && i->round <= ROUND_RP;
    const bool whole = i->round >= ROUND_RNI && i->round <= ROUND_RPI;
    if (!is_real(i->type)) {
        return is_real(i->source_type) ? whole : i->round == ROUND_NONE;
    }
    if (!is_real(i->source_type)) {
        return to_float;
    }
    const uint32_t to = ptx_type_bytes(i->type), from = ptx_type_bytes(i->source_type);
    return to < from    ? to_float
           : to == from ? whole || i->round == ROUND_NONE
                        : i->round == ROUND_NONE;
}

exec_handler *exec_alu_cvt(const struct ptx_inst *i, const char **why)
{
    *why =
        "allowed: 8 to 64-bit integers, .f16 .f32 .f64, and .f16x2 of two .f32; .rn .rz .rm "
        ".rp to a float of integers or of larger floats; .rni .rzi .rmi .rpi from a float to "
        "integers or to its own type; .sat, .ftz";
    if (i->type == PTX_F16X2) {
        return i->source_type == PTX_F32 && i->flags == 0u
                       && (i->round == ROUND_RN || i->round == ROUND_RZ)
                   ? cvt_pair
                   : NULL;
    }
    if (!is_number(i->type) || !is_number(i->source_type) || !rounds_well(i)
        || (i->flags & ~(FLAG_FTZ | FLAG_SAT)) != 0u) {
        return NULL;
    }
    for (size_t k = 0u; i->flags == 0u && k < sizeof frequent / sizeof frequent[0]; k++) {
        if (frequent[k].type == i->type && frequent[k].source_type == i->source_type
            && frequent[k].round == i->round) {
            return frequent[k].handler;
        }
    }
    return ptx_type_bytes(i->type) == 8u ? cvt_long : cvt_word;
}
