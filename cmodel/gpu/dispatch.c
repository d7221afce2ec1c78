/*
 * dispatch - kernels become resident, and their CTAs go to SMs: at most one a cycle.
 *
 * Kernels of one stream follow each other; resident kernels get CTAs in the order in which they
 * became resident, a later one when all CTAs of the earlier have been issued (left-over, thesis
 * 5.4). An SM has room if all resources fit; limiters may take SMs away.
 *
 * The three baseline policies (normative.md 3.1 to 3.4) are round robins over an order of SMs:
 * cluster by cluster for global RR, all first SMs of the clusters, then all second ones, ...
 * for two-level RR; greedy clustering is the former within the first cluster that has room.
 */

#include "wake.h"

/* ---- Room ---------------------------------------------------------------------------------
 */

static bool fits(const struct gpu *g, const struct sm *m, const struct kernel *k)
{
    return !m->draining && !m->gated && g->t >= m->gate_open
           && (uint32_t)__builtin_popcount(m->cta_used) < g->config.sm.cta_slots
           && m->registers_free >= k->registers
           && m->shared_free >= k->source.shape.shared_bytes
           && m->threads_free >= k->warps * WARP_SIZE
           && (uint32_t)__builtin_popcountll(m->warp_free) >= k->warps;
}

void dispatch_room(struct gpu *g, const struct sm *m)
{
    const uint32_t place = g->place[m->id];
    if (g->current < g->n_kernel && fits(g, m, &g->kernel[g->current])) {
        sm_set_add(&g->room, place);
    } else {
        sm_set_remove(&g->room, place);
    }
    g->dispatch_dirty = true;
}

static void room_all(struct gpu *g)
{
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        dispatch_room(g, g->sm[i]);
    }
}

void dispatch_open(struct gpu *g)
{
    const bool two_level = g->config.dispatch.policy == DISPATCH_TWO_LEVEL_RR;
    uint32_t n = 0u;
    for (uint32_t i = 0u; i < g->sms_per_cluster * g->n_cluster; i++) {
        const uint32_t sm =
            two_level ? i % g->n_cluster * g->sms_per_cluster + i / g->n_cluster : i;
        if (sm < g->n_sm) {
            g->order[n] = sm;
            g->place[sm] = n++;
        }
    }
    g->current = 0u;
}

/* ---- Policies ------------------------------------------------------------------------------
 */

/* The first place at or after `from`, cyclically; room is not empty. */
static uint32_t first_place(const struct sm_set *room, uint32_t from)
{
    uint32_t word = from / 64u;
    uint64_t set = room->word[word] & (UINT64_MAX << (from % 64u));
    while (set == 0u) {
        word = (word + 1u) % (GPU_MAX_SM / 64u);
        set = room->word[word];
    }
    return word * 64u + lowest(set);
}

static uint32_t pick_greedy(struct gpu *g, const struct sm_set *room)
{
    const uint32_t cluster = first_place(room, 0u) / g->sms_per_cluster;
    const uint32_t first = cluster * g->sms_per_cluster;
    struct sm_set within = { { 0u } };
    for (uint32_t i = first; i < first + g->sms_per_cluster && i < g->n_sm; i++) {
        if (sm_set_has(room, i)) {
            sm_set_add(&within, i);
        }
    }
    const uint32_t sm = first_place(&within, first + g->cluster_last[cluster]);
    g->cluster_last[cluster] = (sm - first + 1u) % g->sms_per_cluster;
    return sm;
}

/* The place that gets the next CTA. */
static uint32_t pick(struct gpu *g, const struct sm_set *room)
{
    if (g->config.dispatch.policy == DISPATCH_GREEDY_CLUSTER) {
        return pick_greedy(g, room);
    }
    const uint32_t place = first_place(room, g->dispatch_last);
    g->dispatch_last = place + 1u == g->n_sm ? 0u : place + 1u;
    return place;
}

/* The room as SMs, less what the limiters take away. */
COLD static struct sm_set limited_room(const struct gpu *g)
{
    struct sm_set room = { { 0u } };
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        if (sm_set_has(&g->room, g->place[i])) {
            sm_set_add(&room, i);
        }
    }
    for (uint32_t k = 0u; k < g->hooks.n_limiter && sm_set_any(&room); k++) {
        const struct gpu_limiter *const l = &g->hooks.limiter[k];
        l->mask(l->self, g->current, &room);
    }
    return room;
}

/* With units: the SM, or -1. */
COLD static int32_t pick_by_units(struct gpu *g)
{
    const struct gpu_cta_scheduler *const unit = g->hooks.cta_scheduler;
    const struct sm_set room = limited_room(g);
    if (!sm_set_any(&room)) {
        return -1;
    }
    if (unit != NULL) {
        return unit->pick(unit->self, g->current, &room);
    }
    struct sm_set places = { { 0u } };
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        if (sm_set_has(&room, i)) {
            sm_set_add(&places, g->place[i]);
        }
    }
    return (int32_t)g->order[pick(g, &places)];
}

/* ---- Kernels --------------------------------------------------------------------------------
 */

static void tell_start(struct gpu *g, uint32_t id)
{
    const uint32_t ctas = g->kernel[id].ctas;
    for (uint32_t k = 0u; k < g->hooks.n_limiter; k++) {
        const struct gpu_limiter *const l = &g->hooks.limiter[k];
        if (l->start != NULL) {
            l->start(l->self, id, ctas);
        }
    }
    if (g->hooks.cta_scheduler != NULL && g->hooks.cta_scheduler->start != NULL) {
        g->hooks.cta_scheduler->start(g->hooks.cta_scheduler->self, id, ctas);
    }
    if (g->hooks.cluster_unit != NULL && g->hooks.cluster_unit->flush != NULL) {
        g->hooks.cluster_unit->flush(g->hooks.cluster_unit->self);
    }
    if (g->monitor.kernel_started != NULL) {
        g->monitor.kernel_started(g->monitor.self, id, g->t);
    }
}

