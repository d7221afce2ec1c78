/*
 * Tests of DYNCTA in the running GPU: the limit is kept in every cycle, its counts are what the
 * machine counts in another place, it follows what a kernel does, and all ways to run come to
 * the same walk.
 */

#include "gpu_throttle.h"

enum { SMS = 3, MOST = 4, KERNELS = 4, CYCLES = 1 << 20 };

static struct gpu_config config_of(void)
{
    struct gpu_config c = small_config();

    c.sm.count = SMS;
    c.sm.cta_slots = MOST;
    c.warp.schedulers = 2u;
    c.dyncta.on = true;
    c.dyncta.period = 100u;
    c.dyncta.t_idle = 40u;
    c.dyncta.t_mem_low = 60u;
    c.dyncta.t_mem_high = 120u;
    return c;
}

/* ---- Who looks at each cycle --------------------------------------------------------- */

struct look {
    struct gpu *gpu;
    struct log *log;                  /* of limits that change; NULL: none */
    bool counts;                      /* they are compared with the statistics */
    uint32_t block;                   /* CTAs that may go to an empty SM together */
    uint32_t limit[SMS], before[SMS]; /* of the last cycle, and the one before it */
    uint32_t most[SMS];               /* CTAs at once, of a kernel */
    uint32_t held;                    /* CTAs that came to an SM with as many as its limit */
    uint64_t checked;                 /* counts of a period */
};

static uint32_t limit_of(const struct gpu *g, uint32_t sm)
{
    return g->limits.of[SOCKET_dyncta][sm];
}

static void cta_started(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                        uint64_t cycle)
{
    struct look *const look = self;
    struct gpu *const g = look->gpu;
    const uint32_t has = (uint32_t)__builtin_popcount(g->sm[sm]->cta_used);

    (void)cta;
    (void)slot;
    (void)cycle;
    look->most[sm] = has > look->most[sm] ? has : look->most[sm];
    if (!g->kernel[kernel].source.shape.cooperative && has > look->block) {
        /* By the limit of the cycle in which the distributor looked, DISPATCH_CYCLES ago, or
         * one before it; the table has 1 more. */
        const uint32_t now = limit_of(g, sm);
        uint32_t limit = now > look->limit[sm] ? now : look->limit[sm];
        limit = limit > look->before[sm] ? limit : look->before[sm];
        assert_true(has < limit);
        look->held += has + 1u == now;
    }
}

static void kernel_started(void *self, uint32_t kernel, uint64_t cycle)
{
    struct look *const look = self;

    (void)kernel;
    (void)cycle;
    memset(look->most, 0, sizeof look->most);
}

/* Idle cycles of the SM's schedulers, and those in which they wait for memory, up to each
 * cycle.
 */
static uint32_t idle[SMS][CYCLES], memory[SMS][CYCLES];

static void check_counts(struct look *look, uint32_t sm, const struct gpu_sm_stats *s,
                         uint64_t cycle)
{
    const struct dyncta_state *const q = &look->gpu->sockets.dyncta[sm].unit.q;

    assert_in_range(cycle, 0, CYCLES - 1);
    idle[sm][cycle] = (uint32_t)s->idle;
    memory[sm][cycle] = (uint32_t)s->scoreboard_memory;
    if (look->gpu->sockets.dyncta[sm].base.throttle.begun && q->elapsed != 0u) {
        assert_int_equal(q->idle, idle[sm][cycle] - idle[sm][cycle - q->elapsed]);
        assert_int_equal(q->memory, memory[sm][cycle] - memory[sm][cycle - q->elapsed]);
        look->checked += q->idle != 0u && q->memory != 0u;
    }
}

