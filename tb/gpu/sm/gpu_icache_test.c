/*
 * The instruction cache of an SM, to the cycle: lines that fit and lines that do not, a cold
 * start, warps that wait for the same line, several kernels. A line has 8 instructions here,
 * and a fetch brings all that are left of it. The instructions are branches that are not taken:
 * they wait for nothing.
 */

#include "tb/gpu/gpu_kernel.h"

enum { LINE = 8 }; /* instructions */

static struct gpu_config code_config(uint32_t lines)
{
    struct gpu_config c = small_config();
    c.icache.line = 128u;
    c.icache.instruction = 16u;
    c.icache.bytes = lines * c.icache.line;
    c.icache.ways = lines;
    c.fetch.width = LINE;
    c.fetch.groups = 1u;
    return c;
}

/* ---- Programs ------------------------------------------------------------------------ */

static struct program text, other;

static void emit_at(struct program *p, uint32_t pc, enum op_class op, bool taken)
{
    struct instruction *const i = emit(p, op, REGISTER_NONE, REGISTER_NONE, 0u);
    i->pc = pc;
    i->flags = taken ? TAKEN : 0u;
}

/* A loop of whole lines. Its last instruction jumps back; in the last round it is the exit. */
static void emit_loop(struct program *p, uint32_t lines, uint32_t rounds)
{
    *p = (struct program){ .length = 0u };
    for (uint32_t r = 0u; r < rounds; r++) {
        for (uint32_t i = 0u; i + 1u < lines * LINE; i++) {
            emit_at(p, i, OP_BRANCH, false);
        }
        const bool last = r + 1u == rounds;
        emit_at(p, lines * LINE - 1u, last ? OP_EXIT : OP_BRANCH, !last);
    }
}

static struct hand_kernel kernel_of_lines(const struct program *p, uint32_t lines,
                                          uint32_t ctas, uint32_t warps)
{
    struct hand_kernel k = kernel_of(p, ctas, warps);
    k.shape.instructions = lines * LINE;
    return k;
}

/* ---- What a line takes --------------------------------------------------------------- */

/* A packet enters a crossbar in cycle t: when it is on the other side. */
static uint64_t across(const struct gpu_config *c, uint64_t t, uint32_t payload)
{
    const uint32_t bytes = c->noc.header_bytes + payload;
    return t + (bytes + c->noc.channel_bytes - 1u) / c->noc.channel_bytes + c->noc.latency;
}

enum level { L2_HIT, ROW_HIT, ROW_CLOSED };

/* A fetch misses in cycle t: when its line is in the SM, and the warp is served again. The
 * terms are those of the table in docs/gpu-model.md; all clocks are one. */
static uint64_t line_of(const struct gpu_config *c, uint64_t t, enum level level)
{
    const uint32_t burst = c->l2.line / (c->dram.bus_bytes * c->dram.data_rate);
    uint64_t at = across(c, t + 2u, 0u); /* by the cluster's port */
    if (level != L2_HIT) {
        at += 1u + (level == ROW_CLOSED ? c->dram.tRCD : 0u) + c->dram.tCL + burst;
    }
    return across(c, at + c->l2.latency, c->icache.line);
}

/* The fetch unit serves a new CTA's first warp. */
static uint64_t first_fetch(const struct gpu_config *c)
{
    return 1u + c->dispatch.launch_latency + DISPATCH_CYCLES + 1u;
}

/* The cycles of one warp that runs a loop, if every line of every round misses, or those of the
 * first alone. */
static uint64_t loop_cycles(const struct gpu_config *c, uint32_t lines, uint32_t rounds,
                            bool every)
{
    uint64_t t = first_fetch(c);
    for (uint32_t i = 0u; i < lines * rounds; i++) {
        if (i < lines || every) {
            const enum level level = i == 0u ? ROW_CLOSED : i < lines ? ROW_HIT : L2_HIT;
            t = line_of(c, t, level) + c->fetch.latency;
        } else {
            t += i % lines == 0u ? c->fetch.branch_latency : c->fetch.latency;
        }
        t += LINE - 1u; /* the line's last instruction issues, and the warp asks for the next */
    }
    return t;
}

