/*
 * Tests of the work distributor in the running GPU: the placements of the literature for all
 * policies, CLASO's case study, blocks, and that no combination of them strands a CTA, even
 * while SMs are drained and switched off.
 */

#include "tb/gpu/gpu_events.h"

#include "base/random_bits.h"
#include "tb/base/sanitized.h"

static struct program program[64];
static struct events events;

/* Chains of integer instructions, of the given length for each CTA. */
static void make_programs(const uint32_t *length, uint32_t n)
{
    for (uint32_t cta = 0u; cta < n; cta++) {
        program[cta] = (struct program){ .length = 0u };
        emit_chain(&program[cta], OP_INTEGER, length[cta], 0u);
        emit_exit(&program[cta]);
    }
}

static const struct program *program_of_cta(uint32_t cta)
{
    return &program[cta % (sizeof program / sizeof program[0])];
}

static struct gpu_config machine(uint32_t sms, uint32_t clusters, uint32_t slots)
{
    struct gpu_config c = small_config();
    c.sm.count = sms;
    c.cluster.count = clusters;
    c.sm.cta_slots = slots;
    return c;
}

/* Runs a kernel of CTAs of one warp, those of program_of_cta, and records events. sample, if
 * there is one, is called after every cycle. */
static void run(const struct gpu_config *c, struct hand_kernel *kernel,
                void (*sample)(void *, struct gpu *, uint64_t))
{
    struct gpu_monitor monitor = events_monitor(&events);
    const struct gpu_hooks hooks = { .monitor = &monitor };
    monitor.interval = 1u;
    monitor.sample = sample;
    struct gpu *const g = open_gpu(c, &hooks, 0u);
    kernel->of_cta = program_of_cta;
    launch(g, kernel, 0u);
    (void)run_to_end(g);
    gpu_close(g);
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- Placements ---------------------------------------------------------------------- */

/* 10 CTAs, two clusters of two SMs of two CTAs. CTA 0 (1 in the table's numbering) ends first:
 * the SMs of the first CTAs of each pool, and the CTA that takes its place. */
static void the_five_policies_place_and_refill_as_published(void **state)
{
    (void)state;
    enum { NOBODY = 99 };
    static const struct {
        enum dispatch_policy policy;
        uint32_t sm[10]; /* NOBODY: waits */
        uint32_t next;   /* takes the place of CTA 0 */
    } rows[] = {
        { DISPATCH_TWO_LEVEL_RR, { 0, 2, 1, 3, 0, 2, 1, 3, NOBODY, NOBODY }, 8 },
        { DISPATCH_GLOBAL_RR, { 0, 1, 2, 3, 0, 1, 2, 3, NOBODY, NOBODY }, 8 },
        { DISPATCH_GREEDY_CLUSTER, { 0, 1, 0, 1, 2, 3, 2, 3, NOBODY, NOBODY }, 8 },
        { DISPATCH_DISTRIBUTED, { 0, 1, 0, 1, NOBODY, 2, 3, 2, 3, NOBODY }, 4 },
        { DISPATCH_DISTRIBUTED_BLOCK, { 0, 0, 1, 1, NOBODY, 2, 2, 3, 3, NOBODY }, NOBODY },
    };
    static const uint32_t length[10] = { 20, 200, 210, 220, 230, 240, 250, 260, 270, 280 };
    make_programs(length, 10u);
    for (uint32_t row = 0u; row < 5u; row++) {
        struct gpu_config c = machine(4u, 2u, 2u);
        struct hand_kernel k = kernel_of(&program[0], 10u, 1u);
        c.dispatch.policy = rows[row].policy;
        run(&c, &k, NULL);
        const uint64_t end = end_of_cta(&events, 0u, 0u);
        for (uint32_t cta = 0u; cta < 10u; cta++) {
            const uint64_t start = start_of_cta(&events, 0u, cta);
            if (rows[row].sm[cta] != NOBODY) {
                assert_int_equal(sm_of(&events, 0u, cta), rows[row].sm[cta]);
                assert_true(start < end);
            } else if (cta == rows[row].next) {
                assert_int_equal(sm_of(&events, 0u, cta), 0u);
                assert_int_equal(start, end + DISPATCH_CYCLES);
            } else {
                assert_true(start > end);
            }
        }
    }
    /* The last row's CTA 4 waits for both CTAs of the pair that ends first. */
    assert_int_equal(sm_of(&events, 0u, 4u), 0u);
    assert_int_equal(start_of_cta(&events, 0u, 4u),
                     end_of_cta(&events, 0u, 1u) + DISPATCH_CYCLES);
}

/* Clusters of SMs 0 to 2, 3 to 5, and 6 and 7, each SM of two CTAs; 20 CTAs, of which the first
 * ones of a pool go out in the order of `sm`. */
static void a_short_last_cluster_of_two_sms_is_filled_by_the_same_rules(void **state)
{
    (void)state;
    enum { NOBODY = 99, CTAS = 20 };
    static const struct {
        enum dispatch_policy policy;
        uint32_t sm[CTAS]; /* NOBODY: waits */
    } rows[] = {
        { DISPATCH_TWO_LEVEL_RR,
          { 0, 3, 6, 1, 4, 7, 2, 5, 0, 3, 6, 1, 4, 7, 2, 5, NOBODY, NOBODY, NOBODY, NOBODY } },
        { DISPATCH_GLOBAL_RR,
          { 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, NOBODY, NOBODY, NOBODY, NOBODY } },
        { DISPATCH_GREEDY_CLUSTER,
          { 0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5, 6, 7, 6, 7, NOBODY, NOBODY, NOBODY, NOBODY } },
        /* Pools of 7, 7 and 6. */
        { DISPATCH_DISTRIBUTED,
          { 0, 1, 2, 0, 1, 2, NOBODY, 3, 4, 5, 3, 4, 5, NOBODY, 6, 7, 6, 7, NOBODY, NOBODY } },
        { DISPATCH_DISTRIBUTED_BLOCK,
          { 0, 0, 1, 1, 2, 2, NOBODY, 3, 3, 4, 4, 5, 5, NOBODY, 6, 6, 7, 7, NOBODY, NOBODY } },
    };
    uint32_t length[CTAS];
    for (uint32_t cta = 0u; cta < CTAS; cta++) {
        length[cta] = 200u + 10u * cta;
    }
    make_programs(length, CTAS);
    for (uint32_t row = 0u; row < 5u; row++) {
        for (uint32_t active = 0u; active < 3u; active++) { /* CLASO does not change the fill */
            struct gpu_config c = machine(8u, 3u, 2u);
            struct hand_kernel k = kernel_of(&program[0], CTAS, 1u);
            c.dispatch.policy = rows[row].policy;
            c.claso.active_levels = active;
            run(&c, &k, NULL);
            const uint64_t end = end_of_cta(&events, 0u, 0u);
            for (uint32_t cta = 0u; cta < CTAS; cta++) {
                const bool waits = rows[row].sm[cta] == NOBODY;
                assert_int_equal(start_of_cta(&events, 0u, cta) >= end, waits);
                if (!waits) {
                    assert_int_equal(sm_of(&events, 0u, cta), rows[row].sm[cta]);
                }
            }
        }
    }
}

/* 17 CTAs on 4 SMs of 3. Those of SM 3 end first, then those of SM 0; rule C-3. */
static void make_case_study(void)
{
    uint32_t length[17];
    static const uint32_t ending[] = { 7, 11, 3, 4, 0, 8, 2, 1 }; /* in this order */
    for (uint32_t cta = 0u; cta < 17u; cta++) {
        length[cta] = 900u;
    }
    for (uint32_t i = 0u; i < 8u; i++) {
        length[ending[i]] = 100u + 40u * i;
    }
    make_programs(length, 17u);
}

static void check_counts(const uint32_t expected[4])
{
    uint32_t count[4] = { 0u };
    for (uint32_t cta = 0u; cta < 17u; cta++) {
        count[sm_of(&events, 0u, cta)]++;
    }
    assert_memory_equal(count, expected, sizeof count);
}

static void the_case_study_of_claso_runs_as_in_figs_9_and_10(void **state)
{
    (void)state;
    static const struct {
        uint32_t cta, sm, after;
    } rows[] = { { 12, 3, 7 }, { 13, 3, 11 }, { 14, 0, 4 }, { 15, 2, 2 }, { 16, 1, 1 } };
    struct gpu_config c = machine(4u, 4u, 3u);
    struct hand_kernel k = kernel_of(&program[0], 17u, 1u);
    make_case_study();
    run(&c, &k, NULL);
    check_counts((const uint32_t[]){ 5, 3, 3, 6 });
    c.claso.active_levels = 1u;
    run(&c, &k, NULL);
    check_counts((const uint32_t[]){ 4, 4, 4, 5 });
    for (uint32_t i = 0u; i < 5u; i++) {
        assert_int_equal(sm_of(&events, 0u, rows[i].cta), rows[i].sm);
        assert_int_equal(start_of_cta(&events, 0u, rows[i].cta),
                         end_of_cta(&events, 0u, rows[i].after) + DISPATCH_CYCLES);
    }
}

/* ---- Blocks -------------------------------------------------------------------------- */

static bool in_pairs(uint32_t ctas)
{
    for (uint32_t cta = 0u; cta + 1u < ctas; cta += 2u) {
        if (sm_of(&events, 0u, cta) != sm_of(&events, 0u, cta + 1u)
            || start_of_cta(&events, 0u, cta) != start_of_cta(&events, 0u, cta + 1u)) {
            return false;
        }
    }
    return true;
}

static void blocks_are_for_ctas_and_rows_of_two_dimensions_unless_told(void **state)
{
    (void)state;
    static const struct {
        uint32_t grid_x, grid_y, block_y;
        bool all, pairs;
    } rows[] = {
        { 4, 3, 2, false, true },  { 4, 3, 1, false, false }, { 1, 12, 2, false, false },
        { 12, 1, 2, false, true }, { 4, 3, 1, true, true },   { 3, 4, 2, false, true },
    };
    static const uint32_t length[12] = { 50, 30, 20, 60, 70, 10, 40, 20, 50, 80, 30, 20 };
    make_programs(length, 12u);
    for (size_t i = 0u; i < sizeof rows / sizeof rows[0]; i++) {
        struct gpu_config c = machine(2u, 1u, 4u);
        struct hand_kernel k = kernel_of(&program[0], 12u, 1u);
        k.shape.grid[0] = rows[i].grid_x;
        k.shape.grid[1] = rows[i].grid_y;
        k.shape.block[0] = WARP_SIZE / rows[i].block_y;
        k.shape.block[1] = rows[i].block_y;
        c.dispatch.block = 2u;
        c.dispatch.block_all = rows[i].all;
        run(&c, &k, NULL);
        assert_int_equal(in_pairs(12u), rows[i].pairs);
    }
}

/* One SM of four CTAs. CTAs 0 and 2 end first: any two contexts are free then, but neither
 * pair has ended. */
static void strict_pairs_end_together_and_others_do_not(void **state)
{
    (void)state;
    static const uint32_t length[6] = { 50, 500, 60, 300, 20, 20 };
    struct gpu_config c = machine(1u, 1u, 4u);
    struct hand_kernel k = kernel_of(&program[0], 6u, 1u);
    make_programs(length, 6u);
    c.dispatch.block = 2u;
    c.dispatch.block_all = true;
    run(&c, &k, NULL);
    assert_int_equal(start_of_cta(&events, 0u, 4u),
                     later(end_of_cta(&events, 0u, 0u), end_of_cta(&events, 0u, 2u))
                         + DISPATCH_CYCLES);
    c.dispatch.strict_pairs = true;
    run(&c, &k, NULL);
    assert_int_equal(start_of_cta(&events, 0u, 4u),
                     later(end_of_cta(&events, 0u, 2u), end_of_cta(&events, 0u, 3u))
                         + DISPATCH_CYCLES);
}

/* The most of `ctas` CTAs that are on their SM at the same time. */
static uint32_t most_resident(uint32_t ctas)
{
    uint32_t most = 0u;

    for (uint32_t a = 0u; a < ctas; a++) {
        uint32_t now = 0u;
        for (uint32_t b = 0u; b < ctas; b++) {
            now += sm_of(&events, 0u, b) == sm_of(&events, 0u, a)
                   && start_of_cta(&events, 0u, b) <= start_of_cta(&events, 0u, a)
                   && end_of_cta(&events, 0u, b) > start_of_cta(&events, 0u, a);
        }
        most = now > most ? now : most;
    }
    return most;
}

/* One SM of five contexts, pairs. Four CTAs are on it; one of them ends, and two contexts are
 * free. */
static void a_fifth_context_is_used_once_one_of_the_first_four_ctas_has_ended(void **state)
{
    (void)state;
    for (uint32_t shortest = 0u; shortest < 4u; shortest++) {
        uint32_t length[12];
        for (uint32_t cta = 0u; cta < 12u; cta++) {
            length[cta] = cta == shortest ? 30u : 400u;
        }
        make_programs(length, 12u);
        struct gpu_config c = machine(1u, 1u, 5u);
        struct hand_kernel k = kernel_of(&program[0], 12u, 1u);
        c.dispatch.policy = DISPATCH_DISTRIBUTED_BLOCK;
        run(&c, &k, NULL);
        assert_int_equal(most_resident(12u), 5);
        assert_true(in_pairs(12u));
        const uint64_t next = end_of_cta(&events, 0u, shortest) + DISPATCH_CYCLES;
        assert_int_equal(start_of_cta(&events, 0u, 4u), next);
        assert_int_equal(start_of_cta(&events, 0u, 5u), next);
        c.dispatch.strict_pairs = true;
        run(&c, &k, NULL);
        assert_int_equal(most_resident(12u), 4);
        assert_true(start_of_cta(&events, 0u, 4u) > next + 300u);
    }
}

/* Any free contexts will do for a block, so in the end all of them are used; strict blocks use
 * as many as make whole ones. Where fewer fit than a block has, blocks are halved. */
static void all_contexts_are_used_but_by_strict_blocks(void **state)
{
    (void)state;
    uint32_t length[64];
    for (uint32_t cta = 0u; cta < 64u; cta++) {
        length[cta] = cta < 8u ? 20u + 30u * cta : 300u;
    }
    make_programs(length, 64u);
    for (uint32_t slots = 1u; slots <= 8u; slots++) {
        for (uint32_t n = 0u; n < 6u; n++) {
            const bool strict = n % 2u != 0u;
            uint32_t block = 1u << n / 2u;
            struct gpu_config c = machine(1u, 1u, slots);
            struct hand_kernel k = kernel_of(&program[0], 64u, 1u);
            c.dispatch.block = block;
            c.dispatch.block_all = true;
            c.dispatch.strict_pairs = strict;
            run(&c, &k, NULL);
            while (block > slots) {
                block /= 2u;
            }
            assert_int_equal(most_resident(64u), strict ? slots / block * block : slots);
            assert_true(block < 2u || in_pairs(64u));
        }
    }
}

/* ---- Nothing hangs ------------------------------------------------------------------- */

static void random_programs(uint64_t *random)
{
    uint32_t length[64];
    for (uint32_t i = 0u; i < 64u; i++) {
        length[i] = 1u + random_below(random, 40u);
    }
    make_programs(length, 64u);
}

/* Runs a grid, whose CTAs all must start, once each. */
static void check_grid(const struct gpu_config *c, uint32_t ctas,
                       void (*sample)(void *, struct gpu *, uint64_t))
{
    struct hand_kernel k = kernel_of(&program[0], ctas, 1u);
    uint8_t started[256] = { 0u };

    run(c, &k, sample);
    for (uint32_t i = 0u; i < events.n; i++) {
        started[events.event[i].cta] += events.event[i].start;
    }
    for (uint32_t cta = 0u; cta < ctas; cta++) {
        assert_int_equal(started[cta], 1u);
    }
}

static void no_policy_block_and_credits_strand_a_cta(void **state)
{
    (void)state;
    static const uint32_t sizes[][3] = { { 1, 1, 1 }, { 4, 2, 3 }, { 5, 3, 2 }, { 3, 3, 5 } };
    uint64_t random = printed_number("SEED", 1u);
    uint32_t runs = 0u;

    random_programs(&random);
    for (uint32_t size = 0u; size < 4u; size++) {
        struct gpu_config c = machine(sizes[size][0], sizes[size][1], sizes[size][2]);
        c.dispatch.block_all = true;
        c.limit.watchdog = 5000u;
        for (uint32_t policy = 0u; policy < 5u; policy++) {
            c.dispatch.policy = policy;
            for (uint32_t n = 0u; n < 3u * 2u * 2u * 5u * 3u; n += SANITIZED ? 7u : 1u) {
                c.dispatch.block = 1u << n % 3u;
                c.dispatch.strict_pairs = n / 3u % 2u != 0u;
                c.dispatch.steal = n / 6u % 2u != 0u;
                c.claso.active_levels = n / 12u % 5u;
                c.claso.loose_levels = n / 60u % 3u;
                check_grid(&c, 1u + random_below(&random, 40u), NULL);
                runs++;
            }
        }
    }
    print_message("%u runs\n", runs);
}

/* Drains and switches off SMs at random, all at times, and wakes them again; from cycle `last`
 * on only those of `rest` are left. */
static struct switcher {
    uint64_t random;
    uint32_t n_sm;
    uint64_t last;
    uint64_t rest; /* a bit each */
    uint64_t next; /* cycle */
} switcher;

static void switch_sms(void *self, struct gpu *gpu, uint64_t cycle)
{
    struct switcher *const s = &switcher;
    (void)self;
    if (cycle != s->next) {
        return;
    }
    for (uint32_t sm = 0u; sm < s->n_sm; sm++) {
        const bool draining =
            cycle < s->last ? random_below(&s->random, 2u) != 0u : (s->rest >> sm & 1u) == 0u;
        if (!draining) {
            (void)gpu_gate(gpu, sm, false);
        }
        gpu_drain(gpu, sm, draining);
        if (draining) {
            (void)gpu_gate(gpu, sm, true);
        }
    }
    s->next = cycle + 1u + random_below(&s->random, 60u);
}

static void nothing_is_stranded_while_sms_come_and_go(void **state)
{
    (void)state;
    uint64_t random = printed_number("SEED", 1u);

    random_programs(&random);
    for (uint32_t i = 0u; i < (SANITIZED ? 250u : 2000u); i++) {
        struct gpu_config c =
            machine(1u + random_below(&random, 8u), 1u + random_below(&random, 5u),
                    1u + random_below(&random, 5u));
        switcher.random = random_bits(&random);
        switcher.n_sm = c.sm.count;
        switcher.last = random_below(&random, 300u);
        switcher.rest = random_bits(&random) | UINT64_C(1) << random_below(&random, c.sm.count);
        switcher.next = 1u;
        const uint32_t size = (c.sm.count + c.cluster.count - 1u) / c.cluster.count;
        c.cluster.count = (c.sm.count + size - 1u) / size; /* none without an SM */
        c.sm.wake_latency = random_below(&random, 30u);
        c.dispatch.policy = random_below(&random, 5u);
        c.dispatch.block = 1u << random_below(&random, 3u);
        c.dispatch.block_all = true;
        c.dispatch.strict_pairs = random_below(&random, 2u) != 0u;
        c.dispatch.steal = random_below(&random, 2u) != 0u;
        c.claso.active_levels = random_below(&random, 5u);
        c.claso.loose_levels = random_below(&random, 3u);
        c.limit.watchdog = 20000u;
        check_grid(&c, 1u + random_below(&random, 60u), switch_sms);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_five_policies_place_and_refill_as_published),
        cmocka_unit_test(a_short_last_cluster_of_two_sms_is_filled_by_the_same_rules),
        cmocka_unit_test(the_case_study_of_claso_runs_as_in_figs_9_and_10),
        cmocka_unit_test(blocks_are_for_ctas_and_rows_of_two_dimensions_unless_told),
        cmocka_unit_test(strict_pairs_end_together_and_others_do_not),
        cmocka_unit_test(a_fifth_context_is_used_once_one_of_the_first_four_ctas_has_ended),
        cmocka_unit_test(all_contexts_are_used_but_by_strict_blocks),
        cmocka_unit_test(no_policy_block_and_credits_strand_a_cta),
        cmocka_unit_test(nothing_is_stranded_while_sms_come_and_go),
    };
    return cmocka_run_group_tests_name("gpu_distributor", tests, NULL, NULL);
}
