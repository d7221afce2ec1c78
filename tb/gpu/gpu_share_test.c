/*
 * Tests of what belongs to which kernel: a kernel's counts are those of its run alone, and
 * where kernels meet, each cycle and each request is of the one that the rules name. That all
 * of it comes to the whole, in every mode and for random machines, is gpu_exact_test's.
 */

#include "gpu_kernel.h"

#include <math.h>

static struct program arithmetic, loads, stores;

static void write_programs(void)
{
    arithmetic.length = arithmetic.accesses = 0u;
    emit_chain(&arithmetic, OP_FP32, 200u, 0u);
    emit_exit(&arithmetic);
    loads.length = loads.accesses = 0u;
    emit_chain(&loads, OP_LOAD, 20u, 1u);
    emit_exit(&loads);
    stores.length = stores.accesses = 0u;
    for (uint32_t i = 0u; i < 16u; i++) {
        (void)emit(&stores, OP_STORE, REGISTER_NONE, R, 1u);
    }
    emit_exit(&stores);
}

/* Lines of the kernel's own. */
static uint32_t own_lines(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    return ACCESS(k->parameter + (cta * 8u + warp) * 64u + i, 15u);
}

static struct gpu_share share_of(const struct gpu *g, uint32_t kernel)
{
    struct gpu_share share;
    gpu_share(g, kernel, &share);
    return share;
}

static void expect_whole(const struct gpu *g)
{
    struct fault fault = { .kind = FAULT_NONE };
    if (!gpu_shares_whole(g, &fault)) {
        fail_msg("%s", fault_text(&fault));
    }
}

/* Runs two kernels in these streams; the GPU is to be closed. */
static struct gpu *run_two(const struct gpu_config *c, struct hand_kernel *a, uint32_t stream_a,
                           struct hand_kernel *b, uint32_t stream_b)
{
    struct gpu *const g = open_gpu(c, NULL, 0u);
    launch(g, a, stream_a);
    launch(g, b, stream_b);
    (void)run_to_end(g);
    expect_whole(g);
    return g;
}

static void a_kernel_before_another_has_the_counts_of_its_run_alone(void **state)
{
    (void)state;
    const struct gpu_config c = small_config();
    write_programs();
    struct hand_kernel a = kernel_of(&loads, 12u, 3u), b = kernel_of(&arithmetic, 5u, 2u);
    a.access = own_lines;
    const struct outcome alone = run_alone(&c, &a);
    struct gpu *const g = run_two(&c, &a, 0u, &b, 0u);
    const struct gpu_share first = share_of(g, 0u), second = share_of(g, 1u);

    for (const struct gpu_count *row = gpu_sm_counts; row->name != NULL; row++) {
        /* Alone nothing comes after its last CTA, and before its first nothing is anybody's. */
        const uint64_t nobodys = strcmp(row->name, "idle") == 0            ? alone.sm.no_cta
                                 : strcmp(row->name, "no_cta") == 0        ? alone.sm.no_cta
                                 : strcmp(row->name, "inflight_none") == 0 ? alone.sm.no_cta
                                 : strcmp(row->name, "ldst_idle") == 0     ? alone.sm.no_cta
                                                                           : 0u;
        if (gpu_count_of(row, &first.sm) + nobodys != gpu_count_of(row, &alone.sm)) {
            fail_msg("%s", row->name);
        }
    }
    assert_int_equal(second.sm.warp_instructions, 5u * 2u * 201u);
    assert_int_equal(second.sm.l1_hit + second.sm.l1_miss + second.l2.busy, 0u);
    assert_int_equal(first.l2.miss, alone.l2.miss);
    assert_int_equal(first.dram.read, alone.dram.read);
    gpu_close(g);
}

