/* cta_scheduler - pools of CTAs, and the SM that gets the next ones; see cta_scheduler.h. */

#include "units/cta_scheduler.h"

#include <assert.h>

#include "base/long_division.h"

/* ---- Where things are ---------------------------------------------------------------- */

static uint32_t cluster_sm(const struct cta_scheduler *unit)
{
    const uint32_t n =
        (unit->config.n_sm + unit->config.n_cluster - 1u) / unit->config.n_cluster;

    assert(n > 0u); /* init has no unit without SMs */
    return n;
}

static uint32_t cluster_of(const struct cta_scheduler *unit, uint32_t sm)
{
    return sm / cluster_sm(unit);
}

/* Words of a slot have an element a pool, which is one a cluster, or an element an SM. */
static uint32_t pool_at(const struct cta_scheduler *unit, uint32_t kernel, uint32_t pool)
{
    return kernel * unit->config.n_cluster + pool;
}

static uint32_t sm_at(const struct cta_scheduler *unit, uint32_t kernel, uint32_t sm)
{
    return kernel * unit->config.n_sm + sm;
}

/* ---- What the clusters are offered --------------------------------------------------- */

/* The pool that a cluster draws on, n_cluster for none. */
static uint32_t pool_of(const struct cta_scheduler *unit, uint32_t kernel, uint32_t cluster)
{
    const uint32_t n = unit->config.n_cluster;
    const uint64_t *const left = &unit->mem.left[pool_at(unit, kernel, 0u)];
    const uint64_t *const homeless = &unit->mem.homeless[pool_at(unit, kernel, 0u)];

    if (unit->mem.policy[kernel] != CTA_DISTRIBUTED) {
        return left[0] > 0u ? 0u : n;
    }
    if (left[cluster] > 0u) {
        return cluster;
    }
    for (uint32_t i = cluster + 1u; i < cluster + n; i++) {
        const uint32_t pool = i < n ? i : i - n;
        if (left[pool] > 0u && (homeless[pool] || unit->mem.steal[kernel])) {
            return pool;
        }
    }
    return n;
}

/* pool: of each cluster, meaningful where the offer is not 0. */
static void show_offers(const struct cta_scheduler *unit, uint32_t kernel,
                        struct cta_scheduler_out *out, uint32_t *pool)
{
    const uint32_t n = unit->config.n_cluster;

    if (kernel >= unit->config.n_kernel || !bits_has(unit->q.ready, kernel)) {
        return;
    }
    const uint64_t block = UINT64_C(1) << unit->mem.block[kernel];
    for (uint32_t cluster = 0u; cluster < n; cluster++) {
        pool[cluster] = pool_of(unit, kernel, cluster);
        if (pool[cluster] == n) {
            continue;
        }
        const uint64_t left = unit->mem.left[pool_at(unit, kernel, pool[cluster])];
        out->offer[cluster] = (uint32_t)(left < block ? left : block);
        if (unit->mem.policy[kernel] == CTA_DISTRIBUTED && pool[cluster] != cluster) {
            bits_add(&out->stolen, cluster);
        }
    }
}

/* ---- Which SM ------------------------------------------------------------------------ */

static struct bits candidates_of(const struct cta_scheduler *unit,
                                 const struct cta_scheduler_in *in,
                                 const struct cta_scheduler_out *out)
{
    struct bits candidates = { { 0u } };

    for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
        if (bits_has(in->room, sm) && bits_has(in->limit, sm)
            && out->offer[cluster_of(unit, sm)] > 0u
            && unit->mem.sms[sm_at(unit, in->kernel, sm)]) {
            bits_add(&candidates, sm);
        }
    }
    return candidates;
}

/* Two-level RR visits the SMs by rank, then by cluster. Calls of the next place, from 0. */
static uint32_t two_level_next(const struct cta_scheduler *unit, uint32_t sm)
{
    const uint32_t size = cluster_sm(unit);

    sm += size; /* the same rank of the next cluster */
    if (sm >= unit->config.n_sm) {
        sm = sm % size + 1u; /* the next rank of the first */
    }
    return sm < unit->config.n_sm ? sm : 0u;
}

/* An SM, and where the pointers of the slot are once it is served. */
struct choice {
    uint32_t sm; /* n_sm: none */
    uint32_t turn;
    uint32_t cluster_turn;
    uint32_t rank; /* of the SM's cluster */
};

/* The first candidate at or after place turn, and the place after it. There is one. */
static struct choice pick_by_place(const struct cta_scheduler *unit, uint32_t turn,
                                   struct bits candidates, bool two_level)
{
    const uint32_t n = unit->config.n_sm;
    struct choice first = { .sm = n };
    uint32_t sm = 0u;

