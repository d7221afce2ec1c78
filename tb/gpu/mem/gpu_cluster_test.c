/*
 * Tests of intra-cluster coalescing in the running GPU: which reads of a cluster go to the
 * network, how many SMs a line answers, and that all of it is conserved.
 */

#include "tb/gpu/gpu_kernel.h"

#include <inttypes.h>

#include "base/random_bits.h"

static struct program text;

/* One CTA of one warp on each SM, in clusters of `each` SMs. */
static struct gpu_config machine(uint32_t sms, uint32_t each)
{
    struct gpu_config c = small_config();
    c.sm.count = sms;
    c.cluster.count = sms / each;
    c.sm.cta_slots = 1u;
    c.icc.entries = 48u;
    c.icc.lines = 24u;
    return c;
}

/* The counts of the first cluster after a run of a CTA on each SM. */
static struct gpu_cluster_stats run(const struct gpu_config *c, struct hand_kernel *k)
{
    struct gpu *const g = open_gpu(c, NULL, 0u);
    launch(g, k, 0u);
    const struct gpu_cluster_stats s = run_to_end(g)->cluster[0];
    gpu_close(g);
    return s;
}

static void reads_of_one_line_at_once_go_to_the_network_once(void **state)
{
    (void)state;
    text = (struct program){ .length = 0u };
    emit_free(&text, OP_INTEGER, 40u); /* until all SMs have their CTA */
    (void)emit(&text, OP_LOAD, 0u, REGISTER_NONE, 1u);
    emit_exit(&text);
    for (uint32_t sms = 1u; sms <= 16u; sms++) {
        struct gpu_config c = machine(sms, sms);
        struct hand_kernel k = kernel_of(&text, sms, 1u);
        const struct gpu_cluster_stats s = run(&c, &k);
        assert_int_equal(s.reads, sms);
        assert_int_equal(s.tracked, 1u);
        assert_int_equal(s.merged, sms - 1u);
        assert_int_equal(s.kept, sms > 1u);
        assert_int_equal(s.hits, 0u);
    }
}

static void clusters_do_not_share(void **state)
{
    (void)state;
    struct gpu_config c = machine(8u, 4u);
    struct hand_kernel k = kernel_of(&text, 8u, 1u); /* the text of the test before */
    struct gpu *const g = open_gpu(&c, NULL, 0u);
    launch(g, &k, 0u);
    const struct gpu_stats *const s = run_to_end(g);
    for (uint32_t i = 0u; i < 2u; i++) {
        assert_int_equal(s->cluster[i].tracked, 1u);
        assert_int_equal(s->cluster[i].merged, 3u);
    }
    gpu_close(g);
}

static const struct program *early_or_late(uint32_t cta)
{
    static struct program late;
    if (late.length == 0u) {
        emit_chain(&late, OP_INTEGER, 400u, 1u); /* long after the others' answer */
        (void)emit(&late, OP_LOAD, 0u, REGISTER_NONE, 1u);
        emit_exit(&late);
    }
    return cta == 3u ? &late : &text;
}

static void who_comes_late_is_answered_by_the_coalesced_cache(void **state)
{
    (void)state;
    for (uint32_t lines = 0u; lines <= 2u; lines++) {
        struct gpu_config c = machine(4u, 4u);
        struct hand_kernel k = kernel_of(&text, 4u, 1u);
        k.of_cta = early_or_late;
        c.icc.lines = lines;
        const struct gpu_cluster_stats s = run(&c, &k);
        assert_int_equal(s.hits, lines > 0u);
        assert_int_equal(s.kept, lines > 0u);
        assert_int_equal(s.tracked, lines > 0u ? 1u : 2u);
        assert_int_equal(s.merged, 2u);
    }
}

/* ---- What passes --------------------------------------------------------------------- */

static void emit_read(struct program *p, uint32_t dst, uint32_t src, uint32_t flags)
{
    emit(p, OP_LOAD, dst, src, 1u)->flags = (uint8_t)flags;
}

/* Reads of one line by all SMs at once; another read follows the first. */
static struct gpu_cluster_stats at_once(uint32_t sms, uint32_t first, uint32_t second)
{
    struct gpu_config c = machine(sms, sms);
    text = (struct program){ .length = 0u };
    emit_free(&text, OP_INTEGER, 40u);
    emit_read(&text, 0u, REGISTER_NONE, first);
    emit_read(&text, 0u, 0u, second);
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, sms, 1u);
    return run(&c, &k);
}

static void volatile_reads_pass_l1_merge_table_and_coalesced_cache(void **state)
{
    (void)state;
    for (uint32_t sms = 1u; sms <= 16u; sms++) {
        struct gpu_cluster_stats s = at_once(sms, UNCACHED, UNCACHED);
        assert_int_equal(s.reads, 2u * sms);
        assert_int_equal(s.tracked + s.merged + s.hits + s.kept, 0u);
        /* After plain reads, which the L1s and the coalesced cache keep. */
        s = at_once(sms, 0u, UNCACHED);
        assert_int_equal(s.reads, 2u * sms);
        assert_int_equal(s.merged, sms - 1u);
        assert_int_equal(s.hits, 0u);
        /* Plain reads after them: the first takes an entry, as if nothing had been read. */
        s = at_once(sms, UNCACHED, 0u);
        assert_int_equal(s.reads, 2u * sms);
        assert_true(s.tracked >= 1u);
    }
}

