/*
 * Closed forms of the GPU model, to the cycle: what a program takes follows from the
 * configuration by a sum that is written out here. Memory is in gpu_chase_test.c.
 *
 * A kernel launched on an idle machine starts in cycle 1 + launch_latency; its CTA is on the
 * SM a cycle later, is fetched then, and issues first fetch.latency later: in cycle START. The
 * exit issues when the warp's results are there, and is the last cycle that is counted.
 */

#include "gpu_kernel.h"

static uint64_t start_of(const struct gpu_config *c)
{
    return 1u + c->dispatch.launch_latency + DISPATCH_CYCLES + 1u + c->fetch.latency;
}

/* Fetch that never holds up an issue. */
static struct gpu_config wide_config(void)
{
    struct gpu_config c = small_config();
    c.fetch.warps = 4u;
    c.fetch.width = 8u;
    c.fetch.groups = 2u;
    return c;
}

/* The pipes' parameters, by op class. */
struct pipe {
    uint32_t *latency, *interval, *units;
    enum pipe_owner *owner;
};
static struct pipe pipe_of(struct gpu_config *c, enum op_class op)
{
#define PIPE_OF(name)                                                       \
    {                                                                       \
        &c->name.latency, &c->name.interval, &c->name.units, &c->name.owner \
    }
    const struct pipe pipes[] = {
        [OP_INTEGER] = PIPE_OF(integer), [OP_FP32] = PIPE_OF(fp32),
        [OP_FP64] = PIPE_OF(fp64),       [OP_SFU] = PIPE_OF(sfu),
        [OP_TENSOR] = PIPE_OF(tensor),
    };
#undef PIPE_OF
    return pipes[op];
}

static void finish_free(struct program *p, enum op_class op, uint32_t n)
{
    *p = (struct program){ .length = 0u };
    emit_free(p, op, n);
    emit_exit(p);
}

static struct program text; /* too large for the stack of every test */

/* Cycles of n independent instructions in each of `warps` warps. */
static uint64_t free_cycles(const struct gpu_config *c, enum op_class op, uint32_t n,
                            uint32_t warps)
{
    finish_free(&text, op, n);
    return cycles_of(c, &text, warps);
}

static uint64_t chain_cycles(const struct gpu_config *c, enum op_class op, uint32_t n,
                             uint32_t warps)
{
    text = (struct program){ .length = 0u };
    emit_chain(&text, op, n, op == OP_SHARED ? 1u : 0u);
    emit_exit(&text);
    return cycles_of(c, &text, warps);
}

/* ---- Latency ------------------------------------------------------------------------- */

static void a_chain_takes_its_length_times_the_latency(void **state)
{
    (void)state;
    for (uint32_t op = OP_INTEGER; op <= OP_TENSOR; op++) {
        for (uint32_t latency = 1u; latency < 1024u; latency += 93u) {
            struct gpu_config c = wide_config();
            *pipe_of(&c, op).latency = latency;
            *pipe_of(&c, op).interval = 1u;
            assert_int_equal(chain_cycles(&c, op, 100u, 1u), start_of(&c) + 100u * latency);
        }
    }
}

/* A kind of operation: its pipe, and its keys, which are 0 for those of the pipe. */
struct kind {
    enum op_class op;
    enum operation_kind kind;
    uint32_t *latency, *interval;
};

static void check_kind(struct gpu_config *c, const struct kind *kind, uint32_t latency,
                       uint32_t interval)
{
    const struct pipe pipe = pipe_of(c, kind->op);
    const uint32_t takes = latency != 0u ? latency : *pipe.latency;
    const uint32_t gap = interval != 0u ? interval : *pipe.interval;

    *kind->latency = latency;
    *kind->interval = interval;
    text = (struct program){ .length = 0u };
    emit_chain(&text, kind->op, 20u, 0u);
    text.code[0].flags = text.code[7].flags = text.code[19].flags = (uint8_t)kind->kind;
    emit_exit(&text);
    /* A plain instruction after one of the kind waits for its result, or for the pipe. */
    const uint32_t pair = takes > gap ? takes : gap;
    const uint64_t rest =
        17u * (*pipe.latency > *pipe.interval ? *pipe.latency : *pipe.interval);
    assert_int_equal(cycles_of(c, &text, 1u), start_of(c) + 2u * pair + rest + takes);
}