    for (uint32_t place = 0u; place < n; place++) {
        if (bits_has(candidates, sm)) {
            const struct choice found = { .sm = sm, .turn = place + 1u < n ? place + 1u : 0u };
            if (place >= turn) {
                return found;
            }
            first = first.sm == n ? found : first;
        }
        sm = two_level ? two_level_next(unit, sm) : sm + 1u;
    }
    return first;
}

/* The first candidate of a cluster at or after its rank. */
static struct choice pick_in_cluster(const struct cta_scheduler *unit, uint32_t kernel,
                                     struct bits candidates, uint32_t cluster)
{
    const uint32_t n = unit->config.n_sm, size = cluster_sm(unit);
    const uint32_t from = (uint32_t)unit->mem.rank[pool_at(unit, kernel, cluster)];

    for (uint32_t i = 0u; i < size; i++) {
        const uint32_t rank = (from + i) % size, sm = cluster * size + rank;
        if (sm < n && bits_has(candidates, sm)) {
            return (struct choice){ .sm = sm, .rank = (rank + 1u) % size };
        }
    }
    return (struct choice){ .sm = n };
}

/* The first cluster with a candidate at or after `from`, and the SM in it. There is one. */
static struct choice pick_by_cluster(const struct cta_scheduler *unit, uint32_t kernel,
                                     struct bits candidates, uint32_t from)
{
    const uint32_t n = unit->config.n_cluster;
    struct choice choice = { .sm = unit->config.n_sm };

    for (uint32_t i = 0u; i < n && choice.sm == unit->config.n_sm; i++) {
        const uint32_t cluster = (from + i) % n;
        choice = pick_in_cluster(unit, kernel, candidates, cluster);
        choice.cluster_turn = (cluster + 1u) % n;
    }
    return choice;
}

static struct choice pick(const struct cta_scheduler *unit, uint32_t kernel,
                          struct bits candidates)
{
    const uint32_t turn = (uint32_t)unit->mem.turn[kernel];
    const uint32_t cluster_turn = (uint32_t)unit->mem.cluster_turn[kernel];

    switch ((enum cta_policy)unit->mem.policy[kernel]) {
    case CTA_DISTRIBUTED:
        return pick_by_cluster(unit, kernel, candidates, cluster_turn);
    case CTA_GREEDY_CLUSTERING:
        return pick_by_cluster(unit, kernel, candidates, 0u);
    case CTA_TWO_LEVEL_RR:
        return pick_by_place(unit, turn, candidates, true);
    case CTA_GLOBAL_RR:
    default:
        return pick_by_place(unit, turn, candidates, false);
    }
}

/* The chosen SM is served: the pointers that the slot's policy uses go on. */
static void move_pointers(const struct cta_scheduler *unit, uint32_t kernel,
                          const struct choice *choice, struct cta_scheduler_next *next)
{
    const uint32_t policy = (uint32_t)unit->mem.policy[kernel];

    if (policy == CTA_GLOBAL_RR || policy == CTA_TWO_LEVEL_RR) {
        UNIT_WRITE(&next->turn, kernel, choice->turn);
        return;
    }
    UNIT_WRITE(&next->rank, pool_at(unit, kernel, cluster_of(unit, choice->sm)), choice->rank);
    if (policy == CTA_DISTRIBUTED) {
        UNIT_WRITE(&next->cluster_turn, kernel, choice->cluster_turn);
    }
}

static void dispatch(const struct cta_scheduler *unit, const struct cta_scheduler_in *in,
                     const uint32_t *pool, struct cta_scheduler_out *out,
                     struct cta_scheduler_next *next)
{
    const struct bits candidates = candidates_of(unit, in, out);

    if (!bits_any(candidates)) {
        return;
    }
    const struct choice choice = pick(unit, in->kernel, candidates);
    const uint32_t cluster = cluster_of(unit, choice.sm);
    const uint32_t at = pool_at(unit, in->kernel, pool[cluster]);
    const uint64_t cta = unit->mem.next[at], count = out->offer[cluster];
    const uint64_t most = UINT64_MAX >> (64u - unit->config.cta_w);

    out->dispatch_valid = true;
    out->dispatch_sm = choice.sm;
    out->dispatch_cta = (uint32_t)cta;
    out->dispatch_count = (uint32_t)count;
    if (in->dispatch_ready) {
        move_pointers(unit, in->kernel, &choice, next);
        UNIT_WRITE(&next->next, at, (cta + count) & most);
        UNIT_WRITE(&next->left, at, unit->mem.left[at] - count);
    }
}

/* ---- Launch -------------------------------------------------------------------------- */