/* ---- Loops --------------------------------------------------------------------------- */

static void a_loop_that_fits_misses_once_a_line(void **state)
{
    (void)state;
    for (uint32_t lines = 1u; lines <= 6u; lines++) {
        for (uint32_t latency = 1u; latency <= 9u; latency += 4u) {
            struct gpu_config c = code_config(6u);
            c.fetch.latency = latency;
            emit_loop(&text, lines, 5u);
            struct hand_kernel k = kernel_of_lines(&text, lines, 1u, 1u);
            const struct outcome o = run_alone(&c, &k);
            assert_int_equal(o.sm.icache_miss, lines);
            assert_int_equal(o.sm.icache_hit, 4u * lines);
            assert_int_equal(o.sm.icache_merge, 0u);
            assert_int_equal(o.cycles, loop_cycles(&c, lines, 5u, false));
        }
    }
}

static void of_a_loop_with_a_line_too_many_every_line_misses(void **state)
{
    (void)state;
    for (uint32_t ways = 1u; ways <= 5u; ways++) {
        const struct gpu_config c = code_config(ways);
        emit_loop(&text, ways + 1u, 5u);
        struct hand_kernel k = kernel_of_lines(&text, ways + 1u, 1u, 1u);
        const struct outcome o = run_alone(&c, &k);
        assert_int_equal(o.sm.icache_miss, 5u * (ways + 1u));
        assert_int_equal(o.sm.icache_hit, 0u);
        assert_int_equal(o.dram.read, ways + 1u);
        assert_int_equal(o.cycles, loop_cycles(&c, ways + 1u, 5u, true));
    }
}

/* Sets are chosen by line: of two lines per set, those of one set miss. */
static void lines_of_different_sets_do_not_meet(void **state)
{
    (void)state;
    struct gpu_config c = code_config(4u);
    c.icache.ways = 1u; /* 4 sets */
    emit_loop(&text, 5u, 3u);
    struct hand_kernel k = kernel_of_lines(&text, 5u, 1u, 1u);
    const struct outcome o = run_alone(&c, &k);
    assert_int_equal(o.sm.icache_miss, 5u + 2u * 2u); /* lines 0 and 4 in every round */
    assert_int_equal(o.sm.icache_hit, 2u * 3u);
}

static void without_a_cache_nothing_is_counted_and_nothing_waits(void **state)
{
    (void)state;
    struct gpu_config c = code_config(4u);
    emit_loop(&text, 4u, 3u);
    struct hand_kernel known = kernel_of_lines(&text, 4u, 1u, 1u), unknown = known;
    unknown.shape.instructions = 0u;
    const struct outcome no_text = run_alone(&c, &unknown);
    c.icache.bytes = 0u;
    const struct outcome off = run_alone(&c, &known);
    uint64_t t = first_fetch(&c);
    for (uint32_t i = 0u; i < 12u; i++) {
        t += (i != 0u && i % 4u == 0u ? c.fetch.branch_latency : c.fetch.latency) + LINE - 1u;
    }
    assert_int_equal(off.cycles, t);
    assert_int_equal(no_text.cycles, t);
    assert_int_equal(off.sm.icache_hit + off.sm.icache_miss + off.l2.miss, 0u);
    assert_int_equal(no_text.sm.icache_hit + no_text.sm.icache_miss + no_text.l2.miss, 0u);
}

/* ---- Fetches ------------------------------------------------------------------------- */

/* A jump to the sixth instruction of a line: the fetch brings three. */
static void a_fetch_ends_with_its_line(void **state)
{
    (void)state;
    const struct gpu_config c = code_config(4u);
    text = (struct program){ .length = 0u };
    emit_at(&text, 0u, OP_BRANCH, true);
    for (uint32_t pc = LINE + 5u; pc < 2u * LINE; pc++) {
        emit_at(&text, pc, OP_BRANCH, false);
    }
    emit_at(&text, 2u * LINE, OP_EXIT, false);
    struct hand_kernel k = kernel_of_lines(&text, 3u, 1u, 1u);
    const struct outcome o = run_alone(&c, &k);
    uint64_t t = line_of(&c, first_fetch(&c), ROW_CLOSED) + c.fetch.latency;
    t = line_of(&c, t, ROW_HIT) + c.fetch.latency + 2u;
    t = line_of(&c, t, ROW_HIT) + c.fetch.latency;
    assert_int_equal(o.cycles, t);
    assert_int_equal(o.sm.icache_miss, 3u);
}

