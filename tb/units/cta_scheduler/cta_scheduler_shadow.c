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

/* The pool that each cluster draws on, or n_cluster. */
static void draw_pools(const struct shadow *shadow, const struct shadow_slot *slot,
                       uint32_t drawn[])
{
    const uint32_t n = shadow->config.n_cluster;
    uint64_t left[cta_scheduler_max_n_cluster], homeless[cta_scheduler_max_n_cluster];

    for (uint32_t c = 0u; c < n; c++) {
        left[c] = slot->pool[c].end - slot->pool[c].front;
        homeless[c] = slot->pool[c].homeless;
    }
    for (uint32_t c = 0u; c < n; c++) {
        drawn[c] = slot->policy == CTA_DISTRIBUTED
                       ? drawn_pool(n, c, left, homeless, slot->steal)
                   : left[0] != 0u ? 0u
                                   : n;
    }
}

/* Who gets what of a slot. */
static void show_dispatch(const struct shadow *shadow, const struct shadow_slot *slot,
                          const struct cta_scheduler_in *in, struct cta_scheduler_out *out)
{
    const struct cta_scheduler_config *const config = &shadow->config;
    uint32_t drawn[cta_scheduler_max_n_cluster];
    struct bits candidates = { { 0u } };

    draw_pools(shadow, slot, drawn);
    for (uint32_t c = 0u; c < config->n_cluster; c++) {
        if (drawn[c] < config->n_cluster) {
            const struct shadow_pool *const pool = &slot->pool[drawn[c]];
            const uint64_t left = pool->end - pool->front;
            out->offer[c] = left < 1u << slot->block ? (uint32_t)left : 1u << slot->block;
            if (slot->policy == CTA_DISTRIBUTED && drawn[c] != c) {
                bits_add(&out->stolen, c);
            }
        }
    }
    for (uint32_t sm = 0u; sm < config->n_sm; sm++) {
        if (bits_has(slot->sms, sm) && bits_has(in->room, sm) && bits_has(in->limit, sm)
            && out->offer[cluster_of(config, sm)] != 0u) {
            bits_add(&candidates, sm);
        }
    }
    const uint32_t sm = chosen(config, &slot->pointers, slot->policy, candidates);
    if (sm < config->n_sm) {
        out->dispatch_valid = true;
        out->dispatch_sm = sm;
        out->dispatch_cta = (uint32_t)slot->pool[drawn[cluster_of(config, sm)]].front;
        out->dispatch_count = out->offer[cluster_of(config, sm)];
    }
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
    if (in->kernel < shadow->config.n_kernel && shadow->slot[in->kernel].ready) {
        show_dispatch(shadow, &shadow->slot[in->kernel], in, &out);
    }
    return out;
}

/* ---- The edge ------------------------------------------------------------------------ */

static void shadow_dispatch(struct shadow *shadow, const struct cta_scheduler_in *in,
                            const struct cta_scheduler_out *out)
{
    struct shadow_slot *const slot = &shadow->slot[in->kernel];

    if (out->dispatch_valid && in->dispatch_ready) {
        for (uint32_t c = 0u; c < shadow->config.n_cluster; c++) {
            struct shadow_pool *const pool = &slot->pool[c];
            if (pool->front < pool->end && pool->front == out->dispatch_cta) {
                pool->front += out->dispatch_count;
                break;
            }
        }
        const uint32_t cluster = cluster_of(&shadow->config, out->dispatch_sm);
        move_pointers(&shadow->config, &slot->pointers, slot->policy, out->dispatch_sm);
        shadow->seen.dispatches++;
        shadow->seen.tails += out->dispatch_count < 1u << slot->block;
        shadow->seen.stolen += bits_has(out->stolen, cluster);
    }
    shadow->seen.refusals += out->dispatch_valid && !in->dispatch_ready;
}

/* The pool whose turn it is passes. */
static void shadow_pass(struct shadow *shadow)
{
    struct shadow_slot *const slot = &shadow->slot[shadow->launched.launch_kernel];
    struct shadow_pool *const pool = &slot->pool[shadow->pool];
    const uint64_t ctas = share(shadow);

    pool->homeless = !is_home(shadow);
    if (!shadow->launched.launch_keep) {
        pool->front = shadow->first;
        pool->end = shadow->first + ctas;
        shadow->first = pool->end;
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
    } else if (is_shown(shadow) && !pool_ready) {
        shadow->seen.waits++;
    } else {
        shadow_pass(shadow);
    }
}

static bool may_launch(const struct shadow *shadow, const struct cta_scheduler_in *in)
{
    if (in->launch_kernel >= shadow->config.n_kernel || !bits_any(in->launch_sms)) {
        return false;
    }
    return in->launch_keep ? shadow->slot[in->launch_kernel].ready
                           : in->launch_ctas != 0u && in->launch_block != 3u;
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

void shadow_edge(struct shadow *shadow, const struct cta_scheduler_in *in,
                 const struct cta_scheduler_out *out)
{
    shadow->error = false;
    shadow_dispatch(shadow, in, out);
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
    shadow->error = shadow->busy = shadow->split = false;
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
    struct cta_scheduler_state q = { .busy = shadow->busy };

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