/* The division of the grid takes two bits a cycle. */
static uint32_t n_step(const struct cta_scheduler *unit)
{
    return (unit->config.cta_w + 1u) / 2u;
}

static bool is_legal(const struct cta_scheduler *unit, const struct cta_scheduler_in *in)
{
    if (in->launch_kernel >= unit->config.n_kernel || !bits_any(in->launch_sms)) {
        return false;
    }
    return in->launch_keep ? bits_has(unit->q.ready, in->launch_kernel)
                           : in->launch_ctas > 0u && in->launch_block < 3u;
}

/* What the slot keeps of a launch; a new one's rules, and at its first pointers at the start.
 */
static void write_slot(const struct cta_scheduler *unit, const struct cta_scheduler_in *in,
                       struct cta_scheduler_next *next)
{
    const uint32_t kernel = in->launch_kernel;

    for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
        UNIT_WRITE(&next->sms, sm_at(unit, kernel, sm), bits_has(in->launch_sms, sm));
    }
    if (!in->launch_keep) {
        UNIT_WRITE(&next->policy, kernel, in->launch_policy);
        UNIT_WRITE(&next->block, kernel, in->launch_block);
        UNIT_WRITE(&next->steal, kernel, in->launch_steal);
    }
    if (!bits_has(unit->q.known, kernel)) {
        UNIT_WRITE(&next->turn, kernel, 0u);
        UNIT_WRITE(&next->cluster_turn, kernel, 0u);
        for (uint32_t cluster = 0u; cluster < unit->config.n_cluster; cluster++) {
            UNIT_WRITE(&next->rank, pool_at(unit, kernel, cluster), 0u);
        }
    }
}

static void launch(const struct cta_scheduler *unit, const struct cta_scheduler_in *in,
                   struct cta_scheduler_next *next)
{
    const uint32_t kernel = in->launch_kernel;

    if (!is_legal(unit, in)) {
        next->q.launch_error = true;
        return;
    }
    next->q.busy = true;
    next->q.step = in->launch_keep ? n_step(unit) + 1u : 0u;
    next->q.slot = kernel;
    next->q.keep = in->launch_keep;
    next->q.dividend = in->launch_keep ? 0u : in->launch_ctas;
    next->q.pool = 0u;
    next->q.first = 0u;
    next->q.remainder = 0u;
    next->q.split =
        (in->launch_keep ? unit->mem.policy[kernel] : in->launch_policy) == CTA_DISTRIBUTED;
    bits_remove(&next->q.ready, kernel);
    bits_add(&next->q.known, kernel);
    write_slot(unit, in, next);
}

/* The cluster has an SM of the launch under way. */
static bool has_sm(const struct cta_scheduler *unit, uint32_t cluster)
{
    const uint32_t size = cluster_sm(unit);

    for (uint32_t sm = cluster * size; sm < cluster * size + size; sm++) {
        if (sm < unit->config.n_sm && unit->mem.sms[sm_at(unit, unit->q.slot, sm)]) {
            return true;
        }
    }
    return false;
}

/* Pools that get CTAs. */
static uint32_t count_pools(const struct cta_scheduler *unit)
{
    uint32_t n = 0u;

    for (uint32_t cluster = 0u; cluster < unit->config.n_cluster; cluster++) {
        n += has_sm(unit, cluster);
    }
    return unit->q.split ? n : 1u;
}

static void divide(const struct cta_scheduler *unit, struct cta_scheduler_next *next)
{
    const struct cta_scheduler_state *const q = &unit->q;
    const struct long_division d =
        long_division_step((struct long_division){ q->dividend, q->remainder }, q->divisor,
                           2u * n_step(unit), 2u * (q->step - 1u));

    next->q.dividend = (uint32_t)d.held;
    next->q.remainder = (uint32_t)d.remainder;
}

/* A pool as the launch under way makes it. */
struct pool {
    uint64_t ctas;
    bool homed; /* an SM of the launch draws on it */
    bool more;  /* its one CTA more is from the remainder */
};

static struct pool pool_now(const struct cta_scheduler *unit)
{
    const struct cta_scheduler_state *const q = &unit->q;
    const bool homed = q->split ? has_sm(unit, q->pool) : q->pool == 0u;
    const bool more = homed && !q->keep && q->remainder > 0u;

    if (q->keep) {
        return (struct pool){ unit->mem.left[pool_at(unit, q->slot, q->pool)], homed, false };
    }
    return (struct pool){ homed ? (uint64_t)q->dividend + more : 0u, homed, more };
}

