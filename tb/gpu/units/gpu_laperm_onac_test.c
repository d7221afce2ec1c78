/*
 * Tests of ONAC and Seq-Det where LaPerm dispatches (rule O-15): what CTAs launch begins no
 * detection and ends one, and goes to SMs that are switched off only as long as they are on.
 */

#include "gpu/machine.h"
#include "tb/gpu/gpu_kernel.h"

static const enum bind_mode binds[] = { BIND_RR, BIND_TB_PRI, BIND_SMX, BIND_ADAPTIVE };
static const unsigned modes[] = { 0u, GPU_NAIVE, GPU_FUZZ };
enum { SMS = 4, BINDS = 4, MODES = 3, PARENTS = 300, CHILD_CTAS = 6 };

static struct program slow, text;
static struct hand_kernel host, child;

static struct gpu_config machine(enum bind_mode bind, enum detect_mode detect)
{
    struct gpu_config c = small_config();

    c.sm.count = c.cluster.count = SMS;
    c.laperm.mode = bind;
    c.onac.mode = detect;
    c.onac.waves = 1u;
    return c;
}

/* The host's is as fast as the only L2 slice, which is busy with the atomics of one SM. */
static void make_kernels(bool alike)
{
    slow = text = (struct program){ .length = 0u };
    for (uint32_t k = 0u; k < 4u; k++) {
        (void)emit(&slow, OP_ATOMIC, R + k, REGISTER_NONE, 1u);
    }
    emit_chain(&slow, OP_INTEGER, 10u, 0u); /* what a CTA that was paused has still to do */
    emit_exit(&slow);
    host = kernel_of(&slow, PARENTS, 4u);
    host.turns = 8u;
    emit_chain(&text, OP_INTEGER, 300u, 0u);
    emit_exit(&text);
    child = kernel_of(alike ? &slow : &text, CHILD_CTAS, alike ? 4u : 1u);
    child.turns = host.turns;
}

/* When the child is launched, and from which SM; and where its CTAs have run. */
enum moment { NEVER_LAUNCHED, IN_DETECTION, AFTER_IT, FROM_AN_SM_LEFT_OUT };
static struct {
    enum moment moment;
    bool group, launched;
    uint32_t from, on[SMS], waited;
} now;

static uint32_t its_sm(const struct gpu *g)
{
    const struct detection *const d = &g->detection;
    const bool found = g->kernel_stats[0].detection.sms != 0u;

    switch (now.moment) {
    case IN_DETECTION:
        return !found && bits_any(d->held) ? 0u : SMS;
    case AFTER_IT:
        return found ? 0u : SMS;
    case FROM_AN_SM_LEFT_OUT: /* which still has CTAs, since it was paused */
        return bits_has(d->left_out, SMS - 1u) && g->sm[SMS - 1u]->cta_used != 0u ? SMS - 1u
                                                                                  : SMS;
    case NEVER_LAUNCHED:
    default:
        return SMS;
    }
}

static void look(void *self, struct gpu *g, uint64_t cycle)
{
    (void)self;
    for (uint32_t i = 0u; i < SMS; i++) {
        const bool waits = laperm_waits(&g->sockets.laperm->unit, i);
        assert_false(g->sm[i]->gated && (waits || g->sm[i]->cta_used != 0u));
        now.waited += waits && g->sm[i]->draining;
    }
    now.from = now.launched ? now.from : its_sm(g);
    if (!now.launched && now.from != SMS) {
        const struct kernel_source source = source_of(&child);
        const struct gpu_child of = {
            .group = now.group, .depth = 1u, .priority = 1u, .sm = now.from, .launched = cycle
        };
        struct fault fault;
        now.launched = true;
        assert_true(gpu_launch_child(g, &source, &of, &fault));
    }
}

static void note_start(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                       uint64_t cycle)
{
    (void)self;
    (void)cta;
    (void)slot;
    (void)cycle;
    now.on[sm] += kernel != 0u;
}

