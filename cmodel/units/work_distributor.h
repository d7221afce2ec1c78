/*
 * work_distributor - the CTA scheduler behind the credits of CLASO and the masks of all other
 * limiters: what stands between a GPU's kernels and its SMs.
 *
 * Golden model of work_distributor.v, whose header repeats the sections below. Fields and
 * their meaning: work_distributor_ports.def; types and functions: unit.h. Its parts are units
 * themselves: scheduler (cta_scheduler) and credits (claso).
 *
 * Contract
 *   SM s is core s of the credits, and cluster c is pool c.
 *
 *   Launch     goes to the scheduler. Each pool that the scheduler shows is launched in the
 *              credits, with its blocks for CTAs, over the launch's SMs, split as the
 *              scheduler says, with the p_A and p_L of the launch, and passes when the credits
 *              take it. If p_A is 0 the kernel is without credits: its pools pass at once.
 *              active and loose hold p_A and p_L from the cycle in which a launch is taken,
 *              legal or not; credited follows p_A when a pool is shown. So a kernel's first
 *              CTA can go out when the scheduler and its last pool's credits are ready.
 *   Dispatch   in the cycle in which the scheduler looks, in this order:
 *              1. scheduler   which clusters would get blocks of another's pool (stolen)
 *              2. credits     which SMs may get one block of the kernel (allow)
 *              3. the limit   an SM passes if the input limit has it and, unless the kernel is
 *                             without credits or its cluster's blocks are stolen, the credits
 *                             allow it one
 *              4. scheduler   sees the SMs with room that pass
 *              Two cycles later the scheduler shows the block. Unless it is stolen or its
 *              slot is without credits it costs one. If its SM is not allowed a block any
 *              more, since one paid in between took the last global credit, it is withdrawn,
 *              and no dispatch is valid. Otherwise the credits pay in the cycle in which the
 *              dispatch is taken.
 *              Until its credits are there, a kernel that has any is dispatched to no SM, but
 *              for stolen blocks.
 *   Stolen     CTAs cost nothing: quotas are those of a pool's own cluster, and CTAs whose
 *              cluster has gone must find an SM whatever its quota.
 *   Both       a dispatch that is taken in the cycle of its slot's launch counts as before it;
 *              one that is not taken is withdrawn.
 *   Illegal    as in the parts. launch_error is the scheduler's. credit_error is the credits'
 *              refusal of a launch or a consume, which does not happen whatever the inputs: a
 *              pool that is shown has blocks and SMs, and a block goes where the credits allow
 *              it.
 *
 * Reset
 *   Every register is 0: no slot has a kernel or credits. The memories keep what they hold.
 *   Outputs do not depend on rst_i, and nothing is taken while it is high.
 *
 * Source
 *   The composition is ours; the places of its parts are those of Yu, He, Guo, Wang, Chen, "A
 *   Credit-Based Load-Balance-Aware CTA Scheduling Optimization Scheme in GPGPU", IJPP 2014,
 *   section 3.1: a filter between any CTA scheduler and the cores.
 *
 * Deviations
 *   - A credit is for a block, whose CTAs get theirs together or not at all. The paper has no
 *     blocks. Were credits counted in CTAs, an SM with an odd share could be left with one
 *     credit where only two are of use, and its CTAs would never be issued: with 5 CTAs for 5
 *     SMs, none at all.
 */

#ifndef WORK_DISTRIBUTOR_H
#define WORK_DISTRIBUTOR_H

#include "units/claso.h"
#include "units/cta_scheduler.h"

#define UNIT work_distributor
#include "base/unit_declare.h"

#endif
