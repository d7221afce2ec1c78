/* ptx_words - types, state spaces and other words of opcodes; see ptx_opcode.h. */

#include <string.h>

#include "ptx/read/ptx_opcode.h"

static const char *const type_names[] = {
    "none", ".b8",  ".b16", ".b32", ".b64", ".u8",    ".u16", ".u32", ".u64",
    ".s8",  ".s16", ".s32", ".s64", ".f16", ".f16x2", ".f32", ".f64", ".pred",
};
enum { TYPES = sizeof type_names / sizeof type_names[0] };

const char *ptx_type_name(enum ptx_type type)
{
    return type == PTX_NONE ? type_names[0] : type_names[type] + 1;
}

uint32_t ptx_type_bytes(enum ptx_type type)
{
    static const uint8_t bytes[TYPES] = {
        0, 1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 4, 8, 0
    };

    return bytes[type];
}

enum ptx_type ptx_find_type(const char *word)
{
    for (uint32_t i = 1u; i < TYPES; i++) {
        if (strcmp(type_names[i], word) == 0) {
            return (enum ptx_type)i;
        }
    }
    return PTX_NONE;
}

bool ptx_find_space(const char *word, uint8_t *space)
{
    static const struct {
        const char *word;
        uint8_t space;
    } spaces[] = {
        { ".global", SPACE_GLOBAL },      { ".shared", SPACE_SHARED },
        { ".const", SPACE_CONST },        { ".local", SPACE_LOCAL },
        { ".param", SPACE_PARAM },        { ".shared::cta", SPACE_SHARED },
        { ".param::entry", SPACE_PARAM }, { ".param::func", SPACE_PARAM },
    };

    for (size_t i = 0u; i < sizeof spaces / sizeof spaces[0]; i++) {
        if (strcmp(spaces[i].word, word) == 0) {
            *space = spaces[i].space;
            return true;
        }
    }
    return false;
}

uint32_t ptx_kind_of(enum ptx_op op)
{
    switch (op) {
    case PTX_SET:
    case PTX_SETP:
        return COMPARE;
    case PTX_LD:
    case PTX_LDU:
    case PTX_ST:
        return MEMORY;
    case PTX_ATOM:
    case PTX_RED:
        return ATOMIC;
    case PTX_BAR:
        return BARRIER;
    case PTX_VOTE:
    case PTX_MATCH:
        return VOTE;
    case PTX_SHFL:
        return SHUFFLE;
    case PTX_SHF:
        return FUNNEL;
    case PTX_BMSK:
    case PTX_SZEXT:
        return MASK;
    case PTX_PRMT:
        return PERMUTE;
    case PTX_TESTP:
        return TEST;
    case PTX_FENCE:
    case PTX_MEMBAR:
        return FENCE;
    case PTX_PREFETCH:
    case PTX_PREFETCHU:
        return PREFETCH;
    case PTX_CVTA:
    case PTX_ISSPACEP:
        return ADDRESS;
    case PTX_BRA:
    case PTX_RET:
    case PTX_CALL:
        return FLOW;
    case PTX_BRX:
        return INDEXED;
    default:
        return ARITHMETIC;
    }
}

