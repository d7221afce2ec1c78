/*
 * Tests of LaPerm in the running GPU: the schedules of its paper's examples, TB by TB; children
 * that do not fit on chip; groups; SMs that drain. Children are launched from a sample after
 * the cycle in which their parent starts.
 */

#include "gpu_events.h"

#include <stdio.h>

enum { KERNELS = 48, NONE = INT32_MAX, WIDTH = 4 /* SMXs of the examples */ };
static const unsigned modes[] = { 0u, GPU_NAIVE, GPU_FUZZ };

/* ---- Launches ------------------------------------------------------------------------ */

/* A CTA of a kernel that launches, and how many CTAs. */
struct child {
    uint32_t parent, cta, ctas;
};
static struct {
    const struct child *child;
    uint32_t n;    /* launches */
    uint32_t turn; /* a launch is made in cycles of which this is the rest, of WIDTH */
    bool done[KERNELS];
    uint32_t kernel[KERNELS]; /* of each launch */
    uint32_t depth[KERNELS];  /* of each kernel */
} plan;

static struct program program;
static struct hand_kernel hand[KERNELS];
static struct events events;

static void launch_child(struct gpu *g, uint32_t which, uint32_t sm, uint64_t cycle)
{
    const uint32_t id = gpu_kernels(g), parent = plan.child[which].parent;
    const uint32_t depth = plan.depth[parent] + 1u;
    struct fault fault;

    assert_true(id < KERNELS);
    hand[id] = kernel_of(&program, plan.child[which].ctas, 1u);
    plan.depth[id] = depth;
    plan.kernel[which] = id;
    plan.done[which] = true;
    const struct kernel_source source = source_of(&hand[id]);
    const struct gpu_child child = {
        .parent = parent, .depth = depth, .priority = depth, .sm = sm, .launched = cycle
    };
    assert_true(gpu_launch_child(g, &source, &child, &fault));
}

/* The event of a CTA's start; NULL if it has not started. */
static const struct cta_event *started(uint32_t kernel, uint32_t cta)
{
    for (uint32_t i = 0u; i < events.n; i++) {
        const struct cta_event *const e = &events.event[i];
        if (e->start && e->kernel == kernel && e->cta == cta) {
            return e;
        }
    }
    return NULL;
}

/* In the order of the plan. The parent's number there is that of its launch, and 1 more; the
 * host's kernel is 0. */
static void launch_children(void *self, struct gpu *g, uint64_t cycle)
{
    (void)self;
    for (uint32_t k = 0u; cycle % WIDTH == plan.turn && k < plan.n; k++) {
        const struct cta_event *const e =
            plan.done[k] ? NULL : started(plan.child[k].parent, plan.child[k].cta);
        if (e != NULL) {
            launch_child(g, k, e->sm, cycle);
        }
    }
}

static struct gpu_config config_of(enum bind_mode mode, uint32_t sms, uint32_t slots)
{
    struct gpu_config c = small_config();

    c.sm.count = c.cluster.count = sms;
    c.sm.cta_slots = slots;
    c.laperm.mode = mode;
    return c;
}

/* Runs parents and what they launch. The statistics are valid until the next call. */
static const struct gpu_stats *run_plan(const struct gpu_config *c, uint32_t parents,
                                        const struct child *child, uint32_t n, unsigned mode)
{
    static struct gpu *g;
    struct gpu_monitor monitor = events_monitor(&events);
    const struct gpu_hooks hooks = { .monitor = &monitor };

    monitor.interval = 1u;
    monitor.sample = launch_children;
    memset(&plan, 0, sizeof plan);
    plan.child = child;
    plan.n = n;
    plan.turn = 0u; /* then those of a round are launched in one cycle */
    hand[0] = kernel_of(&program, parents, 1u);
    gpu_close(g);
    g = open_gpu(c, &hooks, mode);
    launch(g, &hand[0], 0u);
    return run_to_end(g);
}

static void set_program(uint32_t length)
{
    program = (struct program){ .length = 0u };
    emit_chain(&program, OP_INTEGER, length, 0u);
    emit_exit(&program);
}

