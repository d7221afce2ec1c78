/* kmu - kernels that wait for an entry of the distributor; see kmu.h. */

#include "units/kmu.h"

/* ---- Links and queues ------------------------------------------------------------------ */

static uint32_t sm_width(const struct kmu *unit)
{
    return index_width(unit->config.n_sm);
}

static uint32_t link_of(const struct kmu *unit, uint32_t level, uint32_t sm, uint32_t handle)
{
    return (level << sm_width(unit) | sm) << unit->config.handle_w | handle;
}

static uint32_t handle_of(const struct kmu *unit, uint32_t link)
{
    return link & (UINT32_MAX >> (32u - unit->config.handle_w));
}

/* The number of the queue that find and act are for. */
static uint32_t queue_of(const struct kmu *unit)
{
    return unit->q.set * unit->config.n_level + unit->q.level;
}

static bool has_kernels(const struct kmu_state *q, uint32_t set, uint32_t level)
{
    return level == 0u ? q->first_waits : (q->waits[set] >> (level - 1u) & 1u) != 0u;
}

static void mark(struct kmu_state *q, uint32_t set, uint32_t level, bool waits)
{
    if (level == 0u) {
        q->first_waits = waits;
    } else {
        q->waits[set] &= ~(1u << (level - 1u));
        q->waits[set] |= (uint32_t)waits << (level - 1u);
    }
}

/* The first set that has kernels, after the one visited last, wrapping; n_sm if none has. */
static uint32_t next_set(const struct kmu *unit)
{
    const uint32_t n = unit->config.n_sm;
    uint32_t first = n;

    for (uint32_t set = 0u; set < n; set++) {
        if (unit->q.waits[set] != 0u && bits_has(unit->q.behind, set)) {
            return set;
        }
        if (unit->q.waits[set] != 0u && first == n) {
            first = set;
        }
    }
    return first;
}

/* ---- State take: an arrival, rule LP-13 ---------------------------------------------- */

static uint32_t level_of(const struct kmu *unit, const struct kmu_in *in)
{
    if (in->arrive_host) {
        return 0u;
    }
    return in->arrive_parent < unit->config.n_level ? in->arrive_parent + 1u
                                                    : unit->config.n_level;
}

static bool is_legal(const struct kmu *unit, const struct kmu_in *in)
{
    return in->arrive_host || in->arrive_sm < unit->config.n_sm;
}

static bool takes(const struct kmu *unit, const struct kmu_in *in)
{
    return unit->q.state == KMU_TAKE && in->arrive_valid;
}

static void take(const struct kmu *unit, const struct kmu_in *in, struct kmu_state *q)
{
    const uint32_t level = level_of(unit, in);
    const uint32_t sm = in->arrive_host ? 0u : in->arrive_sm;

    if (!is_legal(unit, in)) {
        q->state = KMU_LOOK;
        q->arrive_error = true;
        return;
    }
    q->state = KMU_FIND;
    q->picks = false;
    q->new_link = link_of(unit, level, sm, in->arrive_handle);
    q->set = in->mode == KMU_SMX_BIND || in->mode == KMU_ADAPTIVE_BIND ? sm : 0u;
    q->level = in->mode == KMU_RR ? 0u : level;
}

/* ---- A pick begins, rules LP-14 to LP-16 ----------------------------------------------- */

static bool may_pick(const struct kmu *unit, const struct kmu_in *in)
{
    const struct kmu_state *const q = &unit->q;

    return in->room && !q->grant_valid && !q->reading
           && (q->first_waits || next_set(unit) < unit->config.n_sm);
}

static void begin_pick(const struct kmu *unit, struct kmu_state *q)
{
    const uint32_t set = next_set(unit);

    q->state = KMU_FIND;
    q->picks = true;
    q->set = q->level = 0u;
    if (set < unit->config.n_sm) {
        q->set = set;
        q->level = unit->config.n_level;
        q->behind = (struct bits){ { 0u } };
        for (uint32_t k = set + 1u; k < unit->config.n_sm; k++) {
            bits_add(&q->behind, k);
        }
    }
}

/* ---- State find: is there a kernel in the queue? --------------------------------------- */

static void find(const struct kmu *unit, struct kmu_state *q)
{
    const uint32_t queue = queue_of(unit);

    if (has_kernels(&unit->q, unit->q.set, unit->q.level)) {
        q->read_head = (uint32_t)unit->mem.head[queue];
        q->read_tail = (uint32_t)unit->mem.tail[queue];
        q->read_count = (uint32_t)unit->mem.count[queue];
        q->state = KMU_ACT;
    } else if (unit->q.picks) {
        q->level--;
    } else {
        q->state = KMU_ACT;
    }
}

/* ---- State act: a kernel is put or picked, rule LP-12 ---------------------------------- */

/* What memory is asked for with a queue of more than one kernel. */
struct act {
    bool asks;    /* memory has to be asked */
    bool refuses; /* the queue has all handles */
    bool waits;   /* for the link register, or for the port of the heads */
};

static bool answers(const struct kmu *unit, const struct kmu_in *in)
{
    const bool asked = unit->q.link_valid && !unit->q.link_write;

    return unit->q.reading && in->answer_valid && !asked;
}

static struct act act_of(const struct kmu *unit, const struct kmu_in *in)
{
    const struct kmu_state *const q = &unit->q;
    const bool some = has_kernels(q, q->set, q->level);
    struct act act = { .asks = q->picks ? q->read_count != 1u : some };

    act.refuses = !q->picks && some && q->read_count == 0u;
    act.waits = act.asks ? q->link_valid : !q->picks && answers(unit, in);
    act.waits = act.waits && !act.refuses;
    return act;
}