static void each_kind_of_operation_takes_its_own_time(void **state)
{
    (void)state;
    struct gpu_config c = wide_config();
    const struct kind kinds[] = {
        { OP_INTEGER, KIND_MULTIPLY, &c.integer.multiply_latency,
          &c.integer.multiply_interval },
        { OP_INTEGER, KIND_CONVERT, &c.integer.convert_latency, &c.integer.convert_interval },
        { OP_FP64, KIND_DIVIDE, &c.fp64.divide_latency, &c.fp64.divide_interval },
        { OP_SFU, KIND_DIVIDE, &c.sfu.divide_latency, &c.sfu.divide_interval },
        { OP_SFU, KIND_INTEGER_DIVIDE, &c.sfu.integer_divide_latency,
          &c.sfu.integer_divide_interval },
    };
    /* Around the ticks of an SM, and the largest. */
    const uint32_t times[] = { 0u, 1u, 37u, 255u, 256u, 257u, 511u, 766u, 1023u };

    for (size_t k = 0u; k < sizeof kinds / sizeof *kinds; k++) {
        for (size_t a = 0u; a < sizeof times / sizeof *times; a++) {
            check_kind(&c, &kinds[k], times[a], 0u);
            check_kind(&c, &kinds[k], times[a], times[sizeof times / sizeof *times - 1u - a]);
        }
        *kinds[k].latency = *kinds[k].interval = 1000u; /* nothing to the others */
    }
}

static void the_start_moves_with_launch_and_fetch_latency(void **state)
{
    (void)state;
    struct gpu_config c = wide_config();
    c.dispatch.launch_latency = 777u;
    c.fetch.latency = 9u;
    text = (struct program){ .length = 0u };
    emit_exit(&text);
    assert_int_equal(cycles_of(&c, &text, 1u), 1u + 777u + DISPATCH_CYCLES + 1u + 9u);
}

static void a_dependent_waits_for_the_last_of_its_registers(void **state)
{
    (void)state;
    struct gpu_config c = wide_config();
    c.sfu.latency = 40u;
    c.integer.latency = 4u;
    text = (struct program){ .length = 0u };
    (void)emit(&text, OP_SFU, R + 5u, REGISTER_NONE, 0u);
    (void)emit(&text, OP_INTEGER, R + 6u, REGISTER_NONE, 0u);
    struct instruction *const both = emit(&text, OP_INTEGER, R, R + 6u, 0u);
    both->src[3] = R + 5u;
    emit_exit(&text);
    assert_int_equal(cycles_of(&c, &text, 1u), start_of(&c) + 40u + 4u);
    /* A destination of several registers is there at once, and is waited for to be written. */
    text.code[1].dst = R + 3u;
    text.code[1].n_dst = 8u;
    assert_int_equal(cycles_of(&c, &text, 1u), start_of(&c) + 40u + 4u + 4u);
}

/* ---- Throughput ---------------------------------------------------------------------- */

static void enough_warps_issue_in_every_scheduler_in_every_cycle(void **state)
{
    (void)state;
    for (uint32_t schedulers = 1u; schedulers <= 4u; schedulers++) {
        struct gpu_config c = wide_config();
        c.warp.schedulers = schedulers;
        const uint32_t warps = schedulers * 6u;
        const uint64_t some = free_cycles(&c, OP_INTEGER, 100u, warps);
        const uint64_t more = free_cycles(&c, OP_INTEGER, 300u, warps);
        assert_int_equal(more - some, 200u * warps / schedulers);

        struct hand_kernel k = kernel_of(&text, 1u, warps);
        const struct outcome o = run_alone(&c, &k);
        assert_int_equal(o.sm.issued, 301u * warps);
        assert_int_equal(o.sm.warp_instructions, 301u * warps);
        /* The fetch unit starts 4 warps a cycle, so the last scheduler starts with the first.
         */
        assert_int_equal(o.sm.idle, schedulers * (start_of(&c) - 1u));
    }
}

