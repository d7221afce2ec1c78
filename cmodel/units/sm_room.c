/* sm_room - the contexts of each SM, and what each slot needs; see sm_room.h. */

#include "units/sm_room.h"

#include <string.h>

/* What all SMs are shown alike. */
static void show_all(const struct sm_room *unit, const struct sm_room_in *in,
                     struct sm_contexts_in *to)
{
    *to = (struct sm_contexts_in){
        .kernel = in->kernel,
        .block = in->block,
        .recount = unit->q.recount,
        .have_registers = in->have_registers,
        .have_shared = in->have_shared,
        .have_warps = in->have_warps,
        .have_ctas = in->have_ctas,
        .started_kernel = in->started_kernel,
    };
    memcpy(to->need_registers, unit->q.need_registers, sizeof to->need_registers);
    memcpy(to->need_shared, unit->q.need_shared, sizeof to->need_shared);
    memcpy(to->need_warps, unit->q.need_warps, sizeof to->need_warps);
}

/* And what is each SM's own. */
static void show_one(const struct sm_room_in *in, uint32_t sm, struct sm_contexts_in *to)
{
    to->started = in->started_sm == sm ? in->started : 0u;
    to->ended = in->ended[sm];
    to->ended_kernel = in->ended_kernel[sm];
}

static bool is_launched(const struct sm_room *unit, const struct sm_room_in *in)
{
    return in->launch_valid && in->launch_kernel < unit->config.n_kernel;
}

void sm_room_eval(const struct sm_room *unit, const struct sm_room_in *in,
                  struct sm_room_out *out, struct sm_room_next *next)
{
    struct sm_contexts_in to;
    struct sm_contexts_out one;

    show_all(unit, in, &to);
    out->room = (struct bits){ { 0u } };
    for (uint32_t sm = 0u; sm < unit->n_contexts; sm++) {
        show_one(in, sm, &to);
        sm_contexts_eval(&unit->contexts[sm], &to, &one, &next->contexts[sm]);
        if (one.room) {
            bits_add(&out->room, sm);
        }
    }
    next->q = unit->q;
    next->q.recount = is_launched(unit, in);
    if (is_launched(unit, in)) {
        next->q.need_registers[in->launch_kernel] = in->launch_registers;
        next->q.need_shared[in->launch_kernel] = in->launch_shared;
        next->q.need_warps[in->launch_kernel] = in->launch_warps;
    }
}

bool sm_room_quiet(const struct sm_room *unit, const struct sm_room_in *in)
{
    struct sm_contexts_in to;

    if (is_launched(unit, in) || unit->q.recount) {
        return false;
    }
    show_all(unit, in, &to);
    for (uint32_t sm = 0u; sm < unit->n_contexts; sm++) {
        show_one(in, sm, &to);
        if (!sm_contexts_quiet(&unit->contexts[sm], &to)) {
            return false;
        }
    }
    return true;
}

void sm_room_count(const struct sm_room *unit, const struct sm_room_in *in,
                   const struct sm_room_out *out, struct sm_room_events *events)
{
    struct sm_contexts_in to;

    show_all(unit, in, &to);
    for (uint32_t sm = 0u; sm < unit->n_contexts; sm++) {
        const struct sm_contexts_out one = { .room = bits_has(out->room, sm) };
        show_one(in, sm, &to);
        sm_contexts_count(&unit->contexts[sm], &to, &one, &events->contexts);
    }
    events->nowhere += in->started != 0u && in->started_sm >= unit->config.n_sm;
}

#define UNIT_OWN_COUNT
#define UNIT sm_room
#include "base/unit_define.h"
