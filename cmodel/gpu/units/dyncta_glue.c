/*
 * dyncta_glue - DYNCTA of each SM: its walk begins again whenever another kernel comes to issue
 * CTAs, and goes on when that has none left. Classes are those of the SM's schedulers,
 * whichever kernels its CTAs are of. With strict pairs the unit counts blocks.
 */

#include "gpu/units/class_cycles.h"

/* ---- Inputs -------------------------------------------------------------------------- */

void dyncta_inputs(struct gpu *g, uint32_t i, struct dyncta_in *in)
{
    const struct gpu_config *const c = &g->config;

    in->restart = throttle_is_new(g, &g->sockets.dyncta[i].base.throttle);
    if (in->restart) {
        in->n_max = g->kernel_stats[g->current].ctas_per_sm / throttle_counts(g, g->current);
    }
    in->idle = class_schedulers(g, i, GPU_IDLE, GPU_IDLE);
    in->memory = class_schedulers(g, i, GPU_SCOREBOARD_MEMORY, GPU_SCOREBOARD_MEMORY);
    in->paused = g->sm[i]->pausing;
    in->period = c->dyncta.period;
    in->t_idle = c->dyncta.t_idle;
    in->t_mem_low = c->dyncta.t_mem_low;
    in->t_mem_high = c->dyncta.t_mem_high;
}

void dyncta_make_up(struct gpu *g, uint32_t i, const struct dyncta_in *in, uint64_t n)
{
    struct dyncta_socket *const s = &g->sockets.dyncta[i];
    uint64_t *const told = s->base.told;

    dyncta_advance_sum(
        &s->unit, in, n, class_cycles(g, i, GPU_IDLE, GPU_IDLE, &told[0]),
        class_cycles(g, i, GPU_SCOREBOARD_MEMORY, GPU_SCOREBOARD_MEMORY, &told[1]));
}

/* ---- Outputs ------------------------------------------------------------------------- */

/* Its next outputs do something: the limit is another one, or the period counts. */
static bool shows(const struct gpu *g, const struct dyncta_socket *s)
{
    const struct dyncta_state *const n = &s->next.q;

    return s->in.restart
           || (n->judged
               && (!g->sockets.sums || n->limit != s->unit.q.limit
                   || g->current == s->base.throttle.kernel));
}

/* The unit is stepped in the cycle that judges the running period, and in the next, in which
 * its limit shows the decision, or a restart. */
static void wake_to_judge(struct gpu *g, uint32_t i)
{
    struct dyncta_socket *const s = &g->sockets.dyncta[i];
    const struct dyncta_state *const n = &s->next.q;

    s->base.pulse = shows(g, s);
    if (!s->in.paused) {
        socket_wake(g, &s->base, i, g->t + 1u + (s->in.period - n->elapsed));
    }
}

void dyncta_outputs(struct gpu *g, uint32_t i, const struct dyncta_in *in,
                    const struct dyncta_out *out)
{
    struct throttle *const of = &g->sockets.dyncta[i].base.throttle;

    if (in->restart) { /* until the next cycle shows the new limit, to empty SMs only */
        throttle_begin(g, THROTTLE_dyncta, of);
        limits_set(g, SOCKET_dyncta, i, 0u);
    } else if (of->begun) {
        const uint32_t limit = out->limit * throttle_counts(g, of->kernel);
        limits_set(g, SOCKET_dyncta, i, limit);
        if (g->current == of->kernel) {
            throttle_count(g, THROTTLE_dyncta, of, limit, out->judged);
        }
    }
    g->sockets.dyncta[i].base.told[0] += in->idle;
    g->sockets.dyncta[i].base.told[1] += in->memory;
    wake_to_judge(g, i);
}
