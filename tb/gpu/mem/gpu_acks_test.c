/*
 * noc.write_acks: the L2 answers stores, and atomics without a result, with a header. Fences
 * and the end of a warp wait for it, to the cycle; nothing else does.
 */

#include "gpu_way.h"
#include "tb/gpu/gpu_kernel.h"

static struct program text;

static struct gpu_config acks_config(bool acks)
{
    struct gpu_config c = small_config();
    c.noc.write_acks = acks;
    return c;
}

static uint32_t quarter(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    (void)cta;
    (void)warp;
    return ACCESS(i, (uint32_t)k->parameter);
}

static struct outcome run_text(const struct gpu_config *c, uint32_t quarters)
{
    struct hand_kernel k = kernel_of(&text, 1u, 1u);
    k.access = quarter;
    k.parameter = quarters;
    return run_alone(c, &k);
}

/* A store that issues in cycle t: when its answer is there. */
static uint64_t answered(const struct gpu_config *c, uint64_t t, uint32_t quarters)
{
    const uint32_t bytes = (uint32_t)__builtin_popcount(quarters) * c->l2.line / 4u;
    return way_answered(c, t + 1u, L2_HIT, bytes, 0u);
}

static void begin_store(uint32_t accesses)
{
    text = (struct program){ .length = 0u };
    (void)emit(&text, OP_STORE, REGISTER_NONE, REGISTER_NONE, accesses);
}

/* ---- How long ------------------------------------------------------------------------ */

static void check_fence(const struct gpu_config *c, uint32_t quarters)
{
    const uint64_t at = answered(c, way_start(c), quarters);

    begin_store(1u);
    emit_exit(&text);
    assert_int_equal(run_text(c, quarters).cycles, at);

    begin_store(1u);
    (void)emit(&text, OP_FENCE, REGISTER_NONE, REGISTER_NONE, 0u);
    (void)emit(&text, OP_STORE, REGISTER_NONE, REGISTER_NONE, 1u);
    emit_exit(&text);
    assert_int_equal(run_text(c, quarters).cycles, answered(c, at + 1u, quarters));
}

static void a_fence_and_an_exit_wait_for_the_answer_to_a_store(void **state)
{
    (void)state;
    uint64_t random = printed_number("SEED", 1u);
    struct gpu_config c = acks_config(true);

    for (uint32_t quarters = 1u; quarters < 16u; quarters++) {
        check_fence(&c, quarters);
    }
    for (uint32_t n = 0u; n < 60u; n++) {
        c.clock.noc = n % 3u == 0u ? c.clock.core : 300u + random_below(&random, 9000u);
        c.clock.l2 = n % 5u == 0u ? c.clock.core : 300u + random_below(&random, 9000u);
        c.noc.latency = 1u + random_below(&random, 30u);
        c.noc.channel_bytes = 16u << random_below(&random, 4u);
        c.noc.header_bytes = random_below(&random, 40u);
        c.l2.latency = 1u + random_below(&random, 200u);
        check_fence(&c, 1u + random_below(&random, 15u));
    }
}

/* Without answers a fence waits until its warp's stores have left, as an exit does. */
static void without_answers_they_wait_until_the_store_has_left(void **state)
{
    (void)state;
    const struct gpu_config c = acks_config(false);
    const uint32_t lines = 5u; /* leave one a cycle */

    begin_store(lines);
    (void)emit(&text, OP_FENCE, REGISTER_NONE, REGISTER_NONE, 0u);
    emit_chain(&text, OP_SFU, 20u, 0u); /* longer than the way of the stores */
    emit_exit(&text);
    assert_int_equal(run_text(&c, 1u).cycles, way_start(&c) + lines + 1u + 20u * c.sfu.latency);
}

/* The first atomic needs the line, from a closed row. */
static void an_atomic_without_a_result_is_answered_as_a_store(void **state)
{
    (void)state;
    const struct gpu_config c = acks_config(true);

    text = (struct program){ .length = 0u };
    (void)emit(&text, OP_ATOMIC, REGISTER_NONE, REGISTER_NONE, 1u);
    emit_exit(&text);
    way_begin(&c);
    assert_int_equal(run_text(&c, 1u).cycles,
                     way_answered(&c, way_start(&c) + 1u, ROW_CLOSED, c.l2.line / 4u, 0u));
}

/* A fence waits for its warp's loads, too. */
static void a_fence_waits_for_loads(void **state)
{
    (void)state;
    const struct gpu_config c = acks_config(true);

    text = (struct program){ .length = 0u };
    (void)emit(&text, OP_LOAD, R, REGISTER_NONE, 1u);
    (void)emit(&text, OP_FENCE, REGISTER_NONE, REGISTER_NONE, 0u);
    emit_chain(&text, OP_SFU, 1u, 0u);
    emit_exit(&text);
    way_begin(&c);
    assert_int_equal(run_text(&c, 1u).cycles,
                     way_hop(&c, way_start(&c), ROW_CLOSED) + 1u + c.sfu.latency);
}

/* ---- Who waits ----------------------------------------------------------------------- */

