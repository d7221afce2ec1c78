/*
 * onac_glue - the detector of ONAC and Seq-Det in the machine. A kernel is detected if it is
 * the only one that has a slot; another that comes ends the detection. A cooperative kernel,
 * whose CTAs wait for each other, gets all SMs (rule O-13). Where LaPerm dispatches, what CTAs
 * launch begins no detection; it ends one when it gets a slot or joins a kernel (rule O-15).
 *
 * In most states the unit changes in every cycle, and none is left out. While a window is open
 * only its length grows; the machine's alarm sees to it that the cycle in which it is given up
 * is none that is jumped over, even if all SMs are paused or wait for CTAs of paused ones.
 */

#include "gpu/wake.h"

/* ---- Inputs -------------------------------------------------------------------------- */

static bool is_alone(const struct gpu *g)
{
    return g->n_resident == 1u
           && g->distributor.mates[g->kernel[g->resident[0]].slot] == g->resident[0];
}

static bool begins_detection(const struct gpu *g, uint32_t kernel)
{
    return g->sockets.laperm == NULL || !g->kernel_stats[kernel].nested;
}

static uint32_t mode_of(const struct gpu *g, const struct kernel *k)
{
    if (!is_alone(g) || k->source.shape.cooperative) {
        return ONAC_MODE_OFF;
    }
    return g->config.onac.mode == DETECT_SEQ ? ONAC_MODE_SEQ_DET : ONAC_MODE_ONAC;
}

static void show_start(struct gpu *g, struct onac_in *in)
{
    const struct gpu_record *const r = &g->record;

    for (uint32_t i = 0u; i < r->n_kernel; i++) {
        if (r->kernel[i].step == GPU_KERNEL_STARTED
            && begins_detection(g, r->kernel[i].kernel)) {
            in->restart = true;
            g->detection.kernel = r->kernel[i].kernel;
            g->detection.from = g->t;
        }
    }
    if (in->restart) {
        const uint32_t k = g->detection.kernel;
        in->mode = mode_of(g, &g->kernel[k]);
        in->quota = g->config.onac.waves * g->kernel_stats[k].ctas_per_sm;
        in->limit = g->config.onac.window_limit;
        in->creep = g->config.onac.creep;
    }
}

static struct bits drained(const struct gpu *g)
{
    struct bits sms = { { 0u } };

    for (uint32_t i = 0u; i < g->n_sm; i++) {
        if (gpu_paused(g, i)) {
            bits_add(&sms, i);
        }
    }
    return sms;
}

void onac_inputs(struct gpu *g, uint32_t i, struct onac_in *in)
{
    const struct onac_state *const q = &g->sockets.onac[i].unit.q;

    show_start(g, in);
    if (q->state == ONAC_IDLE) {
        return;
    }
    const struct kernel *const k = &g->kernel[g->detection.kernel];
    in->started = k->issued != 0u;
    in->exhausted = k->issued == k->ctas || !is_alone(g);
    if (q->state == ONAC_WINDOW) {
        in->completed = g->record.n_ended;
    } else if (q->state == ONAC_PAUSE) {
        in->acks = drained(g);
    } else if (q->state == ONAC_REQUEST) {
        in->answers = drained(g);
    }
    if (q->step != 0u) { /* a sample was read in the last cycle */
        in->sample = g->sockets.core_status->unit.q.sample;
    }
}

/* ---- Outputs ------------------------------------------------------------------------- */

static void note_result(struct gpu *g, const struct onac_state *next)
{
    struct gpu_kernel_stats *const k = &g->kernel_stats[g->detection.kernel];

    k->detection.sms = next->number;
    k->detection.cycles = g->t + 1u - g->detection.from;
    k->detection.aborted = next->aborted;
}

/* Which cycle of the unit must not be left out. What its outputs have SMs do is done by the
 * table's glue, whose turn comes next. */
void onac_outputs(struct gpu *g, uint32_t i, const struct onac_in *in,
                  const struct onac_out *out)
{
    struct onac_socket *const s = &g->sockets.onac[i];
    const struct onac_state *const next = &s->next.q;
    const bool waits = next->state == s->unit.q.state
                       && (next->state == ONAC_IDLE || next->state == ONAC_WINDOW);
    const uint64_t patience =
        next->state == ONAC_WINDOW ? onac_patience(&s->unit.config, next) : UINT64_MAX;

    if (next->done && !out->done) {
        note_result(g, next);
    }
    if ((next->state == ONAC_IDLE) != (s->unit.q.state == ONAC_IDLE)) {
        g->sockets.called = true; /* Perf-Sat does not sample meanwhile */
    }
    if (next->write) { /* SMs go on that have waited for as long as a window may be */
        g->progress = g->t;
    }
    if (g->sockets.sums) { /* the table shows what it is told by this cycle's outputs */
        g->sockets.core_status[i].base.alarm = g->t;
    }
    /* After a write it shows once that there is no other: what it shows stays until then. */
    s->base.pulse = in->restart || in->completed != 0u || next->write || out->write || !waits
                    || patience == 0u;
    g->detection.given_up =
        next->state == ONAC_WINDOW && next->all_known ? g->t + 1u + patience : NEVER;
    s->base.alarm = g->detection.given_up;
    g->alarm = s->base.alarm < g->alarm ? s->base.alarm : g->alarm;
}
