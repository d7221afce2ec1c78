/*
 * Tests of the control of SMs before a run and from a sample, and of runs that cannot end:
 * pause, drain and power gating hold from the cycle after the sample; a machine in which
 * nothing moves stops with a report, in the same cycle in every mode; what can never run is
 * refused.
 */

#include "tb/gpu/gpu_events.h"

#include <stdio.h>

static const unsigned modes[] = { 0u, GPU_NAIVE, GPU_FUZZ, GPU_NO_SKIP, GPU_STEP_ALL };
#define FOR_EACH_MODE(mode) \
    for (const unsigned *mode = modes; mode != modes + sizeof modes / sizeof *modes; mode++)

static struct program text;
static struct events events;

static uint64_t start_of(const struct gpu_config *c)
{
    return 1u + c->dispatch.launch_latency + DISPATCH_CYCLES + 1u + c->fetch.latency;
}

static struct hand_kernel chain_kernel(enum op_class op, uint32_t length, uint32_t ctas)
{
    text = (struct program){ .length = 0u };
    emit_chain(&text, op, length, op == OP_LOAD ? 1u : 0u);
    emit_exit(&text);
    return kernel_of(&text, ctas, 1u);
}

/* ---- Things done after given cycles -------------------------------------------------- */

enum action { PAUSE, RESUME, DRAIN, FILL, GATE, WAKE, LOOK };

struct step {
    uint64_t cycle; /* 0: before the run */
    enum action action;
    bool answer; /* that is expected of GATE and LOOK */
};
static struct script {
    const struct step *step; /* of SM 0; by cycle */
    uint32_t n, done;
} script;

static void act(struct gpu *g, const struct step *step)
{
    switch (step->action) {
    case PAUSE:
        gpu_pause(g, 0u);
        break;
    case RESUME:
        gpu_resume(g, 0u);
        break;
    case DRAIN:
    case FILL:
        gpu_drain(g, 0u, step->action == DRAIN);
        break;
    case GATE:
    case WAKE:
        assert_int_equal(gpu_gate(g, 0u, step->action == GATE), step->answer);
        break;
    default:
        assert_int_equal(gpu_paused(g, 0u), step->answer);
    }
}

static void play(void *self, struct gpu *g, uint64_t cycle)
{
    (void)self;
    while (script.done < script.n && script.step[script.done].cycle == cycle) {
        act(g, &script.step[script.done++]);
    }
}

/* Runs a kernel under a script. */
static struct outcome run_script(const struct gpu_config *c, struct hand_kernel *kernel,
                                 const struct step *step, uint32_t n, unsigned mode)
{
    script = (struct script){ step, n, 0u };
    struct gpu_monitor monitor = events_monitor(&events);
    monitor.interval = 1u;
    monitor.sample = play;
    const struct gpu_hooks hooks = { .monitor = &monitor };
    struct gpu *const g = open_gpu(c, &hooks, mode);
    launch(g, kernel, 0u);
    play(NULL, g, 0u);
    const struct gpu_stats *const s = run_to_end(g);
    const struct outcome o = { s->cycles, s->sm[0], s->l2[0], s->dram[0] };
    gpu_close(g);
    assert_int_equal(script.done, n);
    return o;
}

#define STEPS(steps) steps, sizeof(steps) / sizeof *(steps)

/* ---- Pause --------------------------------------------------------------------------- */

static void a_pause_lasts_from_the_cycle_after_it_to_the_resume(void **state)
{
    (void)state;
    const struct gpu_config c = small_config();
    for (uint64_t at = start_of(&c); at < start_of(&c) + 12u; at++) {
        for (uint64_t length = 1u; length < 40u; length += 3u) {
            const struct step steps[] = {
                { at, PAUSE, false },
                { at + length, RESUME, false },
                { at + length, LOOK, false },
            };
            const uint64_t latency = c.integer.latency,
                           issued = (at - start_of(&c)) / latency + 1u;
            const uint64_t ready = start_of(&c) + issued * latency;
            const uint64_t resumed = at + length + 1u;
            const uint64_t again = ready > resumed ? ready : resumed;
            FOR_EACH_MODE(mode)
            {
                struct hand_kernel k = chain_kernel(OP_INTEGER, 50u, 1u);
                const struct outcome o = run_script(&c, &k, STEPS(steps), *mode);
                assert_int_equal(o.sm.paused, length);
                assert_int_equal(o.cycles, again + (50u - issued) * latency);
                assert_int_equal(o.sm.issued, 51u);
            }
        }
    }
}

