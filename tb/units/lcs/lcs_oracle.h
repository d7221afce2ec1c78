/*
 * lcs_oracle - lazy CTA scheduling by docs/units/lcs.md alone, as a definition over what has
 * happened: how much each CTA of the kernel has issued, and in which cycle the first one ended.
 * Tnew is a quotient, and when it is known follows from it.
 */

#ifndef LCS_ORACLE_H
#define LCS_ORACLE_H

#include "tb/base/unit_check.h"
#include "units/lcs.h"

struct lcs_oracle {
    struct lcs_config config;
    uint32_t n_max;                  /* 0 before the first kernel */
    bool has_cta[lcs_max_n_slot];    /* of the kernel, in this slot */
    uint64_t issued[lcs_max_n_slot]; /* by it */
    uint64_t total;
    uint64_t now;   /* cycle */
    bool has_ended; /* a CTA of the kernel */
    uint64_t ended; /* when */
    uint64_t first; /* what that one has issued */
    uint32_t rounding;
};

void lcs_oracle_reset(struct lcs_oracle *oracle);

/* The quotient rounded up, as far as Tmax; and as `rounding` says. */
uint32_t lcs_oracle_steps(const struct lcs_oracle *oracle);
uint32_t lcs_oracle_n_new(const struct lcs_oracle *oracle);

/* One cycle. Returns the outputs. */
struct lcs_out lcs_oracle_cycle(struct lcs_oracle *oracle, const struct lcs_in *in);

/* A cycle of the oracle and of the unit, whose outputs are compared. */
struct lcs_out lcs_oracle_beside(struct lcs_oracle *oracle, struct lcs *unit,
                                 const struct lcs_in *in);

#endif