/* Each CTA of each kernel ran, once. */
static void check_once(const struct gpu_stats *stats)
{
    uint32_t ctas = 0u;

    for (uint32_t k = 0u; k < stats->n_kernel; k++) {
        assert_int_equal(hand[k].opened, hand[k].shape.grid[0]);
        assert_int_equal(hand[k].freed, hand[k].opened);
        ctas += hand[k].opened;
    }
    assert_int_equal(events.n, 2u * ctas);
}

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
            const uint32_t kernel = events.event[event].kernel;
            const char letter = (char)(kernel == 0u               ? 'P'
                                       : plan.kernel[0] == kernel ? 'A'
                                                                  : 'B');
            (void)snprintf(name, sizeof name, "%c%" PRIu32, letter, events.event[event].cta);
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
    const uint64_t first = events.event[0].cycle;

    for (uint32_t k = 0u; k < WIDTH * ROUNDS; k++) {
        place[k] = NONE;
    }
    for (uint32_t k = 0u; k < events.n; k++) {
        const struct cta_event *const e = &events.event[k];
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
        struct gpu_config c = config_of(s->mode, WIDTH, 1u);
        const uint64_t length = cycles_of(&c, &program, 1u);
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
    const struct gpu_config c = config_of(BIND_RR, 13u, 3u);
    struct program shorter = { .length = 0u };
    struct hand_kernel kernel;
    struct gpu_monitor monitor = events_monitor(&events);
    const struct gpu_hooks hooks = { .monitor = &monitor };

    (void)state;
    set_program(400u);
    emit_chain(&shorter, OP_INTEGER, 40u, 0u);
    emit_exit(&shorter);
    kernel = kernel_of(&program, 100u, 1u);
    kernel.special = &shorter;
    kernel.special_cta = 17u;
    struct gpu *const g = open_gpu(&c, &hooks, 0u);
    launch(g, &kernel, 0u);
    (void)run_to_end(g);
    for (uint32_t k = 0u; k < 39u; k++) {
        assert_int_equal(sm_of(&events, 0u, k), k % 13u);
    }
    assert_int_equal(sm_of(&events, 0u, 39u), 4u);
    assert_true(start_of_cta(&events, 0u, 39u) > end_of_cta(&events, 0u, 17u));
    gpu_close(g);
}

/* ---- Overflow ------------------------------------------------------------------------ */

/* Parents that launch, some of their children too. Returns the launches. */
static uint32_t draw_children(uint64_t *random, struct child child[KERNELS - 1],
                              uint32_t parents)
{
    uint32_t n = 0u;

    for (uint32_t k = 0u; k < parents && n + 2u < KERNELS - 1u; k++) {
        child[n++] = (struct child){ 0u, k, 1u + random_below(random, 4u) };
    }
    return n;
}

static void nothing_is_lost_where_little_fits_on_chip(void **state)
{
    uint64_t random = printed_seed();
    struct child child[KERNELS - 1];

    (void)state;
    for (uint32_t run = 0u; run < 40u; run++) {
        const enum bind_mode mode = (enum bind_mode)(BIND_RR + run % 4u);
        struct gpu_config c =
            config_of(mode, 1u + random_below(&random, 5u), 1u + random_below(&random, 3u));
        uint64_t cycles = 0u;
        c.laperm.entries = 1u + random_below(&random, 3u);
        c.laperm.levels = 1u + random_below(&random, 3u);
        c.cdp.groups = random_below(&random, 2u) != 0u;
        set_program(1u + random_below(&random, 60u));
        const uint32_t parents = 1u + random_below(&random, 40u);
        const uint32_t n = draw_children(&random, child, parents);
        for (size_t m = 0u; m < sizeof modes / sizeof modes[0]; m++) {
            const struct gpu_stats *const stats = run_plan(&c, parents, child, n, modes[m]);
            check_once(stats);
            assert_true(cycles == 0u || cycles == stats->cycles);
            cycles = stats->cycles;
            for (uint32_t k = 0u; mode == BIND_SMX && k < events.n; k++) {
                const struct cta_event *const e = &events.event[k];
                assert_true(e->kernel == 0u || stats->kernel[e->kernel].sm == e->sm);
            }
        }
    }
}

/* ---- Groups -------------------------------------------------------------------------- */