static void show_pool(const struct cta_scheduler *unit, struct cta_scheduler_out *out)
{
    const struct cta_scheduler_state *const q = &unit->q;

    if (!q->busy || q->step <= n_step(unit)) {
        return;
    }
    const struct pool pool = pool_now(unit);
    const uint64_t block = UINT64_C(1) << unit->mem.block[q->slot];
    if (pool.ctas > 0u && pool.homed) {
        out->pool_valid = true;
        out->pool_kernel = q->slot;
        out->pool_split = q->split;
        out->pool_number = q->pool;
        out->pool_blocks = (uint32_t)((pool.ctas + block - 1u) / block);
        for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
            if (unit->mem.sms[sm_at(unit, q->slot, sm)]) {
                bits_add(&out->pool_sms, sm);
            }
        }
    }
}

static void pass_pool(const struct cta_scheduler *unit, struct cta_scheduler_next *next)
{
    const struct cta_scheduler_state *const q = &unit->q;
    const struct pool pool = pool_now(unit);
    const uint32_t at = pool_at(unit, q->slot, q->pool);
    const uint64_t most = UINT64_MAX >> (64u - unit->config.cta_w);

    UNIT_WRITE(&next->homeless, at, q->split && !pool.homed);
    if (!q->keep) {
        UNIT_WRITE(&next->next, at, q->first);
        UNIT_WRITE(&next->left, at, pool.ctas);
        next->q.first = (uint32_t)((q->first + pool.ctas) & most);
        next->q.remainder = q->remainder - pool.more;
    }
    if (q->pool + 1u < unit->config.n_cluster) {
        next->q.pool = q->pool + 1u;
        return;
    }
    next->q.pool = 0u;
    next->q.step = 0u;
    next->q.busy = false;
    bits_add(&next->q.ready, q->slot);
}

static void go_on(const struct cta_scheduler *unit, const struct cta_scheduler_in *in,
                  const struct cta_scheduler_out *out, struct cta_scheduler_next *next)
{
    const struct cta_scheduler_state *const q = &unit->q;

    if (q->step > n_step(unit)) {
        if (!out->pool_valid || in->pool_ready) {
            pass_pool(unit, next);
        }
        return;
    }
    if (q->step == 0u) {
        next->q.divisor = count_pools(unit);
    } else {
        divide(unit, next);
    }
    next->q.step = q->step + 1u;
}

/* ---- One cycle ----------------------------------------------------------------------- */

void cta_scheduler_eval(const struct cta_scheduler *unit, const struct cta_scheduler_in *in,
                        struct cta_scheduler_out *out, struct cta_scheduler_next *next)
{
    uint32_t pool[cta_scheduler_max_n_cluster] = { 0u };

    *out = (struct cta_scheduler_out){
        .launch_ready = !unit->q.busy,
        .launch_error = unit->q.launch_error,
    };
    show_offers(unit, in->kernel, out, pool);
    show_pool(unit, out);

    cta_scheduler_hold(unit, next);
    dispatch(unit, in, pool, out, next);
    next->q.launch_error = false;
    if (unit->q.busy) {
        go_on(unit, in, out, next);
    } else if (in->launch_valid) {
        launch(unit, in, next);
    }
}

/* What it shows, it shows again, unless the dispatch is taken. */
bool cta_scheduler_quiet(const struct cta_scheduler *unit, const struct cta_scheduler_in *in)
{
    struct cta_scheduler_out offers = { .dispatch_valid = false };
    uint32_t pool[cta_scheduler_max_n_cluster];

    if (in->launch_valid || unit->q.busy || unit->q.launch_error) {
        return false;
    }
    if (!in->dispatch_ready || !bits_any(in->room)) {
        return true;
    }
    show_offers(unit, in->kernel, &offers, pool);
    return !bits_any(candidates_of(unit, in, &offers));
}

void cta_scheduler_count(const struct cta_scheduler *unit, const struct cta_scheduler_in *in,
                         const struct cta_scheduler_out *out,
                         struct cta_scheduler_events *events)
{
    if (!out->dispatch_valid || !in->dispatch_ready) {
        return;
    }
    const uint32_t kernel = in->kernel, cluster = cluster_of(unit, out->dispatch_sm);

    if (unit->mem.policy[kernel] == CTA_DISTRIBUTED
        && unit->mem.left[pool_at(unit, kernel, cluster)] == 0u) {
        events->other_pool += out->dispatch_count;
        /* Who does not steal draws on homeless pools alone. */
        events->adopted += unit->mem.steal[kernel] ? 0u : out->dispatch_count;
    }
    events->high_slot += kernel >= 4u ? out->dispatch_count : 0u;
    events->block += out->dispatch_count > 1u;
}

#define UNIT_OWN_COUNT
#define UNIT cta_scheduler
#include "base/unit_define.h"
