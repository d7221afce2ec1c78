/*
 * Tests of lazy CTA scheduling in the running GPU: Tnew is the quotient of what the statistics
 * say, no CTA goes to an SM that may not have it, each kernel begins again, and a cooperative
 * launch is not held back. That all modes agree with it on, gpu_exact_test shows too.
 */

#include "gpu_throttle.h"
#include "tb/gpu/gpu_events.h"

#include "gpu/machine.h"

enum { SMS = 3, SLOTS = 6, KERNELS = 2, PAST = 8, WARPS = 3 };

static struct program program[64];
static struct events events;

/* ---- What is seen of a run, after every cycle ---------------------------------------- */

static struct {
    /* Of the last cycles: what each SM may have, and what it has. */
    uint8_t limit[PAST][SMS], has[PAST][SMS];
    uint32_t seen;                                     /* events */
    uint64_t begin[KERNELS][SMS], total[KERNELS][SMS]; /* the SM's instructions */
    uint32_t first[KERNELS][SMS];                      /* CTA that ended first, and 1 more */
    uint32_t first_slot[KERNELS][SMS];
    uint64_t first_end[KERNELS][SMS];
    bool checks;            /* what is seen in the cycle of the look is what a CTA came by */
    uint32_t most[KERNELS]; /* CTAs that an SM had at once */
    enum lcs_rounding rounding;
    uint32_t counted;    /* first ends whose counts have been compared */
    uint32_t full, kept; /* starts in Lazy that fill an SM; cycles in which one is full */
} saw;

static const struct program *program_of_cta(uint32_t cta)
{
    return &program[cta % (sizeof program / sizeof program[0])];
}

static uint32_t length_of(uint32_t cta)
{
    return program_of_cta(cta)->length;
}

static uint32_t quotient(enum lcs_rounding rounding, uint64_t total, uint64_t first)
{
    const bool up = rounding != LCS_FLOOR && total % first != 0u;
    const uint64_t n = total / first + up + (rounding == LCS_CEIL_PLUS_1);

    return n < SLOTS ? (uint32_t)n : SLOTS;
}

/* Long enough after the first end, no SM gets more than Tnew. */
static void see_limit(const struct cta_event *e, uint32_t has)
{
    const uint64_t look = e->cycle - 1u - DISPATCH_CYCLES;

    if (saw.first[e->kernel][e->sm] != 0u && saw.checks
        && look > saw.first_end[e->kernel][e->sm] + SLOTS + 2u) {
        const uint32_t first = WARPS * length_of(saw.first[e->kernel][e->sm] - 1u);
        assert_in_range(has + 1u, 1u,
                        quotient(saw.rounding, saw.total[e->kernel][e->sm], first));
    }
}

static void see_start(const struct cta_event *e, uint64_t instructions)
{
    const uint32_t then = (uint32_t)(e->cycle - 1u - DISPATCH_CYCLES) % PAST;
    const uint32_t limit = saw.limit[then][e->sm], has = saw.has[then][e->sm];

    if (limit != 0u && has != 0u && saw.checks) {
        assert_in_range(has + 1u, 0u, limit - 1u);
        saw.full += has + 1u == limit - 1u;
    }
    see_limit(e, has);
    if (saw.begin[e->kernel][e->sm] == 0u) {
        saw.begin[e->kernel][e->sm] = instructions + 1u;
    }
}

/* Of several in one cycle the lowest slot counts. */
static void see_end(const struct cta_event *e, uint64_t instructions)
{
    uint32_t *const first = &saw.first[e->kernel][e->sm];
    const bool again = saw.first_end[e->kernel][e->sm] == e->cycle;

    if (*first == 0u || (again && e->slot < saw.first_slot[e->kernel][e->sm])) {
        *first = e->cta + 1u;
        saw.first_slot[e->kernel][e->sm] = e->slot;
        saw.first_end[e->kernel][e->sm] = e->cycle;
        saw.total[e->kernel][e->sm] = instructions + 1u - saw.begin[e->kernel][e->sm];
    }
}

/* In the cycle of the first end the unit has counted what the statistics have. */
static void see_counts(const struct gpu *g, uint32_t i)
{
    const struct lcs_state *const q = &g->sockets.lcs[i].unit.q;
    const uint32_t k = g->sockets.lcs[i].base.throttle.kernel;

    if (q->phase == 1u && q->limit == 0u) {
        assert_int_equal(q->total, saw.total[k][i]);
        assert_int_equal(q->count[q->first], WARPS * length_of(saw.first[k][i] - 1u));
        saw.counted++;
    }
}

