/* Tests of CTAs that wait for their children where blocks of CTAs have contexts as a whole, as
 * with strict pairs (rule B-7). */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "driver_wait.h"
#include "gpu/machine.h"

/* What is seen of a run. */
static struct {
    uint32_t parts, free, none_beside, most, looks, together;
    uint64_t left_at[32]; /* of each pair, the cycle in which one has left */
} seen;

static bool is_first_of_its_block(const struct sm *m, uint32_t slot)
{
    for (uint32_t other = 0u; other < slot; other++) {
        if ((m->cta_used >> other & 1u) != 0u && m->cta[other].kernel == m->cta[slot].kernel
            && m->cta[other].block == m->cta[slot].block) {
            return false;
        }
    }
    return true;
}

/* Contexts of the blocks that have CTAs on the SM. */
static uint32_t contexts_of_blocks(const struct gpu *g, const struct sm *m)
{
    uint32_t contexts = 0u;

    for (uint32_t slot = 0u; slot < 32u; slot++) {
        if ((m->cta_used >> slot & 1u) != 0u && is_first_of_its_block(m, slot)) {
            contexts += g->kernel[m->cta[slot].kernel].block;
        }
    }
    return contexts;
}

/* And as the room of the SMs counts them. */
static uint32_t contexts_of_unit(const struct gpu *g, uint32_t sm)
{
    const struct sm_contexts *const unit = &g->sockets.sm_room->unit.contexts[sm];
    uint32_t contexts = 0u;

    for (uint32_t slot = 0u; slot < g->config.dispatch.kernels; slot++) {
        contexts += unit->q.resident[slot];
    }
    return contexts;
}

static void look(void *self, struct gpu *g, uint64_t cycle)
{
    (void)self;
    (void)cycle;
    for (uint32_t i = 0u; i < g->n_sm; i++) {
        const uint32_t contexts = contexts_of_blocks(g, g->sm[i]);
        const uint32_t ctas = (uint32_t)__builtin_popcount(g->sm[i]->cta_used);
        assert_in_range(contexts, ctas, g->config.sm.cta_slots);
        seen.most = contexts > seen.most ? contexts : seen.most;
        seen.parts += g->sm[i]->away != 0u && ctas % 2u != 0u;
        if (g->n_starting == 0u && !bits_has(g->rooms.waiting, i)) {
            assert_int_equal(contexts_of_unit(g, i), contexts);
            seen.looks++;
        }
    }
}

/* A CTA comes back, and none of its block is there. */
CTA_HOOK(note_back)
{
    const struct sm *const m = gsp_gpu(context)->sm[sm];
    uint32_t of_block = 0u;

    for (uint32_t other = 0u; other < 32u; other++) {
        of_block += (m->cta_used >> other & 1u) != 0u && m->cta[other].kernel == kernel
                    && m->cta[other].block == m->cta[slot].block;
    }
    seen.free += of_block == 1u;
    seen.none_beside += of_block > 1u;
}

CTA_HOOK(note_left)
{
    seen.left_at[cta / 2u % 32u] = cycle;
}

CTA_HOOK(note_ended)
{
    seen.together += kernel == 0u && cta % 2u != 0u && cycle == seen.left_at[cta / 2u % 32u];
}

static const struct gpu_monitor monitor = { .cta_left = note_left,
                                            .cta_ended = note_ended,
                                            .cta_back = note_back,
                                            .interval = 1u,
                                            .sample = look };
static const struct gpu_hooks watched = { .monitor = &monitor };

static void configure_blocks(uint32_t sms, uint32_t ctas, uint32_t kernels, uint32_t block)
{
    configure(BIND_OFF, sms, ctas, kernels);
    config.dispatch.block = block;
    config.dispatch.block_all = true;
    config.dispatch.strict_pairs = true;
}

/* All that wait_often leaves is right. */
static void check_often(uint32_t ctas, int32_t times)
{
    assert_int_equal(word[0], ctas);
    for (uint32_t i = 0u; i < ctas; i++) {
        assert_int_equal(word[1u + i], times * (times + 1) + 3);
    }
}

static void contexts_are_free_when_none_of_a_block_is_on_the_sm(void **state)
{
    (void)state;
    for (uint32_t block = 2u; block <= 4u; block *= 2u) {
        struct outcome first = { 0u, 0u, 0u };
        memset(&seen, 0, sizeof seen);
        for (uint32_t m = 0u; m < MODES; m++) {
            configure_blocks(2u, 9u, 2u, block);
            wait_open(modes[m], &watched);
            wait_start("wait_often", 21u, 128u, 3); /* the last block is none of whole ones */
            wait_get();
            check_often(21u, 3);
            const struct outcome got = outcome();
            agree(&first, m, &got);
            assert_int_equal(got.left, 21 * 3);
            gsp_close(context);
        }
        assert_int_equal(seen.most, 8); /* the ninth context is never used */
        assert_true(seen.looks > 1000u);
        assert_true(seen.parts > 0u);       /* a part of a block is away */
        assert_true(seen.free > 0u);        /* and comes back to an SM with none of it */
        assert_true(seen.none_beside > 0u); /* or with others */
    }
}

