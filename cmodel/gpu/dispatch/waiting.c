/*
 * waiting - kernels whose latency is over and that wait for a slot where LaPerm dispatches: the
 * order of its kernel management unit. With rr they go as they came; with tb-pri the highest
 * priority first; with queues bound to SMs one SM after the other has a turn, for the first of
 * its highest priority, and those of the host go when no other waits (rule LP-24). An SM for
 * which nothing waits has no turn.
 */

#include "gpu/machine.h"

void list_put(struct gpu *g, struct kernel_list *list, uint32_t kernel)
{
    if (list->count++ == 0u) {
        list->first = kernel;
    } else {
        g->kernel[list->last].behind = kernel;
    }
    list->last = kernel;
}

uint32_t list_take(const struct gpu *g, struct kernel_list *list)
{
    const uint32_t kernel = list->first;

    list->count--;
    list->first = g->kernel[kernel].behind;
    return kernel;
}

static bool is_bound(const struct gpu *g)
{
    return g->config.laperm.mode == BIND_SMX || g->config.laperm.mode == BIND_ADAPTIVE;
}

void waiting_put(struct gpu *g, uint32_t kernel)
{
    const struct gpu_kernel_stats *const stats = &g->kernel_stats[kernel];
    const uint32_t most = g->config.laperm.levels;
    const uint32_t level = stats->priority < most ? stats->priority : most;
    const bool rr = g->config.laperm.mode == BIND_RR;
    const uint32_t set = is_bound(g) && stats->nested ? 1u + stats->sm : 0u;

    list_put(g, &g->binding.waiting[set][rr ? 0u : level], kernel);
    g->binding.n_waiting++;
}

/* The highest list of a set that is not empty; NULL. */
static struct kernel_list *highest(struct gpu *g, uint32_t set)
{
    for (uint32_t level = g->config.laperm.levels + 1u; level-- > 0u;) {
        if (g->binding.waiting[set][level].count != 0u) {
            return &g->binding.waiting[set][level];
        }
    }
    return NULL;
}

uint32_t waiting_take(struct gpu *g)
{
    struct binding *const b = &g->binding;

    assert(b->n_waiting != 0u);
    b->n_waiting--;
    for (uint32_t k = 0u; is_bound(g) && k < g->n_sm; k++) {
        const uint32_t sm = (b->turn + k) % g->n_sm;
        struct kernel_list *const list = highest(g, 1u + sm);
        if (list != NULL) {
            b->turn = sm + 1u;
            return list_take(g, list);
        }
    }
    return list_take(g, highest(g, 0u));
}

void binding_launch(struct gpu *g, uint32_t kernel)
{
    list_put(g, &g->binding.launched, kernel);
    g->dispatch_dirty = true;
}
