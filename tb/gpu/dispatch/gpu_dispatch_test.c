/*
 * Tests of the distribution of CTAs: the placements of the literature, one CTA a cycle, limits
 * of an SM, streams, and limiters.
 *
 * A CTA dispatched in cycle t is on its SM, and is reported, in t + 1. The first one of a
 * kernel is dispatched in the cycle in which the kernel starts, since the latency of a launch
 * hides it here.
 */

#include "tb/gpu/gpu_events.h"

static struct program longer, shorter;
static struct events events;

/* Chains of integer instructions. */
static void make_programs(uint32_t long_one, uint32_t short_one)
{
    longer = shorter = (struct program){ .length = 0u };
    emit_chain(&longer, OP_INTEGER, long_one, 0u);
    emit_exit(&longer);
    emit_chain(&shorter, OP_INTEGER, short_one, 0u);
    emit_exit(&shorter);
}

static struct gpu_config machine(uint32_t sms, uint32_t clusters, uint32_t slots)
{
    struct gpu_config c = small_config();
    c.sm.count = sms;
    c.cluster.count = clusters;
    c.sm.cta_slots = slots;
    return c;
}

/* The cycle in which a kernel starts that is launched before the first. */
static uint64_t started(const struct gpu_config *c)
{
    return 1u + c->dispatch.launch_latency;
}

/* Runs kernels, each in a stream of its own or all in one, and records events. */
static void run_kernels(const struct gpu_config *c, struct hand_kernel *const *kernels,
                        uint32_t n, bool one_stream)
{
    const struct gpu_monitor monitor = events_monitor(&events);
    const struct gpu_hooks hooks = { .monitor = &monitor };
    struct gpu *const g = open_gpu(c, &hooks, 0u);
    for (uint32_t k = 0u; k < n; k++) {
        launch(g, kernels[k], one_stream ? 0u : k);
    }
    (void)run_to_end(g);
    gpu_close(g);
}

static void run_one(const struct gpu_config *c, struct hand_kernel *kernel)
{
    run_kernels(c, &kernel, 1u, true);
}

/* ---- Policies ------------------------------------------------------------------------ */

/* 10 CTAs, two clusters of two SMs of two CTAs: which SM, cluster by cluster, gets the first
 * 8 CTAs. */
static void the_pooled_policies_place_ctas_as_published(void **state)
{
    (void)state;
    static const struct {
        enum dispatch_policy policy;
        uint32_t sm[8];
        uint32_t cycle[8];
    } rows[] = {
        { DISPATCH_TWO_LEVEL_RR, { 0, 2, 1, 3, 0, 2, 1, 3 }, { 0, 1, 2, 3, 4, 5, 6, 7 } },
        { DISPATCH_GLOBAL_RR, { 0, 1, 2, 3, 0, 1, 2, 3 }, { 0, 1, 2, 3, 4, 5, 6, 7 } },
        /* An SM is looked at again when its CTA has gone out, and so is the next cluster. */
        { DISPATCH_GREEDY_CLUSTER, { 0, 1, 0, 1, 2, 3, 2, 3 }, { 0, 1, 3, 4, 7, 8, 10, 11 } },
    };
    struct gpu_config c = machine(4u, 2u, 2u);
    make_programs(200u, 10u);
    for (uint32_t row = 0u; row < 3u; row++) {
        c.dispatch.policy = rows[row].policy;
        for (uint32_t first = 0u; first < 8u; first++) { /* the CTA that ends first */
            struct hand_kernel k = kernel_of(&longer, 10u, 1u);
            k.special = &shorter;
            k.special_cta = first;
            run_one(&c, &k);
            for (uint32_t cta = 0u; cta < 8u; cta++) {
                assert_int_equal(sm_of(&events, 0u, cta), rows[row].sm[cta]);
                assert_int_equal(start_of_cta(&events, 0u, cta),
                                 started(&c) + 1u + DISPATCH_CYCLES + rows[row].cycle[cta]);
            }
            /* CTA 9 in the table's numbering: where there is room, at once. */
            assert_int_equal(sm_of(&events, 0u, 8u), rows[row].sm[first]);
            assert_int_equal(start_of_cta(&events, 0u, 8u),
                             end_of_cta(&events, 0u, first) + DISPATCH_CYCLES);
            assert_true(start_of_cta(&events, 0u, 9u) > start_of_cta(&events, 0u, 8u) + 100u);
        }
    }
}

static void thirteen_sms_of_three_ctas_are_filled_and_refilled_as_published(void **state)
{
    (void)state;
    const struct gpu_config c = machine(13u, 13u, 3u);
    make_programs(200u, 30u);
    struct hand_kernel k = kernel_of(&longer, 100u, 1u);
    k.special = &shorter;
    k.special_cta = 17u;
    run_one(&c, &k);
    for (uint32_t cta = 0u; cta < 39u; cta++) {
        assert_int_equal(sm_of(&events, 0u, cta), cta % 13u);
    }
    assert_int_equal(sm_of(&events, 0u, 39u), 4u);
    assert_int_equal(start_of_cta(&events, 0u, 39u),
                     end_of_cta(&events, 0u, 17u) + DISPATCH_CYCLES);
}

