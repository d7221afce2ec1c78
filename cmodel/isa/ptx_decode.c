/* ptx_decode - opcode words to an instruction, checked by the table; see ptx_syntax.h. */

#include <stdio.h>
#include <string.h>

#include "ptx_syntax.h"
#include "ptx_table.h"

/* ---- Words ---------------------------------------------------------------------------------
 */

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

/* Kinds of operations whose words mean the same. */
enum {
    ARITHMETIC = 1,
    COMPARE = 2,
    MEMORY = 4,
    ATOMIC = 8,
    BARRIER = 16,
    VOTE = 32,
    SHUFFLE = 64,
    FUNNEL = 128,
    PERMUTE = 256,
    TEST = 512,
    FENCE = 1024,
    PREFETCH = 2048,
    ADDRESS = 4096,
    FLOW = 8192,
    EVERY = 16383,
};
static uint32_t kind_of(enum ptx_op op)
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
    default:
        return ARITHMETIC;
    }
}

enum word_kind {
    WORD_MODE,
    WORD_ROUND,
    WORD_COMPARE,
    WORD_BOOL,
    WORD_FLAG,
    WORD_VECTOR,
    WORD_HINT,   /* of no effect on what is computed */
    WORD_MEMBERS /* .sync of vote, match, shfl: a mask of lanes follows */
};
struct word {
    const char *text;
    enum word_kind kind;
    uint16_t value;
    uint32_t of; /* kinds of operations */
};
/* clang-format off */
static const struct word words[] = {
    { ".lo", WORD_MODE, MODE_LO, ARITHMETIC }, { ".hi", WORD_MODE, MODE_HI, ARITHMETIC },
    { ".wide", WORD_MODE, MODE_WIDE, ARITHMETIC },
    { ".l", WORD_MODE, MODE_L, FUNNEL }, { ".r", WORD_MODE, MODE_R, FUNNEL },
    { ".up", WORD_MODE, MODE_UP, SHUFFLE }, { ".down", WORD_MODE, MODE_DOWN, SHUFFLE },
    { ".bfly", WORD_MODE, MODE_BFLY, SHUFFLE }, { ".idx", WORD_MODE, MODE_IDX, SHUFFLE },
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
    { ".cc", WORD_FLAG, FLAG_CC, ARITHMETIC }, { ".uni", WORD_FLAG, FLAG_UNIFORM, FLOW },
    { ".to", WORD_FLAG, FLAG_TO, ADDRESS }, { ".shiftamt", WORD_FLAG, FLAG_SHIFTAMT, ARITHMETIC },
    { ".clamp", WORD_FLAG, FLAG_CLAMP, FUNNEL }, { ".nc", WORD_FLAG, FLAG_NC, MEMORY },
    { ".volatile", WORD_FLAG, FLAG_VOLATILE, MEMORY | ATOMIC },
    { ".v2", WORD_VECTOR, 2, MEMORY }, { ".v4", WORD_VECTOR, 4, MEMORY },

    { ".sync", WORD_MEMBERS, 0, VOTE | SHUFFLE },
    { ".wrap", WORD_HINT, 0, FUNNEL }, { ".noftz", WORD_HINT, 0, ATOMIC },
    { ".aligned", WORD_HINT, 0, BARRIER }, { ".unified", WORD_HINT, 0, MEMORY | ATOMIC },
    { ".mask", WORD_HINT, 0, 0 },
    { ".weak", WORD_HINT, 0, MEMORY }, { ".relaxed", WORD_HINT, 0, MEMORY | ATOMIC },
    { ".acquire", WORD_HINT, 0, MEMORY | ATOMIC }, { ".release", WORD_HINT, 0, MEMORY | ATOMIC },
    { ".acq_rel", WORD_HINT, 0, ATOMIC | FENCE }, { ".sc", WORD_HINT, 0, FENCE },
    { ".cta", WORD_HINT, 0, MEMORY | ATOMIC | FENCE | BARRIER }, { ".gpu", WORD_HINT, 0, MEMORY | ATOMIC | FENCE },
    { ".sys", WORD_HINT, 0, MEMORY | ATOMIC | FENCE }, { ".gl", WORD_HINT, 0, FENCE },
    { ".ca", WORD_HINT, 0, MEMORY }, { ".cg", WORD_HINT, 0, MEMORY }, { ".cs", WORD_HINT, 0, MEMORY },
    { ".lu", WORD_HINT, 0, MEMORY }, { ".cv", WORD_HINT, 0, MEMORY }, { ".wb", WORD_HINT, 0, MEMORY },
    { ".wt", WORD_HINT, 0, MEMORY }, { ".reuse", WORD_HINT, 0, EVERY },
    { ".L1::no_allocate", WORD_HINT, 0, MEMORY }, { ".L1::evict_first", WORD_HINT, 0, MEMORY },
    { ".L1::evict_last", WORD_HINT, 0, MEMORY }, { ".L1::evict_normal", WORD_HINT, 0, MEMORY },
    { ".L1::evict_unchanged", WORD_HINT, 0, MEMORY }, { ".L2::evict_first", WORD_HINT, 0, MEMORY },
    { ".L2::evict_last", WORD_HINT, 0, MEMORY | PREFETCH }, { ".L2::evict_normal", WORD_HINT, 0, MEMORY | PREFETCH },
    { ".L2::64B", WORD_HINT, 0, MEMORY }, { ".L2::128B", WORD_HINT, 0, MEMORY },
    { ".L2::256B", WORD_HINT, 0, MEMORY },
    { ".L1", WORD_HINT, 0, PREFETCH }, { ".L2", WORD_HINT, 0, PREFETCH },
};
/* clang-format on */
enum { WORDS = sizeof words / sizeof words[0] };

