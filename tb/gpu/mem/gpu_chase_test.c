/*
 * Closed forms of the GPU model's memory, to the cycle. One warp loads, and loads again when
 * it has the answer: what a hop takes is the sum of the configured latencies on its way, in
 * whole cycles of the domains that it passes.
 */

#include "gpu_way.h"
#include "tb/gpu/gpu_kernel.h"

/* ---- Chases -------------------------------------------------------------------------- */

static struct program text;

static uint32_t strided(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    (void)cta;
    (void)warp;
    return ACCESS(i * (uint32_t)k->parameter, 15u);
}

static struct outcome chase(const struct gpu_config *c, uint32_t hops, uint32_t stride)
{
    text = (struct program){ .length = 0u };
    emit_chain(&text, OP_LOAD, hops, 1u);
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, 1u, 1u);
    k.access = strided;
    k.parameter = stride;
    return run_alone(c, &k);
}

/* A chase whose first hop opens a row and whose others are of one level. */
static void check_chase(const struct gpu_config *c, uint32_t hops, uint32_t stride,
                        enum level level)
{
    way_begin(c);
    uint64_t t = way_hop(c, way_start(c), ROW_CLOSED);
    for (uint32_t k = 1u; k < hops; k++) {
        t = way_hop(c, t, level);
    }
    assert_int_equal(chase(c, hops, stride).cycles, t);
}

/* All levels on one machine: lines of a row, of one bank's rows, of all banks' rows. */
static void check_levels(const struct gpu_config *machine)
{
    struct gpu_config c = *machine;
    const uint32_t row = c.dram.row_bytes / c.l2.line;
    check_chase(&c, 60u, 0u, L1_HIT);
    check_chase(&c, 60u, 1u, ROW_HIT);
    check_chase(&c, c.dram.banks, row, ROW_CLOSED);
    check_chase(&c, 60u, row * c.dram.banks, ROW_OTHER);
    c.l1.bytes = 0u;
    check_chase(&c, 60u, 0u, L2_HIT);
}

static void hops_on_one_clock_are_the_sum_of_the_latencies(void **state)
{
    (void)state;
    const struct gpu_config c = small_config();
    const uint64_t there = 1u + 1u + 1u + way_flits(&c, 0u) + c.noc.latency;
    const uint64_t back = c.l2.latency + way_flits(&c, c.l1.line) + c.noc.latency;
    const uint64_t data = 1u + c.dram.tCL + c.l2.line / (c.dram.bus_bytes * c.dram.data_rate);
    assert_int_equal(way_hop(&c, 1000u, L1_HIT), 1000u + 1u + c.l1.latency);
    assert_int_equal(way_hop(&c, 1000u, L2_HIT), 1000u + there + back);
    assert_int_equal(way_hop(&c, 1000u, ROW_HIT), 1000u + there + data + back);
    assert_int_equal(way_hop(&c, 1000u, ROW_CLOSED), 1000u + there + c.dram.tRCD + data + back);
    assert_int_equal(way_hop(&c, 1000u, ROW_OTHER),
                     1000u + there + c.dram.tRP + c.dram.tRCD + data + back);
    check_levels(&c);
}

static void hops_of_other_clocks_take_whole_cycles_of_each(void **state)
{
    (void)state;
    uint64_t random = printed_number("SEED", 1u);
    for (uint32_t n = 0u; n < 100u; n++) {
        struct gpu_config c = small_config();
        c.clock.dram = 300u + random_below(&random, 9000u);
        c.clock.noc = n % 3u == 0u ? c.clock.core : 300u + random_below(&random, 9000u);
        c.clock.l2 = n % 5u == 0u ? c.clock.core : 300u + random_below(&random, 9000u);
        c.noc.latency = n % 4u == 0u ? 1u : 1u + random_below(&random, 30u);
        c.noc.channel_bytes = 16u << random_below(&random, 4u);
        c.l2.latency = n % 4u == 1u ? 1u : 1u + random_below(&random, 200u);
        c.l1.latency = 1u + random_below(&random, 200u);
        c.dram.latency = n % 2u == 0u ? 0u : random_below(&random, 256u);
        c.dram.tCL = 1u + random_below(&random, 40u);
        c.dram.tRP = 1u + random_below(&random, 40u);
        c.dram.tRCD = 1u + random_below(&random, 40u);
        /* A hop is longer than what an open row must last. */
        c.dram.tRAS = c.dram.tRCD;
        c.dram.tRC = c.dram.tRAS + c.dram.tRP;
        c.dram.bus_bytes = 4u << random_below(&random, 4u);
        check_levels(&c);
    }
}

