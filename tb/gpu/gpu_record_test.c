/*
 * Tests of the record of a cycle: CTAs and kernels are in it in the cycles in which monitors
 * and statistics have them. That the classes of cycles add up to the statistics is in
 * gpu_exact_test.
 */

#include "gpu_events.h"

static const unsigned modes[] = { 0u, GPU_NAIVE, GPU_FUZZ };
#define FOR_EACH_MODE(mode) \
    for (const unsigned *mode = modes; mode != modes + sizeof modes / sizeof *modes; mode++)

static struct program text;
static struct events events;

static struct hand_kernel chain_kernel(uint32_t length, uint32_t ctas)
{
    text = (struct program){ .length = 0u };
    emit_chain(&text, OP_INTEGER, length, 0u);
    emit_exit(&text);
    return kernel_of(&text, ctas, 1u);
}

/* The same as the monitor sees: cycles of steps, and CTAs in the order in which they came. */
static struct {
    uint64_t step[4][GPU_KERNEL_STEPS];
    struct cta_event event[EVENTS_MOST];
    uint32_t n;
} read_back;

static void read_ctas(const struct gpu_cta_event *of, uint32_t n, bool start, uint64_t cycle)
{
    for (uint32_t i = 0u; i < n; i++) {
        read_back.event[read_back.n++] =
            (struct cta_event){ start, of[i].kernel, of[i].cta, of[i].sm, of[i].slot, cycle };
    }
}

static void read_record(void *self, struct gpu *g, uint64_t cycle)
{
    const struct gpu_record *const r = gpu_record(g);
    (void)self;
    if (r->cycle != cycle) {
        return;
    }
    read_ctas(r->started, r->n_started, true, cycle);
    /* Monitors are told of the cycle after the last. */
    read_ctas(r->ended, r->n_ended, false, cycle + 1u);
    for (uint32_t i = 0u; i < r->n_kernel; i++) {
        uint64_t *const at = &read_back.step[r->kernel[i].kernel][r->kernel[i].step];
        assert_int_equal(*at, 0u);
        *at = cycle;
    }
    assert_int_equal(r->n_class, 0u); /* nobody has asked for them */
}

static void run(const struct gpu_config *c, struct hand_kernel *kernels, const uint32_t *stream,
                uint32_t n, unsigned mode)
{
    struct gpu_monitor monitor = events_monitor(&events);
    const struct gpu_hooks hooks = { .monitor = &monitor };
    memset(&read_back, 0, sizeof read_back);
    monitor.interval = 1u;
    monitor.sample = read_record;
    struct gpu *const g = open_gpu(c, &hooks, mode);
    for (uint32_t k = 0u; k < n; k++) {
        launch(g, &kernels[k], stream[k]);
    }
    (void)run_to_end(g);
    gpu_close(g);
}

static bool has_event(const struct cta_event *wanted)
{
    for (uint32_t i = 0u; i < read_back.n; i++) {
        const struct cta_event *const e = &read_back.event[i];
        if (e->start == wanted->start && e->kernel == wanted->kernel && e->cta == wanted->cta
            && e->sm == wanted->sm && e->slot == wanted->slot && e->cycle == wanted->cycle) {
            return true;
        }
    }
    return false;
}

static void ctas_are_recorded_in_their_cycles(void **state)
{
    (void)state;
    static const uint32_t streams[] = { 0u, 1u, 0u };
    for (uint32_t block = 1u; block <= 4u; block *= 2u) {
        struct gpu_config c = small_config();
        c.sm.count = 3u;
        c.sm.cta_slots = 5u;
        c.dispatch.block = block;
        c.dispatch.block_all = true;
        FOR_EACH_MODE(mode)
        {
            struct hand_kernel kernels[3] = { chain_kernel(30u, 33u), chain_kernel(30u, 14u),
                                              chain_kernel(30u, 9u) };
            run(&c, kernels, streams, 3u, *mode);
            assert_int_equal(read_back.n, events.n);
            assert_int_equal(events.n, 2u * (33u + 14u + 9u));
            for (uint32_t i = 0u; i < events.n; i++) {
                assert_true(has_event(&events.event[i]));
            }
        }
    }
}

/* One slot, two streams. */
static void kernels_are_recorded_at_each_step(void **state)
{
    (void)state;
    static const uint32_t streams[] = { 0u, 1u, 0u };
    struct gpu_config c = small_config();
    c.sm.count = 2u;
    c.sm.cta_slots = 2u;
    c.dispatch.kernels = 1u;
    FOR_EACH_MODE(mode)
    {
        struct hand_kernel kernels[3] = { chain_kernel(30u, 7u), chain_kernel(30u, 4u),
                                          chain_kernel(30u, 5u) };
        run(&c, kernels, streams, 3u, *mode);
        for (uint32_t k = 0u; k < 3u; k++) {
            const uint64_t *const step = read_back.step[k];
            const uint32_t last = kernels[k].shape.grid[0] - 1u;
            assert_int_equal(step[GPU_KERNEL_LAUNCHED], k == 0u ? 1u : events.ended[k - 1u]);
            assert_int_equal(step[GPU_KERNEL_STARTED], events.started[k]);
            assert_int_equal(step[GPU_KERNEL_EXHAUSTED], start_of_cta(&events, k, last));
            assert_int_equal(step[GPU_KERNEL_ENDED] + 1u, events.ended[k]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ctas_are_recorded_in_their_cycles),
        cmocka_unit_test(kernels_are_recorded_at_each_step),
    };
    return cmocka_run_group_tests_name("gpu_record", tests, NULL, NULL);
}