static void a_stall_is_of_the_kernel_whose_warps_give_it_its_class(void **state)
{
    (void)state;
    struct gpu_config c = small_config();
    c.dispatch.kernels = 2u;
    write_programs();
    struct hand_kernel a = kernel_of(&arithmetic, 1u, 1u), b = kernel_of(&loads, 1u, 1u);
    b.access = own_lines;
    struct gpu *const g = run_two(&c, &a, 0u, &b, 1u);
    const struct gpu_share first = share_of(g, 0u), second = share_of(g, 1u);

    assert_int_equal(first.sm.issued, 201u);
    assert_int_equal(second.sm.issued, 21u);
    assert_true(first.sm.scoreboard_alu > 0u && second.sm.scoreboard_memory > 0u);
    assert_int_equal(first.sm.scoreboard_memory, 0u);
    assert_int_equal(second.sm.scoreboard_alu, 0u);
    /* Who waits for arithmetic hides who waits for memory: a cycle is memory's if all do. */
    assert_true(second.sm.scoreboard_memory < run_alone(&c, &b).sm.scoreboard_memory);
    assert_int_equal(first.sm.ldst_busy + first.sm.l1_miss + first.sm.l1_fill, 0u);
    assert_int_equal(second.sm.ldst_busy, 20u);
    assert_true(first.sm.resident_warps > 201u);
    /* While both are there, what is of neither's warps is of the first that came. */
    assert_true(first.sm.inflight_memory + first.sm.inflight_both > 0u);
    gpu_close(g);
}

static void a_line_written_back_is_of_the_kernel_whose_request_evicts_it(void **state)
{
    (void)state;
    struct gpu_config c = small_config();
    c.l2.bytes = c.l2.line * c.l2.ways * 2u;
    c.cluster.request_queue = c.noc.slice_queue = 1u;
    write_programs();
    struct hand_kernel a = kernel_of(&stores, 1u, 1u), b = kernel_of(&loads, 8u, 4u);
    a.access = b.access = own_lines;
    b.parameter = 4096u;
    struct gpu *const g = run_two(&c, &a, 0u, &b, 0u);
    const struct gpu_share first = share_of(g, 0u), second = share_of(g, 1u);

    assert_int_equal(first.l2.write, 16u);
    assert_int_equal(second.l2.write, 0u);
    assert_int_equal(first.l2.writeback + second.l2.writeback, 16u);
    assert_true(second.l2.writeback > 0u);
    assert_int_equal(first.dram.write, first.l2.writeback);
    assert_int_equal(second.dram.write, second.l2.writeback);
    assert_true(second.dram.occupancy > first.dram.occupancy);
    /* Who waits at the port of the cluster. */
    assert_true(first.cluster.request_full > 0u);
    assert_int_equal(share_of(g, 2u).cluster.request_full, 0u);
    gpu_close(g);
}

/* The second SM is paused for the whole run, and the third drained. */
static void an_sm_that_is_paused_or_drained_has_static_power(void **state)
{
    (void)state;
    struct gpu_config c = gpu_config_standard();
    struct hand_kernel a = kernel_of(&arithmetic, 1u, 1u);

    write_programs();
    struct gpu *const g = open_gpu(&c, NULL, 0u);
    gpu_pause(g, 1u);
    gpu_drain(g, 2u, true);
    launch(g, &a, 0u);
    const struct gpu_stats *const s = run_to_end(g);
    const double watts = c.sm.count * c.energy.sm_static;
    assert_true(fabs(s->energy.sm_static / s->energy.seconds - watts) < 1e-6);
    gpu_close(g);
}

/* A run in which the last SM is gated twice. Returns its static energy, and how much of it
 * belongs to no kernel. */
static double gated_twice(double cost, double *nobodys)
{
    struct gpu_config c = gpu_config_standard();
    struct hand_kernel a = kernel_of(&arithmetic, 1u, 1u);

    c.energy.gate = cost;
    c.sm.active = c.sm.count - 1u; /* one that is off from the start is no gating */
    const uint32_t sm = c.sm.count - 2u;
    struct gpu *const g = open_gpu(&c, NULL, 0u);
    for (uint32_t k = 0u; k < 2u; k++) {
        launch(g, &a, 0u);
        gpu_drain(g, sm, true);
        assert_true(gpu_gate(g, sm, true));
        (void)run_to_end(g);
        assert_true(gpu_gate(g, sm, false));
    }
    const struct gpu_stats *const s = gpu_stats(g);
    const double joules = s->energy.sm_static;
    expect_whole(g);
    *nobodys = share_of(g, 2u).energy.sm_static;
    gpu_close(g);
    return joules;
}