static void hops_wait_for_refreshes(void **state)
{
    (void)state;
    uint64_t random = printed_number("SEED", 1u);
    for (uint32_t n = 0u; n < 100u; n++) {
        struct gpu_config c = small_config();
        c.clock.dram = 300u + random_below(&random, 4000u);
        c.dram.tREFI = 300u + random_below(&random, 1000u);
        c.dram.tRFC = 1u + random_below(&random, 150u);
        const uint32_t lines = c.dram.row_bytes / c.l2.line;
        for (uint32_t other = 0u; other < 2u; other++) {
            check_chase(&c, 60u, other != 0u ? lines * c.dram.banks : 1u,
                        other != 0u ? ROW_OTHER : ROW_HIT);
        }
    }
}

static void hops_wait_for_refreshes_of_their_bank_alone(void **state)
{
    (void)state;
    uint64_t random = printed_number("SEED", 1u);
    for (uint32_t n = 0u; n < 200u; n++) {
        struct gpu_config c = small_config();
        c.clock.dram = 300u + random_below(&random, 4000u);
        c.dram.banks = n % 4u == 0u ? 1u : 1u + random_below(&random, 8u);
        c.dram.refresh = REFRESH_BANK;
        c.dram.tREFI = c.dram.banks * (80u + random_below(&random, 300u));
        c.dram.tREFI = c.dram.tREFI > 450u ? c.dram.tREFI : 450u;
        c.dram.tRFC = 1u + random_below(&random, 150u);
        c.dram.tRREFD = random_below(&random, 15u);
        const uint32_t lines = c.dram.row_bytes / c.l2.line;
        for (uint32_t other = 0u; other < 2u; other++) {
            check_chase(&c, 60u, other != 0u ? lines * c.dram.banks : 1u,
                        other != 0u ? ROW_OTHER : ROW_HIT);
        }
    }
}

static void a_miss_takes_the_lookup_in_merge_table_and_coalesced_cache(void **state)
{
    (void)state;
    for (uint32_t lookup = 0u; lookup <= 32u; lookup += lookup < 3u ? 1u : 7u) {
        struct gpu_config c = small_config();
        c.icc.entries = 1u + lookup;
        c.icc.lines = lookup % 2u;
        c.icc.lookup_latency = lookup;
        check_levels(&c);
        const uint64_t with = chase(&c, 60u, 1u).cycles;
        c.icc.entries = c.icc.lines = 0u;
        assert_int_equal(with, chase(&c, 60u, 1u).cycles + 60u * lookup);
    }
}

/* Of the same line; the first opens a row. */
static void check_polling(const struct gpu_config *c, enum op_class op, uint32_t flags,
                          uint64_t first, uint64_t hop)
{
    text = (struct program){ .length = 0u };
    for (uint32_t k = 0u; k < 50u; k++) {
        emit(&text, op, R, R, 1u)->flags = (uint8_t)flags;
    }
    emit_exit(&text);
    assert_int_equal(cycles_of(c, &text, 1u), way_start(c) + first + 49u * hop);
}

