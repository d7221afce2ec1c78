/*
 * Tests of the GPU model's energy: each event costs what the configuration says, static power
 * is paid for the time an SM is powered, and the total is their sum.
 */

#include "gpu_kernel.h"

#include <math.h>

static struct program text;

/* All energies 0, so that a test sees only the one it sets; what happens on the die costs
 * twice. */
static struct gpu_config free_of_charge(void)
{
    struct gpu_config c = gpu_config_standard();
    memset(&c.energy, 0, sizeof c.energy);
    c.energy.node = 28u;
    c.energy.scale = 2.0;
    return c;
}

/* The energy of one CTA of `warps` warps that run `text`; and the cycles it takes. */
static struct gpu_energy energy_of(const struct gpu_config *c, uint32_t warps, uint64_t *cycles)
{
    struct hand_kernel k = kernel_of(&text, 1u, warps);
    struct gpu *const gpu = open_gpu(c, NULL, 0u);
    launch(gpu, &k, 0u);
    const struct gpu_stats *const stats = run_to_end(gpu);
    const struct gpu_energy energy = stats->energy;
    *cycles = stats->cycles;
    gpu_close(gpu);
    return energy;
}

static void assert_near(double got, double expected)
{
    if (fabs(got - expected) > 1e-12 * fabs(expected)) {
        print_error("%.17g instead of %.17g\n", got, expected);
        fail();
    }
}

static void each_event_costs_its_energy(void **state)
{
    (void)state;
    uint64_t cycles;
    const double pj = 2e-12; /* by the scale */
    text.length = text.accesses = 0u;
    emit_free(&text, OP_INTEGER, 5u);
    emit(&text, OP_FP32, R, REGISTER_NONE, 0u)->lanes = 7u;
    (void)emit(&text, OP_FP64, R, R + 1u, 0u);
    (void)emit(&text, OP_SFU, R, REGISTER_NONE, 0u);
    (void)emit(&text, OP_TENSOR, R, REGISTER_NONE, 0u);
    (void)emit(&text, OP_SHARED, R, REGISTER_NONE, 3u);
    (void)emit(&text, OP_LOAD, R, REGISTER_NONE, 2u);
    (void)emit(&text, OP_CONSTANT, R, REGISTER_NONE, 1u);
    (void)emit(&text, OP_TEXTURE, R, REGISTER_NONE, 1u);
    emit_exit(&text);

    struct gpu_config c = free_of_charge();
    c.energy.instruction = 40.0;
    assert_near(energy_of(&c, 2u, &cycles).instruction, 2.0 * 14.0 * 40.0 * pj);
    c = free_of_charge();
    c.energy.registers = 2.0;
    /* 13 results, one of them of 7 lanes, and one register read. */
    assert_near(energy_of(&c, 2u, &cycles).registers,
                2.0 * (12.0 * 32.0 + 7.0 + 32.0) * 2.0 * pj);
    c = free_of_charge();
    c.energy.integer = 1.0;
    c.energy.fp32 = 10.0;
    c.energy.fp64 = 100.0;
    c.energy.sfu = 1000.0;
    c.energy.tensor = 10000.0;
    assert_near(energy_of(&c, 2u, &cycles).arithmetic,
                2.0 * (5.0 * 32.0 + 70.0 + 11100.0 * 32.0) * pj);
    c = free_of_charge();
    c.energy.shared = 200.0;
    assert_near(energy_of(&c, 2u, &cycles).shared, 2.0 * 3.0 * 200.0 * pj);
    c = free_of_charge();
    c.energy.l1 = 250.0;
    assert_near(energy_of(&c, 2u, &cycles).l1, 2.0 * 2.0 * 128.0 * 250.0 * pj);
    c = free_of_charge();
    c.energy.constant = 60.0;
    assert_near(energy_of(&c, 2u, &cycles).constant, 2.0 * 64.0 * 60.0 * pj);
    c = free_of_charge();
    c.energy.texture = 70.0;
    assert_near(energy_of(&c, 2u, &cycles).texture, 2.0 * 128.0 * 70.0 * pj);
}

/* One line is read once: 8 bytes there, 136 back, one lookup, one activate of 2 KB, one read.
 */
static void a_miss_costs_its_way(void **state)
{
    (void)state;
    uint64_t cycles;
    text.length = text.accesses = 0u;
    (void)emit(&text, OP_LOAD, R, REGISTER_NONE, 1u);
    emit_exit(&text);
    struct gpu_config c = free_of_charge();
    c.energy.noc = 50.0;
    c.energy.l2 = 5.0;
    c.energy.dram_activate = 2000.0;
    c.energy.dram_access = 100.0;
    const struct gpu_energy e = energy_of(&c, 1u, &cycles);
    assert_near(e.noc, 2.0 * 144.0 * 50e-12);
    assert_near(e.l2, 2.0 * 128.0 * 5e-12);
    assert_near(e.dram, 4000e-12 + 12800e-12);
    assert_near(e.total, 14400e-12 + 1280e-12 + 16800e-12);
}

static void static_power_is_paid_by_time(void **state)
{
    (void)state;
    uint64_t cycles;
    text.length = text.accesses = 0u;
    emit_free(&text, OP_INTEGER, 100u);
    emit_exit(&text);
    struct gpu_config c = free_of_charge();
    c.energy.sm_static = 1.5;
    c.energy.other_static = 10.0;
    c.energy.dram_static = 8.0;
    const struct gpu_energy e = energy_of(&c, 1u, &cycles);
    const double seconds = (double)cycles / (c.clock.core * 1e6);
    assert_near(e.seconds, seconds);
    assert_near(e.sm_static, c.sm.count * 1.5 * seconds);
    assert_near(e.other_static, 10.0 * seconds);
    assert_near(e.dram_static, 8.0 * seconds);
    assert_near(e.total, (c.sm.count * 1.5 + 18.0) * seconds);
    assert_near(e.edp, e.total * seconds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_event_costs_its_energy),
        cmocka_unit_test(a_miss_costs_its_way),
        cmocka_unit_test(static_power_is_paid_by_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
