/* laperm - which thread block goes to which SM next; see laperm.h. */

#define UNIT_OWN_RESET
#include "units/laperm_launch.h"

#include <string.h>

void laperm_reset(struct laperm *unit)
{
    unit->q = (struct laperm_state){ .turn = bits_below(1u) };
    laperm_set_reset(&unit->parents);
    for (uint32_t sm = 0u; sm < unit->n_set; sm++) {
        laperm_set_reset(&unit->set[sm]);
    }
}

/* A head, and the SM that it may go to. source: a set, or n_sm for queue 0; LAPERM_NONE. */
struct choice {
    uint32_t source;
    uint32_t sm;     /* that gets it; LAPERM_NONE: no SM can take it */
    bool visits;     /* modes 2 and 3: the SM of the turn has its visit */
    bool backup;     /* in stage 3 */
    uint32_t record; /* a backup that is recorded, or LAPERM_NONE */
};

static void look_at_sets(const struct laperm *unit, struct laperm_view *view)
{
    view->any = view->parents.some;
    for (uint32_t sm = 0u; sm < unit->n_set; sm++) {
        laperm_set_show(&unit->set[sm], &view->set[sm]);
        view->any = view->any || view->set[sm].some;
    }
}

/* ---- SMX-Bind and Adaptive-Bind, rules LP-3 to LP-6 ------------------------------------ */

static uint32_t visited(const struct laperm *unit)
{
    uint32_t sm = 0u;

    while (!bits_has(unit->q.turn, sm)) {
        sm++;
    }
    return sm;
}

/* The first set that is not empty, after the SM's own; LAPERM_NONE. */
static uint32_t first_after(const struct laperm *unit, const struct laperm_view *view,
                            uint32_t sm)
{
    const uint32_t n = unit->config.n_sm;

    for (uint32_t k = 1u; k < n; k++) {
        if (view->set[(sm + k) % n].some) {
            return (sm + k) % n;
        }
    }
    return LAPERM_NONE;
}

static void stage_three(const struct laperm *unit, const struct laperm_view *view,
                        struct choice *choice)
{
    const uint32_t recorded = unit->q.backup[choice->sm];
    uint32_t set = recorded;

    if (!bits_has(unit->q.recorded, choice->sm) || !view->set[recorded].some) {
        set = first_after(unit, view, choice->sm);
        choice->record = set;
    }
    choice->backup = set != LAPERM_NONE;
    choice->source = set != LAPERM_NONE && view->set[set].offer ? set : LAPERM_NONE;
}

static void three_stages(const struct laperm *unit, const struct laperm_view *view,
                         bool adaptive, struct choice *choice)
{
    choice->visits = view->any;
    choice->sm = visited(unit);
    if (view->set[choice->sm].some) {
        choice->source = view->set[choice->sm].offer ? choice->sm : LAPERM_NONE;
    } else if (view->parents.some) {
        choice->source = view->parents.offer ? unit->config.n_sm : LAPERM_NONE;
    } else if (adaptive) {
        stage_three(unit, view, choice);
    }
}

/* ---- RR and TB-Pri, rules LP-1 and LP-2 ------------------------------------------------ */

static void oldest(const struct laperm *unit, const struct laperm_view *view, bool by_level,
                   struct choice *choice)
{
    uint32_t best_level = 0u;
    uint32_t best_stamp = 0u;
    bool steady = view->parents.steady;

    if (view->parents.here) {
        choice->source = unit->config.n_sm;
        best_stamp = view->parents.stamp;
    }
    for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
        const struct laperm_set_out *const set = &view->set[sm];
        const uint32_t level = by_level ? set->level + 1u : 0u;
        steady = steady && set->steady;
        if (set->here
            && (choice->source == LAPERM_NONE || level > best_level
                || (level == best_level && set->stamp < best_stamp))) {
            choice->source = sm;
            best_level = level;
            best_stamp = set->stamp;
        }
    }
    if (!steady) {
        choice->source = LAPERM_NONE;
    }
}