/* Eight chains fill the slots. Round robin slows all down alike; by age the others wait until
 * the first eight have ended. */
static void chains_of_few_warps_take_the_latency_and_of_many_the_issue_slots(void **state)
{
    (void)state;
    for (uint32_t policy = WARP_LRR; policy <= WARP_OLDEST; policy++) {
        for (uint32_t warps = 1u; warps <= 16u; warps++) {
            struct gpu_config c = wide_config();
            c.warp.policy = policy;
            c.fp32.latency = 8u;
            const uint64_t some = chain_cycles(&c, OP_FP32, 40u, warps);
            const uint64_t more = chain_cycles(&c, OP_FP32, 140u, warps);
            const uint32_t fair = warps > 8u ? warps : 8u;
            assert_int_equal(more - some,
                             100u * (policy == WARP_LRR ? fair : (warps + 7u) / 8u * 8u));
        }
    }
}

static void pipes_take_an_instruction_an_interval_and_unit(void **state)
{
    (void)state;
    for (uint32_t op = OP_INTEGER; op <= OP_TENSOR; op++) {
        for (uint32_t units = 1u; units <= 8u; units++) {
            struct gpu_config c = wide_config();
            *pipe_of(&c, op).interval = 8u;
            *pipe_of(&c, op).units = units;
            const uint64_t some = free_cycles(&c, op, 8u * units, 1u);
            const uint64_t more = free_cycles(&c, op, 16u * units, 1u);
            assert_int_equal(more - some, 8u * 8u);
        }
    }
}

static void pipes_of_the_sm_are_shared_by_its_schedulers(void **state)
{
    (void)state;
    for (uint32_t op = OP_INTEGER; op <= OP_TENSOR; op++) {
        struct gpu_config c = wide_config();
        c.warp.schedulers = 2u;
        *pipe_of(&c, op).interval = 4u;
        for (uint32_t owner = PIPE_OF_SCHEDULER; owner <= PIPE_OF_SM; owner++) {
            *pipe_of(&c, op).owner = owner;
            const uint64_t some = free_cycles(&c, op, 50u, 4u);
            const uint64_t more = free_cycles(&c, op, 150u, 4u);
            assert_int_equal(more - some, 100u * 4u * 4u / (owner == PIPE_OF_SM ? 1u : 2u));
        }
    }
}

/* Cycles of n pairs of an integer and an fp32 instruction, all independent, in each of `warps`
 * warps. */
static uint64_t pair_cycles(const struct gpu_config *c, uint32_t n, uint32_t warps)
{
    text = (struct program){ .length = 0u };
    for (uint32_t k = 0u; k < n; k++) {
        (void)emit(&text, OP_INTEGER, R + k, REGISTER_NONE, 0u);
        (void)emit(&text, OP_FP32, R + n + k, REGISTER_NONE, 0u);
    }
    emit_exit(&text);
    return cycles_of(c, &text, warps);
}

static void integers_may_take_the_pipes_of_fp32(void **state)
{
    (void)state;
    for (uint32_t units = 1u; units <= 4u; units++) {
        for (uint32_t on = 0u; on <= 1u; on++) {
            struct gpu_config c = wide_config();
            c.warp.schedulers = 2u;
            c.fp32.owner = c.integer.owner = PIPE_OF_SM;
            c.fp32.units = units;
            c.integer.units =
                on != 0u ? 1u : units; /* on fp32's, its own count does not matter */
            c.fp32.interval = c.integer.interval = 8u;
            c.integer.on_fp32 = on != 0u;
            const uint64_t some = pair_cycles(&c, 16u, 8u);
            const uint64_t more = pair_cycles(&c, 64u, 8u);
            assert_int_equal(more - some, 48u * 8u * 8u * (1u + on) / units);
        }
    }
    /* Each has its own time: an integer after which a pipe is busy for 6 cycles, a real number
     * for 2. */
    struct gpu_config c = wide_config();
    c.integer.on_fp32 = true;
    c.integer.interval = 6u;
    c.fp32.interval = 2u;
    assert_int_equal(pair_cycles(&c, 48u, 1u) - pair_cycles(&c, 16u, 1u), 32u * (6u + 2u));
}

