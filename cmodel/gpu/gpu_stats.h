/*
 * gpu_stats - everything that a run counts. gpu_stats.def has a row for each count.
 */

#ifndef GPU_STATS_H
#define GPU_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "gpu/gpu_record.h"
#include "gpu/units/sockets.h"

#define GPU_COUNT(name, unit, meaning) uint64_t name;

struct gpu_sm_stats { /* An SM */
#define COUNT_sm GPU_COUNT
#include "gpu/gpu_stats.def"
};

struct gpu_cluster_stats { /* A cluster's port */
#define COUNT_cluster GPU_COUNT
#include "gpu/gpu_stats.def"
};

struct gpu_noc_stats { /* A direction of the NoC */
#define COUNT_noc GPU_COUNT
#include "gpu/gpu_stats.def"
};

struct gpu_l2_stats { /* An L2 slice */
#define COUNT_l2 GPU_COUNT
#include "gpu/gpu_stats.def"
};

struct gpu_dram_stats { /* A DRAM partition */
#define COUNT_dram GPU_COUNT
#include "gpu/gpu_stats.def"
};

#undef GPU_COUNT

/* What limits the CTAs of each SM. */
enum gpu_throttle {
#define THROTTLE(unit, decides, samples) THROTTLE_##unit,
#include "gpu/units/sockets.def"
    GPU_THROTTLES
};
extern const char *const gpu_throttle_names[GPU_THROTTLES];

/* Of a kernel and one of them, summed over SMs; all are 0 without it. */
struct gpu_throttle_stats {
    uint64_t sms;         /* on which it has begun: whenever the kernel comes to issue CTAs */
    uint64_t decided;     /* of these, on which it has come to its end */
    uint64_t ctas;        /* of an SM: the last limits */
    uint64_t least, most; /* limits of any of them; of LCS, which decides once, those decided */
    uint64_t periods;     /* that were sampled and judged */
    uint64_t limits;      /* CTAs: those that followed periods */
    uint64_t sms_at[GPU_MAX_CTAS + 1]; /* SMs whose last limit is so many CTAs; 0: has none */
};

/* ---- The table at run time ----------------------------------------------------------- */

struct gpu_count {
    const char *name;
    const char *unit; /* "" for plain numbers */
    const char *meaning;
    size_t offset; /* of a uint64_t in the group's struct */
};

/* Ends with a row whose name is NULL. */
extern const struct gpu_count gpu_sm_counts[];
extern const struct gpu_count gpu_cluster_counts[];
extern const struct gpu_count gpu_noc_counts[];
extern const struct gpu_count gpu_l2_counts[];
extern const struct gpu_count gpu_dram_counts[];

/* The value of a row in one member of its group. */
static inline uint64_t gpu_count_of(const struct gpu_count *row, const void *stats)
{
    return *(const uint64_t *)(const void *)((const char *)stats + row->offset);
}

#endif
