/*
 * claso - credits that keep the cores' shares of a kernel's CTAs alike.
 *
 * Golden model of claso.v; fields and their meaning: claso_ports.def; types and
 * functions: unit.h.
 *
 * CLASO stands between any CTA scheduler and the cores. It picks neither CTAs nor
 * cores; it says to which cores one more CTA of a kernel may go. For each kernel
 * slot it holds local credits C_p[c] for each core c and global credits C_g.
 *
 * Allocator. A launch of n_cta CTAs over the n_core cores of a set gives
 *
 *   C_p[c] = ceil(n_cta / n_core) + p_L               for each core c of the set
 *   C_g    = ((n_cta - 1) mod n_core) + 1 + (p_A - 1) n_core
 *
 * and the other cores of the slot C_p[c] = 0. From the cycle after the launch, and until the
 * credits are there, the slot allows nothing: taken in cycle t, the launch shows in the masks
 * from cycle t + 3 + ceil(cta_w / 2) on. A launch of a slot in use is how credits are
 * allocated anew when the set of cores changes (ONAC gating, a repartition): give the CTAs
 * not issued yet, less those consumed in the same cycle, and the new set.
 *
 * Pools. A CTA scheduler may split a kernel into pools, each for the cores of one cluster:
 * core c is of pool c / pool_core. Then each pool has quotas of its own, of its CTAs over its
 * cores, with its own C_g and its own p_A and p_L. A launch that is split is for one pool. It
 * leaves the other pools' credits alone, if the slot holds credits and its last launch was
 * split as well; otherwise the cores of other pools get C_p[c] = 0. A launch that is not split
 * is for all cores, whose C_g is that of pool 0.
 *
 * Consumer. Issuing n CTAs together to core c, n from 1 to 4, is allowed when C_p[c] >= n and
 * C_g, that of its pool, is at least the number of them that need a global credit: those that
 * leave C_p[c] below p_A + p_L, n - max(0, C_p[c] - p_A - p_L) if that is positive. They take
 * n local credits and as many global ones as they need. So one CTA is allowed when C_p[c] > 0
 * and either C_p[c] - 1 >= p_A + p_L or C_g > 0, and each further CTA of a block when it would
 * be after the ones before. The masks show the answers for every core at once; a consume
 * takes them.
 *
 * So each core of the set is allowed the first ceil(n_cta / n_core) - p_A of its CTAs, if that
 * is positive, one by one or in blocks, whatever the other cores have taken; those after need
 * a global credit each, and more than ceil(n_cta / n_core) + p_L it never gets. This counts
 * from the last allocation of its pool.
 *
 * Illegal stimulus is flagged for one cycle and changes nothing else. A launch of
 * slot n_kernel or above, of no CTAs, over no cores, with p_A = 0, or split for pool n_pool
 * or above, sets launch_error; a launch while launch_ready is low waits. A consume that its
 * mask does not show - slot or core unknown, no kernel, too few credits - sets consume_error.
 *
 * Reset: every register is 0, so no slot holds credits and the allocator is idle.
 * The memories keep what they hold.
 *
 * Mealy paths: in.kernel to the four masks.
 *
 * Source: Yu, He, Guo, Wang, Chen, "A Credit-Based Load-Balance-Aware CTA
 * Scheduling Optimization Scheme in GPGPU", IJPP 2014, section 3.
 *
 * Deviations.
 * - Line 2 of Algorithm 1 shows a floor where section 3.1 and the case study have
 *   a ceiling; the floor would strand CTAs. Built: the ceiling.
 * - Algorithm 1 takes credits before it tests. Here a refusal costs nothing, so a
 *   request may stand as a level; the decisions are the same.
 * - The set of cores, pools, allocation anew, and blocks are ours; a block gets all its
 *   credits or none.
 * - The paper's cost is n_core + 1 registers a kernel. To these come p_A + p_L,
 *   which the paper takes as constants, and a valid bit.
 */

#ifndef CLASO_H
#define CLASO_H

#define UNIT claso
#include "base/unit_declare.h"

/* The mask for a block of so many CTAs, 1 to 4. */
static inline struct bits claso_allows(const struct claso_out *out, uint32_t ctas)
{
    return ctas == 1u   ? out->allow_one
           : ctas == 2u ? out->allow_two
           : ctas == 3u ? out->allow_three
                        : out->allow_four;
}

#endif
