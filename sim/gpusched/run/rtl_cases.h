/*
 * rtl_cases - what a run has met in the units that have RTL beside them: the cases in which a
 * mistake would show. Counted from the golden models, before the clock edge.
 */

#ifndef RTL_CASES_H
#define RTL_CASES_H

#include <stdint.h>
#include <stdio.h>

#include "units/cluster_port.h"
#include "units/work_distributor.h"

/* X(identifier, text): those of the work distributor, then those of the clusters' ports. */
#define RTL_CASES(X)                                                      \
    X(CASE_OTHER_POOL, "CTAs drawn from another cluster's pool")          \
    X(CASE_ADOPTED, "CTAs adopted from a cluster without SMs")            \
    X(CASE_SLOT, "CTAs of kernels in slots 4 and up")                     \
    X(CASE_BLOCK, "blocks of several CTAs")                               \
    X(CASE_FULL, "reads that find the merge table full")                  \
    X(CASE_CLOSED, "reads that find their line's entry closed")           \
    X(CASE_JOINED, "reads that join in the cycle of the answer")          \
    X(CASE_REPLACED, "lines that replace another in the coalesced cache") \
    X(CASE_WRITTEN, "lines of the coalesced cache that are written over")

enum rtl_case {
#define RTL_CASE(identifier, text) identifier,
    RTL_CASES(RTL_CASE)
#undef RTL_CASE
        CASE_COUNT,
    CASE_FIRST_OF_PORT = CASE_FULL
};

struct rtl_cases {
    uint64_t met[CASE_COUNT];
};

void rtl_cases_of_distributor(struct rtl_cases *cases, const struct work_distributor *unit,
                              const struct work_distributor_in *in,
                              const struct work_distributor_out *out);
void rtl_cases_of_port(struct rtl_cases *cases, const struct cluster_port *unit,
                       const struct cluster_port_in *in, const struct cluster_port_out *out);

/* A row each; ports: those of the clusters' ports, too. */
void rtl_cases_print(const struct rtl_cases *cases, bool ports, FILE *to);

#endif
