/*
 * Tests of the time that launches take of the work distributor: hidden by the launch latency,
 * partly hidden or not at all; beside the dispatches of another kernel; when the set of SMs
 * changes; and of the path to the SMs, which may be busy.
 *
 * A kernel whose launch begins in cycle t is looked at from t + max(latency, launch) on. Its
 * first CTA goes out DISPATCH_CYCLES later, and is on its SM one cycle after that. With CTA
 * numbers of 20 bits, the unit's launch takes 12 cycles and one per cluster; with credits and
 * pools of which one is divided, 23 cycles and two per pool.
 */

#include "tb/gpu/gpu_events.h"

static const unsigned modes[] = { 0u, GPU_NAIVE, GPU_FUZZ };
#define FOR_EACH_MODE(mode) \
    for (const unsigned *mode = modes; mode != modes + sizeof modes / sizeof *modes; mode++)

static struct program text;
static struct events events;

/* Two SMs per cluster; with credits, a pool for each cluster. */
static struct gpu_config machine(uint32_t clusters, bool credits, uint32_t latency)
{
    struct gpu_config c = small_config();
    c.sm.count = 2u * clusters;
    c.cluster.count = clusters;
    c.dispatch.launch_latency = latency;
    c.dispatch.policy = credits ? DISPATCH_DISTRIBUTED : DISPATCH_GLOBAL_RR;
    c.claso.active_levels = credits ? 2u : 0u;
    return c;
}

/* The scheduler divides two bits a cycle. So do the credits, unless there is one pool: then
 * one. */
static uint64_t launch_time(const struct gpu_config *c)
{
    const uint32_t divide = (c->dispatch.cta_bits + 1u) / 2u;
    const uint32_t clusters = c->cluster.count;
    const uint32_t credits = clusters > 1u ? divide : c->dispatch.cta_bits;

    return c->claso.active_levels != 0u ? divide + credits + 3u + 2u * clusters
                                        : divide + 2u + clusters;
}

/* Of a kernel that keeps its slot, without credits: nothing is divided, the pools come at once.
 */