static void volatile_local_and_constant_reads_are_not_looked_up(void **state)
{
    (void)state;
    struct gpu_config c = small_config();
    const uint64_t at = way_start(&c) + 1u;
    const uint64_t base = way_start(&c);
    const uint64_t opens = way_answered(&c, at, ROW_CLOSED, 0u, c.l1.line) - base;
    const uint64_t again = way_answered(&c, at, L2_HIT, 0u, c.l1.line) - base;
    c.icc.entries = 48u;
    c.icc.lines = 24u;
    c.icc.lookup_latency = 9u;
    c.texture.latency = 28u; /* below that of a miss */
    /* Each goes to the L2 again, although the L1 would keep the line. */
    check_polling(&c, OP_LOAD, UNCACHED, opens, again);
    check_polling(&c, OP_LOAD, LOCAL, opens, 1u + c.l1.latency);
    check_polling(&c, OP_LOAD, 0u, opens + 9u, 1u + c.l1.latency);
    check_polling(&c, OP_TEXTURE, 0u, opens + 9u, 1u + c.texture.latency);
    c.constant.bytes = 0u;
    check_polling(&c, OP_CONSTANT, 0u,
                  way_answered(&c, at, ROW_CLOSED, 0u, c.constant.line) - base,
                  way_answered(&c, at, L2_HIT, 0u, c.constant.line) - base);
}

static void n_accesses_of_a_load_take_n_cycles_more(void **state)
{
    (void)state;
    for (uint32_t accesses = 1u; accesses <= MAX_ACCESSES; accesses++) {
        const struct gpu_config c = small_config();
        text = (struct program){ .length = 0u };
        (void)emit(&text, OP_LOAD, R, R, 1u);
        emit_chain(&text, OP_LOAD, 10u, accesses);
        emit_exit(&text);
        assert_int_equal(cycles_of(&c, &text, 1u), way_hop(&c, way_start(&c), ROW_CLOSED)
                                                       + 10u * (accesses + c.l1.latency));
    }
}

static void constant_and_texture_caches_have_latencies_and_lines_of_their_own(void **state)
{
    (void)state;
    const struct gpu_config c = small_config();
    for (uint32_t k = 0u; k < 2u; k++) {
        const uint32_t line = k == 0u ? c.constant.line : c.texture.line;
        const uint32_t latency = k == 0u ? c.constant.latency : c.texture.latency;
        text = (struct program){ .length = 0u };
        emit_chain(&text, k == 0u ? OP_CONSTANT : OP_TEXTURE, 50u, 1u);
        emit_exit(&text);
        const uint64_t access = way_start(&c) + 1u;
        const uint64_t back = way_answered(&c, access, ROW_CLOSED, 0u, line);
        const uint64_t first = back > access + latency ? back : access + latency;
        struct hand_kernel kernel = kernel_of(&text, 1u, 1u);
        const struct outcome o = run_alone(&c, &kernel);
        assert_int_equal(o.cycles, first + 49u * (1u + latency));
        assert_int_equal(k == 0u ? o.sm.constant_hit : o.sm.texture_hit, 49u);
        assert_int_equal(k == 0u ? o.sm.constant_miss : o.sm.texture_miss, 1u);
        assert_int_equal(o.sm.l1_hit + o.sm.l1_miss, 0u);
    }
}

/* ---- Stores and atomics -------------------------------------------------------------- */

static void
a_store_is_complete_when_it_has_left_and_is_counted_until_it_is_written(void **state)
{
    (void)state;
    const struct gpu_config c = small_config();
    for (uint32_t quarters = 1u; quarters < 16u; quarters = quarters * 2u + 1u) {
        text = (struct program){ .length = 0u };
        (void)emit(&text, OP_STORE, REGISTER_NONE, REGISTER_NONE, 1u);
        emit_exit(&text);
        struct gpu *const g = open_gpu(&c, NULL, 0u);
        struct hand_kernel k = kernel_of(&text, 1u, 1u);
        k.access = strided;
        launch(g, &k, 0u);
        const struct gpu_stats *const s = run_to_end(g);
        /* `ended` is the cycle after the exit, which issues as the store leaves. */
        assert_int_equal(s->kernel[0].ended, way_start(&c) + 1u + 1u);
        assert_int_equal(s->cycles, way_across(&c, way_start(&c) + 3u, c.l2.line));
        gpu_close(g);
    }
}

