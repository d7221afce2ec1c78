/*
 * Tests of Perf-Sat in the running GPU: the limit is kept in every cycle, samples are what the
 * machine counts in another place, and all ways to run come to the same walk.
 */

#include "gpu_throttle.h"

enum { SMS = 3, MOST = 4, KERNELS = 4, CYCLES = 1 << 20 };

static struct gpu_config config_of(void)
{
    struct gpu_config c = small_config();

    c.sm.count = SMS;
    c.sm.cta_slots = MOST;
    c.warp.schedulers = 2u;
    c.perf_sat.on = true;
    return c;
}

/* ---- Who looks at each cycle --------------------------------------------------------- */

struct look {
    struct gpu *gpu;
    struct log *log;                   /* of limits that change; NULL: none */
    bool samples;                      /* they are compared with the statistics */
    uint32_t fit;                      /* CTAs on an SM */
    uint32_t block;                    /* CTAs that may go to an empty SM together */
    uint32_t limit[SMS], before[SMS];  /* of the last cycle, and the one before it */
    uint32_t most[SMS];                /* CTAs at once, of a kernel */
    uint64_t started[SMS], ended[SMS]; /* the first of the kernel's CTAs */
    uint32_t late;                     /* CTAs above the limit of their own cycle */
    uint32_t elapsed[SMS], held;       /* of the last cycle; cycles on hold in a period */
    uint64_t checked;                  /* samples */
};

/* In CTAs: with strict pairs the unit counts blocks. */
static uint32_t limit_of_sm(const struct look *look, uint32_t sm)
{
    const struct gpu *const g = look->gpu;

    return g->sockets.perf_sat[sm].out.limit
           * (g->config.dispatch.strict_pairs ? look->block : 1u);
}

static void cta_started(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                        uint64_t cycle)
{
    struct look *const look = self;
    struct gpu *const g = look->gpu;
    const uint32_t has = (uint32_t)__builtin_popcount(g->sm[sm]->cta_used);

    (void)cta;
    (void)slot;
    look->most[sm] = has > look->most[sm] ? has : look->most[sm];
    look->started[sm] = look->started[sm] == 0u ? cycle : look->started[sm];
    /* The distributor may have chosen the SM DISPATCH_CYCLES ago. */
    const uint32_t now = limit_of_sm(look, sm);
    uint32_t limit = now > look->limit[sm] ? now : look->limit[sm];
    limit = limit > look->before[sm] ? limit : look->before[sm];
    if (!g->kernel[kernel].source.shape.cooperative) {
        assert_true(has <= limit || has <= look->block);
        look->late += has > now && has > look->block;
    }
}

static void cta_ended(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                      uint64_t cycle)
{
    struct look *const look = self;

    (void)kernel;
    (void)cta;
    (void)slot;
    look->ended[sm] = look->ended[sm] == 0u ? cycle : look->ended[sm];
}

static void kernel_started(void *self, uint32_t kernel, uint64_t cycle)
{
    struct look *const look = self;

    (void)kernel;
    (void)cycle;
    memset(look->most, 0, sizeof look->most);
    memset(look->started, 0, sizeof look->started);
    memset(look->ended, 0, sizeof look->ended);
}

/* Stalled cycles of the SM's schedulers up to each cycle. */
static uint32_t stalled[SMS][CYCLES];

static void check_sample(struct look *look, uint32_t sm, const struct gpu_sm_stats *s,
                         uint64_t cycle)
{
    const struct perf_sat_state *const q = &look->gpu->sockets.perf_sat[sm].unit.q;
    uint32_t *const sum = stalled[sm];

    assert_in_range(cycle, 0, CYCLES - 1);
    sum[cycle] = (uint32_t)(s->pipeline_alu + s->pipeline_memory + s->scoreboard_alu
                            + s->scoreboard_memory);
    if (q->phase >= PERF_SAT_FIRST_PERIOD) {
        const uint64_t one_tb = look->ended[sm] - look->started[sm];
        assert_int_equal(q->period, one_tb * look->fit);
    }
    if (q->phase >= PERF_SAT_FIRST_PERIOD && !look->gpu->sockets.perf_sat[sm].in.hold) {
        assert_int_equal(q->stalled, sum[cycle] - sum[cycle - q->elapsed]);
        look->checked++;
    }
}

static void sample(void *self, struct gpu *g, uint64_t cycle)
{
    struct look *const look = self;
    const struct gpu_stats *const stats = look->samples ? gpu_stats(g) : NULL;

    for (uint32_t sm = 0u; sm < SMS; sm++) {
        const uint32_t limit = limit_of_sm(look, sm);
        if (look->log != NULL && limit != look->limit[sm]) {
            note_event(look->log, NOTE_SAMPLE, sm, limit, 0u, cycle);
        }
        look->before[sm] = look->limit[sm];
        look->limit[sm] = limit;
        if (stats != NULL) {
            check_sample(look, sm, &stats->sm[sm], cycle);
        }
    }
}