/* ---- An opcode with its words --------------------------------------------------------------
 */

struct opcode {
    struct ptx_build *b;
    struct ptx_inst *inst;
    const char *name;
    uint32_t line, kind, n_type;
    bool members, reduction, spaced;
};

/* The opcode as written. */
static const char *written(const struct opcode *o, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%.40s", o->name);

    for (uint32_t i = 0u; i < o->b->n_word && used < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%.30s", o->b->words[i]);
    }
    return text;
}

static void add_text(char *text, size_t size, const char *word)
{
    const size_t used = strlen(text);

    snprintf(text + used, size - used, "%s%s", used == 0u ? "" : " ", word);
}

static bool refuse(const struct opcode *o, const char *what, const char *allowed)
{
    char text[256];

    return ptx_fail(o->b, o->line, "%s: %s; allowed: %s", written(o, text, sizeof text), what,
                    allowed[0] == '\0' ? "none" : allowed);
}

static bool refuse_word(const struct opcode *o, const char *word)
{
    char allowed[1024] = "";
    char what[80];

    for (uint32_t i = 0u; i < WORDS; i++) {
        if ((words[i].of & o->kind) != 0u) {
            add_text(allowed, sizeof allowed, words[i].text);
        }
    }
    snprintf(what, sizeof what, "%.40s is not supported here", word);
    return refuse(o, what, allowed);
}

static bool set_once(const struct opcode *o, uint8_t *field, uint16_t value, const char *word)
{
    char what[80];

    if (*field != 0u) {
        snprintf(what, sizeof what, "%.40s is one too many", word);
        return refuse(o, what, "one of its kind");
    }
    *field = (uint8_t)value;
    return true;
}

static bool take_known(struct opcode *o, const struct word *word)
{
    struct ptx_inst *const inst = o->inst;

    switch (word->kind) {
    case WORD_MODE:
        if (inst->mode == MODE_WARP_SYNC && word->value == MODE_SYNC) {
            return true;
        }
        return set_once(o, &inst->mode, word->value, word->text);
    case WORD_ROUND:
        return set_once(o, &inst->round, word->value, word->text);
    case WORD_COMPARE:
        return set_once(o, &inst->compare, word->value, word->text);
    case WORD_BOOL:
        return set_once(o, &inst->boolean, word->value, word->text);
    case WORD_FLAG:
        inst->flags |= word->value;
        return true;
    case WORD_VECTOR:
        inst->vector = (uint8_t)word->value;
        return true;
    case WORD_MEMBERS:
        o->members = true;
        return true;
    case WORD_HINT:
        break;
    }
    return true;
}

