/*
 * Tests of sockets: what who watches a unit is shown, what a unit finds in the record at its
 * place in the cycle, and that an answer that stops the run is not acted on.
 */

#include "tb/gpu/gpu_kernel.h"
#include "tb/gpu/gpu_watch.h"

#include "gpu/machine.h"

static const unsigned modes[] = { 0u, GPU_NAIVE, GPU_FUZZ };
#define FOR_EACH_MODE(mode) \
    for (const unsigned *mode = modes; mode != modes + sizeof modes / sizeof *modes; mode++)

static struct program text;

static uint32_t own_line(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    (void)k;
    (void)i;
    return ACCESS(2u * cta + warp, 15u);
}

static struct hand_kernel load_kernel(uint32_t ctas)
{
    text = (struct program){ .length = 0u };
    emit_chain(&text, OP_INTEGER, 9u, 0u);
    (void)emit(&text, OP_LOAD, 1u, REGISTER_NONE, 1u);
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, ctas, 2u);
    k.access = own_line;
    return k;
}

static struct gpu_config machine(void)
{
    struct gpu_config c = small_config();
    c.sm.count = 4u;
    c.cluster.count = 2u;
    c.sm.cta_slots = 2u;
    c.sm.monitor = true;
    c.icc.entries = 4u;
    c.icc.lines = 2u;
    return c;
}

/* Runs two kernels of different streams with a unit that is watched. */
static enum gpu_end run(struct gpu_watch *watch, struct gpu **shown, unsigned mode)
{
    const struct gpu_config c = machine();
    const struct gpu_peer peer = gpu_watch_peer(watch);
    const struct gpu_hooks hooks = { .peer = &peer };
    struct gpu *const g = open_gpu(&c, &hooks, mode);
    struct hand_kernel kernels[2] = { load_kernel(21u), load_kernel(10u) };
    *shown = g;
    for (uint32_t k = 0u; k < 2u; k++) {
        launch(g, &kernels[k], k);
    }
    const enum gpu_end end = gpu_run(g);
    gpu_close(g);
    return end;
}

/* ---- Answers that stop the run ------------------------------------------------------- */

/* The cycle, of those that are shown, in which the answer is wrong; how many were shown. */
static struct {
    uint32_t wrong, n;
} stop;
static struct gpu *shown;

static bool all_ones(void *seat, const void *unit, const void *in, void *out, const void *next,
                     uint64_t gpu_cycle)
{
    (void)seat;
    (void)unit;
    (void)in;
    (void)next;
    (void)gpu_cycle;
    if (stop.n++ != stop.wrong) {
        return true;
    }
    if (shown->sockets.work_distributor->base.seat != NULL) {
        memset(out, 0xff, sizeof(struct work_distributor_out));
    } else {
        memset(out, 0xff, sizeof(struct cluster_port_out));
    }
    return false;
}

static void a_wrong_answer_does_nothing_in_the_machine(void **state)
{
    (void)state;
    static const enum gpu_socket sockets[] = { SOCKET_work_distributor, SOCKET_cluster_port };
    for (uint32_t s = 0u; s < 2u; s++) {
        for (uint32_t at = 0u; at < 40u; at++) {
            FOR_EACH_MODE(mode)
            {
                struct gpu_watch watch = { .socket = sockets[s], .evaluated = all_ones };
                stop.wrong = at;
                stop.n = 0u;
                assert_int_equal(run(&watch, &shown, *mode), GPU_STOPPED);
                /* The other port of the cycle may be shown after it. */
                assert_in_range(stop.n, at + 1u, at + 2u);
            }
        }
    }
}

/* ---- What a unit is shown ------------------------------------------------------------ */

static struct {
    struct sm_monitor twin;
    struct sm_monitor_in last; /* inputs, and the cycle in which they were shown */
    uint64_t last_cycle;
    uint32_t step[GPU_KERNEL_STEPS], started, ended, cycles;
} seen;

static void begin_twin(uint64_t gpu_cycle)
{
    const struct gpu_config c = machine();
    const struct gpu_unit monitor = { &sm_monitor_type, SOCKET_sm_monitor, GPU_WHOLE };
    struct sm_monitor_config config;

    assert_true(gpu_unit_parameters(&monitor, &c, &config));
    assert_int_equal(sm_monitor_init(&seen.twin, &config), sm_monitor_ok);
    seen.last_cycle = gpu_cycle - 1u;
}