/* What has been counted of the host's kernel. */
static struct gpu_kernel_stats run_in(const struct gpu_config *c, enum moment moment,
                                      unsigned mode, uint64_t *cycles, uint64_t *gated)
{
    const struct gpu_monitor monitor = { .cta_started = note_start,
                                         .interval = 1u,
                                         .sample = look };
    const struct gpu_hooks hooks = { .monitor = &monitor };

    make_kernels(c->cdp.groups); /* a group joins the host's */
    memset(&now, 0, sizeof now);
    now.moment = moment;
    now.group = c->cdp.groups;
    struct gpu *const g = open_gpu(c, &hooks, mode);
    launch(g, &host, 0u);
    const struct gpu_stats *const s = run_to_end(g);
    const struct gpu_kernel_stats first = s->kernel[0];
    assert_int_equal(host.freed, PARENTS);
    assert_int_equal(child.freed, moment == NEVER_LAUNCHED ? 0 : CHILD_CTAS);
    assert_int_equal(now.launched, moment != NEVER_LAUNCHED);
    if (now.launched) {
        assert_int_equal(s->kernel[1].detection.sms, 0); /* it is not detected */
        assert_int_equal(s->kernel[1].joined, c->cdp.groups);
    }
    *cycles = s->cycles;
    *gated = s->sm[SMS - 1u].gated;
    gpu_close(g);
    return first;
}

/* In every mode, all of which give the same. */
static struct gpu_kernel_stats run_all(const struct gpu_config *c, enum moment moment,
                                       uint64_t *gated)
{
    uint64_t cycles, again, gated_again;
    const struct gpu_kernel_stats first = run_in(c, moment, modes[0], &cycles, gated);

    for (uint32_t m = 1u; m < MODES; m++) {
        const struct gpu_kernel_stats k = run_in(c, moment, modes[m], &again, &gated_again);
        assert_int_equal(again, cycles);
        assert_int_equal(gated_again, *gated);
        assert_int_equal(k.detection.sms, first.detection.sms);
        assert_int_equal(k.detection.cycles, first.detection.cycles);
    }
    return first;
}

#define FOR_ALL(c)                                                                        \
    for (uint32_t way = 0u; way < 2u * BINDS; way++)                                      \
        for (struct gpu_config                                                            \
                 c = machine(binds[way / 2u], way % 2u == 0u ? DETECT_ONAC : DETECT_SEQ), \
                 *once = &c;                                                              \
             once != NULL; once = NULL)

static void a_kernel_that_memory_holds_up_gets_fewer_sms_with_laperm_too(void **state)
{
    (void)state;
    FOR_ALL(c)
    {
        uint64_t gated;
        const struct gpu_kernel_stats k = run_all(&c, NEVER_LAUNCHED, &gated);
        assert_in_range(k.detection.sms, 1, SMS - 1);
        assert_false(k.detection.aborted);
        assert_true(gated > 0u);
    }
}

static void what_a_cta_launches_leaves_a_result_as_it_is(void **state)
{
    (void)state;
    FOR_ALL(c)
    {
        uint64_t gated;
        const struct gpu_kernel_stats alone = run_all(&c, NEVER_LAUNCHED, &gated);
        const struct gpu_kernel_stats k = run_all(&c, AFTER_IT, &gated);
        assert_int_equal(k.detection.sms, alone.detection.sms);
        assert_int_equal(k.detection.cycles, alone.detection.cycles);
        assert_int_equal(now.on[SMS - 1u], 0);
        assert_true(gated > 0u);
    }
}

static void what_a_cta_launches_ends_a_detection_with_all_sms(void **state)
{
    (void)state;
    for (uint32_t groups = 0u; groups < 2u; groups++) {
        FOR_ALL(c)
        {
            uint64_t gated;
            c.cdp.groups = groups != 0u;
            const struct gpu_kernel_stats k = run_all(&c, IN_DETECTION, &gated);
            assert_int_equal(k.detection.sms, SMS);
            assert_true(k.detection.aborted);
            assert_int_equal(gated, 0);
        }
    }
}

static void an_sm_to_which_something_is_bound_is_not_gated_by_a_result(void **state)
{
    (void)state;
    FOR_ALL(c)
    {
        uint64_t gated;
        c.sm.cta_slots = 1u; /* so that what is bound waits */
        c.dispatch.launch_latency = 0u;
        (void)run_all(&c, FROM_AN_SM_LEFT_OUT, &gated);
        assert_true(gated > 0u);
        if (c.laperm.mode == BIND_SMX) {
            assert_int_equal(now.on[SMS - 1u], CHILD_CTAS);
            assert_true(now.waited > 0u);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_that_memory_holds_up_gets_fewer_sms_with_laperm_too),
        cmocka_unit_test(what_a_cta_launches_leaves_a_result_as_it_is),
        cmocka_unit_test(what_a_cta_launches_ends_a_detection_with_all_sms),
        cmocka_unit_test(an_sm_to_which_something_is_bound_is_not_gated_by_a_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
