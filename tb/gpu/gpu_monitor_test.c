/*
 * Tests of sm_monitor in the running GPU: its counts are the machine's own statistics, which
 * are counted in another place, however many cycles are left out.
 */

#include "gpu_kernel.h"

#include "base/random_bits.h"
#include "gpu/machine.h"

static const unsigned modes[] = { 0u, GPU_NAIVE, GPU_FUZZ };
static struct program text;

static uint32_t some_line(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    (void)k;
    return ACCESS(64u * cta + 8u * warp + i, 15u);
}

static void check_sm(const struct sm_monitor *unit, uint32_t sm, const struct gpu_sm_stats *s)
{
    const struct sm_counter_state *const q = &unit->counter[sm].q;
    const uint64_t expected[SM_CYCLES - 1] = {
        [SM_CYCLE_ACTIVE - 1] = s->issued,
        [SM_CYCLE_IDLE - 1] = s->idle,
        [SM_CYCLE_SCOREBOARD_ALU - 1] = s->scoreboard_alu,
        [SM_CYCLE_SCOREBOARD_MEMORY - 1] = s->scoreboard_memory,
        [SM_CYCLE_PIPELINE_ALU - 1] = s->pipeline_alu,
        [SM_CYCLE_PIPELINE_MEMORY - 1] = s->pipeline_memory,
        [SM_CYCLE_PAUSED - 1] = s->paused,
    };

    for (uint32_t class = 0u; class < SM_CYCLES - 1u; class ++) {
        assert_int_equal(q->cycles[class], expected[class]);
    }
    assert_int_equal(q->instructions, s->warp_instructions);
    assert_int_equal(q->starts, s->ctas);
    assert_int_equal(q->ends, s->ctas);
}

/* Runs a kernel of chains and accesses twice, and checks after each run. */
static void run(const struct gpu_config *c, uint64_t random, unsigned mode)
{
    struct gpu *const g = open_gpu(c, NULL, mode);

    for (uint32_t round = 0u; round < 2u; round++) {
        text = (struct program){ .length = 0u };
        for (uint32_t i = 0u; i < 1u + random_below(&random, 4u); i++) {
            emit_chain(&text, OP_INTEGER, 1u + random_below(&random, 9u), 0u);
            (void)emit(&text, OP_LOAD, 1u, REGISTER_NONE, 1u);
        }
        emit_exit(&text);
        struct hand_kernel k = kernel_of(&text, 1u + random_below(&random, 20u), 2u);
        k.access = some_line;
        launch(g, &k, 0u);
        (void)run_to_end(g);
        const struct gpu_stats *const stats = gpu_stats(g);
        for (uint32_t sm = 0u; sm < stats->n_sm; sm++) {
            check_sm(&g->sockets.sm_monitor->unit, sm, &stats->sm[sm]);
        }
    }
    gpu_close(g);
}

static void the_counts_are_the_statistics_in_every_mode(void **state)
{
    (void)state;
    for (uint64_t seed = 1u; seed <= 20u; seed++) {
        for (size_t mode = 0u; mode < sizeof modes / sizeof modes[0]; mode++) {
            struct gpu_config c = small_config();
            c.sm.monitor = true;
            run(&c, seed, modes[mode]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_counts_are_the_statistics_in_every_mode),
    };
    return cmocka_run_group_tests_name("gpu_monitor", tests, NULL, NULL);
}
