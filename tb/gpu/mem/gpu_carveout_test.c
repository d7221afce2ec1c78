/*
 * Tests of an L1 that shares its memory with shared memory (rule W-6): a kernel's L1 has as
 * many lines as what the shared memory of its CTAs leaves, rounded to a carve-out; and when it
 * changes.
 */

#include "gpu/config/carveouts.h"
#include "tb/gpu/gpu_random.h"

enum { KB = 1024, ALL = 128 * KB };

static struct gpu_config volta(void)
{
    struct gpu_config c = small_config();
    c.sm.shared_bytes = 96u * KB;
    c.sm.registers = 65536u;
    c.l1.bytes = ALL - c.sm.shared_bytes;
    c.l1.carveouts = CARVEOUTS_VOLTA;
    return c;
}

/* ---- Sizes ----------------------------------------------------------------------------- */

static void carveouts_are_those_of_the_tuning_guides(void **state)
{
    (void)state;
    static const struct {
        enum l1_carveouts list;
        uint32_t n, sizes[10];
    } lists[] = {
        { CARVEOUTS_VOLTA, 6u, { 0u, 8u, 16u, 32u, 64u, 96u } },
        { CARVEOUTS_AMPERE, 8u, { 0u, 8u, 16u, 32u, 64u, 100u, 132u, 164u } },
        { CARVEOUTS_HOPPER, 10u, { 0u, 8u, 16u, 32u, 64u, 100u, 132u, 164u, 196u, 228u } },
    };
    for (size_t i = 0u; i < sizeof lists / sizeof *lists; i++) {
        uint32_t at = 0u;
        for (uint32_t bytes = 0u; at < lists[i].n; bytes++) {
            assert_int_equal(carveout_of(lists[i].list, bytes), lists[i].sizes[at] * KB);
            at += bytes == lists[i].sizes[at] * KB ? 1u : 0u;
        }
        assert_int_equal(carveout_most(lists[i].list), lists[i].sizes[at - 1u] * KB);
    }
    assert_int_equal(carveout_most(CARVEOUTS_NONE), 0u);
}

/* ---- One kernel ------------------------------------------------------------------------ */

/* Lines 0 to n - 1, again and again. */
static uint32_t in_turn(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    (void)cta;
    (void)warp;
    return ACCESS(i % (uint32_t)k->parameter, 15u);
}

/* Misses of a warp that reads n lines twice, one after the other, in a CTA with so much shared
 * memory. */
static uint64_t misses(const struct gpu_config *c, uint32_t n, uint32_t shared)
{
    static struct program text;
    text = (struct program){ .length = 0u };
    for (uint32_t k = 0u; k < n / 32u * 2u; k++) {
        (void)emit(&text, OP_LOAD, R, R, 32u);
    }
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, 1u, 1u);
    k.shape.shared_bytes = shared;
    k.access = in_turn;
    k.parameter = n;
    return run_alone(c, &k).sm.l1_miss;
}

/* As many lines as there are stay; of 32 more, each in a set of its own, the line used longest
 * ago is always the one that comes next. */
static void a_kernel_has_the_lines_that_its_ctas_leave(void **state)
{
    (void)state;
    static const struct {
        uint32_t slots, shared, carveout; /* KB */
    } rows[] = {
        { 1u, 0u, 0u },        { 1u, 1u, 8u },
        { 1u, 8u * KB, 8u },   { 1u, 8u * KB + 1u, 16u },
        { 1u, 40u * KB, 64u }, { 1u, 96u * KB, 96u },
        { 8u, 0u, 0u },        { 8u, 1u * KB, 8u },
        { 8u, 3u * KB, 32u },  { 4u, 8u * KB, 32u },
        { 8u, 13u * KB, 96u }, { 8u, 17u * KB, 96u }, /* 5 fit */
        { 8u, 20u * KB, 96u }, { 2u, 30u * KB, 64u },
    };
    for (size_t i = 0u; i < sizeof rows / sizeof *rows; i++) {
        struct gpu_config c = volta();
        c.sm.cta_slots = rows[i].slots;
        const uint32_t n = (ALL - rows[i].carveout * KB) / c.l1.line;
        assert_int_equal(misses(&c, n, rows[i].shared), n);
        assert_int_equal(misses(&c, n + 32u, rows[i].shared), n + 32u + 32u * (c.l1.ways + 1u));
        c.l1.carveouts = CARVEOUTS_NONE;
        const uint32_t fixed = c.l1.bytes / c.l1.line;
        assert_int_equal(misses(&c, fixed + 32u, rows[i].shared),
                         fixed + 32u + 32u * (c.l1.ways + 1u));
    }
}

