/*
 * dyncta_oracle - DYNCTA by docs/units/dyncta.md alone. Nothing is counted per period: idle and
 * memory cycles are summed up for ever, and a period is what lies between two readings of the
 * sums. The limit is held between its bounds after each step.
 */

#ifndef DYNCTA_ORACLE_H
#define DYNCTA_ORACLE_H

#include "tb/base/unit_check.h"
#include "units/dyncta.h"

/* All schedulers' cycles so far, without those of an SM that is paused. */
struct dyncta_reading {
    uint64_t cycles, idle, memory;
};

struct dyncta_oracle {
    struct dyncta_config config;
    uint32_t n_max;
    struct dyncta_reading now, began; /* and when the running period began */
    uint32_t limit;
    bool judged;
};

/* A GPU without a kernel. */
void dyncta_oracle_reset(struct dyncta_oracle *oracle);

/* A cycle of the oracle and of the unit, whose outputs are compared; they are returned. */
struct dyncta_out dyncta_oracle_beside(struct dyncta_oracle *oracle, struct dyncta *unit,
                                       const struct dyncta_in *in);

#endif
