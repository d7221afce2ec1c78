/*
 * Closed forms of the front of an SM and of its shared memory, to the cycle: fetch, branches,
 * barriers, passes over the banks.
 */

#include "gpu_closed.h"

static struct program text; /* too large for the stack of every test */

/* ---- Fetch, branches, barriers ------------------------------------------------------- */

static void one_group_is_refilled_when_it_is_empty(void **state)
{
    (void)state;
    for (uint32_t width = 1u; width <= 8u; width++) {
        for (uint32_t latency = 1u; latency <= 7u; latency++) {
            struct gpu_config c = small_config();
            c.fetch.groups = 1u;
            c.fetch.width = width;
            c.fetch.latency = latency;
            const uint64_t some = free_cycles(&c, OP_INTEGER, 10u * width, 1u);
            const uint64_t more = free_cycles(&c, OP_INTEGER, 30u * width, 1u);
            assert_int_equal(more - some, 20u * (width - 1u + latency));
        }
    }
}

static void two_groups_hide_a_latency_of_their_width(void **state)
{
    (void)state;
    for (uint32_t width = 1u; width <= 8u; width++) {
        for (uint32_t latency = 1u; latency <= 12u; latency++) {
            struct gpu_config c = small_config();
            c.fetch.groups = 2u;
            c.fetch.width = width;
            c.fetch.latency = latency;
            const uint64_t some = free_cycles(&c, OP_INTEGER, 10u * width, 1u);
            const uint64_t more = free_cycles(&c, OP_INTEGER, 30u * width, 1u);
            assert_int_equal(more - some, 20u * (latency > width ? latency : width));
        }
    }
}

static void fetch_gives_its_warps_times_its_width_an_interval(void **state)
{
    (void)state;
    for (uint32_t warps = 1u; warps <= 4u; warps++) {
        for (uint32_t interval = 1u; interval <= 64u; interval *= 3u) {
            struct gpu_config c = small_config();
            c.warp.schedulers = 4u;
            c.warp.policy = WARP_LRR;
            c.fetch.width = 1u;
            c.fetch.warps = warps;
            c.fetch.interval = interval;
            const uint64_t some = free_cycles(&c, OP_INTEGER, 100u, 24u);
            const uint64_t more = free_cycles(&c, OP_INTEGER, 200u, 24u);
            assert_int_equal(more - some, 100u * 24u / warps * interval);
        }
    }
}

static void a_taken_branch_costs_its_latency_and_another_none(void **state)
{
    (void)state;
    for (uint32_t latency = 1u; latency < 256u; latency += 31u) {
        struct gpu_config c = wide_config();
        c.fetch.branch_latency = latency;
        text = (struct program){ .length = 0u };
        emit_branches(&text, 100u, true);
        emit_exit(&text);
        assert_int_equal(cycles_of(&c, &text, 1u), start_of(&c) + 100u * latency);
        text = (struct program){ .length = 0u };
        emit_branches(&text, 100u, false);
        emit_exit(&text);
        assert_int_equal(cycles_of(&c, &text, 1u), start_of(&c) + 100u);
    }
}

static void a_barrier_opens_its_latency_after_the_last_arrival(void **state)
{
    (void)state;
    for (uint32_t latency = 1u; latency < 256u; latency += 50u) {
        for (uint32_t warps = 1u; warps <= 8u; warps++) {
            struct gpu_config c = wide_config();
            c.sm.barrier_latency = latency;
            text = (struct program){ .length = 0u };
            for (uint32_t k = 0u; k < 50u; k++) {
                (void)emit(&text, OP_BARRIER, REGISTER_NONE, REGISTER_NONE, 0u);
            }
            emit_exit(&text);
            /* The warps arrive, and in the end exit, one a cycle. */
            assert_int_equal(cycles_of(&c, &text, warps),
                             start_of(&c) + 50u * (warps - 1u + latency) + warps - 1u);
        }
    }
}

static void a_warp_that_exits_is_not_waited_for_at_a_barrier(void **state)
{
    (void)state;
    static struct program waits, leaves;
    struct gpu_config c = wide_config();
    c.sm.barrier_latency = 11u;
    waits = leaves = (struct program){ .length = 0u };
    (void)emit(&waits, OP_BARRIER, REGISTER_NONE, REGISTER_NONE, 0u);
    emit_exit(&waits);
    emit_chain(&leaves, OP_INTEGER, 100u, 0u);
    emit_exit(&leaves);
    struct hand_kernel k = kernel_of(&waits, 1u, 2u);
    k.program[1] = &leaves;
    /* The barrier issues first, then the chain beside it. */
    assert_int_equal(run_alone(&c, &k).cycles,
                     start_of(&c) + 1u + 100u * c.integer.latency + 11u);
}

/* ---- Shared memory ------------------------------------------------------------------- */

/* A chain of 20, and 20 independent ones, of so many passes each. */
static void check_passes(const struct gpu_config *c, uint32_t passes)
{
    const uint32_t interval = c->ldst.interval, latency = c->ldst.shared_latency;
    const uint32_t gap = latency + 1u > interval ? latency + 1u : interval;
    text = (struct program){ .length = 0u };
    emit_chain(&text, OP_SHARED, 20u, passes);
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, 1u, 1u);
    const struct outcome chain = run_alone(c, &k);
    assert_int_equal(chain.cycles,
                     start_of(c) + 20u * (passes - 1u) * interval + 19u * gap + latency + 1u);
    assert_int_equal(chain.sm.shared_passes, 20u * passes);
    /* The run ends with the last result. */
    const uint32_t tail = interval > latency + 1u ? interval - latency - 1u : 0u;
    assert_int_equal(chain.sm.ldst_busy, 20u * passes * interval - tail);
    /* Independent ones follow each other; the unit is busy in every cycle. */
    text = (struct program){ .length = 0u };
    for (uint32_t n = 0u; n < 20u; n++) {
        (void)emit(&text, OP_SHARED, R + n, REGISTER_NONE, passes);
    }
    emit_exit(&text);
    assert_int_equal(run_alone(c, &k).cycles,
                     start_of(c) + (20u * passes - 1u) * interval + 1u + latency);
}

static void a_conflict_of_n_words_takes_n_passes_of_an_interval_each(void **state)
{
    (void)state;
    for (uint32_t passes = 1u; passes <= 32u; passes++) {
        for (uint32_t interval = 1u; interval <= 64u; interval *= 3u) {
            struct gpu_config c = wide_config();
            c.ldst.interval = interval;
            check_passes(&c, passes);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_group_is_refilled_when_it_is_empty),
        cmocka_unit_test(two_groups_hide_a_latency_of_their_width),
        cmocka_unit_test(fetch_gives_its_warps_times_its_width_an_interval),
        cmocka_unit_test(a_taken_branch_costs_its_latency_and_another_none),
        cmocka_unit_test(a_barrier_opens_its_latency_after_the_last_arrival),
        cmocka_unit_test(a_warp_that_exits_is_not_waited_for_at_a_barrier),
        cmocka_unit_test(a_conflict_of_n_words_takes_n_passes_of_an_interval_each),
    };
    return cmocka_run_group_tests_name("gpu_front", tests, NULL, NULL);
}