/* What is reserved for a CTA counts. */
static void reserved_shared_memory_is_carved_out_too(void **state)
{
    (void)state;
    struct gpu_config c = volta();
    c.sm.cta_slots = 4u;
    c.sm.shared_reserved = 1u * KB;
    const uint32_t n = (ALL - 8u * KB) / c.l1.line;
    assert_int_equal(misses(&c, n, 0u), n);
    assert_true(misses(&c, n + 32u, 0u) > n + 32u);
}

/* ---- Several kernels ------------------------------------------------------------------- */

/* The first kernel reads n lines twice, and between that lives on for a while; the second one,
 * in a stream of its own, has one CTA with shared memory that ends at once. */
static uint64_t misses_beside(uint32_t n, uint32_t shared, uint32_t second, uint32_t pause)
{
    static struct program reads, ends;
    struct gpu_config c = volta();
    c.sm.cta_slots = 2u;
    c.cdp.flush_l1 = true;
    reads = ends = (struct program){ .length = 0u };
    emit_chain(&reads, OP_SFU, 1u, 0u);
    for (uint32_t k = 0u; k < n / 32u * 2u; k++) {
        if (k == n / 32u) {
            emit_chain(&reads, OP_SFU, pause, 0u);
        }
        (void)emit(&reads, OP_LOAD, R, R, 32u);
    }
    emit_exit(&reads);
    emit_exit(&ends);
    struct hand_kernel first = kernel_of(&reads, 1u, 1u), last = kernel_of(&ends, 1u, 1u);
    first.shape.shared_bytes = shared;
    first.access = in_turn;
    first.parameter = n;
    last.shape.shared_bytes = second;
    struct gpu *const g = open_gpu(&c, NULL, 0u);
    launch(g, &first, 0u);
    launch(g, &last, 1u);
    const uint64_t all = run_to_end(g)->sm[0].l1_miss;
    gpu_close(g);
    return all;
}

/* The second kernel starts while the first reads nothing yet. Beside it, its CTA finds room in
 * the carve-out that is there, or the L1 has less from then on, until the SM is empty. */
static void beside_other_ctas_the_l1_only_shrinks(void **state)
{
    (void)state;
    const uint32_t whole = (ALL - 16u * KB) / 128u;
    /* 2 CTAs of 8 KB: 16 KB. One of 8 KB more fits. */
    assert_int_equal(misses_beside(whole, 8u * KB, 8u * KB, 1u), whole);
    assert_int_equal(misses_beside(whole, 8u * KB, 0u, 1u), whole);
    assert_int_equal(misses_beside(whole + 32u, 8u * KB, 0u, 1u), whole + 32u + 32u * 5u);
    /* With 9 KB there are 17, so the carve-out is 32 KB. */
    const uint32_t less = (ALL - 32u * KB) / 128u;
    assert_int_equal(misses_beside(less, 8u * KB, 9u * KB, 1u), less);
    assert_int_equal(misses_beside(less + 32u, 8u * KB, 9u * KB, 1u), less + 32u + 32u * 5u);
}

/* A CTA reads 32 lines, and again much later. Between that the second CTA of another kernel
 * comes, when a third kernel leaves its slot. */
