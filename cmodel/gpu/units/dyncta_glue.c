/*
 * dyncta_glue - DYNCTA of each SM: its walk begins again whenever another kernel comes to issue
 * CTAs, and goes on when that has none left. Classes are those of the SM's schedulers,
 * whichever kernels its CTAs are of. With strict pairs the unit counts blocks, since a part of
 * a block has no context.
 */

#include "gpu/wake.h"

/* ---- Inputs -------------------------------------------------------------------------- */

/* Schedulers whose cycle is of the class. */
static uint32_t in_class(const struct gpu *g, const struct sm *m, enum gpu_cycle_class class)
{
    uint32_t n = 0u;

    for (uint32_t k = 0u; k < g->schedulers; k++) {
        n += m->class_shown[k] == class;
    }
    return n;
}

/* CTAs that the unit counts as one. */
static uint32_t counted_as_one(const struct gpu *g, const struct kernel *k)
{
    return g->config.dispatch.strict_pairs ? k->block : 1u;
}

void dyncta_inputs(struct gpu *g, uint32_t i, struct dyncta_in *in)
{
    const struct gpu_config *const c = &g->config;
    const struct sm *const m = g->sm[i];

    in->restart = throttle_is_new(g, &g->sockets.dyncta[i].base.throttle);
    if (in->restart) {
        in->n_max =
            g->kernel_stats[g->current].ctas_per_sm / counted_as_one(g, &g->kernel[g->current]);
    }
    in->idle = in_class(g, m, GPU_IDLE);
    in->memory = in_class(g, m, GPU_SCOREBOARD_MEMORY);
    in->paused = m->pausing;
    in->period = c->dyncta.period;
    in->t_idle = c->dyncta.t_idle;
    in->t_mem_low = c->dyncta.t_mem_low;
    in->t_mem_high = c->dyncta.t_mem_high;
}

/* ---- Outputs ------------------------------------------------------------------------- */

/* The unit is stepped in the cycle in which its limit shows a decision or a restart: the next,
 * or else the second after the end of the running period. */
static void wake_to_show(struct gpu *g, uint32_t i)
{
    struct dyncta_socket *const s = &g->sockets.dyncta[i];
    const struct dyncta_state *const n = &s->next.q;

    s->base.pulse = s->in.restart || n->judged;
    if (!s->in.paused) {
        socket_wake(g, &s->base, i, g->t + 2u + (s->in.period - n->elapsed));
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
        const uint32_t limit = out->limit * counted_as_one(g, &g->kernel[of->kernel]);
        limits_set(g, SOCKET_dyncta, i, limit);
        if (g->current == of->kernel) {
            throttle_count(g, THROTTLE_dyncta, of, limit, out->judged);
        }
    }
    wake_to_show(g, i);
}
