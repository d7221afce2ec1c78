/* synthetic_test - described workloads: their streams, addresses and errors. */

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "gpu_config.h"
#include "stream.h"
#include "synthetic.h"
#include "synthetic_address.h"

/* ---- Opening workloads and CTAs --------------------------------------------------- */

static struct synthetic *load(const char *path)
{
    const struct gpu_config config = gpu_config_standard();
    struct synthetic *synthetic = NULL;
    char message[512] = "";

    if (!synthetic_load(path, &config, &synthetic, message, sizeof message)) {
        fail_msg("%s", message);
    }
    return synthetic;
}

/* A file that holds the text; the caller unlinks and frees. */
static char *write_text(const char *text)
{
    char *const path = strdup("/tmp/synthetic_test.XXXXXX");
    FILE *const file = fdopen(mkstemp(path), "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return path;
}

static struct synthetic *load_text(const char *text)
{
    char *const path = write_text(text);
    struct synthetic *const synthetic = load(path);

    unlink(path);
    free(path);
    return synthetic;
}

/* One kernel with this grid, block and body. */
static struct synthetic *load_body(const char *grid, const char *block, const char *body)
{
    char text[2048];

    snprintf(text, sizeof text,
             "kernels:\n  - name: k\n    grid: %s\n    block: %s\n    registers: 40\n"
             "    body:\n%s",
             grid, block, body);
    return load_text(text);
}

struct open_cta {
    struct kernel_source source;
    struct warp_stream warp[64];
    void *handle;
};

static struct open_cta open_cta(struct kernel_source source, uint32_t cta)
{
    struct open_cta opened = { .source = source };
    char message[256] = "";

    assert_in_range(kernel_warps(&source.shape), 1u, 64u);
    if (!source.open_cta(source.self, cta, opened.warp, &opened.handle, message,
                         sizeof message)) {
        fail_msg("%s", message);
    }
    return opened;
}

static void free_cta(const struct open_cta *opened)
{
    opened->source.free_cta(opened->source.self, opened->handle);
}

static uint32_t words_of(const struct instruction *instruction)
{
    return instruction->op == OP_LOAD || instruction->op == OP_STORE
                   || instruction->op == OP_ATOMIC || instruction->op == OP_CONSTANT
                   || instruction->op == OP_TEXTURE
               ? instruction->accesses
               : 0u;
}

/* ---- What stream.h promises --------------------------------------------------------- */

static void check_words(const struct instruction *instruction, const uint32_t *word)
{
    for (uint32_t i = 0u; i < words_of(instruction); i++) {
        assert_true(access_line(word[i]) < 1u << 28);
        assert_int_not_equal(access_quarters(word[i]), 0u);
        for (uint32_t j = 0u; j < i; j++) { /* coalesced: no line twice */
            assert_int_not_equal(access_line(word[i]), access_line(word[j]));
        }
    }
}

static void check_instruction(const struct instruction *in, const struct kernel_shape *shape,
                              uint32_t threads)
{
    assert_true(in->op < OP_COUNT);
    assert_true(in->lanes <= threads);
    assert_int_equal(in->dst == REGISTER_NONE, in->n_dst == 0u);
    if (in->dst != REGISTER_NONE) {
        assert_in_range(in->dst, REGISTER_FIRST, REGISTER_LAST);
        assert_in_range(in->n_dst, 1u, 8u);
        assert_true(in->dst + in->n_dst - 1u <= shape->last_register);
    }
    for (uint32_t i = 0u; i < 4u; i++) {
        assert_true(in->src[i] == REGISTER_NONE
                    || (in->src[i] >= REGISTER_FIRST && in->src[i] <= shape->last_register));
    }
    if (in->op == OP_SHARED) {
        assert_in_range(in->accesses, 1u, 32u);
    } else if (words_of(in) == 0u) {
        assert_int_equal(in->accesses, 0u);
    } else {
        assert_true(in->accesses <= MAX_ACCESSES && in->lanes > 0u);
    }
    if (in->op == OP_STORE || in->op == OP_BRANCH || in->op == OP_BARRIER
        || in->op == OP_EXIT) {
        assert_int_equal(in->dst, REGISTER_NONE);
    }
    assert_true((in->flags & ~(uint32_t)TAKEN) == 0u);
    assert_true((in->flags & TAKEN) == 0u || in->op == OP_BRANCH);
}

/* Returns the number of barriers. */
static uint32_t check_stream(const struct warp_stream *warp, const struct kernel_shape *shape,
                             uint32_t threads)
{
    const struct instruction *in = warp->instruction;
    const uint32_t *word = warp->access;
    uint32_t barriers = 0u;

    for (;; in++) {
        check_instruction(in, shape, threads);
        check_words(in, word);
        word += words_of(in);
        barriers += in->op == OP_BARRIER;
        if (in->op == OP_EXIT) {
            return barriers;
        }
        assert_true(in[1].pc > in->pc);
        assert_true(in[1].pc == in->pc + 1u || (in->flags & TAKEN) != 0u);
    }
}

static void check_ctas(struct kernel_source source)
{
    const uint32_t threads = kernel_threads(&source.shape);
    const uint32_t warps = kernel_warps(&source.shape);

    for (uint32_t cta = 0u; cta < kernel_ctas(&source.shape); cta++) {
        const struct open_cta opened = open_cta(source, cta);
        uint32_t barriers = 0u;
        for (uint32_t w = 0u; w < warps; w++) {
            const uint32_t rest = threads - w * WARP_SIZE;
            const uint32_t n = check_stream(&opened.warp[w], &source.shape,
                                            rest < WARP_SIZE ? rest : WARP_SIZE);
            assert_true(w == 0u || n == barriers); /* or the CTA would hang */
            barriers = n;
        }
        free_cta(&opened);
    }
}

static void every_shipped_workload_keeps_the_rules_of_streams(void **state)
{
    DIR *const folder = opendir(GPUSCHED_SOURCE "/configs/workloads");
    uint32_t files = 0u;

    (void)state;
    assert_non_null(folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char *const dot = strstr(entry->d_name, ".yaml");
        if (dot == NULL || dot[5] != '\0') {
            continue;
        }
        *dot = '\0';
        struct synthetic *const synthetic = load(entry->d_name);
        for (uint32_t k = 0u; k < synthetic_kernels(synthetic); k++) {
            check_ctas(synthetic_kernel(synthetic, k));
        }
        synthetic_free(synthetic);
        files++;
    }
    closedir(folder);
    assert_true(files >= 12u);
}

static uint32_t length_of(const char *name)
{
    struct synthetic *const synthetic = load(name);
    const struct kernel_source source = synthetic_kernel(synthetic, 0u);
    const struct open_cta opened = open_cta(source, 639u);
    uint32_t n = 1u;

    assert_int_equal(kernel_ctas(&source.shape), 640u);
    assert_int_equal(kernel_threads(&source.shape), 256u);
    for (const struct instruction *in = opened.warp[7].instruction; in->op != OP_EXIT; in++) {
        n++;
    }
    free_cta(&opened);
    synthetic_free(synthetic);
    return n;
}

static void kernels_of_the_speed_comparison_have_their_lengths(void **state)
{
    (void)state;
    assert_int_equal(length_of("stream"), 25u);
    assert_int_equal(length_of("compute"), 461u);
    assert_int_equal(length_of("scatter"), 34u);
    assert_int_equal(length_of("tile"), 322u);
}

/* ---- Addresses ------------------------------------------------------------------------- */

/* Coalesces `lanes` accesses that are `stride` bytes apart. */
static uint32_t coalesce_stride(uint64_t base, uint32_t lanes, uint32_t element,
                                uint32_t stride, uint32_t *word)
{
    uint64_t address[WARP_SIZE];

    for (uint32_t i = 0u; i < lanes; i++) {
        address[i] = base + i * stride;
    }
    return coalesce(address, lanes, element, 128u, word);
}

static void accesses_of_a_warp_are_coalesced_as_by_hand(void **state)
{
    uint32_t word[2 * WARP_SIZE];

    (void)state;
    assert_int_equal(coalesce_stride(1280u, 32u, 4u, 4u, word), 1u);
    assert_int_equal(word[0], ACCESS(10u, 15u));
    assert_int_equal(coalesce_stride(0u, 32u, 4u, 8u, word), 2u);
    assert_int_equal(word[0], ACCESS(0u, 15u));
    assert_int_equal(word[1], ACCESS(1u, 15u));
    assert_int_equal(coalesce_stride(96u, 32u, 4u, 128u, word), 32u);
    for (uint32_t i = 0u; i < 32u; i++) {
        assert_int_equal(word[i], ACCESS(i, 8u));
    }
    assert_int_equal(coalesce_stride(0u, 32u, 8u, 8u, word), 2u);
    assert_int_equal(coalesce_stride(0u, 32u, 16u, 16u, word), 4u);
    assert_int_equal(word[3], ACCESS(3u, 15u));
    /* From byte 64: half a line, and half of the next. */
    assert_int_equal(coalesce_stride(64u, 32u, 4u, 4u, word), 2u);
    assert_int_equal(word[0], ACCESS(0u, 12u));
    assert_int_equal(word[1], ACCESS(1u, 3u));
    assert_int_equal(coalesce_stride(4u, 8u, 4u, 4u, word), 1u);
    assert_int_equal(word[0], ACCESS(0u, 3u));
    /* An element across two lines touches both. */
    assert_int_equal(coalesce_stride(120u, 1u, 16u, 0u, word), 2u);
    assert_int_equal(word[0], ACCESS(0u, 8u));
    assert_int_equal(word[1], ACCESS(1u, 1u));
    assert_int_equal(coalesce_stride(40u, 32u, 4u, 0u, word), 1u);
    assert_int_equal(word[0], ACCESS(0u, 2u));
}

static void bank_conflicts_take_as_many_passes_as_by_hand(void **state)
{
    static const uint32_t cases[][5] = {
        /* lanes, element, stride, banks, passes */
        { 32, 4, 4, 32, 1 },   { 32, 4, 8, 32, 2 },   { 32, 4, 12, 32, 1 },
        { 32, 4, 16, 32, 4 },  { 32, 4, 64, 32, 16 }, { 32, 4, 128, 32, 32 },
        { 32, 4, 132, 32, 1 }, { 32, 4, 0, 32, 1 },   { 32, 8, 8, 32, 2 },
        { 32, 16, 16, 32, 4 }, { 32, 1, 1, 32, 1 },   { 8, 4, 128, 32, 8 },
        { 32, 4, 4, 16, 2 },   { 16, 4, 8, 32, 1 },   { 0, 4, 4, 32, 1 },
    };

    (void)state;
    for (size_t i = 0u; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t *const c = cases[i];
        assert_int_equal(bank_passes(c[0], c[1], c[2], c[3]), c[4]);
    }
}

/* The words of a regular pattern's templates are those of its addresses, at any line size,
 * stride and offset: one by one against the coalescer. */
static void check_regular(uint32_t line, uint32_t element, uint32_t stride, uint32_t offset)
{
    const struct pattern_shape shape = {
        .kind = PATTERN_STRIDE,
        .line = line,
        .region = 3u,
        .element = element,
        .stride = stride,
        .offset = offset,
        .lanes = 32u,
    };
    const uint32_t span = stride * WARP_SIZE;
    const bool parts = line % span == 0u && offset + 31u * stride + element <= span;
    const uint32_t block = parts ? span : (span + line - 1u) / line * line;
    struct pattern pattern;

    assert_true(pattern_init(&pattern, &shape));
    for (uint32_t number = 0u; number < 9u; number++) {
        const struct place place = { .warps = 9u, .all = 9u, .global = number };
        uint64_t address[WARP_SIZE];
        uint32_t expected[MAX_ACCESSES];
        uint32_t word[MAX_ACCESSES];
        for (uint32_t i = 0u; i < WARP_SIZE; i++) {
            address[i] =
                3u * (uint64_t)REGION_BYTES + (2u * 9u + number) * block + offset + i * stride;
        }
        const uint32_t n = coalesce(address, WARP_SIZE, element, line, expected);
        assert_int_equal(pattern_words(&pattern, &place, 2u, 4u, word), n);
        assert_memory_equal(word, expected, n * sizeof word[0]);
    }
    pattern_free(&pattern);
}

static void warps_access_consecutive_blocks_of_their_region(void **state)
{
    (void)state;
    for (uint32_t line = 32u; line <= 256u; line *= 2u) {
        for (uint32_t element = 1u; element <= 16u; element *= 2u) {
            for (uint32_t times = 1u; times <= 9u; times += 2u) {
                check_regular(line, element, element * times, 0u);
                check_regular(line, element, element * times, 16u);
                check_regular(line, element, element * times, 64u);
            }
        }
    }
}

/* The words of the first access of warp w, of a CTA of the body's only kernel. */
static void first_access(struct synthetic *synthetic, uint32_t cta, uint32_t w, uint32_t n,
                         uint32_t *word)
{
    const struct open_cta opened = open_cta(synthetic_kernel(synthetic, 0u), cta);

    assert_int_equal(opened.warp[w].instruction[0].accesses, n);
    memcpy(word, opened.warp[w].access, n * sizeof *word);
    free_cta(&opened);
}

static void a_tile_is_shared_by_the_ctas_of_its_group_and_no_others(void **state)
{
    struct synthetic *const synthetic =
        load_body("[12, 1, 1]", "[64, 1, 1]", "      - {op: load, pattern: tile, group: 4}\n");
    uint32_t line[12][2];

    (void)state;
    for (uint32_t cta = 0u; cta < 12u; cta++) {
        first_access(synthetic, cta, 0u, 1u, &line[cta][0]);
        first_access(synthetic, cta, 1u, 1u, &line[cta][1]);
        assert_int_not_equal(line[cta][0], line[cta][1]);
        for (uint32_t other = 0u; other < cta; other++) {
            assert_int_equal(line[cta][0] == line[other][0], cta / 4u == other / 4u);
        }
    }
    synthetic_free(synthetic);
}

static void regions_overlap_only_when_they_are_the_same(void **state)
{
    struct synthetic *const synthetic =
        load_body("[2, 1, 1]", "[32, 1, 1]",
                  "      - {op: load, pattern: stream, region: 3}\n"
                  "      - {op: store, pattern: stream, region: 3}\n"
                  "      - {op: store, pattern: stream, region: 4}\n"
                  "      - {op: store, pattern: random, footprint: 4096, per: warp, seed: 5}\n"
                  "      - {op: load, pattern: random, footprint: 4096, per: warp, seed: 5}\n");
    const struct open_cta opened = open_cta(synthetic_kernel(synthetic, 0u), 1u);
    const uint32_t *const word = opened.warp[0].access;

    (void)state;
    assert_int_equal(word[0], ACCESS(3u * (REGION_BYTES / 128u) + 1u, 15u));
    assert_int_equal(word[1], word[0]);
    assert_int_equal(word[2], ACCESS(4u * (REGION_BYTES / 128u) + 1u, 15u));
    assert_true(access_line(word[3]) < 4096u / 128u);
    assert_int_equal(word[3], word[4]);
    free_cta(&opened);
    synthetic_free(synthetic);
}

static void random_lanes_reach_all_of_their_footprint_and_nothing_else(void **state)
{
    enum { LINES = 64 };
    struct synthetic *const synthetic =
        load_body("[200, 1, 1]", "[32, 1, 1]",
                  "      - {op: load, pattern: random, footprint: 8192, region: 1}\n");
    uint32_t seen[LINES] = { 0u };

    (void)state;
    for (uint32_t cta = 0u; cta < 200u; cta++) {
        uint32_t word[WARP_SIZE];
        first_access(synthetic, cta, 0u, WARP_SIZE, word);
        for (uint32_t i = 0u; i < WARP_SIZE; i++) {
            const uint32_t line = access_line(word[i]) - REGION_BYTES / 128u;
            assert_true(line < LINES);
            seen[line]++;
        }
    }
    for (uint32_t line = 0u; line < LINES; line++) { /* 100 each are expected */
        assert_in_range(seen[line], 60u, 140u);
    }
    synthetic_free(synthetic);
}

static void a_chase_comes_to_every_line_of_its_footprint_once(void **state)
{
    enum { LINES = 100 };
    struct synthetic *const synthetic =
        load_body("[1, 1, 1]", "[64, 1, 1]",
                  "      - {op: load, count: 100, pattern: chase, footprint: 12800}\n");
    const struct open_cta opened = open_cta(synthetic_kernel(synthetic, 0u), 0u);
    uint32_t next[LINES] = { 0u };
    uint32_t consecutive = 0u;

    (void)state;
    for (uint32_t i = 0u; i < LINES; i++) {
        const struct instruction *const in = &opened.warp[0].instruction[i];
        const uint32_t line = access_line(opened.warp[0].access[i]);
        const uint32_t after = access_line(opened.warp[0].access[(i + 1u) % LINES]);
        assert_true(line < LINES);
        assert_int_equal(next[line], 0u); /* not seen before */
        next[line] = after + 1u;
        consecutive += after == line + 1u;
        assert_int_equal(in->src[0], in->dst);
    }
    assert_true(consecutive < 10u);
    /* Another warp follows the same pointers. */
    for (uint32_t i = 0u; i + 1u < LINES; i++) {
        assert_int_equal(access_line(opened.warp[1].access[i + 1u]) + 1u,
                         next[access_line(opened.warp[1].access[i])]);
    }
    free_cta(&opened);
    synthetic_free(synthetic);
}

/* ---- Programs
 * -------------------------------------------------------------------------------- */

static void a_dependence_reads_the_result_of_the_nth_producer_before(void **state)
{
    struct synthetic *const synthetic =
        load_body("[1, 1, 1]", "[32, 1, 1]",
                  "      - {op: integer, count: 40, depends: 3}\n"
                  "      - {op: store, depends: 1, src: [r2], pattern: stream}\n"
                  "      - {op: load, depends: 2, element: 16, pattern: stream, region: 1}\n");
    const struct open_cta opened = open_cta(synthetic_kernel(synthetic, 0u), 0u);
    const struct instruction *const in = opened.warp[0].instruction;

    (void)state;
    for (uint32_t i = 0u; i < 40u; i++) {
        assert_int_equal(in[i].src[0], i < 3u ? REGISTER_NONE : in[i - 3u].dst);
        for (uint32_t j = i < 3u ? 0u : i - 3u; j < i; j++) {
            assert_int_not_equal(in[i].dst, in[j].dst);
        }
    }
    assert_int_equal(in[40].src[0], REGISTER_FIRST + 2);
    assert_int_equal(in[40].src[1], in[39].dst);
    assert_int_equal(in[41].src[0], in[38].dst);
    assert_int_equal(in[41].n_dst, 4u);
    assert_int_equal(in[41].accesses, 4u);
    free_cta(&opened);
    synthetic_free(synthetic);
}

static void warps_of_a_straight_kernel_share_one_program(void **state)
{
    struct synthetic *const synthetic = load("stream");
    const struct open_cta a = open_cta(synthetic_kernel(synthetic, 0u), 0u);
    const struct open_cta b = open_cta(synthetic_kernel(synthetic, 0u), 5u);

    (void)state;
    assert_ptr_equal(a.warp[0].instruction, b.warp[7].instruction);
    assert_ptr_not_equal(a.warp[0].access, b.warp[0].access);
    free_cta(&a);
    free_cta(&b);
    /* Steady state: what was given back is used again. */
    const struct open_cta c = open_cta(synthetic_kernel(synthetic, 0u), 9u);
    assert_ptr_equal(c.handle, b.handle);
    free_cta(&c);
    synthetic_free(synthetic);
}

static void a_mix_follows_its_weights(void **state)
{
    struct synthetic *const synthetic = load_body(
        "[1, 1, 1]", "[32, 1, 1]",
        "      - {mix: {integer: 60, fp32: 30, load: 10}, count: 4000, depends: 2..5}\n");
    const struct open_cta opened = open_cta(synthetic_kernel(synthetic, 0u), 0u);
    const struct instruction *const in = opened.warp[0].instruction;
    uint32_t n[OP_COUNT] = { 0u };
    uint32_t at[6] = { 0u };

    (void)state;
    for (uint32_t i = 0u; in[i].op != OP_EXIT; i++) {
        n[in[i].op]++;
        for (uint32_t d = 1u; i > 5u && d <= 5u; d++) {
            at[d] += in[i].src[0] == in[i - d].dst;
        }
    }
    assert_in_range(n[OP_INTEGER], 2200u, 2600u);
    assert_in_range(n[OP_FP32], 1050u, 1350u);
    assert_in_range(n[OP_LOAD], 320u, 480u);
    assert_int_equal(at[1], 0u);
    for (uint32_t d = 2u; d <= 5u; d++) {
        assert_in_range(at[d], 850u, 1150u);
    }
    free_cta(&opened);
    synthetic_free(synthetic);
}

static void launches_stand_in_the_order_of_the_file(void **state)
{
    struct synthetic *const synthetic = load("two-kernels");

    (void)state;
    assert_int_equal(synthetic_kernels(synthetic), 4u);
    for (uint32_t k = 0u; k < 4u; k++) {
        assert_string_equal(synthetic_kernel(synthetic, k).shape.name,
                            k < 2u ? "memory" : "arithmetic");
        assert_int_equal(synthetic_stream(synthetic, k), k / 2u);
    }
    synthetic_free(synthetic);
}

/* ---- Divergence
 * ------------------------------------------------------------------------------- */

static void the_fraction_of_warps_that_take_a_branch_is_as_asked(void **state)
{
    struct synthetic *const synthetic = load_body(
        "[1000, 1, 1]", "[128, 1, 1]",
        "      - op: branch\n        taken: 0.3\n        body: [{op: fp32, count: 2}]\n"
        "        taken_body: [{op: sfu}]\n"
        "      - {op: integer, diverge: {probability: 0.2, lanes: 5}}\n"
        "      - {op: load, pattern: stride, stride: 128, diverge: {probability: 0.5, lanes: "
        "7}}\n");
    uint32_t taken = 0u;
    uint32_t diverged = 0u;
    uint32_t few = 0u;

    (void)state;
    for (uint32_t cta = 0u; cta < 1000u; cta++) {
        const struct open_cta opened = open_cta(synthetic_kernel(synthetic, 0u), cta);
        for (uint32_t w = 0u; w < 4u; w++) {
            const struct instruction *in = opened.warp[w].instruction;
            const bool take = (in->flags & TAKEN) != 0u;
            taken += take;
            assert_int_equal(in[1].op, take ? OP_SFU : OP_FP32);
            in += take ? 2 : 4; /* the other way: branch, two, jump */
            assert_int_equal(in->op, OP_INTEGER);
            assert_true(in->lanes == 5u || in->lanes == 32u);
            diverged += in->lanes == 5u;
            assert_int_equal(in[1].accesses, in[1].lanes);
            few += in[1].lanes == 7u;
            assert_int_equal(in[2].op, OP_EXIT);
        }
        free_cta(&opened);
    }
    assert_in_range(taken, 1100u, 1300u);
    assert_in_range(diverged, 720u, 880u);
    assert_in_range(few, 1880u, 2120u);
    synthetic_free(synthetic);
}

/* ---- Determinism
 * --------------------------------------------------------------------------------- */

static uint64_t print(uint64_t sum, const void *data, size_t size)
{
    const unsigned char *const byte = data;

    for (size_t i = 0u; i < size; i++) {
        sum = (sum ^ byte[i]) * 1099511628211u;
    }
    return sum;
}

/* A fingerprint of all of a CTA's streams. */
static uint64_t fingerprint(const struct open_cta *opened)
{
    uint64_t sum = 1469598103934665603u;

    for (uint32_t w = 0u; w < kernel_warps(&opened->source.shape); w++) {
        const struct instruction *in = opened->warp[w].instruction;
        const uint32_t *word = opened->warp[w].access;
        for (;; in++) {
            sum = print(sum, in, sizeof *in);
            sum = print(sum, word, words_of(in) * sizeof *word);
            word += words_of(in);
            if (in->op == OP_EXIT) {
                break;
            }
        }
    }
    return sum;
}

static void check_determinism(const char *name)
{
    enum { CTAS = 40 };
    struct synthetic *const a = load(name);
    struct synthetic *const b = load(name);
    struct open_cta opened[CTAS];
    uint64_t first[CTAS];
    bool differ = false;

    for (uint32_t cta = 0u; cta < CTAS; cta++) {
        opened[0] = open_cta(synthetic_kernel(a, 0u), cta);
        first[cta] = fingerprint(&opened[0]);
        differ |= first[cta] != first[0];
        free_cta(&opened[0]);
    }
    for (uint32_t i = CTAS; i-- > 0u;) { /* backwards, all open at once */
        opened[i] = open_cta(synthetic_kernel(b, 0u), i);
    }
    for (uint32_t i = 0u; i < CTAS; i++) {
        assert_int_equal(fingerprint(&opened[i]), first[i]);
        free_cta(&opened[i]);
    }
    assert_true(differ);
    synthetic_free(a);
    synthetic_free(b);
}

static void streams_do_not_depend_on_the_order_of_opening(void **state)
{
    (void)state;
    check_determinism("stream");
    check_determinism("scatter");
    check_determinism("diverge");
    check_determinism("mix");
}

static void another_seed_gives_other_streams(void **state)
{
    static const char *const texts[] = { "[{op: load, pattern: random, footprint: 1048576}]",
                                         "[{mix: {integer: 1, fp32: 1}, count: 40}]" };
    (void)state;
    for (size_t t = 0u; t < 2u; t++) {
        uint64_t sum[2];
        for (uint32_t seed = 0u; seed < 2u; seed++) {
            char text[512];
            snprintf(text, sizeof text,
                     "seed: %u\nkernels:\n  - name: k\n    grid: [1, 1, 1]\n"
                     "    block: [32, 1, 1]\n    registers: 20\n    body: %s\n",
                     seed, texts[t]);
            struct synthetic *const synthetic = load_text(text);
            const struct open_cta opened = open_cta(synthetic_kernel(synthetic, 0u), 0u);
            sum[seed] = fingerprint(&opened);
            free_cta(&opened);
            synthetic_free(synthetic);
        }
        assert_int_not_equal(sum[0], sum[1]);
    }
}

/* ---- Errors
 * --------------------------------------------------------------------------------------- */

/* The step that stands on line 7 is refused with this, and at this line and key. */
static void check_refused(const char *step, uint32_t line, const char *key, const char *why)
{
    const struct gpu_config config = gpu_config_standard();
    struct synthetic *synthetic = NULL;
    char text[1024];
    char message[512] = "";
    char place[128];

    snprintf(text, sizeof text,
             "kernels:\n  - name: k\n    grid: [2, 1, 1]\n    block: [64, 1, 1]\n"
             "    registers: 20\n    body:\n      - %s\n",
             step);
    char *const path = write_text(text);
    snprintf(place, sizeof place, "%s:%u: %s: ", path, line, key);
    assert_false(synthetic_load(path, &config, &synthetic, message, sizeof message));
    if (strncmp(message, place, strlen(place)) != 0 || strstr(message, why) == NULL) {
        fail_msg("%s\n  gives    %s\n  expected %s... %s", step, message, place, why);
    }
    unlink(path);
    free(path);
}

static void a_bad_value_is_refused_with_its_line_key_and_what_is_allowed(void **state)
{
#define STEP "kernels.0.body.0"
    static const char *const cases[][3] = {
        { "{op: jump}", STEP ".op", "integer, fp32" },
        { "{op: exit}", STEP ".op", "barrier are allowed" },
        { "{count: 2}", STEP, "one of op, repeat and mix" },
        { "{op: integer, repeat: 2}", STEP, "one of op, repeat and mix" },
        { "{op: integer, pattern: stream}", STEP ".pattern", "may have: count, words" },
        { "{op: store, dst: r1}", STEP ".dst", "may have" },
        { "{op: integer, count: 0}", STEP ".count", "from 1 to 1048576" },
        { "{op: integer, lanes: 33}", STEP ".lanes", "from 0 to 32" },
        { "{op: integer, words: 9}", STEP ".words", "from 1 to 8" },
        { "{op: integer, dst: x1}", STEP ".dst", "r0 to r19" },
        { "{op: integer, dst: r20}", STEP ".dst", "r0 to r19" },
        { "{op: integer, dst: r19, words: 2}", STEP ".dst", "20 registers" },
        { "{op: integer, src: [r0, r20]}", STEP ".src", "r0 to r19" },
        { "{op: integer, src: [r0, r0, r0, r0, r0]}", STEP ".src", "at most 4" },
        { "{op: integer, depends: 33}", STEP ".depends", "1 to 32" },
        { "{op: integer, depends: 5..2}", STEP ".depends", "1 to 32" },
        { "{op: load, element: 3}", STEP ".element", "1, 2, 4, 8 or 16" },
        { "{op: load, pattern: spiral}", STEP ".pattern", "stream, stride" },
        { "{op: load, pattern: stride}", STEP ".stride", "needed" },
        { "{op: load, pattern: stride, stride: 6}", STEP ".stride", "multiple" },
        { "{op: load, pattern: random}", STEP ".footprint", "needed" },
        { "{op: load, pattern: random, footprint: 4095}", STEP ".footprint", "4096 bytes" },
        { "{op: load, pattern: tile}", STEP ".group", "tile" },
        { "{op: load, group: 2}", STEP ".group", "tile" },
        { "{op: load, per: lane}", STEP ".per", "random" },
        { "{op: load, region: 32}", STEP ".region", "from 0 to 31" },
        { "{op: load, offset: 2}", STEP ".offset", "multiple" },
        { "{op: store, pattern: chase, footprint: 4096}", STEP ".pattern", "load" },
        { "{op: shared, passes: 33}", STEP ".passes", "from 1 to 32" },
        { "{op: shared, passes: 3, stride: 4}", STEP ".passes", "either" },
        { "{op: branch, taken: 1.5}", STEP ".taken", "from 0 to 1" },
        { "{op: branch, body: [{op: barrier}]}", STEP ".body.0.op", "not all warps" },
        { "{op: integer, diverge: {probability: 2, lanes: 1}}", STEP ".diverge.probability",
          "from 0 to 1" },
        { "{mix: {exit: 1}}", STEP ".mix.exit", "ends with" },
        { "{mix: {load: 0}}", STEP ".mix", "sum" },
        { "{repeat: 3}", STEP ".repeat", "body" },
        { "{repeat: 1000, body: [{op: integer, count: 2000}]}", STEP ".body.0.count",
          "1048576 instructions" },
        { "{op: load, count: 100000, pattern: stride, stride: 128}", "kernels.0.body",
          "access words" },
    };

    (void)state;
    for (size_t i = 0u; i < sizeof cases / sizeof cases[0]; i++) {
        const bool whole = strcmp(cases[i][1], "kernels.0.body") == 0;
        check_refused(cases[i][0], whole ? 6u : 7u, cases[i][1], cases[i][2]);
    }
    check_refused("{op: integer, depends: 30}", 5u, "kernels.0.registers", "at least 31");
#undef STEP
}

static void a_key_that_does_not_exist_is_refused(void **state)
{
    const struct gpu_config config = gpu_config_standard();
    struct synthetic *synthetic = NULL;
    char message[512] = "";

    (void)state;
    assert_false(
        synthetic_load("no-such-workload", &config, &synthetic, message, sizeof message));
    assert_non_null(strstr(message, "configs/workloads/no-such-workload.yaml"));
    check_refused("{op: integer, colour: 3}", 7u, "kernels.0.body.0.colour", "");
    check_refused("{op: integer, count: -1}", 7u, "kernels.0.body.0.count", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shipped_workload_keeps_the_rules_of_streams),
        cmocka_unit_test(kernels_of_the_speed_comparison_have_their_lengths),
        cmocka_unit_test(accesses_of_a_warp_are_coalesced_as_by_hand),
        cmocka_unit_test(bank_conflicts_take_as_many_passes_as_by_hand),
        cmocka_unit_test(warps_access_consecutive_blocks_of_their_region),
        cmocka_unit_test(a_tile_is_shared_by_the_ctas_of_its_group_and_no_others),
        cmocka_unit_test(regions_overlap_only_when_they_are_the_same),
        cmocka_unit_test(random_lanes_reach_all_of_their_footprint_and_nothing_else),
        cmocka_unit_test(a_chase_comes_to_every_line_of_its_footprint_once),
        cmocka_unit_test(a_dependence_reads_the_result_of_the_nth_producer_before),
        cmocka_unit_test(warps_of_a_straight_kernel_share_one_program),
        cmocka_unit_test(a_mix_follows_its_weights),
        cmocka_unit_test(launches_stand_in_the_order_of_the_file),
        cmocka_unit_test(the_fraction_of_warps_that_take_a_branch_is_as_asked),
        cmocka_unit_test(streams_do_not_depend_on_the_order_of_opening),
        cmocka_unit_test(another_seed_gives_other_streams),
        cmocka_unit_test(a_bad_value_is_refused_with_its_line_key_and_what_is_allowed),
        cmocka_unit_test(a_key_that_does_not_exist_is_refused),
    };
    return cmocka_run_group_tests_name("synthetic", tests, NULL, NULL);
}
