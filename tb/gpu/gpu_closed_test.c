/*
 * Closed forms of the GPU model, to the cycle: what a program takes follows from the
 * configuration by a sum that is written out here. The front and shared memory are in
 * gpu_front_test.c, and memory is in gpu_chase_test.c.
 */

#include "gpu_closed.h"

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

static struct program text; /* too large for the stack of every test */

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

/* A kind of operation: its pipe, and its keys, which are 0 for those of another kind, or of the
 * pipe. */
struct kind {
    enum op_class op;
    enum operation_kind kind;
    uint32_t *latency, *interval;
    const uint32_t *else_latency, *else_interval;
};

static void check_kind(struct gpu_config *c, const struct kind *kind, uint32_t latency,
                       uint32_t interval)
{
    const struct pipe pipe = pipe_of(c, kind->op);
    const uint32_t other_latency = kind->else_latency != NULL ? *kind->else_latency : 0u;
    const uint32_t other_interval = kind->else_interval != NULL ? *kind->else_interval : 0u;
    const uint32_t takes = latency != 0u         ? latency
                           : other_latency != 0u ? other_latency
                                                 : *pipe.latency;
    const uint32_t gap = interval != 0u         ? interval
                         : other_interval != 0u ? other_interval
                                                : *pipe.interval;

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
#define KIND(op, number, pipe, kind)                                            \
    {                                                                           \
        op, number, &c.pipe.kind##_latency, &c.pipe.kind##_interval, NULL, NULL \
    }
    const struct kind multiply_add = { OP_INTEGER,
                                       KIND_MULTIPLY_ADD,
                                       &c.integer.multiply_add_latency,
                                       &c.integer.multiply_add_interval,
                                       &c.integer.multiply_latency,
                                       &c.integer.multiply_interval };
    const struct kind kinds[] = {
        multiply_add, /* as the pipe, while multiplications are */
        KIND(OP_INTEGER, KIND_MULTIPLY, integer, multiply),
        multiply_add, /* as these */
        KIND(OP_INTEGER, KIND_CONVERT, integer, convert),
        KIND(OP_INTEGER, KIND_SIMPLE, integer, simple),
        KIND(OP_INTEGER, KIND_MIN_MAX, integer, min_max),
        KIND(OP_FP32, KIND_SIMPLE, fp32, simple),
        KIND(OP_FP32, KIND_MIN_MAX, fp32, min_max),
        KIND(OP_FP32, KIND_FUSED, fp32, fused),
        KIND(OP_FP64, KIND_SIMPLE, fp64, simple),
        KIND(OP_FP64, KIND_MIN_MAX, fp64, min_max),
        KIND(OP_FP64, KIND_FUSED, fp64, fused),
        KIND(OP_FP64, KIND_DIVIDE, fp64, divide),
        KIND(OP_SFU, KIND_DIVIDE, sfu, divide),
        KIND(OP_SFU, KIND_INTEGER_DIVIDE, sfu, integer_divide),
    };
#undef KIND
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

        finish_free(&text, OP_INTEGER, 300u);
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
    };
    return cmocka_run_group_tests_name("gpu_closed", tests, NULL, NULL);
}
