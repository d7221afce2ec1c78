/*
 * kernels - kernels become resident, issue their CTAs, and end.
 *
 * Kernels of one stream follow each other. A launch begins when the host launches the kernel,
 * or when the one before it in its stream has ended. The kernel takes a slot of the work
 * distributor as soon as one is free, is launched there, and starts when its launch latency is
 * over. So the latency hides the unit's launch, if the slot was free early enough.
 *
 * Kernels that have started get CTAs in the order in which they became resident, a later one
 * when all CTAs of the earlier have been issued (left-over, thesis 5.4). That holds while the
 * unit is launching the earlier one, or changes its SMs: a later kernel does not go ahead of
 * it.
 *
 * With LaPerm a kernel whose latency is over goes to the kernel management unit, takes the slot
 * that the kernel distributor unit gives it, and starts. The unit laperm says whose CTAs are
 * issued.
 */

#include "gpu/config/jitter.h"
#include "gpu/record.h"
#include "gpu/wake.h"

uint64_t kernel_latency(const struct gpu *g, uint32_t id)
{
    return (uint64_t)g->config.dispatch.launch_latency + jitter_launch(&g->config, id);
}

/* The cycle of the queue's first, if that is before another. */
static uint64_t sooner(const struct kernel_queue *q, uint64_t than)
{
    return q->count > 0u && q->heap[0].key < than ? q->heap[0].key : than;
}

/* from: the cycle in which it starts, if that is later. */
static uint32_t next_waiting(struct gpu *g, uint64_t *from)
{
    if (g->ready.count > 0u) {
        return queue_take(&g->ready);
    }
    *from = g->coming.heap[0].key;
    return queue_take(&g->coming);
}

static void enter(struct gpu *g, uint32_t id, uint32_t slot, uint64_t from)
{
    struct kernel *const k = &g->kernel[id];

    k->order = g->starts++;
    k->from = from;
    g->resident[g->n_resident++] = id;
    distributor_start(g, k, slot);
    record_kernel(g, id, GPU_KERNEL_LAUNCHED);
}

/* Kernels take slots: those whose latency is over by number, then the first to have it over. */
static void fill_slots(struct gpu *g, uint64_t t)
{
    while (g->coming.count > 0u && g->coming.heap[0].key <= t) {
        const uint32_t id = queue_take(&g->coming);
        queue_put(&g->ready, id, id);
    }
    while (distributor_has_slot(g) && g->ready.count + g->coming.count > 0u) {
        uint64_t from = t;
        const uint32_t id = next_waiting(g, &from);
        enter(g, id, distributor_slot(g), from);
    }
}

bool kernel_flushes(const struct gpu *g, uint32_t id)
{
    return g->config.cdp.flush_l1 || !g->kernel_stats[id].nested;
}

static void start(struct gpu *g, uint32_t id)
{
    g->kernel[id].started = true;
    g->progress = g->t;
    record_kernel(g, id, GPU_KERNEL_STARTED);
    for (uint32_t i = 0u; kernel_flushes(g, id) && i < g->n_sm; i++) {
        sm_invalidate(g->sm[i]);
    }
    if (g->sockets.laperm != NULL) {
        binding_launch(g, id);
    }
    if (g->monitor.kernel_started != NULL) {
        g->monitor.kernel_started(g->monitor.self, id, g->t);
    }
}

/* ---- With LaPerm --------------------------------------------------------------------- */

void kernels_admit(struct gpu *g, uint32_t kernel, uint32_t slot)
{
    enter(g, kernel, slot, g->t);
    start(g, kernel);
}

void kernels_join(struct gpu *g, uint32_t kernel, uint32_t slot)
{
    struct kernel *const k = &g->kernel[kernel];

    k->slot = slot;
    k->holds = true;
    k->mate = g->distributor.mates[slot];
    g->distributor.mates[slot] = kernel;
    k->block = g->kernel[g->distributor.leader[slot]].block;
    k->order = g->starts++;
    k->from = g->t;
    g->kernel_stats[kernel].joined = true;
    record_kernel(g, kernel, GPU_KERNEL_LAUNCHED);
    start(g, kernel);
}

/* ---- Whose CTAs come back ------------------------------------------------------------ */

/* Groups are not among those. */
void kernels_leave(struct gpu *g, uint32_t kernel)
{
    uint32_t at = 0u;
    while (at < g->n_resident && g->resident[at] != kernel) {
        at++;
    }
    if (at < g->n_resident) {
        g->resident[at] = g->resident[--g->n_resident];
    }
}

void kernels_resume(struct gpu *g, uint32_t kernel, uint32_t slot)
{
    struct kernel *const k = &g->kernel[kernel];

    k->slot = slot;
    k->holds = true;
    bits_add(&g->distributor.slots, slot);
    g->distributor.leader[slot] = g->distributor.mates[slot] = kernel;
    k->mate = NO_KERNEL;
    g->resident[g->n_resident++] = kernel;
    g->rooms.launch[g->rooms.n_launch++] = kernel;
}

