/* cta_scheduler_shadow - a second model of the CTA scheduler for tests; see
 * cta_scheduler_shadow.h. */

#include "tb/units/cta_scheduler/cta_scheduler_shadow.h"

uint32_t steps(const struct shadow *shadow)
{
    return (shadow->config.cta_w + 1u) / 2u;
}

uint32_t homes(const struct shadow *shadow)
{
    uint32_t n = 0u;

    for (uint32_t c = 0u; c < shadow->config.n_cluster; c++) {
        n += bits_any(sms_of_cluster(&shadow->config, shadow->launched.launch_sms, c));
    }
    return n;
}

/* The launch is at its pools. */
static bool at_pools(const struct shadow *shadow)
{
    return shadow->busy && (shadow->launched.launch_keep || shadow->age >= 2u + steps(shadow));
}

/* SMs of the launch that may draw on the pool whose turn it is, stealing apart. */
static bool is_home(const struct shadow *shadow)
{
    const struct bits sms = shadow->launched.launch_sms;

    return !shadow->split || bits_any(sms_of_cluster(&shadow->config, sms, shadow->pool));
}

uint64_t share(const struct shadow *shadow)
{
    const struct cta_scheduler_in *const in = &shadow->launched;
    const struct shadow_pool *const pool = &shadow->slot[in->launch_kernel].pool[shadow->pool];
    uint32_t before = 0u;

    if (in->launch_keep) {
        return pool->end - pool->front;
    }
    if (!shadow->split) {
        return shadow->pool == 0u ? in->launch_ctas : 0u;
    }
    for (uint32_t c = 0u; c < shadow->pool; c++) {
        before += bits_any(sms_of_cluster(&shadow->config, in->launch_sms, c));
    }
    const uint32_t n = homes(shadow);
    return is_home(shadow) ? in->launch_ctas / n + (before < in->launch_ctas % n) : 0u;
}

/* ---- Outputs ------------------------------------------------------------------------- */

static bool is_shown(const struct shadow *shadow)
{
    return at_pools(shadow) && share(shadow) != 0u && is_home(shadow);
}

static void show_pool(const struct shadow *shadow, struct cta_scheduler_out *out)
{
    const uint32_t slot = shadow->launched.launch_kernel;
    const uint32_t block = 1u << shadow->slot[slot].block;
    const uint64_t ctas = share(shadow);

    out->pool_valid = true;
    out->pool_kernel = slot;
    out->pool_split = shadow->split;
    out->pool_number = shadow->pool;
    out->pool_blocks = (uint32_t)(ctas / block + (ctas % block != 0u));
    out->pool_sms = shadow->launched.launch_sms;
}

/* A block, or what is left. */
static uint32_t going_count(const struct shadow *shadow)
{
    const struct shadow_slot *const slot = &shadow->slot[shadow->from];
    const struct shadow_pool *const pool = &slot->pool[shadow->source];
    const uint64_t left = pool->end - pool->front;

    return left < 1u << slot->block ? (uint32_t)left : 1u << slot->block;
}

/* CTAs of a pool that are not on their way. */
static uint64_t staying(const struct shadow *shadow, uint32_t kernel, uint32_t pool)
{
    const struct shadow_pool *const p = &shadow->slot[kernel].pool[pool];
    const bool on_its_way = shadow->going && shadow->from == kernel && shadow->source == pool;

    return p->end - p->front - (on_its_way ? going_count(shadow) : 0u);
}

/* The pool that each cluster draws on, or n_cluster. */
static void draw_pools(const struct shadow *shadow, uint32_t kernel, uint32_t drawn[])
{
    const struct shadow_slot *const slot = &shadow->slot[kernel];
    const uint32_t n = shadow->config.n_cluster;
    uint64_t left[cta_scheduler_max_n_cluster], homeless[cta_scheduler_max_n_cluster];

    for (uint32_t c = 0u; c < n; c++) {
        left[c] = staying(shadow, kernel, c);
        homeless[c] = slot->pool[c].homeless;
    }
    for (uint32_t c = 0u; c < n; c++) {
        drawn[c] = slot->policy == CTA_DISTRIBUTED
                       ? drawn_pool(n, c, left, homeless, slot->steal)
                   : left[0] != 0u ? 0u
                                   : n;
    }
}

