/* queues - how full the queues of the units of LaPerm are, told from what goes into them and
 * comes out. Without these units nothing is counted. */

#include "gpu/machine.h"

static void change(struct gpu *g, enum gpu_queue queue, bool more)
{
    struct queue_levels *const q = &g->queue_levels;
    struct gpu_queue_stats *const stats = &q->stats[queue];

    stats->sum += q->now[queue] * (g->t - q->since[queue]);
    q->since[queue] = g->t;
    q->now[queue] += more ? 1u : UINT32_MAX;
    stats->most = q->now[queue] > stats->most ? q->now[queue] : stats->most;
}

static void change_set(struct gpu *g, uint32_t sm, bool more)
{
    struct queue_levels *const q = &g->queue_levels;

    change(g, GPU_QUEUE_SETS, more);
    q->of_set[sm] += more ? 1u : UINT32_MAX;
    q->most_of_set = q->of_set[sm] > q->most_of_set ? q->of_set[sm] : q->most_of_set;
}

void queues_of_kmu(struct gpu *g, const struct kmu_in *in, const struct kmu_out *out)
{
    if (out->grant_valid && in->grant_ready) {
        change(g, GPU_QUEUE_KMU, false);
    }
    if (out->link_valid && out->link_write && in->link_ready) {
        change(g, GPU_QUEUE_KMU, false);
        change(g, GPU_QUEUE_KMU_MEMORY, true);
    }
    if (in->answer_valid) {
        change(g, GPU_QUEUE_KMU_MEMORY, false);
        change(g, GPU_QUEUE_KMU, true);
    }
    if (in->arrive_valid && out->arrive_ready) {
        change(g, GPU_QUEUE_KMU, true);
    }
}

/* Whether a launch goes to memory shows a cycle after it has been taken. */
static void settle_launch(struct gpu *g, const struct laperm_out *out)
{
    const uint32_t kernel = g->queue_levels.came;

    if (kernel == NO_KERNEL) {
        return;
    }
    g->queue_levels.came = NO_KERNEL;
    if (out->spill_valid && out->spill_payload == kernel) {
        change(g, GPU_QUEUE_MEMORY, true);
    } else if (g->kernel_stats[kernel].nested) {
        change_set(g, g->queue_levels.came_to, true);
    } else {
        change(g, GPU_QUEUE_HOST, true);
    }
}

void queues_of_laperm(struct gpu *g, const struct laperm_in *in, const struct laperm_out *out)
{
    if (out->dispatch_valid && in->dispatch_ready && out->dispatch_last) {
        if (out->dispatch_level == 0u) {
            change(g, GPU_QUEUE_HOST, false);
        } else {
            change_set(g, out->dispatch_from, false);
        }
    }
    settle_launch(g, out);
    if (in->back_valid && out->back_ready) {
        change(g, GPU_QUEUE_MEMORY, false);
        change_set(g, in->back_sm, true);
    }
    if (in->launch_valid && out->launch_ready) {
        g->queue_levels.came = (uint32_t)in->launch_payload;
        g->queue_levels.came_to = in->launch_sm;
    }
}

void queues_settle(struct gpu *g)
{
    struct queue_levels *const q = &g->queue_levels;

    for (uint32_t k = 0u; g->sockets.kmu != NULL && k < GPU_QUEUES; k++) {
        q->stats[k].sum += q->now[k] * (g->t - q->since[k]);
        q->since[k] = g->t;
    }
}
