/* exec_alu - the group of each operation; see exec_alu.h. */

#include "exec/alu/exec_alu.h"

static exec_alu_group *arithmetic(const struct ptx_inst *i)
{
    if (alu_is_half(i->type)) {
        return exec_alu_half;
    }
    if (!alu_is_float(i->type)) {
        return (i->flags & FLAG_CC) != 0u ? exec_alu_carry : exec_alu_integer;
    }
    return alu_is_directed(i) ? exec_alu_directed : exec_alu_float;
}

static exec_alu_group *inexact(const struct ptx_inst *i)
{
    if (alu_is_half(i->type)) {
        return exec_alu_half;
    }
    return i->round == ROUND_APPROX || i->round == ROUND_FULL ? exec_alu_approx : arithmetic(i);
}

static exec_alu_group *group_of(const struct ptx_inst *i)
{
    switch (i->op) {
    case PTX_ABS:
    case PTX_ADD:
    case PTX_FMA:
    case PTX_MAD:
    case PTX_MAX:
    case PTX_MIN:
    case PTX_MUL:
    case PTX_NEG:
    case PTX_SUB:
        return arithmetic(i);
    case PTX_DIV:
    case PTX_RCP:
    case PTX_SQRT:
    case PTX_RSQRT:
    case PTX_SIN:
    case PTX_COS:
    case PTX_LG2:
    case PTX_EX2:
    case PTX_TANH:
        return inexact(i);
    case PTX_COPYSIGN:
        return exec_alu_float;
    case PTX_MAD24:
    case PTX_MUL24:
    case PTX_REM:
    case PTX_SAD:
        return exec_alu_integer;
    case PTX_ADDC:
    case PTX_MADC:
    case PTX_SUBC:
        return exec_alu_carry;
    case PTX_AND:
    case PTX_OR:
    case PTX_XOR:
    case PTX_NOT:
        return i->type == PTX_PRED ? exec_alu_move : exec_alu_bits;
    case PTX_BFE:
    case PTX_BFI:
    case PTX_BFIND:
    case PTX_BMSK:
    case PTX_BREV:
    case PTX_CLZ:
    case PTX_CNOT:
    case PTX_LOP3:
    case PTX_POPC:
    case PTX_SZEXT:
        return exec_alu_bits;
    case PTX_DP2A:
    case PTX_DP4A:
    case PTX_FNS:
    case PTX_PRMT:
    case PTX_SHF:
    case PTX_SHL:
    case PTX_SHR:
        return exec_alu_shift;
    case PTX_SET:
    case PTX_SETP:
        return exec_alu_compare;
    case PTX_SELP:
    case PTX_SLCT:
    case PTX_TESTP:
        return exec_alu_select;
    case PTX_CVTA:
    case PTX_ISSPACEP:
    case PTX_MOV:
        return exec_alu_move;
    case PTX_CVT:
        return exec_alu_cvt;
    default:
        return NULL;
    }
}

/* What writes _ and nothing else. */
static void nothing(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    (void)w;
    (void)i;
    (void)lanes;
}

exec_handler *exec_alu_handler(const struct ptx_inst *i, const char **why)
{
    exec_alu_group *const group = group_of(i);
    if (group == NULL) {
        *why = "no operation on registers alone";
        return NULL;
    }
    exec_handler *const handler = group(i, why);
    /* Groups that write more than one place, or the carry, look at each themselves. */
    const bool one = group != exec_alu_carry && group != exec_alu_compare && i->n_dst < 2u;
    return handler != NULL && one && i->dst[0].kind == OPERAND_SINK ? nothing : handler;
}