static bool is_ready(const struct shadow *shadow, uint32_t kernel)
{
    return kernel < shadow->config.n_kernel && shadow->slot[kernel].ready;
}

static void show_stolen(const struct shadow *shadow, uint32_t kernel,
                        struct cta_scheduler_out *out)
{
    uint32_t drawn[cta_scheduler_max_n_cluster];

    draw_pools(shadow, kernel, drawn);
    for (uint32_t c = 0u; c < shadow->config.n_cluster; c++) {
        if (shadow->slot[kernel].policy == CTA_DISTRIBUTED && drawn[c] != c
            && drawn[c] < shadow->config.n_cluster) {
            bits_add(&out->stolen, c);
        }
    }
}

static bool is_stolen(const struct shadow *shadow)
{
    return shadow->slot[shadow->from].policy == CTA_DISTRIBUTED
           && shadow->source != cluster_of(&shadow->config, shadow->to);
}

static void show_dispatch(const struct shadow *shadow, struct cta_scheduler_out *out)
{
    out->dispatch_valid = true;
    out->dispatch_kernel = shadow->from;
    out->dispatch_sm = shadow->to;
    out->dispatch_cta = (uint32_t)shadow->slot[shadow->from].pool[shadow->source].front;
    out->dispatch_count = going_count(shadow);
    out->dispatch_stolen = is_stolen(shadow);
    bits_add(&out->dispatch_line, shadow->to);
}

struct cta_scheduler_out shadow_out(const struct shadow *shadow,
                                    const struct cta_scheduler_in *in)
{
    struct cta_scheduler_out out = {
        .launch_ready = !shadow->busy,
        .launch_error = shadow->error,
    };

    if (is_shown(shadow)) {
        show_pool(shadow, &out);
    }
    if (shadow->going) {
        show_dispatch(shadow, &out);
    }
    if (is_ready(shadow, in->kernel)) {
        show_stolen(shadow, in->kernel, &out);
    }
    return out;
}

/* ---- The edge ------------------------------------------------------------------------ */

static bool may_launch(const struct shadow *shadow, const struct cta_scheduler_in *in)
{
    if (in->launch_kernel >= shadow->config.n_kernel || !bits_any(in->launch_sms)) {
        return false;
    }
    return in->launch_keep ? shadow->slot[in->launch_kernel].ready
                           : in->launch_ctas != 0u && in->launch_block != 3u;
}

static bool launches(const struct shadow *shadow, const struct cta_scheduler_in *in,
                     uint32_t kernel)
{
    return !shadow->busy && in->launch_valid && in->launch_kernel == kernel
           && may_launch(shadow, in);
}

/* The SM that is picked, or n_sm. */
static uint32_t picked(const struct shadow *shadow, const struct cta_scheduler_in *in)
{
    const uint32_t kernel = shadow->looked;

    if (!is_ready(shadow, kernel) || launches(shadow, in, kernel)) {
        return shadow->config.n_sm;
    }
    if (shadow->going
        && ((!in->dispatch_ready && !in->dispatch_withdraw)
            || (shadow->from == kernel && staying(shadow, kernel, shadow->source) == 0u))) {
        return shadow->config.n_sm;
    }
    return chosen(&shadow->config, &shadow->slot[kernel].pointers, shadow->slot[kernel].policy,
                  shadow->candidates);
}

