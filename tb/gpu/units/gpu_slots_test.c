/*
 * Tests of kernels that wait for a slot, groups that join kernels, and their records in the L2,
 * where LaPerm dispatches in the running GPU.
 */

#include "gpu_plan.h"

static const unsigned modes[] = { 0u, GPU_NAIVE, GPU_FUZZ };

/* ---- Groups -------------------------------------------------------------------------- */

static void a_group_without_a_like_kernel_takes_the_path_of_kernels(void **state)
{
    static const struct child child = { 0u, 0u, 2u };
    struct gpu_config c = plan_config(BIND_TB_PRI, 2u, 2u);

    (void)state;
    set_program(2000u);
    c.dispatch.launch_latency = 500u;
    c.cdp.groups = true;
    /* The same function: it joins. */
    const struct gpu_stats *stats = run_plan(&c, 2u, &child, 1u, 0u);
    assert_true(stats->kernel[1].joined);
    const uint64_t joined = stats->kernel[1].first_cta - stats->kernel[1].launched;
    assert_true(joined < 20u);
    /* Its parent is of another shape: it does not. */
    plan_warps = 2u;
    stats = run_plan(&c, 2u, &child, 1u, 0u);
    plan_warps = 1u;
    assert_false(stats->kernel[1].joined);
    const uint64_t alone = stats->kernel[1].first_cta - stats->kernel[1].launched;
    assert_in_range(alone, joined + 500u, joined + 520u);
}

static void a_group_keeps_the_slot_of_its_kernel(void **state)
{
    static const struct child child = { 0u, 0u, 6u };
    struct gpu_config c = plan_config(BIND_SMX, 2u, 1u);
    struct hand_kernel later;
    struct gpu_monitor monitor = events_monitor(&plan_events);
    const struct gpu_hooks hooks = { .monitor = &monitor };

    (void)state;
    set_program(200u);
    c.dispatch.kernels = 1u;
    monitor.interval = 1u;
    monitor.sample = plan_launch;
    memset(&plan, 0, sizeof plan);
    plan.child = &child;
    plan.n = 1u;
    plan.groups = true;
    plan_hand[0] = kernel_of(&plan_program, 2u, 1u);
    later = kernel_of(&plan_program, 1u, 1u);
    struct gpu *const g = open_gpu(&c, &hooks, 0u);
    launch(g, &plan_hand[0], 0u);
    launch(g, &later, 1u);
    (void)run_to_end(g);
    /* The other SM has room all the time, but the slot is the group's until its last CTA. */
    assert_int_equal(plan.kernel[0], 2u);
    assert_true(start_of_cta(&plan_events, 1u, 0u) > end_of_cta(&plan_events, 2u, 5u));
    gpu_close(g);
}

/* ---- Slots --------------------------------------------------------------------------- */

/* One slot: P0 on SM 0 launches A, B and C, P1 on SM 1 launches D, at the same time. */
static void kernels_that_wait_for_a_slot_take_turns_by_sm(void **state)
{
    static const struct child child[] = {
        { 0u, 0u, 1u }, { 0u, 0u, 1u }, { 0u, 0u, 1u }, { 0u, 1u, 1u }
    };
    static const struct {
        enum bind_mode mode;
        uint32_t order[4]; /* of the launches above */
    } cases[] = { { BIND_RR, { 0u, 1u, 2u, 3u } },
                  { BIND_TB_PRI, { 0u, 1u, 2u, 3u } },
                  { BIND_SMX, { 0u, 3u, 1u, 2u } },
                  { BIND_ADAPTIVE, { 0u, 3u, 1u, 2u } } };

    (void)state;
    set_program(100u);
    for (size_t k = 0u; k < sizeof cases / sizeof cases[0]; k++) {
        struct gpu_config c = plan_config(cases[k].mode, 2u, 1u);
        c.dispatch.kernels = 1u;
        check_once(run_plan(&c, 2u, child, 4u, 0u));
        for (uint32_t i = 1u; i < 4u; i++) {
            assert_true(plan_events.started[plan.kernel[cases[k].order[i - 1u]]]
                        < plan_events.started[plan.kernel[cases[k].order[i]]]);
        }
    }
}

/* One slot: P0 launches A, whose CTA launches C, and P1 launches B and D. C and D come while B
 * is resident. */
static void a_child_of_a_child_passes_those_that_wait_by_priority(void **state)
{
    static const struct child child[] = {
        { 0u, 0u, 1u }, { 0u, 1u, 1u }, { 1u, 0u, 1u }, { 0u, 1u, 1u }
    };
    static const struct {
        enum bind_mode mode;
        uint32_t order[4];
    } cases[] = { { BIND_RR, { 0u, 1u, 3u, 2u } }, { BIND_TB_PRI, { 0u, 2u, 1u, 3u } } };

    (void)state;
    set_program(100u);
    for (size_t k = 0u; k < sizeof cases / sizeof cases[0]; k++) {
        struct gpu_config c = plan_config(cases[k].mode, 2u, 1u);
        c.dispatch.kernels = 1u;
        c.dispatch.launch_latency = 0u;
        for (size_t m = 0u; m < sizeof modes / sizeof modes[0]; m++) {
            check_once(run_plan(&c, 2u, child, 4u, modes[m]));
            for (uint32_t i = 1u; i < 4u; i++) {
                assert_true(plan_events.started[plan.kernel[cases[k].order[i - 1u]]]
                            < plan_events.started[plan.kernel[cases[k].order[i]]]);
            }
        }
    }
}