/* A cycle that an SM spends paused, drained or gated is not counted. */
static void check_hold(struct look *look, struct gpu *g)
{
    (void)gpu_stats(g);
    for (uint32_t sm = 0u; sm < SMS; sm++) {
        const struct sm *const m = g->sm[sm];
        const struct perf_sat_state *const q = &g->sockets.perf_sat[sm].unit.q;
        if (q->phase >= PERF_SAT_FIRST_PERIOD && (m->pausing || m->draining || m->gated)) {
            assert_int_equal(q->elapsed, look->elapsed[sm]);
            look->held += q->elapsed != 0u;
        }
        look->elapsed[sm] = q->elapsed;
    }
}

static struct gpu_monitor monitor_of(struct look *look)
{
    return (struct gpu_monitor){ .self = look,
                                 .kernel_started = kernel_started,
                                 .cta_started = cta_started,
                                 .cta_ended = cta_ended,
                                 .interval = 1u,
                                 .sample = sample };
}

/* ---- Kernels ------------------------------------------------------------------------- */

/* Runs kernels one after the other. */
static void run(const struct gpu_config *c, unsigned mode, struct look *look,
                struct hand_kernel *kernel, uint32_t n, struct gpu_kernel_stats *stats)
{
    const struct gpu_monitor monitor = monitor_of(look);
    const struct gpu_hooks hooks = { .monitor = &monitor };
    struct gpu *const g = open_gpu(c, &hooks, mode);

    look->gpu = g;
    for (uint32_t k = 0u; k < n; k++) {
        kernel[k].access = own_lines;
        launch(g, &kernel[k], 0u);
    }
    memcpy(stats, run_to_end(g)->kernel, n * sizeof *stats);
    if (look->log != NULL) {
        note_stats(look->log, gpu_stats(g));
    }
    gpu_close(g);
}

/* ---- The limit, and the samples ------------------------------------------------------ */

static void no_cta_goes_to_an_sm_that_has_as_many_as_its_limit(void **state)
{
    (void)state;
    const struct gpu_config c = config_of();
    struct program text = text_of(6u, 4u);

    for (size_t mode = 0u; mode < THROTTLE_MODES; mode++) {
        struct hand_kernel kernel[2] = { kernel_of(&text, 700u, 2u),
                                         kernel_of(&text, 800u, 3u) };
        struct look look = { .block = 1u };
        struct gpu_kernel_stats stats[2];
        run(&c, throttle_modes[mode], &look, kernel, 2u, stats);
        for (uint32_t k = 0u; k < 2u; k++) {
            assert_int_equal(stats[k].throttle[THROTTLE_perf_sat].sms, SMS);
            assert_int_equal(stats[k].throttle[THROTTLE_perf_sat].decided, SMS);
            assert_in_range(stats[k].throttle[THROTTLE_perf_sat].ctas, SMS, SMS * MOST);
            assert_true(stats[k].throttle[THROTTLE_perf_sat].periods >= 3u * SMS);
            check_sms_at(&stats[k].throttle[THROTTLE_perf_sat], 1u, MOST);
        }
    }
}

static void a_sample_is_what_the_statistics_count_in_a_period(void **state)
{
    (void)state;
    const struct gpu_config c = config_of();
    struct program text = text_of(5u, 3u);
    struct hand_kernel kernel[1] = { kernel_of(&text, 200u, 2u) };
    struct look look = { .block = 1u, .samples = true, .fit = MOST };
    struct gpu_kernel_stats stats[1];

    run(&c, 0u, &look, kernel, 1u, stats);
    assert_true(look.checked > 1000u);
}

/* With strict pairs the unit counts pairs, of which two fit, in periods for all five CTAs. */
static void blocks_of_two_keep_the_limit_or_go_to_an_empty_sm(void **state)
{
    (void)state;
    struct gpu_config c = config_of();
    struct program text = text_of(6u, 4u);
    struct hand_kernel kernel[1] = { kernel_of(&text, 900u, 2u) };
    struct gpu_kernel_stats stats[1];

    c.dispatch.policy = DISPATCH_DISTRIBUTED_BLOCK;
    c.dispatch.block_all = true;
    c.sm.cta_slots = MOST + 1u;
    for (uint32_t strict = 0u; strict < 2u; strict++) {
        struct look look = { .block = 2u, .samples = true, .fit = MOST + 1u };
        c.dispatch.strict_pairs = strict != 0u;
        run(&c, 0u, &look, kernel, 1u, stats);
        const struct gpu_throttle_stats *const s = &stats[0].throttle[THROTTLE_perf_sat];
        assert_int_equal(s->decided, SMS);
        assert_true(look.checked > 1000u);
        if (strict != 0u) {
            assert_int_equal(s->least % 2u + s->most % 2u + s->ctas % 2u, 0u);
            assert_in_range(s->least, 2u, s->most);
            assert_in_range(s->most, s->least, MOST);
        }
    }
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
        if (together != 0u) {
            assert_int_equal(stats[0].throttle[THROTTLE_perf_sat].decided, SMS);
            assert_int_equal(stats[0].throttle[THROTTLE_perf_sat].ctas, SMS * MOST);
            check_sms_at(&stats[0].throttle[THROTTLE_perf_sat], MOST, MOST);
            assert_int_equal(stats[0].throttle[THROTTLE_perf_sat].periods, 0u);
        }
    }
}

