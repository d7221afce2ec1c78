/* Tests of CTAs that wait for kernels that they have launched: what falls into the same cycles.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "driver_wait.h"
#include "gpu/machine.h"

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
static void wait_busy(unsigned mode, uint32_t ctas, int32_t rounds, struct outcome *got)
{
    const struct gpu_monitor monitor = { .cta_started = note_more,
                                         .cta_back = note_more,
                                         .cta_ended = note_less,
                                         .cta_left = note_less };
    const struct gpu_hooks hooks = { .monitor = &monitor };

    memset(resident, 0, sizeof resident);
    most = 0u;
    wait_open(mode, &hooks);
    wait_start("wait_busy", ctas, 96u, rounds);
    wait_get();
    assert_int_equal(word[0], ctas);
    for (uint32_t i = 1u; i <= ctas; i++) {
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
            wait_busy(0u, 5u, 1 + (int32_t)(latency % 7u) * 4, &got);
            leaves += got.left;
            if (latency % 10u == 0u) {
                wait_busy(GPU_NAIVE, 5u, 1 + (int32_t)(latency % 7u) * 4, &slow);
                agree(&got, 1u, &slow);
            }
        }
    }
    assert_true(leaves > 0u);
}

/* One CTA after the other goes out slowly: one that comes back does not take the place of one
 * that has been picked and waits for its turn. */
static void what_has_been_picked_finds_its_place(void **state)
{
    (void)state;
    for (uint32_t b = 0u; b < BINDS; b++) {
        for (uint32_t run = 0u; run < 24u; run++) {
            struct outcome got;
            configure(binds[b], 1u + run % 3u, 1u + run % 2u, 2u + run % 3u);
            config.cdp.launch_latency = 0u;
            config.cdp.lane_latency = 7u * run;
            config.dispatch.cta_interval = 40u + 5u * (run % 4u);
            wait_busy(0u, 24u, 1 + (int32_t)(run % 5u), &got);
        }
    }
}

/* The child of a warp that has loads in flight may be complete before the warp waits. */
static void children_may_end_before_anybody_waits(void **state)
{
    (void)state;
    for (uint32_t b = 0u; b < BINDS; b++) {
        for (uint32_t latency = 0u; latency < 40u; latency++) {
            struct outcome first = { 0u, 0u, 0u };
            for (uint32_t m = 0u; m < (latency % 10u == 0u ? MODES : 1u); m++) {
                configure(binds[b], 2u, 2u, 2u);
                config.cdp.launch_latency = 0u;
                config.cdp.lane_latency = latency * 10u;
                config.dispatch.launch_latency = 0u;
                wait_open(modes[m], NULL);
                wait_start("wait_late", 3u, 64u, (int32_t)(latency % 4u));
                wait_get();
                for (uint32_t i = 1u; i <= 3u; i++) {
                    assert_int_equal(word[i], 3);
                }
                const struct outcome got = outcome();
                agree(&first, m, &got);
                gsp_close(context);
            }
        }
    }
}

/* ---- What is in flight --------------------------------------------------------------- */

static uint64_t left_at;

CTA_HOOK(note_leave)
{
    left_at = cycle;
}

/* When a CTA leaves, one of whose warps stands at a barrier with a load and a root in flight.
 */
static uint64_t leaves(uint32_t memory, uint32_t root, int32_t loads)
{
    const struct gpu_monitor monitor = { .cta_left = note_leave };
    const struct gpu_hooks hooks = { .monitor = &monitor };
    struct outcome first = { 0u, 0u, 0u };

    for (uint32_t m = 0u; m < MODES; m++) {
        configure(BIND_OFF, 1u, 1u, 1u);
        config.l2.latency = memory;
        config.sfu.latency = root;
        config.cdp.launch_latency = 2000u;
        wait_open(modes[m], &hooks);
        wait_start("wait_flight", 1u, 64u, loads);
        wait_get();
        assert_int_equal(word[0], 1);
        assert_int_equal(word[1], 3);
        const struct outcome got = outcome();
        agree(&first, m, &got);
        assert_int_equal(got.left, 1);
        gsp_close(context);
    }
    return left_at;
}

static void a_cta_leaves_when_what_is_in_flight_is_complete(void **state)
{
    (void)state;
    /* By the memory's latency the load ends after a root of 100 cycles, and before one of 408.
     */
    assert_int_equal(leaves(240u, 8u, 3), leaves(240u, 100u, 3));
    assert_true(leaves(20u, 408u, 3) > leaves(20u, 8u, 3) + 300u);
}

enum { PATIENCE = 8, LATENCY = 400 }; /* of a look at it, and of the last answer */

static uint64_t accesses(bool write)
{
    const struct gpu *const g = gsp_gpu(context);
    struct gpu_share nobody;

    (void)gpu_stats(gsp_gpu(context));
    gpu_share(g, gpu_kernels(g), &nobody);
    return write ? nobody.l2.write : nobody.l2.hit + nobody.l2.miss + nobody.l2.merge;
}

/* Registers and shared memory take as long as they are many, to leave and to come back; each
 * line of them is written and read once. A line takes
 * the port a cycle at least, and no more than eight. */
