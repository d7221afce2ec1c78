/*
 * Tests of sm.active: CTAs go to the first SMs alone, under every policy of the work
 * distributor; the others are gated in every cycle, and nothing switches them on; a machine
 * whose SMs are all active is the machine without the key.
 */

#include "tb/gpu/gpu_events.h"

#include <math.h>
#include <string.h>

static const unsigned modes[] = { 0u, GPU_NAIVE, GPU_FUZZ, GPU_NO_SKIP, GPU_STEP_ALL };
#define FOR_EACH_MODE(mode) \
    for (const unsigned *mode = modes; mode != modes + sizeof modes / sizeof *modes; mode++)

enum { SMS = 6, CTAS = 50 };

static struct program text;
static struct events events;

static struct gpu_config machine(uint32_t active)
{
    struct gpu_config c = small_config();
    c.sm.count = SMS;
    c.sm.active = active;
    c.cluster.count = 3u;
    c.sm.cta_slots = 2u;
    return c;
}

static struct hand_kernel kernel(void)
{
    text = (struct program){ .length = 0u };
    emit_chain(&text, OP_LOAD, 3u, 1u);
    emit_chain(&text, OP_INTEGER, 20u, 0u);
    emit_exit(&text);
    return kernel_of(&text, CTAS, 1u);
}

/* What the run came to; before: called before it. */
static struct gpu_energy run(const struct gpu_config *c, unsigned mode,
                             void (*before)(struct gpu *g), struct gpu_sm_stats sm[SMS],
                             uint64_t *cycles)
{
    const struct gpu_monitor monitor = events_monitor(&events);
    const struct gpu_hooks hooks = { .monitor = &monitor };
    struct gpu *const g = open_gpu(c, &hooks, mode);
    struct hand_kernel k = kernel();
    launch(g, &k, 0u);
    if (before != NULL) {
        before(g);
    }
    const struct gpu_stats *const s = run_to_end(g);
    const struct gpu_energy energy = s->energy;
    memcpy(sm, s->sm, SMS * sizeof *sm);
    *cycles = s->cycles;
    gpu_close(g);
    return energy;
}

static void ctas_go_to_the_first_sms_alone_under_every_policy(void **state)
{
    (void)state;
    struct gpu_sm_stats sm[SMS];
    uint64_t cycles;
    for (uint32_t active = 1u; active <= SMS; active++) {
        for (uint32_t policy = 0u; policy < 5u; policy++) {
            FOR_EACH_MODE(mode)
            {
                struct gpu_config c = machine(active);
                uint64_t ended = 0u;
                c.dispatch.policy = policy;
                (void)run(&c, *mode, NULL, sm, &cycles);
                for (uint32_t i = 0u; i < SMS; i++) {
                    ended += sm[i].ctas;
                    assert_int_equal(sm[i].ctas != 0u, i < active);
                    assert_int_equal(sm[i].gated, i < active ? 0u : cycles);
                }
                assert_int_equal(ended, CTAS);
            }
        }
    }
}

static void gate_by_hand(struct gpu *g)
{
    for (uint32_t i = 2u; i < SMS; i++) {
        gpu_drain(g, i, true);
        assert_true(gpu_gate(g, i, true));
    }
}

static void sms_that_are_not_active_are_as_those_gated_before_the_run(void **state)
{
    (void)state;
    const struct gpu_config all = machine(0u), two = machine(2u);
    struct gpu_sm_stats by_hand[SMS], by_key[SMS];
    uint64_t cycles[2];
    FOR_EACH_MODE(mode)
    {
        (void)run(&all, *mode, gate_by_hand, by_hand, &cycles[0]);
        (void)run(&two, *mode, NULL, by_key, &cycles[1]);
        assert_int_equal(cycles[0], cycles[1]);
        assert_memory_equal(by_hand, by_key, sizeof by_hand);
    }
}

static void wake_all(struct gpu *g)
{
    for (uint32_t i = 0u; i < SMS; i++) {
        assert_int_equal(gpu_gate(g, i, false), i < 2u);
        gpu_drain(g, i, false);
    }
}

static void an_sm_that_is_not_active_cannot_be_switched_on(void **state)
{
    (void)state;
    const struct gpu_config c = machine(2u);
    struct gpu_sm_stats plain[SMS], woken[SMS];
    uint64_t cycles[2];
    (void)run(&c, 0u, NULL, plain, &cycles[0]);
    (void)run(&c, 0u, wake_all, woken, &cycles[1]);
    assert_int_equal(cycles[0], cycles[1]);
    assert_memory_equal(plain, woken, sizeof plain);
}

static void all_sms_active_is_the_machine_without_the_key(void **state)
{
    (void)state;
    const struct gpu_config none = machine(0u), all = machine(SMS);
    struct gpu_sm_stats a[SMS], b[SMS];
    uint64_t cycles[2];
    FOR_EACH_MODE(mode)
    {
        const struct gpu_energy one = run(&none, *mode, NULL, a, &cycles[0]);
        const struct gpu_energy other = run(&all, *mode, NULL, b, &cycles[1]);
        assert_int_equal(cycles[0], cycles[1]);
        assert_memory_equal(a, b, sizeof a);
        assert_memory_equal(&one, &other, sizeof one);
    }
}

/* The rest of the machine costs what it does, for as long as the run takes. */
static void sms_that_are_not_active_have_no_static_power(void **state)
{
    (void)state;
    struct gpu_sm_stats sm[SMS];
    uint64_t cycles;
    for (uint32_t active = 1u; active <= SMS; active++) {
        const struct gpu_config c = machine(active);
        const struct gpu_energy energy = run(&c, 0u, NULL, sm, &cycles);
        const double seconds = (double)cycles * 1e-6 / c.clock.core;
        assert_true(fabs(energy.sm_static / (seconds * c.energy.sm_static) - active) < 1e-6);
        assert_true(fabs(energy.dram_static / (seconds * c.energy.dram_static) - 1.0) < 1e-6);
    }
}

static void more_active_sms_than_there_are_is_refused(void **state)
{
    (void)state;
    struct gpu_config c = machine(SMS + 1u);
    struct fault fault;
    const struct gpu_key *const key = gpu_config_fault(&c, &fault);
    assert_non_null(key);
    assert_string_equal(key->key, "active");
    assert_string_equal(fault_text(&fault), "7 is more than sm.count; allowed: at most 6");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ctas_go_to_the_first_sms_alone_under_every_policy),
        cmocka_unit_test(sms_that_are_not_active_are_as_those_gated_before_the_run),
        cmocka_unit_test(an_sm_that_is_not_active_cannot_be_switched_on),
        cmocka_unit_test(all_sms_active_is_the_machine_without_the_key),
        cmocka_unit_test(sms_that_are_not_active_have_no_static_power),
        cmocka_unit_test(more_active_sms_than_there_are_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
