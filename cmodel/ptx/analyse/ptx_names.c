/* ptx_names - the registers that an instruction reads and writes. */

#include "ptx/analyse/ptx_analysis.h"

static void add_name(struct ptx_names *names, uint16_t reg)
{
    if (reg != PTX_NO_REGISTER) {
        names->reg[names->n++] = reg;
    }
}

bool ptx_names_register(const struct ptx_operand *o)
{
    return (o->kind == OPERAND_REGISTER || o->kind == OPERAND_ADDRESS)
           && o->reg != PTX_NO_REGISTER;
}

struct ptx_names ptx_reads(const struct ptx_inst *i)
{
    struct ptx_names names = { .n = 0u };
    add_name(&names, i->guard);
    for (uint32_t k = 0u; k < i->n_src; k++) {
        if (ptx_names_register(&i->src[k])) {
            add_name(&names, i->src[k].reg);
        }
    }
    return names;
}

struct ptx_names ptx_writes(const struct ptx_inst *i)
{
    struct ptx_names names = { .n = 0u };
    for (uint32_t k = 0u; k < i->n_dst; k++) {
        if (i->dst[k].kind == OPERAND_REGISTER) {
            add_name(&names, i->dst[k].reg);
        }
    }
    return names;
}