/* A warp that goes on in its line does not look it up: a group is a quarter of a line. */
static void a_line_is_looked_up_once_for_all_of_its_groups(void **state)
{
    (void)state;
    for (uint32_t groups = 1u; groups <= 2u; groups++) {
        struct gpu_config c = code_config(4u);
        c.fetch.width = 2u;
        c.fetch.groups = groups;
        emit_loop(&text, 4u, 1u);
        struct hand_kernel k = kernel_of_lines(&text, 4u, 3u, 1u);
        c.sm.cta_slots = 1u; /* the second and the third CTA find the lines */
        const struct outcome o = run_alone(&c, &k);
        assert_int_equal(o.sm.icache_miss, 4u);
        assert_int_equal(o.sm.icache_hit, 8u);
    }
}

/* ---- Warps --------------------------------------------------------------------------- */

static void two_warps_share_a_miss(void **state)
{
    (void)state;
    const struct gpu_config c = code_config(4u);
    emit_loop(&text, 1u, 1u);
    struct hand_kernel k = kernel_of_lines(&text, 1u, 1u, 2u);
    const struct outcome o = run_alone(&c, &k);
    const uint64_t back = line_of(&c, first_fetch(&c), ROW_CLOSED);
    assert_int_equal(o.sm.icache_miss, 1u);
    assert_int_equal(o.sm.icache_merge, 1u);
    assert_int_equal(o.sm.icache_latency, back - first_fetch(&c));
    /* One is served in the cycle in which the line comes, and then the other. */
    assert_int_equal(o.cycles, back + c.fetch.latency + 2u * LINE - 1u);
    /* A warp without instructions leaves its scheduler idle. */
    assert_int_equal(o.sm.idle, o.cycles - 2u * LINE);
}

static void with_one_mshr_lines_follow_each_other(void **state)
{
    (void)state;
    struct gpu_config c = code_config(4u);
    c.icache.mshrs = 1u;
    emit_loop(&text, 1u, 1u);
    other = text;
    for (uint32_t i = 0u; i < LINE; i++) {
        other.code[i].pc += LINE;
    }
    struct hand_kernel k = kernel_of_lines(&text, 2u, 1u, 2u);
    k.program[1] = &other;
    const struct outcome o = run_alone(&c, &k);
    const uint64_t back = line_of(&c, first_fetch(&c), ROW_CLOSED);
    assert_int_equal(o.sm.icache_miss, 2u);
    assert_int_equal(o.sm.icache_merge, 0u);
    /* The first warp is served as the line comes, the second asks one cycle later. */
    assert_int_equal(o.cycles, line_of(&c, back + 1u, ROW_HIT) + c.fetch.latency + LINE - 1u);
}

/* Whatever the cache, and however many wait: each warp looks up each of its lines once. */
static void hits_misses_and_merges_are_the_lines_that_warps_come_to(void **state)
{
    (void)state;
    uint64_t random = printed_seed();
    emit_loop(&text, 7u, 3u);
    for (uint32_t run = 0u; run < 40u; run++) {
        struct gpu_config c = code_config(some(&random, 8u));
        c.icache.ways = one_in(&random, 2u) ? 1u : c.icache.ways;
        c.icache.mshrs = some(&random, 4u);
        c.fetch.width = some(&random, LINE);
        c.fetch.groups = some(&random, 2u);
        c.fetch.warps = some(&random, 4u);
        c.ldst.miss_queue = some(&random, 2u);
        c.sm.cta_slots = some(&random, 4u);
        struct hand_kernel k = kernel_of_lines(&text, 7u, 5u, 6u);
        const struct outcome o = run_alone(&c, &k);
        assert_int_equal(o.sm.icache_hit + o.sm.icache_miss + o.sm.icache_merge,
                         5u * 6u * 7u * 3u);
        assert_int_equal(o.sm.l1_fill, o.sm.icache_miss);
    }
}

