/*
 * Tests of LaPerm in the running GPU: the schedules of its paper's examples, TB by TB; children
 * that do not fit on chip; SMs that drain. Slots, groups and memory: gpu_slots_test.c.
 */

#include "gpu_plan.h"

#include <stdio.h>

enum { NONE = INT32_MAX };
static const unsigned modes[] = { 0u, GPU_NAIVE, GPU_FUZZ };

/* ---- The paper's examples ------------------------------------------------------------ */

/* On 4 SMXs of one TB each. TBs of the host's kernel are P, those of the launches A, B and so
 * on: "P3", "A0". A round of 4 after the other, "-": none. */
enum { ROUNDS = 6 };
struct schedule {
    enum bind_mode mode;
    uint32_t parents;
    struct child child[2];
    const char *round[ROUNDS];
    bool soon; /* the second comes before any SM has looked: only groups do */
};

/* Fig 4: P2 launches C0 and C1, here A0 and A1, P4 C2 to C5, here B0 to B3. */
#define FIG_4 .parents = 8u, .child = { { 0u, 2u, 2u }, { 0u, 4u, 4u } }
static const struct schedule schedules[] = {
    { BIND_RR, FIG_4, .round = { "P0 P1 P2 P3", "P4 P5 P6 P7", "A0 A1 B0 B1", "B2 B3 - -" } },
    { BIND_TB_PRI, FIG_4,
      .round = { "P0 P1 P2 P3", "A0 A1 P4 P5", "B0 B1 B2 B3", "P6 P7 - -" } },
    { BIND_SMX, FIG_4,
      .round = { "P0 P1 P2 P3", "P4 P5 A0 P6", "B0 P7 A1 -", "B1 - - -", "B2 - - -",
                 "B3 - - -" } },
    { BIND_ADAPTIVE, FIG_4,
      .round = { "P0 P1 P2 P3", "P4 P5 A0 P6", "B0 P7 A1 B1", "B2 B3 - -" } },
    /* Two SMs without work: the first choice of a backup, and one record for each. */
    { BIND_ADAPTIVE, .parents = 4u, .child = { { 0u, 2u, 5u }, { 0u, 0u, 5u } },
      .round = { "P0 P1 P2 P3", "B0 A0 A1 B1", "B2 A2 A3 B3", "B4 A4 - -" }, .soon = true },
    /* A record is kept, and what a stolen TB launches goes where that runs. */
    { BIND_ADAPTIVE, .parents = 4u, .child = { { 0u, 0u, 8u }, { 1u, 2u, 3u } },
      .round = { "P0 P1 P2 P3", "A0 A1 A2 A3", "A4 A5 B0 A6", "A7 B1 B2 -" } },
};

static void check_round(const struct schedule *s, uint32_t round, const uint32_t *place)
{
    char got[WIDTH * 8u] = "";

    for (uint32_t sm = 0u; sm < WIDTH; sm++) {
        const uint32_t event = place[sm * ROUNDS + round];
        char name[16] = "-";
        if (event != NONE) {
            const uint32_t kernel = plan_events.event[event].kernel;
            const char letter = (char)(kernel == 0u               ? 'P'
                                       : plan.kernel[0] == kernel ? 'A'
                                                                  : 'B');
            (void)snprintf(name, sizeof name, "%c%" PRIu32, letter,
                           plan_events.event[event].cta);
        }
        (void)snprintf(got + strlen(got), sizeof got - strlen(got), "%s%s", sm == 0u ? "" : " ",
                       name);
    }
    assert_string_equal(got, s->round[round] != NULL ? s->round[round] : "- - - -");
}

/* TBs are equally long: an SM's round is how many have started on it before, or, if it was
 * without work, when others started. */