static void clusters_of_unequal_size_are_filled_in_the_same_orders(void **state)
{
    (void)state;
    /* SMs 0 1 2, 3 4 5, 6. */
    static const uint32_t two_level[] = { 0, 3, 6, 1, 4, 2, 5 };
    struct gpu_config c = machine(7u, 3u, 2u);
    make_programs(200u, 200u);
    struct hand_kernel k = kernel_of(&longer, 14u, 1u);
    c.dispatch.policy = DISPATCH_TWO_LEVEL_RR;
    run_one(&c, &k);
    for (uint32_t cta = 0u; cta < 14u; cta++) {
        assert_int_equal(sm_of(&events, 0u, cta), two_level[cta % 7u]);
    }
    c.dispatch.policy = DISPATCH_GREEDY_CLUSTER;
    run_one(&c, &k);
    for (uint32_t cta = 0u; cta < 14u; cta++) {
        assert_int_equal(sm_of(&events, 0u, cta),
                         cta < 12u ? cta / 6u * 3u + cta % 3u : UINT32_C(6));
    }
}

/* ---- Resources of an SM --------------------------------------------------------------- */

static void
kernels_of_different_shapes_never_exceed_an_sm_and_start_one_cta_a_cycle(void **state)
{
    (void)state;
    uint64_t random = printed_number("SEED", 1u);
    for (uint32_t run = 0u; run < 40u; run++) {
        struct gpu_config c = machine(3u, 1u, 1u + random_below(&random, 16u));
        struct hand_kernel kernel[4];
        struct hand_kernel *kernels[4];
        c.dispatch.policy = random_below(&random, 3u);
        c.sm.subpartitions = 1u + random_below(&random, 4u);
        c.sm.shared_granule = 1u + random_below(&random, 300u);
        c.sm.shared_reserved = random_below(&random, 2u) * 1024u;
        make_programs(1u + random_below(&random, 50u), 1u + random_below(&random, 50u));
        for (uint32_t k = 0u; k < 4u; k++) {
            kernel[k] = kernel_of(k % 2u == 0u ? &longer : &shorter, 40u,
                                  1u + random_below(&random, 16u));
            kernel[k].shape.block[0] -= random_below(&random, 32u);
            kernel[k].shape.registers = 1u + random_below(&random, 60u);
            kernel[k].shape.shared_bytes = random_below(&random, c.sm.shared_bytes / 2u);
            kernels[k] = &kernel[k];
        }
        run_kernels(&c, kernels, 4u, false);
        assert_true(
            events_check_resources(&events, &c, (const struct hand_kernel *const *)kernels)
            > 0u);
        uint64_t last = 0u;
        for (uint32_t k = 0u; k < events.n; k++) {
            if (events.event[k].start) {
                assert_true(events.event[k].cycle > last);
                last = events.event[k].cycle;
            }
        }
    }
}

/* ---- Kernels and streams ------------------------------------------------------------- */

static void a_grid_of_three_dimensions_has_all_its_ctas_in_order(void **state)
{
    (void)state;
    const struct gpu_config c = machine(2u, 1u, 2u);
    make_programs(20u, 20u);
    struct hand_kernel k = kernel_of(&longer, 2u, 1u);
    k.shape.grid[1] = 3u;
    k.shape.grid[2] = 5u;
    k.shape.block[0] = 8u;
    k.shape.block[1] = 4u;
    k.shape.block[2] = 3u;
    run_one(&c, &k);
    assert_int_equal(k.opened, 30u);
    assert_int_equal(events.n, 60u);
    for (uint32_t cta = 1u; cta < 30u; cta++) {
        assert_true(start_of_cta(&events, 0u, cta) > start_of_cta(&events, 0u, cta - 1u));
    }
    assert_int_equal(run_alone(&c, &k).sm.warps, 45u); /* three each, on one SM of two */
}

static void kernels_of_a_stream_follow_each_other_after_the_launch_latency(void **state)
{
    (void)state;
    struct gpu_config c = machine(4u, 2u, 2u);
    c.dispatch.launch_latency = 123u;
    make_programs(50u, 20u);
    struct hand_kernel kernel[3] = { kernel_of(&longer, 20u, 1u), kernel_of(&shorter, 1u, 1u),
                                     kernel_of(&longer, 3u, 1u) };
    struct hand_kernel *const kernels[] = { &kernel[0], &kernel[1], &kernel[2] };
    run_kernels(&c, kernels, 3u, true);
    assert_int_equal(events.started[0], 1u + 123u);
    for (uint32_t k = 0u; k < 3u; k++) {
        assert_int_equal(start_of_cta(&events, k, 0u),
                         events.started[k] + 1u + DISPATCH_CYCLES);
        if (k != 0u) {
            assert_int_equal(events.started[k], events.ended[k - 1u] + 123u);
        }
    }
}