/* What is looked at, when an SM is picked. */
static struct bits looked_at(const struct shadow *shadow, const struct cta_scheduler_in *in,
                             uint32_t pick)
{
    const struct cta_scheduler_config *const config = &shadow->config;
    const struct shadow_slot *const slot = &shadow->slot[in->kernel];
    uint32_t drawn[cta_scheduler_max_n_cluster], nearest = config->n_cluster;
    struct bits candidates = { { 0u } };

    if (!is_ready(shadow, in->kernel)) {
        return candidates;
    }
    if (shadow->going && shadow->from == in->kernel) {
        nearest = cluster_of(config, shadow->to);
    }
    if (pick < config->n_sm && shadow->looked == in->kernel
        && cluster_of(config, pick) < nearest) {
        nearest = cluster_of(config, pick);
    }
    draw_pools(shadow, in->kernel, drawn);
    for (uint32_t sm = 0u; sm < config->n_sm; sm++) {
        const uint32_t c = cluster_of(config, sm);
        const bool free = sm != pick && !(shadow->going && sm == shadow->to);
        if (free && bits_has(slot->sms, sm) && bits_has(in->room, sm) && bits_has(in->limit, sm)
            && drawn[c] < config->n_cluster
            && (slot->policy != CTA_GREEDY_CLUSTERING || c <= nearest)) {
            bits_add(&candidates, sm);
        }
    }
    return candidates;
}

/* The dispatch that shows is taken, or withdrawn, or stays. */
static void shadow_dispatch(struct shadow *shadow, const struct cta_scheduler_in *in)
{
    if (!shadow->going) {
        return;
    }
    const uint32_t count = going_count(shadow);
    if (in->dispatch_ready && !in->dispatch_withdraw) {
        shadow->seen.dispatches++;
        shadow->seen.tails += count < 1u << shadow->slot[shadow->from].block;
        shadow->seen.stolen += is_stolen(shadow);
        shadow->slot[shadow->from].pool[shadow->source].front += count;
    } else {
        shadow->seen.refusals++;
    }
    shadow->going =
        !in->dispatch_ready && !in->dispatch_withdraw && !launches(shadow, in, shadow->from);
}

static void shadow_look(struct shadow *shadow, const struct cta_scheduler_in *in)
{
    const uint32_t pick = picked(shadow, in), kernel = shadow->looked;
    const struct bits candidates = looked_at(shadow, in, pick);
    uint32_t drawn[cta_scheduler_max_n_cluster];

    if (pick < shadow->config.n_sm) {
        draw_pools(shadow, kernel, drawn);
    }
    shadow_dispatch(shadow, in);
    if (pick < shadow->config.n_sm) {
        shadow->going = true;
        shadow->to = pick;
        shadow->from = kernel;
        shadow->source = drawn[cluster_of(&shadow->config, pick)];
        move_pointers(&shadow->config, &shadow->slot[kernel].pointers,
                      shadow->slot[kernel].policy, pick);
    }
    shadow->candidates = candidates;
    shadow->looked = in->kernel;
}

/* The pool whose turn it is has its CTAs. */
static void shadow_deal(struct shadow *shadow)
{
    struct shadow_slot *const slot = &shadow->slot[shadow->launched.launch_kernel];
    struct shadow_pool *const pool = &slot->pool[shadow->pool];

    pool->homeless = !is_home(shadow);
    if (!shadow->launched.launch_keep) {
        pool->front = shadow->first;
        pool->end = shadow->first + share(shadow);
    }
}

/* And passes. */
static void shadow_pass(struct shadow *shadow)
{
    struct shadow_slot *const slot = &shadow->slot[shadow->launched.launch_kernel];

    if (!shadow->launched.launch_keep) {
        shadow->first = slot->pool[shadow->pool].end;
    }
    shadow->pool++;
    if (shadow->pool == shadow->config.n_cluster) {
        shadow->pool = 0u;
        shadow->busy = false;
        slot->ready = true;
    }
}

/* The launch goes on by a cycle. */
static void shadow_proceed(struct shadow *shadow, bool pool_ready)
{
    if (!at_pools(shadow)) {
        shadow->age++;
        if (shadow->age == 2u) {
            shadow->divisor = shadow->split ? homes(shadow) : 1u;
        }
        return;
    }
    const bool shown = is_shown(shadow);
    shadow_deal(shadow);
    if (shown && !pool_ready) {
        shadow->seen.waits++;
    } else {
        shadow_pass(shadow);
    }
}

