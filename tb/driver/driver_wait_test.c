/* Tests of CTAs that wait for kernels that they have launched, as CUDA before 12 lets them:
 * they leave their SM and come back. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/places.h"
#include "driver/driver.h"

enum { WORDS = 512 };

static const enum bind_mode binds[] = { BIND_OFF, BIND_RR, BIND_TB_PRI, BIND_SMX,
                                        BIND_ADAPTIVE };
static const unsigned modes[] = { 0u, GPU_NAIVE, GPU_FUZZ };
enum { BINDS = sizeof binds / sizeof binds[0], MODES = sizeof modes / sizeof modes[0] };

static struct gpu_config config;
static struct gsp_context *context;
static struct gsp_module *module;
static gsp_pointer data;
static int32_t word[WORDS];

/* What the GPU tells of CTAs, and of kernels. */
#define UNUSED __attribute__((unused))
#define CTA_HOOK(name)                                                               \
    static void name(UNUSED void *self, UNUSED uint32_t kernel, UNUSED uint32_t cta, \
                     UNUSED uint32_t sm, UNUSED uint32_t slot, UNUSED uint64_t cycle)
#define KERNEL_HOOK(name) \
    static void name(UNUSED void *self, UNUSED uint32_t kernel, UNUSED uint64_t cycle)

/* ---- A run --------------------------------------------------------------------------- */

static void configure(enum bind_mode bind, uint32_t sms, uint32_t ctas, uint32_t kernels)
{
    config = gpu_config_standard();
    config.sm.count = sms;
    config.cluster.count = 1u;
    config.sm.cta_slots = ctas;
    config.dispatch.kernels = kernels;
    config.laperm.mode = bind;
    config.cdp.launch_latency = config.cdp.lane_latency = 100u;
    config.limit.watchdog = 100000u;
}

static void open_gpu(unsigned mode, const struct gpu_hooks *hooks)
{
    char path[4096];
    const struct gsp_options options = { .config = &config, .hooks = hooks, .mode = mode };

    assert_int_equal(gsp_open(&context, &options), GSP_OK);
    (void)snprintf(path, sizeof path, "%.4000s/nested.ptx", places_made());
    assert_int_equal(gsp_module_load(context, path, &module), GSP_OK);
    assert_int_equal(gsp_malloc(context, &data, sizeof word), GSP_OK);
    assert_int_equal(gsp_set(context, data, 0, sizeof word), GSP_OK);
}

static void start(const char *kernel, uint32_t ctas, uint32_t threads, int32_t argument)
{
    void *args[] = { &data, &argument };

    assert_int_equal(gsp_launch(context, &(struct gsp_launch){ .module = module,
                                                               .kernel = kernel,
                                                               .grid = { .x = ctas },
                                                               .block = { .x = threads },
                                                               .args = args }),
                     GSP_OK);
}

static void get(void)
{
    if (gsp_copy_out(context, word, data, sizeof word) != GSP_OK) {
        fail_msg("%s", gsp_message(context));
    }
}

static uint64_t all_that_left(void)
{
    const struct gpu_stats *const stats = gpu_stats(gsp_gpu(context));
    uint64_t left = 0u;

    for (uint32_t k = 0u; k < stats->n_kernel; k++) {
        left += stats->kernel[k].left;
    }
    return left;
}

/* What a run comes to, to be compared. */
struct outcome {
    uint64_t cycles, left, energy;
};
static struct outcome outcome(void)
{
    const struct gpu_stats *const stats = gpu_stats(gsp_gpu(context));
    struct fault fault;

    if (!gpu_shares_whole(gsp_gpu(context), &fault)) {
        fail_msg("%s", fault_text(&fault));
    }
    return (struct outcome){ stats->cycles, all_that_left(),
                             (uint64_t)(stats->energy.total * 1e15) };
}

/* The run in mode m comes to what the first one did. */
static void agree(struct outcome *first, uint32_t m, const struct outcome *got)
{
    *first = m == 0u ? *got : *first;
    assert_int_equal(first->cycles, got->cycles);
    assert_int_equal(first->left, got->left);
    assert_int_equal(first->energy, got->energy);
}

/* ---- Results ------------------------------------------------------------------------- */

/* So many CTAs of 128 threads wait so often; all is right. */
static struct outcome wait_often(unsigned mode, uint32_t ctas, int32_t times)
{
    open_gpu(mode, NULL);
    start("wait_often", ctas, 128u, times);
    get();
    assert_int_equal(word[0], ctas);
    for (uint32_t i = 0u; i < ctas; i++) {
        assert_int_equal(word[1u + i], times * (times + 1) + 3);
    }
    const struct outcome got = outcome();
    gsp_close(context);
    return got;
}