/* CTAs of so many kernels at once. */
static uint32_t most_at_once(void)
{
    uint32_t left[PLAN_KERNELS] = { 0u }, now = 0u, most = 0u;

    for (uint32_t i = 0u; i < plan_events.n; i++) {
        const struct cta_event *const e = &plan_events.event[i];
        now += e->start && left[e->kernel] == 0u;
        left[e->kernel] += e->start ? 1u : UINT32_MAX;
        now -= !e->start && left[e->kernel] == 0u;
        most = now > most ? now : most;
    }
    return most;
}

static void so_many_kernels_are_resident_as_there_are_slots(void **state)
{
    static const uint32_t slots[] = { 1u, 3u, 32u, 40u, 128u };
    struct child child[PLAN_KERNELS - 1];

    (void)state;
    set_program(2000u);
    for (uint32_t k = 0u; k < PLAN_KERNELS - 1; k++) {
        child[k] = (struct child){ 0u, 0u, 1u };
    }
    for (size_t i = 0u; i < sizeof slots / sizeof slots[0]; i++) {
        struct gpu_config c = plan_config(BIND_ADAPTIVE, 8u, 8u);
        c.dispatch.kernels = slots[i];
        check_once(run_plan(&c, 1u, child, PLAN_KERNELS - 1, 0u));
        assert_int_equal(most_at_once(), slots[i] < PLAN_KERNELS ? slots[i] : PLAN_KERNELS);
    }
}

/* ---- Memory -------------------------------------------------------------------------- */

static void check_l2(const struct gpu_stats *stats, uint64_t writes, uint64_t reads)
{
    uint64_t wrote = 0u, read = 0u;

    for (uint32_t i = 0u; i < stats->n_l2; i++) {
        wrote += stats->l2[i].write;
        read += stats->l2[i].hit + stats->l2[i].miss + stats->l2[i].merge;
    }
    assert_int_equal(wrote, writes);
    assert_int_equal(read, reads);
    assert_int_equal(stats->noc[0].packets, writes + reads);
    assert_int_equal(stats->noc[1].packets, reads);
}

/* A program without memory, and without misses of instructions. Eleven kernels wait for the one
 * slot, and the first eight of a queue are on chip. */
static void kernels_that_wait_behind_eight_others_are_in_the_l2(void **state)
{
    static struct child child[11];

    (void)state;
    for (uint32_t i = 0u; i < 11u; i++) {
        child[i] = (struct child){ 0u, i / 10u, 1u };
    }
    set_program(100u);
    for (size_t m = 0u; m < sizeof modes / sizeof modes[0]; m++) {
        struct gpu_config c = plan_config(BIND_RR, 2u, 1u);
        check_l2(run_plan(&c, 2u, child, 11u, modes[m]), 0u, 0u);
        c.dispatch.kernels = 1u;
        check_l2(run_plan(&c, 2u, child, 11u, modes[m]), 3u, 3u);
        c.laperm.mode = BIND_SMX; /* that of P1 is alone in its queue */
        check_l2(run_plan(&c, 2u, child, 11u, modes[m]), 2u, 2u);
    }
}

static void what_does_not_fit_on_chip_is_in_the_l2(void **state)
{
    static const struct child child[] = { { 0u, 0u, 1u }, { 0u, 0u, 1u }, { 0u, 0u, 1u } };
    struct gpu_config c = plan_config(BIND_SMX, 1u, 1u);

    (void)state;
    set_program(1000u);
    for (size_t m = 0u; m < sizeof modes / sizeof modes[0]; m++) {
        c.laperm.entries = 3u;
        check_l2(run_plan(&c, 1u, child, 3u, modes[m]), 0u, 0u);
        c.laperm.entries = 1u;
        const struct gpu_stats *const stats = run_plan(&c, 1u, child, 3u, modes[m]);
        check_l2(stats, 2u, 2u);
        assert_true(!stats->kernel[1].spilled && stats->kernel[2].spilled);
    }
}

/* All are launched by one CTA, which has the SM's only place until all are there. */
static uint32_t most_entries(bool groups, uint32_t slots)
{
    struct child child[PLAN_KERNELS - 1];
    uint32_t entries = 1u;

    set_program(2000u);
    for (uint32_t k = 0u; k < PLAN_KERNELS - 1; k++) {
        child[k] = (struct child){ 0u, 0u, 1u };
    }
    for (bool spilled = true; spilled; entries++) {
        struct gpu_config c = plan_config(BIND_SMX, 1u, 1u);
        c.dispatch.kernels = slots;
        c.cdp.groups = groups;
        c.laperm.entries = entries;
        const struct gpu_stats *const stats = run_plan(&c, 1u, child, PLAN_KERNELS - 1, 0u);
        spilled = false;
        for (uint32_t k = 1u; k < PLAN_KERNELS; k++) {
            spilled = spilled || stats->kernel[k].spilled;
        }
    }
    return entries - 1u;
}

/* A slot is the parent's. A group needs none. */
static void with_cdp_a_set_has_no_more_entries_than_there_are_slots(void **state)
{
    (void)state;
    assert_int_equal(most_entries(false, 8u), 7);
    assert_int_equal(most_entries(false, 32u), 31);
    assert_int_equal(most_entries(true, 32u), PLAN_KERNELS - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_group_without_a_like_kernel_takes_the_path_of_kernels),
        cmocka_unit_test(a_group_keeps_the_slot_of_its_kernel),
        cmocka_unit_test(kernels_that_wait_for_a_slot_take_turns_by_sm),
        cmocka_unit_test(a_child_of_a_child_passes_those_that_wait_by_priority),
        cmocka_unit_test(so_many_kernels_are_resident_as_there_are_slots),
        cmocka_unit_test(kernels_that_wait_behind_eight_others_are_in_the_l2),
        cmocka_unit_test(what_does_not_fit_on_chip_is_in_the_l2),
        cmocka_unit_test(with_cdp_a_set_has_no_more_entries_than_there_are_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
