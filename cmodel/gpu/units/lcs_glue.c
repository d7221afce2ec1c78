/*
 * lcs_glue - lazy CTA scheduling of an SM. It begins again with each kernel that issues; what
 * it says limits the CTAs that the work distributor sends to the SM. A cooperative launch needs
 * all its CTAs on the SMs at once: limits do not hold for it, see limits.c.
 *
 * In Monitor nothing is limited: the SM takes what fits, beside CTAs of an earlier kernel.
 * While the SM may get none an empty one may all the same (limits.c), since Tnew is at least 1.
 * With strict pairs Tmax are the CTAs of whole blocks, and Tnew is rounded up to whole ones.
 */

#include "gpu/machine.h"

enum { MONITOR, THROTTLE, LAZY };

/* ---- What the SM does ---------------------------------------------------------------- */

static void tell_kernel(struct gpu *g, uint32_t i, struct lcs_in *in)
{
    struct throttle *const of = &g->sockets.lcs[i].base.throttle;

    if (throttle_is_new(g, of)) {
        in->restart = true;
        const uint32_t n = g->kernel_stats[g->current].ctas_per_sm;
        in->n_max = n - n % throttle_counts(g, g->current);
        throttle_begin(g, THROTTLE_lcs, of);
        throttle_may_have(g, THROTTLE_lcs, of, in->n_max); /* until it has decided */
    }
}

/* CTAs that start, of this kernel alone: the last one of another may come with its restart. */
static void tell_ctas(const struct gpu *g, uint32_t i, struct lcs_in *in)
{
    const struct gpu_record *const r = &g->record;
    const struct throttle *const of = &g->sockets.lcs[i].base.throttle;

    for (uint32_t k = 0u; k < r->n_started && !r->back; k++) {
        const struct gpu_cta_event *const e = &r->started[k];
        if (e->sm == i && of->begun && e->kernel == of->kernel) {
            bits_add(&in->started, e->slot);
        }
    }
    for (uint32_t k = 0u; k < r->n_ended; k++) {
        if (r->ended[k].sm == i) {
            bits_add(&in->ended, r->ended[k].slot);
        }
    }
}

/* Told of sums, it has them in its lcs_make_up. */
static void tell_issues(struct gpu *g, uint32_t i, struct lcs_in *in)
{
    for (uint32_t k = 0u; !g->sockets.sums && k < g->schedulers; k++) {
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

/* Those of the running cycle are with the others: what else happens in it comes after its
 * instructions, and a restart makes nothing of either. */
void lcs_make_up(struct gpu *g, uint32_t i, const struct lcs_in *in, uint64_t n)
{
    struct lcs_socket *const s = &g->sockets.lcs[i];
    struct sm *const m = g->sm[i];
    uint32_t issued[MAX_CTAS];

    (void)in;
    (void)n;
    for (uint32_t slot = 0u; slot < s->unit.config.n_slot; slot++) {
        const uint64_t all = sm_issued_of(m, slot);
        issued[slot] = (uint32_t)(all - m->told_of[slot]);
        m->told_of[slot] = all;
    }
    lcs_count_sum(&s->unit, issued);
}

/* Told of sums, it is stepped before it may have no room for more instructions. */
static void wake_to_stop(struct gpu *g, uint32_t i)
{
    struct lcs_socket *const s = &g->sockets.lcs[i];
    const uint32_t most = g->schedulers * g->config.warp.width; /* in a cycle */
    const uint32_t room = lcs_room(&s->unit);

    if (g->sockets.sums && room != 0u && g->sm[i]->cta_used != 0u) {
        socket_wake(g, &s->base, i, g->t + 1u + (room - 1u) / most);
    }
}

/* Tnew, as long as there is one. */
static uint32_t limit_of(const struct gpu *g, const struct throttle *of,
                         const struct lcs_out *out)
{
    const uint32_t as_one = throttle_counts(g, of->kernel);

    return (out->limit + as_one - 1u) / as_one * as_one;
}

/* With lcs.monitor the SM's warps are greedy only until Tnew is known. */
static void order_warps(struct gpu *g, uint32_t i, bool lazy)
{
    if (g->config.lcs.monitor) {
        sm_policy(g, g->sm[i], lazy ? g->config.warp.policy : WARP_GTO);
    }
}

static void note_tnew(struct gpu *g, struct throttle *of, uint32_t n_new)
{
    of->done = true;
    g->kernel_stats[of->kernel].throttle[THROTTLE_lcs].decided++;
    throttle_count(g, THROTTLE_lcs, of, n_new, false);
}

void lcs_outputs(struct gpu *g, uint32_t i, const struct lcs_in *in, const struct lcs_out *out)
{
    struct throttle *const of = &g->sockets.lcs[i].base.throttle;

    if (out->phase == LAZY && !of->done && !in->restart) {
        note_tnew(g, of, limit_of(g, of, out));
        order_warps(g, i, true);
    }
    if (in->restart) {
        order_warps(g, i, false);
    }
    if (out->hold) {
        limits_set(g, SOCKET_lcs, i, 0u);
    } else if (out->phase == MONITOR) {
        limits_lift(g, SOCKET_lcs, i);
    } else {
        limits_set(g, SOCKET_lcs, i, limit_of(g, of, out));
    }
    wake_to_stop(g, i);
}
