/*
 * The fast paths of the GPU model change nothing: random machines run random kernels under
 * random control in every mode, and every statistic, every sample and every event is that of
 * the run that steps everybody in every cycle. And what goes in comes out, in each of them.
 *
 * SEED and RUNS of the environment choose other machines, and more.
 */

#include "gpu_random.h"
#include "gpu_random_control.h"
#include "tb/base/sanitized.h"

/* Each fast path alone switched off, some together, and all. */
static const unsigned modes[] = {
    0u,
    GPU_STEP_ALL,
    GPU_NO_SKIP,
    GPU_POLL,
    GPU_SCAN,
    GPU_FUZZ,
    GPU_FUZZ | GPU_NO_SKIP,
    GPU_FUZZ | GPU_POLL | GPU_SCAN,
    GPU_STEP_ALL | GPU_NO_SKIP | GPU_COUNT_EACH,
    GPU_STEP_ALL | GPU_POLL,
};

/* ---- A case -------------------------------------------------------------------------- */

enum { MOST_KERNELS = 3 };

struct random_case {
    uint64_t seed;
    struct gpu_config config;
    struct program program[MOST_KERNELS][2];
    struct hand_kernel kernel[MOST_KERNELS];
    uint32_t stream[MOST_KERNELS];
    uint32_t kernels;
    bool merges, controls, limits, records;
    uint32_t first; /* so many are launched at once, the others after their run */
    uint64_t interval;
};

static void make_case(struct random_case *c, uint64_t seed)
{
    uint64_t random = seed;
    c->seed = seed;
    c->config = random_machine(&random);
    c->kernels = some(&random, MOST_KERNELS);
    for (uint32_t k = 0u; k < c->kernels; k++) {
        random_program(&c->program[k][0], &random, 60u);
        random_program(&c->program[k][1], &random, 60u);
        c->kernel[k] = random_kernel(&c->config, &random, c->program[k]);
        c->stream[k] = random_below(&random, 2u);
    }
    c->merges = c->config.icc.entries != 0u;
    c->controls = one_in(&random, 3u);
    c->limits = one_in(&random, 3u);
    c->records = one_in(&random, 2u);
    c->first = some(&random, c->kernels);
    c->interval = one_in(&random, 2u) ? 0u : some(&random, 400u);
}

/* ---- Conservation -------------------------------------------------------------------- */

/* What programs issue, from their text. */
struct expected {
    uint64_t ctas, warps, instructions, lanes, answered, by_op[OP_ALL];
    uint64_t nothing; /* memory instructions of which all lanes are off */
};

static struct expected expected_of(const struct hand_kernel *kernel, uint32_t kernels)
{
    struct expected e = { 0 };
    for (uint32_t k = 0u; k < kernels; k++) {
        const uint64_t ctas = kernel_ctas(&kernel[k].shape);
        e.ctas += ctas;
        for (uint32_t w = 0u; w < kernel_warps(&kernel[k].shape); w++) {
            const struct program *const p = program_of(&kernel[k], 0u, w);
            e.warps += ctas;
            e.instructions += ctas * p->length;
            for (uint32_t i = 0u; i < p->length; i++) {
                const struct instruction *const in = &p->code[i];
                const bool answered = in->op == OP_ATOMIC && in->dst != REGISTER_NONE;
                e.by_op[in->op] += ctas;
                e.nothing +=
                    in->op >= OP_LOAD && in->op < OP_BRANCH && in->accesses == 0u ? ctas : 0u;
                e.lanes += ctas * in->lanes;
                e.answered += answered ? ctas * in->accesses / 2u : 0u;
            }
        }
    }
    return e;
}