static void a_pause_is_acknowledged_when_all_in_flight_has_completed(void **state)
{
    (void)state;
    const struct gpu_config c = small_config();
    struct hand_kernel k = chain_kernel(OP_LOAD, 2u, 1u);
    /* Without a pause, to learn when the first answer is there. */
    const uint64_t hop = run_alone(&c, &k).cycles - start_of(&c) - 1u - c.l1.latency;
    const uint64_t back = start_of(&c) + hop;
    const struct step steps[] = {
        { start_of(&c), PAUSE, false }, { start_of(&c), LOOK, false },
        { back - 1u, LOOK, false },     { back, LOOK, true },
        { back + 500u, LOOK, true },    { back + 500u, RESUME, false },
        { back + 500u, LOOK, false },
    };
    FOR_EACH_MODE(mode)
    {
        const struct outcome o = run_script(&c, &k, STEPS(steps), *mode);
        assert_int_equal(o.cycles, back + 500u + 1u + 1u + c.l1.latency);
        assert_int_equal(o.sm.inflight_memory, hop + 1u + c.l1.latency);
    }
}

/* ---- Drain and power gating ---------------------------------------------------------- */

static void a_draining_sm_keeps_its_ctas_and_gets_no_other(void **state)
{
    (void)state;
    struct gpu_config c = small_config();
    c.sm.count = 2u;
    c.sm.cta_slots = 2u;
    const struct step steps[] = { { 140u, DRAIN, false }, { 1000u, FILL, false } };
    FOR_EACH_MODE(mode)
    {
        struct hand_kernel k = chain_kernel(OP_INTEGER, 50u, 40u);
        (void)run_script(&c, &k, STEPS(steps), *mode);
        bool again = false;
        for (uint32_t n = 0u; n < events.n; n++) {
            const struct cta_event *const e = &events.event[n];
            if (e->start && e->sm == 0u) {
                const uint64_t looked = e->cycle - 1u - DISPATCH_CYCLES;
                assert_false(looked > 140u && looked <= 1000u);
                /* The work distributor goes over the pool of its one cluster first. */
                again = again || looked == 1001u + 2u;
            }
        }
        assert_true(again);
    }
}

static void an_sm_is_gated_when_it_drains_and_is_empty_and_wakes_after_its_latency(void **state)
{
    (void)state;
    struct gpu_config c = small_config();
    c.sm.wake_latency = 77u;
    const struct step steps[] = {
        { 0u, GATE, false }, /* it does not drain */
        { 0u, DRAIN, false },  { 0u, GATE, true },     { 0u, GATE, true },
        { 500u, WAKE, true },  { 500u, FILL, false },  { 600u, DRAIN, false },
        { 600u, GATE, false }, /* a CTA is on it */
        { 2000u, GATE, true }, { 2100u, FILL, false }, { 2300u, WAKE, true },
    };
    FOR_EACH_MODE(mode)
    {
        struct hand_kernel k = chain_kernel(OP_INTEGER, 50u, 2u);
        c.sm.cta_slots = 1u;
        const struct outcome o = run_script(&c, &k, STEPS(steps), *mode);
        assert_int_equal(start_of_cta(&events, 0u, 0u), 500u + 1u + 77u + DISPATCH_CYCLES + 1u);
        assert_int_equal(start_of_cta(&events, 0u, 1u),
                         2300u + 1u + 77u + DISPATCH_CYCLES + 1u);
        assert_int_equal(o.sm.gated, 500u + 300u);
    }
}

/* Before the look at its kernel an SM may be gated; then a CTA is on its way to it. */
static void an_sm_to_which_a_cta_is_on_its_way_is_not_gated(void **state)
{
    (void)state;
    const struct gpu_config c = small_config();
    const uint64_t look = 1u + c.dispatch.launch_latency;
    for (uint64_t at = look - 2u; at < look + 6u; at++) {
        const bool free = at < look;
        const struct step steps[] = { { at, DRAIN, false },
                                      { at, GATE, free },
                                      { 2000u, WAKE, true },
                                      { 2000u, FILL, false } };
        FOR_EACH_MODE(mode)
        {
            struct hand_kernel k = chain_kernel(OP_INTEGER, 2000u, 1u);
            (void)run_script(&c, &k, STEPS(steps), *mode);
            assert_int_equal(start_of_cta(&events, 0u, 0u) == look + DISPATCH_CYCLES + 1u,
                             !free);
        }
    }
}

