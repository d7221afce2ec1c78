/*
 * Constants and textures as real GPUs read them, to the cycle: loads that are operands of other
 * instructions (constant.operands), the second level of the constants' cache
 * (constant.l15_bytes), a turn for each address (constant.by_address), and textures in the L1
 * (texture.in_l1).
 */

#include "gpu_way.h"
#include "tb/gpu/gpu_kernel.h"

static struct program text;

static struct gpu_config operand_config(bool operands)
{
    struct gpu_config c = small_config();
    c.fetch.warps = 4u; /* fetch holds up no issue */
    c.fetch.width = 8u;
    c.constant.operands = operands;
    return c;
}

static void emit_operand(struct program *p, uint32_t dst)
{
    emit(p, OP_CONSTANT, dst, REGISTER_NONE, 1u)->flags = OPERAND;
}

/* Word i of the list is line i * parameter. */
static uint32_t strided(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    (void)cta;
    (void)warp;
    return ACCESS(i * (uint32_t)k->parameter, 1u);
}

/* ---- Operands ------------------------------------------------------------------------ */

/* A load brings line 0; then additions follow each other, each with an operand of that line, or
 * with none. */
static struct outcome additions(const struct gpu_config *c, uint32_t n, bool loads)
{
    text = (struct program){ .length = 0u };
    (void)emit(&text, OP_CONSTANT, R, REGISTER_NONE, 1u);
    (void)emit(&text, OP_FP32, R, R, 0u);
    for (uint32_t k = 0u; k < n; k++) {
        if (loads) {
            emit_operand(&text, R + 1u + k % 3u);
        }
        emit(&text, OP_FP32, R, R, 0u)->src[1] = (uint8_t)(R + 1u + k % 3u);
    }
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, 1u, 1u);
    return run_alone(c, &k);
}

/* An addition of two operands. */
static struct hand_kernel sum_of_two(void)
{
    text = (struct program){ .length = 0u };
    emit_operand(&text, R);
    emit_operand(&text, R + 1u);
    emit(&text, OP_FP32, R + 2u, R, 0u)->src[1] = R + 1u;
    emit_exit(&text);
    return kernel_of(&text, 1u, 1u);
}

static void an_operand_whose_line_is_there_takes_nothing(void **state)
{
    (void)state;
    for (uint32_t n = 1u; n <= 40u; n += 13u) {
        const struct gpu_config c = operand_config(true);
        const struct outcome with = additions(&c, n, true), without = additions(&c, n, false);
        assert_int_equal(with.cycles, without.cycles);
        assert_int_equal(with.sm.warp_instructions, without.sm.warp_instructions);
        assert_int_equal(with.sm.thread_instructions, without.sm.thread_instructions);
        assert_int_equal(with.sm.constant, 1u);
        assert_int_equal(with.sm.constant_hit, n);
        assert_int_equal(with.sm.issued, without.sm.issued);
        assert_int_equal(with.sm.ldst_busy, 1u);
    }
}

static void without_the_key_it_is_a_load(void **state)
{
    (void)state;
    const struct gpu_config c = operand_config(false);
    const struct outcome o = additions(&c, 20u, true);
    assert_int_equal(o.sm.constant, 21u);
    assert_int_equal(o.sm.warp_instructions, 21u + 21u + 1u);
    assert_int_equal(o.sm.ldst_busy, 21u);
    /* Each load waits for the addition that reads its register, three before it. */
    assert_true(o.cycles > additions(&c, 20u, false).cycles + 10u);
}

/* The warp has it when it comes to the SM, before it is fetched. */
static void an_operand_waits_for_its_line(void **state)
{
    (void)state;
    const struct gpu_config c = operand_config(true);
    struct hand_kernel k = sum_of_two();
    const struct outcome o = run_alone(&c, &k);
    const uint64_t asked = way_start(&c) - c.fetch.latency - 1u;
    const uint64_t back = way_answered(&c, asked, ROW_CLOSED, 0u, c.constant.line);
    assert_int_equal(o.cycles, back + c.fp32.latency);
    assert_int_equal(o.sm.warp_instructions, 2u);
    assert_int_equal(o.sm.constant_miss, 1u);
    assert_int_equal(o.sm.constant_merge, 1u);
    assert_int_equal(o.sm.ldst_idle, o.cycles);
    assert_int_equal(o.sm.issued, 2u);
}

