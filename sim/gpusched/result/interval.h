/* interval - what a run counted between two samples; what timeline and series are made of. */

#ifndef INTERVAL_H
#define INTERVAL_H

#include <stdbool.h>

#include "gpu/gpu.h"

struct interval {
    uint64_t from; /* first core cycle */
    uint64_t to;   /* cycle after the last */
    uint64_t dram_cycles;
    uint32_t n_sm, n_dram;
    uint32_t schedulers;       /* of an SM */
    struct gpu_sm_stats *each; /* SM */
    struct gpu_sm_stats sm;    /* all SMs together, as below */
    struct gpu_noc_stats noc[2];
    struct gpu_l2_stats l2;
    struct gpu_dram_stats dram;
    uint64_t warps[GPU_WARP_STATES]; /* in each state, at the end */
    /* Counted up to `from`. */
    struct gpu_sm_stats *sm_before;
    struct gpu_noc_stats noc_before[2];
    struct gpu_l2_stats l2_before;
    struct gpu_dram_stats dram_before;
    uint64_t dram_cycles_before;
};

bool interval_open(struct interval *interval, const struct gpu_config *config);
void interval_close(struct interval *interval);

/* Makes it the interval from the last call to `cycle`. False if that has no cycles. */
bool interval_next(struct interval *interval, struct gpu *gpu, uint64_t cycle);

#endif