/* A gated SM has lost its lines: a load that would hit misses. */
static void an_sm_that_was_gated_has_empty_caches(void **state)
{
    (void)state;
    struct gpu_config c = small_config();
    c.sm.cta_slots = 1u;
    const struct step drained[] = { { 60u, DRAIN, false }, { 2000u, FILL, false } };
    const struct step gated[] = { { 60u, DRAIN, false },
                                  { 1900u, GATE, true },
                                  { 1950u, WAKE, true },
                                  { 2000u, FILL, false } };
    struct hand_kernel k = chain_kernel(OP_LOAD, 1u, 2u);
    assert_int_equal(run_script(&c, &k, STEPS(drained), 0u).sm.l1_miss, 1u);
    assert_int_equal(run_script(&c, &k, STEPS(gated), 0u).sm.l1_miss, 2u);
}

/* ---- Samples ------------------------------------------------------------------------- */

static uint64_t sampled;
static void count_samples(void *self, struct gpu *g, uint64_t cycle)
{
    (void)self;
    assert_int_equal(cycle, ++sampled * 3u);
    assert_int_equal(gpu_cycle(g), cycle);
}

static void samples_are_taken_after_every_multiple_of_their_interval(void **state)
{
    (void)state;
    struct gpu_config c = small_config();
    c.dispatch.launch_latency = 1000u;
    FOR_EACH_MODE(mode)
    {
        const struct gpu_monitor monitor = { .interval = 3u, .sample = count_samples };
        const struct gpu_hooks hooks = { .monitor = &monitor };
        struct gpu *const g = open_gpu(&c, &hooks, *mode);
        struct hand_kernel k = chain_kernel(OP_LOAD, 50u, 3u);
        sampled = 0u;
        launch(g, &k, 0u);
        assert_int_equal(sampled, run_to_end(g)->cycles / 3u);
        gpu_close(g);
    }
}

/* ---- Runs that cannot end ------------------------------------------------------------ */

enum hold { HOLD_PAUSE, HOLD_LIMIT };

/* Runs into the watchdog; the message must hold each of the words. */
static void check_hang(enum hold hold, uint64_t cycles, const char *const *words)
{
    struct gpu_config c = small_config();
    c.sm.count = 2u;
    c.dispatch.launch_latency = 50u;
    c.limit.watchdog = 1234u;
    FOR_EACH_MODE(mode)
    {
        struct gpu *const g = open_gpu(&c, NULL, *mode);
        struct hand_kernel k = chain_kernel(OP_INTEGER, 5u, 3u);
        launch(g, &k, 0u);
        for (uint32_t sm = 0u; hold == HOLD_PAUSE && sm < 2u; sm++) {
            gpu_pause(g, sm);
        }
        if (hold == HOLD_LIMIT) {
            gpu_allow(g, 0u, (struct bits){ { 0u } });
        }
        assert_int_equal(gpu_run(g), GPU_HUNG);
        assert_int_equal(gpu_cycle(g), cycles);
        for (const char *const *word = words; *word != NULL; word++) {
            if (strstr(fault_text(gpu_fault(g)), *word) == NULL) {
                fail_msg("\"%s\" is not in: %s", *word, fault_text(gpu_fault(g)));
            }
        }
        gpu_close(g);
        assert_int_equal(k.freed, k.opened);
        assert_int_equal(k.closed, 1u);
    }
}

static void a_limiter_that_refuses_all_is_found_and_named(void **state)
{
    (void)state;
    static const char *const words[] = { "hand", "0 of 3 CTAs", "limiter", "1234", NULL };
    /* The last step forward is the kernel's start, in cycle 51. */
    check_hang(HOLD_LIMIT, 51u + 1234u, words);
}

static void sms_that_stay_paused_are_found_and_named(void **state)
{
    (void)state;
    static const char *const words[] = { "SM 0", "SM 1", "paused", NULL };
    /* The last step forward is the dispatch of the third CTA, to the SM of the first: it is
     * looked at again when that has gone out. */
    check_hang(HOLD_PAUSE, 51u + 2u * (DISPATCH_CYCLES + 1u) - 1u + 1234u, words);
}

static bool illegal_open(void *self, uint32_t cta, struct warp_stream *warp, void **handle,
                         struct fault *fault)
{
    (void)self;
    (void)warp;
    (void)handle;
    if (cta == 0u) {
        return hand_open(self, cta, warp, handle, fault);
    }
    return fault_set(fault, "CTA %" PRIu32 " divides by zero", cta);
}

