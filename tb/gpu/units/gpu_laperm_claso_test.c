/*
 * Tests of CLASO where LaPerm dispatches (rule C-11): kernels of the host are shared out by
 * credits, what CTAs launch takes none, and credits are allocated again when SMs go and come.
 */

#include "gpu/machine.h"
#include "tb/gpu/gpu_kernel.h"

static const enum bind_mode binds[] = { BIND_RR, BIND_TB_PRI, BIND_SMX, BIND_ADAPTIVE };
static const unsigned modes[] = { 0u, GPU_NAIVE, GPU_FUZZ };
enum { SMS = 4, BINDS = 4, MODES = 3, PARENTS = 38, CHILD_CTAS = 60 };
/* SM 0 is paused in between, so that it gets less where nobody has a share. */
enum { PAUSED = 100, DRAINS = 2000, RESUMED = 6000 };

static struct program text;
static struct hand_kernel host, other, child;

static struct gpu_config machine(enum bind_mode bind, uint32_t levels)
{
    struct gpu_config c = small_config();

    c.sm.count = c.cluster.count = SMS;
    c.sm.cta_slots = 2u;
    c.laperm.mode = bind;
    c.claso.active_levels = levels;
    return c;
}

static void make_kernels(void)
{
    text = (struct program){ .length = 0u };
    emit_chain(&text, OP_INTEGER, 100u, 0u);
    emit_exit(&text);
    host = kernel_of(&text, PARENTS, 1u);
    other = kernel_of(&text, PARENTS + 1u, 1u);
    child = kernel_of(&text, CHILD_CTAS, 1u);
}

/* What is done in a run, and what is seen of it. */
static struct {
    enum { NEVER_DRAINS, FOR_GOOD, AGAIN_AND_AGAIN } drains;
    bool group, launched;
    uint32_t launches_at; /* a child is launched when so many CTAs of the host have begun */
    uint32_t on[3][SMS], begun, refused, shown, deals, without, before[SMS];
} now;

static void launch_one(struct gpu *g, uint64_t cycle)
{
    const struct kernel_source source = source_of(&child);
    const struct gpu_child of = {
        .group = now.group, .depth = 1u, .priority = 1u, .sm = 1u, .launched = cycle
    };
    struct fault fault;

    now.launched = true;
    assert_true(gpu_launch_child(g, &source, &of, &fault));
}

static void drain(struct gpu *g, uint64_t cycle)
{
    if (now.drains == FOR_GOOD && cycle == DRAINS) {
        gpu_drain(g, SMS - 1u, true);
        memcpy(now.before, now.on[0], sizeof now.before);
    } else if (now.drains == AGAIN_AND_AGAIN && cycle % 101u == 0u) {
        gpu_drain(g, SMS - 1u, cycle % 202u == 0u && cycle < RESUMED);
    }
}

static void look(void *self, struct gpu *g, uint64_t cycle)
{
    (void)self;
    if (g->sockets.claso != NULL) {
        now.refused += g->sockets.claso->unit.q.consume_error;
        now.refused += g->sockets.claso->unit.q.launch_error;
        now.shown += g->sockets.claso->in.consume_valid;
        now.deals += g->sockets.claso->in.launch_valid && g->sockets.claso->out.launch_ready;
        const struct laperm_state *const q = &g->sockets.laperm->unit.q;
        now.without +=
            q->going && q->level != 0u && !bits_has(g->sockets.claso->out.allow_after, q->to);
    }
    if (cycle == PAUSED) {
        gpu_pause(g, 0u);
    } else if (cycle == RESUMED) {
        gpu_resume(g, 0u);
    }
    drain(g, cycle);
    if (!now.launched && now.begun >= now.launches_at) {
        launch_one(g, cycle);
    }
}

static void note_start(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                       uint64_t cycle)
{
    (void)self;
    (void)cta;
    (void)slot;
    (void)cycle;
    now.on[kernel][sm]++;
    now.begun += kernel == 0u;
}

/* Two kernels of the host, one after the other, and what one of them launches. */
static uint64_t run_in(const struct gpu_config *c, unsigned mode)
{
    const struct gpu_monitor monitor = { .cta_started = note_start,
                                         .interval = 1u,
                                         .sample = look };
    const struct gpu_hooks hooks = { .monitor = &monitor };

    make_kernels();
    memset(now.on, 0, sizeof now.on);
    now.begun = now.refused = now.shown = now.deals = now.without = 0u;
    now.launched = false;
    now.group = c->cdp.groups;
    struct gpu *const g = open_gpu(c, &hooks, mode);
    launch(g, &host, 0u);
    launch(g, &other, 1u);
    const uint64_t cycles = run_to_end(g)->cycles;
    assert_int_equal(host.freed, PARENTS);
    assert_int_equal(other.freed, PARENTS + 1);
    assert_int_equal(child.freed, CHILD_CTAS);
    assert_int_equal(now.refused, 0);
    gpu_close(g);
    return cycles;
}