static void see(void *self, struct gpu *g, uint64_t t)
{
    const struct gpu_sm_stats *const sm = gpu_stats(g)->sm;

    (void)self;
    for (; saw.seen < events.n; saw.seen++) {
        const struct cta_event *const e = &events.event[saw.seen];
        const uint64_t issued = sm[e->sm].warp_instructions;
        if (e->start) {
            see_start(e, issued);
        } else {
            see_end(e, issued);
        }
    }
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        const uint32_t limit = g->limits.of[SOCKET_lcs][i];
        const uint32_t has = (uint32_t)__builtin_popcount(g->sm[i]->cta_used);
        const uint32_t k = g->n_ended;
        if (g->config.lcs.on) {
            see_counts(g, i);
        }
        saw.limit[t % PAST][i] = (uint8_t)limit;
        saw.has[t % PAST][i] = (uint8_t)has;
        saw.kept += limit > 1u && has >= limit - 1u;
        if (k < KERNELS && has > saw.most[k]) {
            saw.most[k] = has;
        }
    }
}

/* ---- A run --------------------------------------------------------------------------- */

static struct gpu_config machine(enum lcs_rounding rounding)
{
    struct gpu_config c = small_config();

    c.sm.count = SMS;
    c.sm.cta_slots = SLOTS;
    c.warp.schedulers = 2u;
    c.warp.policy = WARP_GTO;
    c.fetch.warps = 4u; /* so that issue alone is scarce */
    c.fetch.width = 8u;
    c.lcs.on = true;
    c.lcs.rounding = rounding;
    return c;
}

/* CTA c of a kernel issues base + c mod 64 * step instructions beside a few, and an exit. A
 * warp issues every four cycles, so the three of a CTA leave most of the issue of two
 * schedulers to others.
 */
static void make_programs(uint32_t base, uint32_t step)
{
    for (uint32_t cta = 0u; cta < 64u; cta++) {
        program[cta] = (struct program){ .length = 0u };
        for (uint32_t pair = 0u; pair < 6u; pair++) { /* at once, with warp.width 2 */
            (void)emit(&program[cta], OP_INTEGER, R + 1u, REGISTER_NONE, 0u);
            (void)emit(&program[cta], OP_FP32, R + 2u, REGISTER_NONE, 0u);
        }
        emit_chain(&program[cta], OP_INTEGER, base + cta * step, 0u);
        emit_exit(&program[cta]);
    }
}

/* Kernels of one stream, of CTAs of WARPS warps. */
static void run(const struct gpu_config *c, struct hand_kernel *kernel, uint32_t n,
                struct gpu_kernel_stats *found)
{
    struct gpu_monitor monitor = events_monitor(&events);
    const struct gpu_hooks hooks = { .monitor = &monitor };

    memset(&saw, 0, sizeof saw);
    saw.rounding = c->lcs.rounding;
    saw.checks = !kernel[0].shape.cooperative && c->dispatch.cta_interval == 0u;
    monitor.interval = 1u;
    monitor.sample = see;
    struct gpu *const g = open_gpu(c, &hooks, 0u);
    for (uint32_t k = 0u; k < n; k++) {
        kernel[k].of_cta = program_of_cta;
        launch(g, &kernel[k], 0u);
    }
    memcpy(found, run_to_end(g)->kernel, n * sizeof *found);
    gpu_close(g);
}

/* ---- Tnew ---------------------------------------------------------------------------- */

/* What the run has found is the quotient of each SM's instructions. */
static uint32_t check_found(enum lcs_rounding rounding, uint32_t k,
                            const struct gpu_kernel_stats *found)
{
    uint32_t low = SLOTS, high = 0u, ctas = 0u;

    for (uint32_t i = 0u; i < SMS; i++) {
        const uint32_t first = WARPS * length_of(saw.first[k][i] - 1u);
        const uint32_t n = quotient(rounding, saw.total[k][i], first);
        assert_true(saw.total[k][i] >= first);
        low = n < low ? n : low;
        high = n > high ? n : high;
        ctas += n;
    }
    assert_int_equal(found->throttle[THROTTLE_lcs].decided, SMS);
    assert_int_equal(found->throttle[THROTTLE_lcs].ctas, ctas);
    assert_int_equal(found->throttle[THROTTLE_lcs].least, low);
    assert_int_equal(found->throttle[THROTTLE_lcs].most, high);
    check_sms_at(&found->throttle[THROTTLE_lcs], low, high);
    return ctas;
}

