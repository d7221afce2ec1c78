/*
 * engine - the cycle loop. A cycle goes against the flow of requests: DRAM, L2 slices, response
 * and request crossbar, clusters, SMs, dispatch. So what a component passes on is seen by the
 * next one in a later cycle, and room that a component makes is seen by the one before it in
 * the same cycle.
 */

#include "gpu/wake.h"

HOT uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 32;
}
static uint64_t all(uint32_t n)
{
    return n >= 64u ? UINT64_MAX : BIT(n) - 1u;
}

/* Slow modes wake everybody, or somebody at random. */
COLD static void wake_more(struct gpu *g, struct wake *w, uint64_t t)
{
    uint64_t mask = UINT64_MAX;
    if ((g->mode & GPU_STEP_ALL) == 0u) {
        mask = mix(t) & mix(t + UINT64_C(0x100000000));
        if ((mask & 7u) == 0u) {
            (void)wake_at(g, t + 1u);
        }
    }
    for (uint32_t i = 0u; i < 3u; i++) {
        const uint32_t n = g->n_sm > i * 64u ? g->n_sm - i * 64u : 0u;
        w->sm[i] |= all(n) & mask;
    }
    w->slice |= all(g->n_slice) & mask;
    w->dram |= all(g->n_slice) & (mask >> 7 | mask << 57);
    w->cluster |= (all(g->n_cluster) & (mask >> 13 | mask << 51)) | g->record_port.bit;
    w->input[0] |= all(g->crossbar[0].inputs) & (mask >> 19 | mask << 45);
    w->input[1] |= all(g->n_slice) & (mask >> 27 | mask << 37);
}

/* Domains without a cycle in core cycle t: what was to step steps in the next. */
HOT void carry(struct gpu *g, struct wake *w, uint64_t t)
{
    if (UNLIKELY(g->l2.now == g->l2.before) && w->slice != 0u) {
        wake_at(g, t + 1u)->slice |= w->slice;
        w->slice = 0u;
    }
    if (UNLIKELY(g->noc.now == g->noc.before)) {
        for (uint32_t d = 0u; d < 2u; d++) {
            if (w->input[d] != 0u) {
                wake_input(g, d, w->input[d], t + 1u);
                w->input[d] = 0u;
            }
        }
    }
}

HOT void step_sms(struct gpu *g, const struct wake *w, uint64_t t)
{
    for (uint32_t word = 0u; word < 3u; word++) {
        if (w->sm[word] != 0u) {
            const uint64_t more = sms_step(g, &g->sm[(size_t)word * 64u], w->sm[word], t);
            if (more != 0u) {
                wake_at(g, t + 1u)->sm[word] |= more;
            }
        }
    }
}

/* A kernel's start empties merge tables and coalesced caches. */
static void tell_clusters(struct gpu *g)
{
    const struct gpu_record *const r = &g->record;

    for (uint32_t i = 0u; i < r->n_kernel; i++) {
        if (r->kernel[i].step == GPU_KERNEL_STARTED && kernel_flushes(g, r->kernel[i].kernel)) {
            cluster_ports_flush(g);
        }
    }
}

/* The units that kernels go through, where LaPerm dispatches, have their cycle. */
static void step_kernels(struct gpu *g, uint64_t t)
{
    kernels_come(g, t);
    if (g->sockets.kdu != NULL) {
        kmu_step(g, 0u);
        kdu_step(g, 0u);
        g->binding.rests = kmu_rests(g) && kdu_rests(g);
    }
    kernels_step(g, t);
}

/* The cycle of the SMs' room is left out if nothing about it has changed. */
static void step_rooms(struct gpu *g)
{
    bool restless;

    if (!g->rooms.dirty && (g->mode & GPU_STEP_ALL) == 0u) {
        return;
    }
    if (g->sockets.sm_free != NULL) {
        sm_free_step(g, 0u);
        restless = g->sockets.sm_free->base.restless;
    } else {
        sm_room_step(g, 0u);
        restless = g->sockets.sm_room->base.restless;
    }
    g->rooms.dirty = !g->rooms.settled || restless || g->n_starting != 0u; /* one comes back */
    if (g->rooms.dirty) {
        (void)wake_at(g, g->t + 1u);
    }
}

/* The cycle of the work distributor, or of what is in its place, is left out if nothing about
 * it has changed. */
static void step_distributor(struct gpu *g)
{
    bool restless;

    if (!g->dispatch_dirty && (g->mode & GPU_STEP_ALL) == 0u) {
        return;
    }
    if (g->sockets.laperm != NULL) {
        if (g->sockets.claso != NULL) {
            claso_step(g, 0u);
        }
        laperm_step(g, 0u);
        restless = g->sockets.laperm->base.restless
                   || (g->sockets.claso != NULL && g->sockets.claso->base.restless);
    } else {
        work_distributor_step(g, 0u);
        restless = g->sockets.work_distributor->base.restless;
    }
    g->dispatch_dirty = !g->distributor.settled || restless;
    if (g->dispatch_dirty) {
        (void)wake_at(g, g->t + 1u);
    }
}

