/*
 * Tests of what a CTA takes of an SM, and of how many an SM has room for: the thesis's table,
 * NVIDIA's own calculation, and registers that are left over in the parts of a register file.
 */

#include "gpu/config/gpu_config_file.h"
#include "gpu/dispatch/occupancy.h"
#include "tb/gpu/gpu_events.h"

static struct program chain;
static struct events events;

static struct gpu_config machine(uint32_t slots)
{
    struct gpu_config c = small_config();

    c.sm.cta_slots = slots;
    return c;
}

/* The most CTAs of the kernel that an SM has at once. */
static uint32_t held(const struct gpu_config *c, struct hand_kernel *kernel)
{
    const struct gpu_monitor monitor = events_monitor(&events);
    const struct gpu_hooks hooks = { .monitor = &monitor };
    const struct hand_kernel *const kernels[] = { kernel };
    struct gpu *const g = open_gpu(c, &hooks, 0u);

    launch(g, kernel, 0u);
    (void)run_to_end(g);
    gpu_close(g);
    return events_check_resources(&events, c, kernels);
}

static int make_program(void **state)
{
    (void)state;
    emit_chain(&chain, OP_INTEGER, 100u, 0u);
    emit_exit(&chain);
    return 0;
}

/* ---- Occupancy ----------------------------------------------------------------------- */
static void occupancies_are_those_of_the_published_table(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t register_bytes, threads, fermi, kepler;
    } rows[] = {
        { "BP-1", 12288, 256, 6, 8 },   { "BP-2", 24576, 256, 5, 8 },
        { "B+-1", 24576, 256, 5, 8 },   { "B+-2", 20480, 256, 6, 8 },
        { "CFD", 39936, 192, 3, 6 },    { "Gaus", 1536, 16, 8, 16 },
        { "LUD", 16384, 256, 6, 8 },    { "Hot", 36864, 256, 3, 6 },
        { "Path", 16384, 256, 6, 8 },   { "NN", 16384, 256, 6, 8 },
        { "SRAD-1", 12288, 256, 6, 8 }, { "SRAD-2", 12288, 256, 6, 8 },
        { "SRAD-3", 16384, 256, 6, 8 }, { "SRAD-4", 20480, 256, 6, 8 },
        { "SRAD-5", 20480, 256, 6, 8 }, { "SRAD-6", 12288, 256, 6, 8 },
    };
    for (uint32_t n = 0u; n < 32u; n++) {
        const bool kepler = n >= 16u;
        struct gpu_config c = machine(kepler ? 16u : 8u);
        c.sm.registers = kepler ? 65536u : 32768u;
        c.sm.register_granule = kepler ? 256u : 64u;
        c.sm.warp_slots = kepler ? 64u : 48u;
        c.sm.threads = kepler ? 2048u : 1536u;
        struct hand_kernel k = kernel_of(&chain, 40u, 1u);
        k.shape.block[0] = rows[n % 16u].threads;
        k.shape.registers = rows[n % 16u].register_bytes / 4u / rows[n % 16u].threads;
        const uint32_t expected = kepler ? rows[n % 16u].kepler : rows[n % 16u].fermi;
        const char *limit = NULL;
        assert_int_equal(gpu_occupancy(&c, &k.shape, &limit), expected);
        assert_non_null(limit);
        assert_int_equal(held(&c, &k), expected);
    }
}

static void each_resource_limits_occupancy_and_is_named(void **state)
{
    (void)state;
    const char *limit = "";
    struct gpu_config c = machine(8u);
    struct kernel_shape s = kernel_of(&chain, 1u, 2u).shape;
    assert_int_equal(gpu_occupancy(&c, &s, &limit), 8u);
    assert_string_equal(limit, "CTA slots");
    c.sm.warp_slots = 9u;
    assert_int_equal(gpu_occupancy(&c, &s, &limit), 4u);
    assert_string_equal(limit, "warp slots");
    c.sm.threads = 223u;
    assert_int_equal(gpu_occupancy(&c, &s, &limit), 3u);
    assert_string_equal(limit, "threads");
    s.shared_bytes = c.sm.shared_bytes / 2u;
    assert_int_equal(gpu_occupancy(&c, &s, &limit), 2u);
    assert_string_equal(limit, "shared memory");
    s.registers = c.sm.registers / 64u;
    assert_int_equal(gpu_occupancy(&c, &s, &limit), 1u);
    assert_string_equal(limit, "registers");
}

/* Computed with cuda_occupancy.h of CUDA 13.0, with the carve-out that has the most shared
 * memory. */