/* ---- The choice, and where it goes ----------------------------------------------------- */

static struct choice choose(const struct laperm *unit, const struct laperm_view *view,
                            uint32_t mode)
{
    struct choice choice = { .source = LAPERM_NONE, .sm = LAPERM_NONE, .record = LAPERM_NONE };

    if (mode == LAPERM_SMX_BIND || mode == LAPERM_ADAPTIVE_BIND) {
        three_stages(unit, view, mode == LAPERM_ADAPTIVE_BIND, &choice);
    } else {
        oldest(unit, view, mode == LAPERM_TB_PRI, &choice);
    }
    return choice;
}

/* The SMs that can take a thread block in this cycle: one of queue 0 only with a credit. */
static struct bits takers(const struct laperm *unit, const struct laperm_in *in, bool parent)
{
    struct bits set = bits_and(bits_and(in->room, in->limit), bits_below(unit->config.n_sm));

    set = parent ? bits_and(set, in->credit) : set;
    if (unit->q.going) {
        bits_remove(&set, unit->q.to);
    }
    return set;
}

/* The first SM of a set after the last one picked, wrapping; LAPERM_NONE. */
static uint32_t next_taker(const struct laperm *unit, struct bits set)
{
    const struct bits ahead = bits_and(set, unit->q.behind);
    const struct bits of = bits_any(ahead) ? ahead : set;

    for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
        if (bits_has(of, sm)) {
            return sm;
        }
    }
    return LAPERM_NONE;
}

static void place(const struct laperm *unit, const struct laperm_in *in, struct choice *choice)
{
    const struct bits set = takers(unit, in, choice->source == unit->config.n_sm);
    const bool none = choice->source == LAPERM_NONE || (unit->q.going && !in->dispatch_ready);

    if (!none && !choice->visits) {
        choice->sm = next_taker(unit, set);
    } else if (none || !bits_has(set, choice->sm)) {
        choice->sm = LAPERM_NONE;
    }
}

static const struct laperm_set_out *source_of(const struct laperm *unit,
                                              const struct laperm_view *view, uint32_t source)
{
    return source == unit->config.n_sm ? &view->parents : &view->set[source];
}

static void dispatch(const struct laperm *unit, const struct laperm_view *view,
                     const struct choice *choice, struct laperm_state *q)
{
    const struct laperm_set_out *const head = source_of(unit, view, choice->source);
    const bool parent = choice->source == unit->config.n_sm;

    q->going = true;
    q->to = choice->sm;
    q->payload = head->payload;
    q->kernel = head->kernel;
    q->tb = head->tb;
    q->last = head->last;
    q->level = parent ? 0u : head->level + 1u;
    q->from = parent ? 0u : choice->source;
    if (!choice->visits) {
        q->behind = laperm_behind(unit, choice->sm);
    }
}

static void end_visit(const struct laperm *unit, const struct choice *choice,
                      struct laperm_state *q)
{
    const uint32_t sm = visited(unit);

    if (choice->record != LAPERM_NONE) {
        q->backup[sm] = choice->record;
        bits_add(&q->recorded, sm);
    }
    q->turn = (struct bits){ { 0u } };
    bits_add(&q->turn, sm + 1u < unit->config.n_sm ? sm + 1u : 0u);
}

static void pick(const struct laperm *unit, const struct laperm_in *in,
                 const struct laperm_view *view, const struct choice *first,
                 const struct choice *placed, struct laperm_state *q)
{
    if (unit->q.going && !in->dispatch_ready) {
        return;
    }
    q->going = q->last = false;
    q->to = q->kernel = q->tb = q->level = q->from = 0u;
    q->payload = 0u;
    if (placed->sm != LAPERM_NONE) {
        dispatch(unit, view, placed, q);
    }
    if (first->visits) {
        end_visit(unit, first, q);
    }
}

