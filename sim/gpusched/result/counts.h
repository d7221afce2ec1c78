/* counts - the groups of gpu_stats.def, so that reports can loop over all that is counted. */

#ifndef COUNTS_H
#define COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "gpu/gpu.h"

struct count_group {
    const char *name; /* as in gpu_stats.def: "sm" */
    const char *of;   /* "each SM" */
    const struct gpu_count *counts;
    size_t size; /* of a member's struct */
};

enum { COUNT_GROUPS = 5 };
extern const struct count_group count_groups[COUNT_GROUPS];

/* The array of a group's members in stats; *n is how many. */
const void *count_members(const struct count_group *group, const struct gpu_stats *stats,
                          uint32_t *n);

/* Adds a member to a struct of totals. */
void counts_add(const struct gpu_count *counts, void *total, const void *member);

/* A row's sum over the members. */
uint64_t count_total(const struct gpu_count *row, const struct count_group *group,
                     const struct gpu_stats *stats);

/* The first rows of the SM group: what became of a scheduler cycle. */
enum { SCHEDULER_CLASSES = 7 };

#endif
