/*
 * The fast paths of the GPU model change nothing: random machines run random kernels under
 * random hooks in every mode, and every statistic, every sample and every event is that of
 * the run that steps everybody in every cycle. And what goes in comes out, in each of them.
 *
 * SEED and RUNS of the environment choose other machines, and more.
 */

#include "gpu_random.h"

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

enum { MOST_KERNELS = 3 };

/* ---- What is observed ---------------------------------------------------------------- */

struct log {
    uint64_t *word;
    size_t n, capacity;
};

static void note(struct log *l, uint64_t word)
{
    if (l->n == l->capacity) {
        l->capacity = l->capacity * 2u + 1024u;
        l->word = realloc(l->word, l->capacity * sizeof *l->word);
        assert_non_null(l->word);
    }
    l->word[l->n++] = word;
}

enum { NOTE_STARTED, NOTE_ENDED, NOTE_CTA, NOTE_CTA_END, NOTE_DRAM, NOTE_SAMPLE, NOTE_PAUSED };

static void note_event(struct log *l, uint64_t kind, uint64_t a, uint64_t b, uint64_t c,
                       uint64_t cycle)
{
    note(l, kind << 60 | a << 40 | b << 16 | c);
    note(l, cycle);
}

#define NOTE_ROWS(l, counts, member, n)                                             \
    for (uint32_t i_ = 0u; i_ < (n); i_++) {                                        \
        for (const struct gpu_count *row_ = (counts); row_->name != NULL; row_++) { \
            note((l), gpu_count_of(row_, &(member)[i_]));                           \
        }                                                                           \
    }

static void note_stats(struct log *l, const struct gpu_stats *s)
{
    note(l, s->cycles);
    note(l, s->noc_cycles);
    note(l, s->l2_cycles);
    note(l, s->dram_cycles);
    NOTE_ROWS(l, gpu_sm_counts, s->sm, s->n_sm)
    NOTE_ROWS(l, gpu_cluster_counts, s->cluster, s->n_cluster)
    NOTE_ROWS(l, gpu_noc_counts, s->noc, 2u)
    NOTE_ROWS(l, gpu_l2_counts, s->l2, s->n_l2)
    NOTE_ROWS(l, gpu_dram_counts, s->dram, s->n_l2)
    for (uint32_t k = 0u; k < s->n_kernel; k++) {
        note(l, s->kernel[k].first_cta);
        note(l, s->kernel[k].ended);
        note(l, s->kernel[k].warp_instructions);
    }
}

static void on_kernel_started(void *self, uint32_t kernel, uint64_t cycle)
{
    note_event(self, NOTE_STARTED, kernel, 0u, 0u, cycle);
}
static void on_kernel_ended(void *self, uint32_t kernel, uint64_t cycle)
{
    note_event(self, NOTE_ENDED, kernel, 0u, 0u, cycle);
}
static void on_cta_started(void *self, uint32_t kernel, uint32_t cta, uint32_t sm,
                           uint32_t slot, uint64_t cycle)
{
    note_event(self, NOTE_CTA, kernel, cta, sm << 8 | slot, cycle);
}
static void on_cta_ended(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                         uint64_t cycle)
{
    note_event(self, NOTE_CTA_END, kernel, cta, sm << 8 | slot, cycle);
}
static void on_dram(void *self, uint32_t partition, enum dram_command command, uint32_t bank,
                    uint32_t row, uint64_t cycle)
{
    note_event(self, NOTE_DRAM, partition << 8 | command, row, bank, cycle);
}
static void on_sample(void *self, struct gpu *g, uint64_t cycle)
{
    note_event(self, NOTE_SAMPLE, 0u, 0u, 0u, cycle);
    assert_int_equal(gpu_cycle(g), cycle);
    const struct gpu_stats *const s = gpu_stats(g);
    note_stats(self, s);
    for (uint32_t i = 0u; i < s->n_sm; i++) {
        uint64_t count[GPU_WARP_STATES] = { 0u };
        gpu_warp_states(g, i, count);
        for (uint32_t k = 0u; k < GPU_WARP_STATES; k++) {
            note(self, count[k]);
        }
    }
}

/* ---- Hooks, all functions of what they are told -------------------------------------- */

/* A unit in every cluster that merges requests for a line, and keeps the last of each place. */
enum { TABLE = 4096, KEPT = 16 };
struct merger {
    uint32_t n[GPU_MAX_CLUSTER];
    struct {
        uint32_t line;
        uint64_t sms;
    } pending[GPU_MAX_CLUSTER][TABLE];
    uint32_t kept[GPU_MAX_CLUSTER][KEPT]; /* line + 1 */
};