static void an_illegal_kernel_stops_the_run_with_its_message(void **state)
{
    (void)state;
    const struct gpu_config c = small_config();
    FOR_EACH_MODE(mode)
    {
        struct gpu *const g = open_gpu(&c, NULL, *mode);
        struct hand_kernel k = chain_kernel(OP_INTEGER, 1u, 3u);
        struct kernel_source source = source_of(&k);
        source.open_cta = illegal_open;
        struct fault fault;
        assert_true(gpu_launch(g, &source, 0u, &fault));
        assert_int_equal(gpu_run(g), GPU_ILLEGAL);
        assert_string_equal(fault_text(gpu_fault(g)), "CTA 1 divides by zero");
        gpu_close(g); /* which gives back what is open */
        assert_int_equal(k.freed, 1u);
        assert_int_equal(k.closed, 1u);
    }
}

/* ---- Kernels that can never run ------------------------------------------------------ */

static void check_refused(void (*spoil)(struct kernel_shape *, const struct gpu_config *),
                          const char *word)
{
    const struct gpu_config c = small_config();
    struct gpu *const g = open_gpu(&c, NULL, 0u);
    struct hand_kernel k = chain_kernel(OP_INTEGER, 1u, 1u);
    struct fault fault;
    spoil(&k.shape, &c);
    const struct kernel_source source = source_of(&k);
    assert_false(gpu_launch(g, &source, 0u, &fault));
    if (strstr(fault_text(&fault), word) == NULL
        || strstr(fault_text(&fault), "hand") == NULL) {
        fail_msg("\"%s\" or the kernel is not in: %s", word, fault_text(&fault));
    }
    /* Nothing is left of it. */
    assert_int_equal(gpu_run(g), GPU_DONE);
    assert_int_equal(gpu_stats(g)->n_kernel, 0u);
    gpu_close(g);
}
static void spoil_threads(struct kernel_shape *s, const struct gpu_config *c)
{
    s->block[1] = c->sm.threads / 32u + 1u;
}
static void spoil_warps(struct kernel_shape *s, const struct gpu_config *c)
{
    s->block[0] = s->block[1] = s->block[2] = UINT32_MAX;
    (void)c;
}
static void spoil_registers(struct kernel_shape *s, const struct gpu_config *c)
{
    s->registers = c->sm.registers / 32u + 1u;
}
static void spoil_shared(struct kernel_shape *s, const struct gpu_config *c)
{
    s->shared_bytes = c->sm.shared_bytes + 1u;
}
static void spoil_grid(struct kernel_shape *s, const struct gpu_config *c)
{
    (void)c;
    s->grid[2] = 0u;
}
static void spoil_ctas(struct kernel_shape *s, const struct gpu_config *c)
{
    (void)c;
    s->grid[0] = s->grid[1] = 65536u;
}

static void a_kernel_that_fits_no_sm_is_refused_at_launch(void **state)
{
    (void)state;
    check_refused(spoil_threads, "threads");
    check_refused(spoil_warps, "threads");
    check_refused(spoil_registers, "registers");
    check_refused(spoil_shared, "shared memory");
    check_refused(spoil_grid, "grid");
    check_refused(spoil_ctas, "2^20");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pause_lasts_from_the_cycle_after_it_to_the_resume),
        cmocka_unit_test(a_pause_is_acknowledged_when_all_in_flight_has_completed),
        cmocka_unit_test(a_draining_sm_keeps_its_ctas_and_gets_no_other),
        cmocka_unit_test(
            an_sm_is_gated_when_it_drains_and_is_empty_and_wakes_after_its_latency),
        cmocka_unit_test(an_sm_to_which_a_cta_is_on_its_way_is_not_gated),
        cmocka_unit_test(an_sm_that_was_gated_has_empty_caches),
        cmocka_unit_test(samples_are_taken_after_every_multiple_of_their_interval),
        cmocka_unit_test(a_limiter_that_refuses_all_is_found_and_named),
        cmocka_unit_test(sms_that_stay_paused_are_found_and_named),
        cmocka_unit_test(an_illegal_kernel_stops_the_run_with_its_message),
        cmocka_unit_test(a_kernel_that_fits_no_sm_is_refused_at_launch),
    };
    return cmocka_run_group_tests_name("gpu_control", tests, NULL, NULL);
}