static void a_group_without_a_like_kernel_takes_the_path_of_kernels(void **state)
{
    static const struct child child = { 0u, 0u, 2u };
    struct gpu_config c = config_of(BIND_TB_PRI, 2u, 2u);

    (void)state;
    set_program(2000u);
    c.dispatch.launch_latency = 500u;
    c.cdp.groups = true;
    /* The same function: it joins. */
    const struct gpu_stats *stats = run_plan(&c, 2u, &child, 1u, 0u);
    const uint64_t joined = stats->kernel[1].first_cta - stats->kernel[1].launched;
    assert_true(joined < 20u);
    /* Its parent is of another shape: it does not. */
    c.cdp.groups = false;
    stats = run_plan(&c, 2u, &child, 1u, 0u);
    const uint64_t alone = stats->kernel[1].first_cta - stats->kernel[1].launched;
    /* And the search for another, and its way through the queues. */
    assert_in_range(alone, joined + 500u, joined + 520u);
}

static void a_group_keeps_the_slot_of_its_kernel(void **state)
{
    static const struct child child = { 0u, 0u, 6u };
    struct gpu_config c = config_of(BIND_SMX, 2u, 1u);
    struct hand_kernel later;
    struct gpu_monitor monitor = events_monitor(&events);
    const struct gpu_hooks hooks = { .monitor = &monitor };

    (void)state;
    set_program(200u);
    c.dispatch.kernels = 1u;
    c.cdp.groups = true;
    monitor.interval = 1u;
    monitor.sample = launch_children;
    memset(&plan, 0, sizeof plan);
    plan.child = &child;
    plan.n = 1u;
    hand[0] = kernel_of(&program, 2u, 1u);
    later = kernel_of(&program, 1u, 1u);
    struct gpu *const g = open_gpu(&c, &hooks, 0u);
    launch(g, &hand[0], 0u);
    launch(g, &later, 1u);
    (void)run_to_end(g);
    /* The other SM has room all the time, but the slot is the group's until its last CTA. */
    assert_int_equal(plan.kernel[0], 2u);
    assert_true(start_of_cta(&events, 1u, 0u) > end_of_cta(&events, 2u, 5u));
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
        struct gpu_config c = config_of(cases[k].mode, 2u, 1u);
        c.dispatch.kernels = 1u;
        check_once(run_plan(&c, 2u, child, 4u, 0u));
        for (uint32_t i = 1u; i < 4u; i++) {
            assert_true(events.started[plan.kernel[cases[k].order[i - 1u]]]
                        < events.started[plan.kernel[cases[k].order[i]]]);
        }
    }
}

/* ---- SMs that drain ------------------------------------------------------------------ */

static uint64_t refused, gated;

static void drain_zero(void *self, struct gpu *g, uint64_t cycle)
{
    launch_children(self, g, cycle);
    if (plan.done[0] && gated == 0u) {
        gpu_drain(g, 0u, true);
        if (gpu_gate(g, 0u, true)) {
            gated = cycle;
        } else {
            refused++;
        }
    }
}

static void what_is_bound_to_an_sm_that_drains_still_goes_there(void **state)
{
    static const struct child child = { 0u, 0u, 3u };
    const struct gpu_config c = config_of(BIND_SMX, 2u, 1u);
    struct gpu_monitor monitor = events_monitor(&events);
    const struct gpu_hooks hooks = { .monitor = &monitor };

    (void)state;
    set_program(200u);
    monitor.interval = 1u;
    monitor.sample = drain_zero;
    memset(&plan, 0, sizeof plan);
    refused = gated = 0u;
    plan.child = &child;
    plan.n = 1u;
    hand[0] = kernel_of(&program, 8u, 1u);
    struct gpu *const g = open_gpu(&c, &hooks, 0u);
    launch(g, &hand[0], 0u);
    check_once(run_to_end(g));
    for (uint32_t k = 0u; k < 3u; k++) {
        assert_int_equal(sm_of(&events, 1u, k), 0u);
    }
    assert_true(refused > 0u);
    assert_true(gated + 1u >= end_of_cta(&events, 1u, 2u)); /* which is the cycle after it */
    for (uint32_t k = 1u; k < 8u; k++) {
        assert_int_equal(sm_of(&events, 0u, k), 1u);
    }
    gpu_close(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples_of_the_paper_are_met_in_the_loop),
        cmocka_unit_test(the_baseline_fills_the_sm_that_has_room_first),
        cmocka_unit_test(nothing_is_lost_where_little_fits_on_chip),
        cmocka_unit_test(a_group_without_a_like_kernel_takes_the_path_of_kernels),
        cmocka_unit_test(a_group_keeps_the_slot_of_its_kernel),
        cmocka_unit_test(kernels_that_wait_for_a_slot_take_turns_by_sm),
        cmocka_unit_test(what_is_bound_to_an_sm_that_drains_still_goes_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