/* ---- Kernels ------------------------------------------------------------------------- */

static uint32_t first_line(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    (void)k, (void)cta, (void)warp, (void)i;
    return ACCESS(0u, 15u);
}

static void a_launch_empties_the_caches_of_data_and_not_that_of_instructions(void **state)
{
    (void)state;
    const struct gpu_config c = code_config(8u);
    emit_loop(&text, 2u, 1u);
    text.code[0] = (struct instruction){
        .op = OP_CONSTANT, .dst = R, .n_dst = 1u, .lanes = WARP_SIZE, .accesses = 1u
    };
    text.accesses = 1u;
    other = text;
    struct gpu *const g = open_gpu(&c, NULL, 0u);
    struct hand_kernel again = kernel_of_lines(&text, 2u, 1u, 1u);
    struct hand_kernel another = kernel_of_lines(&other, 2u, 1u, 1u);
    again.access = another.access = first_line;
    const uint32_t misses[] = { 2u, 2u, 4u, 4u };
    for (uint32_t k = 0u; k < 4u; k++) {
        launch(g, k == 2u ? &another : &again, 0u);
        const struct gpu_stats *const s = run_to_end(g);
        assert_int_equal(s->sm[0].icache_miss, misses[k]);
        assert_int_equal(s->sm[0].constant_miss, k + 1u);
        assert_int_equal(s->sm[0].constant_hit, 0u);
    }
    gpu_close(g);
}

static void an_sm_without_power_forgets_its_instructions(void **state)
{
    (void)state;
    const struct gpu_config c = code_config(8u);
    emit_loop(&text, 2u, 1u);
    struct hand_kernel k = kernel_of_lines(&text, 2u, 1u, 1u);
    struct gpu *const g = open_gpu(&c, NULL, 0u);
    for (uint32_t run = 0u; run < 2u; run++) {
        launch(g, &k, 0u);
        assert_int_equal(run_to_end(g)->sm[0].icache_miss, 2u * (run + 1u));
        gpu_drain(g, 0u, true);
        assert_true(gpu_gate(g, 0u, true) && gpu_gate(g, 0u, false));
        gpu_drain(g, 0u, false);
    }
    gpu_close(g);
}

static void there_is_room_for_so_many_instructions(void **state)
{
    (void)state;
    const struct gpu_config c = code_config(1u);
    struct fault fault;
    emit_loop(&text, 1u, 1u);
    struct hand_kernel k = kernel_of_lines(&text, 1u, 1u, 1u);
    struct gpu *const g = open_gpu(&c, NULL, 0u);
    k.shape.instructions = (1u << 26) + 1u;
    const struct kernel_source source = source_of(&k);
    assert_false(gpu_launch(g, &source, 0u, &fault));
    assert_string_equal(fault_text(&fault),
                        "kernel hand: more than 67108864 instructions in all kernels");
    gpu_close(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_that_fits_misses_once_a_line),
        cmocka_unit_test(of_a_loop_with_a_line_too_many_every_line_misses),
        cmocka_unit_test(lines_of_different_sets_do_not_meet),
        cmocka_unit_test(without_a_cache_nothing_is_counted_and_nothing_waits),
        cmocka_unit_test(a_fetch_ends_with_its_line),
        cmocka_unit_test(a_line_is_looked_up_once_for_all_of_its_groups),
        cmocka_unit_test(two_warps_share_a_miss),
        cmocka_unit_test(with_one_mshr_lines_follow_each_other),
        cmocka_unit_test(hits_misses_and_merges_are_the_lines_that_warps_come_to),
        cmocka_unit_test(a_launch_empties_the_caches_of_data_and_not_that_of_instructions),
        cmocka_unit_test(an_sm_without_power_forgets_its_instructions),
        cmocka_unit_test(there_is_room_for_so_many_instructions),
    };
    return cmocka_run_group_tests_name("gpu_icache", tests, NULL, NULL);
}
