/*
 * kdu_oracle - what the page of the kernel distributor unit says, with each entry as what is
 * left of it, and a list of what becomes of it when.
 */

#ifndef KDU_ORACLE_H
#define KDU_ORACLE_H

#include "units/kdu.h"

struct kdu_oracle_entry {
    uint64_t tag;
    int64_t left;  /* thread blocks; 0: it is free */
    int64_t ended; /* that ended in the last cycle */
    uint64_t age;  /* of how many admissions it is */
};

struct kdu_oracle {
    struct kdu_config config;
    struct kdu_oracle_entry entry[kdu_max_n_kernel];
    uint64_t admissions;
    uint32_t wait; /* cycles until the answer, 2 and 1; 0: no group */
    bool found, fits;
    uint32_t slot; /* that was found, and the admission that it was of */
    uint64_t age;
    uint32_t tbs;
    bool error, gave_up;
    struct bits freed;
};

void kdu_oracle_open(struct kdu_oracle *oracle, const struct kdu_config *config);
void kdu_oracle_show(const struct kdu_oracle *oracle, struct kdu_out *out);

/* A rising edge. */
void kdu_oracle_edge(struct kdu_oracle *oracle, const struct kdu_in *in);

#endif
