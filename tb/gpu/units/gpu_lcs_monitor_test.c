/*
 * Tests of lcs.monitor: an SM's warps issue greedily until its Tnew is known, and then as
 * warp.policy says. All instructions are arithmetic, so what an SM does is nothing to others.
 */

#include "gpu_throttle.h"
#include "tb/gpu/gpu_events.h"

enum { SMS = 3, SLOTS = 6, WARPS = 3, PROGRAMS = 64 };

static struct program program[PROGRAMS];

static const struct program *program_of_cta(uint32_t cta)
{
    return &program[cta % PROGRAMS];
}

/* CTA c has 90 + 7 * c instructions in a row, and an exit. */
static void make_programs(void)
{
    for (uint32_t cta = 0u; cta < PROGRAMS; cta++) {
        program[cta] = (struct program){ .length = 0u };
        emit_chain(&program[cta], OP_INTEGER, 90u + 7u * cta, 0u);
        emit_exit(&program[cta]);
    }
}

static struct gpu_config machine(enum warp_policy policy, bool monitor)
{
    struct gpu_config c = small_config();

    make_programs();
    c.sm.count = SMS;
    c.sm.cta_slots = SLOTS;
    c.warp.schedulers = 2u;
    c.warp.policy = policy;
    c.fetch.warps = 4u; /* so that issue alone is scarce */
    c.fetch.width = 8u;
    c.lcs.on = true;
    c.lcs.monitor = monitor;
    return c;
}

/* Two kernels of so many CTAs, one after the other; returns the run's cycles. */
static uint64_t run(const struct gpu_config *c, const struct gpu_monitor *monitor,
                    unsigned mode, uint32_t ctas, struct gpu_kernel_stats *found)
{
    const struct gpu_hooks hooks = { .monitor = monitor };
    struct gpu *const g = open_gpu(c, &hooks, mode);
    struct hand_kernel kernel = kernel_of(&program[0], ctas, WARPS);

    kernel.of_cta = program_of_cta;
    launch(g, &kernel, 0u);
    launch(g, &kernel, 0u);
    const struct gpu_stats *const s = run_to_end(g);
    const uint64_t cycles = s->cycles;
    memcpy(found, s->kernel, 2u * sizeof *found);
    gpu_close(g);
    return cycles;
}

/* The same in every mode. */
static uint64_t run_all(const struct gpu_config *c, struct gpu_kernel_stats *found)
{
    const uint64_t cycles = run(c, NULL, throttle_modes[0], 120u, found);

    for (size_t k = 1u; k < THROTTLE_MODES; k++) {
        assert_int_equal(run(c, NULL, throttle_modes[k], 120u, found), cycles);
    }
    return cycles;
}

static uint64_t found_of(const struct gpu_kernel_stats *kernel)
{
    return kernel->throttle[THROTTLE_lcs].ctas;
}

static void tnew_is_that_of_a_greedy_scheduler_and_what_follows_is_not(void **state)
{
    (void)state;
    const struct gpu_config gto = machine(WARP_GTO, false), lrr = machine(WARP_LRR, false);
    const struct gpu_config both = machine(WARP_LRR, true), same = machine(WARP_GTO, true);
    struct gpu_kernel_stats greedy[2], turns[2], found[2];
    const uint64_t as_gto = run_all(&gto, greedy), as_lrr = run_all(&lrr, turns);

    assert_int_equal(run_all(&same, found), as_gto);
    const uint64_t cycles = run_all(&both, found);
    assert_true(cycles != as_gto && cycles != as_lrr);
    for (uint32_t k = 0u; k < 2u; k++) { /* each kernel begins with Monitor */
        assert_int_equal(found_of(&found[k]), found_of(&greedy[k]));
        assert_true(found_of(&turns[k]) > found_of(&found[k]));
    }
}

/* Cycles in Lazy, and those whose order is not that of the phase. */
static uint32_t lazy, late;

static void see_order(void *self, struct gpu *g, uint64_t t)
{
    const uint32_t phase = g->sockets.lcs[0].unit.q.phase;
    const bool in_turn = g->sm[0]->scheduler[0].in_turn != 0u;

    (void)self;
    (void)t;
    lazy += phase == 2u;
    late += in_turn != (phase == 2u);
}

static void the_order_changes_with_the_phase(void **state)
{
    (void)state;
    const struct gpu_config c = machine(WARP_LRR, true);
    const struct gpu_monitor monitor = { .interval = 1u, .sample = see_order };
    struct gpu_kernel_stats found[2];

    lazy = late = 0u;
    (void)run(&c, &monitor, 0u, 120u, found);
    assert_true(lazy > 1000u);
    assert_in_range(late, 1u, 4u); /* a cycle for each change */
}

static void keep_turns(void *self, struct gpu *g, uint64_t t)
{
    (void)self;
    (void)t;
    for (uint32_t i = 0u; i < SMS; i++) {
        sm_policy(g, g->sm[i], WARP_LRR);
    }
}

/* As many CTAs as fit: those in later slots are younger, so turns by age are turns by slot. */
static void when_a_cta_leaves_the_turn_stays_with_the_next_warp(void **state)
{
    (void)state;
    static struct events with, without;
    const struct gpu_config aged = machine(WARP_LRR, true), slots = machine(WARP_LRR, false);
    struct gpu_monitor monitor = events_monitor(&with), plain = events_monitor(&without);
    struct gpu_kernel_stats found[2];

    monitor.interval = 1u;
    monitor.sample = keep_turns;
    const uint64_t cycles = run(&aged, &monitor, 0u, SMS * SLOTS, found);
    assert_int_equal(run(&slots, &plain, 0u, SMS * SLOTS, found), cycles);
    assert_int_equal(with.n, without.n);
    assert_memory_equal(with.event, without.event, with.n * sizeof with.event[0]);
}

static void ready_queues_and_groups_are_refused(void **state)
{
    (void)state;
    struct gpu_config c = machine(WARP_TWO_LEVEL_GTO, true);
    struct fault fault;
    const struct gpu_key *const key = gpu_config_fault(&c, &fault);

    assert_non_null(key);
    assert_string_equal(key->key, "monitor");
    c.lcs.on = false;
    assert_null(gpu_config_fault(&c, &fault));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tnew_is_that_of_a_greedy_scheduler_and_what_follows_is_not),
        cmocka_unit_test(the_order_changes_with_the_phase),
        cmocka_unit_test(when_a_cta_leaves_the_turn_stays_with_the_next_warp),
        cmocka_unit_test(ready_queues_and_groups_are_refused),
    };
    return cmocka_run_group_tests_name("gpu_lcs_monitor", tests, NULL, NULL);
}