/* In every mode, all of which give the same. */
static void run_all(const struct gpu_config *c)
{
    const uint64_t cycles = run_in(c, modes[0]);
    uint32_t on[3][SMS];

    memcpy(on, now.on, sizeof on);
    for (uint32_t m = 1u; m < MODES; m++) {
        assert_int_equal(run_in(c, modes[m]), cycles);
        assert_memory_equal(on, now.on, sizeof on);
    }
}

static uint32_t spread(const uint32_t *of)
{
    uint32_t least = of[0], most = of[0];

    for (uint32_t i = 1u; i < SMS; i++) {
        least = of[i] < least ? of[i] : least;
        most = of[i] > most ? of[i] : most;
    }
    return most - least;
}

static void the_hosts_kernels_are_shared_out_and_what_they_launch_is_not(void **state)
{
    (void)state;
    for (uint32_t way = 0u; way < 2u * BINDS; way++) {
        struct gpu_config c = machine(binds[way / 2u], 1u);
        c.cdp.groups = way % 2u != 0u;
        now.drains = NEVER_DRAINS;
        now.launches_at = PARENTS - 2u * SMS; /* SM 1 has hardly a credit left */
        run_all(&c);
        assert_int_equal(spread(now.on[0]), 1);
        assert_int_equal(spread(now.on[1]), 1);
        assert_true(now.without > 0u);
        if (c.laperm.mode == BIND_SMX) {
            assert_int_equal(now.on[2][1], CHILD_CTAS);
        }
        c.claso.active_levels = 0u; /* with the same pause */
        run_all(&c);
        assert_true(spread(now.on[0]) > 1u);
    }
}

static void each_cta_of_the_host_costs_a_credit_and_no_other_does(void **state)
{
    (void)state;
    for (uint32_t way = 0u; way < BINDS; way++) {
        struct gpu_config c = machine(binds[way], 1u);
        c.dispatch.cta_interval = way; /* what shows waits for its turn */
        now.drains = NEVER_DRAINS;
        now.launches_at = 1u;
        (void)run_in(&c, GPU_NAIVE); /* which leaves no cycle out */
        assert_int_equal(now.shown, 2 * PARENTS + 1);
        assert_int_equal(now.deals, 2);
    }
}

static void when_an_sm_goes_the_others_share_what_is_left(void **state)
{
    (void)state;
    for (uint32_t way = 0u; way < BINDS; way++) {
        struct gpu_config c = machine(binds[way], 1u);
        uint32_t left[SMS - 1u], most = 0u, least = PARENTS;
        now.drains = FOR_GOOD;
        now.launches_at = PARENTS / 2u;
        run_all(&c);
        for (uint32_t i = 0u; i < SMS - 1u; i++) {
            left[i] = now.on[0][i] - now.before[i];
            most = left[i] > most ? left[i] : most;
            least = left[i] < least ? left[i] : least;
        }
        assert_in_range(most - least, 0, 1);
        assert_true(most > 1u);
        assert_in_range(now.on[0][SMS - 1u] - now.before[SMS - 1u], 0, 1);
    }
}

/* Also while CTAs are on their way. */
static void when_sms_go_and_come_all_the_time_each_cta_runs_once(void **state)
{
    (void)state;
    for (uint32_t way = 0u; way < 2u * BINDS; way++) {
        struct gpu_config c = machine(binds[way / 2u], 1u + way % 2u);
        c.dispatch.cta_interval = 1u + 20u * (way % 2u);
        c.sm.cta_slots = 8u;
        now.drains = AGAIN_AND_AGAIN;
        now.launches_at = PARENTS / 2u;
        run_all(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hosts_kernels_are_shared_out_and_what_they_launch_is_not),
        cmocka_unit_test(each_cta_of_the_host_costs_a_credit_and_no_other_does),
        cmocka_unit_test(when_an_sm_goes_the_others_share_what_is_left),
        cmocka_unit_test(when_sms_go_and_come_all_the_time_each_cta_runs_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