static void sample(void *self, struct gpu *g, uint64_t cycle)
{
    struct look *const look = self;
    const struct gpu_stats *const stats = look->counts ? gpu_stats(g) : NULL;

    for (uint32_t sm = 0u; sm < SMS; sm++) {
        const uint32_t limit = limit_of(g, sm);
        if (look->log != NULL && limit != look->limit[sm]) {
            note_event(look->log, NOTE_SAMPLE, sm, limit, 0u, cycle);
        }
        look->before[sm] = look->limit[sm];
        look->limit[sm] = limit;
        if (stats != NULL) {
            check_counts(look, sm, &stats->sm[sm], cycle);
        }
    }
}

static struct gpu_monitor monitor_of(struct look *look)
{
    return (struct gpu_monitor){ .self = look,
                                 .kernel_started = kernel_started,
                                 .cta_started = cta_started,
                                 .interval = 1u,
                                 .sample = sample };
}

/* ---- Kernels ------------------------------------------------------------------------- */

/* Runs kernels, each in a stream. */
static void run_in(const uint32_t *stream, const struct gpu_config *c, unsigned mode,
                   struct look *look, struct hand_kernel *kernel, uint32_t n,
                   struct gpu_kernel_stats *stats)
{
    const struct gpu_monitor monitor = monitor_of(look);
    const struct gpu_hooks hooks = { .monitor = &monitor };
    struct gpu *const g = open_gpu(c, &hooks, mode);

    look->gpu = g;
    for (uint32_t k = 0u; k < n; k++) {
        kernel[k].access = own_lines;
        launch(g, &kernel[k], stream[k]);
    }
    memcpy(stats, run_to_end(g)->kernel, n * sizeof *stats);
    gpu_close(g);
}

static void run(const struct gpu_config *c, unsigned mode, struct look *look,
                struct hand_kernel *kernel, uint32_t n, struct gpu_kernel_stats *stats)
{
    static const uint32_t same[KERNELS] = { 0u };

    run_in(same, c, mode, look, kernel, n, stats);
}

/* ---- The limit, and the counts ------------------------------------------------------- */

static void no_cta_goes_to_an_sm_that_has_as_many_as_its_limit(void **state)
{
    (void)state;
    const struct gpu_config c = config_of();
    struct program text[2] = { text_of(6u, 4u), text_of(1u, 60u) };

    for (size_t mode = 0u; mode < THROTTLE_MODES; mode++) {
        struct hand_kernel kernel[2] = { kernel_of(&text[0], 700u, 2u),
                                         kernel_of(&text[1], 800u, 3u) };
        struct look look = { .block = 1u };
        struct gpu_kernel_stats stats[2];
        run(&c, throttle_modes[mode], &look, kernel, 2u, stats);
        assert_true(look.held > 0u);
        for (uint32_t k = 0u; k < 2u; k++) {
            assert_true(stats[k].throttle[THROTTLE_dyncta].periods > 10u * SMS);
            assert_in_range(stats[k].throttle[THROTTLE_dyncta].least, 1u, MOST);
            assert_in_range(stats[k].throttle[THROTTLE_dyncta].most,
                            stats[k].throttle[THROTTLE_dyncta].least, MOST);
            check_sms_at(&stats[k].throttle[THROTTLE_dyncta], 1u, MOST);
        }
    }
}

static void counts_are_those_of_the_statistics(void **state)
{
    (void)state;
    const struct gpu_config c = config_of();
    struct program text = text_of(5u, 3u);
    struct hand_kernel kernel[1] = { kernel_of(&text, 200u, 2u) };
    struct look look = { .block = 1u, .counts = true };
    struct gpu_kernel_stats stats[1];

    run(&c, 0u, &look, kernel, 1u, stats);
    assert_true(look.checked > 1000u);
}