/* The classes of an SM, of a cluster's port, of a slice: every cycle is in one of them. */
static void check_classes(const struct random_case *c, const struct gpu_stats *s)
{
    for (uint32_t i = 0u; i < s->n_sm; i++) {
        const struct gpu_sm_stats *const m = &s->sm[i];
        assert_int_equal(m->issued + m->pipeline_alu + m->pipeline_memory + m->scoreboard_alu
                             + m->scoreboard_memory + m->idle + m->paused,
                         s->cycles * c->config.warp.schedulers);
        assert_int_equal(m->inflight_none + m->inflight_alu + m->inflight_memory
                             + m->inflight_both,
                         s->cycles);
        assert_int_equal(m->ldst_idle + m->ldst_busy + m->ldst_mshr + m->ldst_merge
                             + m->ldst_queue,
                         s->cycles);
        assert_true(m->no_cta <= s->cycles && m->gated <= m->no_cta);
    }
    for (uint32_t i = 0u; i < s->n_cluster; i++) {
        const struct gpu_cluster_stats *const p = &s->cluster[i];
        assert_int_equal(p->request_idle + p->request_busy + p->request_full, s->cycles);
    }
    for (uint32_t i = 0u; i < s->n_l2; i++) {
        const struct gpu_l2_stats *const l = &s->l2[i];
        assert_int_equal(l->idle + l->busy + l->full_reply + l->full_mshr + l->full_merge
                             + l->full_dram + l->full_set + l->atomic_busy,
                         s->l2_cycles);
        assert_int_equal(l->busy, l->hit + l->miss + l->merge + l->write);
        uint64_t reads = 0u, writes = 0u;
        for (uint32_t k = 0u; k < c->config.dram.channels; k++) {
            reads += s->dram[i * c->config.dram.channels + k].read;
            writes += s->dram[i * c->config.dram.channels + k].write;
        }
        assert_int_equal(l->miss + l->fetch, reads);
        assert_int_equal(l->writeback + l->write_miss, writes);
    }
    assert_int_equal(s->n_dram, s->n_l2 * c->config.dram.channels);
    for (uint32_t i = 0u; i < s->n_dram; i++) {
        assert_true(s->dram[i].precharge <= s->dram[i].activate);
        assert_true(s->dram[i].activate - s->dram[i].precharge <= c->config.dram.banks);
        assert_true(s->dram[i].bus <= s->dram_cycles);
    }
}

#define SUM(total, group, n, name)               \
    do {                                         \
        (total) = 0u;                            \
        for (uint32_t i_ = 0u; i_ < (n); i_++) { \
            (total) += s->group[i_].name;        \
        }                                        \
    } while (0)
#define CHECK_SUM(name, expected)         \
    do {                                  \
        uint64_t sum_;                    \
        SUM(sum_, sm, s->n_sm, name);     \
        assert_int_equal(sum_, expected); \
    } while (0)

/* Loads of constants that were operands, and have not been issued. They have all lanes. */
static uint64_t operands_of_all(const struct random_case *c, const struct expected *e,
                                const struct gpu_stats *s)
{
    uint64_t issued;
    SUM(issued, sm, s->n_sm, constant);
    assert_true(issued <= e->by_op[OP_CONSTANT]);
    assert_true(c->config.constant.operands || issued == e->by_op[OP_CONSTANT]);
    return e->by_op[OP_CONSTANT] - issued;
}

static void check_instructions(const struct random_case *c, const struct expected *e,
                               const struct gpu_stats *s)
{
    const uint64_t operands = operands_of_all(c, e, s);
    CHECK_SUM(ctas, e->ctas);
    CHECK_SUM(warps, e->warps);
    CHECK_SUM(warp_instructions, e->instructions - operands);
    CHECK_SUM(thread_instructions, e->lanes - WARP_SIZE * operands);
    CHECK_SUM(integer, e->by_op[OP_INTEGER] + e->by_op[OP_FENCE]);
    CHECK_SUM(fp32, e->by_op[OP_FP32]);
    CHECK_SUM(fp64, e->by_op[OP_FP64]);
    CHECK_SUM(sfu, e->by_op[OP_SFU]);
    CHECK_SUM(tensor, e->by_op[OP_TENSOR]);
    CHECK_SUM(load, e->by_op[OP_LOAD]);
    CHECK_SUM(store, e->by_op[OP_STORE]);
    CHECK_SUM(atomic, e->by_op[OP_ATOMIC]);
    CHECK_SUM(shared, e->by_op[OP_SHARED]);
    CHECK_SUM(texture, e->by_op[OP_TEXTURE]);
    CHECK_SUM(branch, e->by_op[OP_BRANCH]);
    CHECK_SUM(barrier, e->by_op[OP_BARRIER]);
    CHECK_SUM(exit, e->by_op[OP_EXIT]);
}

