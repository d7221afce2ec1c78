/*
 * cta_scheduler - which SM gets the next CTAs of a kernel, and which CTAs.
 *
 * Golden model of cta_scheduler.v; fields and their meaning: cta_scheduler_ports.def;
 * types and functions: unit.h.
 *
 * SM s is in cluster s / cluster_sm, with rank s % cluster_sm. A cluster with fewer SMs than
 * that leaves the last ranks empty: there are no such SMs. One
 * block of CTAs is dispatched a cycle: consecutive CTAs to one SM, which the masks room and
 * limit both show. The policy is the kernel's:
 *
 *   0 global RR          one pool. The next SM, cluster by cluster: 0, 1, 2, ...
 *   1 two-level RR       one pool. The next SM in the order of ranks, and for equal ranks of
 *                        clusters: all first SMs, then all second ones, ...
 *   2 greedy clustering  one pool. The first cluster with a candidate; in it, the next rank
 *   3 distributed        a pool a cluster. The next cluster with a candidate; in it, the next
 *                        rank. With blocks of two it is distributed-block
 *
 * A candidate is an SM of the kernel's set, launch_sms, with room and within the limit, and
 * whose cluster has an offer. So no CTA goes to an SM outside of the set, stolen or not. Next
 * means the first candidate at or after a pointer, wrapping, and the pointer then moves to one
 * behind it. There are three for each slot: turn, a place in the order of policies 0 and 1;
 * cluster_turn; and in each cluster rank, for policies 2 and 3. The pointers move only by a
 * dispatch of their slot that is taken, and only those that its policy uses. They are 0 when
 * a slot is launched for the first time since the reset, which known tells; later launches of
 * the slot go on from where they are.
 *
 * So an SM that is a candidate in each dispatch of its slot, one after the other, is served
 * after fewer than n_sm of them with policies 0 and 1, and fewer than n_cluster * cluster_sm
 * with policy 3, whatever other slots do meanwhile. With policy 2 it is served after fewer than
 * cluster_sm of those to its own cluster; but a cluster gets nothing while an earlier one has a
 * candidate.
 *
 * Blocks. The offer of a pool is min(block, CTAs it has left): the odd tail goes out as it is,
 * but to an SM with room for a whole block, which is what the mask room means. Whether this
 * is any free contexts, or those of one block that has ended (strict pairs), is decided where
 * the contexts are, in the SM.
 *
 * Pools. A distributed launch of n CTAs over the C clusters that have an SM in launch_sms
 * gives these, in the order of clusters, pools of contiguous CTAs: the first n mod C of them
 * floor(n / C) + 1 CTAs, the others floor(n / C); the other clusters get none. The other
 * policies have the whole grid in pool 0, from which every cluster draws. A cluster draws on
 * its own pool. If that is empty, it draws on the first pool with CTAs among those of the
 * next clusters, wrapping, that is homeless, or on the first of any if the launch says steal.
 *
 * Launch. Taken in cycle t, a new launch counts the clusters in t + 1, divides in the next
 * n_step cycles, and then passes each of the n_cluster pools in turn, 0 first, in at least one
 * cycle. A pool that has CTAs and an SM of the launch to draw on it is shown, and passes when
 * pool_ready; any other passes at once. In the cycle in which it passes, its next, left and
 * homeless are written. After the last the slot is ready: at t + 2 + n_step + n_cluster, if
 * pool_ready never was low. With launch_keep the pools come first, from t + 1 on; they keep
 * next and left, and a pool without an SM becomes homeless: so the set of SMs of a kernel
 * changes. From the cycle after the launch until it is ready, the slot offers nothing. The
 * set of SMs, and of a new launch the policy, the block and steal, are written when the launch
 * is taken.
 *
 * Registers of the launch. Taken, it loads slot, keep, split (of a kept slot, from its
 * policy) and dividend (launch_ctas, or 0 to keep), sets step to 0 (n_step + 1 to keep), and
 * clears pool, first and remainder. Step 0 loads divisor: clusters with an SM of the launch,
 * or 1 if it is not split. Each division step works as in claso. A pool that gets one CTA
 * more takes it from remainder. When the last pool passes, busy, step and pool become 0.
 *
 * Illegal stimulus is flagged for one cycle and changes nothing else: a launch of slot
 * n_kernel or above, without SMs, of no CTAs, with block 3, or that keeps a slot that is not
 * ready, sets launch_error; a launch while launch_ready is low waits. A kernel that is
 * unknown or not ready offers nothing, and so nothing is dispatched.
 *
 * Reset: every register is 0, so no slot has a kernel. The memories keep what they hold.
 *
 * Mealy paths: kernel to offer and stolen; kernel, room and limit to the dispatch.
 *
 * Sources. Greedy clustering, distributed and distributed-block, and both RRs: Wang and others,
 * "Intra-Cluster Coalescing and Distributed-Block Scheduling to Reduce GPU NoC Pressure", IEEE
 * Transactions on Computers 2019, 2.3, 4.1 and 5. Global RR also: Yu and others, CLASO, IJPP
 * 2014, 2.1. Blocks: the slides on block CTA scheduling (BCS).
 *
 * Readings and deviations.
 * - Pools differ by at most one CTA, and clusters do not steal unless told to; the sources
 *   leave both open.
 * - Clusters share one dispatch a cycle, in turn; the end states are those of the figures.
 * - The grid has at most 2^cta_w - 1 CTAs.
 * - Homeless pools, launch_keep and more than one kernel are ours: without them a change of
 *   the set of SMs would strand CTAs.
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