/* bar.warp.sync, bar.red.popc: two words, one mode. True if this is one of them. */
static bool take_barrier(struct opcode *o, const char *word)
{
    static const struct {
        const char *word;
        uint8_t mode;
    } reductions[] = { { ".and", MODE_RED_AND },
                       { ".or", MODE_RED_OR },
                       { ".popc", MODE_RED_POPC } };

    if (strcmp(word, ".warp") == 0 && o->inst->mode == MODE_NONE) {
        o->inst->mode = MODE_WARP_SYNC;
        return true;
    }
    if (strcmp(word, ".red") == 0) {
        o->reduction = true;
        return true;
    }
    for (uint32_t i = 0u; o->reduction && i < 3u; i++) {
        if (strcmp(word, reductions[i].word) == 0 && o->inst->mode == MODE_NONE) {
            o->inst->mode = reductions[i].mode;
            return true;
        }
    }
    return false;
}

static bool take_word(struct opcode *o, const char *word)
{
    const enum ptx_type type = ptx_find_type(word);
    uint8_t space;

    if (type != PTX_NONE) {
        if (o->n_type == 2u) {
            return refuse(o, "too many types", "two");
        }
        *(o->n_type++ == 0u ? &o->inst->type : &o->inst->source_type) = (uint8_t)type;
        return true;
    }
    if (ptx_find_space(word, &space)
        && (o->kind & (MEMORY | ATOMIC | PREFETCH | ADDRESS)) != 0u) {
        if (o->spaced) {
            return refuse(o, "two state spaces", "one");
        }
        o->spaced = true;
        o->inst->space = space;
        return true;
    }
    if (o->kind == BARRIER && take_barrier(o, word)) {
        return true;
    }
    for (uint32_t i = 0u; i < WORDS; i++) {
        if ((words[i].of & o->kind) != 0u && strcmp(words[i].text, word) == 0) {
            return take_known(o, &words[i]);
        }
    }
    return refuse_word(o, word);
}

/* ---- The table -----------------------------------------------------------------------------
 */

/* Names of what the bits of `allowed` are. */
static void name_modes(uint64_t allowed, char *text, size_t size)
{
    static const struct {
        uint8_t mode;
        const char *text;
    } others[] = { { MODE_NONE, "none" },
                   { MODE_RED_AND, ".red.and" },
                   { MODE_RED_OR, ".red.or" },
                   { MODE_RED_POPC, ".red.popc" },
                   { MODE_WARP_SYNC, ".warp.sync" } };

    for (uint32_t i = 0u; i < WORDS; i++) {
        if (words[i].kind == WORD_MODE && (allowed >> words[i].value & 1u) != 0u) {
            add_text(text, size, words[i].text);
        }
    }
    for (uint32_t i = 0u; i < sizeof others / sizeof others[0]; i++) {
        if ((allowed >> others[i].mode & 1u) != 0u) {
            add_text(text, size, others[i].text);
        }
    }
}

static void name_rounds(uint64_t allowed, char *text, size_t size)
{
    for (uint32_t i = 0u; i < WORDS; i++) {
        if (words[i].kind == WORD_ROUND && (allowed >> words[i].value & 1u) != 0u) {
            add_text(text, size, words[i].text);
        }
    }
    if ((allowed & 1u) != 0u) {
        add_text(text, size, "none");
    }
}

static void name_types(uint64_t allowed, char *text, size_t size)
{
    for (uint32_t i = 0u; i < TYPES; i++) {
        if ((allowed >> i & 1u) != 0u) {
            add_text(text, size, type_names[i]);
        }
    }
}

static void name_flags(uint64_t allowed, char *text, size_t size)
{
    for (uint32_t i = 0u; i < WORDS; i++) {
        if (words[i].kind == WORD_FLAG && (allowed & words[i].value) != 0u) {
            add_text(text, size, words[i].text);
        }
    }
}

/* What is compared with the rows, in this order; an instruction fits a row if all do. */
enum { STEPS = 5 };
static uint64_t allowed_by(const struct ptx_rule *rule, uint32_t step)
{
    const uint64_t allowed[STEPS] = { rule->types, rule->modes, rule->sources, rule->rounds,
                                      rule->flags };

    return allowed[step];
}