static void what_a_cta_had_is_there_when_it_is_back(void **state)
{
    (void)state;
    for (uint32_t b = 0u; b < BINDS; b++) {
        struct outcome first = { 0u, 0u, 0u };
        for (uint32_t m = 0u; m < MODES; m++) {
            configure(binds[b], 2u, 2u, 4u);
            const struct outcome got = wait_often(modes[m], 7u, 3);
            agree(&first, m, &got);
            assert_int_equal(got.left, 7 * 3);
        }
    }
}

static void waiting_parents_that_fill_the_machine_do_not_hang(void **state)
{
    static const struct {
        uint32_t sms, ctas, kernels, grid;
    } sizes[] = {
        { 1u, 1u, 1u, 6u }, { 3u, 1u, 1u, 9u }, { 1u, 2u, 2u, 40u }, { 2u, 8u, 32u, 200u }
    };

    (void)state;
    for (uint32_t b = 0u; b < BINDS; b++) {
        for (size_t i = 0u; i < sizeof sizes / sizeof sizes[0]; i++) {
            configure(binds[b], sizes[i].sms, sizes[i].ctas, sizes[i].kernels);
            const struct outcome got = wait_often(0u, sizes[i].grid, 2);
            assert_int_equal(got.left, 2u * sizes[i].grid);
        }
    }
}

static void every_warp_policy_takes_ctas_back(void **state)
{
    static const enum warp_policy policies[] = { WARP_LRR, WARP_GTO, WARP_TWO_LEVEL_RR,
                                                 WARP_TWO_LEVEL_GTO, WARP_OWL };

    (void)state;
    for (size_t p = 0u; p < sizeof policies / sizeof policies[0]; p++) {
        struct outcome first = { 0u, 0u, 0u };
        for (uint32_t m = 0u; m < MODES; m++) {
            configure(BIND_OFF, 2u, 3u, 4u);
            config.warp.policy = policies[p];
            const struct outcome got = wait_often(modes[m], 9u, 3);
            agree(&first, m, &got);
        }
    }
}

/* As many kernels wait as there are slots, and more. */
static void kernels_that_wait_give_their_slots_up(void **state)
{
    (void)state;
    for (uint32_t b = 0u; b < BINDS; b++) {
        struct outcome first = { 0u, 0u, 0u };
        for (uint32_t m = 0u; m < MODES; m++) {
            configure(binds[b], 2u, 2u, 1u);
            open_gpu(modes[m], NULL);
            start("wait_all", 3u, 64u, 0);
            get();
            assert_int_equal(word[0], 3 * 64);
            assert_int_equal(word[1], 3 * 64);
            assert_int_equal(word[2], 3 * 64);
            const struct outcome got = outcome();
            agree(&first, m, &got);
            assert_int_equal(got.left, 3 + 3 * 64);
            gsp_close(context);
        }
    }
}

static void groups_that_share_a_slot_give_it_up_together(void **state)
{
    (void)state;
    for (uint32_t b = 1u; b < BINDS; b++) {
        struct outcome first = { 0u, 0u, 0u };
        for (uint32_t m = 0u; m < MODES; m++) {
            configure(binds[b], 2u, 4u, 2u);
            config.cdp.groups = true;
            open_gpu(modes[m], NULL);
            start("wait_all", 4u, 64u, 0);
            get();
            assert_int_equal(word[0], 4 * 64);
            assert_int_equal(word[2], 4 * 64);
            const struct outcome got = outcome();
            agree(&first, m, &got);
            gsp_close(context);
        }
    }
}

/* ---- Coming back --------------------------------------------------------------------- */

/* What is seen of a run: CTAs of kernel 0, and their places. */
static struct {
    uint32_t away, gated_while_away, new_while_due, left, back;
    uint32_t sm_of[64];
    bool drains, gated, due, left_over;
} seen;

CTA_HOOK(note_left)
{
    assert_int_equal(kernel, 0);
    seen.sm_of[cta] = sm;
    seen.away++;
    seen.left++;
}

CTA_HOOK(note_back)
{
    assert_int_equal(kernel, 0);
    assert_int_equal(seen.sm_of[cta], sm);
    seen.due = false;
    seen.away--;
    seen.back++;
}