/* ---- The whole ------------------------------------------------------------------------- */

static void show(const struct laperm *unit, const struct laperm_view *view,
                 const struct laperm_launch *launch, const struct choice *choice,
                 struct laperm_out *out)
{
    const struct laperm_state *const q = &unit->q;

    *out = (struct laperm_out){
        .launch_ready = launch->ready,
        .launch_error = q->launch_error,
        .spill_valid = q->spill_valid,
        .spill_sm = q->spill_sm,
        .spill_level = q->spill_level,
        .spill_payload = q->spill_payload,
        .spill_kernel = q->spill_kernel,
        .spill_tbs = q->spill_tbs,
        .spill_stamp = q->spill_stamp,
        .ask_valid = q->ask_valid,
        .ask_sm = q->ask_sm,
        .ask_level = q->ask_level,
        .back_ready = !q->back_valid,
        .look = choice->source != LAPERM_NONE,
        .dispatch_valid = q->going,
        .dispatch_sm = q->to,
        .dispatch_payload = q->payload,
        .dispatch_kernel = q->kernel,
        .dispatch_tb = q->tb,
        .dispatch_last = q->last,
        .dispatch_level = q->level,
        .dispatch_from = q->from,
    };
    if (out->look) {
        out->kernel = source_of(unit, view, choice->source)->kernel;
    }
    for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
        if (view->set[sm].some) {
            bits_add(&out->waiting, sm);
        }
    }
}

void laperm_eval_watched(const struct laperm *unit, const struct laperm_in *in,
                         struct laperm_out *out, struct laperm_next *next,
                         const struct unit_watch *watch)
{
    const uint32_t n = unit->config.n_sm;
    struct laperm_set_in to = { .draw = false };
    struct laperm_view view;
    struct laperm_set_out set;

    laperm_eval_parents(unit, &to, &view.parents, next, watch); /* no input reaches an output */
    look_at_sets(unit, &view);
    const struct laperm_launch launch = laperm_launch_of(unit, in, &view);
    const struct choice choice = choose(unit, &view, unit->q.mode);
    struct choice placed = choice;
    place(unit, in, &placed);
    const uint32_t drawn = placed.sm == LAPERM_NONE ? LAPERM_NONE : placed.source;

    show(unit, &view, &launch, &choice, out);
    for (uint32_t sm = 0u; sm < n; sm++) {
        to = laperm_set_input(unit, in, &launch, sm);
        to.draw = sm == drawn;
        laperm_set_eval(&unit->set[sm], &to, &set, &next->set[sm]);
    }
    to = laperm_set_input(unit, in, &launch, n);
    to.draw = n == drawn;
    laperm_eval_parents(unit, &to, &view.parents, next, watch);
    next->q = unit->q;
    next->q.mode = in->mode;
    laperm_launch_edge(unit, in, &view, &launch, &next->q);
    pick(unit, in, &view, &choice, &placed, &next->q);
}

bool laperm_candidate(const struct laperm *unit, uint32_t *slot)
{
    struct laperm_view view;

    laperm_set_show(&unit->parents, &view.parents);
    look_at_sets(unit, &view);
    const struct choice choice = choose(unit, &view, unit->q.mode);
    if (choice.source == LAPERM_NONE) {
        return false;
    }
    *slot = source_of(unit, &view, choice.source)->kernel;
    return true;
}

bool laperm_waits(const struct laperm *unit, uint32_t sm)
{
    return laperm_set_waits(&unit->set[sm]);
}

/* ---- Cycles that are left out ---------------------------------------------------------- */

/* Nothing comes or goes, and nothing could: then an edge changes but the turn and records, and
 * those only if something waits and SMs are visited. */