/* Requests and answers of the memory system. */
static void check_traffic(const struct random_case *c, const struct expected *e,
                          const struct gpu_stats *s)
{
    uint64_t fills, misses, more, writes, back, atomics, delivered, replies, at_slices;
    SUM(fills, sm, s->n_sm, l1_fill);
    SUM(misses, sm, s->n_sm, l1_miss);
    SUM(more, sm, s->n_sm, constant_miss);
    misses += more;
    SUM(more, sm, s->n_sm, texture_miss);
    misses += more;
    SUM(more, sm, s->n_sm, icache_miss);
    misses += more;
    SUM(writes, sm, s->n_sm, l1_write);
    SUM(back, sm, s->n_sm, l1_written_back);
    SUM(atomics, sm, s->n_sm, l1_atomic);
    SUM(delivered, cluster, s->n_cluster, delivered);
    SUM(replies, l2, s->n_l2, reply);
    SUM(at_slices, l2, s->n_l2, busy);
    /* Some constants may have come from their second level. */
    const bool second = c->config.constant.l15_bytes != 0u;
    SUM(more, sm, s->n_sm, constant_miss);
    assert_in_range(misses + e->answered - fills, 0u, second ? more : 0u);
    misses = fills - e->answered;
    /* Answers of a header alone. */
    const uint64_t acks = c->config.noc.write_acks ? writes + atomics - e->answered : 0u;
    assert_int_equal(replies, s->noc[1].packets);
    assert_int_equal(at_slices, s->noc[0].packets);
    assert_true(atomics >= e->answered);
    if (!c->merges) {
        assert_int_equal(delivered, fills + acks);
        assert_int_equal(replies, fills + acks);
        assert_int_equal(at_slices, misses + writes + back + atomics);
    }
    SUM(more, l2, s->n_l2, write);
    assert_int_equal(more, writes + back);
    SUM(more, l2, s->n_l2, atomic);
    assert_int_equal(more, atomics);
}

static void check_conservation(const struct random_case *c, const struct gpu_stats *s)
{
    const struct expected e = expected_of(c->kernel, c->kernels);
    check_classes(c, s);
    check_instructions(c, &e, s);
    check_traffic(c, &e, s);
    for (uint32_t k = 0u; k < c->kernels; k++) {
        const uint32_t ctas = kernel_ctas(&c->kernel[k].shape);
        assert_int_equal(s->kernel[k].ctas, ctas);
        assert_int_equal(c->kernel[k].opened, ctas);
        assert_int_equal(c->kernel[k].freed, ctas);
        assert_int_equal(c->kernel[k].closed, 1u);
    }
}

/* Accesses and passes, each of which takes the load/store unit ldst.interval cycles. Of the
 * last one fewer are the kernel's, if its last CTA leaves the SM in them, and the run may end.
 */
static uint64_t turns_of(const struct gpu_sm_stats *s)
{
    return s->shared_passes + s->l1_hit + s->l1_miss + s->l1_merge + s->l1_write + s->l1_atomic
           + s->l1_local_write + s->l1_written_back + s->constant_hit + s->constant_miss
           + s->constant_merge + s->texture_hit + s->texture_miss + s->texture_merge;
}

