/*
 * kmu_glue - the kernel management unit in the machine: kernels whose launch latency is over
 * wait in it for a slot of the kernel distributor. Its cycle comes before the distributor's. A
 * kernel that is picked goes there in the same cycle.
 *
 * A kernel that comes gets a record in memory, and its number is the unit's handle. The last
 * record is left to what LaPerm has no place for: the kernels here may wait for the slot of
 * just that. The order in which kernels get slots is that of the unit (rule LP-24).
 */

#include "gpu/machine.h"

static void tell_arrival(const struct gpu *g, struct kmu_in *in)
{
    const struct binding *const b = &g->binding;
    uint32_t record;

    if (b->arrivals.count == 0u || !record_spare(g, 1u) || !record_free(g, &record)) {
        return;
    }
    const struct gpu_kernel_stats *const stats = &g->kernel_stats[b->arrivals.first];
    in->arrive_valid = true;
    in->arrive_host = !stats->nested;
    in->arrive_handle = record;
    if (stats->nested) {
        in->arrive_sm = stats->sm;
        in->arrive_parent = binding_parent(g, b->arrivals.first);
    }
}

void kmu_inputs(struct gpu *g, uint32_t i, struct kmu_in *in)
{
    struct binding *const b = &g->binding;

    (void)i;
    in->mode = (uint32_t)g->config.laperm.mode - (uint32_t)BIND_RR; /* in the unit's order */
    in->link_ready = record_port_ready(g);
    in->room = in->grant_ready = kdu_has_room(g) && g->returns.kernels.count == 0u;
    if (b->answered) {
        in->answer_valid = true;
        in->answer_queue = b->answer_queue;
        in->answer_data = b->answer;
        b->answered = false;
    }
    tell_arrival(g, in);
}

/* Eight links are in a sector of the L2, behind all records. */
static uint32_t sector_of(const struct kmu_out *out)
{
    return RECORDS + (out->link_queue << kmu_max_handle_w | out->link_place) / 8u;
}

/* Memory has what is written in the order in which it is read, for each queue. */
static void use_links(struct gpu *g, const struct kmu_in *in, const struct kmu_out *out)
{
    struct binding *const b = &g->binding;
    const uint32_t record =
        out->link_data % (1u << g->config.laperm.handle_bits); /* the handle */

    if (!out->link_valid || !in->link_ready) {
        return;
    }
    if (out->link_write && record < b->records.used) {
        const uint32_t kernel = b->records.of[record].kernel;
        g->kernel[kernel].link = out->link_data;
        list_put(g, &b->links[out->link_queue], kernel);
    }
    record_port_ask(g, sector_of(out), out->link_write, LINKS + out->link_queue);
}

void kmu_outputs(struct gpu *g, uint32_t i, const struct kmu_in *in, const struct kmu_out *out)
{
    struct binding *const b = &g->binding;

    (void)i;
    if (in->arrive_valid && out->arrive_ready) {
        record_take(g, in->arrive_handle, list_take(g, &b->arrivals));
    }
    if (out->grant_valid && in->grant_ready) {
        b->granted = record_give(g, out->grant_handle);
    }
    use_links(g, in, out);
    queues_of_kmu(g, in, out);
}

bool kmu_rests(const struct gpu *g)
{
    const struct kmu_socket *const s = g->sockets.kmu;

    return !s->base.restless && kmu_quiet(&s->unit, &s->in);
}