static void drain_and_gate(void *self, struct gpu *gpu, uint64_t cycle)
{
    (void)self;
    (void)cycle;
    if (seen.left != 0u && !seen.drains) {
        gpu_drain(gpu, seen.sm_of[0], true);
        seen.drains = true;
    }
    if (seen.drains && !seen.gated) {
        seen.gated = gpu_gate(gpu, seen.sm_of[0], true);
        seen.gated_while_away += seen.gated && seen.away != 0u;
    }
}

static void an_sm_to_which_a_cta_will_come_back_is_not_gated(void **state)
{
    const struct gpu_monitor monitor = {
        .cta_left = note_left, .cta_back = note_back, .interval = 1u, .sample = drain_and_gate
    };
    const struct gpu_hooks hooks = { .monitor = &monitor };

    (void)state;
    for (uint32_t b = 0u; b < BINDS; b++) {
        memset(&seen, 0, sizeof seen);
        configure(binds[b], 2u, 2u, 4u);
        open_gpu(0u, &hooks);
        start("wait_often", 1u, 128u, 3);
        get();
        assert_int_equal(word[1], 3 * 4 + 3);
        assert_int_equal(seen.left, 3);
        assert_int_equal(seen.back, 3);
        assert_int_equal(seen.gated_while_away, 0);
        assert_true(seen.gated);
        gsp_close(context);
    }
}

KERNEL_HOOK(note_ended)
{
    seen.left_over = seen.left_over || (kernel == 1u && seen.back != 0u);
    seen.due = seen.due || kernel == 2u;
}

CTA_HOOK(note_started)
{
    seen.new_while_due += seen.due;
}

/* One SM with four warps: the CTA that comes back needs them all, and the many of another
 * kernel take one each. Children go before those where LaPerm knows priorities. Of the many at
 * most the one comes that was on its way when the CTA was called back. */
static void a_cta_comes_back_before_any_new_one(void **state)
{
    const struct gpu_monitor monitor = { .kernel_ended = note_ended,
                                         .cta_started = note_started,
                                         .cta_left = note_left,
                                         .cta_back = note_back };
    const struct gpu_hooks hooks = { .monitor = &monitor };

    (void)state;
    for (uint32_t b = 0u; b < BINDS; b++) {
        memset(&seen, 0, sizeof seen);
        configure(binds[b], 1u, 8u, 4u);
        config.sm.threads = 128u;
        open_gpu(0u, &hooks);
        int32_t none = 0;
        start("wait_often", 1u, 128u, 1);
        const struct gsp_launch many = { .module = module,
                                         .kernel = "wait_add",
                                         .grid = { .x = 300u },
                                         .block = { .x = 32u },
                                         .stream = 1u,
                                         .args = (void *[]){ &data, &none } };
        assert_int_equal(gsp_launch(context, &many), GSP_OK);
        get();
        assert_int_equal(seen.back, 1);
        assert_in_range(seen.new_while_due, 0, 1);
        assert_true(binds[b] < BIND_TB_PRI || seen.left_over);
        gsp_close(context);
    }
}

KERNEL_HOOK(note_kernel)
{
    seen.new_while_due += seen.due;
}

KERNEL_HOOK(note_child_ended)
{
    seen.due = seen.due || kernel == 5u; /* the first after those of the host */
}

/* One slot, and four kernels of the host that wait for it when the child ends. */
static void a_kernel_that_comes_back_gets_a_slot_before_any_other(void **state)
{
    const struct gpu_monitor monitor = { .kernel_started = note_kernel,
                                         .kernel_ended = note_child_ended,
                                         .cta_left = note_left,
                                         .cta_back = note_back };
    const struct gpu_hooks hooks = { .monitor = &monitor };
    int32_t none = 0;

    (void)state;
    for (uint32_t b = 0u; b < BINDS; b++) {
        memset(&seen, 0, sizeof seen);
        configure(binds[b], 1u, 1u, 1u);
        config.cdp.launch_latency = config.cdp.lane_latency = 0u;
        open_gpu(0u, &hooks);
        start("wait_often", 1u, 128u, 1);
        for (uint32_t k = 1u; k < 5u; k++) {
            assert_int_equal(
                gsp_launch(context, &(struct gsp_launch){ .module = module,
                                                          .kernel = "wait_add",
                                                          .grid = { .x = 20u },
                                                          .block = { .x = 32u },
                                                          .stream = k,
                                                          .args = (void *[]){ &data, &none } }),
                GSP_OK);
        }
        get();
        assert_int_equal(seen.back, 1);
        assert_int_equal(seen.new_while_due, 0);
        gsp_close(context);
    }
}

/* Limits of one CTA an SM, and SMs that are switched off, do not keep one away that comes back.
 */
