/*
 * kernels - kernels become resident, issue their CTAs, and end.
 *
 * Kernels of one stream follow each other; resident kernels get CTAs in the order in which they
 * became resident, a later one when all CTAs of the earlier have been issued (left-over, thesis
 * 5.4).
 */

#include "gpu/wake.h"

static void start(struct gpu *g, uint32_t id)
{
    g->kernel[id].started = true;
    distributor_start(g, &g->kernel[id]);
    g->resident[g->n_resident++] = id;
    g->progress = g->t;
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        sm_invalidate(g->sm[i]);
    }
    cluster_flush(g);
    if (g->monitor.kernel_started != NULL) {
        g->monitor.kernel_started(g->monitor.self, id, g->t);
    }
}

void kernels_choose(struct gpu *g)
{
    const uint32_t before = g->current;
    g->current = g->n_kernel;
    uint64_t earliest = NEVER;
    for (uint32_t i = 0u; i < g->n_resident; i++) {
        const struct kernel *const k = &g->kernel[g->resident[i]];
        if (k->issued < k->ctas && k->order < earliest) {
            earliest = k->order;
            g->current = g->resident[i];
        }
    }
    if (g->current != before || g->current == g->n_kernel) {
        dispatch_rooms(g);
    }
}

void kernels_step(struct gpu *g, uint64_t t)
{
    while (g->coming.count > 0u && g->coming.heap[0].key <= t) {
        const uint32_t id = queue_take(&g->coming);
        queue_put(&g->ready, id, id);
    }
    while (g->ready.count > 0u && g->n_resident < g->config.dispatch.kernels) {
        const uint32_t id = queue_take(&g->ready);
        g->kernel[id].order = g->starts++;
        start(g, id);
    }
    uint64_t alarm = g->coming.count > 0u ? g->coming.heap[0].key : NEVER;
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        const uint64_t open = g->sm[i]->gate_open;
        alarm = open > t && open < alarm ? open : alarm;
    }
    g->alarm = alarm;
    kernels_choose(g);
    dispatch_rooms(g);
}

static void leave(struct gpu *g, uint32_t id)
{
    uint32_t at = 0u;
    while (g->resident[at] != id) {
        at++;
    }
    g->resident[at] = g->resident[--g->n_resident];
}

void kernel_end(struct gpu *g, uint32_t id, uint64_t t)
{
    struct kernel *const k = &g->kernel[id];
    k->ended = true;
    leave(g, id);
    g->n_ended++;
    distributor_stop(g, k);
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
    if (k->next != NO_KERNEL) {
        queue_put(&g->coming, t + 1u + g->config.dispatch.launch_latency, k->next);
    }
    g->alarm = t + 1u;
}