/* ---- In general ---------------------------------------------------------------------- */

/* What kernels have launched begins like a launch of the host, unless it is a group, which
 * looks for a kernel to join. */
static void arrive(struct gpu *g, uint64_t t)
{
    while (g->arriving.count > 0u && g->arriving.heap[0].key <= t) {
        const uint32_t id = queue_take(&g->arriving);
        if (g->kernel[id].group) {
            list_put(g, &g->binding.groups, id);
        } else {
            queue_put(&g->coming, t + kernel_latency(g, id), id);
        }
    }
}

void kernels_come(struct gpu *g, uint64_t t)
{
    arrive(g, t);
    while (g->sockets.kmu != NULL && g->coming.count > 0u && g->coming.heap[0].key <= t) {
        list_put(g, &g->binding.arrivals, queue_take(&g->coming));
    }
}

/* The earliest resident kernel that has not started; n_kernel if there is none. */
static uint32_t next_start(const struct gpu *g)
{
    uint32_t next = g->n_kernel;
    for (uint32_t i = 0u; i < g->n_resident; i++) {
        const uint32_t id = g->resident[i];
        if (!g->kernel[id].started
            && (next == g->n_kernel || g->kernel[id].order < g->kernel[next].order)) {
            next = id;
        }
    }
    return next;
}

/* Starts the kernels whose latency is over, in their order. Returns the cycle of the next. */
static uint64_t start_kernels(struct gpu *g, uint64_t t)
{
    for (;;) {
        const uint32_t id = next_start(g);
        if (id == g->n_kernel) {
            return NEVER;
        }
        if (g->kernel[id].from > t) {
            return g->kernel[id].from;
        }
        start(g, id);
    }
}

void kernels_choose(struct gpu *g)
{
    const uint32_t before = g->current;
    g->current = g->n_kernel;
    uint64_t earliest = NEVER;
    for (uint32_t i = 0u; i < g->n_resident; i++) {
        const struct kernel *const k = &g->kernel[g->resident[i]];
        if (k->started && k->issued < k->ctas && k->order < earliest
            && (g->sockets.laperm == NULL || !g->kernel_stats[g->resident[i]].nested)) {
            earliest = k->order;
            g->current = g->resident[i];
        }
    }
    if (g->current != before || g->current == g->n_kernel) {
        dispatch_count(g);
    }
    if (g->current != before && g->sockets.stepped) {
        g->sockets.called = true; /* in this cycle, or if they have had that, in the next */
        (void)wake_at(g, g->t + 1u);
    }
}

void kernels_step(struct gpu *g, uint64_t t)
{
    uint64_t alarm;

    if (g->sockets.kdu != NULL) {
        alarm = sooner(&g->coming, g->binding.rests ? NEVER : t + 1u);
    } else {
        returns_slots(g);
        fill_slots(g, t);
        alarm = start_kernels(g, t);
    }
    alarm = sooner(&g->arriving, alarm);
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        const uint64_t open = g->sm[i]->gate_open;
        alarm = open > t && open < alarm ? open : alarm;
    }
    if (g->detection.given_up > t && g->detection.given_up < alarm) {
        alarm = g->detection.given_up;
    }
    g->alarm = alarm;
    kernels_choose(g);
    dispatch_count(g);
    dispatch_opens(g);
}

void kernel_end(struct gpu *g, uint32_t id, uint64_t t)
{
    struct kernel *const k = &g->kernel[id];
    k->ended = true;
    kernels_leave(g, id);
    g->n_ended++;
    record_kernel(g, id, GPU_KERNEL_ENDED);
    if (g->sockets.kdu == NULL) {
        distributor_free(g, k->slot);
    }
    g->kernel_stats[id].ended = t + 1u;
    if (g->monitor.kernel_ended != NULL) {
        g->monitor.kernel_ended(g->monitor.self, id, t + 1u);
    }
    if (k->source.close != NULL) {
        k->source.close(k->source.self);
    }
    while (g->first_live < g->n_kernel && g->kernel[g->first_live].ended) {
        g->first_live++;
    }
    g->alarm = t + 1u < g->alarm ? t + 1u : g->alarm;
    if (k->source.ended == NULL) {
        gpu_complete(g, id);
    } else if (!k->source.ended(k->source.self, &g->fault)) { /* k may have moved */
        g->end = GPU_ILLEGAL;
    }
}

void gpu_complete(struct gpu *g, uint32_t kernel)
{
    struct kernel *const k = &g->kernel[kernel];
    k->complete = true;
    if (k->next != NO_KERNEL) {
        queue_put(&g->coming, g->t + 1u + kernel_latency(g, k->next), k->next);
    }
    g->alarm = g->t + 1u < g->alarm ? g->t + 1u : g->alarm;
}