static uint32_t pending_of(const struct merger *u, uint32_t cluster, uint32_t line)
{
    uint32_t k = 0u;
    while (k < u->n[cluster] && u->pending[cluster][k].line != line) {
        k++;
    }
    return k;
}
static enum cluster_answer merger_request(void *self, uint32_t cluster, uint32_t sm,
                                          uint32_t line, uint64_t cycle)
{
    struct merger *const u = self;
    (void)cycle;
    if (u->kept[cluster][line % KEPT] == line + 1u) {
        return CLUSTER_HIT;
    }
    const uint32_t k = pending_of(u, cluster, line);
    assert_true(k < TABLE);
    if (k < u->n[cluster]) {
        u->pending[cluster][k].sms |= UINT64_C(1) << sm;
        return CLUSTER_MERGED;
    }
    u->pending[cluster][u->n[cluster]].line = line;
    u->pending[cluster][u->n[cluster]++].sms = UINT64_C(1) << sm;
    return CLUSTER_SEND;
}
static void merger_write(void *self, uint32_t cluster, uint32_t sm, uint32_t line,
                         uint64_t cycle)
{
    struct merger *const u = self;
    (void)sm;
    (void)cycle;
    if (u->kept[cluster][line % KEPT] == line + 1u) {
        u->kept[cluster][line % KEPT] = 0u;
    }
}
static uint64_t merger_reply(void *self, uint32_t cluster, uint32_t sm, uint32_t line,
                             uint64_t cycle)
{
    struct merger *const u = self;
    const uint32_t k = pending_of(u, cluster, line);
    (void)cycle;
    assert_true(k < u->n[cluster]);
    const uint64_t sms = u->pending[cluster][k].sms;
    assert_true((sms >> sm & 1u) != 0u);
    u->pending[cluster][k] = u->pending[cluster][--u->n[cluster]];
    u->kept[cluster][line % KEPT] = line + 1u;
    return sms;
}
static void merger_flush(void *self)
{
    struct merger *const u = self;
    memset(u->kept, 0, sizeof u->kept);
}

static uint64_t hash(uint64_t a, uint64_t b)
{
    uint64_t state = a * UINT64_C(0x9E3779B97F4A7C15) ^ b;
    return random_bits(&state);
}

/* Any ready warp, by its note; one time in eight none. */
static int32_t any_warp(void *self, uint32_t sm, uint32_t scheduler, uint64_t ready,
                        const uint16_t note_of[64], uint64_t cycle)
{
    const uint64_t seed = *(const uint64_t *)self;
    uint64_t best = UINT64_MAX;
    int32_t warp = -1;
    assert_true(ready != 0u);
    for (uint32_t w = 0u; w < 64u; w++) {
        const uint64_t rank = hash(seed ^ cycle, (uint64_t)note_of[w] << 32 | sm << 8 | w);
        if ((ready >> w & 1u) != 0u && rank < best) {
            best = rank;
            warp = (int32_t)w;
        }
    }
    return hash(seed + scheduler, cycle) % 8u == 0u ? -1 : warp;
}

/* A limiter of CTAs an SM, of each kernel another number, and a CTA scheduler that picks any.
 */
struct placer {
    uint64_t seed, issued;
    uint32_t on[MOST_KERNELS][GPU_MAX_SM];
};

static void placer_mask(void *self, uint32_t kernel, struct sm_set *room)
{
    const struct placer *const p = self;
    for (uint32_t sm = 0u; sm < GPU_MAX_SM; sm++) {
        if (p->on[kernel][sm] > hash(p->seed, kernel) % 4u) {
            sm_set_remove(room, sm);
        }
    }
}
static int32_t placer_pick(void *self, uint32_t kernel, const struct sm_set *room)
{
    const struct placer *const p = self;
    uint32_t sm = (uint32_t)(hash(p->seed + kernel, p->issued) % GPU_MAX_SM);
    while (!sm_set_has(room, sm)) {
        sm = (sm + 1u) % GPU_MAX_SM;
    }
    return (int32_t)sm;
}
static void placer_issued(void *self, uint32_t kernel, uint32_t sm, uint32_t cta)
{
    struct placer *const p = self;
    (void)cta;
    p->issued++;
    p->on[kernel][sm]++;
}
static void placer_ended(void *self, uint32_t kernel, uint32_t sm, uint32_t cta)
{
    (void)cta;
    ((struct placer *)self)->on[kernel][sm]--;
}

/* Pauses, drains and gates SMs, and in the end lets all of them run. */
struct controller {
    struct log *log;
    uint64_t seed;
    uint32_t calls;
};

static void control_one(struct gpu *g, uint32_t sm, uint64_t action)
{
    switch (action % 7u) {
    case 0u:
    case 1u:
        gpu_pause(g, sm);
        break;
    case 2u:
        gpu_resume(g, sm);
        break;
    case 3u:
    case 4u:
        gpu_drain(g, sm, action % 7u == 3u);
        break;
    default:
        (void)gpu_gate(g, sm, action % 7u == 5u);
    }
}

