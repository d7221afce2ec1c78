/* exec_special - special registers: who a thread is, and what time it is. */

#include "exec/exec_run.h"

/* Of those that differ between lanes. */
static uint32_t lane_value(const struct exec_run *r, uint32_t special, uint32_t thread)
{
    const uint32_t *const block = r->launch->block;
    const uint32_t lane = thread % WARP_SIZE;
    switch (special) {
    case SREG_TID_X:
        return thread % block[0];
    case SREG_TID_Y:
        return thread / block[0] % block[1];
    case SREG_TID_Z:
        return thread / block[0] / block[1];
    case SREG_LANEID:
        return lane;
    case SREG_LANEMASK_EQ:
        return 1u << lane;
    case SREG_LANEMASK_LE:
        return (2u << lane) - 1u;
    case SREG_LANEMASK_LT:
        return (1u << lane) - 1u;
    case SREG_LANEMASK_GE:
        return ~((1u << lane) - 1u);
    default: /* SREG_LANEMASK_GT */
        return ~((2u << lane) - 1u);
    }
}

static uint32_t warp_value(const struct exec_run *r, uint32_t special, uint32_t warp)
{
    const struct exec_launch *const g = r->launch;
    switch (special) {
    case SREG_NTID_X:
    case SREG_NTID_Y:
    case SREG_NTID_Z:
        return g->block[special - SREG_NTID_X];
    case SREG_CTAID_X:
    case SREG_CTAID_Y:
    case SREG_CTAID_Z:
        return r->at[special - SREG_CTAID_X];
    case SREG_NCTAID_X:
    case SREG_NCTAID_Y:
    case SREG_NCTAID_Z:
        return g->grid[special - SREG_NCTAID_X];
    case SREG_WARPID:
        return warp;
    case SREG_NWARPID:
        return r->warps;
    case SREG_NSMID: /* a CTA does not know where it executes */
        return 1u;
    case SREG_DYNAMIC_SMEM_SIZE:
        return g->dynamic_shared;
    case SREG_TOTAL_SMEM_SIZE:
        return r->shared_bytes;
    default: /* clocks are set when they are read */
        return 0u;
    }
}

static bool differs(uint32_t special)
{
    return special <= SREG_TID_Z || special == SREG_LANEID
           || (special >= SREG_LANEMASK_EQ && special <= SREG_LANEMASK_GT);
}

void exec_fill_specials(const struct exec_run *r, struct run_warp *w)
{
    for (uint32_t special = 0u; special < SREG_COUNT; special++) {
        const uint32_t row = r->function->special_row[special];
        if (row == UINT32_MAX || special == SREG_CLOCK64 || special == SREG_GLOBALTIMER) {
            continue;
        }
        uint32_t *const to = (uint32_t *)(void *)(w->w.rows + row);
        const bool each = differs(special);
        const uint32_t same = each ? 0u : warp_value(r, special, w->number);
        for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
            to[lane] = each ? lane_value(r, special, w->number * WARP_SIZE + lane) : same;
        }
    }
}

/* Of the cycle in which the instruction is issued; without timing a clock counts the warp's own
 * instructions. */
void exec_tick(const struct exec_run *r, struct run_warp *w)
{
    static const uint8_t clocks[] = { SREG_CLOCK, SREG_CLOCK64, SREG_GLOBALTIMER };
    const uint64_t cycles = r->streams ? r->cycle : w->executed;
    for (uint32_t k = 0u; k < 3u; k++) {
        const uint32_t row = r->function->special_row[clocks[k]];
        const bool timer = clocks[k] == SREG_GLOBALTIMER && r->streams;
        const uint64_t value = timer ? cycles * 1000u / r->launch->mhz : cycles;
        for (uint32_t lane = 0u; row != UINT32_MAX && lane < WARP_SIZE; lane++) {
            if (clocks[k] == SREG_CLOCK) {
                ((uint32_t *)(void *)(w->w.rows + row))[lane] = (uint32_t)value;
            } else {
                ((uint64_t *)(void *)(w->w.rows + row))[lane] = value;
            }
        }
    }
}
