/* exec_atomic - atom and red: lane after lane, the lowest first. */

#include <string.h>

#include "exec/exec_run.h"

typedef uint32_t change_32(uint32_t old, uint32_t b, uint32_t c);
typedef uint64_t change_64(uint64_t old, uint64_t b, uint64_t c);

/* ---- What becomes of the old value --------------------------------------------------- */

#define CHANGE(bits, name, expression)                                        \
    static uint##bits##_t name##_##bits(uint##bits##_t old, uint##bits##_t b, \
                                        uint##bits##_t c)                     \
    {                                                                         \
        (void)c, (void)old;                                                   \
        return expression;                                                    \
    }
#define CHANGES(bits)                                                                        \
    CHANGE(bits, add, old + b)                                                               \
    CHANGE(bits, min_u, b < old ? b : old)                                                   \
    CHANGE(bits, max_u, b > old ? b : old)                                                   \
    CHANGE(bits, min_s, (int##bits##_t)b < (int##bits##_t)old ? b : old)                     \
    CHANGE(bits, max_s, (int##bits##_t)b > (int##bits##_t)old ? b : old)                     \
    CHANGE(bits, inc, old >= b ? 0u : old + 1u)                                              \
    CHANGE(bits, dec, old == 0u || old > b ? b : old - 1u)                                   \
    CHANGE(bits, and, old &b)                                                                \
    CHANGE(bits, or, old | b)                                                                \
    CHANGE(bits, xor, old ^ b)                                                               \
    CHANGE(bits, exch, b)                                                                    \
    static uint##bits##_t cas_##bits(uint##bits##_t old, uint##bits##_t b, uint##bits##_t c) \
    {                                                                                        \
        return old == b ? c : old;                                                           \
    }
CHANGES(32)
CHANGES(64)

static uint32_t add_float(uint32_t old, uint32_t b, uint32_t c)
{
    float x, y;
    uint32_t sum;
    (void)c;
    memcpy(&x, &old, sizeof x);
    memcpy(&y, &b, sizeof y);
    x += y;
    memcpy(&sum, &x, sizeof sum);
    return sum;
}

static uint64_t add_double(uint64_t old, uint64_t b, uint64_t c)
{
    double x, y;
    uint64_t sum;
    (void)c;
    memcpy(&x, &old, sizeof x);
    memcpy(&y, &b, sizeof y);
    x += y;
    memcpy(&sum, &x, sizeof sum);
    return sum;
}

/* ---- Which it is --------------------------------------------------------------------- */

static bool is_signed(const struct ptx_inst *i)
{
    return i->type == PTX_S32 || i->type == PTX_S64;
}

#define FIND(bits)                                              \
    static change_##bits *find_##bits(const struct ptx_inst *i) \
    {                                                           \
        switch (i->mode) {                                      \
        case MODE_ADD:                                          \
            return add_##bits;                                  \
        case MODE_MIN:                                          \
            return is_signed(i) ? min_s_##bits : min_u_##bits;  \
        case MODE_MAX:                                          \
            return is_signed(i) ? max_s_##bits : max_u_##bits;  \
        case MODE_INC:                                          \
            return inc_##bits;                                  \
        case MODE_DEC:                                          \
            return dec_##bits;                                  \
        case MODE_AND:                                          \
            return and_##bits;                                  \
        case MODE_OR:                                           \
            return or_##bits;                                   \
        case MODE_XOR:                                          \
            return xor_##bits;                                  \
        case MODE_EXCH:                                         \
            return exch_##bits;                                 \
        case MODE_CAS:                                          \
            return cas_##bits;                                  \
        default:                                                \
            return NULL;                                        \
        }                                                       \
    }
FIND(32)
FIND(64)

static change_32 *change_of_32(const struct ptx_inst *i)
{
    return i->type == PTX_F32 && i->mode == MODE_ADD ? add_float : find_32(i);
}
static change_64 *change_of_64(const struct ptx_inst *i)
{
    return i->type == PTX_F64 && i->mode == MODE_ADD ? add_double : find_64(i);
}

bool exec_atomic_supported(const struct ptx_inst *i)
{
    switch (i->type) {
    case PTX_F32:
    case PTX_F64:
        return i->mode == MODE_ADD || i->mode == MODE_EXCH;
    case PTX_B32:
    case PTX_U32:
    case PTX_S32:
        return find_32(i) != NULL;
    case PTX_B64:
    case PTX_U64:
    case PTX_S64:
        return find_64(i) != NULL;
    case PTX_B16:
        return i->mode == MODE_CAS;
    default:
        return false;
    }
}

/* ---- Execution ----------------------------------------------------------------------- */

/* The value of a lane; operands that were left out are 0. Returns the lanes that have changed
 * memory. */
#define EXECUTE(bits)                                                                       \
    static uint32_t execute_##bits(struct run_warp *w, const struct ptx_inst *i,            \
                                   uint32_t lanes, uint8_t *const *at)                      \
    {                                                                                       \
        change_##bits *const change = change_of_##bits(i);                                  \
        const uint##bits##_t *const b = exec_source(&w->w, &i->src[1]);                     \
        const uint##bits##_t *const c = i->n_src > 2u ? exec_source(&w->w, &i->src[2]) : b; \
        const bool answers = i->n_dst > 0u && i->dst[0].kind == OPERAND_REGISTER;           \
        uint##bits##_t old[WARP_SIZE];                                                      \
        uint32_t changed = 0u;                                                              \
        EACH_LANE(lane, lanes)                                                              \
        {                                                                                   \
            memcpy(&old[lane], at[lane], sizeof old[lane]);                                 \
            const uint##bits##_t value = change(old[lane], b[lane], c[lane]);               \
            memcpy(at[lane], &value, sizeof value);                                         \
            changed |= (value != old[lane] ? 1u : 0u) << lane;                              \
        }                                                                                   \
        if (answers) {                                                                      \
            uint##bits##_t *const to = exec_destination(&w->w, &i->dst[0]);                 \
            EACH_LANE(lane, lanes)                                                          \
            {                                                                               \
                to[lane] = old[lane];                                                       \
            }                                                                               \
        }                                                                                   \
        return changed;                                                                     \
    }
EXECUTE(32)
EXECUTE(64)

/* cas alone; values of 16 bits are in rows of 32, of which the upper halves do not count. */
static uint32_t execute_16(struct run_warp *w, const struct ptx_inst *i, uint32_t lanes,
                           uint8_t *const *at)
{
    const uint32_t *const b = exec_source(&w->w, &i->src[1]);
    const uint32_t *const c = exec_source(&w->w, &i->src[2]);
    uint32_t found[WARP_SIZE];
    uint32_t changed = 0u;
    EACH_LANE(lane, lanes)
    {
        uint16_t old;
        memcpy(&old, at[lane], sizeof old);
        const uint16_t value = old == (uint16_t)b[lane] ? (uint16_t)c[lane] : old;
        memcpy(at[lane], &value, sizeof value);
        found[lane] = old;
        changed |= (value != old ? 1u : 0u) << lane;
    }
    if (i->n_dst > 0u && i->dst[0].kind == OPERAND_REGISTER) {
        uint32_t *const to = exec_destination(&w->w, &i->dst[0]);
        EACH_LANE(lane, lanes)
        {
            to[lane] = found[lane];
        }
    }
    return changed;
}

bool exec_atomic(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                 uint32_t lanes)
{
    struct exec_access a;
    if (!exec_resolve(r, w, s, lanes, &a)) {
        return false;
    }
    const uint32_t changed = s->bytes == 8u   ? execute_64(w, s->inst, lanes, a.at)
                             : s->bytes == 4u ? execute_32(w, s->inst, lanes, a.at)
                                              : execute_16(w, s->inst, lanes, a.at);
    if (changed != 0u) {
        exec_poll_wrote(r, w, s, &a, changed);
    } else if (s->inst->op == PTX_ATOM) {
        exec_poll_found(r, w, s, &a, lanes);
    }
    return true;
}
