/*
 * lcs_glue - lazy CTA scheduling of an SM. It begins again with each kernel that issues; what
 * it says limits the CTAs that the work distributor sends to the SM. A cooperative launch needs
 * all its CTAs on the SMs at once: limits do not hold for it, see work_distributor_glue.
 *
 * In Monitor nothing is limited: the SM takes what fits, beside CTAs of an earlier kernel.
 * While the SM may get none an empty one may all the same (limits.c), since Tnew is at least 1.
 */

#include "gpu/machine.h"

enum { MONITOR, THROTTLE, LAZY };

/* ---- What the SM does ---------------------------------------------------------------- */

static void tell_kernel(struct gpu *g, uint32_t i, struct lcs_in *in)
{
    uint32_t *const told = &g->sockets.lcs_kernel[i];

    if (g->current < g->n_kernel && g->current + 1u != *told) {
        struct gpu_kernel_stats *const k = &g->kernel_stats[g->current];
        *told = g->current + 1u;
        in->restart = true;
        in->n_max = k->ctas_per_sm;
        k->throttle[THROTTLE_lcs].sms++;
        k->throttle[THROTTLE_lcs].ctas += k->ctas_per_sm;
    }
}

/* CTAs that start, of this kernel alone: the last one of another may come with its restart. */
static void tell_ctas(const struct gpu *g, uint32_t i, struct lcs_in *in)
{
    const struct gpu_record *const r = &g->record;

    for (uint32_t k = 0u; k < r->n_started; k++) {
        const struct gpu_cta_event *const e = &r->started[k];
        if (e->sm == i && e->kernel + 1u == g->sockets.lcs_kernel[i]) {
            bits_add(&in->started, e->slot);
        }
    }
    for (uint32_t k = 0u; k < r->n_ended; k++) {
        if (r->ended[k].sm == i) {
            bits_add(&in->ended, r->ended[k].slot);
        }
    }
}

static void tell_issues(struct gpu *g, uint32_t i, struct lcs_in *in)
{
    for (uint32_t k = 0u; k < g->schedulers; k++) {
        struct scheduler *const s = &g->sm[i]->scheduler[k];
        in->issued[k] = s->newly;
        in->issued_slot[k] = s->newly_of;
        s->newly = 0u;
    }
}

/* ---- The unit ------------------------------------------------------------------------ */

void lcs_inputs(struct gpu *g, uint32_t i, struct lcs_in *in)
{
    struct lcs_socket *const s = &g->sockets.lcs[i];

    in->rounding = g->config.lcs.rounding;
    tell_kernel(g, i, in);
    if (s->unit.q.phase == LAZY && !in->restart) {
        return; /* it would look at nothing else */
    }
    tell_ctas(g, i, in);
    tell_issues(g, i, in);
    /* Its outputs change with the edge, also with the last one, after which it is quiet. Of its
     * inputs those of one cycle that count keep it from being quiet, and others do not matter.
     */
    s->base.pulse = s->unit.q.phase == THROTTLE;
}

/* For the statistics: Tnew is known from the next cycle on. */
static void note(struct gpu *g, uint32_t i, uint32_t n_new)
{
    struct gpu_kernel_stats *const k = &g->kernel_stats[g->sockets.lcs_kernel[i] - 1u];

    k->throttle[THROTTLE_lcs].decided++;
    throttle_note(&k->throttle[THROTTLE_lcs], k->ctas_per_sm, n_new);
}

void lcs_outputs(struct gpu *g, uint32_t i, const struct lcs_in *in, const struct lcs_out *out)
{
    const struct lcs_socket *const s = &g->sockets.lcs[i];

    (void)in;
    if (s->unit.q.phase == THROTTLE && s->next.q.phase == LAZY) {
        note(g, i, s->next.q.limit);
    }
    if (out->hold) {
        limits_set(g, SOCKET_lcs, i, 0u);
    } else if (out->phase == MONITOR) {
        limits_lift(g, SOCKET_lcs, i);
    } else {
        limits_set(g, SOCKET_lcs, i, out->limit);
    }
}