/* clang-format off */
const struct ptx_word_row ptx_words[] = {
    { ".lo", WORD_MODE, MODE_LO, ARITHMETIC }, { ".hi", WORD_MODE, MODE_HI, ARITHMETIC },
    { ".wide", WORD_MODE, MODE_WIDE, ARITHMETIC },
    { ".l", WORD_MODE, MODE_L, FUNNEL }, { ".r", WORD_MODE, MODE_R, FUNNEL },
    { ".up", WORD_MODE, MODE_UP, SHUFFLE }, { ".down", WORD_MODE, MODE_DOWN, SHUFFLE },
    { ".bfly", WORD_MODE, MODE_BFLY, SHUFFLE }, { ".idx", WORD_MODE, MODE_IDX, SHUFFLE | INDEXED },
    { ".all", WORD_MODE, MODE_ALL, VOTE }, { ".any", WORD_MODE, MODE_ANY, VOTE },
    { ".uni", WORD_MODE, MODE_UNI, VOTE }, { ".ballot", WORD_MODE, MODE_BALLOT, VOTE },
    { ".sync", WORD_MODE, MODE_SYNC, BARRIER }, { ".arrive", WORD_MODE, MODE_ARRIVE, BARRIER },
    { ".add", WORD_MODE, MODE_ADD, ATOMIC }, { ".min", WORD_MODE, MODE_MIN, ATOMIC },
    { ".max", WORD_MODE, MODE_MAX, ATOMIC }, { ".inc", WORD_MODE, MODE_INC, ATOMIC },
    { ".dec", WORD_MODE, MODE_DEC, ATOMIC }, { ".and", WORD_MODE, MODE_AND, ATOMIC },
    { ".or", WORD_MODE, MODE_OR, ATOMIC }, { ".xor", WORD_MODE, MODE_XOR, ATOMIC },
    { ".exch", WORD_MODE, MODE_EXCH, ATOMIC }, { ".cas", WORD_MODE, MODE_CAS, ATOMIC },
    { ".f4e", WORD_MODE, MODE_F4E, PERMUTE }, { ".b4e", WORD_MODE, MODE_B4E, PERMUTE },
    { ".rc8", WORD_MODE, MODE_RC8, PERMUTE }, { ".ecl", WORD_MODE, MODE_ECL, PERMUTE },
    { ".ecr", WORD_MODE, MODE_ECR, PERMUTE }, { ".rc16", WORD_MODE, MODE_RC16, PERMUTE },
    { ".finite", WORD_MODE, MODE_FINITE, TEST }, { ".infinite", WORD_MODE, MODE_INFINITE, TEST },
    { ".number", WORD_MODE, MODE_NUMBER, TEST }, { ".notanumber", WORD_MODE, MODE_NOTANUMBER, TEST },
    { ".normal", WORD_MODE, MODE_NORMAL, TEST }, { ".subnormal", WORD_MODE, MODE_SUBNORMAL, TEST },
    { ".clamp", WORD_MODE, MODE_CLAMP, MASK }, { ".wrap", WORD_MODE, MODE_WRAP, MASK },

    { ".rn", WORD_ROUND, ROUND_RN, ARITHMETIC }, { ".rz", WORD_ROUND, ROUND_RZ, ARITHMETIC },
    { ".rm", WORD_ROUND, ROUND_RM, ARITHMETIC }, { ".rp", WORD_ROUND, ROUND_RP, ARITHMETIC },
    { ".rni", WORD_ROUND, ROUND_RNI, ARITHMETIC }, { ".rzi", WORD_ROUND, ROUND_RZI, ARITHMETIC },
    { ".rmi", WORD_ROUND, ROUND_RMI, ARITHMETIC }, { ".rpi", WORD_ROUND, ROUND_RPI, ARITHMETIC },
    { ".approx", WORD_ROUND, ROUND_APPROX, ARITHMETIC }, { ".full", WORD_ROUND, ROUND_FULL, ARITHMETIC },

    { ".eq", WORD_COMPARE, CMP_EQ, COMPARE }, { ".ne", WORD_COMPARE, CMP_NE, COMPARE },
    { ".lt", WORD_COMPARE, CMP_LT, COMPARE }, { ".le", WORD_COMPARE, CMP_LE, COMPARE },
    { ".gt", WORD_COMPARE, CMP_GT, COMPARE }, { ".ge", WORD_COMPARE, CMP_GE, COMPARE },
    { ".lo", WORD_COMPARE, CMP_LO, COMPARE }, { ".ls", WORD_COMPARE, CMP_LS, COMPARE },
    { ".hi", WORD_COMPARE, CMP_HI, COMPARE }, { ".hs", WORD_COMPARE, CMP_HS, COMPARE },
    { ".equ", WORD_COMPARE, CMP_EQU, COMPARE }, { ".neu", WORD_COMPARE, CMP_NEU, COMPARE },
    { ".ltu", WORD_COMPARE, CMP_LTU, COMPARE }, { ".leu", WORD_COMPARE, CMP_LEU, COMPARE },
    { ".gtu", WORD_COMPARE, CMP_GTU, COMPARE }, { ".geu", WORD_COMPARE, CMP_GEU, COMPARE },
    { ".num", WORD_COMPARE, CMP_NUM, COMPARE }, { ".nan", WORD_COMPARE, CMP_NAN, COMPARE },
    { ".and", WORD_BOOL, BOOL_AND, COMPARE }, { ".or", WORD_BOOL, BOOL_OR, COMPARE },
    { ".xor", WORD_BOOL, BOOL_XOR, COMPARE },

    { ".ftz", WORD_FLAG, FLAG_FTZ, ARITHMETIC | COMPARE }, { ".sat", WORD_FLAG, FLAG_SAT, ARITHMETIC },
    { ".cc", WORD_FLAG, FLAG_CC, ARITHMETIC }, { ".uni", WORD_FLAG, FLAG_UNIFORM, FLOW | INDEXED },
    { ".to", WORD_FLAG, FLAG_TO, ADDRESS }, { ".shiftamt", WORD_FLAG, FLAG_SHIFTAMT, ARITHMETIC },
    { ".clamp", WORD_FLAG, FLAG_CLAMP, FUNNEL }, { ".nc", WORD_FLAG, FLAG_NC, MEMORY },
    { ".volatile", WORD_FLAG, FLAG_VOLATILE, MEMORY | ATOMIC },
    { ".v2", WORD_VECTOR, 2, MEMORY }, { ".v4", WORD_VECTOR, 4, MEMORY },

    { ".sync", WORD_MEMBERS, 0, VOTE | SHUFFLE },
    { ".wrap", WORD_HINT, 0, FUNNEL }, { ".noftz", WORD_HINT, 0, ATOMIC },
    { ".aligned", WORD_HINT, 0, BARRIER }, { ".unified", WORD_HINT, 0, MEMORY | ATOMIC },
    { ".mask", WORD_HINT, 0, 0 },
    { ".weak", WORD_HINT, 0, MEMORY }, { ".relaxed", WORD_FLAG, FLAG_UNCACHED | FLAG_ORDERED, MEMORY },
    { ".acquire", WORD_FLAG, FLAG_UNCACHED | FLAG_ORDERED, MEMORY }, { ".relaxed", WORD_HINT, 0, ATOMIC },
    { ".acquire", WORD_HINT, 0, ATOMIC }, { ".release", WORD_FLAG, FLAG_ORDERED, MEMORY }, { ".release", WORD_HINT, 0, ATOMIC },
    { ".acq_rel", WORD_HINT, 0, ATOMIC | FENCE }, { ".sc", WORD_HINT, 0, FENCE },
    { ".cta", WORD_HINT, 0, MEMORY | ATOMIC | BARRIER }, { ".cta", WORD_FLAG, FLAG_CTA, FENCE }, { ".gpu", WORD_HINT, 0, MEMORY | ATOMIC | FENCE },
    { ".sys", WORD_HINT, 0, MEMORY | ATOMIC | FENCE }, { ".gl", WORD_HINT, 0, FENCE },
    { ".ca", WORD_HINT, 0, MEMORY }, { ".cg", WORD_FLAG, FLAG_UNCACHED, MEMORY }, { ".cs", WORD_HINT, 0, MEMORY },
    { ".lu", WORD_HINT, 0, MEMORY }, { ".cv", WORD_FLAG, FLAG_UNCACHED | FLAG_ORDERED, MEMORY }, { ".wb", WORD_HINT, 0, MEMORY },
    { ".wt", WORD_FLAG, FLAG_ORDERED, MEMORY }, { ".reuse", WORD_HINT, 0, EVERY },
    { ".L1::no_allocate", WORD_HINT, 0, MEMORY }, { ".L1::evict_first", WORD_HINT, 0, MEMORY },
    { ".L1::evict_last", WORD_HINT, 0, MEMORY }, { ".L1::evict_normal", WORD_HINT, 0, MEMORY },
    { ".L1::evict_unchanged", WORD_HINT, 0, MEMORY }, { ".L2::evict_first", WORD_HINT, 0, MEMORY },
    { ".L2::evict_last", WORD_HINT, 0, MEMORY | PREFETCH }, { ".L2::evict_normal", WORD_HINT, 0, MEMORY | PREFETCH },
    { ".L2::64B", WORD_HINT, 0, MEMORY }, { ".L2::128B", WORD_HINT, 0, MEMORY },
    { ".L2::256B", WORD_HINT, 0, MEMORY },
    { ".L1", WORD_HINT, 0, PREFETCH }, { ".L2", WORD_HINT, 0, PREFETCH },
};
/* clang-format on */
const uint32_t ptx_word_count = sizeof ptx_words / sizeof ptx_words[0];