/* Two lines, and an MSHR for one. */
static void an_operand_without_an_mshr_is_issued(void **state)
{
    (void)state;
    struct gpu_config c = operand_config(true);
    c.constant.mshrs = 1u;
    struct hand_kernel k = sum_of_two();
    k.access = strided;
    k.parameter = 4u;
    const struct outcome o = run_alone(&c, &k);
    assert_int_equal(o.sm.warp_instructions, 3u);
    assert_int_equal(o.sm.constant, 1u);
    assert_int_equal(o.sm.constant_miss, 2u);
    assert_int_equal(o.sm.ldst_busy, 1u);
    assert_true(o.sm.ldst_mshr > 10u);
}

/* A register that a load still owes is not written by what comes behind it. */
static void an_operand_whose_register_is_owed_is_issued(void **state)
{
    (void)state;
    const struct gpu_config c = operand_config(true);
    text = (struct program){ .length = 0u };
    (void)emit(&text, OP_LOAD, R, REGISTER_NONE, 1u);
    emit_operand(&text, R);
    (void)emit(&text, OP_FP32, R + 2u, R, 0u);
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, 1u, 1u);
    const struct outcome o = run_alone(&c, &k);
    assert_int_equal(o.sm.constant, 1u);
    assert_int_equal(o.sm.warp_instructions, 4u);
}

/* ---- The second level ---------------------------------------------------------------- */

static uint32_t two_lines(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    (void)cta;
    (void)warp;
    return ACCESS(i % 2u * (uint32_t)k->parameter, 1u);
}

enum { HOPS = 50 };

/* A chain of loads in turn from two lines, of which the first level keeps one. */
static struct outcome pointers(const struct gpu_config *c, uint32_t apart)
{
    text = (struct program){ .length = 0u };
    emit_chain(&text, OP_CONSTANT, HOPS, 1u);
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, 1u, 1u);
    k.access = two_lines;
    k.parameter = apart;
    return run_alone(c, &k);
}

static struct gpu_config level_config(uint32_t bytes, uint32_t latency)
{
    struct gpu_config c = small_config();
    c.constant.bytes = c.constant.line;
    c.constant.ways = 1u;
    c.constant.l15_bytes = bytes;
    c.constant.l15_ways = 2u;
    c.constant.l15_latency = latency;
    return c;
}

static void a_hit_in_the_second_level_takes_its_latency(void **state)
{
    (void)state;
    const uint32_t lines[] = { 1u, 2u }; /* of one line of the L2, and of two */
    for (uint32_t latency = 8u; latency <= 255u; latency += 19u) {
        for (uint32_t k = 0u; k < 2u; k++) {
            const struct gpu_config c = level_config(2048u, latency);
            const struct outcome o = pointers(&c, lines[k]);
            const uint64_t access = way_start(&c) + 1u;
            uint64_t t = way_answered(&c, access, ROW_CLOSED, 0u, c.l2.line);
            if (lines[k] == 2u) {
                t = way_answered(&c, t + 1u, ROW_HIT, 0u, c.l2.line);
            }
            assert_int_equal(o.cycles, t + (HOPS - lines[k]) * (1u + latency));
            assert_int_equal(o.sm.constant_miss, HOPS);
            assert_int_equal(o.sm.constant_hit, 0u);
            assert_int_equal(o.l2.miss + o.l2.hit, lines[k]);
            assert_int_equal(o.sm.l1_fill, lines[k]);
            assert_int_equal(o.sm.miss_latency, o.cycles - access - (HOPS - 1u));
        }
    }
}

/* Two lines of one set with one way, and none at all. */
static void what_the_second_level_does_not_keep_comes_from_the_l2(void **state)
{
    (void)state;
    struct gpu_config c = level_config(128u, 20u);
    c.constant.l15_ways = 1u;
    assert_int_equal(c.l2.line, 128u);
    for (uint32_t k = 0u; k < 2u; k++) {
        const struct outcome o = pointers(&c, 2u);
        assert_int_equal(o.l2.hit + o.l2.miss, HOPS);
        assert_int_equal(o.sm.l1_fill, HOPS);
        c.constant.l15_bytes = 0u;
    }
}

