/*
 * Tests of ONAC and Seq-Det in the GPU's loop: kernels whose IPC grows with the SMs or does
 * not, what becomes of SMs that are not needed, and who is not detected at all. Each run is
 * made in every mode, and all of them count the same.
 */

#include "tb/gpu/gpu_kernel.h"
#include "tb/gpu/gpu_watch.h"

static const unsigned modes[] = { 0u, GPU_NAIVE, GPU_FUZZ, GPU_NO_SKIP, GPU_STEP_ALL };

enum { SMS = 4 };

static struct program text;

static struct gpu_config machine(enum detect_mode mode)
{
    struct gpu_config c = small_config();

    c.sm.count = SMS;
    c.cluster.count = SMS;
    c.onac.mode = mode;
    c.onac.waves = 1u;
    return c;
}

/* ---- Kernels --------------------------------------------------------------------------- */

/* As fast as there are SMs. */
static struct hand_kernel arithmetic(uint32_t ctas)
{
    text = (struct program){ .length = 0u };
    emit_chain(&text, OP_INTEGER, 100u, 0u);
    emit_exit(&text);
    return kernel_of(&text, ctas, 1u);
}

/* As fast as the only L2 slice, which is busy with the atomics of one SM. */
static struct hand_kernel memory(uint32_t ctas)
{
    text = (struct program){ .length = 0u };
    for (uint32_t k = 0u; k < 4u; k++) {
        (void)emit(&text, OP_ATOMIC, R + k, REGISTER_NONE, 1u);
    }
    emit_exit(&text);
    struct hand_kernel kernel = kernel_of(&text, ctas, 4u);
    kernel.turns = 8u;
    return kernel;
}

/* ---- Runs ------------------------------------------------------------------------------ */

struct result {
    uint64_t cycles, detection_cycles;
    uint32_t sms; /* of the last kernel */
    bool aborted;
    uint64_t instructions[SMS], gated[SMS], paused[SMS];
    double joules;
};

static struct result run_in(const struct gpu_config *c, struct hand_kernel *kernels, uint32_t n,
                            bool at_once, unsigned mode)
{
    struct gpu *const g = open_gpu(c, NULL, mode);
    struct result r = { .cycles = 0u };

    for (uint32_t k = 0u; k < n; k++) {
        launch(g, &kernels[k], at_once ? k : 0u);
    }
    const struct gpu_stats *const s = run_to_end(g);
    r.cycles = s->cycles;
    r.joules = s->energy.total;
    r.sms = s->kernel[n - 1u].detection.sms;
    r.detection_cycles = s->kernel[n - 1u].detection.cycles;
    r.aborted = s->kernel[n - 1u].detection.aborted;
    for (uint32_t sm = 0u; sm < SMS; sm++) {
        r.instructions[sm] = s->sm[sm].warp_instructions;
        r.gated[sm] = s->sm[sm].gated;
        r.paused[sm] = s->sm[sm].paused;
    }
    gpu_close(g);
    return r;
}

/* In every mode, all of which give the same. */
static struct result run_all(const struct gpu_config *c, struct hand_kernel *kernels,
                             uint32_t n, bool at_once)
{
    const struct result first = run_in(c, kernels, n, at_once, modes[0]);

    for (size_t k = 1u; k < sizeof modes / sizeof modes[0]; k++) {
        const struct result again = run_in(c, kernels, n, at_once, modes[k]);
        assert_int_equal(again.cycles, first.cycles);
        assert_int_equal(again.detection_cycles, first.detection_cycles);
        assert_int_equal(again.sms, first.sms);
        assert_int_equal(again.aborted, first.aborted);
        assert_memory_equal(again.instructions, first.instructions, sizeof first.instructions);
        assert_memory_equal(again.gated, first.gated, sizeof first.gated);
        assert_memory_equal(again.paused, first.paused, sizeof first.paused);
        assert_true(again.joules == first.joules);
    }
    return first;
}

static struct result run_one(const struct gpu_config *c, struct hand_kernel kernel)
{
    return run_all(c, &kernel, 1u, false);
}

#define FOR_BOTH(mode) for (enum detect_mode mode = DETECT_ONAC; mode <= DETECT_SEQ; mode++)

/* ---- Results --------------------------------------------------------------------------- */

static void a_kernel_that_grows_with_the_sms_gets_all_of_them(void **state)
{
    (void)state;
    FOR_BOTH(mode)
    {
        const struct gpu_config c = machine(mode);
        const struct result r = run_one(&c, arithmetic(400u));
        assert_int_equal(r.sms, SMS);
        assert_false(r.aborted);
        assert_int_not_equal(r.paused[SMS - 1u], 0u); /* for the samples of fewer */
        for (uint32_t sm = 0u; sm < SMS; sm++) {
            assert_int_equal(r.gated[sm], 0u);
        }
    }
}