static void waiting_blocks_that_fill_the_machine_do_not_hang(void **state)
{
    static const struct {
        uint32_t sms, ctas, kernels, block, grid;
    } sizes[] = { { 1u, 2u, 1u, 2u, 7u },
                  { 3u, 2u, 1u, 2u, 19u },
                  { 1u, 3u, 2u, 2u, 40u },
                  { 2u, 8u, 32u, 4u, 201u } };

    (void)state;
    for (size_t i = 0u; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (uint32_t claso = 0u; claso < 2u; claso++) {
            configure_blocks(sizes[i].sms, sizes[i].ctas, sizes[i].kernels, sizes[i].block);
            config.claso.active_levels = claso;
            wait_open(0u, &watched);
            wait_start("wait_often", sizes[i].grid, 128u, 2);
            wait_get();
            check_often(sizes[i].grid, 2);
            assert_int_equal(outcome().left, 2u * sizes[i].grid);
            gsp_close(context);
        }
    }
}

static void kernels_of_blocks_give_their_slots_up(void **state)
{
    (void)state;
    struct outcome first = { 0u, 0u, 0u };
    for (uint32_t m = 0u; m < MODES; m++) {
        configure_blocks(2u, 2u, 1u, 2u);
        wait_open(modes[m], &watched);
        wait_start("wait_all", 3u, 64u, 0);
        wait_get();
        assert_int_equal(word[0], 3 * 64);
        assert_int_equal(word[2], 3 * 64);
        const struct outcome got = outcome();
        agree(&first, m, &got);
        assert_int_equal(got.left, 3 + 3 * 64);
        gsp_close(context);
    }
}

/* Limits of blocks, and SMs that are switched off. */
static void throttles_of_blocks_do_not_keep_it_away(void **state)
{
    (void)state;
    for (uint32_t k = 0u; k < 4u; k++) {
        struct outcome first = { 0u, 0u, 0u };
        for (uint32_t m = 0u; m < MODES; m++) {
            configure_blocks(3u, 5u, 2u, 2u);
            config.warp.policy = WARP_GTO;
            config.perf_sat.on = k == 0u || k == 3u;
            config.lcs.on = k == 1u || k == 3u;
            config.dyncta.on = k == 2u || k == 3u;
            config.dyncta.period = 100u;
            config.sm.active = 2u;
            wait_open(modes[m], &watched);
            wait_start("wait_often", 31u, 128u, 2);
            wait_get();
            check_often(31u, 2);
            const struct outcome got = outcome();
            agree(&first, m, &got);
            assert_int_equal(got.left, 62);
            gsp_close(context);
        }
    }
}

/* CTAs of a block that leave and come back at times of their own: some have loads in flight. */
static void blocks_come_apart_at_any_time(void **state)
{
    (void)state;
    for (int32_t loads = 0; loads < 12; loads++) {
        struct outcome first = { 0u, 0u, 0u };
        for (uint32_t m = 0u; m < MODES; m++) {
            configure_blocks(1u, 6u, 3u, 2u);
            config.cdp.lane_latency = 13u * (uint32_t)loads;
            wait_open(modes[m], &watched);
            wait_start("wait_late", 14u, 64u, loads);
            wait_get();
            const struct outcome got = outcome();
            agree(&first, m, &got);
            assert_int_equal(got.left, 14);
            gsp_close(context);
        }
    }
}

/* One CTA of a pair leaves and the other ends, one before the other by any number of cycles, or
 * together: what is saved takes a cycle longer each time. */
static void one_of_a_block_may_leave_as_the_other_ends(void **state)
{
    (void)state;
    memset(&seen, 0, sizeof seen);
    for (uint32_t cycles = 1u; cycles < 100u; cycles++) {
        configure_blocks(1u, 2u, 2u, 2u);
        config.cdp.swap_bytes = 2048u / cycles;
        wait_open(0u, &watched);
        wait_start("wait_even", 6u, 32u, 28 + (int32_t)(cycles % 5u));
        wait_get();
        assert_int_equal(word[0], 3 * 32);
        assert_int_equal(word[1], 3 * 32);
        assert_int_equal(outcome().left, 3);
        gsp_close(context);
    }
    assert_true(seen.together > 0u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contexts_are_free_when_none_of_a_block_is_on_the_sm),
        cmocka_unit_test(waiting_blocks_that_fill_the_machine_do_not_hang),
        cmocka_unit_test(kernels_of_blocks_give_their_slots_up),
        cmocka_unit_test(throttles_of_blocks_do_not_keep_it_away),
        cmocka_unit_test(blocks_come_apart_at_any_time),
        cmocka_unit_test(one_of_a_block_may_leave_as_the_other_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
