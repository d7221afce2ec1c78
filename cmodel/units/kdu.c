/* kdu - the table of resident kernels; see kdu.h. */

#include "units/kdu.h"

static bool is_resident(const struct kdu *unit, uint32_t slot)
{
    return slot < unit->config.n_kernel && unit->q.count[slot] != 0u;
}

static uint32_t most_tbs(const struct kdu *unit)
{
    return UINT32_MAX >> (32u - unit->config.tb_w);
}

/* ---- Admission, rule LP-17 ------------------------------------------------------------- */

/* The lowest free slot; n_kernel if there is none. */
static uint32_t free_slot(const struct kdu *unit)
{
    uint32_t slot = 0u;

    while (is_resident(unit, slot)) {
        slot++;
    }
    return slot;
}

static void admit(const struct kdu *unit, const struct kdu_in *in, struct kdu_next *next)
{
    const uint32_t slot = free_slot(unit);

    next->q.admit_error = false;
    if (!in->admit_valid || slot == unit->config.n_kernel) {
        return;
    }
    if (in->admit_tbs == 0u) {
        next->q.admit_error = true;
        return;
    }
    next->q.count[slot] = in->admit_tbs;
    UNIT_WRITE(&next->tag, slot, in->admit_tag);
}

/* ---- A group of thread blocks, rule LP-18 ---------------------------------------------- */

/* The lowest entry in use of a configuration, from a slot on; n_kernel if there is none. */
static uint32_t find(const struct kdu *unit, uint64_t tag, uint32_t from)
{
    uint32_t slot = from;

    while (slot < unit->config.n_kernel
           && !(is_resident(unit, slot) && unit->mem.tag[slot] == tag)) {
        slot++;
    }
    return slot;
}

/* The slot that the group has found, if it is still in use; n_kernel. */
static uint32_t found(const struct kdu *unit)
{
    uint32_t slot = 0u;

    while (slot < unit->config.n_kernel
           && !(is_resident(unit, slot) && bits_has(unit->q.group_slot, slot))) {
        slot++;
    }
    return slot;
}

static bool fits(const struct kdu *unit)
{
    const uint32_t slot = found(unit);
    const uint32_t tbs = unit->q.group_tbs;

    return tbs != 0u && slot < unit->config.n_kernel
           && tbs <= most_tbs(unit) - unit->q.count[slot];
}

/* The slot that the group joins in this cycle; n_kernel. */
static uint32_t joined(const struct kdu *unit)
{
    return unit->q.group_fits ? found(unit) : unit->config.n_kernel;
}

static void look(const struct kdu *unit, const struct kdu_in *in, struct kdu_state *q)
{
    const uint32_t slot = find(unit, in->group_tag, 0u);

    q->group_state = KDU_FIT;
    q->group_tbs = in->group_tbs;
    q->group_slot = (struct bits){ { 0u } };
    if (slot < unit->config.n_kernel) {
        bits_add(&q->group_slot, slot);
    }
}

static void group(const struct kdu *unit, const struct kdu_in *in, struct kdu_state *q)
{
    if (unit->q.group_state == KDU_IDLE && in->group_valid) {
        look(unit, in, q);
    } else if (unit->q.group_state == KDU_FIT) {
        q->group_state = KDU_JOIN;
        q->group_fits = fits(unit);
    } else if (unit->q.group_state == KDU_JOIN) {
        q->group_state = KDU_IDLE;
        q->group_fits = false;
    }
}

/* ---- Thread blocks that have ended, and entries that are given up, rules LP-19, LP-20 --- */

static bool is_asked(const struct kdu *unit, const struct kdu_in *in)
{
    return in->give_up_valid && is_resident(unit, in->give_up_kernel);
}

/* Its count is about to change. */
static bool is_changing(const struct kdu *unit, uint32_t slot)
{
    return unit->q.ending[slot] != 0u || joined(unit) == slot;
}

static bool gives_up(const struct kdu *unit, const struct kdu_in *in)
{
    return is_asked(unit, in) && !is_changing(unit, in->give_up_kernel)
           && unit->q.count[in->give_up_kernel] == in->give_up_tbs;
}

static void take_off(const struct kdu *unit, struct kdu_state *q)
{
    const uint32_t slot = joined(unit);

    q->freed = (struct bits){ { 0u } };
    if (slot < unit->config.n_kernel) {
        q->count[slot] += unit->q.group_tbs;
    }
    for (uint32_t k = 0u; k < unit->config.n_kernel; k++) {
        if (is_resident(unit, k)) {
            q->count[k] -= unit->q.ending[k] < q->count[k] ? unit->q.ending[k] : q->count[k];
            if (q->count[k] == 0u) {
                bits_add(&q->freed, k);
            }
        }
    }
}