static void a_later_stream_gets_what_the_earlier_ones_leave_over(void **state)
{
    (void)state;
    const struct gpu_config c = machine(4u, 2u, 2u);
    make_programs(50u, 10u);
    struct hand_kernel kernel[3] = { kernel_of(&longer, 21u, 1u), kernel_of(&shorter, 7u, 1u),
                                     kernel_of(&longer, 9u, 1u) };
    struct hand_kernel *const kernels[] = { &kernel[0], &kernel[1], &kernel[2] };
    run_kernels(&c, kernels, 3u, false);
    for (uint32_t k = 0u; k < 3u; k++) {
        assert_int_equal(events.started[k], started(&c));
    }
    /* It is looked at when the last CTA has gone out, and contexts have been counted for it: on
     * an SM that has one CTA, rule R-4. */
    assert_int_equal(start_of_cta(&events, 1u, 0u),
                     start_of_cta(&events, 0u, 20u) + DISPATCH_CYCLES + 1u + 3u + 1u + 1u);
    assert_true(start_of_cta(&events, 1u, 0u) < events.ended[0]);
    assert_true(start_of_cta(&events, 2u, 0u) > start_of_cta(&events, 1u, 6u));
    assert_true(start_of_cta(&events, 2u, 0u) < events.ended[0]);
}

static void no_more_kernels_are_resident_than_configured(void **state)
{
    (void)state;
    struct gpu_config c = machine(4u, 2u, 2u);
    c.dispatch.kernels = 1u;
    make_programs(50u, 10u);
    struct hand_kernel kernel[2] = { kernel_of(&longer, 1u, 1u), kernel_of(&shorter, 1u, 1u) };
    struct hand_kernel *const kernels[] = { &kernel[0], &kernel[1] };
    run_kernels(&c, kernels, 2u, false);
    assert_int_equal(events.started[1], events.ended[0]);
}

/* ---- Limiters ------------------------------------------------------------------------ */

enum { ALLOWED_FROM = 70, ALLOWED_TO = 400 };

static void change_limits(void *self, struct gpu *g, uint64_t cycle)
{
    static const struct bits odd = { { UINT64_C(0xaaaaaaaaaaaaaaaa) } };
    (void)self;
    if (cycle == ALLOWED_FROM) {
        gpu_allow(g, 0u, odd);
    } else if (cycle == ALLOWED_TO) {
        gpu_allow(g, 0u, bits_below(gpu_config_of(g)->sm.count));
    }
}

/* Each kernel has limits of its own, which hold for what is looked at after the call. */
static void a_cta_goes_where_the_limiters_of_its_kernel_allow_it(void **state)
{
    (void)state;
    static const unsigned modes[] = { 0u, GPU_NAIVE, GPU_FUZZ };
    const struct gpu_config c = machine(6u, 3u, 2u);
    make_programs(17u, 300u);
    for (uint32_t m = 0u; m < 3u; m++) {
        struct gpu_monitor monitor = events_monitor(&events);
        const struct gpu_hooks hooks = { .monitor = &monitor };
        struct hand_kernel kernel[2] = { kernel_of(&longer, 200u, 1u),
                                         kernel_of(&shorter, 12u, 1u) };
        uint32_t before = 0u, after = 0u;
        monitor.interval = 1u;
        monitor.sample = change_limits;
        struct gpu *const g = open_gpu(&c, &hooks, modes[m]);
        launch(g, &kernel[0], 0u);
        launch(g, &kernel[1], 1u);
        (void)run_to_end(g);
        gpu_close(g);
        for (uint32_t cta = 0u; cta < 200u; cta++) {
            const uint64_t at = start_of_cta(&events, 0u, cta) - 1u - DISPATCH_CYCLES;
            const bool even = sm_of(&events, 0u, cta) % 2u == 0u;
            assert_false(even && at > ALLOWED_FROM && at <= ALLOWED_TO);
            before += even && at <= ALLOWED_FROM;
            after += even && at == ALLOWED_TO + 1u;
        }
        assert_true(before > 1u);
        assert_int_equal(after, 1u); /* there is room at once */
        for (uint32_t cta = 0u; cta < 12u; cta++) {
            after += sm_of(&events, 1u, cta) % 2u == 0u;
        }
        assert_true(after > 1u);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pooled_policies_place_ctas_as_published),
        cmocka_unit_test(thirteen_sms_of_three_ctas_are_filled_and_refilled_as_published),
        cmocka_unit_test(clusters_of_unequal_size_are_filled_in_the_same_orders),
        cmocka_unit_test(
            kernels_of_different_shapes_never_exceed_an_sm_and_start_one_cta_a_cycle),
        cmocka_unit_test(a_grid_of_three_dimensions_has_all_its_ctas_in_order),
        cmocka_unit_test(kernels_of_a_stream_follow_each_other_after_the_launch_latency),
        cmocka_unit_test(a_later_stream_gets_what_the_earlier_ones_leave_over),
        cmocka_unit_test(no_more_kernels_are_resident_than_configured),
        cmocka_unit_test(a_cta_goes_where_the_limiters_of_its_kernel_allow_it),
    };
    return cmocka_run_group_tests_name("gpu_dispatch", tests, NULL, NULL);
}