static void ask(struct kmu_state *q, bool write, uint32_t handle)
{
    q->link_valid = true;
    q->link_write = write;
    q->link_handle = handle;
}

static void count(const struct kmu *unit, struct kmu_next *next, uint32_t kernels)
{
    UNIT_WRITE(&next->count, queue_of(unit), handle_of(unit, kernels));
}

static void put(const struct kmu *unit, const struct act *act, struct kmu_next *next)
{
    const struct kmu_state *const q = &unit->q;

    next->q.state = KMU_LOOK;
    if (act->refuses) {
        next->q.arrive_error = true;
        return;
    }
    if (act->asks) {
        ask(&next->q, true, q->read_tail);
        next->q.link_data = q->new_link;
    } else {
        UNIT_WRITE(&next->head, queue_of(unit), q->new_link);
        mark(&next->q, q->set, q->level, true);
    }
    UNIT_WRITE(&next->tail, queue_of(unit), handle_of(unit, q->new_link));
    count(unit, next, act->asks ? q->read_count + 1u : 1u);
}

static void pick(const struct kmu *unit, const struct act *act, struct kmu_next *next)
{
    const struct kmu_state *const q = &unit->q;

    next->q.state = KMU_TAKE;
    next->q.grant_valid = true;
    next->q.grant = q->read_head;
    if (act->asks) {
        ask(&next->q, false, handle_of(unit, q->read_head));
        next->q.reading = true;
        next->q.home = queue_of(unit);
        count(unit, next, q->read_count - 1u);
    } else {
        mark(&next->q, q->set, q->level, false);
    }
}

/* ---- A cycle --------------------------------------------------------------------------- */

static void show(const struct kmu *unit, struct kmu_out *out)
{
    const struct kmu_state *const q = &unit->q;
    const uint32_t place = q->grant >> unit->config.handle_w; /* level and SM */

    *out = (struct kmu_out){
        .arrive_ready = q->state == KMU_TAKE,
        .arrive_error = q->arrive_error,
        .link_valid = q->link_valid,
        .link_write = q->link_write,
        .link_handle = q->link_handle,
        .link_data = q->link_data,
        .grant_valid = q->grant_valid,
        .grant_handle = handle_of(unit, q->grant),
        .grant_sm = place & (UINT32_MAX >> (32u - sm_width(unit))),
        .grant_level = place >> sm_width(unit),
        .grant_host = place >> sm_width(unit) == 0u,
    };
    for (uint32_t set = 0u; set < unit->config.n_sm; set++) {
        if (q->waits[set] != 0u) {
            bits_add(&out->waiting, set);
        }
    }
}

/* What is handed over in this cycle. */
static void hand_over(const struct kmu *unit, const struct kmu_in *in, struct kmu_next *next)
{
    next->q.arrive_error = false;
    next->q.link_valid = unit->q.link_valid && !in->link_ready;
    next->q.grant_valid = unit->q.grant_valid && !in->grant_ready;
    if (answers(unit, in)) {
        next->q.reading = false;
        UNIT_WRITE(&next->head, unit->q.home, in->answer_data);
    }
}

void kmu_eval(const struct kmu *unit, const struct kmu_in *in, struct kmu_out *out,
              struct kmu_next *next)
{
    show(unit, out);
    kmu_hold(unit, next);
    hand_over(unit, in, next);
    if (takes(unit, in)) {
        take(unit, in, &next->q);
    } else if (unit->q.state == KMU_FIND) {
        find(unit, &next->q);
    } else if (unit->q.state == KMU_ACT) {
        const struct act act = act_of(unit, in);
        if (!act.waits && unit->q.picks) {
            pick(unit, &act, next);
        } else if (!act.waits) {
            put(unit, &act, next);
        }
    } else if (may_pick(unit, in)) {
        begin_pick(unit, &next->q);
    } else {
        next->q.state = KMU_TAKE;
    }
}

bool kmu_quiet(const struct kmu *unit, const struct kmu_in *in)
{
    const struct kmu_state *const q = &unit->q;

    return q->state == KMU_TAKE && !in->arrive_valid && !may_pick(unit, in) && !q->arrive_error
           && !answers(unit, in) && !(q->link_valid && in->link_ready)
           && !(q->grant_valid && in->grant_ready);
}

static void count_act(const struct kmu *unit, const struct kmu_in *in,
                      struct kmu_events *events)
{
    const struct kmu_state *const q = &unit->q;
    const struct act act = act_of(unit, in);

    events->full += act.refuses;
    events->stalled += act.waits && act.asks;
    events->crossed += act.waits && !act.asks;
    events->linked += !act.waits && !act.refuses && act.asks && !q->picks;
    events->followed += !act.waits && act.asks && q->picks;
    events->emptied += !act.waits && !act.asks && q->picks;
    events->joined += !act.waits && !act.refuses && q->reading && q->home == queue_of(unit);
}

void kmu_count(const struct kmu *unit, const struct kmu_in *in, const struct kmu_out *out,
               struct kmu_events *events)
{
    const struct kmu_state *const q = &unit->q;
    const bool picks = q->state <= KMU_LOOK && !takes(unit, in) && may_pick(unit, in);
    const uint32_t set = next_set(unit);

    (void)out;
    if (takes(unit, in)) {
        events->refused += !is_legal(unit, in);
        events->clamped += !in->arrive_host && in->arrive_parent >= unit->config.n_level;
    }
    events->strays += in->answer_valid && !answers(unit, in);
    events->turned += picks && set < unit->config.n_sm && set != q->set;
    events->deeper += q->state == KMU_FIND && q->picks && !has_kernels(q, q->set, q->level);
    if (q->state == KMU_ACT) {
        count_act(unit, in, events);
    }
}

#define UNIT_OWN_COUNT
#define UNIT kmu
#include "base/unit_define.h"