static void throttles_and_gated_sms_do_not_keep_it_away(void **state)
{
    (void)state;
    for (uint32_t b = 0u; b < BINDS; b++) {
        for (uint32_t k = 0u; k < 4u; k++) {
            struct outcome first = { 0u, 0u, 0u };
            for (uint32_t m = 0u; m < MODES; m++) {
                configure(binds[b], 3u, 2u, 2u);
                config.warp.policy = WARP_GTO;
                config.perf_sat.on = k == 0u || k == 3u;
                config.lcs.on = k == 1u || k == 3u;
                config.dyncta.on = k == 2u || k == 3u;
                config.dyncta.period = 100u;
                config.sm.active = 2u;
                const struct outcome got = wait_often(modes[m], 11u, 2);
                agree(&first, m, &got);
                assert_int_equal(got.left, 22);
            }
        }
    }
}

static void a_detection_of_sms_goes_on_meanwhile(void **state)
{
    static const enum detect_mode detect[] = { DETECT_ONAC, DETECT_SEQ };

    (void)state;
    for (size_t d = 0u; d < sizeof detect / sizeof detect[0]; d++) {
        struct outcome first = { 0u, 0u, 0u };
        for (uint32_t m = 0u; m < MODES; m++) {
            configure(BIND_OFF, 4u, 2u, 2u);
            config.onac.mode = detect[d];
            config.onac.waves = 1u;
            const struct outcome got = wait_often(modes[m], 40u, 2);
            agree(&first, m, &got);
        }
    }
}

/* ---- Whatever falls together --------------------------------------------------------- */

static uint32_t resident[4], most;

CTA_HOOK(note_more)
{
    resident[sm]++;
    most = resident[sm] > most ? resident[sm] : most;
}

CTA_HOOK(note_less)
{
    resident[sm]--;
}

/* CTAs of wait_busy, which stand still for a moment now and then; children end before, while
 * and after they leave. */
static void wait_busy(unsigned mode, int32_t rounds, struct outcome *got)
{
    const struct gpu_monitor monitor = { .cta_started = note_more,
                                         .cta_back = note_more,
                                         .cta_ended = note_less,
                                         .cta_left = note_less };
    const struct gpu_hooks hooks = { .monitor = &monitor };
    enum { GRID = 5 };

    memset(resident, 0, sizeof resident);
    most = 0u;
    open_gpu(mode, &hooks);
    start("wait_busy", GRID, 96u, rounds);
    get();
    assert_int_equal(word[0], GRID);
    for (uint32_t i = 1u; i <= GRID; i++) {
        assert_int_equal(word[i], 3);
    }
    assert_true(most <= config.sm.cta_slots);
    *got = outcome();
    gsp_close(context);
}

static void children_may_end_in_any_cycle(void **state)
{
    uint64_t leaves = 0u;

    (void)state;
    for (uint32_t b = 0u; b < BINDS; b++) {
        for (uint32_t latency = 0u; latency < 28u; latency++) {
            struct outcome got, slow;
            configure(binds[b], 2u, latency % 4u < 2u ? 1u : 2u, 1u + latency % 3u);
            config.cdp.launch_latency = 0u;
            config.cdp.lane_latency = latency;
            config.dispatch.launch_latency = 0u;
            config.dispatch.cta_interval = latency % 2u == 0u ? 9u : 0u;
            wait_busy(0u, 1 + (int32_t)(latency % 7u) * 4, &got);
            leaves += got.left;
            if (latency % 10u == 0u) {
                wait_busy(GPU_NAIVE, 1 + (int32_t)(latency % 7u) * 4, &slow);
                agree(&got, 1u, &slow);
            }
        }
    }
    assert_true(leaves > 0u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_cta_had_is_there_when_it_is_back),
        cmocka_unit_test(waiting_parents_that_fill_the_machine_do_not_hang),
        cmocka_unit_test(every_warp_policy_takes_ctas_back),
        cmocka_unit_test(kernels_that_wait_give_their_slots_up),
        cmocka_unit_test(groups_that_share_a_slot_give_it_up_together),
        cmocka_unit_test(an_sm_to_which_a_cta_will_come_back_is_not_gated),
        cmocka_unit_test(a_cta_comes_back_before_any_new_one),
        cmocka_unit_test(a_kernel_that_comes_back_gets_a_slot_before_any_other),
        cmocka_unit_test(throttles_and_gated_sms_do_not_keep_it_away),
        cmocka_unit_test(a_detection_of_sms_goes_on_meanwhile),
        cmocka_unit_test(children_may_end_in_any_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
