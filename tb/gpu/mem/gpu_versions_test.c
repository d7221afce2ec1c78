/*
 * Tests of the versions of lines: a run in which SMs of a cluster read what they write has none
 * that is stale; with a defect in what a write does to the cluster's port it has, and is ended.
 */

#include "tb/gpu/gpu_kernel.h"
#include "tb/gpu/gpu_watch.h"

#include <stdio.h>

#include "gpu/mem/versions.h"

/* ---- Kernels that read and write a few lines ----------------------------------------- */

static struct program text;

static uint32_t some_line(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    uint64_t random = k->parameter + cta * UINT64_C(7919) + warp * UINT64_C(104729) + i;
    (void)random_bits(&random);
    return ACCESS(random_below(&random, 12u), 15u);
}

static void emit_exchange(uint64_t *random)
{
    text = (struct program){ .length = 0u };
    for (uint32_t i = 0u; i < 40u; i++) {
        const uint32_t chance = random_below(random, 10u);
        if (chance < 2u) {
            (void)emit(&text, OP_STORE, REGISTER_NONE, REGISTER_NONE, 1u);
        } else if (chance < 3u) {
            (void)emit(&text, OP_ATOMIC, i % 2u == 0u ? i % 8u : REGISTER_NONE, REGISTER_NONE,
                       1u);
        } else {
            emit(&text, OP_LOAD, i % 8u, REGISTER_NONE, 1u)->flags =
                chance < 4u ? UNCACHED : 0u;
        }
    }
    emit_exit(&text);
}

static struct gpu_config exchange_machine(uint64_t *random)
{
    const uint32_t each = 2u + random_below(random, 7u);
    struct gpu_config c = small_config();
    c.sm.count = each * (1u + random_below(random, 3u));
    c.cluster.count = c.sm.count / each;
    c.sm.cta_slots = 1u;
    c.icc.entries = 2u + random_below(random, 8u);
    c.icc.lines = 2u + random_below(random, 8u);
    c.icc.fifo = random_below(random, 2u) != 0u;
    c.icc.serial = random_below(random, 2u) != 0u;
    c.l1.write = (enum write_policy)random_below(random, 3u);
    c.l1.bytes = random_below(random, 2u) * c.l1.bytes;
    return c;
}

struct run_end {
    enum gpu_end end;
    uint64_t cycles;
    struct fault fault;
};

static struct run_end exchange(uint64_t seed, unsigned mode, const struct gpu_peer *peer)
{
    uint64_t random = seed;
    const struct gpu_config c = exchange_machine(&random);
    const struct gpu_hooks hooks = { .peer = peer };
    emit_exchange(&random);
    struct hand_kernel k = kernel_of(&text, 3u * c.sm.count, 2u);
    k.access = some_line;
    k.parameter = random_bits(&random);
    k.shape.registers = 8u;
    struct gpu *const g = open_gpu(&c, &hooks, mode);
    launch(g, &k, 0u);
    struct run_end e = { .end = gpu_run(g) };
    e.cycles = gpu_stats(g)->cycles;
    e.fault = *gpu_fault(g);
    gpu_close(g);
    return e;
}

static void what_is_read_is_never_older_than_what_was_written_before(void **state)
{
    (void)state;
    for (uint64_t seed = 1u; seed <= 200u; seed++) {
        const struct run_end plain = exchange(seed, 0u, NULL);
        const struct run_end e = exchange(seed, GPU_VERSIONS, NULL);
        if (e.end != GPU_DONE) {
            fail_msg("seed %" PRIu64 ": %s", seed, fault_text(&e.fault));
        }
        assert_int_equal(plain.end, GPU_DONE);
        assert_int_equal(e.cycles, plain.cycles);
    }
}

/* ---- Defects ------------------------------------------------------------------------- */

