/* ptx_rule - decoded opcodes against the table of what is allowed; see ptx_opcode.h. */

#include <stdio.h>

#include "ptx/read/ptx_opcode.h"

/* ---- The table ----------------------------------------------------------------------- */

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

    for (uint32_t i = 0u; i < ptx_word_count; i++) {
        if (ptx_words[i].kind == WORD_MODE && (allowed >> ptx_words[i].value & 1u) != 0u) {
            ptx_add_text(text, size, ptx_words[i].text);
        }
    }
    for (uint32_t i = 0u; i < sizeof others / sizeof others[0]; i++) {
        if ((allowed >> others[i].mode & 1u) != 0u) {
            ptx_add_text(text, size, others[i].text);
        }
    }
}

static void name_rounds(uint64_t allowed, char *text, size_t size)
{
    for (uint32_t i = 0u; i < ptx_word_count; i++) {
        if (ptx_words[i].kind == WORD_ROUND && (allowed >> ptx_words[i].value & 1u) != 0u) {
            ptx_add_text(text, size, ptx_words[i].text);
        }
    }
    if ((allowed & 1u) != 0u) {
        ptx_add_text(text, size, "none");
    }
}

static void name_types(uint64_t allowed, char *text, size_t size)
{
    for (uint32_t i = 0u; i <= PTX_PRED; i++) {
        if ((allowed >> i & 1u) != 0u) {
            char word[16];
            snprintf(word, sizeof word, "%s%s", i == PTX_NONE ? "" : ".",
                     ptx_type_name((enum ptx_type)i));
            ptx_add_text(text, size, word);
        }
    }
}

static void name_flags(uint64_t allowed, char *text, size_t size)
{
    for (uint32_t i = 0u; i < ptx_word_count; i++) {
        if (ptx_words[i].kind == WORD_FLAG && (allowed & ptx_words[i].value) != 0u) {
            ptx_add_text(text, size, ptx_words[i].text);
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

static bool fits(const struct ptx_rule *rule, const struct ptx_opcode *o, uint32_t steps)
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

const struct ptx_rule *ptx_find_rule(const struct ptx_opcode *o)
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
            ptx_refuse_opcode(o, wrong, text);
            return NULL;
        }
    }
    ptx_refuse_opcode(o, "unsupported modifiers together", "fewer");
    return NULL;
}

/* ---- What a table does not say ------------------------------------------------------- */

static bool is_float(uint8_t type)
{
    return type == PTX_F16 || type == PTX_F32 || type == PTX_F64;
}

static bool check_cvt(const struct ptx_opcode *o)
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
        return whole || ptx_refuse_opcode(o, "unsupported rounding", ".rni .rzi .rmi .rpi");
    }
    if (to && (!from || to_bytes < from_bytes)) {
        return part || ptx_refuse_opcode(o, "unsupported rounding", ".rn .rz .rm .rp");
    }
    if (to && to_bytes == from_bytes) {
        return !part
               || ptx_refuse_opcode(o, "unsupported rounding", "none .rni .rzi .rmi .rpi");
    }
    return i->round == ROUND_NONE || ptx_refuse_opcode(o, "unsupported rounding", "none");
}

static bool check_compare(const struct ptx_opcode *o)
{
    const struct ptx_inst *const i = o->inst;
    const uint8_t type = i->op == PTX_SET ? i->source_type : i->type;
    const bool floats = is_float(type) || type == PTX_F16X2;
    const bool is_signed = type >= PTX_S8 && type <= PTX_S64;
    const bool is_bits = type >= PTX_B8 && type <= PTX_B64;

    if (i->compare == CMP_NONE) {
        return ptx_refuse_opcode(o, "no comparison", ".eq .ne .lt .le .gt .ge and others");
    }
    if (is_bits && i->compare > CMP_NE) {
        return ptx_refuse_opcode(o, "unsupported comparison", ".eq .ne");
    }
    if (i->compare >= CMP_EQU && !floats) {
        return ptx_refuse_opcode(o, "unsupported comparison",
                                 ".eq .ne .lt .le .gt .ge .lo .ls .hi .hs");
    }
    if (i->compare >= CMP_LO && i->compare <= CMP_HS && (floats || is_signed)) {
        return ptx_refuse_opcode(o, "unsupported comparison", ".eq .ne .lt .le .gt .ge");
    }
    return (i->flags & FLAG_FTZ) == 0u || type == PTX_F32 || type == PTX_F16
           || type == PTX_F16X2 || ptx_refuse_opcode(o, "unsupported modifier", "no .ftz");
}

bool ptx_check_space(const struct ptx_opcode *o)
{
    const uint8_t op = o->inst->op;
    const uint8_t space = o->inst->space;
    const bool plain = space == SPACE_GLOBAL || space == SPACE_SHARED;

    switch (op) {
    case PTX_ST:
        return space != SPACE_CONST
               || ptx_refuse_opcode(o, "unsupported state space",
                                    ".global .shared .local .param none");
    case PTX_ATOM:
    case PTX_RED:
        return plain || space == SPACE_GENERIC
               || ptx_refuse_opcode(o, "unsupported state space", ".global .shared none");
    case PTX_LDU:
        return space == SPACE_GLOBAL || space == SPACE_GENERIC
               || ptx_refuse_opcode(o, "unsupported state space", ".global none");
    case PTX_PREFETCH:
        return space == SPACE_GLOBAL || space == SPACE_GENERIC || space == SPACE_LOCAL
               || ptx_refuse_opcode(o, "unsupported state space", ".global .local none");
    case PTX_CVTA:
    case PTX_ISSPACEP:
        return plain || space == SPACE_LOCAL || space == SPACE_CONST
               || ptx_refuse_opcode(o, "unsupported state space",
                                    ".global .shared .local .const");
    default:
        return true;
    }
}

bool ptx_check_memory(const struct ptx_opcode *o)
{
    const struct ptx_inst *const i = o->inst;

    if (i->vector > 1u && i->vector * ptx_type_bytes(i->type) > 16u) {
        return ptx_refuse_opcode(o, "too large a vector", "16 bytes");
    }
    return (i->flags & FLAG_NC) == 0u || i->space == SPACE_GLOBAL
           || ptx_refuse_opcode(o, ".nc of another space", ".global.nc");
}

bool ptx_check_flags(const struct ptx_opcode *o)
{
    const struct ptx_inst *const i = o->inst;

    switch (i->op) {
    case PTX_MAD:
        if ((i->flags & FLAG_SAT) != 0u && !is_float(i->type)
            && (i->type != PTX_S32 || (i->flags & FLAG_CC) != 0u)) {
            return ptx_refuse_opcode(o, ".sat of another type", ".hi.sat.s32");
        }
        return (i->flags & FLAG_CC) == 0u || ptx_type_bytes(i->type) >= 4u
               || ptx_refuse_opcode(o, ".cc of another type", ".u32 .s32 .u64 .s64");
    case PTX_MAD24:
        return (i->flags & FLAG_SAT) == 0u || i->type == PTX_S32
               || ptx_refuse_opcode(o, ".sat of another type", ".hi.sat.s32");
    case PTX_RCP:
        return i->type != PTX_F64 || ((i->flags & FLAG_FTZ) != 0u) == (i->round == ROUND_APPROX)
               || ptx_refuse_opcode(o, "unsupported modifiers", ".approx.ftz.f64 .rn.f64");
    case PTX_CVT:
        return check_cvt(o);
    case PTX_SET:
    case PTX_SETP:
        return check_compare(o);
    default:
        return true;
    }
}