static void start(struct gpu *g, uint32_t id)
{
    g->kernel[id].started = true;
    g->n_resident++;
    g->progress = g->t;
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        sm_invalidate(g->sm[i]);
    }
    tell_start(g, id);
}

/* The resident kernel that issues CTAs: the first that has any left. */
static void choose_current(struct gpu *g)
{
    const uint32_t before = g->current;
    g->current = g->n_kernel;
    uint64_t earliest = NEVER;
    for (uint32_t i = g->first_live; i < g->n_kernel; i++) {
        const struct kernel *const k = &g->kernel[i];
        if (k->started && k->next < k->ctas && k->order < earliest) {
            earliest = k->order;
            g->current = i;
        }
    }
    if (g->current != before || g->current == g->n_kernel) {
        room_all(g);
    }
}

void kernels_step(struct gpu *g, uint64_t t)
{
    uint64_t alarm = NEVER;
    for (uint32_t i = g->first_live; i < g->n_kernel; i++) {
        struct kernel *const k = &g->kernel[i];
        if (k->started || k->eligible == NEVER) {
            continue;
        }
        if (k->eligible > t) {
            alarm = k->eligible < alarm ? k->eligible : alarm;
        } else if (g->n_resident < g->config.dispatch.kernels) {
            k->order = g->starts++;
            start(g, i);
        }
    }
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        const uint64_t open = g->sm[i]->gate_open;
        alarm = open > t && open < alarm ? open : alarm;
    }
    g->alarm = alarm;
    choose_current(g);
    room_all(g);
}

COLD static void kernel_end(struct gpu *g, uint32_t id, uint64_t t)
{
    struct kernel *const k = &g->kernel[id];
    k->ended = true;
    g->n_resident--;
    g->n_ended++;
    g->kernel_stats[id].ended = t + 1u;
    for (uint32_t n = 0u; n < g->hooks.n_limiter; n++) {
        const struct gpu_limiter *const l = &g->hooks.limiter[n];
        if (l->stop != NULL) {
            l->stop(l->self, id);
        }
    }
    if (g->monitor.kernel_ended != NULL) {
        g->monitor.kernel_ended(g->monitor.self, id, t + 1u);
    }
    if (k->source.close != NULL) {
        k->source.close(k->source.self);
    }
    while (g->first_live < g->n_kernel && g->kernel[g->first_live].ended) {
        g->first_live++;
    }
    /* The next of its stream may start. */
    for (uint32_t i = id + 1u; i < g->n_kernel; i++) {
        if (g->kernel_stats[i].stream == g->kernel_stats[id].stream) {
            g->kernel[i].eligible = t + 1u + g->config.dispatch.launch_latency;
            break;
        }
    }
    g->alarm = t + 1u;
}

void dispatch_ended(struct gpu *g, struct sm *m, uint32_t kernel, uint32_t cta, uint64_t t)
{
    struct kernel *const k = &g->kernel[kernel];
    g->progress = t;
    for (uint32_t n = 0u; n < g->hooks.n_limiter; n++) {
        const struct gpu_limiter *const l = &g->hooks.limiter[n];
        if (l->ended != NULL) {
            l->ended(l->self, kernel, m->id, cta);
        }
    }
    if (g->hooks.cta_scheduler != NULL && g->hooks.cta_scheduler->ended != NULL) {
        g->hooks.cta_scheduler->ended(g->hooks.cta_scheduler->self, kernel, m->id, cta);
    }
    dispatch_room(g, m);
    if (++k->done == k->ctas) {
        kernel_end(g, kernel, t);
    }
}

/* ---- A cycle
 * ---------------------------------------------------------------------------------- */

static void tell_issued(struct gpu *g, uint32_t kernel, uint32_t sm, uint32_t cta)
{
    for (uint32_t n = 0u; n < g->hooks.n_limiter; n++) {
        const struct gpu_limiter *const l = &g->hooks.limiter[n];
        if (l->issued != NULL) {
            l->issued(l->self, kernel, sm, cta);
        }
    }
    const struct gpu_cta_scheduler *const unit = g->hooks.cta_scheduler;
    if (unit != NULL && unit->issued != NULL) {
        unit->issued(unit->self, kernel, sm, cta);
    }
}

void dispatch_step(struct gpu *g, uint64_t t)
{
    if (g->current == g->n_kernel || !sm_set_any(&g->room) || !g->dispatch_dirty) {
        return;
    }
    const uint32_t kernel = g->current, cta = g->kernel[kernel].next;
    const bool units = g->hooks.n_limiter != 0u || g->hooks.cta_scheduler != NULL;
    const int32_t sm =
        UNLIKELY(units) ? pick_by_units(g) : (int32_t)g->order[pick(g, &g->room)];
    if (sm < 0) {
        g->dispatch_dirty = false; /* refused, until something changes */
        return;
    }
    struct sm *const m = g->sm[sm];
    cta_start(g, m, kernel, t);
    if (g->end == GPU_ILLEGAL) {
        return;
    }
    if (cta == 0u) {
        g->kernel_stats[kernel].first_cta = t + 1u;
    }
    if (UNLIKELY(units)) {
        tell_issued(g, kernel, (uint32_t)sm, cta);
    }
    dispatch_room(g, m);
    if (g->kernel[kernel].next == g->kernel[kernel].ctas) {
        choose_current(g);
    }
    if (g->current != g->n_kernel && sm_set_any(&g->room)) {
        (void)wake_at(g, t + 1u);
    }
}