static bool fits(const struct ptx_rule *rule, const struct opcode *o, uint32_t steps)
{
    const struct ptx_inst *const inst = o->inst;
    const uint8_t given[STEPS - 1] = { inst->type, inst->mode, inst->source_type, inst->round };

    if (rule->op != inst->op) {
        return false;
    }
    for (uint32_t i = 0u; i < steps; i++) {
        if (i == STEPS - 1 ? (inst->flags & ~rule->flags) != 0
                           : (allowed_by(rule, i) >> given[i] & 1u) == 0u) {
            return false;
        }
    }
    return true;
}

static const struct ptx_rule *find_rule(const struct opcode *o)
{
    static const char *const what[STEPS] = { "type", "mode", "second type", "rounding",
                                             "modifier" };
    static void (*const name[STEPS])(uint64_t, char *, size_t) = { name_types, name_modes,
                                                                   name_types, name_rounds,
                                                                   name_flags };

    for (uint32_t i = 0u; i < ptx_rule_count; i++) {
        if (fits(&ptx_rules[i], o, STEPS)) {
            return &ptx_rules[i];
        }
    }
    for (uint32_t step = 0u; step < STEPS; step++) {
        uint64_t allowed = 0u;
        bool any = false;
        for (uint32_t i = 0u; i < ptx_rule_count; i++) {
            if (fits(&ptx_rules[i], o, step)) {
                allowed |= allowed_by(&ptx_rules[i], step);
                any = any || fits(&ptx_rules[i], o, step + 1u);
            }
        }
        if (!any) {
            char text[512] = "";
            char wrong[40];
            name[step](allowed, text, sizeof text);
            snprintf(wrong, sizeof wrong, "unsupported %s", what[step]);
            refuse(o, wrong, text);
            return NULL;
        }
    }
    refuse(o, "unsupported modifiers together", "fewer");
    return NULL;
}

/* ---- What a table does not say
 * --------------------------------------------------------------- */

static bool is_float(uint8_t type)
{
    return type == PTX_F16 || type == PTX_F32 || type == PTX_F64;
}

static bool check_cvt(const struct opcode *o)
{
    const struct ptx_inst *const i = o->inst;
    const bool to = is_float(i->type);
    const bool from = is_float(i->source_type);
    const bool whole = i->round >= ROUND_RNI && i->round <= ROUND_RPI;
    const bool part = i->round >= ROUND_RN && i->round <= ROUND_RP;
    const uint32_t to_bytes = ptx_type_bytes(i->type);
    const uint32_t from_bytes = ptx_type_bytes(i->source_type);

    if (i->type == PTX_F16X2) {
        return true;
    }
    if (!to && from) {
        return whole || refuse(o, "unsupported rounding", ".rni .rzi .rmi .rpi");
    }
    if (to && (!from || to_bytes < from_bytes)) {
        return part || refuse(o, "unsupported rounding", ".rn .rz .rm .rp");
    }
    if (to && to_bytes == from_bytes) {
        return !part || refuse(o, "unsupported rounding", "none .rni .rzi .rmi .rpi");
    }
    return i->round == ROUND_NONE || refuse(o, "unsupported rounding", "none");
}

static bool check_compare(const struct opcode *o)
{
    const struct ptx_inst *const i = o->inst;
    const uint8_t type = i->op == PTX_SET ? i->source_type : i->type;
    const bool floats = is_float(type) || type == PTX_F16X2;
    const bool is_signed = type >= PTX_S8 && type <= PTX_S64;
    const bool is_bits = type >= PTX_B8 && type <= PTX_B64;

    if (i->compare == CMP_NONE) {
        return refuse(o, "no comparison", ".eq .ne .lt .le .gt .ge and others");
    }
    if (is_bits && i->compare > CMP_NE) {
        return refuse(o, "unsupported comparison", ".eq .ne");
    }
    if (i->compare >= CMP_EQU && !floats) {
        return refuse(o, "unsupported comparison", ".eq .ne .lt .le .gt .ge .lo .ls .hi .hs");
    }
    if (i->compare >= CMP_LO && i->compare <= CMP_HS && (floats || is_signed)) {
        return refuse(o, "unsupported comparison", ".eq .ne .lt .le .gt .ge");
    }
    return (i->flags & FLAG_FTZ) == 0u || type == PTX_F32 || type == PTX_F16
           || type == PTX_F16X2 || refuse(o, "unsupported modifier", "no .ftz");
}