static void shadow_take(struct shadow *shadow, const struct cta_scheduler_in *in)
{
    struct shadow_slot *const slot = &shadow->slot[in->launch_kernel];

    if (!in->launch_keep) {
        slot->policy = in->launch_policy;
        slot->block = in->launch_block;
        slot->steal = in->launch_steal;
    }
    if (!slot->known) {
        slot->pointers = (struct pointers){ 0 };
    }
    slot->known = true;
    slot->sms = in->launch_sms;
    slot->ready = false;
    shadow->launched = *in;
    shadow->split = slot->policy == CTA_DISTRIBUTED;
    shadow->busy = true;
    shadow->age = 1u;
    shadow->pool = 0u;
    shadow->first = 0u;
    shadow->seen.launches++;
    shadow->seen.kept += in->launch_keep;
}

void shadow_edge(struct shadow *shadow, const struct cta_scheduler_in *in)
{
    shadow->error = false;
    shadow_look(shadow, in);
    if (shadow->busy) {
        shadow_proceed(shadow, in->pool_ready);
    } else if (in->launch_valid && may_launch(shadow, in)) {
        shadow_take(shadow, in);
    } else if (in->launch_valid) {
        shadow->error = true;
        shadow->seen.errors++;
    }
}

void shadow_reset(struct shadow *shadow)
{
    for (uint32_t k = 0u; k < shadow->config.n_kernel; k++) {
        shadow->slot[k].ready = shadow->slot[k].known = false;
    }
    memset(&shadow->launched, 0, sizeof shadow->launched);
    shadow->candidates = (struct bits){ { 0u } };
    shadow->looked = 0u;
    shadow->error = shadow->busy = shadow->split = shadow->going = false;
    shadow->age = shadow->pool = shadow->divisor = 0u;
}

/* ---- Registers ----------------------------------------------------------------------- */

void divided(const struct shadow *shadow, struct cta_scheduler_state *q)
{
    const uint32_t n = steps(shadow), k = shadow->age < 2u ? 0u : shadow->age - 2u;
    const uint64_t ctas = shadow->launched.launch_ctas;
    uint32_t given = 0u;

    if (shadow->launched.launch_keep || shadow->age == 0u) {
        return;
    }
    q->dividend = (uint32_t)(ctas << 2u * k & ((UINT64_C(1) << 2u * n) - 1u));
    if (k > 0u) {
        q->dividend |= (uint32_t)((ctas >> 2u * (n - k)) / shadow->divisor);
        q->remainder = (uint32_t)((ctas >> 2u * (n - k)) % shadow->divisor);
    }
    for (uint32_t c = 0u; c < (shadow->busy ? shadow->pool : shadow->config.n_cluster); c++) {
        given += bits_any(sms_of_cluster(&shadow->config, shadow->launched.launch_sms, c));
    }
    q->remainder = q->remainder > given ? q->remainder - given : 0u;
}

struct cta_scheduler_state shadow_registers(const struct shadow *shadow,
                                            const struct cta_scheduler *unit)
{
    struct cta_scheduler_state q = {
        .busy = shadow->busy,
        .candidates = shadow->candidates,
        .looked = shadow->looked,
        .going = shadow->going,
    };

    if (shadow->going) {
        bits_add(&q.to, shadow->to);
        q.from = shadow->from;
        q.source = shadow->source;
        q.stolen = is_stolen(shadow);
    }

    for (uint32_t k = 0u; k < shadow->config.n_kernel; k++) {
        if (shadow->slot[k].ready) {
            bits_add(&q.ready, k);
        }
        if (shadow->slot[k].known) {
            bits_add(&q.known, k);
        }
    }
    q.launch_error = shadow->error;
    q.step = !shadow->busy ? 0u : at_pools(shadow) ? steps(shadow) + 1u : shadow->age - 1u;
    q.pool = shadow->pool;
    q.slot = shadow->launched.launch_kernel;
    q.keep = shadow->launched.launch_keep;
    q.split = shadow->split;
    q.divisor = shadow->divisor;
    q.first = shadow->busy && !q.keep ? (uint32_t)shadow->first : unit->q.first;
    divided(shadow, &q);
    return q;
}