static uint64_t control(void *self, struct gpu *g, uint64_t cycle)
{
    struct controller *const c = self;
    const uint32_t n = gpu_config_of(g)->sm.count;
    const bool last = ++c->calls == 60u;
    for (uint32_t sm = 0u; sm < n; sm++) {
        note_event(c->log, NOTE_PAUSED, sm, gpu_paused(g, sm), 0u, cycle);
        if (last) {
            gpu_resume(g, sm);
            (void)gpu_gate(g, sm, false);
            gpu_drain(g, sm, false);
        }
    }
    if (last) {
        return UINT64_MAX;
    }
    const uint64_t h = hash(c->seed, cycle);
    control_one(g, (uint32_t)(h % n), h >> 32);
    return cycle + 1u + (h >> 40) % (1u << c->seed % 9u);
}

/* ---- A case --------------------------------------------------------- */

struct random_case {
    uint64_t seed;
    struct gpu_config config;
    struct program program[MOST_KERNELS][2];
    struct hand_kernel kernel[MOST_KERNELS];
    uint32_t stream[MOST_KERNELS];
    uint32_t kernels;
    bool merges, picks, controls, limits, places;
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
    c->merges = one_in(&random, 3u);
    c->picks = one_in(&random, 4u);
    c->controls = one_in(&random, 3u);
    c->limits = one_in(&random, 3u);
    c->places = one_in(&random, 4u);
    c->first = some(&random, c->kernels);
    c->interval = one_in(&random, 2u) ? 0u : some(&random, 400u);
}

static struct merger merger;

/* ---- Conservation -------------------------------------------------------------------- */

/* What programs issue, from their text. */
struct expected {
    uint64_t ctas, warps, instructions, lanes, answered, by_op[OP_COUNT];
};