static void a_scheduler_issues_once_an_interval(void **state)
{
    (void)state;
    for (uint32_t interval = 1u; interval <= 16u; interval++) {
        struct gpu_config c = wide_config();
        c.warp.interval = interval;
        c.integer.latency = 1u;
        assert_int_equal(free_cycles(&c, OP_INTEGER, 100u, 1u), start_of(&c) + 100u * interval);
        assert_int_equal(chain_cycles(&c, OP_INTEGER, 100u, 1u),
                         start_of(&c) + 100u * interval);
    }
}

/* ---- Two instructions at once -------------------------------------------------------- */

static void dual_issue_doubles_independent_streams(void **state)
{
    (void)state;
    struct gpu_config c = wide_config();
    c.warp.width = 2u;
    c.integer.units = 2u;
    /* The last pair is followed by its latency. */
    assert_int_equal(free_cycles(&c, OP_INTEGER, 200u, 1u),
                     start_of(&c) + 99u + c.integer.latency);
    c.integer.units = 1u;
    assert_int_equal(free_cycles(&c, OP_INTEGER, 200u, 1u),
                     start_of(&c) + 199u + c.integer.latency);
    /* One pipe each. */
    assert_int_equal(pair_cycles(&c, 100u, 1u), start_of(&c) + 99u + c.fp32.latency);
}

static void dual_issue_never_pairs_dependents_nor_two_warps(void **state)
{
    (void)state;
    struct gpu_config c = wide_config();
    c.warp.width = 2u;
    c.integer.units = 4u;
    c.integer.latency = 1u;
    assert_int_equal(chain_cycles(&c, OP_INTEGER, 200u, 1u), start_of(&c) + 200u);
    /* Two warps with a chain each have a slot each, although the pipes are there. */
    const uint64_t some = chain_cycles(&c, OP_INTEGER, 100u, 2u);
    const uint64_t more = chain_cycles(&c, OP_INTEGER, 200u, 2u);
    assert_int_equal(more - some, 200u);
    /* Nor an instruction that writes what the first one writes. */
    text = (struct program){ .length = 0u };
    for (uint32_t k = 0u; k < 100u; k++) {
        (void)emit(&text, OP_INTEGER, R, REGISTER_NONE, 0u);
    }
    emit_exit(&text);
    assert_int_equal(cycles_of(&c, &text, 1u), start_of(&c) + 100u);
}

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
        cmocka_unit_test(a_chain_takes_its_length_times_the_latency),
        cmocka_unit_test(each_kind_of_operation_takes_its_own_time),
        cmocka_unit_test(the_start_moves_with_launch_and_fetch_latency),
        cmocka_unit_test(a_dependent_waits_for_the_last_of_its_registers),
        cmocka_unit_test(enough_warps_issue_in_every_scheduler_in_every_cycle),
        cmocka_unit_test(chains_of_few_warps_take_the_latency_and_of_many_the_issue_slots),
        cmocka_unit_test(pipes_take_an_instruction_an_interval_and_unit),
        cmocka_unit_test(pipes_of_the_sm_are_shared_by_its_schedulers),
        cmocka_unit_test(integers_may_take_the_pipes_of_fp32),
        cmocka_unit_test(a_scheduler_issues_once_an_interval),
        cmocka_unit_test(dual_issue_doubles_independent_streams),
        cmocka_unit_test(dual_issue_never_pairs_dependents_nor_two_warps),
        cmocka_unit_test(one_group_is_refilled_when_it_is_empty),
        cmocka_unit_test(two_groups_hide_a_latency_of_their_width),
        cmocka_unit_test(fetch_gives_its_warps_times_its_width_an_interval),
        cmocka_unit_test(a_taken_branch_costs_its_latency_and_another_none),
        cmocka_unit_test(a_barrier_opens_its_latency_after_the_last_arrival),
        cmocka_unit_test(a_warp_that_exits_is_not_waited_for_at_a_barrier),
        cmocka_unit_test(a_conflict_of_n_words_takes_n_passes_of_an_interval_each),
    };
    return cmocka_run_group_tests_name("gpu_closed", tests, NULL, NULL);
}