static void blocks_of_two_keep_the_limit_or_go_to_an_empty_sm(void **state)
{
    (void)state;
    struct gpu_config c = config_of();
    struct program text = text_of(6u, 4u);
    struct hand_kernel kernel[1] = { kernel_of(&text, 900u, 2u) };

    c.dispatch.policy = DISPATCH_DISTRIBUTED_BLOCK;
    c.dispatch.block_all = true;
    for (uint32_t strict = 0u; strict < 2u; strict++) {
        struct look look = { .block = 2u };
        struct gpu_kernel_stats stats[1];
        c.dispatch.strict_pairs = strict != 0u;
        run(&c, 0u, &look, kernel, 1u, stats);
        assert_true(stats[0].throttle[THROTTLE_dyncta].periods > 10u);
        if (strict != 0u) { /* it counts pairs */
            assert_int_equal(stats[0].throttle[THROTTLE_dyncta].least % 2u, 0u);
            assert_int_equal(stats[0].throttle[THROTTLE_dyncta].limits % 2u, 0u);
        }
    }
}

/* ---- What it comes to ---------------------------------------------------------------- */

static struct gpu_kernel_stats stats_of(struct program text, uint32_t ctas)
{
    const struct gpu_config c = config_of();
    struct hand_kernel kernel[1] = { kernel_of(&text, ctas, 2u) };
    struct look look = { .block = 1u };
    struct gpu_kernel_stats stats[1];

    run(&c, 0u, &look, kernel, 1u, stats);
    return stats[0];
}

static void a_kernel_of_arithmetic_gets_all_ctas_and_one_of_loads_a_single_one(void **state)
{
    (void)state;
    const struct gpu_kernel_stats fast = stats_of(text_of(1u, 60u), 900u);
    const struct gpu_kernel_stats slow = stats_of(text_of(24u, 0u), 900u);

    assert_int_equal(fast.throttle[THROTTLE_dyncta].most, MOST);
    assert_true(fast.throttle[THROTTLE_dyncta].limits * 10u
                > fast.throttle[THROTTLE_dyncta].periods * MOST * 9u);
    assert_int_equal(slow.throttle[THROTTLE_dyncta].least, 1u);
    assert_true(slow.throttle[THROTTLE_dyncta].limits * 10u
                < slow.throttle[THROTTLE_dyncta].periods * 15u);
}

/* A CTA of one warp leaves the other scheduler idle: one CTA is too few, two are too many. So
 * the limit rises whenever the second CTA, which takes many periods, has ended. */
static void an_sm_that_is_idle_gets_more_although_it_waits_for_memory(void **state)
{
    (void)state;
    struct gpu_config c = config_of();
    struct program text = { .length = 0u };

    for (uint32_t i = 0u; i < 8u; i++) {
        (void)emit(&text, OP_LOAD, 1u, REGISTER_NONE, 1u);
        (void)emit(&text, OP_INTEGER, 2u, 1u, 0u);
    }
    emit_exit(&text);
    c.dyncta.t_mem_low = 0u;
    c.dyncta.t_idle = 95u;
    for (uint32_t warps = 1u; warps <= 2u; warps++) {
        struct hand_kernel kernel[1] = { kernel_of(&text, 900u, warps) };
        struct look look = { .block = 1u };
        struct gpu_kernel_stats stats[1];
        run(&c, 0u, &look, kernel, 1u, stats);
        assert_int_equal(stats[0].throttle[THROTTLE_dyncta].least, 1u);
        const uint64_t above = stats[0].throttle[THROTTLE_dyncta].limits
                               - stats[0].throttle[THROTTLE_dyncta].periods;
        assert_int_equal(above > 100u, warps == 1u);
    }
}

static void another_kernel_begins_with_half_of_its_ctas(void **state)
{
    (void)state;
    struct gpu_config c = config_of();
    struct program text = text_of(1u, 60u);
    struct hand_kernel kernel[2] = { kernel_of(&text, 900u, 2u), kernel_of(&text, 7u, 2u) };
    struct look look = { .block = 1u };
    struct gpu_kernel_stats stats[2];

    c.dyncta.period = 2000u; /* the second kernel does not come to its end */
    run(&c, 0u, &look, kernel, 2u, stats);
    assert_int_equal(stats[0].throttle[THROTTLE_dyncta].most, MOST);
    assert_int_equal(stats[1].throttle[THROTTLE_dyncta].periods, 0u);
    for (uint32_t sm = 0u; sm < SMS; sm++) { /* one more CTA than half of what fits */
        assert_int_equal(look.most[sm], MOST / 2u);
    }
}