static uint64_t keep_time(const struct gpu_config *c)
{
    return 1u + c->cluster.count;
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static struct hand_kernel chain_kernel(uint32_t length, uint32_t ctas)
{
    text = (struct program){ .length = 0u };
    emit_chain(&text, OP_INTEGER, length, 0u);
    emit_exit(&text);
    return kernel_of(&text, ctas, 1u);
}

/* Runs kernels, kernel k in stream[k], and records events. sample, if there is one, is called
 * after every cycle. */
static void run(const struct gpu_config *c, struct hand_kernel *kernels, const uint32_t *stream,
                uint32_t n, unsigned mode, void (*sample)(void *, struct gpu *, uint64_t))
{
    struct gpu_monitor monitor = events_monitor(&events);
    const struct gpu_hooks hooks = { .monitor = &monitor };
    monitor.interval = 1u;
    monitor.sample = sample;
    struct gpu *const g = open_gpu(c, &hooks, mode);
    for (uint32_t k = 0u; k < n; k++) {
        launch(g, &kernels[k], stream[k]);
    }
    if (sample != NULL) {
        sample(NULL, g, 0u);
    }
    (void)run_to_end(g);
    gpu_close(g);
}

/* The cycle in which a CTA went out, and that in which its kernel was looked at for it. */
static uint64_t out(uint32_t kernel, uint32_t cta)
{
    return start_of_cta(&events, kernel, cta) - 1u;
}

static uint64_t looked(uint32_t kernel, uint32_t cta)
{
    return out(kernel, cta) - DISPATCH_CYCLES;
}

/* ---- The latency hides the launch ---------------------------------------------------- */

static void a_launch_costs_what_its_latency_does_not_hide(void **state)
{
    (void)state;
    for (uint32_t row = 0u; row < 6u; row++) {
        const uint32_t clusters = 1u << row / 2u;
        struct gpu_config c = machine(clusters, row % 2u != 0u, 0u);
        const uint32_t time = (uint32_t)launch_time(&c);
        const uint32_t latencies[] = { 0u, 1u, time / 2u, time - 1u, time, time + 1u, 300u };
        for (uint32_t i = 0u; i < 7u; i++) {
            FOR_EACH_MODE(mode)
            {
                struct hand_kernel kernels[2] = { chain_kernel(20u, 3u * clusters),
                                                  chain_kernel(20u, 5u * clusters) };
                const uint32_t streams[] = { 0u, 0u };
                c.dispatch.launch_latency = latencies[i];
                run(&c, kernels, streams, 2u, *mode, NULL);
                assert_int_equal(events.started[0], 1u + latencies[i]);
                assert_int_equal(looked(0u, 0u), 1u + later(latencies[i], time));
                assert_int_equal(events.started[1], events.ended[0] + latencies[i]);
                assert_int_equal(looked(1u, 0u), events.ended[0] + later(latencies[i], time));
            }
        }
    }
}

/* One slot: kernel 0, then kernel 1 of the other stream, which has waited, then kernel 2, whose
 * launch begins with the end of kernel 0. */
static void a_launch_begins_when_there_is_a_slot(void **state)
{
    (void)state;
    static const uint32_t streams[] = { 0u, 1u, 0u };
    uint32_t hidden = 0u, partly = 0u;
    for (uint32_t latency = 0u; latency < 500u; latency += 9u) {
        struct gpu_config c = machine(2u, latency % 2u != 0u, latency);
        const uint64_t time = launch_time(&c);
        c.dispatch.kernels = 1u;
        FOR_EACH_MODE(mode)
        {
            /* No pool has as many CTAs as another's, or one less. */
            struct hand_kernel kernels[3] = { chain_kernel(20u, 2u), chain_kernel(20u, 6u),
                                              chain_kernel(20u, 10u) };
            run(&c, kernels, streams, 3u, *mode, NULL);
            const uint64_t over = events.ended[0] + latency;
            const uint64_t ready = events.ended[1] + time;
            assert_int_equal(looked(0u, 0u), 1u + later(latency, time));
            assert_int_equal(events.started[1], events.ended[0]);
            assert_int_equal(looked(1u, 0u), events.ended[0] + time);
            assert_int_equal(events.started[2], later(over, events.ended[1]));
            assert_int_equal(looked(2u, 0u), later(over, ready));
            hidden += over >= ready;
            partly += over > events.ended[1] && over < ready;
        }
    }
    assert_true(hidden > 0u && partly > 0u);
}

/* The latency of kernel 2 is over in any cycle around the end of kernel 1, of the other stream.
 */
static void another_kernels_end_delays_no_start(void **state)
{
    (void)state;
    static const uint32_t streams[] = { 0u, 1u, 0u };
    uint32_t together = 0u;
    for (uint32_t latency = 100u; latency < 400u; latency++) {
        const struct gpu_config c = machine(1u, false, latency);
        struct hand_kernel kernels[3] = { chain_kernel(20u, 2u), chain_kernel(20u, 16u),
                                          chain_kernel(20u, 2u) };
        run(&c, kernels, streams, 3u, modes[latency % 3u], NULL);
        assert_int_equal(events.started[2], events.ended[0] + latency);
        together += events.ended[1] == events.started[2];
    }
    assert_true(together > 0u);
}

/* ---- Other slots --------------------------------------------------------------------- */

static void a_kernel_gets_ctas_while_another_is_launched(void **state)
{
    (void)state;
    static const uint32_t streams[] = { 0u, 1u };
    enum { CTAS = 12 }; /* the last is out when the unit has launched the other kernel */
    FOR_EACH_MODE(mode)
    {
        const struct gpu_config c = machine(2u, false, 0u);
        const uint64_t time = launch_time(&c);
        struct hand_kernel kernels[2] = { chain_kernel(300u, CTAS), chain_kernel(10u, 3u) };
        run(&c, kernels, streams, 2u, *mode, NULL);
        for (uint32_t cta = 0u; cta < CTAS; cta++) {
            assert_int_equal(looked(0u, cta), 1u + time + cta);
        }
        /* The unit takes the second launch when it has done with the first. Contexts are
         * counted for it from the cycle after the last dispatch on, beside an SM's CTAs (rule
         * */
        assert_true(looked(1u, 0u) > 1u + 2u * time);
        assert_int_equal(looked(1u, 0u),
                         looked(0u, CTAS - 1u) + 3u + 3u + CTAS / c.sm.count + 1u);
        assert_true(out(0u, CTAS - 1u) < out(1u, 0u) && out(1u, 2u) < events.ended[0]);
    }
}

/* ---- The set of SMs changes ---------------------------------------------------------- */

enum { CHANGE = 700, GRID = 120 };

static uint64_t second_change;

static void drain_some(void *self, struct gpu *g, uint64_t cycle)
{
    (void)self;
    if (cycle == CHANGE) {
        gpu_drain(g, 2u, true);
    }
    if (cycle == second_change) {
        gpu_drain(g, 5u, true);
    }
    if (second_change != UINT64_MAX && cycle == second_change + 1u) {
        gpu_drain(g, 7u, true);
    }
}

/* Cycles without a CTA going out, from `from` on. */
static uint64_t gap(uint64_t from)
{
    uint64_t next = UINT64_MAX;
    for (uint32_t cta = 0u; cta < GRID; cta++) {
        next = out(0u, cta) >= from && out(0u, cta) < next ? out(0u, cta) : next;
    }
    return next - from;
}

/* Cycles from the change in which a kernel with credits gets no CTA: with every pool known to
 * CLASO, or none. */
static void check_gap_of_credits(const struct gpu_config *c, uint64_t from)
{
    const uint64_t divide = (c->dispatch.cta_bits + 1u) / 2u;
    const uint64_t pools = c->cluster.count;

    assert_in_range(gap(from), 2u * pools + 1u + DISPATCH_CYCLES,
                    (3u + divide) * pools + 1u + DISPATCH_CYCLES);
}

/* There is room for all of the grid. The kernel's CTAs go out one per cycle, but for those in
 * which the unit changes its SMs; another kernel does not go ahead of it then. A CTA that was
 * picked in the cycle of the launch is withdrawn. */
static void a_change_of_the_sms_costs_the_kernel_its_pools(void **state)
{
    (void)state;
    static const uint32_t streams[] = { 0u, 1u };
    second_change = UINT64_MAX;
    for (uint32_t row = 0u; row < 2u; row++) {
        struct gpu_config c = machine(4u, row == 1u, CHANGE - 20u);
        c.claso.loose_levels = 15u;
        FOR_EACH_MODE(mode)
        {
            struct hand_kernel kernels[2] = { chain_kernel(400u, GRID), chain_kernel(10u, 2u) };
            run(&c, kernels, streams, 2u, *mode, drain_some);
            assert_int_equal(gap(CHANGE), 0u);
            assert_int_equal(gap(CHANGE + 1u), 0u); /* the unit takes the launch */
            if (row == 0u) {
                const uint64_t each = keep_time(&c) - 1u + DISPATCH_CYCLES;
                assert_int_equal(gap(CHANGE + 2u), each);
                assert_int_equal(gap(CHANGE + 2u + each), 0u);
            } else {
                check_gap_of_credits(&c, CHANGE + 2u);
            }
            assert_true(out(1u, 0u) > out(0u, GRID - 1u));
            assert_true(out(1u, 0u) < events.ended[0]);
        }
    }
}

/* The unit takes the second change when it has passed on the pools of the first, and with it
 * the third. It has only looked by then: no CTA goes out in between. */
static void further_changes_of_the_sms_wait_for_the_first_and_are_one(void **state)
{
    (void)state;
    second_change = CHANGE + 2u;
    for (uint32_t row = 0u; row < 2u; row++) {
        struct gpu_config c = machine(4u, row == 1u, CHANGE - 20u);
        const uint64_t first = CHANGE + 2u;
        c.claso.loose_levels = 15u;
        FOR_EACH_MODE(mode)
        {
            struct hand_kernel kernel = chain_kernel(400u, GRID);
            run(&c, &kernel, (const uint32_t[]){ 0u }, 1u, *mode, drain_some);
            if (row == 0u) {
                const uint64_t both = 2u * keep_time(&c) - 1u + DISPATCH_CYCLES;
                assert_int_equal(gap(first), both);
                assert_int_equal(gap(first + both), 0u);
            } else {
                assert_true(gap(first) > 2u * keep_time(&c) - 1u + DISPATCH_CYCLES);
            }
        }
    }
}

static void drain_one(void *self, struct gpu *g, uint64_t cycle)
{
    (void)self;
    if (cycle == 25u) {
        gpu_drain(g, 7u, true);
    }
}

/* Kernel 0 issues its last CTA and ends while its change waits for the launch of kernel 1. The
 * unit is then asked for the change of kernel 1, and for the launch of kernel 2. */
static void a_change_for_a_kernel_without_ctas_left_is_not_asked_for(void **state)
{
    (void)state;
    static const uint32_t streams[] = { 0u, 1u, 0u };
    FOR_EACH_MODE(mode)
    {
        struct gpu_config c = machine(4u, false, 0u);
        c.dispatch.cta_bits = 32u; /* so that a launch takes longer than kernel 0 */
        const uint64_t time = launch_time(&c);
        struct hand_kernel kernels[3] = { chain_kernel(1u, 6u), chain_kernel(1u, 4u),
                                          chain_kernel(1u, 1u) };
        run(&c, kernels, streams, 3u, *mode, drain_one);
        assert_int_equal(looked(0u, 5u), 1u + time + 5u);
        assert_true(out(0u, 5u) > 26u && events.ended[0] < 1u + 2u * time);
        assert_int_equal(looked(1u, 0u), 1u + 2u * time + keep_time(&c));
        assert_int_equal(looked(2u, 0u), 1u + 3u * time + keep_time(&c));
    }
}

static void only_from_cycle_500(void *self, struct gpu *g, uint64_t cycle)
{
    (void)self;
    for (uint32_t sm = 0u; sm < 4u && (cycle == 0u || cycle == 500u); sm++) {
        gpu_drain(g, sm, cycle == 0u || sm == 3u);
    }
}

static void a_launch_waits_until_an_sm_takes_ctas(void **state)
{
    (void)state;
    static const uint32_t streams[] = { 0u, 1u };
    FOR_EACH_MODE(mode)
    {
        const struct gpu_config c = machine(2u, false, 0u);
        struct hand_kernel kernels[2] = { chain_kernel(20u, 6u), chain_kernel(20u, 1u) };
        run(&c, kernels, streams, 2u, *mode, only_from_cycle_500);
        assert_int_equal(looked(0u, 0u), 501u + launch_time(&c));
        assert_int_equal(looked(1u, 0u), 501u + 2u * launch_time(&c));
    }
}

/* ---- Watchdog ------------------------------------------------------------------------ */

/* Every second cluster has one SM: CLASO divides for each pool anew. */
static void drain_every_fourth(void *self, struct gpu *g, uint64_t cycle)
{
    (void)self;
    for (uint32_t sm = 0u; sm < 128u && cycle == 0u; sm += 4u) {
        gpu_drain(g, sm, true);
    }
}

static void a_launch_longer_than_the_watchdog_is_no_hang(void **state)
{
    (void)state;
    struct gpu_config c = machine(64u, true, 0u);
    c.limit.watchdog = 1000u;
    c.dispatch.cta_bits = 32u;
    FOR_EACH_MODE(mode)
    {
        struct hand_kernel kernel = chain_kernel(5u, 64u);
        run(&c, &kernel, (const uint32_t[]){ 0u }, 1u, *mode, drain_every_fourth);
        assert_int_equal(looked(0u, 0u), 1u + 2u * (2u + 16u) + 63u * (3u + 16u) + 1u);
    }
}

/* ---- The path to the SMs ------------------------------------------------------------- */

static void a_block_keeps_the_path_to_the_sms_busy(void **state)
{
    (void)state;
    for (uint32_t row = 0u; row < 15u; row++) {
        struct gpu_config c = machine(2u, false, 40u);
        const uint32_t block = 1u << row % 3u, interval = row / 3u;
        const uint64_t each = later(1u, (uint64_t)block * interval);
        c.dispatch.block = block;
        c.dispatch.block_all = true;
        c.dispatch.cta_interval = interval;
        FOR_EACH_MODE(mode)
        {
            struct hand_kernel kernel = chain_kernel(400u, 30u);
            run(&c, &kernel, (const uint32_t[]){ 0u }, 1u, *mode, NULL);
            for (uint32_t cta = 0u; cta < 30u; cta++) {
                assert_int_equal(looked(0u, cta), 41u + cta / block * each);
            }
        }
    }
}

/* Of both kernels of a stream, in every mode the same; each launch by a number of its own. */
static void jitter_delays_a_launch_by_up_to_so_many_cycles(void **state)
{
    bool seen[4] = { false };
    bool differ = false;

    (void)state;
    for (uint32_t seed = 0u; seed < 20u; seed++) {
        uint64_t first[2] = { UINT64_MAX, UINT64_MAX };
        FOR_EACH_MODE(mode)
        {
            struct gpu_config c = machine(2u, false, 300u);
            struct hand_kernel kernels[2] = { chain_kernel(20u, 6u), chain_kernel(20u, 6u) };
            c.jitter.seed = seed;
            c.jitter.launch = 3u;
            run(&c, kernels, (const uint32_t[]){ 0u, 0u }, 2u, *mode, NULL);
            const uint64_t late[2] = { looked(0u, 0u) - 301u,
                                       looked(1u, 0u) - events.ended[0] - 300u };
            for (uint32_t k = 0u; k < 2u; k++) {
                assert_true(late[k] <= (seed == 0u ? 0u : 3u));
                assert_true(first[k] == UINT64_MAX || first[k] == late[k]);
                first[k] = late[k];
                seen[late[k]] = true;
            }
        }
        differ = differ || first[0] != first[1];
    }
    assert_true(differ && seen[0] && seen[1] && seen[2] && seen[3]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_launch_costs_what_its_latency_does_not_hide),
        cmocka_unit_test(another_kernels_end_delays_no_start),
        cmocka_unit_test(a_launch_begins_when_there_is_a_slot),
        cmocka_unit_test(a_kernel_gets_ctas_while_another_is_launched),
        cmocka_unit_test(a_change_of_the_sms_costs_the_kernel_its_pools),
        cmocka_unit_test(further_changes_of_the_sms_wait_for_the_first_and_are_one),
        cmocka_unit_test(a_change_for_a_kernel_without_ctas_left_is_not_asked_for),
        cmocka_unit_test(a_launch_waits_until_an_sm_takes_ctas),
        cmocka_unit_test(a_launch_longer_than_the_watchdog_is_no_hang),
        cmocka_unit_test(a_block_keeps_the_path_to_the_sms_busy),
        cmocka_unit_test(jitter_delays_a_launch_by_up_to_so_many_cycles),
    };
    return cmocka_run_group_tests_name("gpu_launch", tests, NULL, NULL);
}
