/*
 * Tests of which class a scheduler's cycle is of where warps do different things in it (rule
 * M-6). Each is seen in the statistics of a kernel by hand, in every mode.
 */

#include "tb/gpu/gpu_kernel.h"

static const unsigned modes[] = { 0u, GPU_NAIVE, GPU_NO_SKIP | GPU_POLL };

static struct program loads, chain;

static struct gpu_sm_stats run(const struct gpu_config *c, const struct program *first,
                               const struct program *second, unsigned mode)
{
    struct hand_kernel kernel = kernel_of(first, 1u, second != NULL ? 2u : 1u);
    struct gpu *const g = open_gpu(c, NULL, mode);

    kernel.program[1] = second;
    launch(g, &kernel, 0u);
    const struct gpu_sm_stats sm = run_to_end(g)->sm[0];
    gpu_close(g);
    return sm;
}

#define FOR_EACH_MODE(mode) \
    for (const unsigned *mode = modes; mode < modes + sizeof modes / sizeof modes[0]; mode++)

/* A load and who waits for it; arithmetic in which each waits for the one before. */
static void write_programs(uint32_t chained)
{
    loads = chain = (struct program){ .length = 0u };
    (void)emit(&loads, OP_LOAD, R, REGISTER_NONE, 1u);
    (void)emit(&loads, OP_INTEGER, R + 1u, R, 0u);
    emit_exit(&loads);
    emit_chain(&chain, OP_INTEGER, chained, 0u);
    emit_exit(&chain);
}

static void a_cycle_is_of_memory_only_if_all_that_wait_wait_for_memory(void **state)
{
    (void)state;
    const struct gpu_config c = small_config();

    write_programs(200u); /* longer than the load takes */
    FOR_EACH_MODE(mode)
    {
        const struct gpu_sm_stats alone = run(&c, &loads, NULL, *mode);
        const struct gpu_sm_stats two = run(&c, &loads, &loads, *mode);
        const struct gpu_sm_stats mixed = run(&c, &loads, &chain, *mode);
        assert_true(alone.scoreboard_memory > 50u && two.scoreboard_memory > 50u);
        assert_int_equal(mixed.scoreboard_memory, 0u);
        assert_true(mixed.scoreboard_alu > alone.scoreboard_memory);
    }
}

static void warps_at_a_barrier_alone_make_a_cycle_idle(void **state)
{
    (void)state;
    struct gpu_config c = small_config();
    static struct program text;

    text = (struct program){ .length = 0u };
    for (uint32_t k = 0u; k < 10u; k++) {
        (void)emit(&text, OP_BARRIER, REGISTER_NONE, REGISTER_NONE, 0u);
    }
    emit_exit(&text);
    FOR_EACH_MODE(mode)
    {
        c.sm.barrier_latency = 20u;
        const struct gpu_sm_stats some = run(&c, &text, &text, *mode);
        c.sm.barrier_latency = 120u;
        const struct gpu_sm_stats more = run(&c, &text, &text, *mode);
        assert_int_equal(more.idle, some.idle + 10u * 100u);
        assert_int_equal(more.scoreboard_alu + more.scoreboard_memory + more.pipeline_alu
                             + more.pipeline_memory,
                         0u);
    }
}

static void a_scheduler_is_active_until_it_may_issue_again(void **state)
{
    (void)state;
    struct gpu_config c = small_config();

    write_programs(50u);
    FOR_EACH_MODE(mode)
    {
        for (uint32_t interval = 1u; interval <= 4u; interval++) {
            c.warp.interval = interval;
            const struct gpu_sm_stats s = run(&c, &chain, NULL, *mode);
            /* It may be busy with the exit when the run ends. */
            assert_in_range(s.issued, 50u * interval + 1u, 51u * interval);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cycle_is_of_memory_only_if_all_that_wait_wait_for_memory),
        cmocka_unit_test(warps_at_a_barrier_alone_make_a_cycle_idle),
        cmocka_unit_test(a_scheduler_is_active_until_it_may_issue_again),
    };
    return cmocka_run_group_tests_name("gpu_class", tests, NULL, NULL);
}