static void tnew_is_what_the_statistics_say_and_no_sm_gets_more(void **state)
{
    (void)state;
    uint32_t sum[3];

    make_programs(90u, 7u);
    for (uint32_t rounding = LCS_FLOOR; rounding <= LCS_CEIL_PLUS_1; rounding++) {
        struct gpu_config c = machine((enum lcs_rounding)rounding);
        struct gpu_kernel_stats found;
        struct hand_kernel kernel = kernel_of(&program[0], 120u, WARPS);
        c.warp.width = 1u + rounding % 2u;
        run(&c, &kernel, 1u, &found);
        assert_int_equal(saw.counted, SMS);
        sum[rounding] = check_found((enum lcs_rounding)rounding, 0u, &found);
        assert_int_equal(saw.most[0], SLOTS); /* in Monitor */
        assert_true(found.throttle[THROTTLE_lcs].least < SLOTS && saw.kept != 0u
                    && saw.full != 0u);
    }
    assert_true(sum[0] < sum[1] && sum[1] < sum[2]);
}

/* CTAs of all SMs' Tnew, where seven CTAs fit an SM, in blocks of two. */
static uint64_t tnew_of_blocks(enum lcs_rounding rounding, enum warp_policy policy, bool strict)
{
    struct gpu_config c = machine(rounding);
    struct gpu_kernel_stats found;
    struct hand_kernel kernel = kernel_of(&program[0], 240u, WARPS);

    c.warp.policy = policy;
    c.sm.cta_slots = SLOTS + 1u;
    c.dispatch.block = 2u;
    c.dispatch.block_all = true;
    c.dispatch.strict_pairs = strict;
    run(&c, &kernel, 1u, &found);
    assert_int_equal(found.throttle[THROTTLE_lcs].decided, SMS);
    return found.throttle[THROTTLE_lcs].ctas;
}

static void with_strict_pairs_tnew_is_rounded_up_to_pairs_that_have_contexts(void **state)
{
    (void)state;
    make_programs(90u, 7u);
    assert_int_equal(tnew_of_blocks(LCS_CEIL, WARP_GTO, false), SMS * 3);
    assert_int_equal(tnew_of_blocks(LCS_CEIL, WARP_GTO, true), SMS * 4);
    make_programs(200u, 0u); /* they advance alike: six come and one more is allowed */
    assert_int_equal(tnew_of_blocks(LCS_CEIL_PLUS_1, WARP_LRR, false), SMS * 7);
    assert_int_equal(tnew_of_blocks(LCS_CEIL_PLUS_1, WARP_LRR, true), SMS * 6);
}

static void round_robin_lets_every_sm_keep_what_fits(void **state)
{
    (void)state;
    struct gpu_config c = machine(LCS_CEIL);
    struct gpu_kernel_stats found;
    struct hand_kernel kernel = kernel_of(&program[0], 120u, WARPS);

    make_programs(200u, 0u);
    c.warp.policy = WARP_LRR;
    run(&c, &kernel, 1u, &found);
    (void)check_found(LCS_CEIL, 0u, &found);
    assert_int_equal(found.throttle[THROTTLE_lcs].least, SLOTS);
}

/* From the cycle of the first end on, until it is known: that takes 8 cycles at most. */
static void the_first_free_slot_waits_for_tnew(void **state)
{
    (void)state;
    struct gpu_config c = machine(LCS_CEIL);
    struct gpu_kernel_stats found;
    struct hand_kernel kernel = kernel_of(&program[0], 120u, WARPS);

    make_programs(90u, 7u);
    c.warp.policy = WARP_LRR; /* all SMs may take a CTA again, at once */
    run(&c, &kernel, 1u, &found);
    for (uint32_t i = 0u; i < SMS; i++) {
        const uint32_t sm = sm_of(&events, 0u, saw.first[0][i] - 1u);
        for (uint32_t k = 0u; k < events.n; k++) {
            const struct cta_event *const e = &events.event[k];
            const uint64_t end = saw.first_end[0][sm];
            if (e->start && e->sm == sm && e->cycle > end) {
                assert_true(e->cycle
                            > end + found.throttle[THROTTLE_lcs].least + DISPATCH_CYCLES);
            }
        }
    }
}

/* ---- Kernels ------------------------------------------------------------------------- */