/* What a write does at the clock edge, undone. The peer may not, so it is a defect. */
static bool write_leaves_the_coalesced_cache(void *seat, const void *unit, const void *inputs,
                                             void *out, const void *next, uint64_t t)
{
    const struct cluster_port_in *const in = inputs;

    (void)seat, (void)out, (void)t;
    if (in->request_valid && in->request_write && !in->reply_valid) {
        ((struct cluster_port_next *)next)->cache.q =
            ((const struct cluster_port *)unit)->cache.q;
    }
    return true;
}

static bool write_leaves_the_merge_table(void *seat, const void *unit, const void *inputs,
                                         void *out, const void *next, uint64_t t)
{
    const struct cluster_port_in *const in = inputs;

    (void)seat, (void)out, (void)t;
    if (in->request_valid && in->request_write && !in->reply_valid) {
        ((struct cluster_port_next *)next)->table.q =
            ((const struct cluster_port *)unit)->table.q;
    }
    return true;
}

static bool hit_in_another_way(void *seat, const void *unit, const void *in, void *outputs,
                               const void *next, uint64_t t)
{
    struct cluster_port_out *const out = outputs;

    (void)seat, (void)in, (void)next, (void)t;
    if (out->request_hit) {
        out->request_way =
            (out->request_way + 1u) % ((const struct cluster_port *)unit)->config.n_line;
    }
    return true;
}

typedef bool evaluated(void *, const void *, const void *, void *, const void *, uint64_t);

/* How many of 40 runs it ends with this message. */
static uint32_t ended_by(evaluated *defect, const char *part)
{
    struct gpu_watch watch = { .socket = SOCKET_cluster_port, .evaluated = defect };
    const struct gpu_peer peer = gpu_watch_peer(&watch);
    uint32_t n = 0u;
    for (uint64_t seed = 1u; seed <= 40u; seed++) {
        assert_int_equal(exchange(seed, 0u, &peer).end, GPU_DONE); /* nothing else shows it */
        const struct run_end e = exchange(seed, GPU_VERSIONS, &peer);
        n += e.end == GPU_ILLEGAL && strstr(fault_text(&e.fault), part) != NULL;
    }
    return n;
}

static void a_coalesced_cache_that_keeps_what_was_written_over_is_found(void **state)
{
    (void)state;
    assert_in_range(
        ended_by(write_leaves_the_coalesced_cache, "by its cluster's port as it was before"),
        30u, 40u);
}

static void a_merge_table_that_joins_reads_after_a_write_is_found(void **state)
{
    (void)state;
    assert_in_range(
        ended_by(write_leaves_the_merge_table, "by its cluster's port as it was before"), 30u,
        40u);
}

static void a_hit_in_a_way_with_another_line_is_found(void **state)
{
    (void)state;
    assert_in_range(ended_by(hit_in_another_way, "by a way with another line"), 20u, 40u);
}

/* ---- The counts alone ---------------------------------------------------------------- */

static struct versions *open_versions(void)
{
    struct versions *const v = versions_open(&(struct versions_shape){ 4u, 2u, 8u, 3u });
    assert_non_null(v);
    return v;
}

static void a_line_has_counts_in_each_cluster(void **state)
{
    struct versions *const v = open_versions();
    (void)state;
    for (uint32_t line = 0u; line < 20000u; line++) {
        assert_true(versions_sent(v, 0u, 1u, line, false));
        assert_true(versions_sent(v, 1u, 2u, line, false));
        assert_true(versions_sent(v, 1u, 3u, line, false));
    }
    for (uint32_t line = 0u; line < 20000u; line++) {
        versions_performed(v, 0u, line);
        versions_performed(v, 1u, line);
        assert_int_equal(versions_of(v, 0u, line), 1u);
        assert_int_equal(versions_of(v, 1u, line), 1u);
        versions_asked(v, 1u, 2u, 5u, line);
        assert_false(versions_filled(v, 2u, 5u, line, 1u, true));
        assert_true(versions_filled(v, 2u, 5u, line, 2u, true));
        versions_asked(v, 0u, 0u, 5u, line);
        assert_true(versions_filled(v, 0u, 5u, line, 1u, true));
    }
    assert_int_equal(versions_of(v, 0u, 20000u), 0u);
    versions_close(v);
}

