/* exec_compare - setp, set and testp. */

#include <math.h>

#include "exec_lanes.h"

/* ---- A bit a lane
 * ----------------------------------------------------------------------------- */

#define EACH(condition)                       \
    for (uint32_t l = 0u; l < LANES; l++) {   \
        result |= (uint32_t)(condition) << l; \
    }                                         \
    break

#define COMPARE(name, R, T)                                                             \
    static uint32_t compare_##name(const struct exec_warp *w, const struct ptx_inst *i) \
    {                                                                                   \
        const R *const a = SOURCE(R, 0), *const b = SOURCE(R, 1);                       \
        uint32_t result = 0u;                                                           \
        switch (i->compare) {                                                           \
        case CMP_EQ:                                                                    \
            EACH((T)a[l] == (T)b[l]);                                                   \
        case CMP_NE:                                                                    \
            EACH((T)a[l] != (T)b[l]);                                                   \
        case CMP_LT:                                                                    \
        case CMP_LO:                                                                    \
            EACH((T)a[l] < (T)b[l]);                                                    \
        case CMP_LE:                                                                    \
        case CMP_LS:                                                                    \
            EACH((T)a[l] <= (T)b[l]);                                                   \
        case CMP_GT:                                                                    \
        case CMP_HI:                                                                    \
            EACH((T)a[l] > (T)b[l]);                                                    \
        default:                                                                        \
            EACH((T)a[l] >= (T)b[l]);                                                   \
        }                                                                               \
        return result;                                                                  \
    }
COMPARE(u16, row32, uint16_t)
COMPARE(s16, row32, int16_t)
COMPARE(u32, row32, uint32_t)
COMPARE(s32, row32, int32_t)
COMPARE(u64, row64, uint64_t)
COMPARE(s64, row64, int64_t)

/* An ordered comparison with a NaN is false, one that ends in u is true. */
static bool float_relation(double x, double y, uint32_t compare)
{
    const bool unordered = x != x || y != y;
    switch (compare) {
    case CMP_EQ:
        return x == y;
    case CMP_NE:
        return !unordered && x != y;
    case CMP_LT:
        return x < y;
    case CMP_LE:
        return x <= y;
    case CMP_GT:
        return x > y;
    case CMP_GE:
        return x >= y;
    case CMP_EQU:
        return unordered || x == y;
    case CMP_NEU:
        return x != y;
    case CMP_LTU:
        return unordered || x < y;
    case CMP_LEU:
        return unordered || x <= y;
    case CMP_GTU:
        return unordered || x > y;
    case CMP_GEU:
        return unordered || x >= y;
    case CMP_NUM:
        return !unordered;
    default:
        return unordered;
    }
}

static double value_at(const struct exec_warp *w, const struct ptx_inst *i, uint32_t k,
                       uint32_t type, uint32_t l)
{
    if (type == PTX_F64) {
        return SOURCE(row_double, k)[l];
    }
    if (type == PTX_F16) {
        return half_to_double(SOURCE(row32, k)[l] & 0xffffu);
    }
    const float x = SOURCE(row_float, k)[l];
    const bool flushed = (i->flags & FLAG_FTZ) != 0u && fabsf(x) < 0x1p-126f;
    return flushed ? 0.0 : (double)x;
}

static uint32_t compare_as(const struct exec_warp *w, const struct ptx_inst *i, uint32_t type)
{
    uint32_t result = 0u;
    switch (type) {
    case PTX_U16:
    case PTX_B16:
        return compare_u16(w, i);
    case PTX_S16:
        return compare_s16(w, i);
    case PTX_S32:
        return compare_s32(w, i);
    case PTX_U32:
    case PTX_B32:
        return compare_u32(w, i);
    case PTX_U64:
    case PTX_B64:
        return compare_u64(w, i);
    case PTX_S64:
        return compare_s64(w, i);
    default:
        EACH(float_relation(value_at(w, i, 0u, type, l), value_at(w, i, 1u, type, l),
                            i->compare));
    }
    return result;
}

/* ---- Handlers
 * ------------------------------------------------------------------------------------ */

/* With the third operand, if there is one. */
static uint32_t combined(const struct exec_warp *w, const struct ptx_inst *i, uint32_t value)
{
    if (i->boolean == BOOL_NONE || i->n_src < 3u) {
        return value;
    }
    const uint32_t third = exec_predicate(w, &i->src[2]);
    return i->boolean == BOOL_AND  ? value & third
           : i->boolean == BOOL_OR ? value | third
                                   : value ^ third;
}
HANDLER(setp)
{
    const uint32_t value = compare_as(w, i, i->type);
    const uint32_t first = combined(w, i, value), second = combined(w, i, ~value);
    set_predicate(w, &i->dst[0], first, lanes);
    if (i->n_dst > 1u) {
        set_predicate(w, &i->dst[1], second, lanes);
    }
}
HANDLER(set)
{
    const uint32_t value = combined(w, i, compare_as(w, i, i->source_type));
    const uint32_t yes = i->type == PTX_F32 ? 0x3f800000u : UINT32_MAX; /* 1.0f */
    for (uint32_t l = 0u; l < LANES; l++) {
        if (ON(l)) {
            RESULT(row32, 0)[l] = (value >> l & 1u) != 0u ? yes : 0u;
        }
    }
}

static bool tested(double x, double least_normal, uint32_t mode)
{
    const bool subnormal = x != 0.0 && fabs(x) < least_normal;
    switch (mode) {
    case MODE_FINITE:
        return isfinite(x) != 0;
    case MODE_INFINITE:
        return isinf(x) != 0;
    case MODE_NUMBER:
        return x == x;
    case MODE_NOTANUMBER:
        return x != x;
    case MODE_NORMAL:
        return isfinite(x) != 0 && x != 0.0 && !subnormal;
    default:
        return subnormal;
    }
}
HANDLER(testp)
{
    const double least_normal = i->type == PTX_F64 ? 0x1p-1022 : 0x1p-126;
    uint32_t result = 0u;
    for (uint32_t l = 0u; l < LANES; l++) {
        const double x = value_at(w, i, 0u, i->type, l);
        result |= (uint32_t)tested(x, least_normal, i->mode) << l;
    }
    set_predicate(w, &i->dst[0], result, lanes);
}

exec_handler *alu_compare(const struct ptx_inst *i)
{
    return i->op == PTX_SETP ? setp : i->op == PTX_SET ? set : testp;
}
