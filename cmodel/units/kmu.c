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

/* ---- Numbers of kernels in a queue, which wrap ------------------------------------------ */

static uint32_t number(const struct kmu *unit, uint32_t any)
{
    return any & (UINT32_MAX >> (31u - unit->config.handle_w));
}

/* Where memory has the link of a number. */
static uint32_t place_of(const struct kmu *unit, uint32_t any)
{
    return any & (UINT32_MAX >> (32u - unit->config.handle_w));
}

static uint32_t most_near(const struct kmu *unit)
{
    return 1u << unit->config.near_w;
}

/* Where the unit has the link of a number. */
static uint32_t slot_of(const struct kmu *unit, uint32_t queue, uint32_t any)
{
    return queue * most_near(unit) + any % most_near(unit);
}

/* Kernels of the queue that was found. */
static uint32_t size_of(const struct kmu *unit)
{
    return number(unit, unit->q.read_put - unit->q.read_taken);
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

    if (q->absent && q->reads != 0u) {
        return false; /* it would miss again */
    }
    return in->room && !q->grant_valid
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

static void read_counts(const struct kmu *unit, struct kmu_state *q)
{
    const uint32_t queue = q->set * unit->config.n_level + q->level;
    const bool some = has_kernels(q, q->set, q->level);

    q->state = KMU_ACT;
    q->queue = queue;
    q->read_put = some ? (uint32_t)unit->mem.put[queue] : 0u;
    q->read_taken = some ? (uint32_t)unit->mem.taken[queue] : 0u;
    q->read_come = some ? (uint32_t)unit->mem.come[queue] : 0u;
}

static void find(const struct kmu *unit, struct kmu_state *q)
{
    if (q->picks && !has_kernels(q, q->set, q->level)) {
        q->level--;
    } else {
        read_counts(unit, q);
    }
}

/* ---- Memory ---------------------------------------------------------------------------- */

/* The link register has a read, or will have one next. */
static bool is_asking(const struct kmu *unit)
{
    return unit->q.link_valid && (!unit->q.link_write || unit->q.again);
}

/* An answer to a read that memory has taken. */
static bool answers(const struct kmu *unit, const struct kmu_in *in)
{
    const uint32_t taken = unit->q.reads - is_asking(unit);

    return in->answer_valid && taken != 0u
           && in->answer_queue <= unit->config.n_sm * unit->config.n_level;
}

static void answer(const struct kmu *unit, const struct kmu_in *in, struct kmu_next *next)
{
    const uint32_t queue = in->answer_queue;
    const uint32_t come = (uint32_t)unit->mem.come[queue];

    UNIT_WRITE(&next->near, slot_of(unit, queue, come), in->answer_data);
    UNIT_WRITE(&next->come, queue, number(unit, come + 1u));
    next->q.reads--;
    next->q.absent = false;
}

static void request(const struct kmu *unit, struct kmu_state *q, bool write, uint32_t any)
{
    q->link_valid = true;
    q->link_write = write;
    q->link_queue = unit->q.queue;
    q->link_place = place_of(unit, any);
}

/* Memory takes the request. */
static void hand_request(struct kmu_state *q)
{
    q->link_valid = q->again;
    q->link_write = q->link_write && !q->again;
    q->again = false;
}

/* ---- State act: a kernel is put or picked, rule LP-12 ---------------------------------- */

enum act {
    ACT_REFUSE,      /* the queue has 2^handle_w kernels */
    ACT_PUT_NEAR,    /* on chip */
    ACT_PUT_FAR,     /* in memory */
    ACT_MISS,        /* the first kernel is on its way */
    ACT_PICK,        /* and nothing is read */
    ACT_PICK_READ,   /* and the first kernel that is in memory only is read */
    ACT_WAIT_LINK,   /* for the link register */
    ACT_WAIT_ANSWER, /* an answer goes first */
};

static enum act act_of_put(const struct kmu *unit, const struct kmu_in *in)
{
    const struct kmu_state *const q = &unit->q;

    if (size_of(unit) == 1u << unit->config.handle_w) {
        return ACT_REFUSE;
    }
    if (size_of(unit) < most_near(unit) && q->read_come == q->read_put) {
        return answers(unit, in) ? ACT_WAIT_ANSWER : ACT_PUT_NEAR;
    }
    return q->link_valid ? ACT_WAIT_LINK : ACT_PUT_FAR;
}

static enum act act_of(const struct kmu *unit, const struct kmu_in *in)
{
    const struct kmu_state *const q = &unit->q;

    if (!q->picks) {
        return act_of_put(unit, in);
    }
    if (q->read_come == q->read_taken) {
        return ACT_MISS;
    }
    if (size_of(unit) <= most_near(unit)) {
        return ACT_PICK;
    }
    return q->link_valid ? ACT_WAIT_LINK : ACT_PICK_READ;
}

static void put(const struct kmu *unit, enum act act, struct kmu_next *next)
{
    const struct kmu_state *const q = &unit->q;

    if (act == ACT_PUT_NEAR) {
        UNIT_WRITE(&next->near, slot_of(unit, q->queue, q->read_put), q->new_link);
        UNIT_WRITE(&next->come, q->queue, number(unit, q->read_put + 1u));
    } else {
        request(unit, &next->q, true, q->read_put);
        next->q.link_data = q->new_link;
        next->q.again = size_of(unit) < most_near(unit);
        next->q.reads += next->q.again;
    }
    UNIT_WRITE(&next->put, q->queue, number(unit, q->read_put + 1u));
    if (size_of(unit) == 0u) {
        UNIT_WRITE(&next->taken, q->queue, 0u);
        mark(&next->q, q->set, q->level, true);
    }
}

static void pick(const struct kmu *unit, enum act act, struct kmu_next *next)
{
    const struct kmu_state *const q = &unit->q;

    next->q.grant_valid = true;
    next->q.grant = (uint32_t)unit->mem.near[slot_of(unit, q->queue, q->read_taken)];
    UNIT_WRITE(&next->taken, q->queue, number(unit, q->read_taken + 1u));
    if (act == ACT_PICK_READ) {
        request(unit, &next->q, false, q->read_taken + most_near(unit));
        next->q.reads++;
    }
    if (size_of(unit) == 1u) {
        mark(&next->q, q->set, q->level, false);
    }
}

static void act_in(const struct kmu *unit, const struct kmu_in *in, struct kmu_next *next)
{
    const enum act act = act_of(unit, in);

    if (act == ACT_WAIT_LINK || act == ACT_WAIT_ANSWER) {
        return;
    }
    next->q.state = unit->q.picks ? KMU_TAKE : KMU_LOOK;
    if (unit->q.picks && !answers(unit, in)) {
        next->q.absent = act == ACT_MISS;
    }
    if (act == ACT_REFUSE) {
        next->q.arrive_error = true;
    } else if (act == ACT_PICK || act == ACT_PICK_READ) {
        pick(unit, act, next);
    } else if (act != ACT_MISS) {
        put(unit, act, next);
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
        .link_queue = q->link_queue,
        .link_place = q->link_place,
        .link_data = q->link_data,
        .grant_valid = q->grant_valid,
        .grant_handle = q->grant & (UINT32_MAX >> (32u - unit->config.handle_w)),
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
    next->q.grant_valid = unit->q.grant_valid && !in->grant_ready;
    if (unit->q.link_valid && in->link_ready) {
        hand_request(&next->q);
    }
    if (answers(unit, in)) {
        answer(unit, in, next);
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
        act_in(unit, in, next);
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
    const enum act act = act_of(unit, in);

    events->full += act == ACT_REFUSE;
    events->stalled += act == ACT_WAIT_LINK;
    events->crossed += act == ACT_WAIT_ANSWER;
    events->linked += act == ACT_PUT_FAR;
    events->again += act == ACT_PUT_FAR && size_of(unit) < most_near(unit);
    events->followed += act == ACT_PICK_READ;
    events->missed += act == ACT_MISS;
    events->emptied += act == ACT_PICK && size_of(unit) == 1u;
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