/* The third kernel comes when three CTAs of the first are on each SM, and the limit is still
 * the second's, which is four. Its own is two. */
static void no_cta_of_another_kernel_goes_by_the_limit_of_the_one_before(void **state)
{
    (void)state;
    struct gpu_config c = config_of();
    struct program text[2] = { text_of(1u, 1500u), text_of(1u, 10u) };
    struct hand_kernel kernel[3] = { kernel_of(&text[0], SMS * (MOST - 1u), 2u),
                                     kernel_of(&text[1], 1u, 2u), kernel_of(&text[1], 1u, 2u) };

    c.dispatch.launch_latency = 600u;
    kernel[0].shape.cooperative = kernel[1].shape.cooperative = true;
    struct gpu *const g = open_gpu(&c, NULL, 0u);
    for (uint32_t k = 0u; k < 3u; k++) {
        kernel[k].access = own_lines;
        launch(g, &kernel[k], k == 0u ? 0u : 1u);
    }
    const struct gpu_stats *const stats = run_to_end(g);
    assert_in_range(stats->kernel[1].ended, 1u, stats->kernel[0].ended / 2u);
    assert_in_range(stats->kernel[2].first_cta, stats->kernel[0].ended - 500u,
                    stats->kernel[0].ended + DISPATCH_CYCLES + 1u);
    gpu_close(g);
}

static void without_it_no_sm_has_a_limit(void **state)
{
    (void)state;
    struct gpu_config c = config_of();
    struct program text = text_of(6u, 4u);
    struct hand_kernel kernel = kernel_of(&text, 400u, 2u);

    c.perf_sat.on = false;
    kernel.access = own_lines;
    struct gpu *const g = open_gpu(&c, NULL, 0u);
    launch(g, &kernel, 0u);
    assert_int_equal(run_to_end(g)->kernel[0].throttle[THROTTLE_perf_sat].sms, 0u);
    assert_null(g->sockets.perf_sat);
    assert_false(g->limits.any);
    gpu_close(g);
}

/* ---- What it finds ------------------------------------------------------------------- */

/* The mean over SMs, in hundredths of a CTA. */
static uint64_t limit_of(struct program text, uint32_t ctas)
{
    const struct gpu_config c = config_of();
    struct hand_kernel kernel[1] = { kernel_of(&text, ctas, 2u) };
    struct look look = { .block = 1u };
    struct gpu_kernel_stats stats[1];

    run(&c, 0u, &look, kernel, 1u, stats);
    assert_int_equal(stats[0].throttle[THROTTLE_perf_sat].decided, SMS);
    return stats[0].throttle[THROTTLE_perf_sat].ctas * 100u / SMS;
}

static void arithmetic_gets_all_ctas_and_memory_less(void **state)
{
    (void)state;
    assert_int_equal(limit_of(text_of(1u, 60u), 900u), 100u * MOST);
    assert_in_range(limit_of(text_of(24u, 0u), 900u), 100u, 100u * MOST - 1u);
}

/* ---- Beside ONAC ----------------------------------------------------------------------- */

/* While ONAC detects no period goes on; what ONAC has come to stays afterwards. */
static void check_turns(void *self, struct gpu *g, uint64_t cycle)
{
    struct look *const look = self;
    const bool detects = g->sockets.onac->unit.q.state != ONAC_IDLE;

    sample(self, g, cycle);
    for (uint32_t sm = 0u; sm < SMS; sm++) {
        const struct perf_sat_state *const q = &g->sockets.perf_sat[sm].unit.q;
        if (detects) { /* but for the cycle in which ONAC begins or ends */
            assert_in_range(q->elapsed, 0u, 1u);
            assert_int_equal(q->limit, (MOST + 1u) / 2u);
            look->held += q->phase >= PERF_SAT_FIRST_PERIOD;
        }
    }
}

