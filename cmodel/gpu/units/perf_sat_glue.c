/*
 * perf_sat_glue - Perf-Sat of each SM, by the kernel that issues CTAs: its detection begins
 * again whenever another one does. Only CTAs of that kernel start and end its measurements. An
 * SM that is paused, drained or gated, or whose kernel has no CTA left to issue, is on hold.
 * So is a period while ONAC detects (rule PS-16). With strict pairs the unit counts blocks; a
 * period is as long as without.
 */

#include "gpu/units/class_cycles.h"

/* ---- Inputs -------------------------------------------------------------------------- */

/* The classes of a cycle that stalls. */
enum { FIRST = GPU_PIPELINE_ALU, LAST = GPU_SCOREBOARD_MEMORY };

/* CTAs of the kernel among those of the record. */
static uint32_t count_events(const struct gpu_cta_event *event, uint32_t n, uint32_t sm,
                             uint32_t kernel)
{
    uint32_t count = 0u;

    for (uint32_t k = 0u; k < n; k++) {
        count += event[k].sm == sm && event[k].kernel == kernel;
    }
    return count;
}

/* Samples wait for the end of ONAC's detection: it pauses SMs, and those that are left have the
 * memory for themselves. One_TB is measured before, in ONAC's sample of all SMs. */
static bool waits_for_onac(const struct gpu *g, uint32_t i)
{
    return g->sockets.onac != NULL && g->sockets.onac->unit.q.state != ONAC_IDLE
           && g->sockets.perf_sat[i].unit.q.phase >= PERF_SAT_FIRST_PERIOD;
}

void perf_sat_inputs(struct gpu *g, uint32_t i, struct perf_sat_in *in)
{
    const struct gpu_record *const r = &g->record;
    const struct throttle *const of = &g->sockets.perf_sat[i].base.throttle;
    const struct sm *const m = g->sm[i];
    const bool issues = g->current < g->n_kernel;

    in->restart = throttle_is_new(g, of);
    if (in->restart) {
        const uint32_t n = g->kernel_stats[g->current].ctas_per_sm;
        in->n_max = n / throttle_counts(g, g->current);
        in->n_more = n - in->n_max;
        in->cooperative = g->kernel[g->current].source.shape.cooperative;
    }
    in->stalled = class_schedulers(g, i, FIRST, LAST);
    in->hold = !issues || m->pausing || m->draining || m->gated || waits_for_onac(g, i);
    in->votes_two = g->config.perf_sat.votes == 2u;
    in->settle = g->config.perf_sat.settle;
    if (UNLIKELY((r->n_started | r->n_ended) != 0u) && of->begun) {
        in->started = !r->back && count_events(r->started, r->n_started, i, of->kernel) != 0u;
        in->ended = count_events(r->ended, r->n_ended, i, of->kernel);
    }
    g->sockets.perf_sat[i].base.pulse = in->restart || in->started || in->ended != 0u;
}

void perf_sat_make_up(struct gpu *g, uint32_t i, const struct perf_sat_in *in, uint64_t n)
{
    struct perf_sat_socket *const s = &g->sockets.perf_sat[i];

    perf_sat_advance_sum(&s->unit, in, n, class_cycles(g, i, FIRST, LAST, &s->base.told[0]));
}

/* ---- Outputs ------------------------------------------------------------------------- */

/* What has changed since the last step is counted for the kernel. */
static void count_outputs(struct gpu *g, struct throttle *of, const struct perf_sat_out *out,
                          uint32_t limit)
{
    throttle_count(g, THROTTLE_perf_sat, of, limit, out->judged);
    g->kernel_stats[of->kernel].throttle[THROTTLE_perf_sat].decided += out->done && !of->done;
    of->done = out->done;
}

/* The unit is stepped in the cycle that judges a period, if nothing holds it until then, and in
 * the next, in which its outputs show what it has come to. */
static void wake_to_judge(struct gpu *g, uint32_t i)
{
    struct perf_sat_socket *const s = &g->sockets.perf_sat[i];
    const struct perf_sat_state *const n = &s->next.q;

    s->base.pulse = s->base.pulse || n->judged;
    if (n->phase >= PERF_SAT_FIRST_PERIOD && n->settle == 0u && !s->in.hold) {
        socket_wake(g, &s->base, i, g->t + 1u + (n->period - n->elapsed));
    }
}

void perf_sat_outputs(struct gpu *g, uint32_t i, const struct perf_sat_in *in,
                      const struct perf_sat_out *out)
{
    struct throttle *const of = &g->sockets.perf_sat[i].base.throttle;
    const uint32_t limit = of->begun ? out->limit * throttle_counts(g, of->kernel) : 0u;

    if (of->begun && (out->judged || limit != of->limit || out->done != of->done)) {
        count_outputs(g, of, out, limit);
        limits_set(g, SOCKET_perf_sat, i, limit);
    }
    if (in->restart) { /* until the next cycle shows the first limit, to empty SMs only */
        throttle_begin(g, THROTTLE_perf_sat, of);
        limits_set(g, SOCKET_perf_sat, i, 0u);
    }
    g->sockets.perf_sat[i].base.told[0] += in->stalled;
    wake_to_judge(g, i);
}