static void a_launch_empties_both_levels(void **state)
{
    (void)state;
    const struct gpu_config c = level_config(2048u, 20u);
    text = (struct program){ .length = 0u };
    emit_chain(&text, OP_CONSTANT, HOPS, 1u);
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, 1u, 1u), again = k;
    k.access = again.access = two_lines;
    k.parameter = again.parameter = 2u;
    struct gpu *const g = open_gpu(&c, NULL, 0u);
    launch(g, &k, 0u);
    launch(g, &again, 0u);
    const struct gpu_stats *const s = run_to_end(g);
    assert_int_equal(s->l2[0].miss, 2u);
    assert_int_equal(s->l2[0].hit, 2u);
    gpu_close(g);
}

/* ---- A turn for each address ---------------------------------------------------------- */

/* Words 0 to parameter - 1 of a read are of line 0, the others of line 2. */
static uint32_t turns_of_two_lines(const struct hand_kernel *k, uint32_t cta, uint32_t warp,
                                   uint32_t i)
{
    (void)cta;
    (void)warp;
    return ACCESS(i < k->parameter ? 0u : 2u, 1u);
}

/* A line that is named again takes a turn, and with the key it is not looked up again. */
static void a_line_again_is_a_turn(void **state)
{
    (void)state;
    struct gpu_config c = small_config();
    c.constant.merges = 16u;
    for (uint32_t k = 0u; k < 8u; k++) {
        const uint32_t n = 1u + k / 2u * 5u;
        c.constant.by_address = k % 2u != 0u;
        text = (struct program){ .length = 0u };
        (void)emit(&text, OP_CONSTANT, R, REGISTER_NONE, 2u * n);
        emit_exit(&text);
        struct hand_kernel kernel = kernel_of(&text, 1u, 1u);
        kernel.access = turns_of_two_lines;
        kernel.parameter = n;
        const struct outcome o = run_alone(&c, &kernel);
        assert_int_equal(o.sm.constant, 1u);
        assert_int_equal(o.sm.constant_miss, 2u);
        assert_int_equal(o.sm.constant_hit, 0u);
        assert_int_equal(o.sm.constant_merge, c.constant.by_address ? 0u : 2u * n - 2u);
        assert_int_equal(o.sm.ldst_busy, 2u * n);
    }
}

/* ---- Textures ------------------------------------------------------------------------ */

/* The same chain and the same counts as of loads. */
static void without_a_texture_cache_its_reads_are_loads(void **state)
{
    (void)state;
    struct outcome o[2];
    struct gpu_config c = small_config();
    c.texture.in_l1 = true;
    for (uint32_t k = 0u; k < 2u; k++) {
        text = (struct program){ .length = 0u };
        emit_chain(&text, k == 0u ? OP_TEXTURE : OP_LOAD, 50u, 1u);
        (void)emit(&text, OP_TEXTURE, R, R, 1u);
        emit_exit(&text);
        struct hand_kernel kernel = kernel_of(&text, 1u, 1u);
        o[k] = run_alone(&c, &kernel);
        assert_int_equal(o[k].sm.l1_hit, 50u);
        assert_int_equal(o[k].sm.l1_miss, 1u);
        assert_int_equal(o[k].sm.texture_hit + o[k].sm.texture_miss, 0u);
        assert_int_equal(o[k].sm.texture, k == 0u ? 51u : 1u);
    }
    assert_int_equal(o[0].cycles, o[1].cycles);
    assert_int_equal(o[0].cycles,
                     way_hop(&c, way_start(&c), ROW_CLOSED) + 50u * (1u + c.l1.latency));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_operand_whose_line_is_there_takes_nothing),
        cmocka_unit_test(without_the_key_it_is_a_load),
        cmocka_unit_test(an_operand_waits_for_its_line),
        cmocka_unit_test(an_operand_without_an_mshr_is_issued),
        cmocka_unit_test(an_operand_whose_register_is_owed_is_issued),
        cmocka_unit_test(a_hit_in_the_second_level_takes_its_latency),
        cmocka_unit_test(what_the_second_level_does_not_keep_comes_from_the_l2),
        cmocka_unit_test(a_launch_empties_both_levels),
        cmocka_unit_test(a_line_again_is_a_turn),
        cmocka_unit_test(without_a_texture_cache_its_reads_are_loads),
    };
    return cmocka_run_group_tests_name("gpu_constant", tests, NULL, NULL);
}