static void what_gating_takes_belongs_to_no_kernel(void **state)
{
    (void)state;
    const struct gpu_config c = gpu_config_standard();
    const double cycle = c.energy.sm_static * 1e-6 / c.clock.core;
    double nobodys[2];

    write_programs();
    const double free = gated_twice(0.0, &nobodys[0]), paid = gated_twice(500.0, &nobodys[1]);
    assert_true(fabs(paid - free - 2.0 * 500.0 * cycle) < 1e-12);
    assert_true(fabs(nobodys[1] - nobodys[0] - 2.0 * 500.0 * cycle) < 1e-12);
}

static void static_power_is_shared_by_the_cycles_of_sms(void **state)
{
    (void)state;
    struct gpu_config c = gpu_config_standard();
    write_programs();
    struct hand_kernel a = kernel_of(&arithmetic, 1u, 1u);
    struct gpu *const g = open_gpu(&c, NULL, 0u);
    launch(g, &a, 0u);
    const struct gpu_stats *const s = run_to_end(g);
    const struct gpu_share first = share_of(g, 0u), none = share_of(g, 1u);
    const uint64_t cycles = first.sm.inflight_none + first.sm.inflight_alu;
    const double part = (double)cycles / (double)(s->cycles * s->n_sm);

    expect_whole(g);
    assert_true(cycles > 201u && cycles < s->cycles);
    assert_true(fabs(first.energy.sm_static - part * s->energy.sm_static) < 1e-15);
    assert_true(fabs(first.energy.dram_static - part * s->energy.dram_static) < 1e-15);
    assert_true(fabs(none.energy.other_static - (1.0 - part) * s->energy.other_static) < 1e-12);
    assert_true(fabs(first.energy.instruction - s->energy.instruction) < 1e-15);
    gpu_close(g);
}

/* The sum is the whole at any moment, not only when all is done. */
static uint32_t samples;

static void on_cycle(void *self, struct gpu *g, uint64_t cycle)
{
    (void)self;
    (void)cycle;
    (void)gpu_stats(g);
    expect_whole(g);
    samples++;
}

static void kernels_come_to_the_whole_in_every_cycle(void **state)
{
    (void)state;
    struct gpu_config c = small_config();
    c.dispatch.kernels = 2u;
    write_programs();
    struct hand_kernel a = kernel_of(&stores, 3u, 2u), b = kernel_of(&loads, 3u, 2u);
    a.access = b.access = own_lines;
    const struct gpu_monitor monitor = { .interval = 1u, .sample = on_cycle };
    const struct gpu_hooks hooks = { .monitor = &monitor };
    struct gpu *const g = open_gpu(&c, &hooks, 0u);
    launch(g, &a, 0u);
    launch(g, &b, 1u);
    const uint64_t cycles = run_to_end(g)->cycles;
    assert_true(samples >= cycles - 1u && samples <= cycles);
    gpu_close(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_before_another_has_the_counts_of_its_run_alone),
        cmocka_unit_test(a_stall_is_of_the_kernel_whose_warps_give_it_its_class),
        cmocka_unit_test(a_line_written_back_is_of_the_kernel_whose_request_evicts_it),
        cmocka_unit_test(static_power_is_shared_by_the_cycles_of_sms),
        cmocka_unit_test(an_sm_that_is_paused_or_drained_has_static_power),
        cmocka_unit_test(what_gating_takes_belongs_to_no_kernel),
        cmocka_unit_test(kernels_come_to_the_whole_in_every_cycle),
    };
    return cmocka_run_group_tests_name("gpu_share", tests, NULL, NULL);
}
