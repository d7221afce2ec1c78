/*
 * share - what of all that is counted belongs to one kernel, or to none. Who counts in a
 * component counts here too: a warp, a memory instruction, a packet and a request to DRAM know
 * the share of their kernel. stats_share.c makes struct gpu_share of it.
 */

#ifndef SHARE_H
#define SHARE_H

#include "gpu/base/blocks.h"
#include "gpu/gpu.h"
#include "gpu/mem/locality.h"

struct share {
    /* Cycles by class, to which struct classes points. */
    uint64_t cycles[8], inflight[8], ldst[8], request[8], l2_cycles[8];
    struct issue_counts issued;
    uint64_t passes, writes, atomics, fills, local, local_hit, local_write, written_back,
        miss_latency, miss_overlapped, code_latency, ctas, warps, resident;
    uint64_t hit[PATHS], miss[PATHS], merge[PATHS]; /* of the caches of SMs */
    uint64_t searches;                              /* of clusters' merge tables */
    struct locality_counts locality;
    /* Their cycles by class, and locality, are above. */
    struct gpu_cluster_stats cluster;
    struct gpu_noc_stats noc[2];
    struct gpu_l2_stats l2;
    struct gpu_dram_stats dram;
};

#endif
