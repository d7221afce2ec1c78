/*
 * kdu_bench - the kernel distributor unit's golden model beside the oracle, each cycle of the
 * one held against the other.
 */

#ifndef KDU_BENCH_H
#define KDU_BENCH_H

#include "tb/base/unit_check.h"
#include "tb/units/kdu/kdu_oracle.h"

struct kdu_bench {
    struct kdu unit;
    struct kdu_oracle oracle;
};

void kdu_bench_open(struct kdu_bench *bench, struct kdu_config config);

/* One whole cycle. A unit that says that it is quiet keeps its state. */
void kdu_bench_cycle(struct kdu_bench *bench, const struct kdu_in *in, struct kdu_out *out);

#endif
