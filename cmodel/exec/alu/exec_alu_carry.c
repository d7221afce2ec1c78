/* exec_alu_carry - sums of more than one word: with carry in, carry out or both. */

#include "exec/alu/exec_alu.h"

__extension__ typedef __int128 wide_signed;
__extension__ typedef unsigned __int128 wide_unsigned;

/* x + y + carry, or x - y - carry, and the carry or borrow out. The sources' signs matter to
 * the upper half of a product only. */
struct sum {
    uint64_t value;
    bool carry;
};

static inline struct sum add(uint64_t x, uint64_t y, bool carry, bool is_long)
{
    const uint64_t first = x + y, value = first + carry;
    if (!is_long) {
        return (struct sum){ (uint32_t)value, (value >> 32) != 0u };
    }
    return (struct sum){ value, first < x || value < first };
}

static inline struct sum subtract(uint64_t x, uint64_t y, bool carry, bool is_long)
{
    const uint64_t first = x - y, value = first - carry;
    if (!is_long) {
        return (struct sum){ (uint32_t)value, (value >> 32) != 0u };
    }
    return (struct sum){ value, x < y || first < (uint64_t)carry };
}

static inline uint64_t product(const struct ptx_inst *i, uint64_t a, uint64_t b)
{
    const bool high = i->mode == MODE_HI;
    switch (i->type) {
    case PTX_U32:
        return high ? a * b >> 32 : (uint32_t)(a * b);
    case PTX_S32: {
        const int64_t whole = (int64_t)(int32_t)a * (int32_t)b;
        return high ? (uint64_t)whole >> 32 : (uint32_t)whole;
    }
    case PTX_U64:
        return high ? (uint64_t)((wide_unsigned)a * b >> 64) : a * b;
    default:
        return high ? (uint64_t)((wide_unsigned)((wide_signed)(int64_t)a * (int64_t)b) >> 64)
                    : a * b;
    }
}

static inline uint64_t read(const void *row, uint32_t l, bool is_long)
{
    return is_long ? ((const uint64_t *)row)[l] : ((const uint32_t *)row)[l];
}

static inline void run(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes,
                       bool is_long)
{
    const bool takes = ptx_reads_carry(i);
    const bool minus = i->op == PTX_SUB || i->op == PTX_SUBC;
    const bool multiplies = i->op == PTX_MAD || i->op == PTX_MADC;
    const void *const row_a = exec_source(w, &i->src[0]);
    const void *const row_b = exec_source(w, &i->src[1]);
    const void *const row_c = exec_source(w, &i->src[multiplies ? 2 : 0]);
    uint32_t carries = 0u, words[WARP_SIZE];
    uint64_t longs[WARP_SIZE];
    for (uint32_t l = 0u; l < WARP_SIZE; l++) {
        const uint64_t a = read(row_a, l, is_long), b = read(row_b, l, is_long);
        const uint64_t x = multiplies ? product(i, a, b) : a;
        const uint64_t y = multiplies ? read(row_c, l, is_long) : b;
        const bool in = takes && (w->carry & exec_alu_bit[l]) != 0u;
        const struct sum s = minus ? subtract(x, y, in, is_long) : add(x, y, in, is_long);
        carries |= s.carry ? exec_alu_bit[l] : 0u;
        words[l] = (uint32_t)s.value;
        longs[l] = s.value;
    }
    if ((i->flags & FLAG_CC) != 0u) {
        w->carry = (w->carry & ~lanes) | (carries & lanes);
    }
    if (i->dst[0].kind != OPERAND_REGISTER) {
        return;
    }
    if (is_long) {
        alu_store_long(exec_destination(w, &i->dst[0]), longs, lanes);
    } else {
        alu_store_word(exec_destination(w, &i->dst[0]), words, lanes);
    }
}

static void carry_word(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    run(w, i, lanes, false);
}
static void carry_long(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    run(w, i, lanes, true);
}

exec_handler *exec_alu_carry(const struct ptx_inst *i, const char **why)
{
    *why =
        "allowed: add.cc, addc, sub.cc, subc, mad.lo.cc, mad.hi.cc, madc.lo, madc.hi of .u32 "
        ".s32 .u64 .s64";
    const bool multiplies = i->op == PTX_MAD || i->op == PTX_MADC;
    const bool mode =
        multiplies ? i->mode == MODE_LO || i->mode == MODE_HI : i->mode == MODE_NONE;
    const bool sums = i->op == PTX_ADD || i->op == PTX_ADDC || i->op == PTX_SUB
                      || i->op == PTX_SUBC || multiplies;
    if (!sums || !mode || (i->flags & ~FLAG_CC) != 0u) {
        return NULL;
    }
    switch (i->type) {
    case PTX_U32:
    case PTX_S32:
        return carry_word;
    case PTX_U64:
    case PTX_S64:
        return carry_long;
    default:
        return NULL;
    }
}