static void what_a_cta_has_takes_time_to_save_and_to_restore(void **state)
{
    static const uint32_t speeds[] = { 0u, 1u, 7u, 64u, 65536u };
    const struct gpu_monitor monitor = { .cta_left = note_leave };
    const struct gpu_hooks hooks = { .monitor = &monitor };
    uint64_t free_cycles = 0u, free_left = 0u;

    (void)state;
    for (uint32_t s = 0u; s < sizeof speeds / sizeof speeds[0]; s++) {
        struct outcome first = { 0u, 0u, 0u };
        for (uint32_t m = 0u; m < MODES; m++) {
            configure(BIND_OFF, 1u, 1u, 1u);
            config.cdp.launch_latency = 100000u;
            config.cdp.swap_bytes = speeds[s];
            wait_open(modes[m], &hooks);
            wait_start("wait_often", 1u, 128u, 1);
            wait_get();
            assert_int_equal(word[1], 5);
            const struct outcome got = outcome();
            agree(&first, m, &got);
            const struct cta_room *const takes = &gsp_gpu(context)->kernel[0].takes;
            const uint64_t bytes = takes->registers * 4u + takes->shared_bytes;
            assert_true(bytes > 512u);
            free_cycles = s == 0u ? got.cycles : free_cycles;
            free_left = s == 0u ? left_at : free_left;
            const uint64_t lines = s == 0u ? 0u : (bytes + 127u) / 128u;
            const uint64_t time = s == 0u ? 0u : (bytes + speeds[s] - 1u) / speeds[s];
            const uint64_t least = time > lines ? time : lines;
            const uint64_t latest = time > 8u * lines ? time : 8u * lines;
            assert_in_range(left_at, free_left + least, free_left + latest + PATIENCE);
            const uint64_t answer = time < lines ? config.l2.latency : 0u; /* the last one's */
            assert_true(got.cycles >= free_cycles + least + answer);
            assert_true(got.cycles <= free_cycles + latest + (s == 0u ? 0u : LATENCY));
            assert_int_equal(accesses(true), lines);
            assert_int_equal(accesses(false), lines);
            gsp_close(context);
        }
    }
}

/* Each time that it waits, also where it has been restored before; and places are used again:
 * what two CTAs have that take turns is in the L2. */
static void each_wait_writes_and_reads_what_a_cta_has(void **state)
{
    (void)state;
    for (uint32_t b = 0u; b < BINDS; b++) {
        struct outcome first = { 0u, 0u, 0u };
        for (uint32_t m = 0u; m < MODES; m++) {
            configure(binds[b], 2u, 2u, 4u);
            config.cdp.swap_bytes = 32u;
            wait_open(modes[m], NULL);
            wait_start("wait_often", 40u, 128u, 3);
            wait_get();
            assert_int_equal(word[40], 3 * 4 + 3);
            const struct outcome got = outcome();
            agree(&first, m, &got);
            const struct cta_room *const takes = &gsp_gpu(context)->kernel[0].takes;
            const uint64_t lines = (takes->registers * 4u + takes->shared_bytes + 127u) / 128u;
            assert_true(got.left > 40u);
            if (binds[b] == BIND_OFF) { /* otherwise kernels that wait are in memory, too */
                assert_true(accesses(true) >= got.left * lines);
                assert_int_equal(accesses(false), got.left * lines);
            }
            gsp_close(context);
        }
    }
}

/* Children may end while a CTA is saved: it goes on then, and has not left. */
static void children_may_end_while_a_cta_is_saved(void **state)
{
    uint64_t left = 0u, stayed = 0u;

    (void)state;
    for (uint32_t b = 0u; b < BINDS; b++) {
        for (uint32_t run = 0u; run < 24u; run++) {
            struct outcome got;
            configure(binds[b], 2u, 1u + 7u * (run % 2u), 2u + run % 3u);
            config.cdp.launch_latency = 0u;
            config.cdp.lane_latency = 40u * run;
            config.cdp.swap_bytes = 4u + 8u * run;
            wait_busy(0u, 5u, 1, &got);
            left += got.left;
            stayed += 5u - got.left;
        }
    }
    assert_true(left != 0u && stayed != 0u);
    /* Each time it is saved from the beginning. */
    configure(BIND_OFF, 1u, 8u, 4u);
    config.cdp.launch_latency = 0u;
    config.cdp.swap_bytes = 1u;
    wait_open(0u, NULL);
    wait_start("wait_often", 1u, 128u, 3);
    wait_get();
    assert_int_equal(word[1], 3 * 4 + 3);
    assert_int_equal(outcome().left, 0);
    gsp_close(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_may_end_in_any_cycle),
        cmocka_unit_test(what_has_been_picked_finds_its_place),
        cmocka_unit_test(children_may_end_before_anybody_waits),
        cmocka_unit_test(a_cta_leaves_when_what_is_in_flight_is_complete),
        cmocka_unit_test(what_a_cta_has_takes_time_to_save_and_to_restore),
        cmocka_unit_test(each_wait_writes_and_reads_what_a_cta_has),
        cmocka_unit_test(children_may_end_while_a_cta_is_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