static bool rests(const struct laperm *unit, const struct laperm_in *in, bool *visits)
{
    const struct laperm_state *const q = &unit->q;
    bool rest = laperm_set_rests(&unit->parents);
    bool any = laperm_set_waits(&unit->parents);
    bool wants = false;

    for (uint32_t sm = 0u; sm < unit->n_set; sm++) {
        const struct laperm_set *const set = &unit->set[sm];
        rest = rest && laperm_set_rests(set);
        any = any || laperm_set_waits(set);
        wants = wants || laperm_set_wants(set);
    }
    *visits = any && (q->mode == LAPERM_SMX_BIND || q->mode == LAPERM_ADAPTIVE_BIND);
    return rest && !wants && in->mode == q->mode && !in->launch_valid && !in->back_valid
           && !q->going && !q->spill_valid && !q->ask_valid && !q->back_valid
           && !q->launch_error && (any ? !bits_any(takers(unit, in, false)) : q->stamp == 0u);
}

bool laperm_rests(const struct laperm *unit, const struct laperm_in *in)
{
    bool visits;

    return rests(unit, in, &visits);
}

bool laperm_quiet(const struct laperm *unit, const struct laperm_in *in)
{
    bool visits;

    return rests(unit, in, &visits) && !visits;
}

/* When each SM has had its visit at rest its record is made, and only the turn goes on. */
void laperm_advance(struct laperm *unit, const struct laperm_in *in, uint64_t n)
{
    const uint32_t sms = unit->config.n_sm;
    struct laperm_out out;
    struct laperm_next next;
    bool visits = true;

    for (uint32_t rested = 0u; n > 0u; n--) {
        rested = rests(unit, in, &visits) ? rested + 1u : 0u;
        if (rested != 0u && !visits) {
            return;
        }
        if (rested > sms) {
            n %= sms;
            rested = 0u;
        }
        if (n == 0u) {
            return;
        }
        laperm_eval(unit, in, &out, &next);
        laperm_tick(unit, &next);
    }
}

#define UNIT_COMPOSITION

static void count_sets(const struct laperm *unit, struct laperm_events *events)
{
    for (uint32_t sm = 0u; sm < unit->n_set; sm++) {
        const uint32_t met = laperm_set_meets(&unit->set[sm]);
        events->pushed += met >> LAPERM_SET_PUSHED & 1u;
        events->moved += met >> LAPERM_SET_MOVED & 1u;
        events->front += met >> LAPERM_SET_FRONT & 1u;
        events->overtook += met >> LAPERM_SET_OVERTOOK & 1u;
        events->drained += met >> LAPERM_SET_DRAINED & 1u;
        events->came_back += met >> LAPERM_SET_CAME_BACK & 1u;
    }
}

void laperm_count(const struct laperm *unit, const struct laperm_in *in,
                  const struct laperm_out *out, struct laperm_events *events)
{
    struct laperm_view view;

    laperm_set_show(&unit->parents, &view.parents);
    look_at_sets(unit, &view);
    const struct laperm_launch launch = laperm_launch_of(unit, in, &view);
    const struct choice choice = choose(unit, &view, unit->q.mode);
    struct choice placed = choice;
    place(unit, in, &placed);
    const bool free = !unit->q.going || in->dispatch_ready;
    const bool goes = placed.sm != LAPERM_NONE;

    count_sets(unit, events);
    events->spilled += in->launch_valid && launch.ready && launch.legal && launch.spills;
    events->stolen += goes && choice.backup;
    events->kept += goes && choice.backup && choice.record == LAPERM_NONE;
    events->recorded += free && choice.record != LAPERM_NONE;
    events->blocked += free && choice.visits && choice.source != LAPERM_NONE && !goes;
    events->unpaid += free && choice.source == unit->config.n_sm && !goes
                      && bits_any(takers(unit, in, false)) && !bits_any(takers(unit, in, true));
    events->waits += free && choice.visits && view.set[choice.sm].some && !out->look;
    events->refused += in->launch_valid && launch.ready && !launch.legal;
    events->held += in->launch_valid && !launch.ready;
}

#define UNIT_OWN_COUNT
#define UNIT laperm
#include "base/unit_define.h"