static uint64_t misses_across(uint32_t shared)
{
    static struct program reads, waits, ends;
    struct gpu_config c = volta();
    c.sm.cta_slots = 3u;
    reads = waits = ends = (struct program){ .length = 0u };
    emit_chain(&reads, OP_SFU, 20u, 0u);
    (void)emit(&reads, OP_LOAD, R, R, 32u);
    emit_chain(&reads, OP_SFU, 400u, 0u);
    (void)emit(&reads, OP_LOAD, R, R, 32u);
    emit_chain(&waits, OP_SFU, 100u, 0u);
    emit_exit(&reads);
    emit_exit(&waits);
    emit_chain(&ends, OP_SFU, 900u, 0u);
    emit_exit(&ends);
    struct hand_kernel first = kernel_of(&reads, 1u, 1u), slot = kernel_of(&waits, 1u, 1u);
    struct hand_kernel last = kernel_of(&ends, 2u, 1u);
    first.shape.shared_bytes = 8u * KB;
    first.access = in_turn;
    first.parameter = 32u;
    last.shape.shared_bytes = shared;
    struct gpu *const g = open_gpu(&c, NULL, 0u);
    launch(g, &first, 0u);
    launch(g, &slot, 1u);
    launch(g, &last, 2u);
    const uint64_t all = run_to_end(g)->sm[0].l1_miss;
    gpu_close(g);
    return all;
}

static void an_l1_that_shrinks_forgets_its_lines(void **state)
{
    (void)state;
    assert_int_equal(misses_across(12u * KB), 32u); /* 8 + 12 + 12 KB: the carve-out has 32 */
    assert_int_equal(misses_across(12u * KB + 1u), 64u);
}

/* The next kernel of a stream finds an empty SM: its L1 is as large as if it were alone. */
static void the_next_kernel_has_an_l1_of_its_own_size(void **state)
{
    (void)state;
    static struct program ends;
    static const uint32_t shared[] = { 0u, 96u * KB, 8u * KB, 96u * KB, 0u };
    struct gpu_config c = volta();
    c.sm.cta_slots = 1u;
    for (uint32_t i = 0u; i + 1u < sizeof shared / sizeof *shared; i++) {
        static struct program reads;
        const uint32_t n = (ALL - shared[i + 1u]) / c.l1.line;
        ends = reads = (struct program){ .length = 0u };
        emit_exit(&ends);
        for (uint32_t k = 0u; k < n / 32u * 2u; k++) {
            (void)emit(&reads, OP_LOAD, R, R, 32u);
        }
        emit_exit(&reads);
        struct hand_kernel before = kernel_of(&ends, 1u, 1u), k = kernel_of(&reads, 1u, 1u);
        before.shape.shared_bytes = shared[i];
        k.shape.shared_bytes = shared[i + 1u];
        k.access = in_turn;
        k.parameter = n;
        struct gpu *const g = open_gpu(&c, NULL, 0u);
        launch(g, &before, 0u);
        launch(g, &k, 0u);
        const struct gpu_stats *const stats = run_to_end(g);
        assert_int_equal(stats->sm[0].l1_miss, n);
        assert_int_equal(stats->kernel[0].l1_bytes, ALL - shared[i]);
        assert_int_equal(stats->kernel[1].l1_bytes, ALL - shared[i + 1u]);
        gpu_close(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carveouts_are_those_of_the_tuning_guides),
        cmocka_unit_test(a_kernel_has_the_lines_that_its_ctas_leave),
        cmocka_unit_test(reserved_shared_memory_is_carved_out_too),
        cmocka_unit_test(beside_other_ctas_the_l1_only_shrinks),
        cmocka_unit_test(an_l1_that_shrinks_forgets_its_lines),
        cmocka_unit_test(the_next_kernel_has_an_l1_of_its_own_size),
    };
    return cmocka_run_group_tests_name("gpu_carveout", tests, NULL, NULL);
}
