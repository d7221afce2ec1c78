/*
 * claso - credits that keep the cores' shares of a kernel's CTAs alike. CLASO stands between
 * any CTA scheduler and the cores. It picks neither CTAs nor cores; it says to which cores one
 * more CTA of a kernel may go.
 *
 * Golden model of claso.v, whose header repeats the sections below. Fields and their meaning:
 * claso_ports.def; types and functions: unit.h.
 *
 * Contract
 *   For each kernel slot the unit holds local credits C_p[c] for each core c, and global
 *   credits C_g.
 *
 *   Launch     taken when launch_valid and launch_ready. n_cta CTAs over the n_core cores of a
 *              set get
 *                C_p[c] = ceil(n_cta / n_core) + p_L             for each core c of the set
 *                C_g    = ((n_cta - 1) mod n_core) + 1 + (p_A - 1) * n_core
 *              and the other cores of the slot C_p[c] = 0. From the cycle after the launch
 *              until the credits are there, the slot allows nothing. A launch that is taken in
 *              cycle t shows in the mask from cycle t + 3 + n_step on, and launch_ready is high
 *              again from the cycle before that. n_step is ceil(cta_w / 2) with several pools,
 *              and cta_w with one.
 *   Known      with several pools, is a launch over as many cores as the last legal one,
 *              whatever its slot, pool and levels, with as many CTAs or one less. It needs no
 *              division: it shows in the mask from cycle t + 3 on, and launch_ready is high
 *              from t + 2. So pools whose CTAs differ by one at most, the larger first, are
 *              divided once. The first launch after a reset is not known. A launch with as many
 *              CTAs or one less, but over another number of cores, begins to divide when they
 *              are counted, and so takes a cycle more than others.
 *   Again      a launch of a slot in use replaces its credits. So credits are allocated again
 *              when the set of cores changes: give the CTAs not issued yet, less those
 *              consumed in the same cycle, and the new set.
 *   Pools      a CTA scheduler may split a kernel into pools, each for the cores of one
 *              cluster: core c is of pool c / pool_core, pool_core = ceil(n_core / n_pool)
 *              with all cores of the unit. Each pool has quotas of its own, of its CTAs over
 *              its cores, with its own C_g, p_A and p_L. A launch that is split is for one
 *              pool. It leaves the other pools' credits alone, if the slot holds credits and
 *              its last launch was split as well; otherwise the cores of the other pools get
 *              C_p[c] = 0. A launch that is not split is for all cores, whose C_g is that of
 *              pool 0.
 *   Mask       a CTA may go to core c if C_p[c] > p_A + p_L, or C_p[c] > 0 and C_g, that of its
 *              pool, is not 0. The mask shows the answer for every core at once.
 *   After      allow_after is the mask as this cycle's consume leaves it, but for the core that
 *              consumes, whose local credit it still has: that of a CTA which is picked now for
 *              another core, and consumed in the next cycle. Of this cycle's launch, and of
 *              credits that are written in it, it knows nothing.
 *   Consume    is of any slot, whatever the mask shows; consume_allowed is the bit of the mask
 *              of that slot. It takes a local credit of the core, and a global one of its pool
 *              if C_p[c] was not more than p_A + p_L; or nothing.
 *   Flags      some is set as long as C_p[c] > 0, above as long as C_p[c] > p_A + p_L, and
 *              funds as long as the pool's C_g > 0.
 *   Kept       layers and loose are p_A - 1 and p_L, from the cycle after the launch on. local
 *              is C_p - p_L - 1, of which local_w bits are kept: what a core gets is the
 *              quotient as it stands, and with above the bits tell C_p. A launch writes local
 *              of the cores of its set alone: those without credits are known by some.
 *   Both       a consume in the cycle of its slot's launch counts as before it. A launch in
 *              the cycle in which another's credits are written counts as behind it.
 *   Illegal    is flagged for one cycle and changes nothing else. A launch of slot n_kernel or
 *              above, of no CTAs, over no cores, with p_A = 0, or split for pool n_pool or
 *              above, sets launch_error; a launch while launch_ready is low waits. A consume
 *              that is not allowed (slot or core unknown, no kernel, too few credits) sets
 *              consume_error.
 *   Promise    each core of the set may take the first ceil(n_cta / n_core) - p_A of its CTAs,
 *              if that is positive, whatever the other cores have taken. Each one after that
 *              needs a global credit, and a core never gets more than ceil(n_cta / n_core) +
 *              p_L. The cores together get n_cta if they keep asking, and no more if ceil(n_cta
 *              / n_core) >= p_A. All this counts from the last allocation of the pool.
 *
 * Reset
 *   Every register is 0, so no slot holds credits and the allocator is idle. The memories keep
 *   what they hold. Outputs do not depend on rst_i, and nothing is taken while it is high.
 *
 * Source
 *   Yu, He, Guo, Wang, Chen, "A Credit-Based Load-Balance-Aware CTA Scheduling Optimization
 *   Scheme in GPGPU", IJPP 2014, section 3.
 *
 * Deviations
 *   - Line 2 of Algorithm 1 shows a floor where section 3.1 and the case study have a ceiling;
 *     the floor would strand CTAs. Built: the ceiling.
 *   - Algorithm 1 takes credits before it tests. Here a refusal costs nothing, so a request
 *     may stand as a level; the decisions are the same.
 *   - The set of cores, pools and allocation again are ours. Who issues CTAs in blocks takes
 *     credits for blocks: a block is a CTA here.
 *   - The paper's cost is n_core + 1 registers per kernel. To these come p_A + p_L, which the
 *     paper takes as constants, flags that spare comparisons, and a valid bit.
 */

#ifndef CLASO_H
#define CLASO_H

#define UNIT claso
#include "base/unit_declare.h"

/* C_p of a core of a slot; and p_A + p_L of a pool: so many of a core's last credits need a
 * global one. */
uint64_t claso_local(const struct claso *unit, uint32_t kernel, uint32_t core);
uint64_t claso_band(const struct claso *unit, uint32_t kernel, uint32_t pool);

#endif