static void no_sample_is_taken_while_onac_detects(void **state)
{
    (void)state;
    struct program text = text_of(5u, 3u);

    for (enum detect_mode detect = DETECT_ONAC; detect <= DETECT_SEQ; detect++) {
        for (size_t mode = 0u; mode < THROTTLE_MODES; mode++) {
            struct gpu_config c = config_of();
            struct hand_kernel kernel = kernel_of(&text, 500u, 2u);
            struct look look = { .block = 1u };
            struct gpu_monitor monitor = monitor_of(&look);
            const struct gpu_hooks hooks = { .monitor = &monitor };
            c.onac.mode = detect;
            c.onac.waves = 1u;
            monitor.sample = check_turns;
            kernel.access = own_lines;
            look.gpu = open_gpu(&c, &hooks, throttle_modes[mode]);
            launch(look.gpu, &kernel, 0u);
            const struct gpu_kernel_stats *const k = run_to_end(look.gpu)->kernel;
            assert_in_range(k->detection.sms, 1u, SMS);
            assert_false(k->detection.aborted);
            assert_true(look.held > 1000u);
            assert_in_range(k->throttle[THROTTLE_perf_sat].decided, 1u, SMS);
            gpu_close(look.gpu);
        }
    }
}

/* ---- All ways to run ----------------------------------------------------------------- */

static void disturb(void *self, struct gpu *g, uint64_t cycle)
{
    sample(self, g, cycle);
    disturb_sms(g, cycle);
}

static void disturb_and_check(void *self, struct gpu *g, uint64_t cycle)
{
    check_hold(self, g);
    disturb(self, g, cycle);
}

static void an_sm_that_is_paused_drained_or_gated_counts_nothing(void **state)
{
    (void)state;
    const struct gpu_config c = config_of();
    struct program text = text_of(5u, 3u);
    struct hand_kernel kernel = kernel_of(&text, 300u, 2u);
    struct look look = { .block = 1u };
    struct gpu_monitor monitor = monitor_of(&look);
    const struct gpu_hooks hooks = { .monitor = &monitor };

    monitor.sample = disturb_and_check;
    kernel.access = own_lines;
    look.gpu = open_gpu(&c, &hooks, 0u);
    launch(look.gpu, &kernel, 0u);
    (void)run_to_end(look.gpu);
    gpu_close(look.gpu);
    assert_true(look.held > 1000u);
}

/* Some kernels in some streams; the log has each change of a limit, and what the run counted.
 */
static uint64_t run_random(uint64_t random, unsigned mode, struct log *log)
{
    struct gpu_config c = config_of();
    struct program text[KERNELS];
    struct hand_kernel kernel[KERNELS];
    struct look look = { .block = 1u, .log = log };
    struct gpu_monitor monitor = monitor_of(&look);
    const struct gpu_hooks hooks = { .monitor = &monitor };
    uint64_t periods = 0u;

    monitor.sample = random % 2u != 0u ? disturb : sample;
    c.perf_sat.votes = 1u + random_below(&random, 2u);
    c.perf_sat.settle = random_below(&random, 3u) * 2u;
    c.warp.schedulers = 1u + random_below(&random, 4u);
    c.warp.policy = random_below(&random, 2u) != 0u ? WARP_OLDEST : WARP_GTO;
    if (monitor.sample == sample) { /* ONAC pauses and gates SMs by itself */
        c.onac.mode = (enum detect_mode)random_below(&random, 3u);
        c.onac.waves = 1u;
    }
    struct gpu *const g = open_gpu(&c, &hooks, mode);
    look.gpu = g;
    launch_random(g, &random, KERNELS, text, kernel);
    const struct gpu_stats *const stats = run_to_end(g);
    note_stats(log, stats);
    for (uint32_t k = 0u; k < KERNELS; k++) {
        note(log, stats->kernel[k].throttle[THROTTLE_perf_sat].ctas);
        note(log, stats->kernel[k].throttle[THROTTLE_perf_sat].periods);
        note(log, stats->kernel[k].throttle[THROTTLE_perf_sat].decided);
        periods += stats->kernel[k].throttle[THROTTLE_perf_sat].periods;
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
        cmocka_unit_test(a_sample_is_what_the_statistics_count_in_a_period),
        cmocka_unit_test(blocks_of_two_keep_the_limit_or_go_to_an_empty_sm),
        cmocka_unit_test(all_ctas_of_a_cooperative_kernel_are_resident),
        cmocka_unit_test(no_cta_of_another_kernel_goes_by_the_limit_of_the_one_before),
        cmocka_unit_test(without_it_no_sm_has_a_limit),
        cmocka_unit_test(arithmetic_gets_all_ctas_and_memory_less),
        cmocka_unit_test(no_sample_is_taken_while_onac_detects),
        cmocka_unit_test(an_sm_that_is_paused_drained_or_gated_counts_nothing),
        cmocka_unit_test(every_way_to_run_has_the_same_limits_in_every_cycle),
    };
    return cmocka_run_group_tests_name("gpu_perf_sat", tests, NULL, NULL);
}