/* To a kernel belongs what its programs issue and write, and to none no instruction. */
static void check_shares(const struct random_case *c, const struct gpu *g)
{
    uint64_t all_busy = 0u, all_turns = 0u;
    for (uint32_t k = 0u; k <= c->kernels; k++) {
        const struct expected e =
            k < c->kernels ? expected_of(&c->kernel[k], 1u) : (struct expected){ 0u };
        struct gpu_share share;
        gpu_share(g, k, &share);
        assert_int_equal(share.sm.ctas, e.ctas);
        assert_int_equal(share.sm.warps, e.warps);
        const uint64_t operands = e.by_op[OP_CONSTANT] - share.sm.constant;
        assert_int_equal(share.sm.warp_instructions, e.instructions - operands);
        assert_int_equal(share.sm.thread_instructions, e.lanes - WARP_SIZE * operands);
        assert_int_equal(share.sm.tensor, e.by_op[OP_TENSOR]);
        assert_int_equal(share.sm.exit, e.by_op[OP_EXIT]);
        const uint64_t turns = turns_of(&share.sm) - operands + e.nothing;
        all_busy += share.sm.ldst_busy;
        all_turns += turns;
        assert_true(share.sm.ldst_busy >= turns);
        /* What a kernel leaves of its last turn is nobody's. */
        assert_true(c->config.constant.by_address || k == c->kernels
                    || share.sm.ldst_busy <= turns * c->config.ldst.interval);
        if (c->config.warp.interval == 1u && c->config.warp.width == 1u) {
            assert_int_equal(share.sm.issued, e.instructions - operands);
        }
        assert_int_equal(share.l2.write, share.sm.l1_write + share.sm.l1_written_back);
        assert_int_equal(share.l2.atomic, share.sm.l1_atomic);
        assert_int_equal(share.l2.busy, share.noc[0].packets);
        assert_int_equal(share.l2.reply, share.noc[1].packets);
        assert_int_equal(share.l2.miss + share.l2.fetch, share.dram.read);
        assert_int_equal(share.l2.writeback + share.l2.write_miss, share.dram.write);
        assert_in_range(share.l2.fetch, 0u, share.l2.write_miss);
        assert_true(c->config.l2.write_fetch || share.l2.write_miss == 0u);
        const uint64_t asked = share.sm.l1_miss + share.sm.constant_miss + share.sm.texture_miss
                               + share.sm.icache_miss + share.sm.l1_write
                               + share.sm.l1_written_back + share.sm.l1_atomic;
        assert_in_range(asked - share.cluster.request_busy, 0u,
                        c->config.constant.l15_bytes != 0u ? share.sm.constant_miss : 0u);
    }
    const uint64_t interval = c->config.ldst.interval;
    if (!c->config.constant.by_address) {
        assert_in_range(all_turns * interval - all_busy, 0u,
                        c->config.sm.count * (interval - 1u));
    }
}

static struct watcher {
    struct log *log;
    uint64_t interval; /* of samples; 0: none */
    bool records;
    struct controller controller;
    /* from the records */
    uint32_t started, ended, steps[GPU_KERNEL_STEPS];
    uint8_t class_now[GPU_MAX_SM][GPU_MAX_SCHEDULERS];
    uint64_t cycles[GPU_MAX_SM][GPU_CYCLE_CLASSES];
} watcher;

/* Counts CTAs, steps of kernels, and cycles by class. */
static void add_record(struct gpu *g, uint64_t cycle)
{
    const struct gpu_config *const c = gpu_config_of(g);
    const struct gpu_record *const r = gpu_record(g);
    const bool jumped = r->cycle != cycle;
    watcher.started += jumped ? 0u : r->n_started;
    watcher.ended += jumped ? 0u : r->n_ended;
    for (uint32_t i = 0u; !jumped && i < r->n_kernel; i++) {
        watcher.steps[r->kernel[i].step]++;
    }
    for (uint32_t i = 0u; !jumped && i < r->n_class; i++) {
        const struct gpu_class_event *const e = &r->class_of[i];
        assert_true(watcher.class_now[e->sm][e->scheduler] != e->class_now);
        watcher.class_now[e->sm][e->scheduler] = e->class_now;
    }
    for (uint32_t sm = 0u; sm < c->sm.count; sm++) {
        for (uint32_t k = 0u; k < c->warp.schedulers; k++) {
            watcher.cycles[sm][watcher.class_now[sm][k]]++;
        }
    }
}

/* The records are the statistics, cycle by cycle. */
static void check_records(const struct random_case *c, const struct gpu_stats *s)
{
    uint32_t ctas = 0u;
    for (uint32_t i = 0u; i < s->n_sm; i++) {
        const struct gpu_sm_stats *const m = &s->sm[i];
        const uint64_t expected[GPU_CYCLE_CLASSES] = {
            [GPU_ISSUED] = m->issued,
            [GPU_PIPELINE_ALU] = m->pipeline_alu,
            [GPU_PIPELINE_MEMORY] = m->pipeline_memory,
            [GPU_SCOREBOARD_ALU] = m->scoreboard_alu,
            [GPU_SCOREBOARD_MEMORY] = m->scoreboard_memory,
            [GPU_IDLE] = m->idle,
            [GPU_PAUSED] = m->paused,
        };
        for (uint32_t k = 0u; k < GPU_CYCLE_CLASSES; k++) {
            assert_int_equal(watcher.cycles[i][k], expected[k]);
        }
    }
    for (uint32_t k = 0u; k < c->kernels; k++) {
        ctas += kernel_ctas(&c->kernel[k].shape);
    }
    assert_int_equal(watcher.started, ctas);
    assert_int_equal(watcher.ended, ctas);
    for (uint32_t step = 0u; step < GPU_KERNEL_STEPS; step++) {
        assert_int_equal(watcher.steps[step], c->kernels);
    }
}