/* The third kernel comes when CTAs of the first are everywhere, and the limit has risen to one
 * more than those. So it waits until its own limit has risen as far. */
static void no_cta_of_another_kernel_goes_by_the_limit_of_the_one_before(void **state)
{
    (void)state;
    struct gpu_config c = config_of();
    struct program text[2] = { text_of(1u, 1500u), text_of(1u, 10u) };
    struct hand_kernel kernel[3] = { kernel_of(&text[0], SMS * (MOST - 1u), 2u),
                                     kernel_of(&text[1], 1u, 2u), kernel_of(&text[1], 1u, 2u) };
    static const uint32_t stream[] = { 0u, 1u, 1u };
    struct look look = { .block = 1u };
    struct gpu_kernel_stats stats[3];

    c.dispatch.launch_latency = 600u;
    run_in(stream, &c, 0u, &look, kernel, 3u, stats);
    const uint64_t began = stats[1].ended + c.dispatch.launch_latency;
    assert_true(stats[2].ended < stats[0].ended);
    assert_in_range(stats[2].first_cta, began + c.dyncta.period, began + 3u * c.dyncta.period);
}

/* ---- An SM that is paused -------------------------------------------------------------- */

static struct dyncta_state frozen;
static uint32_t frozen_cycles;

static void pause_one(void *self, struct gpu *g, uint64_t cycle)
{
    (void)self;
    (void)gpu_stats(g); /* which makes up for cycles that are left out */
    if (cycle == 550u) {
        gpu_pause(g, 1u);
    } else if (cycle == 552u) {
        frozen = g->sockets.dyncta[1].unit.q;
    } else if (cycle > 552u && cycle <= 950u) {
        assert_memory_equal(&frozen, &g->sockets.dyncta[1].unit.q, sizeof frozen);
        frozen_cycles++;
    }
    if (cycle == 950u) {
        gpu_resume(g, 1u);
    }
}

static void a_paused_sm_has_no_periods(void **state)
{
    (void)state;
    const struct gpu_config c = config_of();
    const struct gpu_monitor monitor = { .interval = 1u, .sample = pause_one };
    const struct gpu_hooks hooks = { .monitor = &monitor };
    struct program text = text_of(6u, 4u);
    struct hand_kernel kernel = kernel_of(&text, 200u, 2u);
    struct gpu *const g = open_gpu(&c, &hooks, 0u);

    kernel.access = own_lines;
    launch(g, &kernel, 0u);
    (void)run_to_end(g);
    assert_true(frozen_cycles > 300u && frozen.elapsed > 0u);
    gpu_close(g);
}

/* ---- Kernels that are let through ---------------------------------------------------- */

static void all_ctas_of_a_cooperative_kernel_are_resident(void **state)
{
    (void)state;
    const struct gpu_config c = config_of();
    struct program text = text_of(6u, 4u);
    struct hand_kernel kernel[1] = { kernel_of(&text, SMS * MOST, 2u) };
    struct gpu_kernel_stats stats[1];

    for (uint32_t together = 0u; together < 2u; together++) {
        struct look look = { .block = 1u };
        kernel[0].shape.cooperative = together != 0u;
        run(&c, 0u, &look, kernel, 1u, stats);
        for (uint32_t sm = 0u; sm < SMS; sm++) {
            assert_int_equal(look.most[sm] == MOST, together != 0u);
        }
    }
}

