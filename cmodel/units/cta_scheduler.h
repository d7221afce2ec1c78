/*
 * cta_scheduler - which SM gets the next CTAs of a kernel, and which CTAs.
 *
 * Golden model of cta_scheduler.v, whose header repeats the sections below. Fields and their
 * meaning: cta_scheduler_ports.def; types and functions: unit.h.
 *
 * Contract
 *   SM s is in cluster s / cluster_sm, with rank s % cluster_sm. The last clusters may have
 *   fewer SMs, or none. At most one block of CTAs is dispatched per cycle: consecutive CTAs to
 *   one SM.
 *
 *   Policies   0 global RR          one pool. The next SM, cluster by cluster: 0, 1, 2, ...
 *              1 two-level RR       one pool. The next SM in the order of ranks, and for equal
 *                                   ranks of clusters: all first SMs, then all second ones
 *              2 greedy clustering  one pool. The first cluster with a candidate; in it, the
 *                                   next rank
 *              3 distributed        one pool per cluster. The next cluster with a candidate;
 *                                   in it, the next rank. With blocks of two this is
 *                                   distributed-block
 *   Cycles     in cycle t the scheduler looks at slot kernel, room and limit. In t + 1 it picks
 *              one of the candidates that it saw. In t + 2 the dispatch shows, and stays until
 *              it is taken, withdrawn or its slot is launched. It looks and picks in every
 *              cycle, but for what Pick says.
 *   Look       candidates are the SMs of the kernel's set (launch_sms), in room and in limit,
 *              whose cluster has a pool to draw on. Not among them is an SM that is picked in
 *              this cycle or whose dispatch shows in it, for any slot: the cycle after a
 *              dispatch is taken is the first whose room counts again. A pool whose last CTAs
 *              show is empty. With greedy clustering, clusters behind one to which a block of
 *              the slot is picked or shows have no candidates. candidates and looked hold what
 *              was seen.
 *   Pick       one of candidates, unless a dispatch shows that neither leaves nor is withdrawn,
 *              the slot is not ready or is launched in this cycle, or a dispatch of the slot
 *              shows that has the last CTAs of its pool. What is not picked is forgotten.
 *   Pointers   "next" is the first candidate behind the one picked last, wrapping. Each slot
 *              has turn, places in the order of policies 0 and 1; cluster_turn, clusters, for
 *              policy 3; and in each cluster rank, for policies 2 and 3: each is the set of
 *              what is behind the last, none at first or if that was the last of all. Only a
 *              pick of the slot moves pointers, and only those that its policy uses, even if
 *              its dispatch is withdrawn. They are empty when a slot is launched for the first
 *              time since the reset (known); later launches of the slot go on from where they
 *              are.
 *   Waiting    an SM that is a candidate in every pick of its slot is passed over by fewer than
 *              n_sm of them with policies 0 and 1, and by fewer than n_cluster * cluster_sm
 *              with policy 3, whatever other slots do. With policy 2 it is passed over by fewer
 *              than cluster_sm of those for its own cluster; but a cluster gets nothing while
 *              an earlier one has a candidate.
 *   Dispatch   of the lowest CTAs of the pool, min(block, CTAs it has left). They are drawn
 *              from the pool when the dispatch is taken. The odd tail goes out as it is, but to
 *              an SM with room for a whole block: that is what the mask room means. Whether
 *              these are any free contexts, or those of one block that has ended (strict
 *              pairs), is decided in the SM.
 *   Withdrawn  is a dispatch with dispatch_withdraw, or whose slot is launched in a cycle in
 *              which it is not taken: it is gone in the next cycle, and its CTAs are still in
 *              the pool.
 *   Pools      a distributed launch of n CTAs over the C clusters that have an SM in
 *              launch_sms gives these, in order, contiguous CTAs: the first n mod C clusters
 *              get floor(n / C) + 1, the others floor(n / C). Clusters without such an SM get
 *              none. The other policies have the whole grid in pool 0, on which every cluster
 *              draws. some and more say of each pool that it has CTAs, and more than a block.
 *   Draw       a cluster draws on its own pool. If that is empty, it draws on the first pool
 *              with CTAs among those of the next clusters, wrapping, whose cluster has no SM
 *              of the launch (homeless), or on the first of any if the launch says steal.
 *   Launch     taken in cycle t, a new launch counts the clusters in t + 1, divides in the
 *              next n_step cycles, and then passes each of the n_cluster pools in turn, 0
 *              first, in at least one cycle. A pool that has CTAs and an SM of the launch to
 *              draw on it is shown, and passes when pool_ready; any other passes at once. In
 *              each cycle of its turn its next, left, some, more and homeless are written.
 *              After the last the slot is ready: at t + 2 + n_step + n_cluster, if pool_ready
 *              never was low. From the cycle after the launch until then nothing of the slot
 *              is picked. The set of SMs, and of a new launch the policy, the block
 *              and steal, are written when the launch is taken. A launch of a slot in use
 *              replaces its CTAs.
 *   Keep       with launch_keep the pools come first, from t + 1 on. They keep next and left,
 *              and a pool without an SM becomes homeless: so the set of SMs of a kernel
 *              changes.
 *   Registers  a launch that is taken loads slot, keep, split (of a kept slot, from its policy)
 *              and dividend (launch_ctas, or 0 to keep), sets step to 0 (n_step + 1 to keep),
 *              and clears pool, first and remainder. Step 0 loads divisor: clusters with an SM
 *              of the launch, or 1 if it is not split. Each division step is one of claso's. A
 *              pool that gets one CTA more takes it from remainder. When the last pool passes,
 *              busy, step and pool become 0.
 *   Both       a dispatch that is taken in the cycle of its slot's launch counts as before it.
 *   Illegal    is flagged for one cycle and changes nothing else: a launch of slot n_kernel or
 *              above, without SMs, of no CTAs, with block 3, or that keeps a slot that is not
 *              ready, sets launch_error; a launch while launch_ready is low waits.
 *              A kernel that is unknown or not ready has no candidates.
 *
 * Reset
 *   Every register is 0: no slot has a kernel, and no launch is under way. The memories keep
 *   what they hold. Outputs do not depend on rst_i, and nothing is taken while it is high.
 *
 * Source
 *   Greedy clustering, distributed and distributed-block, and both RRs: Wang and others,
 *   "Intra-Cluster Coalescing and Distributed-Block Scheduling to Reduce GPU NoC Pressure",
 *   IEEE Transactions on Computers 2019, 2.3, 4.1 and 5. Global RR also: Yu and others, CLASO,
 *   IJPP 2014, 2.1. Blocks: the slides on block CTA scheduling (BCS).
 *
 * Deviations
 *   - Pools differ by at most one CTA, and clusters do not steal unless told to; the sources
 *     leave both open.
 *   - Clusters share one dispatch per cycle, in turn; the end states are those of the figures.
 *   - The grid has at most 2^cta_w - 1 CTAs.
 *   - Homeless pools, launch_keep and more than one kernel are ours: without them a change of
 *     the set of SMs would strand CTAs.
 */

#ifndef CTA_SCHEDULER_H
#define CTA_SCHEDULER_H

#define UNIT cta_scheduler
#include "base/unit_declare.h"

/* Values of launch_policy. */
enum cta_policy {
    CTA_GLOBAL_RR,
    CTA_TWO_LEVEL_RR,
    CTA_GREEDY_CLUSTERING,
    CTA_DISTRIBUTED,
};

#endif
