/*
 * ptx_constants - which loads of constants and parameters machine code has as operands.
 *
 * An instruction of the machine may read one word of constant memory, whose address stands in
 * it, as an operand. So a load needs no instruction if its address is known here, it is not
 * guarded, nothing else writes its registers, and all that reads them is arithmetic, a move
 * included, which has no other such operand. What the compiler of the machine knows and PTX
 * does not say is not seen: an index that is a number only when a loop is unrolled.
 */

#include "ptx/analyse/ptx_analysis.h"

enum { MOST_BYTES = 16 };

/* Of each register: how often it is written, and where it is read. */
struct uses {
    uint32_t *writes;
    uint32_t *first;     /* by register: its first use, and 1 more; 0: none */
    uint32_t *next, *by; /* by use: the register's next one; the instruction */
    bool *elsewhere;     /* by register: read by what takes no operand */
    bool *taken;         /* by instruction: it has an operand */
};

static bool takes_operand(const struct ptx_inst *i)
{
    switch (i->op) {
    case PTX_MATCH:
    case PTX_VOTE:
    case PTX_BRX:
    case PTX_NANOSLEEP:
        return false;
    default:
        return i->timing.op < OP_LOAD;
    }
}

static bool uses_open(struct uses *u, const struct ptx_function *f, struct ptx_scratch *scratch)
{
    const size_t most = (size_t)f->n_inst * PTX_MAX_SOURCES + 1u;
    u->writes = ptx_scratch(scratch, f->n_register + 1u, sizeof *u->writes);
    u->first = ptx_scratch(scratch, f->n_register + 1u, sizeof *u->first);
    u->elsewhere = ptx_scratch(scratch, f->n_register + 1u, sizeof *u->elsewhere);
    u->next = ptx_scratch(scratch, most, sizeof *u->next);
    u->by = ptx_scratch(scratch, most, sizeof *u->by);
    u->taken = ptx_scratch(scratch, f->n_inst + 1u, sizeof *u->taken);
    return !scratch->failed;
}

static void uses_fill(struct uses *u, const struct ptx_function *f)
{
    uint32_t n = 0u;
    for (uint32_t k = 0u; k < f->n_inst; k++) {
        const struct ptx_inst *const i = &f->inst[k];
        for (uint32_t d = 0u; d < i->n_dst; d++) {
            if (i->dst[d].kind == OPERAND_REGISTER) {
                u->writes[i->dst[d].reg]++;
            }
        }
        for (uint32_t s = 0u; s < i->n_src; s++) {
            const struct ptx_operand *const o = &i->src[s];
            if (ptx_names_register(o)) {
                u->by[n] = k;
                u->next[n] = u->first[o->reg];
                u->first[o->reg] = ++n;
                u->elsewhere[o->reg] |= o->kind == OPERAND_ADDRESS || !takes_operand(i);
            }
        }
    }
}

static bool address_known(const struct ptx_inst *i)
{
    const uint32_t vector = i->vector > 1u ? i->vector : 1u;
    return i->op == PTX_LD && (i->space == SPACE_CONST || i->space == SPACE_PARAM)
           && i->src[0].reg == PTX_NO_REGISTER && i->guard == PTX_NO_REGISTER
           && ptx_type_bytes(i->type) * vector <= MOST_BYTES;
}

/* May this register be an operand wherever it is read? */
static bool may_be_operand(const struct uses *u, uint32_t reg)
{
    bool may = u->writes[reg] == 1u && u->first[reg] != 0u && !u->elsewhere[reg];
    for (uint32_t use = u->first[reg]; may && use != 0u; use = u->next[use - 1u]) {
        may = !u->taken[u->by[use - 1u]];
    }
    return may;
}

/* The instructions that read it have an operand, or have none any more. */
static void take(const struct uses *u, uint32_t reg)
{
    for (uint32_t use = u->first[reg]; use != 0u; use = u->next[use - 1u]) {
        u->taken[u->by[use - 1u]] = true;
    }
}

bool ptx_constants(struct ptx_function *f, struct ptx_scratch *scratch)
{
    struct uses u;
    if (!uses_open(&u, f, scratch)) {
        return false;
    }
    uses_fill(&u, f);
    for (uint32_t k = 0u; k < f->n_inst; k++) {
        struct ptx_inst *const i = &f->inst[k];
        bool may = address_known(i);
        for (uint32_t d = 0u; may && d < i->n_dst; d++) {
            may = i->dst[d].kind == OPERAND_REGISTER && may_be_operand(&u, i->dst[d].reg);
        }
        for (uint32_t d = 0u; may && d < i->n_dst; d++) {
            take(&u, i->dst[d].reg);
        }
        i->timing.flags |= may ? OPERAND : 0u;
    }
    return true;
}