static void without_it_no_sm_has_a_limit(void **state)
{
    (void)state;
    struct gpu_config c = config_of();
    struct program text = text_of(6u, 4u);
    struct hand_kernel kernel = kernel_of(&text, 400u, 2u);

    c.dyncta.on = false;
    kernel.access = own_lines;
    struct gpu *const g = open_gpu(&c, NULL, 0u);
    launch(g, &kernel, 0u);
    assert_int_equal(run_to_end(g)->kernel[0].throttle[THROTTLE_dyncta].periods, 0u);
    assert_null(g->sockets.dyncta);
    assert_false(g->limits.any);
    gpu_close(g);
}

/* ---- All ways to run ----------------------------------------------------------------- */

static void disturb(void *self, struct gpu *g, uint64_t cycle)
{
    sample(self, g, cycle);
    disturb_sms(g, cycle);
}

static struct gpu_config random_config(uint64_t *random)
{
    static const uint32_t periods[] = { 1u, 2u, 17u, 100u, 1000u, 5000u };
    struct gpu_config c = config_of();

    c.dyncta.period = periods[random_below(random, 6u)];
    c.dyncta.t_idle = random_below(random, 1u + c.dyncta.period);
    c.dyncta.t_mem_low = random_below(random, 1u + c.dyncta.period);
    c.dyncta.t_mem_high = c.dyncta.t_mem_low + random_below(random, 1u + c.dyncta.period);
    c.warp.schedulers = 1u + random_below(random, 4u);
    c.warp.policy = random_below(random, 2u) != 0u ? WARP_OLDEST : WARP_GTO;
    return c;
}

/* Some kernels in some streams; the log has each change of a limit, and what the run counted.
 */
static uint64_t run_random(uint64_t random, unsigned mode, struct log *log)
{
    const bool disturbed = random % 2u != 0u;
    const struct gpu_config c = random_config(&random);
    struct program text[KERNELS];
    struct hand_kernel kernel[KERNELS];
    struct look look = { .block = 1u, .log = log };
    struct gpu_monitor monitor = monitor_of(&look);
    const struct gpu_hooks hooks = { .monitor = &monitor };
    uint64_t periods = 0u;

    monitor.sample = disturbed ? disturb : sample;
    struct gpu *const g = open_gpu(&c, &hooks, mode);
    look.gpu = g;
    launch_random(g, &random, KERNELS, text, kernel);
    const struct gpu_stats *const stats = run_to_end(g);
    note_stats(log, stats);
    for (uint32_t k = 0u; k < KERNELS; k++) {
        note(log, stats->kernel[k].throttle[THROTTLE_dyncta].limits);
        note(log, stats->kernel[k].throttle[THROTTLE_dyncta].periods);
        periods += stats->kernel[k].throttle[THROTTLE_dyncta].periods;
    }
    gpu_close(g);
    return periods;
}

static void every_way_to_run_has_the_same_limits_in_every_cycle(void **state)
{
    (void)state;
    check_modes(run_random, 500u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_cta_goes_to_an_sm_that_has_as_many_as_its_limit),
        cmocka_unit_test(counts_are_those_of_the_statistics),
        cmocka_unit_test(blocks_of_two_keep_the_limit_or_go_to_an_empty_sm),
        cmocka_unit_test(a_kernel_of_arithmetic_gets_all_ctas_and_one_of_loads_a_single_one),
        cmocka_unit_test(an_sm_that_is_idle_gets_more_although_it_waits_for_memory),
        cmocka_unit_test(another_kernel_begins_with_half_of_its_ctas),
        cmocka_unit_test(no_cta_of_another_kernel_goes_by_the_limit_of_the_one_before),
        cmocka_unit_test(a_paused_sm_has_no_periods),
        cmocka_unit_test(all_ctas_of_a_cooperative_kernel_are_resident),
        cmocka_unit_test(without_it_no_sm_has_a_limit),
        cmocka_unit_test(every_way_to_run_has_the_same_limits_in_every_cycle),
    };
    return cmocka_run_group_tests_name("gpu_dyncta", tests, NULL, NULL);
}