HOT void step(struct gpu *g, uint64_t t)
{
    struct wake *const w = &g->wheel[t & g->wheel_mask];
    if (UNLIKELY((g->mode & (GPU_STEP_ALL | GPU_FUZZ)) != 0u)) {
        wake_more(g, w, t);
    }
    record_begin(g, t);
    domain_advance(&g->memory, t);
    domain_advance(&g->l2, t);
    domain_advance(&g->noc, t);
    drams_step(g, w->dram, t);
    carry(g, w, t);
    slices_step(g, w->slice, t);
    if (w->input[1] != 0u) {
        crossbar_step(g, 1u, w->input[1], t);
    }
    if (w->input[0] != 0u) {
        crossbar_step(g, 0u, w->input[0], t);
    }
    if (UNLIKELY((w->cluster & g->record_port.bit) != 0u)) {
        record_port_step(g, t);
    }
    clusters_step(g, w->cluster & ~g->record_port.bit, t);
    step_sms(g, w, t);
    if (UNLIKELY(g->hooks.classes)) {
        record_classes(g, w, t);
    }
    if (UNLIKELY((g->record.n_ended | g->record.n_left) != 0u)) {
        dispatch_left(g, t);
        dispatch_ended(g, t);
    }
    if (UNLIKELY(t >= g->alarm || g->binding.each)) {
        step_kernels(g, t);
        tell_clusters(g);
    }
    if (g->sockets.stepped) {
        sockets_step(g, w);
    }
    if (UNLIKELY(g->returns.on)) {
        returns_step(g);
    }
    if (UNLIKELY(g->sockets.laperm != NULL)) {
        binding_look(g);
    }
    step_rooms(g);
    step_distributor(g);
    if (UNLIKELY(g->swaps.n_going != 0u)) {
        swaps_step(g);
    }
    *w = (struct wake){ { 0u }, 0u, 0u, 0u, { 0u }, false };
    const uint64_t slot = t & g->wheel_mask;
    g->busy[slot >> 6] &= ~BIT(slot & 63u);
}

/* The next cycle after t in which somebody steps; NEVER if nobody does. */
HOT uint64_t next_cycle(const struct gpu *g, uint64_t t)
{
    const uint64_t first = (t + 1u) & g->wheel_mask;
    const uint32_t words = (uint32_t)((g->wheel_mask + 1u) / 64u);
    uint32_t word = (uint32_t)(first >> 6);
    uint64_t set = g->busy[word] & (UINT64_MAX << (first & 63u));
    for (uint32_t k = 0u; k <= words; k++) {
        if (set != 0u) {
            const uint64_t slot = (uint64_t)word * 64u + lowest(set);
            return t + 1u + ((slot - first) & g->wheel_mask);
        }
        word = word + 1u == words ? 0u : word + 1u;
        set = g->busy[word];
    }
    return NEVER;
}

/* The cycle that runs after t. */
HOT uint64_t after(const struct gpu *g, uint64_t t)
{
    if ((g->mode & (GPU_NO_SKIP | GPU_STEP_ALL)) != 0u) {
        return t + 1u;
    }
    uint64_t next = next_cycle(g, t);
    next = g->alarm < next ? g->alarm : next;
    const uint64_t last = g->progress > g->moved ? g->progress : g->moved;
    const uint64_t hang = last + g->config.limit.watchdog + 1u;
    next = g->alarm == NEVER && hang < next ? hang : next;
    return next <= t ? t + 1u : next;
}

/* Samples before cycle `next`. What is done to SMs from a sample may make an earlier one the
 * next. */
COLD static uint64_t sample(struct gpu *g, uint64_t next)
{
    while (g->sample_at < next) {
        const uint64_t t = g->sample_at;
        g->t = t + 1u;
        g->monitor.sample(g->monitor.self, g, t);
        g->sample_at += g->monitor.interval;
        const uint64_t sooner = after(g, t);
        next = sooner < next ? sooner : next;
    }
    return next;
}

/* Is there nothing left to do after cycle t? */
HOT bool finished(const struct gpu *g)
{
    return g->n_ended == g->n_kernel && g->inflight == 0u;
}

static bool hung(struct gpu *g, uint64_t t)
{
    const uint64_t watchdog = g->config.limit.watchdog;
    if (t <= g->progress + watchdog || g->alarm != NEVER
        || (t <= g->moved + watchdog && !hang_polls(g))) {
        return false;
    }
    g->end = GPU_HUNG;
    hang_report(g);
    return true;
}

/* Kernels have all that has been counted, or nobody has it. */
__attribute__((unused)) static bool whole(struct gpu *g)
{
    (void)gpu_stats(g);
    return gpu_shares_whole(g, &g->fault);
}

/* Runs until so many kernels have ended, or all is done. */
static enum gpu_end run_until(struct gpu *g, uint32_t ended)
{
    uint64_t t = g->t;
    g->end = GPU_DONE;
    if (finished(g)) {
        return GPU_DONE;
    }
    g->progress = g->moved = t;
    for (;;) {
        step(g, t);
        g->host_steps++;
        const bool done = finished(g) || g->n_ended >= ended;
        uint64_t next = done || g->end != GPU_DONE ? t + 1u : after(g, t);
        if (UNLIKELY(g->sample_at < next)) {
            next = sample(g, next);
        }
        t = next;
        g->t = t;
        if (done || g->end != GPU_DONE || hung(g, t)) {
            /* What was asked for has been answered, once. */
            assert(g->end != GPU_DONE || !finished(g) || gpu_stats(g)->unanswered == 0u);
            assert(whole(g));
            return g->end;
        }
        if (UNLIKELY((g->host_steps & 0xfffffu) == 0u) && g->monitor.progress != NULL
            && !g->monitor.progress(g->monitor.self, g)) {
            return g->end = GPU_STOPPED;
        }
    }
}

enum gpu_end gpu_run(struct gpu *g)
{
    return run_until(g, UINT32_MAX);
}

enum gpu_end gpu_run_to_end_of_kernel(struct gpu *g)
{
    return run_until(g, g->n_ended + 1u);
}

bool gpu_has_ended(const struct gpu *g, uint32_t kernel)
{
    return g->kernel[kernel].complete;
}
