/*
 * work_distributor - the CTA scheduler behind the credits of CLASO and the masks of all other
 * limiters: what stands between a GPU's kernels and its SMs.
 *
 * Golden model of work_distributor.v; fields and their meaning: work_distributor_ports.def;
 * types and functions: unit.h. Its parts are units themselves: scheduler (cta_scheduler) and
 * credits (claso), whose pools are the clusters.
 *
 * Launch. What is launched goes to the scheduler. Each pool that the scheduler shows is
 * launched in CLASO, with its CTAs, over the launch's SMs, split as the scheduler says, with
 * the p_A and p_L of the launch, and passes when CLASO takes it. If p_A is 0 the kernel is
 * without credits: its pools pass at once. active and loose hold p_A and p_L from the cycle in
 * which a launch is taken, legal or not; credited follows p_A when a pool is shown. So a
 * kernel's first CTA can go out when the scheduler and its last pool's credits are ready.
 *
 * Dispatch, evaluated in this order in one cycle:
 *
 *   1. scheduler   what each cluster's SMs are offered: 0 to 4 CTAs, from whose pool
 *   2. credits     which SMs may get one, two, three and four CTAs of the kernel
 *   3. the limit   an SM passes if the input limit has it and, unless the kernel is without
 *                  credits or the cluster's offer is stolen, CLASO allows it that many
 *   4. scheduler   picks among the SMs with room that pass
 *   5. credits     pay for the block, in the cycle in which the dispatch is taken
 *
 * Stolen CTAs cost nothing: quotas are those of a pool's own cluster, and CTAs whose cluster
 * has gone must find an SM whatever its quota.
 *
 * Illegal stimulus: as in the parts. launch_error is the scheduler's; credit_error is CLASO's
 * refusal of a launch or a consume, which does not happen whatever the inputs.
 *
 * Reset: every register is 0.
 *
 * Mealy paths: kernel, room and limit to the dispatch.
 *
 * Source: the composition is ours; the places of its parts are those of CLASO, IJPP 2014,
 * section 3.1: a filter between any CTA scheduler and the cores.
 */

#ifndef WORK_DISTRIBUTOR_H
#define WORK_DISTRIBUTOR_H

#include "claso.h"
#include "cta_scheduler.h"

#define UNIT work_distributor
#include "unit_declare.h"

#endif