static uint64_t l1_misses_around_a_store(enum write_policy write, bool hit_before)
{
    struct gpu_config c = small_config();
    c.l1.write = write;
    text = (struct program){ .length = 0u };
    if (hit_before) {
        (void)emit(&text, OP_LOAD, R, R, 1u);
    }
    (void)emit(&text, OP_STORE, REGISTER_NONE, R, 1u);
    (void)emit(&text, OP_LOAD, R, R, 1u);
    (void)emit(&text, OP_LOAD, R, R, 1u);
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, 1u, 1u);
    const struct outcome o = run_alone(&c, &k);
    assert_int_equal(o.sm.l1_write, 1u);
    assert_int_equal(o.l2.write, 1u);
    return o.sm.l1_miss;
}

static void a_write_hit_evicts_or_updates_and_a_write_miss_may_allocate(void **state)
{
    (void)state;
    assert_int_equal(l1_misses_around_a_store(WRITE_EVICT, true), 2u);
    assert_int_equal(l1_misses_around_a_store(WRITE_THROUGH, true), 1u);
    assert_int_equal(l1_misses_around_a_store(WRITE_EVICT, false), 1u);
    assert_int_equal(l1_misses_around_a_store(WRITE_THROUGH, false), 1u);
    assert_int_equal(l1_misses_around_a_store(WRITE_ALLOCATE, true), 1u);
    assert_int_equal(l1_misses_around_a_store(WRITE_ALLOCATE, false), 0u);
}

/* The load on its way may be older than the store: the next one waits for it, and misses. */
static void a_read_after_a_write_does_not_join_a_read_before_it(void **state)
{
    (void)state;
    static const enum op_class writes[] = { OP_STORE, OP_ATOMIC };
    for (uint32_t k = 0u; k < 6u; k++) {
        struct gpu_config c = small_config();
        c.ldst.queue = 16u;
        c.l1.write = (enum write_policy)(k / 2u);
        text = (struct program){ .length = 0u };
        (void)emit(&text, OP_LOAD, R, REGISTER_NONE, 1u);
        (void)emit(&text, writes[k % 2u], REGISTER_NONE, REGISTER_NONE, 1u);
        (void)emit(&text, OP_LOAD, R + 1u, REGISTER_NONE, 1u);
        (void)emit(&text, OP_LOAD, R + 2u, R + 1u, 1u);
        emit_exit(&text);
        struct hand_kernel kernel = kernel_of(&text, 1u, 1u);
        const struct outcome o = run_alone(&c, &kernel);
        /* What a store leaves in the L1 is as new as it can be. */
        const bool left = c.l1.write == WRITE_ALLOCATE && writes[k % 2u] == OP_STORE;
        assert_int_equal(o.sm.l1_miss, left ? 1u : 2u);
        assert_int_equal(o.sm.l1_merge, 0u);
        assert_int_equal(o.sm.l1_hit, left ? 2u : 1u);
        assert_true(left ? o.sm.ldst_merge == 0u : o.sm.ldst_merge > c.dram.tCL);
    }
}

static uint32_t one_quarter(const struct hand_kernel *k, uint32_t cta, uint32_t warp,
                            uint32_t i)
{
    (void)cta;
    (void)warp;
    return ACCESS(i * (uint32_t)k->parameter, 1u);
}

/* A store brings line 0 to the L2; then n atomics of one quarter, in which so many lanes meet
 * at an address. */
static struct outcome atomics(const struct gpu_config *c, uint32_t n, bool answer,
                              uint32_t lanes)
{
    text = (struct program){ .length = 0u };
    (void)emit(&text, OP_STORE, REGISTER_NONE, REGISTER_NONE, 1u);
    for (uint32_t k = 0u; k < n; k++) {
        (void)emit(&text, OP_ATOMIC, answer ? R : REGISTER_NONE, answer ? R : REGISTER_NONE,
                   1u);
    }
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, 1u, 1u);
    k.access = one_quarter;
    k.turns = lanes - 1u;
    return run_alone(c, &k);
}