static const struct sm_counter_state nothing;

/* A monitor of one's own, with the inputs that are shown alone, has the same counts. */
static bool follow(void *seat, const void *unit, const void *in, void *out, const void *next,
                   uint64_t gpu_cycle)
{
    static struct sm_monitor_next twin_next;
    static struct sm_monitor_out twin_out;
    const struct gpu_record *const r = gpu_record(shown);

    (void)seat;
    (void)unit;
    (void)next;
    if (seen.cycles++ == 0u) {
        begin_twin(gpu_cycle);
    }
    /* Those that were left out have the inputs of the last one. */
    while (++seen.last_cycle < gpu_cycle) {
        sm_monitor_eval(&seen.twin, &seen.last, &twin_out, &twin_next);
        sm_monitor_tick(&seen.twin, &twin_next);
    }
    memcpy(&seen.last, in, sizeof seen.last);
    sm_monitor_eval(&seen.twin, in, &twin_out, &twin_next);
    if (out != NULL) {
        assert_memory_equal(&twin_out, out, sizeof twin_out);
    } else {
        const struct sm_counter *const one = shown->sockets.sm_monitor->unit.counter;
        assert_memory_equal(&one->q, &nothing, sizeof nothing);
    }
    sm_monitor_tick(&seen.twin, &twin_next);
    for (uint32_t i = 0u; i < r->n_kernel; i++) {
        seen.step[r->kernel[i].step]++;
    }
    seen.started += r->n_started;
    seen.ended += r->n_ended;
    return true;
}

static void each_cycle_that_changes_a_unit_is_shown_with_all_events_of_it(void **state)
{
    (void)state;
    FOR_EACH_MODE(mode)
    {
        struct gpu_watch watch = { .socket = SOCKET_sm_monitor, .evaluated = follow };
        memset(&seen, 0, sizeof seen);
        assert_int_equal(run(&watch, &shown, *mode), GPU_DONE);
        for (uint32_t step = 0u; step < GPU_KERNEL_STEPS; step++) {
            assert_int_equal(seen.step[step], 2u);
        }
        assert_int_equal(seen.started, 31u);
        assert_int_equal(seen.ended, 31u);
    }
}

/* Who follows a unit is not shown the cycles of a counter that goes on counting the same. */
static void a_unit_that_is_followed_is_shown_fewer_cycles(void **state)
{
    uint32_t shown_to[2] = { 0u, 0u };

    (void)state;
    for (uint32_t follows = 0u; follows < 2u; follows++) {
        struct gpu_watch watch = { .socket = SOCKET_sm_monitor,
                                   .evaluated = follow,
                                   .follows = follows != 0u };
        FOR_EACH_MODE(mode)
        {
            memset(&seen, 0, sizeof seen);
            assert_int_equal(run(&watch, &shown, *mode), GPU_DONE);
            assert_int_equal(seen.started, 31u);
            assert_int_equal(seen.ended, 31u);
            shown_to[follows] += seen.cycles;
        }
    }
    assert_true(shown_to[1] < shown_to[0]);
}

/* The machine has no counts then; those of who watches are the same as beside it. */
static void an_observer_that_is_evaluated_elsewhere_counts_the_same(void **state)
{
    (void)state;
    FOR_EACH_MODE(mode)
    {
        struct gpu_watch watch = { .socket = SOCKET_sm_monitor,
                                   .evaluated = follow,
                                   .follows = true };
        memset(&seen, 0, sizeof seen);
        assert_int_equal(run(&watch, &shown, *mode), GPU_DONE);
        const struct sm_monitor beside = seen.twin;
        watch.evaluates = true;
        memset(&seen, 0, sizeof seen);
        assert_int_equal(run(&watch, &shown, *mode), GPU_DONE);
        assert_memory_equal(&seen.twin, &beside, sizeof beside);
        assert_memory_not_equal(&beside.counter[0].q, &nothing, sizeof nothing);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_answer_does_nothing_in_the_machine),
        cmocka_unit_test(each_cycle_that_changes_a_unit_is_shown_with_all_events_of_it),
        cmocka_unit_test(a_unit_that_is_followed_is_shown_fewer_cycles),
        cmocka_unit_test(an_observer_that_is_evaluated_elsewhere_counts_the_same),
    };
    return cmocka_run_group_tests_name("gpu_socket", tests, NULL, NULL);
}