static void a_volatile_read_drops_what_may_be_older(void **state)
{
    (void)state;
    struct gpu_config c = machine(1u, 1u);
    text = (struct program){ .length = 0u };
    emit_read(&text, 0u, REGISTER_NONE, 0u);
    emit_read(&text, 0u, 0u, UNCACHED);
    emit_read(&text, 0u, 0u, 0u);
    emit_exit(&text);
    struct hand_kernel k = kernel_of(&text, 1u, 1u);
    assert_int_equal(run(&c, &k).reads, 3u); /* the L1 has dropped the first one's line */
}

static void reads_of_local_memory_pass_alone_and_are_kept_by_the_l1(void **state)
{
    (void)state;
    for (uint32_t sms = 1u; sms <= 16u; sms++) {
        const struct gpu_cluster_stats s = at_once(sms, LOCAL, LOCAL);
        assert_int_equal(s.reads + s.tracked + s.merged + s.hits + s.kept, 0u);
        assert_int_equal(s.delivered, sms);
    }
}

/* ---- Serial fill and the measure of locality ----------------------------------------- */

static uint32_t own_lines(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    (void)k;
    (void)cta;
    (void)warp;
    return ACCESS(i, 15u);
}

static uint64_t duration(const struct gpu_config *c, struct hand_kernel *k)
{
    struct gpu *const g = open_gpu(c, NULL, 0u);
    launch(g, k, 0u);
    const uint64_t cycles = run_to_end(g)->cycles;
    gpu_close(g);
    return cycles;
}

static void a_serial_fill_takes_the_port_a_cycle_for_each_sm(void **state)
{
    (void)state;
    text = (struct program){ .length = 0u };
    emit_free(&text, OP_INTEGER, 40u);
    for (uint32_t i = 0u; i < 8u; i++) {
        (void)emit(&text, OP_LOAD, i, REGISTER_NONE, 1u);
    }
    emit_exit(&text);
    uint32_t later = 0u;
    for (uint32_t sms = 1u; sms <= 16u; sms++) {
        struct gpu_config c = machine(sms, sms);
        struct hand_kernel k = kernel_of(&text, sms, 1u);
        k.access = own_lines;
        k.shape.registers = 8u;
        const uint64_t broadcast = duration(&c, &k);
        c.icc.serial = true;
        const uint64_t serial = duration(&c, &k);
        assert_true(sms == 1u ? serial == broadcast : serial >= broadcast);
        later += serial > broadcast;
    }
    assert_true(later >= 8u); /* requests of few SMs are as far apart as their answers */
}

/* Random lines, few of them, read and written by all SMs. */
static uint32_t some_line(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    uint64_t random = k->parameter + cta * UINT64_C(7919) + warp * UINT64_C(104729) + i;
    (void)random_bits(&random);
    return ACCESS(random_below(&random, 12u), 15u);
}

static void random_reads_and_writes_are_conserved(void **state)
{
    (void)state;
    static const enum op_class ops[] = { OP_LOAD,    OP_LOAD,  OP_LOAD,
                                         OP_TEXTURE, OP_STORE, OP_ATOMIC };
    uint64_t random = printed_number("SEED", 1u);
    uint64_t merged = 0u, hits = 0u, redundant = 0u;

    for (uint32_t n = 0u; n < 300u; n++) {
        const uint32_t each = 1u + random_below(&random, 8u);
        struct gpu_config c = machine(each * (1u + random_below(&random, 3u)), each);
        c.icc.entries = 1u + random_below(&random, 6u);
        c.icc.lines = random_below(&random, 5u);
        c.icc.fifo = random_below(&random, 2u) != 0u;
        c.icc.serial = random_below(&random, 2u) != 0u;
        c.cluster.request_queue = 1u + random_below(&random, 3u);
        c.cluster.locality = true;
        text = (struct program){ .length = 0u };
        for (uint32_t i = 0u; i < 30u; i++) {
            const enum op_class op = ops[random_below(&random, 6u)];
            (void)emit(&text, op, op == OP_STORE ? REGISTER_NONE : i % 8u, REGISTER_NONE, 1u);
        }
        emit_exit(&text);
        struct hand_kernel k = kernel_of(&text, 2u * c.sm.count, 2u);
        k.access = some_line;
        k.parameter = random_bits(&random);
        k.shape.registers = 8u;
        const struct gpu_cluster_stats s = run(&c, &k); /* nothing is left unanswered */
        assert_true(s.reads >= s.merged + s.hits + s.tracked);
        assert_true(s.reads >= s.line_2000 + s.data_2000 && s.data_2000 >= s.data_500);
        assert_true(s.kept <= s.merged && (each > 1u || s.merged == 0u));
        merged += s.merged;
        hits += s.hits;
        redundant += s.line_2000 + s.data_2000;
    }
    print_message("%" PRIu64 " merged, %" PRIu64 " hits\n", merged, hits);
    assert_true(merged > 1000u && hits > 100u && redundant > 10000u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_of_one_line_at_once_go_to_the_network_once),
        cmocka_unit_test(clusters_do_not_share),
        cmocka_unit_test(who_comes_late_is_answered_by_the_coalesced_cache),
        cmocka_unit_test(volatile_reads_pass_l1_merge_table_and_coalesced_cache),
        cmocka_unit_test(a_volatile_read_drops_what_may_be_older),
        cmocka_unit_test(reads_of_local_memory_pass_alone_and_are_kept_by_the_l1),
        cmocka_unit_test(a_serial_fill_takes_the_port_a_cycle_for_each_sm),
        cmocka_unit_test(random_reads_and_writes_are_conserved),
    };
    return cmocka_run_group_tests_name("gpu_cluster", tests, NULL, NULL);
}
