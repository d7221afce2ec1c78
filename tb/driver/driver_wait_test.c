/* Tests of CTAs that wait for kernels that they have launched, as CUDA before 12 lets them:
 * they leave their SM and come back. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "driver_wait.h"
#include "gpu/machine.h"

/* ---- Results ------------------------------------------------------------------------- */

/* So many CTAs of 128 threads wait so often; all is right. */
static struct outcome wait_often(unsigned mode, uint32_t ctas, int32_t times)
{
    wait_open(mode, NULL);
    wait_start("wait_often", ctas, 128u, times);
    wait_get();
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

static uint32_t before_those;

/* A kernel that is new has got a slot. */
KERNEL_HOOK(note_new)
{
    before_those += gsp_gpu(context)->returns.kernels.count != 0u;
}

/* A CTA comes back: its kernel is one of those that have its slot, and has called no other. */
CTA_HOOK(note_mate)
{
    const struct gpu *const g = gsp_gpu(context);
    const struct kernel *const k = &g->kernel[kernel];
    uint32_t mate = g->distributor.mates[k->slot];

    while (mate != NO_KERNEL && mate != kernel) {
        mate = g->kernel[mate].mate;
    }
    assert_int_equal(mate, kernel);
    assert_true(bits_has(g->distributor.slots, k->slot));
    assert_true(k->n_back <= k->ctas && k->n_away <= k->ctas);
}

/* As many kernels wait as there are slots, and more. With LaPerm none that is new gets a slot
 * before those that come back. */
static void kernels_that_wait_give_their_slots_up(void **state)
{
    const struct gpu_monitor monitor = { .kernel_started = note_new, .cta_back = note_mate };
    const struct gpu_hooks hooks = { .monitor = &monitor };

    (void)state;
    before_those = 0u;
    for (uint32_t b = 0u; b < BINDS; b++) {
        struct outcome first = { 0u, 0u, 0u };
        for (uint32_t m = 0u; m < MODES; m++) {
            configure(binds[b], 2u, 2u, 1u);
            wait_open(modes[m], binds[b] != BIND_OFF ? &hooks : NULL);
            wait_start("wait_all", 3u, 64u, 0);
            wait_get();
            assert_int_equal(word[0], 3 * 64);
            assert_int_equal(word[1], 3 * 64);
            assert_int_equal(word[2], 3 * 64);
            const struct outcome got = outcome();
            agree(&first, m, &got);
            assert_int_equal(got.left, 3 + 3 * 64);
            gsp_close(context);
        }
    }
    assert_int_equal(before_those, 0);
}

static void groups_that_share_a_slot_give_it_up_together(void **state)
{
    const struct gpu_monitor monitor = { .cta_back = note_mate };
    const struct gpu_hooks hooks = { .monitor = &monitor };

    (void)state;
    for (uint32_t b = 1u; b < BINDS; b++) {
        struct outcome first = { 0u, 0u, 0u };
        for (uint32_t m = 0u; m < MODES; m++) {
            configure(binds[b], 2u, 4u, 2u);
            config.cdp.groups = true;
            wait_open(modes[m], &hooks);
            wait_start("wait_all", 4u, 64u, 0);
            wait_get();
            assert_int_equal(word[0], 4 * 64);
            assert_int_equal(word[2], 4 * 64);
            const struct outcome got = outcome();
            agree(&first, m, &got);
            gsp_close(context);
        }
    }
}

static uint32_t over,
    over_at_first; /* children; and those when the CTA of kernel 0 came back */

KERNEL_HOOK(note_over)
{
    over += kernel > 64u;
}

CTA_HOOK(note_first)
{
    over_at_first = kernel == 0u ? over : over_at_first;
}

/* Kernels whose numbers are 64 apart, whose CTAs are in one list of those that are away. The
 * children of the second, of all its lanes, end later. */
static void the_cta_that_is_called_comes_back_and_not_another(void **state)
{
    const struct gpu_monitor monitor = { .kernel_ended = note_over, .cta_back = note_first };
    const struct gpu_hooks hooks = { .monitor = &monitor };
    int32_t none = 0;

    (void)state;
    for (uint32_t b = 0u; b < BINDS; b++) {
        configure(binds[b], 2u, 4u, 32u);
        config.cdp.launch_latency = 20000u;
        over = over_at_first = 0u;
        wait_open(0u, &hooks);
        for (uint32_t k = 0u; k <= 64u; k++) {
            const struct gsp_launch one = { .module = module,
                                            .kernel = k % 64u == 0u ? "wait_below" : "wait_add",
                                            .grid = { .x = 1u },
                                            .block = { .x = k == 64u ? 32u : 1u },
                                            .stream = k,
                                            .args = (void *[]){ &data, &none } };
            assert_int_equal(gsp_launch(context, &one), GSP_OK);
        }
        wait_get();
        assert_int_equal(word[0], 1 + 32);
        assert_int_equal(word[1], 1 + 32);
        assert_int_equal(over_at_first, 1);
        gsp_close(context);
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
        wait_open(0u, &hooks);
        wait_start("wait_often", 1u, 128u, 3);
        wait_get();
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
        wait_open(0u, &hooks);
        int32_t none = 0;
        wait_start("wait_often", 1u, 128u, 1);
        const struct gsp_launch many = { .module = module,
                                         .kernel = "wait_add",
                                         .grid = { .x = 300u },
                                         .block = { .x = 32u },
                                         .stream = 1u,
                                         .args = (void *[]){ &data, &none } };
        assert_int_equal(gsp_launch(context, &many), GSP_OK);
        wait_get();
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
        wait_open(0u, &hooks);
        wait_start("wait_often", 1u, 128u, 1);
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
        wait_get();
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_cta_had_is_there_when_it_is_back),
        cmocka_unit_test(waiting_parents_that_fill_the_machine_do_not_hang),
        cmocka_unit_test(every_warp_policy_takes_ctas_back),
        cmocka_unit_test(kernels_that_wait_give_their_slots_up),
        cmocka_unit_test(groups_that_share_a_slot_give_it_up_together),
        cmocka_unit_test(the_cta_that_is_called_comes_back_and_not_another),
        cmocka_unit_test(an_sm_to_which_a_cta_will_come_back_is_not_gated),
        cmocka_unit_test(a_cta_comes_back_before_any_new_one),
        cmocka_unit_test(a_kernel_that_comes_back_gets_a_slot_before_any_other),
        cmocka_unit_test(throttles_and_gated_sms_do_not_keep_it_away),
        cmocka_unit_test(a_detection_of_sms_goes_on_meanwhile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