static bool check_space(const struct opcode *o)
{
    const uint8_t op = o->inst->op;
    const uint8_t space = o->inst->space;
    const bool plain = space == SPACE_GLOBAL || space == SPACE_SHARED;

    switch (op) {
    case PTX_ST:
        return space != SPACE_CONST
               || refuse(o, "unsupported state space", ".global .shared .local .param none");
    case PTX_ATOM:
    case PTX_RED:
        return plain || space == SPACE_GENERIC
               || refuse(o, "unsupported state space", ".global .shared none");
    case PTX_LDU:
        return space == SPACE_GLOBAL || space == SPACE_GENERIC
               || refuse(o, "unsupported state space", ".global none");
    case PTX_PREFETCH:
        return space == SPACE_GLOBAL || space == SPACE_GENERIC || space == SPACE_LOCAL
               || refuse(o, "unsupported state space", ".global .local none");
    case PTX_CVTA:
    case PTX_ISSPACEP:
        return plain || space == SPACE_LOCAL
               || refuse(o, "unsupported state space", ".global .shared .local");
    default:
        return true;
    }
}

static bool check_memory(const struct opcode *o)
{
    const struct ptx_inst *const i = o->inst;

    if (i->vector > 1u && i->vector * ptx_type_bytes(i->type) > 16u) {
        return refuse(o, "too large a vector", "16 bytes");
    }
    return (i->flags & FLAG_NC) == 0u || i->space == SPACE_GLOBAL
           || refuse(o, ".nc of another space", ".global.nc");
}

static bool check_flags(const struct opcode *o)
{
    const struct ptx_inst *const i = o->inst;

    switch (i->op) {
    case PTX_MAD:
        if ((i->flags & FLAG_SAT) != 0u && !is_float(i->type)
            && (i->type != PTX_S32 || (i->flags & FLAG_CC) != 0u)) {
            return refuse(o, ".sat of another type", ".hi.sat.s32");
        }
        return (i->flags & FLAG_CC) == 0u || ptx_type_bytes(i->type) >= 4u
               || refuse(o, ".cc of another type", ".u32 .s32 .u64 .s64");
    case PTX_MAD24:
        return (i->flags & FLAG_SAT) == 0u || i->type == PTX_S32
               || refuse(o, ".sat of another type", ".hi.sat.s32");
    case PTX_RCP:
        return i->type != PTX_F64 || ((i->flags & FLAG_FTZ) != 0u) == (i->round == ROUND_APPROX)
               || refuse(o, "unsupported modifiers", ".approx.ftz.f64 .rn.f64");
    case PTX_CVT:
        return check_cvt(o);
    case PTX_SET:
    case PTX_SETP:
        return check_compare(o);
    default:
        return true;
    }
}

/* ---- Instructions
 * ---------------------------------------------------------------------------- */

static bool find_op(const struct opcode *o, uint8_t *op)
{
    static const char *const names[] = {
#define PTX_NAME(identifier, name) name,
        PTX_OPS(PTX_NAME)
#undef PTX_NAME
    };
    char allowed[1024] = "";

    for (uint32_t i = 0u; i < PTX_OP_COUNT; i++) {
        if (strcmp(names[i], o->name) == 0) {
            *op = (uint8_t)i;
            return true;
        }
        add_text(allowed, sizeof allowed, names[i]);
    }
    *op = PTX_BAR;
    return strcmp(o->name, "barrier") == 0 || refuse(o, "an unsupported instruction", allowed);
}

static bool decode(struct opcode *o)
{
    struct ptx_inst *const inst = o->inst;

    if (!find_op(o, &inst->op)) {
        return false;
    }
    inst->vector = 1u;
    o->kind = kind_of(inst->op);
    for (uint32_t i = 0u; i < o->b->n_word; i++) {
        if (!take_word(o, o->b->words[i])) {
            return false;
        }
    }
    return check_space(o) && check_memory(o);
}