static void a_kernel_that_memory_holds_up_gets_fewer_and_the_rest_is_gated(void **state)
{
    (void)state;
    const struct gpu_config off = machine(DETECT_OFF);
    const struct result all = run_one(&off, memory(400u));

    assert_int_equal(all.sms, 0u);
    FOR_BOTH(mode)
    {
        struct gpu_config c = machine(mode);
        const struct result r = run_one(&c, memory(400u));
        assert_in_range(r.sms, 1, SMS - 1);
        assert_false(r.aborted);
        assert_in_range(r.detection_cycles, 1, r.cycles);
        for (uint32_t sm = 0u; sm < SMS; sm++) {
            assert_true(sm < r.sms ? r.gated[sm] == 0u : r.gated[sm] > 0u);
            assert_int_not_equal(r.instructions[sm], 0u);
        }
        assert_in_range(r.cycles, 1, all.cycles + all.cycles / 10u);
        c.onac.gate = false;
        const struct result powered = run_one(&c, memory(400u));
        assert_int_equal(powered.sms, r.sms);
        assert_int_equal(powered.cycles, r.cycles);
        assert_int_equal(powered.gated[SMS - 1u], 0u);
        assert_true(r.joules < powered.joules);
    }
}

static void with_detection_switched_off_nothing_of_it_is_there(void **state)
{
    (void)state;
    const struct gpu_config off = machine(DETECT_OFF);
    const struct gpu_unit unit = { &onac_type, SOCKET_onac, GPU_WHOLE };

    assert_false(gpu_unit_there(&unit, &off));
    const struct result r = run_one(&off, arithmetic(100u));
    assert_int_equal(r.sms, 0u);
    assert_int_equal(r.paused[SMS - 1u], 0u);
}

/* ---- Without a result ------------------------------------------------------------------ */

static void a_grid_that_is_too_small_runs_on_all_sms_to_its_end(void **state)
{
    (void)state;
    FOR_BOTH(mode)
    {
        const struct gpu_config c = machine(mode);
        for (uint32_t ctas = 1u; ctas < 120u; ctas += 7u) { /* it ends in any sample */
            const struct result r = run_one(&c, memory(ctas));
            assert_in_range(r.sms, 1, SMS);
            assert_true(!r.aborted || r.sms == SMS);
            assert_true(r.aborted || ctas > 30u);
        }
    }
}

static struct program long_text;

static const struct program *longer_and_longer(uint32_t cta)
{
    return cta < 150u ? &text : &long_text;
}

/* The sample of all SMs is of CTAs that are short, the next one of CTAs ten times as long. */
static void a_window_that_is_too_long_ends_the_detection(void **state)
{
    (void)state;
    FOR_BOTH(mode)
    {
        struct gpu_config c = machine(mode);
        struct hand_kernel kernel = arithmetic(1200u);
        long_text = (struct program){ .length = 0u };
        emit_chain(&long_text, OP_INTEGER, 1000u, 0u);
        emit_exit(&long_text);
        kernel.of_cta = longer_and_longer;
        const struct result waits = run_one(&c, kernel);
        assert_false(waits.aborted);
        c.onac.window_limit = 4u;
        const struct result r = run_one(&c, kernel);
        assert_int_equal(r.sms, SMS);
        assert_true(r.aborted);
        assert_in_range(r.detection_cycles, 1, waits.detection_cycles - 1u);
    }
}

static const struct program *first_share_is_short(uint32_t cta)
{
    return cta < 38u ? &text : &long_text;
}

/* The first SM's share of the grid ends before its window closes, and the SMs that have CTAs
 * left are paused: nothing happens any more in the GPU, for longer than it may hang. */
static void a_window_in_which_nothing_happens_any_more_ends_the_detection(void **state)
{
    struct gpu_config c = machine(DETECT_ONAC);
    struct hand_kernel kernel = arithmetic(38u * SMS);

    (void)state;
    long_text = (struct program){ .length = 0u };
    emit_chain(&long_text, OP_INTEGER, 1000u, 0u);
    emit_exit(&long_text);
    kernel.of_cta = first_share_is_short;
    c.sm.cta_slots = 8u;
    c.limit.watchdog = 2000u;
    c.dispatch.policy = DISPATCH_DISTRIBUTED;
    const struct result r = run_one(&c, kernel);
    assert_int_equal(r.sms, SMS);
    assert_true(r.aborted);
    assert_int_not_equal(r.paused[SMS - 1u], 0u);
}

/* ---- Who is not detected --------------------------------------------------------------- */

static void a_cooperative_kernel_gets_all_sms(void **state)
{
    (void)state;
    const struct gpu_config c = machine(DETECT_ONAC);
    struct hand_kernel kernel = memory(16u);

    kernel.shape.cooperative = true;
    const struct result r = run_one(&c, kernel);
    assert_int_equal(r.sms, 0u);
    assert_int_equal(r.paused[SMS - 1u], 0u);
}

static void kernels_at_once_get_all_sms(void **state)
{
    (void)state;
    struct gpu_config c = machine(DETECT_ONAC);
    struct hand_kernel kernels[2];

    c.dispatch.kernels = 2u;
    kernels[0] = memory(200u);
    kernels[1] = kernels[0];
    const struct result r = run_all(&c, kernels, 2u, true);
    assert_int_equal(r.sms, 0u);
    assert_int_equal(r.gated[SMS - 1u], 0u);
}

