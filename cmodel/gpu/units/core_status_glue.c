/*
 * core_status_glue - the core status table in the machine. Paused SMs, and those that hold for
 * a sample, do not issue; the kernel's CTAs go to open ones alone; SMs that are not active take
 * no CTA, and are gated once they are empty (rule O-12). It comes after the detector, whose
 * outputs of the cycle it gets.
 */

#include <string.h>

#include "gpu/wake.h"

/* ---- Inputs -------------------------------------------------------------------------- */

/* What SMs have issued since they were asked last. True if any has. */
static bool count_issued(struct gpu *g, bool window, uint32_t *issued)
{
    const struct bits all = bits_below(g->n_sm);
    const uint64_t *const sms = g->sockets.sums ? all.word : g->sockets.sm;
    bool any = false;

    for (uint32_t word = 0u; word < 3u; word++) {
        for (uint64_t set = sms[word]; set != 0u; set &= set - 1u) {
            struct sm *const m = g->sm[word * 64u + lowest(set)];
            const uint64_t new = m->issues - m->sampled;
            m->sampled = m->issues;
            if (window) {
                issued[m->id] = (uint32_t) new;
                any = any || new != 0u;
            }
        }
    }
    return any;
}

/* Told of sums, its inputs have what SMs have issued since its last cycle. That is counted as
 * if it were of this one: since the detector's last cycle, which was one of the table too, its
 * window and the open SMs are the same. */
void core_status_inputs(struct gpu *g, uint32_t i, struct core_status_in *in)
{
    struct socket *const s = &g->sockets.core_status[i].base;
    const struct onac_out *const onac = &g->sockets.onac[i].out;

    in->write = onac->write;
    in->write_active = onac->active;
    in->write_paused = onac->paused;
    in->clear = onac->clear;
    in->window = onac->window;
    in->read = onac->read;
    const bool any = count_issued(g, onac->window, in->issued);
    s->pulse = onac->write || (any && !g->sockets.sums);
    if (any) {
        s->alarm = g->t; /* it may be as much as in the last one */
    }
}

/* What is asked for its samples before its cycle has them. */
void core_status_make_up(struct gpu *g, uint32_t i, const struct core_status_in *in, uint64_t n)
{
    struct core_status *const unit = &g->sockets.core_status[i].unit;
    struct core_status_in rest = *in;

    memset(rest.issued, 0, sizeof rest.issued);
    if (n != 0u && count_issued(g, in->window, rest.issued)) {
        core_status_advance(unit, &rest, 1u);
        memset(rest.issued, 0, sizeof rest.issued);
        n--;
    }
    core_status_advance(unit, &rest, n);
}

/* ---- Outputs ------------------------------------------------------------------------- */

/* They come when the SMs of this cycle have been; what they change shows in the next one, in
 * which these SMs step. */

/* The SMs that are in one set and not in the other. */
static struct bits change(struct bits a, struct bits b)
{
    for (uint32_t word = 0u; word < 3u; word++) {
        a.word[word] ^= b.word[word];
    }
    return a;
}

static void hold(struct gpu *g, struct bits held)
{
    const struct bits changed = change(held, g->detection.held);

    g->detection.held = held;
    for (uint32_t sm = 0u; bits_any(changed) && sm < g->n_sm; sm++) {
        if (bits_has(changed, sm)) {
            if (bits_has(held, sm)) {
                gpu_pause(g, sm);
            } else {
                gpu_resume(g, sm);
            }
            wake_sm(g, sm, g->t + 1u);
        }
    }
}

static void leave_out(struct gpu *g, struct bits left_out)
{
    const struct bits changed = change(left_out, g->detection.left_out);

    g->detection.left_out = left_out;
    for (uint32_t sm = 0u; bits_any(changed) && sm < g->n_sm; sm++) {
        if (bits_has(changed, sm)) {
            (void)gpu_gate(g, sm, false);
            gpu_drain(g, sm, bits_has(left_out, sm));
            wake_sm(g, sm, g->t + 1u);
        }
    }
}

/* Gates those that are empty. True if some are not yet. */
static bool gate(struct gpu *g)
{
    bool more = false;

    for (uint32_t sm = 0u; g->config.onac.gate && sm < g->n_sm; sm++) {
        if (bits_has(g->detection.left_out, sm) && !g->sm[sm]->gated) {
            if (gpu_gate(g, sm, true)) {
                wake_sm(g, sm, g->t + 1u);
            } else {
                more = true;
            }
        }
    }
    return more;
}

void core_status_outputs(struct gpu *g, uint32_t i, const struct core_status_in *in,
                         const struct core_status_out *out)
{
    const struct bits all = bits_below(g->n_sm), request = g->sockets.onac[i].out.request;
    const struct bits closed = change(out->open, all);
    struct bits held = out->paused;

    (void)in;
    for (uint32_t word = 0u; word < 3u; word++) {
        held.word[word] |= request.word[word];
    }
    hold(g, held);
    leave_out(g, change(out->active, all));
    if (!bits_equal(closed, g->detection.closed)) {
        g->detection.closed = closed;
        gpu_allow(g, g->detection.kernel, out->open);
    }
    if (bits_any(g->detection.left_out) && gate(g)) {
        g->sockets.core_status[i].base.pulse = true;
    }
}
