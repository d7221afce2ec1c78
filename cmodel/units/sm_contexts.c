/* sm_contexts - contexts of one SM, counted one by one; see sm_contexts.h. */

#include "units/sm_contexts.h"

/* ---- What a cycle brings --------------------------------------------------------------- */

/* CTAs that start and end in it, of kernel and of other slots; 0 of those that are ignored. */
struct traffic {
    uint32_t started, ended, other_started, other_ended;
};

static bool may_start(const struct sm_contexts *unit, const struct sm_contexts_in *in)
{
    const uint32_t most = (1u << unit->config.cta_w) - 1u;

    return in->started_kernel < unit->config.n_kernel
           && unit->q.resident[in->started_kernel] + in->started <= most;
}

static bool may_end(const struct sm_contexts *unit, const struct sm_contexts_in *in)
{
    return in->ended_kernel < unit->config.n_kernel
           && unit->q.resident[in->ended_kernel] >= in->ended;
}

static struct traffic traffic_of(const struct sm_contexts *unit,
                                 const struct sm_contexts_in *in)
{
    struct traffic traffic = { 0u, 0u, 0u, 0u };

    if (may_start(unit, in)) {
        *(in->started_kernel == unit->q.kernel ? &traffic.started : &traffic.other_started) =
            in->started;
    }
    if (may_end(unit, in)) {
        *(in->ended_kernel == unit->q.kernel ? &traffic.ended : &traffic.other_ended) =
            in->ended;
    }
    return traffic;
}

static bool is_unsure(const struct sm_contexts *unit)
{
    return unit->q.begin || unit->q.walk || unit->q.crowded;
}

static bool is_switched(const struct sm_contexts *unit, const struct sm_contexts_in *in)
{
    return in->kernel < unit->config.n_kernel && in->kernel != unit->q.kernel;
}

static bool is_late(const struct sm_contexts *unit, const struct traffic *traffic)
{
    return traffic->started > unit->q.contexts + traffic->ended;
}

static bool counts_anew(const struct sm_contexts *unit, const struct sm_contexts_in *in,
                        const struct traffic *traffic)
{
    const bool own = traffic->started != 0u || traffic->ended != 0u;
    const bool other = traffic->other_started != 0u || traffic->other_ended != 0u;

    return in->recount || is_switched(unit, in) || other || (own && is_unsure(unit))
           || is_late(unit, traffic);
}

static bool has_room(const struct sm_contexts *unit, const struct sm_contexts_in *in,
                     const struct traffic *traffic)
{
    return !in->recount && in->kernel == unit->q.kernel && traffic->other_started == 0u
           && !is_unsure(unit)
           && unit->q.contexts + traffic->ended >= traffic->started + in->block;
}

/* ---- Counting -------------------------------------------------------------------------- */

/* The first slot from k on that has resident CTAs; n_kernel if none has. */
static uint32_t next_resident(const struct sm_contexts *unit, uint32_t k)
{
    while (k < unit->config.n_kernel && unit->q.resident[k] == 0u) {
        k++;
    }
    return k;
}

/* What CTAs of a slot need is taken off next; of the kernel if there is no such slot. */
static void turn_to(const struct sm_contexts *unit, const struct sm_contexts_in *in,
                    uint32_t slot, struct sm_contexts_state *after)
{
    after->walk = slot < unit->config.n_kernel;
    after->at = after->walk ? slot : unit->q.kernel;
    after->taken = 0u;
    after->one_registers = in->need_registers[after->at];
    after->one_shared = in->need_shared[after->at];
    after->one_warps = in->need_warps[after->at];
}

/* One more CTA fits in what is left. */
static bool one_fits(const struct sm_contexts *unit)
{
    const struct sm_contexts_state *const q = &unit->q;

    return q->registers >= q->one_registers && q->shared >= q->one_shared
           && q->warps >= q->one_warps && q->ctas >= 1u;
}

static void take_off(struct sm_contexts_state *after)
{
    after->registers -= after->one_registers;
    after->shared -= after->one_shared;
    after->warps -= after->one_warps;
    after->ctas -= 1u;
}

static void begin(const struct sm_contexts *unit, const struct sm_contexts_in *in,
                  struct sm_contexts_state *after)
{
    after->contexts = 0u;
    after->crowded = false;
    after->registers = in->have_registers;
    after->shared = in->have_shared;
    after->warps = in->have_warps;
    after->ctas = in->have_ctas;
    turn_to(unit, in, next_resident(unit, 0u), after);
}

/* A step through the resident CTAs; it ends early if they need too much. */
static void walk_on(const struct sm_contexts *unit, const struct sm_contexts_in *in,
                    struct sm_contexts_state *after)
{
    const struct sm_contexts_state *const q = &unit->q;

    if (q->taken == q->resident[q->at]) {
        turn_to(unit, in, next_resident(unit, q->at + 1u), after);
    } else if (one_fits(unit)) {
        after->taken++;
        take_off(after);
    } else {
        after->walk = false;
        after->crowded = true;
    }
}

/* What is counted in a cycle in which a recount is asked for is not looked at. */
static void count_on(const struct sm_contexts *unit, const struct traffic *traffic,
                     struct sm_contexts_state *after)
{
    const uint32_t most = (1u << unit->config.cta_w) - 1u;

    after->contexts += traffic->ended - traffic->started;
    if (!unit->q.crowded && one_fits(unit)) {
        after->contexts++;
        take_off(after);
    }
    after->contexts &= most;
}

/* ---- A cycle --------------------------------------------------------------------------- */

void sm_contexts_eval(const struct sm_contexts *unit, const struct sm_contexts_in *in,
                      struct sm_contexts_out *out, struct sm_contexts_next *next)
{
    const struct traffic traffic = traffic_of(unit, in);

    sm_contexts_hold(unit, next);
    out->room = has_room(unit, in, &traffic);
    if (may_start(unit, in)) {
        next->q.resident[in->started_kernel] += in->started;
    }
    if (may_end(unit, in)) {
        next->q.resident[in->ended_kernel] -= in->ended;
    }
    if (is_switched(unit, in)) {
        next->q.kernel = in->kernel;
    }
    next->q.begin = counts_anew(unit, in, &traffic);
    if (unit->q.begin) {
        begin(unit, in, &next->q);
    } else if (unit->q.walk) {
        walk_on(unit, in, &next->q);
    } else {
        count_on(unit, &traffic, &next->q);
    }
}

bool sm_contexts_quiet(const struct sm_contexts *unit, const struct sm_contexts_in *in)
{
    return in->started == 0u && in->ended == 0u && !in->recount && !is_switched(unit, in)
           && !unit->q.begin && !unit->q.walk && (unit->q.crowded || !one_fits(unit));
}

/* ---- Events -------------------------------------------------------------------------- */

void sm_contexts_count(const struct sm_contexts *unit, const struct sm_contexts_in *in,
                       const struct sm_contexts_out *out, struct sm_contexts_events *events)
{
    const struct sm_contexts_state *const q = &unit->q;
    const struct traffic traffic = traffic_of(unit, in);

    (void)out;
    events->crowded +=
        !q->begin && q->walk && q->taken != q->resident[q->at] && !one_fits(unit);
    events->late += !is_unsure(unit) && is_late(unit, &traffic);
    events->others += traffic.other_ended != 0u;
    events->switched +=
        is_switched(unit, in) && next_resident(unit, 0u) != unit->config.n_kernel;
    events->both += traffic.started != 0u && traffic.ended != 0u;
    events->strange += in->ended != 0u && !may_end(unit, in);
}

#define UNIT_OWN_COUNT
#define UNIT sm_contexts
#include "base/unit_define.h"