static bool take_guard(struct ptx_build *b, struct ptx_guard guard, uint32_t line,
                       struct ptx_inst *inst)
{
    inst->guard = PTX_NO_REGISTER;
    inst->guard_negate = guard.negate;
    inst->line = line;
    if (guard.name == NULL) {
        return true;
    }
    const struct ptx_symbol *const s = ptx_find(b, guard.name);
    if (s == NULL || s->kind != SYMBOL_REGISTER || s->type != PTX_PRED) {
        return ptx_fail(b, line, "@%.80s is no predicate; allowed: registers of type .pred",
                        guard.name);
    }
    inst->guard = (uint16_t)s->number;
    return !b->failed;
}

static struct ptx_node *new_node(struct ptx_build *b)
{
    if (b->n_inst >= PTX_MAX_INSTS) {
        ptx_fail(b, b->line, "too many instructions; allowed: %d", PTX_MAX_INSTS);
        return NULL;
    }
    b->n_inst++;
    PTX_PUSH(b->arena, &b->routine->node, (struct ptx_node){ .scope = b->scope });
    return &b->routine->node.at[b->routine->node.count - 1u];
}

static bool branch(struct opcode *o, struct ptx_node *node, const struct ptx_term *terms)
{
    if (terms == NULL || terms->next != NULL || terms->kind != TERM_NAME || terms->negate
        || terms->value.bits != 0u) {
        return refuse(o, "no label", "one label");
    }
    node->label = terms->name;
    return true;
}

bool ptx_instruction(struct ptx_build *b, struct ptx_guard guard, struct ptx_token name,
                     const struct ptx_term *terms)
{
    char text[256];
    struct ptx_node *const node = new_node(b);
    if (node == NULL) {
        return false;
    }
    struct opcode o = { .b = b, .inst = &node->inst, .name = name.text, .line = name.line };

    if (!take_guard(b, guard, name.line, &node->inst) || !decode(&o)) {
        return false;
    }
    if (node->inst.op == PTX_BRA) {
        return branch(&o, node, terms);
    }
    const struct ptx_rule *const rule = find_rule(&o);
    if (rule == NULL || !check_flags(&o)
        || !ptx_operands(b, node, rule->operands, written(&o, text, sizeof text), terms)) {
        return false;
    }
    const bool given = node->inst.src[node->inst.op == PTX_SHFL ? 3 : 1].kind != OPERAND_NONE;
    if ((node->inst.op == PTX_SHFL || node->inst.op == PTX_VOTE) && given != o.members) {
        return refuse(&o, o.members ? "no mask of lanes" : "a mask of lanes",
                      "a mask with .sync, none without");
    }
    if (node->inst.source_type == PTX_NONE) {
        node->inst.source_type = node->inst.type;
    }
    return true;
}

bool ptx_call(struct ptx_build *b, struct ptx_guard guard, struct ptx_token call,
              struct ptx_call what)
{
    struct ptx_node *const node = new_node(b);
    if (node == NULL) {
        return false;
    }
    struct opcode o = { .b = b, .inst = &node->inst, .name = call.text, .line = call.line };

    if (!take_guard(b, guard, call.line, &node->inst) || !decode(&o)) {
        return false;
    }
    node->call = ptx_alloc(b->arena, sizeof *node->call);
    *node->call = what;
    /* A register of a range may be named here alone. */
    for (const struct ptx_term *t = what.arguments; t != NULL; t = t->next) {
        (void)(t->kind == TERM_NAME ? ptx_find(b, t->name) : NULL);
    }
    for (const struct ptx_term *t = what.results; t != NULL; t = t->next) {
        (void)(t->kind == TERM_NAME ? ptx_find(b, t->name) : NULL);
    }
    return !b->failed;
}

bool ptx_label(struct ptx_build *b, struct ptx_token name)
{
    struct ptx_symbol *const s = ptx_define(b, name.text, name.line, SYMBOL_LABEL);

    if (s == NULL) {
        return false;
    }
    s->number = b->routine->node.count;
    return true;
}

bool ptx_word(struct ptx_build *b, struct ptx_token word)
{
    if (b->n_word == PTX_MAX_WORDS) {
        return ptx_fail(b, word.line, "too many words at %.40s; allowed: %d", word.text,
                        PTX_MAX_WORDS);
    }
    b->words[b->n_word++] = word.text;
    return true;
}