/* Loads, arithmetic and further stores of the warp go on, and so do fences of other warps. */
static void nothing_else_waits(void **state)
{
    (void)state;
    struct gpu_config c = acks_config(true);
    c.noc.latency = 255u;
    const uint32_t chain = 30u;

    begin_store(1u);
    (void)emit(&text, OP_STORE, REGISTER_NONE, REGISTER_NONE, 1u);
    emit_chain(&text, OP_INTEGER, chain, 0u);
    emit_exit(&text);
    assert_true(chain * c.integer.latency + 10u < 2u * c.noc.latency);
    /* The second store is in the same line of the queue, a cycle later, and so is its answer.
     */
    assert_int_equal(run_text(&c, 15u).cycles,
                     answered(&c, way_start(&c), 15u) + way_flits(&c, c.l2.line));

    static struct program other;
    other = (struct program){ .length = 0u };
    (void)emit(&other, OP_FENCE, REGISTER_NONE, REGISTER_NONE, 0u);
    emit_chain(&other, OP_SFU, 10u, 0u);
    emit_exit(&other);
    assert_true(10u * c.sfu.latency + 100u < 2u * c.noc.latency);
    struct hand_kernel k = kernel_of(&text, 1u, 2u);
    k.access = quarter;
    k.parameter = 15u;
    k.program[1] = &other;
    const uint64_t both = run_alone(&c, &k).cycles;
    assert_int_equal(both, answered(&c, way_start(&c), 15u) + way_flits(&c, c.l2.line));
}

/* With two levels and room for one ready warp. The first waits for a store's answer at its
 * fence, and what it has read is there long before: it does not take the room of the second,
 * which goes on after the third. */
static void a_warp_that_waits_for_an_answer_stays_pending(void **state)
{
    (void)state;
    static struct program second, third;
    struct gpu_config c = acks_config(true);
    c.warp.policy = WARP_TWO_LEVEL_RR;
    c.warp.ready_queue = 1u;
    c.noc.latency = 255u;
    begin_store(1u);
    (void)emit(&text, OP_SHARED, R, REGISTER_NONE, 1u);
    (void)emit(&text, OP_FENCE, REGISTER_NONE, REGISTER_NONE, 0u);
    emit_exit(&text);
    second = third = (struct program){ .length = 0u };
    (void)emit(&second, OP_SHARED, R, REGISTER_NONE, 1u);
    emit_chain(&second, OP_SFU, 10u, 0u);
    emit_exit(&second);
    emit_chain(&third, OP_SFU, 5u, 0u);
    emit_exit(&third);
    struct hand_kernel k = kernel_of(&text, 1u, 3u);
    k.program[1] = &second;
    k.program[2] = &third;
    k.access = quarter;
    k.parameter = 15u;
    assert_true(15u * c.sfu.latency + 100u < 2u * c.noc.latency);
    const uint64_t at = answered(&c, way_start(&c), 15u);
    assert_in_range(run_alone(&c, &k).cycles, at, at + 2u * c.integer.latency);
}

/* ---- What is sent -------------------------------------------------------------------- */

static void an_answer_is_a_header(void **state)
{
    (void)state;
    const uint32_t lines = 20u;
    for (uint32_t acks = 0u; acks < 2u; acks++) {
        struct gpu_config c = acks_config(acks != 0u);
        c.noc.header_bytes = 40u;
        c.noc.channel_bytes = 16u;
        begin_store(lines);
        emit_exit(&text);
        struct hand_kernel k = kernel_of(&text, 3u, 1u);
        k.access = quarter;
        k.parameter = 15u;
        struct gpu *const g = open_gpu(&c, NULL, 0u);
        launch(g, &k, 0u);
        const struct gpu_stats *const s = run_to_end(g);
        const uint64_t answers = acks != 0u ? 3u * lines : 0u;
        assert_int_equal(s->noc[0].packets, 3u * lines);
        assert_int_equal(s->noc[1].packets, answers);
        assert_int_equal(s->noc[1].bytes, answers * 40u);
        assert_int_equal(s->noc[1].flits, answers * 3u);
        assert_int_equal(s->l2[0].reply, answers);
        assert_int_equal(s->cluster[0].delivered, answers);
        assert_int_equal(s->sm[0].l1_fill, 0u);
        gpu_close(g);
    }
}

/* An answer to a load takes the network longer than a store does on its way: the queue of
 * answers is full when stores come, and holds them at the slice. */
static void answers_that_find_no_room_hold_the_slice(void **state)
{
    (void)state;
    enum { LOADS = 12, STORES = 8 };
    struct gpu_config c = acks_config(true);
    c.noc.reply_queue = 1u;
    c.l2.latency = 1u;
    c.noc.header_bytes = 64u;
    c.noc.channel_bytes = 4u;
    text = (struct program){ .length = 0u };
    for (uint32_t k = 0u; k < LOADS; k++) {
        emit(&text, OP_LOAD, R + k, REGISTER_NONE, 1u)->flags = UNCACHED;
    }
    (void)emit(&text, OP_STORE, REGISTER_NONE, REGISTER_NONE, STORES);
    emit_exit(&text);
    const struct outcome o = run_text(&c, 15u);
    assert_true(o.l2.full_reply > LOADS * way_flits(&c, 0u));
    assert_int_equal(o.l2.write, STORES);
    assert_int_equal(o.l2.reply, LOADS + STORES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fence_and_an_exit_wait_for_the_answer_to_a_store),
        cmocka_unit_test(without_answers_they_wait_until_the_store_has_left),
        cmocka_unit_test(an_atomic_without_a_result_is_answered_as_a_store),
        cmocka_unit_test(a_fence_waits_for_loads),
        cmocka_unit_test(nothing_else_waits),
        cmocka_unit_test(a_warp_that_waits_for_an_answer_stays_pending),
        cmocka_unit_test(an_answer_is_a_header),
        cmocka_unit_test(answers_that_find_no_room_hold_the_slice),
    };
    return cmocka_run_group_tests_name("gpu_acks", tests, NULL, NULL);
}
