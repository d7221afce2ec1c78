/* gpu_events - a monitor that writes down when and where CTAs and kernels start and end; see
 * gpu_events.h. */

#include "tb/gpu/gpu_events.h"

static void events_cta(struct events *e, struct cta_event event)
{
    assert_true(e->n < EVENTS_MOST);
    e->event[e->n++] = event;
}

static void events_cta_started(void *self, uint32_t kernel, uint32_t cta, uint32_t sm,
                               uint32_t slot, uint64_t cycle)
{
    events_cta(self, (struct cta_event){ true, kernel, cta, sm, slot, cycle });
}

static void events_cta_ended(void *self, uint32_t kernel, uint32_t cta, uint32_t sm,
                             uint32_t slot, uint64_t cycle)
{
    events_cta(self, (struct cta_event){ false, kernel, cta, sm, slot, cycle });
}

static void events_started(void *self, uint32_t kernel, uint64_t cycle)
{
    ((struct events *)self)->started[kernel] = cycle;
}

static void events_ended(void *self, uint32_t kernel, uint64_t cycle)
{
    ((struct events *)self)->ended[kernel] = cycle;
}

struct gpu_monitor events_monitor(struct events *e)
{
    memset(e, 0, sizeof *e);
    return (struct gpu_monitor){ .self = e,
                                 .kernel_started = events_started,
                                 .kernel_ended = events_ended,
                                 .cta_started = events_cta_started,
                                 .cta_ended = events_cta_ended };
}

static const struct cta_event *events_find(const struct events *e, bool start, uint32_t kernel,
                                           uint32_t cta)
{
    for (uint32_t k = 0u; k < e->n; k++) {
        const struct cta_event *const event = &e->event[k];
        if (event->start == start && event->kernel == kernel && event->cta == cta) {
            return event;
        }
    }
    fail_msg("kernel %" PRIu32 ": CTA %" PRIu32 " has no such event", kernel, cta);
    return NULL;
}

uint32_t sm_of(const struct events *e, uint32_t kernel, uint32_t cta)
{
    return events_find(e, true, kernel, cta)->sm;
}

uint64_t start_of_cta(const struct events *e, uint32_t kernel, uint32_t cta)
{
    return events_find(e, true, kernel, cta)->cycle;
}

uint64_t end_of_cta(const struct events *e, uint32_t kernel, uint32_t cta)
{
    return events_find(e, false, kernel, cta)->cycle;
}

/* ---- The resources of SMs, from the events alone ------------------------------------- */

static uint32_t up(uint32_t n, uint32_t granule)
{
    return (n + granule - 1u) / granule * granule;
}

uint32_t events_check_resources(const struct events *e, const struct gpu_config *c,
                                const struct hand_kernel *const *kernels)
{
    struct resources used[GPU_MAX_SM] = { { 0u } };
    uint32_t most = 0u;
    for (uint32_t k = 0u; k < e->n; k++) {
        const struct cta_event *const event = &e->event[k];
        const struct kernel_shape *const s = &kernels[event->kernel]->shape;
        struct resources *const u = &used[event->sm];
        const uint32_t warps = kernel_warps(s);
        const uint32_t a_warp = up(s->registers * WARP_SIZE, c->sm.register_granule);
        const uint32_t sign = event->start ? 1u : UINT32_MAX; /* adds or takes away */
        assert_true((u->slots >> event->slot & 1u) != event->start);
        u->slots ^= 1u << event->slot;
        u->ctas += sign;
        u->warps += sign * warps;
        u->registers += sign * warps * a_warp;
        u->shared += sign * up(s->shared_bytes + c->sm.shared_reserved, c->sm.shared_granule);
        assert_in_range(event->slot, 0u, c->sm.cta_slots - 1u);
        assert_in_range(u->ctas, 0u, c->sm.cta_slots);
        assert_in_range(u->warps, 0u, c->sm.warp_slots);
        assert_in_range(u->warps * WARP_SIZE, 0u, c->sm.threads);
        assert_in_range(u->registers, 0u, c->sm.registers);
        assert_in_range(u->shared, 0u, c->sm.shared_bytes);
        most = u->ctas > most ? u->ctas : most;
    }
    for (uint32_t sm = 0u; sm < c->sm.count; sm++) {
        assert_int_equal(used[sm].ctas, 0u);
    }
    return most;
}
