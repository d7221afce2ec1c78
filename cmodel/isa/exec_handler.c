/* exec_handler - which handler an instruction has. */

#include <fenv.h>

#include "exec_lanes.h"

int host_rounding(enum ptx_round round)
{
    switch (round) {
    case ROUND_RZ:
    case ROUND_RZI:
        return FE_TOWARDZERO;
    case ROUND_RM:
    case ROUND_RMI:
        return FE_DOWNWARD;
    case ROUND_RP:
    case ROUND_RPI:
        return FE_UPWARD;
    default:
        return FE_TONEAREST;
    }
}

exec_handler *exec_alu_handler(const struct ptx_inst *i, const char **why)
{
    exec_handler *handler = alu_bits(i);
    *why = "an operation on registers, of the types that PTX has for it";
    if (handler != NULL) {
        return handler;
    }
    switch (i->op) {
    case PTX_CVT:
        return alu_convert(i);
    case PTX_SETP:
    case PTX_SET:
    case PTX_TESTP:
        return alu_compare(i);
    default:
        break;
    }
    switch (i->type) {
    case PTX_F32:
    case PTX_F64:
        return alu_float(i);
    case PTX_F16:
    case PTX_F16X2:
        return alu_half(i);
    default:
        return alu_integer(i);
    }
}