static void the_next_kernel_begins_on_all_sms(void **state)
{
    (void)state;
    FOR_BOTH(mode)
    {
        const struct gpu_config c = machine(mode);
        struct hand_kernel kernels[2];
        kernels[0] = memory(400u);
        kernels[1] = kernels[0];
        const struct result one = run_all(&c, kernels, 1u, false);
        const struct result two = run_all(&c, kernels, 2u, false);
        assert_in_range(two.sms, 1, SMS - 1);
        for (uint32_t sm = 0u; sm < SMS; sm++) {
            assert_true(two.instructions[sm] > one.instructions[sm]);
        }
    }
}

/* ---- What whoever watches it is shown -----------------------------------------------------
 */

/* Whoever follows the detector runs what is left out, with the inputs of the last cycle. */
static struct onac twin;
static struct onac_in shown;
static uint64_t clock_of_twin, digest, given;

static void add(uint64_t value)
{
    digest = (digest ^ value) * UINT64_C(1099511628211);
}

static void run_twin(void)
{
    struct onac_out out;
    struct onac_next next;

    onac_eval(&twin, &shown, &out, &next);
    onac_tick(&twin, &next);
    add(shown.restart);
    add(shown.started);
    add(shown.exhausted);
    add(shown.completed);
    add(shown.acks.word[0]);
    add(shown.answers.word[0]);
    add(shown.sample);
    add(twin.q.state);
    add(twin.q.cycles);
    add(twin.q.sum);
    add(twin.q.number);
    clock_of_twin++;
}

static bool follow(void *seat, const void *unit, const void *in, void *out, const void *next,
                   uint64_t gpu_cycle)
{
    (void)seat;
    (void)out;
    (void)next;
    if (given++ == 0u) {
        twin = *(const struct onac *)unit;
        clock_of_twin = gpu_cycle;
    }
    while (clock_of_twin < gpu_cycle) {
        run_twin();
    }
    shown = *(const struct onac_in *)in;
    run_twin();
    return true;
}

static uint64_t followed(const struct gpu_config *c, struct hand_kernel kernel, unsigned mode)
{
    struct gpu_watch watch = { .socket = SOCKET_onac, .evaluated = follow, .follows = true };
    const struct gpu_peer peer = gpu_watch_peer(&watch);
    const struct gpu_hooks hooks = { .peer = &peer };
    struct gpu *const g = open_gpu(c, &hooks, mode);

    given = digest = 0u;
    shown = (struct onac_in){ .restart = false };
    launch(g, &kernel, 0u);
    const uint64_t end = run_to_end(g)->cycles;
    while (clock_of_twin <= end) {
        run_twin();
    }
    gpu_close(g);
    return digest;
}

static void who_watches_is_shown_the_same_whatever_is_left_out(void **state)
{
    (void)state;
    FOR_BOTH(mode)
    {
        const struct gpu_config c = machine(mode);
        const uint64_t each = followed(&c, memory(400u), GPU_STEP_ALL);
        const uint64_t cycles = given;
        assert_int_equal(followed(&c, memory(400u), 0u), each);
        assert_in_range(given, 1u, cycles / 3u);
    }
}

/* ---- Beside other schedulers ------------------------------------------------------------ */

static void credits_are_allocated_again_over_the_sms_that_are_left(void **state)
{
    (void)state;
    struct gpu_config c = machine(DETECT_ONAC);

    c.claso.active_levels = 1u;
    for (uint32_t policy = DISPATCH_TWO_LEVEL_RR; policy <= DISPATCH_DISTRIBUTED; policy++) {
        c.dispatch.policy = (enum dispatch_policy)policy;
        const struct result r = run_one(&c, memory(400u));
        assert_in_range(r.sms, 1, SMS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_that_grows_with_the_sms_gets_all_of_them),
        cmocka_unit_test(a_kernel_that_memory_holds_up_gets_fewer_and_the_rest_is_gated),
        cmocka_unit_test(with_detection_switched_off_nothing_of_it_is_there),
        cmocka_unit_test(a_grid_that_is_too_small_runs_on_all_sms_to_its_end),
        cmocka_unit_test(a_window_that_is_too_long_ends_the_detection),
        cmocka_unit_test(a_window_in_which_nothing_happens_any_more_ends_the_detection),
        cmocka_unit_test(a_cooperative_kernel_gets_all_sms),
        cmocka_unit_test(kernels_at_once_get_all_sms),
        cmocka_unit_test(the_next_kernel_begins_on_all_sms),
        cmocka_unit_test(who_watches_is_shown_the_same_whatever_is_left_out),
        cmocka_unit_test(credits_are_allocated_again_over_the_sms_that_are_left),
    };
    return cmocka_run_group_tests_name("gpu_onac", tests, NULL, NULL);
}
