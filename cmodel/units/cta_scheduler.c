/* cta_scheduler - pools of CTAs, and the SM that gets the next ones; see cta_scheduler.h. */

#include "units/cta_scheduler.h"

#include <assert.h>

#include "base/long_division.h"

/* ---- Where things are ---------------------------------------------------------------- */

static uint32_t cluster_sm(const struct cta_scheduler *unit)
{
    assert(unit->config.n_cluster > 0u); /* init has no unit without clusters, or SMs */
    const uint32_t n =
        (unit->config.n_sm + unit->config.n_cluster - 1u) / unit->config.n_cluster;

    assert(n > 0u);
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

/* Seats of a word have an element an SM, and one for each SM that a cluster lacks. */
static uint32_t seat_at(const struct cta_scheduler *unit, uint32_t kernel, uint32_t seat)
{
    return kernel * unit->config.n_cluster * cluster_sm(unit) + seat;
}

/* ---- Pools --------------------------------------------------------------------------- */

static uint64_t block_of(const struct cta_scheduler *unit, uint32_t kernel)
{
    return UINT64_C(1) << unit->mem.block[kernel];
}

/* CTAs of the dispatch that shows. */
static uint64_t going_ctas(const struct cta_scheduler *unit)
{
    const uint64_t left = unit->mem.left[pool_at(unit, unit->q.from, unit->q.source)];
    const uint64_t block = block_of(unit, unit->q.from);

    return left < block ? left : block;
}

/* CTAs of a pool that are not on their way. */
static uint64_t left_of(const struct cta_scheduler *unit, uint32_t kernel, uint32_t pool)
{
    const bool going = unit->q.going && unit->q.from == kernel && unit->q.source == pool;

    return unit->mem.left[pool_at(unit, kernel, pool)] - (going ? going_ctas(unit) : 0u);
}

/* Its SM; n_sm if none shows. */
static uint32_t going_sm(const struct cta_scheduler *unit)
{
    uint32_t sm = 0u;

    while (sm < unit->config.n_sm && !bits_has(unit->q.to, sm)) {
        sm++;
    }
    return sm;
}

/* The dispatch that shows has the last CTAs of its pool. */
static bool is_emptying(const struct cta_scheduler *unit)
{
    return unit->q.going && left_of(unit, unit->q.from, unit->q.source) == 0u;
}

/* The pool that a cluster draws on, n_cluster for none. */
static uint32_t pool_of(const struct cta_scheduler *unit, uint32_t kernel, uint32_t cluster)
{
    const uint32_t n = unit->config.n_cluster;
    const uint64_t *const homeless = &unit->mem.homeless[pool_at(unit, kernel, 0u)];

    if (unit->mem.policy[kernel] != CTA_DISTRIBUTED) {
        return left_of(unit, kernel, 0u) > 0u ? 0u : n;
    }
    if (left_of(unit, kernel, cluster) > 0u) {
        return cluster;
    }
    for (uint32_t i = cluster + 1u; i < cluster + n; i++) {
        const uint32_t pool = i < n ? i : i - n;
        if ((homeless[pool] || unit->mem.steal[kernel]) && left_of(unit, kernel, pool) > 0u) {
            return pool;
        }
    }
    return n;
}

/* ---- Which SM ------------------------------------------------------------------------ */

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

/* The first candidate in a place behind the last one served, or in any. n_sm: there is none. */
static uint32_t pick_by_place(const struct cta_scheduler *unit, uint32_t *place)
{
    const uint32_t n = unit->config.n_sm, kernel = unit->q.looked;
    const bool two_level = unit->mem.policy[kernel] == CTA_TWO_LEVEL_RR;
    uint32_t first = n, sm = 0u;

    for (uint32_t i = 0u; i < n; i++) {
        if (bits_has(unit->q.candidates, sm)) {
            if (unit->mem.turn[sm_at(unit, kernel, i)]) {
                *place = i;
                return sm;
            }
            if (first == n) {
                first = sm;
                *place = i;
            }
        }
        sm = two_level ? two_level_next(unit, sm) : sm + 1u;
    }
    return first;
}

/* The same among the ranks of a cluster. */
static uint32_t pick_in_cluster(const struct cta_scheduler *unit, uint32_t cluster)
{
    const uint32_t n = unit->config.n_sm, size = cluster_sm(unit);
    uint32_t first = n;

    for (uint32_t sm = cluster * size; sm < n && sm < (cluster + 1u) * size; sm++) {
        if (bits_has(unit->q.candidates, sm)) {
            if (unit->mem.rank[seat_at(unit, unit->q.looked, sm)]) {
                return sm;
            }
            first = first == n ? sm : first;
        }
    }
    return first;
}

/* The same among clusters; greedy clustering begins at the first. */
static uint32_t pick_by_cluster(const struct cta_scheduler *unit)
{
    const uint32_t n = unit->config.n_sm, kernel = unit->q.looked;
    uint32_t first = n;

    for (uint32_t cluster = 0u; cluster < unit->config.n_cluster; cluster++) {
        const uint32_t sm = pick_in_cluster(unit, cluster);
        if (sm < n && unit->mem.policy[kernel] == CTA_DISTRIBUTED
            && unit->mem.cluster_turn[pool_at(unit, kernel, cluster)]) {
            return sm;
        }
        first = first == n ? sm : first;
    }
    return first;
}

/* The SM is served: of the pointers that the slot's policy uses, what is behind it. */
static void move_pointers(const struct cta_scheduler *unit, uint32_t sm, uint32_t place,
                          struct cta_scheduler_next *next)
{
    const uint32_t kernel = unit->q.looked, cluster = cluster_of(unit, sm);
    const uint32_t policy = (uint32_t)unit->mem.policy[kernel], size = cluster_sm(unit);

    if (policy == CTA_GLOBAL_RR || policy == CTA_TWO_LEVEL_RR) {
        for (uint32_t i = 0u; i < unit->config.n_sm; i++) {
            UNIT_WRITE(&next->turn, sm_at(unit, kernel, i), i > place);
        }
        return;
    }
    for (uint32_t i = cluster * size; i < (cluster + 1u) * size && i < unit->config.n_sm; i++) {
        UNIT_WRITE(&next->rank, seat_at(unit, kernel, i), i > sm);
    }
    for (uint32_t i = 0u; i < unit->config.n_cluster && policy == CTA_DISTRIBUTED; i++) {
        UNIT_WRITE(&next->cluster_turn, pool_at(unit, kernel, i), i > cluster);
    }
}

/* ---- Look, pick, dispatch ------------------------------------------------------------ */

static bool is_legal(const struct cta_scheduler *unit, const struct cta_scheduler_in *in)
{
    if (in->launch_kernel >= unit->config.n_kernel || !bits_any(in->launch_sms)) {
        return false;
    }
    return in->launch_keep ? bits_has(unit->q.ready, in->launch_kernel)
                           : in->launch_ctas > 0u && in->launch_block < 3u;
}

/* The slot is launched in this cycle. */
static bool is_launched(const struct cta_scheduler *unit, const struct cta_scheduler_in *in,
                        uint32_t kernel)
{
    return !unit->q.busy && in->launch_valid && in->launch_kernel == kernel
           && is_legal(unit, in);
}

static void dispatch(const struct cta_scheduler *unit, const struct cta_scheduler_in *in,
                     struct cta_scheduler_out *out, struct cta_scheduler_next *next)
{
    const struct cta_scheduler_state *const q = &unit->q;

    if (!q->going) {
        return;
    }
    const uint32_t at = pool_at(unit, q->from, q->source);
    const uint64_t count = going_ctas(unit), left = unit->mem.left[at] - count;
    const uint64_t most = UINT64_MAX >> (64u - unit->config.cta_w);

    out->dispatch_valid = true;
    out->dispatch_kernel = q->from;
    out->dispatch_sm = going_sm(unit);
    out->dispatch_cta = (uint32_t)unit->mem.next[at];
    out->dispatch_count = (uint32_t)count;
    out->dispatch_stolen = q->stolen;
    out->dispatch_line = q->to;
    if (in->dispatch_ready && !in->dispatch_withdraw) {
        UNIT_WRITE(&next->next, at, (unit->mem.next[at] + count) & most);
        UNIT_WRITE(&next->left, at, left);
        UNIT_WRITE(&next->some, at, left > 0u);
        UNIT_WRITE(&next->more, at, left > block_of(unit, q->from));
    }
    if (in->dispatch_ready || in->dispatch_withdraw || is_launched(unit, in, q->from)) {
        next->q.going = next->q.stolen = false;
        next->q.to = (struct bits){ { 0u } };
        next->q.from = next->q.source = 0u;
    }
}

/* Returns the SM that is picked, n_sm if none is. */
static uint32_t pick(const struct cta_scheduler *unit, const struct cta_scheduler_in *in,
                     struct cta_scheduler_next *next)
{
    const uint32_t n = unit->config.n_sm, kernel = unit->q.looked;

    if (!bits_any(unit->q.candidates) || !bits_has(unit->q.ready, kernel)
        || is_launched(unit, in, kernel)
        || (unit->q.going && !in->dispatch_ready && !in->dispatch_withdraw)
        || (is_emptying(unit) && unit->q.from == kernel)) {
        return n;
    }
    const uint32_t policy = (uint32_t)unit->mem.policy[kernel];
    uint32_t place = 0u;
    const uint32_t sm = policy == CTA_GLOBAL_RR || policy == CTA_TWO_LEVEL_RR
                            ? pick_by_place(unit, &place)
                            : pick_by_cluster(unit);
    const uint32_t pool = pool_of(unit, kernel, cluster_of(unit, sm));

    move_pointers(unit, sm, place, next);
    next->q.going = true;
    next->q.to = (struct bits){ { 0u } };
    bits_add(&next->q.to, sm);
    next->q.from = kernel;
    next->q.source = pool;
    next->q.stolen = policy == CTA_DISTRIBUTED && pool != cluster_of(unit, sm);
    return sm;
}

/* Greedy clustering: a block of the slot is on its way to an earlier cluster. */
static bool is_behind(const struct cta_scheduler *unit, uint32_t kernel, uint32_t picked,
                      uint32_t cluster)
{
    const struct cta_scheduler_state *const q = &unit->q;

    return unit->mem.policy[kernel] == CTA_GREEDY_CLUSTERING
           && ((q->going && q->from == kernel && cluster_of(unit, going_sm(unit)) < cluster)
               || (picked < unit->config.n_sm && q->looked == kernel
                   && cluster_of(unit, picked) < cluster));
}

/* picked: the SM that is picked in this cycle, from what the last one showed. */
static struct bits look(const struct cta_scheduler *unit, const struct cta_scheduler_in *in,
                        uint32_t picked, struct cta_scheduler_out *out)
{
    const uint32_t n = unit->config.n_cluster, size = cluster_sm(unit), kernel = in->kernel;
    struct bits candidates = { { 0u } };

    if (kernel >= unit->config.n_kernel || !bits_has(unit->q.ready, kernel)) {
        return candidates;
    }
    for (uint32_t cluster = 0u; cluster < n; cluster++) {
        const uint32_t pool = pool_of(unit, kernel, cluster);
        if (pool == n) {
            continue;
        }
        if (unit->mem.policy[kernel] == CTA_DISTRIBUTED && pool != cluster) {
            bits_add(&out->stolen, cluster);
        }
        for (uint32_t sm = cluster * size; sm < unit->config.n_sm && sm < (cluster + 1u) * size
                                           && !is_behind(unit, kernel, picked, cluster);
             sm++) {
            if (bits_has(in->room, sm) && bits_has(in->limit, sm) && sm != picked
                && !bits_has(unit->q.to, sm) && unit->mem.sms[sm_at(unit, kernel, sm)]) {
                bits_add(&candidates, sm);
            }
        }
    }
    return candidates;
}

/* ---- Launch -------------------------------------------------------------------------- */

/* The division of the grid takes two bits a cycle. */
static uint32_t n_step(const struct cta_scheduler *unit)
{
    return (unit->config.cta_w + 1u) / 2u;
}

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
        for (uint32_t sm = 0u; sm < unit->config.n_sm; sm++) {
            UNIT_WRITE(&next->turn, sm_at(unit, kernel, sm), 0u);
        }
        for (uint32_t cluster = 0u; cluster < unit->config.n_cluster; cluster++) {
            UNIT_WRITE(&next->cluster_turn, pool_at(unit, kernel, cluster), 0u);
        }
        for (uint32_t seat = 0u; seat < unit->config.n_cluster * cluster_sm(unit); seat++) {
            UNIT_WRITE(&next->rank, seat_at(unit, kernel, seat), 0u);
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
        long_division_step((struct long_division){ q->dividend, q->remainder }, q->divisor, 2u,
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

/* What the pool has, in every cycle of its turn. */
static void write_pool(const struct cta_scheduler *unit, struct cta_scheduler_next *next)
{
    const struct cta_scheduler_state *const q = &unit->q;
    const struct pool pool = pool_now(unit);
    const uint32_t at = pool_at(unit, q->slot, q->pool);

    UNIT_WRITE(&next->homeless, at, q->split && !pool.homed);
    if (!q->keep) {
        UNIT_WRITE(&next->next, at, q->first);
        UNIT_WRITE(&next->left, at, pool.ctas);
        UNIT_WRITE(&next->some, at, pool.ctas > 0u);
        UNIT_WRITE(&next->more, at, pool.ctas > block_of(unit, q->slot));
    }
}

static void pass_pool(const struct cta_scheduler *unit, struct cta_scheduler_next *next)
{
    const struct cta_scheduler_state *const q = &unit->q;
    const struct pool pool = pool_now(unit);
    const uint64_t most = UINT64_MAX >> (64u - unit->config.cta_w);

    if (!q->keep) {
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
        write_pool(unit, next);
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
    *out = (struct cta_scheduler_out){
        .launch_ready = !unit->q.busy,
        .launch_error = unit->q.launch_error,
    };
    show_pool(unit, out);

    cta_scheduler_hold(unit, next);
    dispatch(unit, in, out, next);
    next->q.candidates = look(unit, in, pick(unit, in, next), out);
    next->q.looked = in->kernel;
    next->q.launch_error = false;
    if (unit->q.busy) {
        go_on(unit, in, out, next);
    } else if (in->launch_valid) {
        launch(unit, in, next);
    }
}

/* Nothing is on its way, and there is no candidate of the slot that was looked at. */
bool cta_scheduler_quiet(const struct cta_scheduler *unit, const struct cta_scheduler_in *in)
{
    struct cta_scheduler_out unused = { .dispatch_valid = false };

    return !in->launch_valid && !unit->q.busy && !unit->q.launch_error && !unit->q.going
           && !bits_any(unit->q.candidates) && unit->q.looked == in->kernel
           && !bits_any(look(unit, in, unit->config.n_sm, &unused));
}

void cta_scheduler_count(const struct cta_scheduler *unit, const struct cta_scheduler_in *in,
                         const struct cta_scheduler_out *out,
                         struct cta_scheduler_events *events)
{
    if (!out->dispatch_valid || !in->dispatch_ready || in->dispatch_withdraw) {
        return;
    }
    const uint32_t kernel = out->dispatch_kernel;

    if (out->dispatch_stolen) {
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