static void count_ending(const struct kdu *unit, const struct kdu_in *in, struct kdu_state *q)
{
    for (uint32_t k = 0u; k < unit->config.n_kernel; k++) {
        q->ending[k] = 0u;
    }
    for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
        if (in->ended[sm] != 0u && is_resident(unit, in->ended_kernel[sm])) {
            q->ending[in->ended_kernel[sm]] += in->ended[sm];
        }
    }
}

/* ---- A cycle --------------------------------------------------------------------------- */

static void show(const struct kdu *unit, struct kdu_out *out)
{
    const uint32_t n = unit->config.n_kernel;
    const uint32_t slot = free_slot(unit);

    *out = (struct kdu_out){
        .admit_ready = slot < n,
        .admit_kernel = slot < n ? slot : 0u,
        .admit_error = unit->q.admit_error,
        .group_ready = unit->q.group_state == KDU_IDLE,
        .answer_valid = unit->q.group_state == KDU_JOIN,
        .answer_hit = joined(unit) < n,
        .answer_kernel = joined(unit) < n ? joined(unit) : 0u,
        .gave_up = unit->q.gave_up,
        .freed = unit->q.freed,
    };
    for (uint32_t k = 0u; k < n; k++) {
        if (is_resident(unit, k)) {
            bits_add(&out->resident, k);
        }
    }
}

void kdu_eval(const struct kdu *unit, const struct kdu_in *in, struct kdu_out *out,
              struct kdu_next *next)
{
    show(unit, out);
    kdu_hold(unit, next);
    take_off(unit, &next->q);
    next->q.gave_up = gives_up(unit, in);
    if (next->q.gave_up) {
        next->q.count[in->give_up_kernel] = 0u;
    }
    admit(unit, in, next);
    group(unit, in, &next->q);
    count_ending(unit, in, &next->q);
}

bool kdu_quiet(const struct kdu *unit, const struct kdu_in *in)
{
    const struct kdu_state *const q = &unit->q;

    if (in->admit_valid || in->group_valid || in->give_up_valid || q->group_state != KDU_IDLE
        || q->admit_error || q->gave_up || bits_any(q->freed)) {
        return false;
    }
    for (uint32_t k = 0u; k < unit->config.n_kernel; k++) {
        if (q->ending[k] != 0u) {
            return false;
        }
    }
    for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
        if (in->ended[sm] != 0u) {
            return false;
        }
    }
    return true;
}

/* ---- Events ---------------------------------------------------------------------------- */

static void count_group(const struct kdu *unit, const struct kdu_in *in,
                        struct kdu_events *events)
{
    const uint32_t n = unit->config.n_kernel;
    const bool had = bits_any(unit->q.group_slot);

    if (unit->q.group_state == KDU_IDLE && in->group_valid) {
        const uint32_t first = find(unit, in->group_tag, 0u);
        events->unknown += first == n;
        events->twins += first < n && find(unit, in->group_tag, first + 1u) < n;
        events->refused += in->group_tbs == 0u;
    } else if (unit->q.group_state == KDU_FIT) {
        events->late += had && found(unit) == n;
        events->crowded += found(unit) < n && unit->q.group_tbs != 0u && !fits(unit);
    } else if (unit->q.group_state == KDU_JOIN) {
        const uint32_t slot = joined(unit);
        events->late += unit->q.group_fits && slot == n;
        events->joined += slot < n;
        events->rescued += slot < n && unit->q.ending[slot] == unit->q.count[slot];
    }
}

void kdu_count(const struct kdu *unit, const struct kdu_in *in, const struct kdu_out *out,
               struct kdu_events *events)
{
    const uint32_t slot = in->give_up_kernel;
    const bool asked = is_asked(unit, in);

    events->full += in->admit_valid && !out->admit_ready;
    events->refused += in->admit_valid && out->admit_ready && in->admit_tbs == 0u;
    count_group(unit, in, events);
    events->given_up += gives_up(unit, in);
    events->busy += asked && is_changing(unit, slot);
    events->kept += asked && !is_changing(unit, slot) && !gives_up(unit, in);
    for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
        events->strays += in->ended[sm] != 0u && !is_resident(unit, in->ended_kernel[sm]);
    }
    for (uint32_t k = 0u; k < unit->config.n_kernel; k++) {
        events->too_many +=
            is_resident(unit, k) && joined(unit) != k && unit->q.ending[k] > unit->q.count[k];
    }
}

#define UNIT_OWN_COUNT
#define UNIT kdu
#include "base/unit_define.h"