static struct expected expected_of(const struct random_case *c)
{
    struct expected e = { 0 };
    for (uint32_t k = 0u; k < c->kernels; k++) {
        const uint64_t ctas = kernel_ctas(&c->kernel[k].shape);
        e.ctas += ctas;
        for (uint32_t w = 0u; w < kernel_warps(&c->kernel[k].shape); w++) {
            const struct program *const p = program_of(&c->kernel[k], 0u, w);
            e.warps += ctas;
            e.instructions += ctas * p->length;
            for (uint32_t i = 0u; i < p->length; i++) {
                const struct instruction *const in = &p->code[i];
                const bool answered = in->op == OP_ATOMIC && in->dst != REGISTER_NONE;
                e.by_op[in->op] += ctas;
                e.lanes += ctas * in->lanes;
                e.answered += answered ? ctas * in->accesses : 0u;
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
        assert_int_equal(l->miss, s->dram[i].read);
        assert_int_equal(l->writeback, s->dram[i].write);
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

static void check_instructions(const struct expected *e, const struct gpu_stats *s)
{
    CHECK_SUM(ctas, e->ctas);
    CHECK_SUM(warps, e->warps);
    CHECK_SUM(warp_instructions, e->instructions);
    CHECK_SUM(thread_instructions, e->lanes);
    CHECK_SUM(integer, e->by_op[OP_INTEGER]);
    CHECK_SUM(fp32, e->by_op[OP_FP32]);
    CHECK_SUM(fp64, e->by_op[OP_FP64]);
    CHECK_SUM(sfu, e->by_op[OP_SFU]);
    CHECK_SUM(tensor, e->by_op[OP_TENSOR]);
    CHECK_SUM(load, e->by_op[OP_LOAD]);
    CHECK_SUM(store, e->by_op[OP_STORE]);
    CHECK_SUM(atomic, e->by_op[OP_ATOMIC]);
    CHECK_SUM(shared, e->by_op[OP_SHARED]);
    CHECK_SUM(constant, e->by_op[OP_CONSTANT]);
    CHECK_SUM(texture, e->by_op[OP_TEXTURE]);
    CHECK_SUM(branch, e->by_op[OP_BRANCH]);
    CHECK_SUM(barrier, e->by_op[OP_BARRIER]);
    CHECK_SUM(exit, e->by_op[OP_EXIT]);
}

/* Requests and answers of the memory system. */
static void check_traffic(const struct random_case *c, const struct expected *e,
                          const struct gpu_stats *s)
{
    uint64_t fills, misses, more, writes, atomics, delivered, replies, at_slices;
    SUM(fills, sm, s->n_sm, l1_fill);
    SUM(misses, sm, s->n_sm, l1_miss);
    SUM(more, sm, s->n_sm, constant_miss);
    misses += more;
    SUM(more, sm, s->n_sm, texture_miss);
    misses += more;
    SUM(writes, sm, s->n_sm, l1_write);
    SUM(atomics, sm, s->n_sm, l1_atomic);
    SUM(delivered, cluster, s->n_cluster, delivered);
    SUM(replies, l2, s->n_l2, reply);
    SUM(at_slices, l2, s->n_l2, busy);
    assert_int_equal(fills, misses + e->answered);
    assert_int_equal(replies, s->noc[1].packets);
    assert_int_equal(at_slices, s->noc[0].packets);
    assert_true(atomics >= e->answered);
    if (!c->merges) {
        assert_int_equal(delivered, fills);
        assert_int_equal(replies, fills);
        assert_int_equal(at_slices, misses + writes + atomics);
    }
    SUM(more, l2, s->n_l2, write);
    assert_int_equal(more, writes);
    SUM(more, l2, s->n_l2, atomic);
    assert_int_equal(more, atomics);
}

static void check_conservation(const struct random_case *c, const struct gpu_stats *s)
{
    const struct expected e = expected_of(c);
    check_classes(c, s);
    check_instructions(&e, s);
    check_traffic(c, &e, s);
    for (uint32_t k = 0u; k < c->kernels; k++) {
        const uint32_t ctas = kernel_ctas(&c->kernel[k].shape);
        assert_int_equal(s->kernel[k].ctas, ctas);
        assert_int_equal(c->kernel[k].opened, ctas);
        assert_int_equal(c->kernel[k].freed, ctas);
        assert_int_equal(c->kernel[k].closed, 1u);
    }
}

/* The hooks of a case. What they point to lives as long as this. */
struct attached {
    struct gpu_monitor monitor;
    struct gpu_cluster_unit unit;
    struct gpu_warp_scheduler picker;
    struct gpu_cta_scheduler scheduler;
    struct placer placer;
    struct controller controller;
    struct gpu_hooks hooks;
};

static void attach(struct attached *a, struct random_case *c, struct log *log)
{
    memset(&merger, 0, sizeof merger);
    *a = (struct attached){
        .monitor = { log, on_kernel_started, on_kernel_ended, on_cta_started, on_cta_ended,
                     on_dram, c->interval, on_sample, NULL },
        .unit = { &merger, merger_request, merger_write, merger_reply, merger_flush },
        .picker = { &c->seed, NULL, NULL, any_warp },
        .placer = { .seed = c->seed },
        .controller = { log, c->seed, 0u },
    };
    a->hooks.monitor = &a->monitor;
    a->hooks.cluster_unit = c->merges ? &a->unit : NULL;
    a->hooks.warp_scheduler = c->picks ? &a->picker : NULL;
    a->hooks.clocked = c->controls ? control : NULL;
    a->hooks.clocked_self = &a->controller;
    a->scheduler = (struct gpu_cta_scheduler){ &a->placer, NULL, placer_pick, NULL, NULL };
    a->hooks.cta_scheduler = c->places ? &a->scheduler : NULL;
    a->hooks.n_limiter = c->limits ? 1u : 0u;
    a->hooks.limiter[0] = (struct gpu_limiter){
        .self = &a->placer, .mask = placer_mask, .issued = placer_issued, .ended = placer_ended
    };
}

/* Runs the case in a mode; the log is what was seen, the whole statistics at its end. */
static void run_case(struct random_case *c, unsigned mode, struct log *log)
{
    static struct attached attached;
    attach(&attached, c, log);
    struct gpu *const g = open_gpu(&c->config, &attached.hooks, mode);
    log->n = 0u;
    for (uint32_t k = 0u; k < c->kernels; k++) {
        c->kernel[k].opened = c->kernel[k].freed = c->kernel[k].closed = 0u;
        if (k == c->first) {
            (void)run_to_end(g);
        }
        launch(g, &c->kernel[k], c->stream[k]);
    }
    const struct gpu_stats *const s = run_to_end(g);
    note_stats(log, s);
    check_conservation(c, s);
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
                 " RUNS=1 (policy %u%s%s%s%s%s): mode %u: word %zu of %zu is %" PRIx64
                 " not %" PRIx64 "; before it %" PRIx64 " %" PRIx64,
                 c->seed, c->config.warp.policy, c->merges ? ", merges" : "",
                 c->picks ? ", picks" : "", c->limits ? ", limits" : "",
                 c->places ? ", places" : "", c->controls ? ", controls" : "", mode, k,
                 expected->n, got->word[k], expected->word[k], expected->word[k - 2u],
                 expected->word[k - 1u]);
    }
}

static void every_mode_gives_the_same_statistics_samples_and_events(void **state)
{
    (void)state;
    const uint64_t seed = printed_number("SEED", 1u), runs = printed_number("RUNS", 50u);
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
