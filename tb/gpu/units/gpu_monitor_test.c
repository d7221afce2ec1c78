/*
 * Tests of sm_monitor in the running GPU: its counts are the machine's own statistics, which
 * are counted in another place, however many cycles are left out.
 */

#include "tb/gpu/gpu_kernel.h"

#include "base/random_bits.h"
#include "gpu/machine.h"

static const unsigned modes[] = { 0u, GPU_NAIVE, GPU_FUZZ };
static struct program text;

static uint32_t some_line(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    (void)k;
    return ACCESS(64u * cta + 8u * warp + i, 15u);
}

static uint32_t differ, paused; /* SMs that do other things than SM 0; that have paused */

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

/* SM 1 is paused for a while, and SM 2 drains, goes without power, and comes back. */
static void disturb(void *self, struct gpu *g, uint64_t cycle)
{
    (void)self;
    if (g->n_sm < 3u) {
        return;
    }
    switch (cycle % 512u) {
    case 100u:
        gpu_pause(g, 1u);
        break;
    case 160u:
        gpu_resume(g, 1u);
        break;
    case 130u:
        gpu_drain(g, 2u, true);
        break;
    case 300u:
        (void)gpu_gate(g, 2u, true);
        break;
    case 380u:
        (void)gpu_gate(g, 2u, false);
        gpu_drain(g, 2u, false);
        break;
    default:
        break;
    }
}

/* Runs a kernel of chains and accesses twice, and checks after each run. */
static void run(const struct gpu_config *c, uint64_t random, unsigned mode)
{
    struct gpu_monitor monitor = { .interval = 1u, .sample = disturb };
    const struct gpu_hooks hooks = { .monitor = &monitor };
    struct gpu *const g = open_gpu(c, random % 2u != 0u ? &hooks : NULL, mode);

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
            differ += stats->sm[sm].issued != stats->sm[0].issued;
            paused += stats->sm[sm].paused != 0u;
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
            c.sm.count = 1u + (uint32_t)(seed % 5u);
            c.warp.schedulers = 1u + (uint32_t)(seed / 5u % 4u);
            run(&c, seed, modes[mode]);
        }
    }
    assert_true(differ > 0u && paused > 0u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_counts_are_the_statistics_in_every_mode),
    };
    return cmocka_run_group_tests_name("gpu_monitor", tests, NULL, NULL);
}