static void check_schedule(const struct schedule *s, uint64_t length)
{
    uint32_t place[WIDTH * ROUNDS];
    const uint64_t first = plan_events.event[0].cycle;

    for (uint32_t k = 0u; k < WIDTH * ROUNDS; k++) {
        place[k] = NONE;
    }
    for (uint32_t k = 0u; k < plan_events.n; k++) {
        const struct cta_event *const e = &plan_events.event[k];
        if (e->start) {
            const uint64_t round = (e->cycle - first + length / 2u) / length;
            assert_true(round < ROUNDS);
            assert_int_equal(place[e->sm * ROUNDS + round], NONE);
            place[e->sm * ROUNDS + round] = k;
        }
    }
    for (uint32_t round = 0u; round < ROUNDS; round++) {
        check_round(s, round, place);
    }
}

static void the_examples_of_the_paper_are_met_in_the_loop(void **state)
{
    (void)state;
    set_program(400u);
    for (size_t k = 0u; k < sizeof schedules / sizeof schedules[0]; k++) {
        const struct schedule *const s = &schedules[k];
        struct gpu_config c = plan_config(s->mode, WIDTH, 1u);
        const uint64_t length = cycles_of(&c, &plan_program, 1u);
        for (size_t m = 0u; m < 2u * (sizeof modes / sizeof modes[0]); m++) {
            c.cdp.groups = m % 2u == 0u;
            if (c.cdp.groups || !s->soon) {
                check_once(run_plan(&c, s->parents, s->child, 2u, modes[m / 2u]));
                check_schedule(s, length);
            }
        }
    }
}

/* LaPerm II.B: 100 TBs on 13 SMXs of 3 each; TB 17, on SMX4, ends first. */
static void the_baseline_fills_the_sm_that_has_room_first(void **state)
{
    const struct gpu_config c = plan_config(BIND_RR, 13u, 3u);
    struct program shorter = { .length = 0u };
    struct hand_kernel kernel;
    struct gpu_monitor monitor = events_monitor(&plan_events);
    const struct gpu_hooks hooks = { .monitor = &monitor };

    (void)state;
    set_program(400u);
    emit_chain(&shorter, OP_INTEGER, 40u, 0u);
    emit_exit(&shorter);
    kernel = kernel_of(&plan_program, 100u, 1u);
    kernel.special = &shorter;
    kernel.special_cta = 17u;
    struct gpu *const g = open_gpu(&c, &hooks, 0u);
    launch(g, &kernel, 0u);
    (void)run_to_end(g);
    for (uint32_t k = 0u; k < 39u; k++) {
        assert_int_equal(sm_of(&plan_events, 0u, k), k % 13u);
    }
    assert_int_equal(sm_of(&plan_events, 0u, 39u), 4u);
    assert_true(start_of_cta(&plan_events, 0u, 39u) > end_of_cta(&plan_events, 0u, 17u));
    gpu_close(g);
}

/* ---- Overflow ------------------------------------------------------------------------ */

/* Parents that launch, some of their children too. Returns the launches. */
static uint32_t draw_children(uint64_t *random, struct child child[PLAN_KERNELS - 1],
                              uint32_t parents)
{
    uint32_t n = 0u;

    for (uint32_t k = 0u; k < parents && n + 2u < PLAN_KERNELS - 1u; k++) {
        child[n++] = (struct child){ 0u, k, 1u + random_below(random, 4u) };
    }
    return n;
}

