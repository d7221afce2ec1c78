/* control - pause, drain and power gating of SMs (rule P-5, rule P-6), and those that a
 * configuration leaves switched off. */

#include "gpu/gpu.h"
#include "gpu/machine.h"
#include "gpu/wake.h"

static void touch(struct gpu *g, struct sm *m)
{
    wake_sm(g, m->id, g->t);
    g->sockets.called = true;
    distributor_sms(g);
    dispatch_open(g, m);
}

void gpu_pause(struct gpu *g, uint32_t sm)
{
    g->sm[sm]->pausing = true;
    touch(g, g->sm[sm]);
}

bool gpu_paused(const struct gpu *g, uint32_t sm)
{
    const struct sm *const m = g->sm[sm];
    return m->pausing && m->memory_inflight == 0u && m->alu_latest <= g->t
           && m->miss_queue.n == 0u;
}

void gpu_resume(struct gpu *g, uint32_t sm)
{
    g->sm[sm]->pausing = false;
    touch(g, g->sm[sm]);
}

static bool is_active(const struct gpu *g, uint32_t sm)
{
    return g->config.sm.active == 0u || sm < g->config.sm.active;
}

void gpu_drain(struct gpu *g, uint32_t sm, bool draining)
{
    g->sm[sm]->draining = draining;
    touch(g, g->sm[sm]);
}

/* CTAs are on their way to the SM, or may be sent to it in the next cycle. */
static bool distributor_sends(const struct gpu *g, uint32_t sm)
{
    if (g->sockets.work_distributor == NULL) {
        return false;
    }
    const struct cta_scheduler_state *const q = &g->sockets.work_distributor->unit.scheduler.q;

    return bits_has(q->candidates, sm) || bits_has(q->to, sm);
}

/* The same of LaPerm, or some are bound to it. */
static bool binding_sends(const struct gpu *g, uint32_t sm)
{
    if (g->sockets.laperm == NULL) {
        return false;
    }
    const struct laperm *const unit = &g->sockets.laperm->unit;
    return laperm_waits(unit, sm) || (unit->q.going && unit->q.to == sm);
}

bool control_sends(const struct gpu *g, uint32_t sm)
{
    if (g->sockets.laperm == NULL) {
        return distributor_sends(g, sm);
    }
    const struct laperm *const unit = &g->sockets.laperm->unit;
    return unit->q.going && unit->q.to == sm;
}

bool gpu_gate(struct gpu *g, uint32_t sm, bool off)
{
    struct sm *const m = g->sm[sm];
    if (off == m->gated) {
        return true;
    }
    if (!off && !is_active(g, sm)) {
        return false;
    }
    if (off
        && (!m->draining || m->cta_used != 0u || m->away != 0u || m->memory_inflight != 0u
            || m->miss_queue.n != 0u || distributor_sends(g, sm) || binding_sends(g, sm)
            || m->cache[PATH_CODE].mshr.n_free != g->config.icache.mshrs)) {
        return false;
    }
    m->gated = off;
    m->gatings += off;
    integral_set(&m->off, off ? 1u : 0u, g->t);
    if (!off) {
        m->gate_open = g->t + g->config.sm.wake_latency;
        g->alarm = m->gate_open < g->alarm ? m->gate_open : g->alarm;
        sm_forget(m);
    }
    touch(g, m);
    return true;
}

void control_open(struct gpu *g)
{
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        if (!is_active(g, i)) {
            gpu_drain(g, i, true);
            (void)gpu_gate(g, i, true); /* it has nothing yet that could keep it on */
            g->sm[i]->gatings = 0u;     /* it never was on */
        }
    }
}