static void occupancies_are_those_of_nvidias_calculation(void **state)
{
    (void)state;
    static const uint32_t threads[] = { 32, 96, 128, 192, 320, 1024 };
    static const uint32_t registers[] = { 24, 37, 52, 72, 128 };
    static const uint32_t shared[] = { 0, 10001 };
    static const struct {
        const char *gpu;
        uint32_t ctas[6][10];
    } rows[] = {
        { "k20x",
          { { 16, 16, 16, 16, 16, 4, 4, 4, 4, 4 },
            { 16, 16, 12, 9, 5, 4, 4, 4, 4, 4 },
            { 16, 12, 9, 7, 4, 4, 4, 4, 4, 4 },
            { 10, 8, 6, 4, 2, 4, 4, 4, 4, 2 },
            { 6, 4, 3, 2, 1, 4, 4, 3, 2, 1 },
            { 2, 1, 1, 0, 0, 2, 1, 1, 0, 0 } } },
        { "v100",
          { { 32, 32, 32, 28, 16, 9, 9, 9, 9, 9 },
            { 21, 16, 12, 9, 5, 9, 9, 9, 9, 5 },
            { 16, 12, 9, 7, 4, 9, 9, 9, 7, 4 },
            { 10, 8, 6, 4, 2, 9, 8, 6, 4, 2 },
            { 6, 4, 3, 2, 1, 6, 4, 3, 2, 1 },
            { 2, 1, 1, 0, 0, 2, 1, 1, 0, 0 } } },
        { "a100",
          { { 32, 32, 32, 28, 16, 15, 15, 15, 15, 15 },
            { 21, 16, 12, 9, 5, 15, 15, 12, 9, 5 },
            { 16, 12, 9, 7, 4, 15, 12, 9, 7, 4 },
            { 10, 8, 6, 4, 2, 10, 8, 6, 4, 2 },
            { 6, 4, 3, 2, 1, 6, 4, 3, 2, 1 },
            { 2, 1, 1, 0, 0, 2, 1, 1, 0, 0 } } },
        { "h100",
          { { 32, 32, 32, 28, 16, 20, 20, 20, 20, 16 },
            { 21, 16, 12, 9, 5, 20, 16, 12, 9, 5 },
            { 16, 12, 9, 7, 4, 16, 12, 9, 7, 4 },
            { 10, 8, 6, 4, 2, 10, 8, 6, 4, 2 },
            { 6, 4, 3, 2, 1, 6, 4, 3, 2, 1 },
            { 2, 1, 1, 0, 0, 2, 1, 1, 0, 0 } } },
    };
    for (uint32_t n = 0u; n < 240u; n++) {
        const uint32_t row = n / 10u % 6u, column = n % 10u;
        struct gpu_config c;
        struct fault fault;
        const char *limit;
        const struct kernel_shape s = { .grid = { 1u, 1u, 1u },
                                        .block = { threads[row], 1u, 1u },
                                        .registers = registers[column % 5u],
                                        .shared_bytes = shared[column / 5u] };
        assert_true(gpu_config_load(rows[n / 60u].gpu, &c, &fault));
        assert_int_equal(gpu_occupancy(&c, &s, &limit), rows[n / 60u].ctas[row][column]);
    }
}

/* ---- What a CTA takes ---------------------------------------------------------------- */

/* A part of a register file of 1024 has 512, which is room for two warps of 192, and 128 are
 * left over. */
static void registers_that_no_warp_can_have_count_as_taken(void **state)
{
    (void)state;
    struct gpu_config c = machine(8u);
    struct hand_kernel k = kernel_of(&chain, 12u, 1u);

    c.sm.registers = 1024u;
    k.shape.registers = 6u;
    assert_int_equal(cta_takes(&c, &k.shape).registers, 192u);
    assert_int_equal(held(&c, &k), 5u);
    c.sm.subpartitions = 2u;
    assert_int_equal(cta_takes(&c, &k.shape).registers, 205u); /* five of them are 1025 */
    assert_int_equal(held(&c, &k), 4u);
}

static void shared_memory_is_rounded_up_with_what_is_reserved(void **state)
{
    (void)state;
    struct gpu_config c = machine(8u);
    struct hand_kernel k = kernel_of(&chain, 12u, 1u);

    c.sm.shared_bytes = 4096u;
    c.sm.shared_granule = 256u;
    assert_int_equal(cta_takes(&c, &k.shape).shared_bytes, 0u);
    assert_int_equal(held(&c, &k), 8u);
    k.shape.shared_bytes = 513u;
    assert_int_equal(cta_takes(&c, &k.shape).shared_bytes, 768u);
    assert_int_equal(held(&c, &k), 5u);
    c.sm.shared_reserved = 1024u;
    assert_int_equal(cta_takes(&c, &k.shape).shared_bytes, 1792u);
    assert_int_equal(held(&c, &k), 2u);
    k.shape.shared_bytes = 0u;
    assert_int_equal(held(&c, &k), 4u);
}

/* As many CTAs as occupancy says can be taken from the file one after the other, and not one
 * more. */
static void an_sm_is_full_when_occupancy_says_so(void **state)
{
    (void)state;
    for (uint32_t parts = 1u; parts <= 8u; parts++) {
        for (uint32_t registers = 0u; registers < 256u; registers++) {
            for (uint32_t warps = 1u; warps <= 32u; warps++) {
                struct gpu_config c = machine(32u);
                const struct kernel_shape s = { .block = { 32u * warps, 1u, 1u },
                                                .registers = registers };
                const char *limit = "";
                c.sm.registers = 65536u;
                c.sm.warp_slots = 64u;
                c.sm.threads = 2048u;
                c.sm.subpartitions = parts;
                const uint32_t fit = gpu_occupancy(&c, &s, &limit);
                if (fit != 0u) {
                    const uint32_t takes = cta_takes(&c, &s).registers;
                    const bool full = strcmp(limit, "registers") == 0;
                    assert_in_range(takes, 1u, c.sm.registers / fit);
                    assert_true(!full || c.sm.registers / takes == fit);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(occupancies_are_those_of_the_published_table),
        cmocka_unit_test(each_resource_limits_occupancy_and_is_named),
        cmocka_unit_test(occupancies_are_those_of_nvidias_calculation),
        cmocka_unit_test(registers_that_no_warp_can_have_count_as_taken),
        cmocka_unit_test(shared_memory_is_rounded_up_with_what_is_reserved),
        cmocka_unit_test(an_sm_is_full_when_occupancy_says_so),
    };
    return cmocka_run_group_tests(tests, make_program, NULL);
}