/* After every cycle, if there is anything to control or to read; otherwise at the case's
 * interval. */
static void watch(void *self, struct gpu *g, uint64_t cycle)
{
    (void)self;
    if (watcher.interval != 0u && cycle % watcher.interval == 0u) {
        on_sample(watcher.log, g, cycle);
    }
    if (watcher.records) {
        on_record(watcher.log, g, cycle);
        add_record(g, cycle);
    }
    control(&watcher.controller, g, cycle);
}

static struct gpu_monitor monitor_of(const struct random_case *c, struct log *log)
{
    const bool acts = c->controls || c->limits;
    watcher = (struct watcher){ .log = log,
                                .interval = c->interval,
                                .records = c->records,
                                .controller = { .log = log,
                                                .seed = c->seed,
                                                .controls = c->controls,
                                                .limits = c->limits,
                                                .next = acts ? 1u : 0u } };
    memset(watcher.class_now, GPU_IDLE, sizeof watcher.class_now);
    return (struct gpu_monitor){ log,
                                 on_kernel_started,
                                 on_kernel_ended,
                                 on_cta_started,
                                 on_cta_ended,
                                 on_dram,
                                 acts || c->records ? 1u : c->interval,
                                 watch,
                                 NULL,
                                 NULL,
                                 NULL,
                                 NULL };
}

/* Runs the case in a mode; the log is what was seen, the whole statistics at its end. */
static void run_case(struct random_case *c, unsigned mode, struct log *log)
{
    const struct gpu_monitor monitor = monitor_of(c, log);
    const struct gpu_hooks hooks = { .monitor = &monitor, .classes = c->records };
    struct gpu *const g = open_gpu(&c->config, &hooks, mode);
    log->n = 0u;
    for (uint32_t k = 0u; k < c->kernels; k++) {
        c->kernel[k].opened = c->kernel[k].freed = c->kernel[k].closed = 0u;
        if (k == c->first) {
            (void)run_to_end(g);
        }
        launch(g, &c->kernel[k], c->stream[k]);
        watcher.controller.kernels = k + 1u;
    }
    const struct gpu_stats *const s = run_to_end(g);
    note_stats(log, s);
    note_shares(log, g, c->kernels);
    check_conservation(c, s);
    check_shares(c, g);
    if (c->records) {
        check_records(c, s);
    }
    gpu_close(g);
}

/* ---- Tests --------------------------------------------------------------------------- */

static void check_same(const struct random_case *c, unsigned mode, const struct log *expected,
                       const struct log *got)
{
    size_t k = 0u;
    while (k < expected->n && k < got->n && expected->word[k] == got->word[k]) {
        k++;
    }
    if (k != expected->n || k != got->n) {
        fail_msg("SEED=%" PRIu64
                 " RUNS=1 (policy %u%s%s%s%s): mode %u: word %zu of %zu is %" PRIx64
                 " not %" PRIx64 "; before it %" PRIx64 " %" PRIx64,
                 c->seed, c->config.warp.policy, c->merges ? ", merges" : "",
                 c->limits ? ", limits" : "", c->controls ? ", controls" : "",
                 c->records ? ", records" : "", mode, k, expected->n, got->word[k],
                 expected->word[k], expected->word[k - 2u], expected->word[k - 1u]);
    }
}

static void every_mode_gives_the_same_statistics_samples_and_events(void **state)
{
    (void)state;
    const uint64_t seed = printed_number("SEED", 1u),
                   runs = printed_number("RUNS", SANITIZED ? 10u : 25u);
    static struct random_case c;
    struct log expected = { NULL, 0u, 0u }, got = { NULL, 0u, 0u };
    for (uint64_t run = 0u; run < runs; run++) {
        make_case(&c, seed + run);
        run_case(&c, GPU_NAIVE, &expected);
        for (size_t m = 0u; m < sizeof modes / sizeof *modes; m++) {
            run_case(&c, modes[m], &got);
            check_same(&c, modes[m], &expected, &got);
        }
    }
    free(expected.word);
    free(got.word);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mode_gives_the_same_statistics_samples_and_events),
    };
    return cmocka_run_group_tests_name("gpu_exact", tests, NULL, NULL);
}