static void nothing_is_lost_where_little_fits_on_chip(void **state)
{
    uint64_t random = printed_seed();
    struct child child[PLAN_KERNELS - 1];

    (void)state;
    for (uint32_t run = 0u; run < 40u; run++) {
        const enum bind_mode mode = (enum bind_mode)(BIND_RR + run % 4u);
        struct gpu_config c =
            plan_config(mode, 1u + random_below(&random, 5u), 1u + random_below(&random, 3u));
        uint64_t cycles = 0u;
        c.laperm.entries = 1u + random_below(&random, 3u);
        c.laperm.levels = 1u + random_below(&random, 3u);
        c.cdp.groups = random_below(&random, 2u) != 0u;
        c.cluster.request_queue = 1u + random_below(&random, 8u);
        c.dispatch.kernels = 1u + 10u * random_below(&random, 4u);
        set_program(1u + random_below(&random, 60u));
        const uint32_t parents = 1u + random_below(&random, 40u);
        const uint32_t n = draw_children(&random, child, parents);
        for (size_t m = 0u; m < sizeof modes / sizeof modes[0]; m++) {
            const struct gpu_stats *const stats = run_plan(&c, parents, child, n, modes[m]);
            check_once(stats);
            assert_true(cycles == 0u || cycles == stats->cycles);
            cycles = stats->cycles;
            for (uint32_t k = 0u; mode == BIND_SMX && k < plan_events.n; k++) {
                const struct cta_event *const e = &plan_events.event[k];
                assert_true(e->kernel == 0u || stats->kernel[e->kernel].sm == e->sm);
            }
        }
    }
}

/* ---- SMs that drain ------------------------------------------------------------------ */

static uint64_t refused, gated;

static void drain_zero(void *self, struct gpu *g, uint64_t cycle)
{
    plan_launch(self, g, cycle);
    if (plan.done[0] && gated == 0u) {
        gpu_drain(g, 0u, true);
        if (gpu_gate(g, 0u, true)) {
            gated = cycle;
        } else {
            refused++;
        }
    }
}

/* CTA 0 of 8 launches a kernel of 3 CTAs on SM 0 of 2, which drains then. */
static struct gpu *run_draining(enum bind_mode mode)
{
    static const struct child child = { 0u, 0u, 3u };
    const struct gpu_config c = plan_config(mode, 2u, 1u);
    struct gpu_monitor monitor = events_monitor(&plan_events);
    const struct gpu_hooks hooks = { .monitor = &monitor };

    set_program(200u);
    monitor.interval = 1u;
    monitor.sample = drain_zero;
    memset(&plan, 0, sizeof plan);
    refused = gated = 0u;
    plan.child = &child;
    plan.n = 1u;
    plan_hand[0] = kernel_of(&plan_program, 8u, 1u);
    struct gpu *const g = open_gpu(&c, &hooks, 0u);
    launch(g, &plan_hand[0], 0u);
    check_once(run_to_end(g));
    for (uint32_t k = 1u; k < 8u; k++) {
        assert_int_equal(sm_of(&plan_events, 0u, k), 1u);
    }
    return g;
}

static void what_is_bound_to_an_sm_that_drains_still_goes_there(void **state)
{
    (void)state;
    for (enum bind_mode mode = BIND_SMX; mode <= BIND_ADAPTIVE; mode++) {
        struct gpu *const g = run_draining(mode);
        for (uint32_t k = 0u; k < 3u && mode == BIND_SMX; k++) {
            assert_int_equal(sm_of(&plan_events, 1u, k), 0u);
        }
        assert_int_equal(sm_of(&plan_events, 1u, 0u), 0u);
        assert_true(refused > 0u);
        assert_true(mode != BIND_SMX /* which is the cycle after it */
                    || gated + 1u >= end_of_cta(&plan_events, 1u, 2u));
        gpu_close(g);
    }
}

static void with_rr_and_tb_pri_an_sm_that_drains_gets_nothing(void **state)
{
    (void)state;
    for (enum bind_mode mode = BIND_RR; mode <= BIND_TB_PRI; mode++) {
        struct gpu *const g = run_draining(mode);
        for (uint32_t k = 0u; k < 3u; k++) {
            assert_int_equal(sm_of(&plan_events, 1u, k), 1u);
        }
        assert_true(gated > 0u);
        gpu_close(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples_of_the_paper_are_met_in_the_loop),
        cmocka_unit_test(the_baseline_fills_the_sm_that_has_room_first),
        cmocka_unit_test(nothing_is_lost_where_little_fits_on_chip),
        cmocka_unit_test(what_is_bound_to_an_sm_that_drains_still_goes_there),
        cmocka_unit_test(with_rr_and_tb_pri_an_sm_that_drains_gets_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
