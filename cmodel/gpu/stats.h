/* stats - how counts of components become those of gpu_stats.def, for the whole and for a
 * kernel. */

#ifndef STATS_H
#define STATS_H

#include "gpu/base/share.h"

/* Cycles of schedulers, of an SM and of its load/store unit, by class. */
void stats_cycles(const uint64_t schedulers[8], const uint64_t inflight[8],
                  const uint64_t ldst[8], struct gpu_sm_stats *s);
void stats_instructions(const struct issue_counts *issued, struct gpu_sm_stats *s);
void stats_locality(const struct locality_counts *l, struct gpu_cluster_stats *c);
void stats_l2_cycles(const uint64_t cycles[8], struct gpu_l2_stats *s);

#endif
