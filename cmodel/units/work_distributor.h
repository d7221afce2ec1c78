/*
 * work_distributor - the CTA scheduler behind the credits of CLASO and the masks of all other
 * limiters: what stands between a GPU's kernels and its SMs.
 *
 * Golden model of work_distributor.v; fields and their meaning: work_distributor_ports.def;
 * types and functions: unit.h. Its parts are units themselves: scheduler (cta_scheduler) and
 * credits (claso), whose pools are the clusters.
 *
 * Launch. What is launched goes to the scheduler. Each pool that the scheduler shows is
 * launched in CLASO, with its blocks for CTAs, over the launch's SMs, split as the scheduler
 * says, with the p_A and p_L of the launch, and passes when CLASO takes it. If p_A is 0 the
 * kernel is without credits: its pools pass at once. active and loose hold p_A and p_L from the
 * cycle in which a launch is taken, legal or not; credited follows p_A when a pool is shown. So
 * a kernel's first CTA can go out when the scheduler and its last pool's credits are ready.
 *
 * Dispatch, evaluated in this order in one cycle:
 *
 *   1. scheduler   what each cluster's SMs are offered: 0 to 4 CTAs, from whose pool
 *   2. credits     which SMs may get one block of the kernel (allow_one)
 *   3. the limit   an SM passes if the input limit has it and, unless the kernel is without
 *                  credits or the offer of its cluster is stolen, CLASO allows it one
 *   4. scheduler   picks among the SMs with room that pass
 *   5. credits     pay for the block, in the cycle in which the dispatch is taken
 *
 * A credit is for a block: its CTAs get theirs together or not at all. Were credits counted in
 * CTAs, as in the paper, which has no blocks, an SM whose share is odd could be left with one
 * credit where only two are of use, and the CTAs of these credits would never be issued: with
 * 5 CTAs for 5 SMs, none at all.
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

#include "units/claso.h"
#include "units/cta_scheduler.h"

#define UNIT work_distributor
#include "base/unit_declare.h"

/*
 * Who watches the parts, such as their RTL. Told of every evaluation of a part with its
 * inputs, outputs and what the edge would do; the last of a cycle is what it does. The
 * scheduler is always evaluated twice. *out may be replaced, and is what the composition goes
 * on with. Either may be NULL.
 */
struct work_distributor_watch {
    void *self;
    void (*scheduler)(void *self, const struct cta_scheduler *unit,
                      const struct cta_scheduler_in *in, struct cta_scheduler_out *out,
                      const struct cta_scheduler_next *next);
    void (*credits)(void *self, const struct claso *unit, const struct claso_in *in,
                    struct claso_out *out, const struct claso_next *next);
};

/* work_distributor_eval with a watch, or NULL. */
void work_distributor_eval_watched(const struct work_distributor *unit,
                                   const struct work_distributor_in *in,
                                   struct work_distributor_out *out,
                                   struct work_distributor_next *next,
                                   const struct work_distributor_watch *watch);

#endif
