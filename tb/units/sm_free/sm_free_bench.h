/* sm_free_bench - SMs that are given CTAs and see them end, for sm_free's tests. */

#ifndef SM_FREE_BENCH_H
#define SM_FREE_BENCH_H

#include "tb/base/unit_check.h"
#include "units/sm_free.h"

/* Too large for the stack of some systems. */
struct sm_free_bench {
    struct sm_free unit;
    struct sm_free_in in; /* launch_valid, started and ended are for one cycle */
    struct sm_free_out out;
    struct sm_free_next next;
};

void sm_free_bench_open(struct sm_free_bench *bench, struct sm_free_config config);
void sm_free_bench_cycle(struct sm_free_bench *bench);

/* A cycle in which a slot gets a kernel. */
void sm_free_bench_launch(struct sm_free_bench *bench, uint32_t slot, uint32_t registers,
                          uint32_t shared, uint32_t warps);

/* In the next cycle a CTA of the slot starts on the SM, or ends there. */
void sm_free_bench_start(struct sm_free_bench *bench, uint32_t sm, uint32_t slot);
void sm_free_bench_end(struct sm_free_bench *bench, uint32_t sm, uint32_t slot);

#endif