static void atomics_take_their_interval_for_each_lane_at_an_address(void **state)
{
    (void)state;
    for (uint32_t interval = 1u; interval <= 100u; interval += 11u) {
        struct gpu_config c = small_config();
        c.l2.atomic_interval = interval;
        for (uint32_t lanes = 1u; lanes <= WARP_SIZE; lanes += interval == 1u ? 31u : 9u) {
            const uint32_t time = interval * lanes;
            const struct outcome some = atomics(&c, 50u, false, lanes);
            const struct outcome more = atomics(&c, 150u, false, lanes);
            assert_int_equal(more.cycles - some.cycles, 100u * time);
            assert_int_equal(more.l2.atomic, 150u);
            assert_int_equal(more.l2.miss, 0u);
            /* It is performed when looked up; the answer to it need not wait. */
            const uint64_t leaves = way_start(&c) + 1000u;
            const uint64_t round =
                way_answered(&c, leaves + 1u, L2_HIT, c.l2.line / 4u, c.l2.line / 4u);
            assert_int_equal(atomics(&c, 60u, true, lanes).cycles
                                 - atomics(&c, 10u, true, lanes).cycles,
                             50u * (round - leaves > time ? round - leaves : time));
        }
    }
}

/* A line in the L2; then n atomics on it without answer, of so many lanes, of which so many
 * meet at an address. */
static uint64_t lanes_cycles(const struct gpu_config *c, uint32_t n, uint32_t lanes,
                             uint32_t meet)
{
    text = (struct program){ .length = 0u };
    (void)emit(&text, OP_STORE, REGISTER_NONE, REGISTER_NONE, 1u);
    for (uint32_t k = 0u; k < n; k++) {
        (void)emit(&text, OP_ATOMIC, REGISTER_NONE, REGISTER_NONE, 1u);
    }
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, 1u, 1u);
    k.access = one_quarter;
    k.turns = meet - 1u;
    k.lanes = lanes;
    const struct outcome o = run_alone(c, &k);
    assert_int_equal(o.l2.atomic, n);
    return o.cycles;
}

/* The lanes of one atomic and those of the next share a cycle. */
static void a_slice_performs_so_many_lanes_of_atomics_a_cycle(void **state)
{
    (void)state;
    for (uint32_t each = 0u; each <= 40u; each += each < 8u ? 1u : 8u) {
        struct gpu_config c = small_config();
        c.l2.atomic_lanes = each;
        for (uint32_t lanes = 1u; lanes <= WARP_SIZE; lanes += lanes == 1u ? 4u : 9u) {
            for (uint32_t meet = 1u; meet <= lanes; meet += 4u) {
                const uint64_t more = lanes_cycles(&c, 50u + 20u * (each + 1u), lanes, meet);
                const uint64_t took = more - lanes_cycles(&c, 50u, lanes, meet);
                const uint64_t n = 20u * (each + 1u), turns = n * meet;
                const uint64_t by_lanes = each == 0u ? 0u : n * lanes / each;
                /* The last one may end within a cycle. */
                assert_in_range(took, turns > by_lanes ? turns : by_lanes,
                                (turns > by_lanes ? turns : by_lanes) + 1u);
            }
        }
    }
}

/* ---- Limits of the L1 ---------------------------------------------------------------- */

static void a_line_takes_so_many_merges_and_the_next_waits_for_the_fill(void **state)
{
    (void)state;
    for (uint32_t merges = 1u; merges <= 8u; merges++) {
        struct gpu_config c = small_config();
        c.l1.merges = merges;
        c.ldst.queue = 16u;
        text = (struct program){ .length = 0u };
        (void)emit(&text, OP_LOAD, R, REGISTER_NONE, 1u);
        emit_exit(&text);
        struct hand_kernel k = kernel_of(&text, 1u, 12u);
        const struct outcome o = run_alone(&c, &k);
        assert_int_equal(o.sm.l1_miss, 1u);
        assert_int_equal(o.sm.l1_merge, merges - 1u);
        assert_int_equal(o.sm.l1_hit, 12u - merges);
        /* From the cycle after the last merge to the one before the fill. */
        const uint64_t fill = way_hop(&c, way_start(&c), ROW_CLOSED);
        assert_int_equal(o.sm.ldst_merge, fill - (way_start(&c) + 1u + merges));
        assert_int_equal(o.sm.l1_fill, 1u);
    }
}

