/*
 * noc.credit_latency: an input of a crossbar sees the room that a packet leaves at an output
 * so many cycles later. Where a queue holds fewer packets than are under way until the first
 * credit is back, the queue's packets go once in that time, to the cycle.
 */

#include "tb/gpu/gpu_kernel.h"

static const uint32_t latencies[] = { 0u, 1u, 2u, 17u, 90u, 255u };
enum { LATENCIES = sizeof latencies / sizeof latencies[0] };

static struct program text;

/* A packet is one flit, and there is room for two of them: one in the queue, one on its way. */
static struct gpu_config narrow_config(uint32_t credit)
{
    struct gpu_config c = small_config();
    c.noc.channel_bytes = 256u;
    c.noc.latency = 1u;
    c.noc.slice_queue = 1u;
    c.cluster.response_queue = 1u;
    c.noc.credit_latency = credit;
    c.ldst.miss_queue = 64u;
    c.l1.bytes = 0u;
    return c;
}

static uint32_t own_store(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    (void)k;
    (void)cta;
    return ACCESS(warp * 64u + i, 15u);
}

static uint64_t run_mode(const struct gpu_config *c, struct hand_kernel *k, unsigned mode)
{
    struct gpu *const g = open_gpu(c, NULL, mode);
    launch(g, k, 0u);
    const uint64_t cycles = run_to_end(g)->cycles;
    gpu_close(g);
    return cycles;
}

/* Cycles of a warp that stores n lines. */
static uint64_t stores(const struct gpu_config *c, uint32_t n, unsigned mode)
{
    text = (struct program){ .length = 0u };
    for (uint32_t left = n; left != 0u; left -= left < 32u ? left : 32u) {
        (void)emit(&text, OP_STORE, REGISTER_NONE, REGISTER_NONE, left < 32u ? left : 32u);
    }
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, 1u, 1u);
    k.access = own_store;
    return run_mode(c, &k, mode);
}

/* From a grant to the next one with the same room: a flit, the way, and the credit's way. The
 * slice takes a packet in the cycle in which it comes. */
static void requests_wait_for_credits(void **state)
{
    (void)state;
    for (uint32_t i = 0u; i < LATENCIES; i++) {
        const struct gpu_config c = narrow_config(latencies[i]);
        const uint64_t round = 1u + c.noc.latency + latencies[i];
        for (unsigned mode = 0u; mode <= GPU_SCAN; mode += GPU_SCAN) {
            assert_int_equal(stores(&c, 60u, mode) - stores(&c, 20u, mode),
                             latencies[i] == 0u ? 40u : 40u / 2u * round);
        }
    }
}

/* Cycles of warps that load the one line n times each, from the L2. */
static uint64_t loads(const struct gpu_config *c, uint32_t n, unsigned mode)
{
    text = (struct program){ .length = 0u };
    for (uint32_t k = 0u; k < n; k++) {
        emit(&text, OP_LOAD, R + k, REGISTER_NONE, 1u)->flags = UNCACHED;
    }
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, 1u, 1u);
    return run_mode(c, &k, mode);
}

/* The cluster gives an answer in the cycle in which it comes; the network sees that in the
 * next one. */
static void answers_wait_for_credits(void **state)
{
    (void)state;
    for (uint32_t i = 1u; i < LATENCIES; i++) {
        struct gpu_config c = narrow_config(latencies[i]);
        c.noc.slice_queue = 64u; /* requests do not wait */
        c.noc.latency = 1u;
        c.l1.mshrs = 64u;
        c.noc.reply_queue = 64u;
        /* The room of requests would hold them back as well, but the slice holds them all. */
        const uint64_t round = 1u + c.noc.latency + 1u + latencies[i];
        for (unsigned mode = 0u; mode <= GPU_SCAN; mode += GPU_SCAN) {
            assert_int_equal(loads(&c, 60u, mode) - loads(&c, 20u, mode), 40u / 2u * round);
        }
    }
}

/* A queue that holds what is sent until a credit is back loses nothing. */
static void a_long_queue_hides_the_latency(void **state)
{
    (void)state;
    struct gpu_config c = narrow_config(0u);
    c.noc.slice_queue = 32u;
    const uint64_t at_once = stores(&c, 200u, 0u);
    c.noc.credit_latency = 31u;
    assert_int_equal(stores(&c, 200u, 0u), at_once);
    c.noc.credit_latency = 32u;
    assert_true(stores(&c, 200u, 0u) > at_once);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_wait_for_credits),
        cmocka_unit_test(answers_wait_for_credits),
        cmocka_unit_test(a_long_queue_hides_the_latency),
    };
    return cmocka_run_group_tests_name("gpu_credit", tests, NULL, NULL);
}
