/* laperm_launch - launches, and entries in memory; see laperm_launch.h. */

#include "units/laperm_launch.h"

struct bits laperm_behind(const struct laperm *unit, uint32_t sm)
{
    struct bits set = bits_below(unit->config.n_sm);

    for (uint32_t k = 0u; k <= sm; k++) {
        bits_remove(&set, k);
    }
    return set;
}

/* ---- Launches and memory, rules LP-7 and LP-10 ----------------------------------------- */

/* The set that is asked for next; LAPERM_NONE. */
static uint32_t asked(const struct laperm *unit, const struct laperm_view *view)
{
    const uint32_t n = unit->config.n_sm;
    uint32_t first = LAPERM_NONE;

    for (uint32_t k = n; k > 0u; k--) {
        if (view->set[k - 1u].want && bits_has(unit->q.ask_behind, k - 1u)) {
            first = k - 1u;
        }
    }
    for (uint32_t k = n;
         k > 0u && !(first != LAPERM_NONE && bits_has(unit->q.ask_behind, first)); k--) {
        first = view->set[k - 1u].want ? k - 1u : first;
    }
    return unit->q.ask_valid || unit->q.spill_valid ? LAPERM_NONE : first;
}

struct laperm_launch laperm_launch_of(const struct laperm *unit, const struct laperm_in *in,
                                      const struct laperm_view *view)
{
    const uint32_t top = unit->config.n_level - 1u;
    const uint32_t level = in->launch_parent < top ? in->launch_parent : top;
    struct laperm_launch launch = {
        .level = in->launch_host || unit->q.mode == LAPERM_RR ? 0u : level,
        .known = in->launch_host || in->launch_sm < unit->config.n_sm,
        .ready = true,
        .asked = asked(unit, view),
    };

    launch.legal =
        launch.known && in->launch_kernel < unit->config.n_kernel && in->launch_tbs != 0u;
    if (in->launch_host) {
        launch.ready = view->parents.idle && !bits_has(view->parents.spills, 0u);
    } else if (launch.known) {
        const struct laperm_set_out *const set = &view->set[in->launch_sm];
        const bool waits = unit->q.back_valid && unit->q.back_sm == in->launch_sm;
        launch.spills = bits_has(set->spills, launch.level);
        launch.ready = launch.spills
                           ? !unit->q.spill_valid && !bits_has(set->stuck, launch.level)
                           : set->idle && !waits;
    }
    return launch;
}

static bool is_taken(const struct laperm_in *in, const struct laperm_launch *launch)
{
    return in->launch_valid && launch->ready && launch->legal;
}

static void spill(const struct laperm *unit, const struct laperm_in *in,
                  const struct laperm_launch *launch, struct laperm_state *q)
{
    if (in->spill_ready) {
        q->spill_valid = false;
    }
    if (is_taken(in, launch) && launch->spills) {
        q->spill_valid = true;
        q->spill_sm = in->launch_sm;
        q->spill_level = launch->level + 1u;
        q->spill_payload = in->launch_payload;
        q->spill_kernel = in->launch_kernel;
        q->spill_tbs = in->launch_tbs;
        q->spill_stamp = unit->q.stamp;
    }
}

static void ask(const struct laperm *unit, const struct laperm_in *in,
                const struct laperm_view *view, uint32_t sm, struct laperm_state *q)
{

    if (in->ask_ready) {
        q->ask_valid = false;
    }
    if (sm != LAPERM_NONE) {
        q->ask_valid = true;
        q->ask_sm = sm;
        q->ask_level = view->set[sm].want_level + 1u;
        q->ask_behind = laperm_behind(unit, sm);
    }
}

static void come_back(const struct laperm *unit, const struct laperm_in *in,
                      const struct laperm_view *view, struct laperm_state *q)
{
    if (unit->q.back_valid) {
        q->back_valid = !view->set[unit->q.back_sm].idle;
        return;
    }
    if (in->back_valid && in->back_sm < unit->config.n_sm) {
        q->back_valid = true;
        q->back_sm = in->back_sm;
        q->back_level = in->back_level;
        q->back_payload = in->back_payload;
        q->back_kernel = in->back_kernel;
        q->back_tbs = in->back_tbs;
        q->back_stamp = in->back_stamp;
    }
}

static void stamp(const struct laperm *unit, const struct laperm_in *in,
                  const struct laperm_view *view, const struct laperm_launch *launch,
                  struct laperm_state *q)
{
    const uint32_t most = UINT32_MAX >> (32u - unit->config.stamp_w);
    bool idle = view->parents.idle && !view->any;

    for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
        idle = idle && view->set[sm].idle;
    }
    if (is_taken(in, launch)) {
        q->stamp += q->stamp != most;
    } else if (idle) {
        q->stamp = 0u;
    }
    q->launch_error = in->launch_valid && launch->ready && !launch->legal;
}

void laperm_launch_edge(const struct laperm *unit, const struct laperm_in *in,
                        const struct laperm_view *view, const struct laperm_launch *launch,
                        struct laperm_state *q)
{
    spill(unit, in, launch, q);
    ask(unit, in, view, launch->asked, q);
    come_back(unit, in, view, q);
    stamp(unit, in, view, launch, q);
}

/* ---- What goes into queue 0 and the sets ----------------------------------------------- */

struct laperm_set_in laperm_set_input(const struct laperm *unit, const struct laperm_in *in,
                                      const struct laperm_launch *launch, uint32_t sm)
{
    const struct laperm_state *const q = &unit->q;
    const bool mine = in->launch_host ? sm == unit->config.n_sm : sm == in->launch_sm;
    const bool back = q->back_valid && sm == q->back_sm;
    const uint32_t back_level = q->back_level == 0u ? 0u : q->back_level - 1u;
    const uint32_t level = sm == unit->config.n_sm ? 0u : launch->level; /* queue 0 has one */

    if (back) {
        return (struct laperm_set_in){
            .insert_valid = true,
            .insert_back = true,
            .insert_level =
                back_level < unit->config.n_level ? back_level : unit->config.n_level - 1u,
            .insert_payload = q->back_payload,
            .insert_kernel = q->back_kernel,
            .insert_tbs = q->back_tbs,
            .insert_stamp = q->back_stamp,
            .spill_valid = mine && is_taken(in, launch) && launch->spills,
            .spill_level = level,
            .ask = sm == launch->asked,
        };
    }
    return (struct laperm_set_in){
        .insert_valid = mine && is_taken(in, launch) && !launch->spills,
        .insert_level = level,
        .insert_payload = in->launch_payload,
        .insert_kernel = in->launch_kernel,
        .insert_tbs = in->launch_tbs,
        .insert_stamp = q->stamp,
        .spill_valid = mine && is_taken(in, launch) && launch->spills,
        .spill_level = level,
        .ask = sm == launch->asked,
    };
}