static void each_kernel_begins_again_with_all_that_fits(void **state)
{
    (void)state;
    const struct gpu_config c = machine(LCS_CEIL);
    struct gpu_kernel_stats found[2];
    struct hand_kernel kernel[2] = { kernel_of(&program[0], 120u, WARPS),
                                     kernel_of(&program[0], 90u, WARPS) };

    make_programs(90u, 7u);
    run(&c, kernel, 2u, found);
    for (uint32_t k = 0u; k < 2u; k++) {
        (void)check_found(LCS_CEIL, k, &found[k]);
        assert_int_equal(saw.most[k], SLOTS);
    }
}

/* CTA 0 ends before the others have come. Returns the cycle in which the last one came. */
static uint64_t last_start(bool on, bool cooperative)
{
    struct gpu_config c = machine(LCS_CEIL);
    struct gpu_kernel_stats found;
    struct hand_kernel kernel = kernel_of(&program[0], (uint32_t)SMS * SLOTS, WARPS);

    make_programs(2u, 25u);
    c.lcs.on = on;
    c.dispatch.cta_interval = 64u;
    kernel.shape.cooperative = cooperative;
    run(&c, &kernel, 1u, &found);
    return start_of_cta(&events, 0u, (uint32_t)SMS * SLOTS - 1u);
}

static void a_cooperative_launch_is_not_held_back(void **state)
{
    (void)state;
    const uint64_t free_of_limits = last_start(false, false);

    assert_int_equal(last_start(false, true), free_of_limits);
    assert_int_equal(last_start(true, true), free_of_limits);
    assert_true(last_start(true, false) > free_of_limits);
}

/* ---- Modes --------------------------------------------------------------------------- */

/* A warp a CTA that waits for memory, so that SMs sleep while their units go on. */
static void make_waiting_programs(void)
{
    for (uint32_t cta = 0u; cta < 64u; cta++) {
        program[cta] = (struct program){ .length = 0u };
        emit_chain(&program[cta], OP_LOAD, 2u + cta % 5u, 1u);
        emit_exit(&program[cta]);
    }
}

static uint32_t own_line(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    (void)k;
    (void)warp;
    return ACCESS(16u * cta + i, 15u);
}

static uint64_t run_in(unsigned mode, struct events *seen)
{
    struct gpu_config c = machine(LCS_CEIL);
    struct gpu_monitor monitor = events_monitor(seen);
    const struct gpu_hooks hooks = { .monitor = &monitor };
    struct hand_kernel kernel[2] = { kernel_of(&program[0], 100u, 1u),
                                     kernel_of(&program[0], 100u, 1u) };

    c.dispatch.launch_latency = 400u;
    struct gpu *const g = open_gpu(&c, &hooks, mode);
    for (uint32_t k = 0u; k < 2u; k++) {
        kernel[k].of_cta = program_of_cta;
        kernel[k].access = own_line;
        launch(g, &kernel[k], k);
    }
    const uint64_t cycles = run_to_end(g)->cycles;
    gpu_close(g);
    return cycles;
}

static void sms_that_sleep_get_their_ctas_in_the_same_cycles(void **state)
{
    (void)state;
    static const unsigned modes[] = { GPU_NAIVE, GPU_STEP_ALL, GPU_NO_SKIP, GPU_FUZZ };
    static struct events again;

    make_waiting_programs();
    const uint64_t cycles = run_in(0u, &events);
    for (size_t i = 0u; i < sizeof modes / sizeof modes[0]; i++) {
        assert_int_equal(run_in(modes[i], &again), cycles);
        assert_int_equal(again.n, events.n);
        for (uint32_t k = 0u; k < events.n; k++) {
            assert_int_equal(again.event[k].cta, events.event[k].cta);
            assert_int_equal(again.event[k].sm, events.event[k].sm);
            assert_int_equal(again.event[k].cycle, events.event[k].cycle);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tnew_is_what_the_statistics_say_and_no_sm_gets_more),
        cmocka_unit_test(with_strict_pairs_tnew_is_rounded_up_to_pairs_that_have_contexts),
        cmocka_unit_test(round_robin_lets_every_sm_keep_what_fits),
        cmocka_unit_test(the_first_free_slot_waits_for_tnew),
        cmocka_unit_test(each_kernel_begins_again_with_all_that_fits),
        cmocka_unit_test(a_cooperative_launch_is_not_held_back),
        cmocka_unit_test(sms_that_sleep_get_their_ctas_in_the_same_cycles),
    };
    return cmocka_run_group_tests_name("gpu_lcs", tests, NULL, NULL);
}