static void with_one_mshr_misses_follow_each_other(void **state)
{
    (void)state;
    struct gpu_config c = small_config();
    c.l1.mshrs = 1u;
    uint64_t access = way_start(&c) + 1u, last = access;
    text = (struct program){ .length = 0u };
    for (uint32_t k = 0u; k < 40u; k++) {
        (void)emit(&text, OP_LOAD, R + k, REGISTER_NONE, 1u);
        last = access;
        access = way_answered(&c, access, k == 0u ? ROW_CLOSED : ROW_HIT, 0u, c.l1.line);
    }
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, 1u, 1u);
    k.access = strided;
    k.parameter = 1u;
    const struct outcome o = run_alone(&c, &k);
    assert_int_equal(o.cycles, access);
    assert_int_equal(o.sm.miss_latency, access - (way_start(&c) + 1u));
    assert_int_equal(o.sm.ldst_mshr, last - (way_start(&c) + 1u) - 39u);
}

static void the_overlapped_part_of_a_miss_is_what_arithmetic_is_in_flight_for(void **state)
{
    (void)state;
    struct gpu_config c = small_config();
    uint64_t all = 0u;

    for (uint32_t latency = 1u; latency <= 1023u; latency += 73u) {
        c.fp32.latency = latency;
        text = (struct program){ .length = 0u };
        (void)emit(&text, OP_FP32, R, REGISTER_NONE, 1u);
        (void)emit(&text, OP_LOAD, R + 1u, REGISTER_NONE, 1u);
        emit_exit(&text);
        struct hand_kernel k = kernel_of(&text, 1u, 1u);
        k.access = strided;
        k.parameter = 1u;
        const struct outcome o = run_alone(&c, &k);
        /* The load has its MSHR in the cycle after its issue; arithmetic comes before it. */
        const uint64_t both = o.sm.inflight_both;
        assert_in_range(o.sm.miss_overlapped, both == 0u ? 0u : both - 1u, both);
        assert_true(o.sm.miss_overlapped <= o.sm.miss_latency);
        assert_int_equal(o.sm.miss_overlapped == o.sm.miss_latency, o.sm.inflight_memory <= 1u);
        all += o.sm.miss_overlapped == o.sm.miss_latency;
    }
    assert_in_range(all, 1, 14);
    c.l1.mshrs = 1u; /* without arithmetic */
    text = (struct program){ .length = 0u };
    (void)emit(&text, OP_LOAD, R, REGISTER_NONE, 1u);
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, 1u, 1u);
    k.access = strided;
    k.parameter = 1u;
    assert_int_equal(run_alone(&c, &k).sm.miss_overlapped, 0u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hops_on_one_clock_are_the_sum_of_the_latencies),
        cmocka_unit_test(hops_of_other_clocks_take_whole_cycles_of_each),
        cmocka_unit_test(hops_wait_for_refreshes),
        cmocka_unit_test(hops_wait_for_refreshes_of_their_bank_alone),
        cmocka_unit_test(a_miss_takes_the_lookup_in_merge_table_and_coalesced_cache),
        cmocka_unit_test(volatile_local_and_constant_reads_are_not_looked_up),
        cmocka_unit_test(n_accesses_of_a_load_take_n_cycles_more),
        cmocka_unit_test(constant_and_texture_caches_have_latencies_and_lines_of_their_own),
        cmocka_unit_test(
            a_store_is_complete_when_it_has_left_and_is_counted_until_it_is_written),
        cmocka_unit_test(a_write_hit_evicts_or_updates_and_a_write_miss_may_allocate),
        cmocka_unit_test(a_read_after_a_write_does_not_join_a_read_before_it),
        cmocka_unit_test(atomics_take_their_interval_for_each_lane_at_an_address),
        cmocka_unit_test(a_slice_performs_so_many_lanes_of_atomics_a_cycle),
        cmocka_unit_test(a_line_takes_so_many_merges_and_the_next_waits_for_the_fill),
        cmocka_unit_test(with_one_mshr_misses_follow_each_other),
        cmocka_unit_test(the_overlapped_part_of_a_miss_is_what_arithmetic_is_in_flight_for),
    };
    return cmocka_run_group_tests_name("gpu_chase", tests, NULL, NULL);
}
