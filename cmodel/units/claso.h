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
 *   C_p[c] = 0                                        for the others
 *   C_g    = ((n_cta - 1) mod n_core) + 1 + (p_A - 1) n_core
 *
 * From the cycle after the launch, and until the credits are there, the slot
 * allows nothing: taken in cycle t, the launch shows in the masks from cycle
 * t + 3 + ceil(cta_w / 2) on. A launch of a slot in use is how credits are
 * allocated anew when the set of cores changes (ONAC gating, a repartition): give
 * the CTAs not issued yet, less those consumed in the same cycle, and the new set.
 *
 * Consumer. Issuing one CTA to core c is allowed when C_p[c] > 0 and either
 * C_p[c] - 1 >= p_A + p_L, which is free, or C_g > 0, which takes a global credit
 * with the local one. Two CTAs are allowed when the second would be after the
 * first. The masks show the answers for every core at once; a consume takes them.
 *
 * Illegal stimulus is flagged for one cycle and changes nothing else. A launch of
 * slot n_kernel or above, of no CTAs, over no cores, or with p_A = 0 sets
 * launch_error; a launch while launch_ready is low waits. A consume that its mask
 * does not show - slot or core unknown, no kernel, too few credits - sets
 * consume_error.
 *
 * Reset: every register is 0, so no slot holds credits and the allocator is idle.
 * The memories keep what they hold.
 *
 * Mealy paths: in.kernel to out.allow_one and out.allow_two.
 *
 * Source: Yu, He, Guo, Wang, Chen, "A Credit-Based Load-Balance-Aware CTA
 * Scheduling Optimization Scheme in GPGPU", IJPP 2014, section 3.
 *
 * Deviations.
 * - Line 2 of Algorithm 1 shows a floor where section 3.1 and the case study have
 *   a ceiling; the floor would strand CTAs. Built: the ceiling.
 * - Algorithm 1 takes credits before it tests. Here a refusal costs nothing, so a
 *   request may stand as a level; the decisions are the same.
 * - The set of cores, allocation anew, and blocks of two are ours; a block gets
 *   both credits or none.
 * - The paper's cost is n_core + 1 registers a kernel. To these come p_A + p_L,
 *   which the paper takes as constants, and a valid bit.
 */

#ifndef CLASO_H
#define CLASO_H

#define UNIT claso
#include "unit_declare.h"

#endif
