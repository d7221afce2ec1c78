/* synthetic_test - described workloads: what their streams are. */

#include <dirent.h>

#include "base/places.h"
#include "synthetic_open.h"

/* ---- What stream.h promises ---------------------------------------------------------- */

static void check_words(const struct instruction *instruction, const uint32_t *word)
{
    const bool atomic = instruction->op == OP_ATOMIC;
    const uint32_t lines = words_of(instruction) / (atomic ? 2u : 1u);

    for (uint32_t i = 0u; atomic && i < lines; i++) {
        assert_in_range(turns_meet(word[lines + i]), 1u, instruction->lanes);
        assert_in_range(turns_lanes(word[lines + i]), 1u, instruction->lanes);
    }
    for (uint32_t i = 0u; i < lines; i++) {
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
    assert_true(in->flags == 0u || (in->flags == TAKEN && in->op == OP_BRANCH)
                || ((in->flags == UNCACHED || in->flags == LOCAL) && in->op == OP_LOAD));
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
    char path[PLACES_PATH];
    uint32_t files = 0u;

    (void)state;
    snprintf(path, sizeof path, "%.4000s/configs/workloads", places_data());
    DIR *const folder = opendir(path);
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

/* ---- Programs ------------------------------------------------------------------------ */

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

/* ---- Divergence ---------------------------------------------------------------------- */

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

/* ---- Determinism --------------------------------------------------------------------- */

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shipped_workload_keeps_the_rules_of_streams),
        cmocka_unit_test(kernels_of_the_speed_comparison_have_their_lengths),
        cmocka_unit_test(a_dependence_reads_the_result_of_the_nth_producer_before),
        cmocka_unit_test(warps_of_a_straight_kernel_share_one_program),
        cmocka_unit_test(a_mix_follows_its_weights),
        cmocka_unit_test(launches_stand_in_the_order_of_the_file),
        cmocka_unit_test(the_fraction_of_warps_that_take_a_branch_is_as_asked),
        cmocka_unit_test(streams_do_not_depend_on_the_order_of_opening),
        cmocka_unit_test(another_seed_gives_other_streams),
    };
    return cmocka_run_group_tests_name("synthetic", tests, NULL, NULL);
}