static void an_l1_must_have_seen_the_writes_of_its_sm(void **state)
{
    struct versions *const v = open_versions();
    (void)state;
    assert_true(versions_fresh(v, 0u, 7u));
    assert_true(versions_sent(v, 0u, 0u, 7u, false));
    assert_false(versions_fresh(v, 0u, 7u));
    assert_true(versions_fresh(v, 1u, 7u)); /* what others wrote it need not see */
    assert_true(versions_filled(v, 0u, 0u, 7u, 1u, false));
    assert_false(versions_fresh(v, 0u, 7u)); /* the line went past it */
    assert_true(versions_filled(v, 0u, 0u, 7u, 1u, true));
    assert_true(versions_fresh(v, 0u, 7u));
    assert_true(versions_sent(v, 0u, 0u, 7u, true));
    assert_true(versions_fresh(v, 0u, 7u));
    versions_close(v);
}

/* An atomic is on its way, which drops the line, when a store makes the line anew. */
static void a_store_that_an_l1_holds_is_newer_than_what_has_not_been_sent(void **state)
{
    struct versions *const v = open_versions();
    (void)state;
    assert_true(versions_stored(v, 0u, 1u));
    assert_true(versions_sent(v, 0u, 0u, 1u, false)); /* the atomic */
    assert_true(versions_fresh(v, 0u, 1u));
    assert_true(versions_sent(v, 0u, 0u, 1u, true)); /* the store */
    assert_true(versions_fresh(v, 0u, 1u));
    assert_true(versions_sent(v, 0u, 0u, 1u, false));
    assert_false(versions_fresh(v, 0u, 1u));
    versions_close(v);
}

static void versions_wrap(void **state)
{
    struct versions *const v = open_versions();
    (void)state;
    for (uint32_t n = 0u; n < 200000u; n++) {
        assert_true(versions_sent(v, 0u, 0u, 1u, false));
        versions_asked(v, 0u, 0u, 0u, 1u);
        assert_false(versions_filled(v, 0u, 0u, 1u, versions_of(v, 0u, 1u), true));
        versions_performed(v, 0u, 1u);
        assert_true(versions_filled(v, 0u, 0u, 1u, versions_of(v, 0u, 1u), true));
    }
    versions_close(v);
}

static void a_way_gives_what_it_keeps(void **state)
{
    struct versions *const v = open_versions();
    uint16_t version = 0u;
    (void)state;
    versions_kept(v, 1u, 2u, UINT64_C(1) << 40, 9u);
    assert_true(versions_hit(v, 1u, 2u, UINT64_C(1) << 40, &version));
    assert_int_equal(version, 9u);
    assert_false(versions_hit(v, 1u, 2u, 1u, &version));
    assert_false(versions_hit(v, 0u, 2u, UINT64_C(1) << 40, &version));
    versions_close(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_is_never_older_than_what_was_written_before),
        cmocka_unit_test(a_coalesced_cache_that_keeps_what_was_written_over_is_found),
        cmocka_unit_test(a_merge_table_that_joins_reads_after_a_write_is_found),
        cmocka_unit_test(a_hit_in_a_way_with_another_line_is_found),
        cmocka_unit_test(a_line_has_counts_in_each_cluster),
        cmocka_unit_test(an_l1_must_have_seen_the_writes_of_its_sm),
        cmocka_unit_test(a_store_that_an_l1_holds_is_newer_than_what_has_not_been_sent),
        cmocka_unit_test(versions_wrap),
        cmocka_unit_test(a_way_gives_what_it_keeps),
    };
    return cmocka_run_group_tests_name("gpu_versions", tests, NULL, NULL);
}
