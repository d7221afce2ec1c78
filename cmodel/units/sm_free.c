/* sm_free - what CTAs take of the SMs and give back; see sm_free.h. */

#include "units/sm_free.h"

/* ---- What there is --------------------------------------------------------------------- */

static uint32_t wrap(uint32_t value, uint32_t bits)
{
    return value & (UINT32_MAX >> (32u - bits));
}

static bool fits(const struct sm_free *unit, uint32_t sm, uint32_t slot)
{
    const struct sm_free_state *const q = &unit->q;

    return q->registers[sm] >= q->need_registers[slot] && q->shared[sm] >= q->need_shared[slot]
           && q->warps[sm] >= q->need_warps[slot] && q->ctas[sm] >= 1u;
}

bool sm_free_any(const struct sm_free *unit, struct bits sms, struct bits slots)
{
    for (uint32_t slot = 0u; slot < unit->config.n_kernel; slot++) {
        for (uint32_t sm = 0u; bits_has(slots, slot) && sm < unit->config.n_sm; sm++) {
            if (bits_has(sms, sm) && fits(unit, sm, slot)) {
                return true;
            }
        }
    }
    return false;
}

static void show(const struct sm_free *unit, const struct sm_free_in *in,
                 struct sm_free_out *out)
{
    out->room = (struct bits){ { 0u } };
    for (uint32_t sm = 0u; in->kernel < unit->config.n_kernel && sm < unit->config.n_sm; sm++) {
        if (fits(unit, sm, in->kernel) && !(in->started && in->started_sm == sm)) {
            bits_add(&out->room, sm);
        }
    }
}

/* ---- What changes ---------------------------------------------------------------------- */

static void begin(const struct sm_free *unit, const struct sm_free_in *in,
                  struct sm_free_state *q)
{
    q->begun = true;
    for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
        q->registers[sm] = in->have_registers;
        q->shared[sm] = in->have_shared;
        q->warps[sm] = in->have_warps;
        q->ctas[sm] = in->have_ctas;
    }
}

static void take(const struct sm_free *unit, struct sm_free_state *q, uint32_t sm,
                 uint32_t slot)
{
    const struct sm_free_config *const c = &unit->config;

    if (sm < c->n_sm && slot < c->n_kernel) {
        q->registers[sm] = wrap(q->registers[sm] - unit->q.need_registers[slot], c->register_w);
        q->shared[sm] = wrap(q->shared[sm] - unit->q.need_shared[slot], c->shared_w);
        q->warps[sm] = wrap(q->warps[sm] - unit->q.need_warps[slot], c->warp_w);
        q->ctas[sm] = wrap(q->ctas[sm] - 1u, c->cta_w);
    }
}

static void give_back(const struct sm_free *unit, struct sm_free_state *q, uint32_t sm,
                      uint32_t slot)
{
    const struct sm_free_config *const c = &unit->config;

    if (slot < c->n_kernel) {
        q->registers[sm] = wrap(q->registers[sm] + unit->q.need_registers[slot], c->register_w);
        q->shared[sm] = wrap(q->shared[sm] + unit->q.need_shared[slot], c->shared_w);
        q->warps[sm] = wrap(q->warps[sm] + unit->q.need_warps[slot], c->warp_w);
        q->ctas[sm] = wrap(q->ctas[sm] + 1u, c->cta_w);
    }
}

static void launch(const struct sm_free *unit, const struct sm_free_in *in,
                   struct sm_free_state *q)
{
    if (in->launch_valid && in->launch_kernel < unit->config.n_kernel) {
        q->need_registers[in->launch_kernel] = in->launch_registers;
        q->need_shared[in->launch_kernel] = in->launch_shared;
        q->need_warps[in->launch_kernel] = in->launch_warps;
    }
}

/* ---- The whole ------------------------------------------------------------------------- */

void sm_free_eval(const struct sm_free *unit, const struct sm_free_in *in,
                  struct sm_free_out *out, struct sm_free_next *next)
{
    show(unit, in, out);
    next->q = unit->q;
    launch(unit, in, &next->q);
    if (!unit->q.begun) {
        begin(unit, in, &next->q);
        return;
    }
    if (in->started) {
        take(unit, &next->q, in->started_sm, in->started_kernel);
    }
    for (uint32_t sm = 0u; bits_any(in->ended) && sm < unit->config.n_sm; sm++) {
        if (bits_has(in->ended, sm)) {
            give_back(unit, &next->q, sm, in->ended_kernel[sm]);
        }
    }
}

bool sm_free_quiet(const struct sm_free *unit, const struct sm_free_in *in)
{
    return unit->q.begun && !in->launch_valid && !in->started
           && !bits_any(bits_and(in->ended, bits_below(unit->config.n_sm)));
}

void sm_free_count(const struct sm_free *unit, const struct sm_free_in *in,
                   const struct sm_free_out *out, struct sm_free_events *events)
{
    const bool somewhere = in->started && in->started_sm < unit->config.n_sm;

    (void)out;
    events->nowhere += in->started && !somewhere;
    events->both += somewhere && bits_has(in->ended, in->started_sm);
    events->taken += somewhere && in->kernel < unit->config.n_kernel
                     && fits(unit, in->started_sm, in->kernel);
}

#define UNIT_OWN_COUNT
#define UNIT sm_free
#include "base/unit_define.h"
